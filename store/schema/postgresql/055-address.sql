-- The server's address as molepost.conf had it when mail last left, the one before, and since when it is so:
-- replies to mail of that time go to the one before. turns_open_utc is not used any more.

ALTER TABLE pulse ADD COLUMN address text NOT NULL DEFAULT '';
ALTER TABLE pulse ADD COLUMN address_before text NOT NULL DEFAULT '';
ALTER TABLE pulse ADD COLUMN address_since_utc bigint NOT NULL DEFAULT 0;
