-- What players write to each other, and people who watch a game without a seat.

-- One row per game made since then: what may be said in it. A game without a row is as if it had
-- zeros.
CREATE TABLE press_rules (
	-- The game.
	game INTEGER PRIMARY KEY REFERENCES games (id),
	-- enum press_mode: 0 white (the writer is always named), 1 grey (the writer chooses),
	-- 2 none.
	mode INTEGER NOT NULL CHECK (mode BETWEEN 0 AND 2),
	-- 1 when messages wait for the next turn report.
	waits INTEGER NOT NULL CHECK (waits IN (0, 1)),
	-- enum press_observers: when observers get what is written to all: 0 with the players,
	-- 1 with the next report, 2 there are no observers.
	observers INTEGER NOT NULL CHECK (observers BETWEEN 0 AND 2)
) STRICT;

-- One row per message or diary entry taken in. Its text stays here only as long as somebody is
-- still to get it; the mails it went out with are in the outbox.
CREATE TABLE press (
	-- Counts from 1.
	id INTEGER PRIMARY KEY,
	-- The game, and the newest turn when it was written.
	game INTEGER NOT NULL REFERENCES games (id),
	serial INTEGER NOT NULL,
	-- Who wrote it.
	seat INTEGER NOT NULL,
	-- enum press_kind: 0 to some, 1 to all, 2 a diary entry.
	kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 2),
	-- Seats that are still to get it: bit seat-1. Of a diary entry none: it is for all at the
	-- end of the game.
	seats INTEGER NOT NULL,
	-- 1 when its readers are not told who wrote it.
	unnamed INTEGER NOT NULL CHECK (unnamed IN (0, 1)),
	-- Arrival of the mail, and the mail. No REFERENCES, as in orders.
	written_utc INTEGER NOT NULL,
	mail INTEGER NOT NULL,
	-- Length of the text.
	nbytes INTEGER NOT NULL CHECK (nbytes > 0),
	-- When the last of its readers got it, or it was dropped since its writer left before the
	-- start or was forgotten; 0 while it waits for a report.
	delivered_utc INTEGER NOT NULL,
	-- The text while it waits.
	sealed_text BLOB,
	CHECK ((delivered_utc = 0) = (sealed_text IS NOT NULL)),
	CHECK (kind < 2 OR (seats = 0 AND unnamed = 0)),
	FOREIGN KEY (game, seat) REFERENCES seats (game, seat)
) STRICT;

-- What the next report, or the last, of a game has to bring.
CREATE INDEX press_waiting ON press (game, id) WHERE delivered_utc = 0;
-- How much a seat has written lately.
CREATE INDEX press_by_seat ON press (game, seat, written_utc);

-- One row per person who watches a game; it stays when the game has ended.
CREATE TABLE observers (
	-- The game and the person.
	game INTEGER NOT NULL REFERENCES games (id),
	player INTEGER NOT NULL REFERENCES players (id),
	-- 1 for reports and what is written to all (OBSERVE), 0 for reports alone (MONITOR).
	press INTEGER NOT NULL CHECK (press IN (0, 1)),
	-- Since when.
	since_utc INTEGER NOT NULL,
	PRIMARY KEY (game, player)
) STRICT, WITHOUT ROWID;

-- The games somebody watches.
CREATE INDEX observers_by_player ON observers (player, game);

-- With a player it is forgotten what he watched, and what he has written that nobody has read yet.
CREATE TRIGGER players_forget_press AFTER UPDATE OF forgotten ON players
WHEN new.forgotten = 1
BEGIN
	DELETE FROM observers WHERE player = new.id;
	UPDATE press SET delivered_utc = written_utc, sealed_text = NULL, seats = 0
	WHERE delivered_utc = 0
	AND (game, seat) IN (SELECT game, seat FROM seats WHERE player = new.id);
END;
