-- Draws that depend on nothing but what players fixed: version 2 of the record.

-- Version of the record (molepost-archive(5)) and of the bots; both fixed when the game is made.
ALTER TABLE games ADD COLUMN record INTEGER NOT NULL DEFAULT 1 CHECK (record > 0);
ALTER TABLE games ADD COLUMN bots INTEGER NOT NULL DEFAULT 1 CHECK (bots > 0);
-- What the mail that took the seat contributes to the draws; NULL: nothing (bots, records of
-- version 1). Sealed like the orders that may stand in the same mail. In orders (bit 8 of how) and
-- provisions it stands behind the text, in 32 bytes.
ALTER TABLE seats ADD COLUMN sealed_contribution BLOB;
-- results.sealed_digest holds the digest of what the draws followed from behind that of the result.
ALTER TABLE provisions ADD COLUMN contributed INTEGER NOT NULL DEFAULT 0 CHECK (contributed IN (0, 1));
