-- When a player last asked the server to remind those whom the game waits for.
CREATE TABLE nudges (
	game INTEGER PRIMARY KEY REFERENCES games (id),
	-- The turn, and the seat of who asked.
	serial INTEGER NOT NULL CHECK (serial > 0),
	seat INTEGER NOT NULL,
	at_utc INTEGER NOT NULL
) STRICT;
