-- What a master who plays does only with the other players.

-- 1: in this game a master who plays asks the others. Games that exist go on as they began.
ALTER TABLE games ADD COLUMN master_asks INTEGER NOT NULL DEFAULT 0 CHECK (master_asks IN (0, 1));
-- 1: the master has acted without them, so that the game is not rated for the others.
ALTER TABLE games ADD COLUMN unrated INTEGER NOT NULL DEFAULT 0 CHECK (unrated IN (0, 1));

-- What the master, or a player, asks the others for: the newest motion of each game. It ends with its turn.
CREATE TABLE motions (
	game INTEGER PRIMARY KEY REFERENCES games (id),
	serial INTEGER NOT NULL CHECK (serial > 0),
	-- The command, as it would be written.
	line TEXT NOT NULL,
	-- The seat that it names; 0: none.
	seat INTEGER NOT NULL,
	-- The seat of who asks for more time; 0: it is the master's.
	asker INTEGER NOT NULL,
	-- The moment it names; 0: none.
	at_utc INTEGER NOT NULL,
	asked_utc INTEGER NOT NULL,
	-- 0: agreed to, refused, or no longer possible.
	is_open INTEGER NOT NULL CHECK (is_open IN (0, 1))
) STRICT;
