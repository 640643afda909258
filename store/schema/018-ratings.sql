-- Who sat where and when, what ended games came to for these people, and what follows from it; what a
-- game asks of those who join; games that follow another; who waits for a game.

-- Who sits at a seat from which turn on, kept by the triggers below. An archive names seats; this
-- says who they were, and nothing else here does, so it is no part of what can be made anew.
CREATE TABLE sittings (
	-- The seat.
	game INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	-- The first turn that is this person's.
	serial INTEGER NOT NULL CHECK (serial >= 0),
	-- NULL: nobody's, or a bot's in somebody's place.
	player INTEGER REFERENCES players (id),
	PRIMARY KEY (game, seat, serial),
	FOREIGN KEY (game, seat) REFERENCES seats (game, seat)
) STRICT, WITHOUT ROWID;

-- Games that have begun before.
INSERT INTO sittings (game, seat, serial, player)
	SELECT s.game, s.seat, 0, coalesce(s.former, s.player)
	FROM seats s JOIN games g ON g.id = s.game
	WHERE g.started_utc > 0 AND g.origin <> 1 AND coalesce(s.former, s.player) IS NOT NULL;
INSERT INTO sittings (game, seat, serial, player)
	SELECT s.game, s.seat, max(a.serial), s.player
	FROM seats s JOIN audit a ON a.game = s.game AND a.seat = s.seat
	WHERE s.former IS NOT NULL AND s.player IS NOT NULL AND s.player <> s.former
	AND a.is_public AND a.what LIKE '% has taken over the seat of %' AND a.serial > 0
	GROUP BY s.game, s.seat;
INSERT INTO sittings (game, seat, serial, player)
	SELECT s.game, s.seat, g.serial, NULL FROM seats s JOIN games g ON g.id = s.game
	WHERE s.vacated_utc > 0 AND g.serial > 0;

CREATE TRIGGER games_sit_down AFTER UPDATE OF status ON games
WHEN old.status = 0 AND new.status = 1
BEGIN
	INSERT INTO sittings (game, seat, serial, player)
	SELECT game, seat, 0, player FROM seats WHERE game = new.id AND player IS NOT NULL;
END;

-- From the open turn on, or, where its orders are fixed already, from the next.
CREATE TRIGGER seats_change_hands AFTER UPDATE OF player ON seats
WHEN old.player IS NOT new.player
	AND EXISTS (SELECT 1 FROM games WHERE id = new.game AND status IN (1, 2))
BEGIN
	INSERT INTO sittings (game, seat, serial, player)
	SELECT g.id, new.seat, g.serial + coalesce((SELECT state > 0 FROM turns t
		WHERE t.game = g.id AND t.serial = g.serial), 0), new.player
	FROM games g WHERE g.id = new.game
	ON CONFLICT (game, seat, serial) DO UPDATE SET player = excluded.player;
END;

-- 1: what it came to has been counted. Else minus the number of times that was begun: a game
-- over which the program dies must not stop it for ever.
ALTER TABLE games ADD COLUMN tallied INTEGER NOT NULL DEFAULT 0 CHECK (tallied <= 1);

-- Ended games that are still to be counted, in the order in which they count.
CREATE INDEX games_untallied ON games (ended_utc, id) WHERE status > 2 AND tallied <= 0;
-- The last one that was.
CREATE INDEX games_tallied ON games (ended_utc, id) WHERE tallied = 1;

-- What an ended game came to, one row per person and seat. Follows from the record of the game and
-- its sittings alone: `molepost ratings rebuild` makes it anew.
CREATE TABLE tallies (
	game INTEGER NOT NULL REFERENCES games (id),
	-- Counts from 1, by seat, then by who sat there first.
	place INTEGER NOT NULL,
	player INTEGER NOT NULL REFERENCES players (id),
	-- 1 = best; 0: the game is not rated, or not for this person.
	rank INTEGER NOT NULL CHECK (rank >= 0),
	-- One letter per turn that counts, in order: + in time, ~ in the grace, - missed.
	marks TEXT NOT NULL,
	PRIMARY KEY (game, place)
) STRICT, WITHOUT ROWID;

-- What follows from all tallies in the order of the ends of the games, their numbers deciding
-- between those that ended together. One row per player and kind of game, and one with an
-- empty kind: all games.
CREATE TABLE ratings (
	player INTEGER NOT NULL REFERENCES players (id),
	kind TEXT NOT NULL,
	-- In thousandths of a point.
	rating INTEGER NOT NULL,
	-- Rated games, and how many of them he won, alone or with others.
	games INTEGER NOT NULL CHECK (games >= 0),
	wins INTEGER NOT NULL CHECK (wins >= 0),
	-- 1 while there are too few games to go by.
	provisional INTEGER NOT NULL CHECK (provisional IN (0, 1)),
	-- With the empty kind alone: the share of turns in time, in millionths, what is older
	-- counting less; and turns in all, missed, in the grace.
	share INTEGER NOT NULL CHECK (share BETWEEN 0 AND 1000000),
	turns INTEGER NOT NULL,
	missed INTEGER NOT NULL,
	late INTEGER NOT NULL,
	PRIMARY KEY (player, kind)
) STRICT, WITHOUT ROWID;

-- The best of a kind.
CREATE INDEX ratings_best ON ratings (kind, provisional, rating DESC, player) WHERE games > 0;

-- People by the name they go by.
CREATE INDEX players_by_name ON players (name COLLATE NOCASE) WHERE forgotten = 0 AND name <> '';

-- One row per game that takes not everybody.
CREATE TABLE entry_terms (
	game INTEGER PRIMARY KEY REFERENCES games (id),
	-- The least share of turns in time, in percent.
	reliability INTEGER NOT NULL CHECK (reliability BETWEEN 1 AND 100)
) STRICT;

-- One row per game that was made to play another one again.
CREATE TABLE rematches (
	game INTEGER PRIMARY KEY REFERENCES games (id),
	of INTEGER NOT NULL REFERENCES games (id),
	-- Until when seats are kept for those who played that one.
	kept_utc INTEGER NOT NULL
) STRICT;
CREATE INDEX rematches_of ON rematches (of, game);

-- Who was asked into a game that is played again, and what he has said.
CREATE TABLE invitations (
	game INTEGER NOT NULL REFERENCES rematches (game),
	player INTEGER NOT NULL REFERENCES players (id),
	-- 1 once he has said no.
	declined INTEGER NOT NULL CHECK (declined IN (0, 1)),
	PRIMARY KEY (game, player)
) STRICT, WITHOUT ROWID;

-- Who waits for somebody to open a game of a kind.
CREATE TABLE waiting (
	kind TEXT NOT NULL,
	player INTEGER NOT NULL REFERENCES players (id),
	-- First come, first served; n tells apart what came in the same second.
	since_utc INTEGER NOT NULL,
	n INTEGER NOT NULL,
	-- When he is no longer taken to be interested.
	until_utc INTEGER NOT NULL,
	-- The name he wants to have at the table, empty if he has not said.
	name TEXT NOT NULL,
	PRIMARY KEY (kind, player)
) STRICT, WITHOUT ROWID;
CREATE INDEX waiting_in_order ON waiting (kind, since_utc, n);

-- Nobody who is forgotten waits for anything.
CREATE TRIGGER players_forget_waiting AFTER UPDATE OF forgotten ON players
WHEN new.forgotten = 1
BEGIN
	DELETE FROM waiting WHERE player = new.id;
	UPDATE invitations SET declined = 1 WHERE player = new.id;
END;
