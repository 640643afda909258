-- What is left of a mail whose text has been kept long enough (keep_texts): its row in the outbox, and
-- this.
CREATE TABLE outbox_proofs (
	-- The outbox row. It has neither a text nor an outline any more.
	id INTEGER PRIMARY KEY REFERENCES outbox (id),
	-- SHA-256 of the mail as it was written, and of its text the receipts and heads that the server
	-- has signed.
	sealed_proofs BLOB NOT NULL
) STRICT;

-- One row: when rows that only tell what happened were last looked through for old ones.
CREATE TABLE retention (
	-- Always 1.
	id INTEGER PRIMARY KEY CHECK (id = 1),
	-- 0: never yet.
	rows_utc INTEGER NOT NULL
) STRICT;
INSERT INTO retention (id, rows_utc) VALUES (1, 0);
