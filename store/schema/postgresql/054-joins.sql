-- Of each person the first JOIN of a game counts for its set-up, however often they leave and come back: version 3 of the
-- record.

-- Every JOIN of a game that has not begun; they go when it does.
CREATE TABLE joins (
	game bigint NOT NULL REFERENCES games (id),
	-- No two of a game are of one second.
	joined_utc bigint NOT NULL,
	player bigint NOT NULL REFERENCES players (id),
	seat bigint NOT NULL,
	-- 1: the first of this person.
	number bigint NOT NULL CHECK (number > 0),
	name text NOT NULL,
	salt text NOT NULL,
	-- What its mail contributes; NULL: nothing (the waiting list).
	sealed_contribution bytea,
	PRIMARY KEY (game, joined_utc)
);
CREATE INDEX joins_by_player ON joins (player);
-- How many of them were those of who sits there; salt and sealed_contribution are of the first. 0: of a bot, or in a game
-- whose record says nothing of it.
ALTER TABLE seats ADD COLUMN joins bigint NOT NULL DEFAULT 0;
-- When the first of several was: joined_utc is of the last, from which a seat waits to be confirmed. 0: there was one.
ALTER TABLE seats ADD COLUMN first_joined_utc bigint NOT NULL DEFAULT 0;
