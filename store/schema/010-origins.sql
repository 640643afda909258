-- Games that did not begin here from nothing.

-- enum game_origin: 0 begun on this server, 1 taken over from an archive (a row in imports), 2
-- continued from a position of another game (a row in forks).
ALTER TABLE games ADD COLUMN origin INTEGER NOT NULL DEFAULT 0 CHECK (origin BETWEEN 0 AND 2);

-- One row per game taken over from an archive. Its turns, orders and results stand in the other
-- tables as those of any game do; hashes over them name the game as the archive does.
CREATE TABLE imports (
	game INTEGER PRIMARY KEY REFERENCES games (id),
	-- What the archive calls the game ("W17"), the server it was played on, and that server's
	-- public key.
	record_id TEXT NOT NULL,
	instance TEXT NOT NULL,
	key BLOB NOT NULL CHECK (length(key) = 32),
	-- When it was taken over.
	imported_utc INTEGER NOT NULL,
	-- The archive, from its begin line to its end line: nobody but that server can sign it.
	sealed_archive BLOB NOT NULL
) STRICT;

-- One row per game that goes on from a position of another one.
CREATE TABLE forks (
	game INTEGER PRIMARY KEY REFERENCES games (id),
	-- The other game, on this server.
	source_game INTEGER NOT NULL REFERENCES games (id),
	-- What its archive calls it, whose turn gave the position, and what players call that turn.
	source TEXT NOT NULL,
	serial INTEGER NOT NULL CHECK (serial >= 0),
	label TEXT NOT NULL,
	-- The server it was played on, and that server's public key.
	instance TEXT NOT NULL,
	key BLOB NOT NULL CHECK (length(key) = 32),
	-- State digest of that turn, and what it covers besides the position: state digest of
	-- the parent turn (NULL for serial 0) and orders digest.
	state_digest BLOB NOT NULL CHECK (length(state_digest) = 32),
	parent_digest BLOB CHECK (length(parent_digest) = 32),
	orders_digest BLOB NOT NULL CHECK (length(orders_digest) = 32),
	-- The position as text. Public, but kept like any position.
	sealed_position BLOB NOT NULL
) STRICT;
