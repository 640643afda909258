-- What the record says of a mail that brought orders, besides these; and whether the operator plays.

-- 1: the mail quoted the four words of the report before its turn; 2: the mail server had verified
-- the signature below; 4: the orders are those of the server's operator, who wants that shown.
ALTER TABLE orders ADD COLUMN marks INTEGER NOT NULL DEFAULT 0 CHECK (marks BETWEEN 0 AND 7);
-- Digest of the mail's DKIM signature (molepost-archive(5)); NULL: it had none.
ALTER TABLE orders ADD COLUMN dkim BLOB CHECK (length(dkim) = 32);
-- What a bot drew to choose them; NULL: they are no bot's, or of an earlier program.
ALTER TABLE orders ADD COLUMN sealed_drawn BLOB;
-- Whether who took the seat last is the operator, who wants that shown.
ALTER TABLE seats ADD COLUMN operator INTEGER NOT NULL DEFAULT 0 CHECK (operator IN (0, 1));

-- Once more: reliability may be 0, and there is a second term.
CREATE TABLE terms (
	game INTEGER PRIMARY KEY REFERENCES games (id),
	-- The least share of turns in time, in percent; 0: any.
	reliability INTEGER NOT NULL CHECK (reliability BETWEEN 0 AND 100),
	-- Whether the operator may not play.
	without_operator INTEGER NOT NULL DEFAULT 0 CHECK (without_operator IN (0, 1))
) STRICT;
INSERT INTO terms (game, reliability) SELECT game, reliability FROM entry_terms;
DROP TABLE entry_terms;
ALTER TABLE terms RENAME TO entry_terms;
