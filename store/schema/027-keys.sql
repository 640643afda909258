-- The server's key can be changed: games go on with the one they began with.

-- One row per key of the key file, so that a file that lacks one is noticed before a seal does not open.
CREATE TABLE keys (
	-- Its number in the file, from 1.
	number INTEGER PRIMARY KEY,
	-- Ed25519; archives and receipts of its games are signed with it.
	public_key BLOB NOT NULL CHECK (length(public_key) = 32),
	-- Since when games are made with it; of the first, when it was first noted here.
	since_utc INTEGER NOT NULL
) STRICT;

-- The key its receipts, heads and archive are signed with.
ALTER TABLE games ADD COLUMN key INTEGER NOT NULL DEFAULT 1;
-- Which old keys still have games to play.
CREATE INDEX games_by_key ON games (key) WHERE status < 3;
