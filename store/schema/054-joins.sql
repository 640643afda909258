-- Of each person the first JOIN of a game counts for its set-up, however often they leave and come back: version 3 of the
-- record.

-- Every JOIN of a game that has not begun; they go when it does.
CREATE TABLE joins (
	game INTEGER NOT NULL REFERENCES games (id),
	-- No two of a game are of one second.
	joined_utc INTEGER NOT NULL,
	player INTEGER NOT NULL REFERENCES players (id),
	seat INTEGER NOT NULL,
	-- 1: the first of this person.
	number INTEGER NOT NULL CHECK (number > 0),
	name TEXT NOT NULL,
	salt TEXT NOT NULL,
	-- What its mail contributes; NULL: nothing (the waiting list).
	sealed_contribution BLOB,
	PRIMARY KEY (game, joined_utc)
) STRICT;
CREATE INDEX joins_by_player ON joins (player);
-- How many of them were those of who sits there; salt and sealed_contribution are of the first. 0: of a bot, or in a game
-- whose record says nothing of it.
ALTER TABLE seats ADD COLUMN joins INTEGER NOT NULL DEFAULT 0;
-- When the first of several was: joined_utc is of the last, from which a seat waits to be confirmed. 0: there was one.
ALTER TABLE seats ADD COLUMN first_joined_utc INTEGER NOT NULL DEFAULT 0;
