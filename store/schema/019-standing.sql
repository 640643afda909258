-- What players lay down for turns in which nothing else comes from them.

-- One row per thing that is laid down; it goes when it has been used, taken back or overtaken.
CREATE TABLE provisions (
	-- The seat.
	game INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	-- enum provision_kind: 0 a draft (orders that were only checked), 1 orders for a later turn,
	-- 2 standing orders, 3 who acts in the place of the game's default.
	kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 3),
	-- Of a draft the serial of its turn; of orders for a later turn what players call that turn;
	-- else 0.
	number INTEGER NOT NULL,
	-- 1 when standing orders count as sent as soon as a turn opens.
	nowait INTEGER NOT NULL CHECK (nowait IN (0, 1)),
	-- Arrival of the mail, and the mail. No REFERENCES, as in orders.
	received_utc INTEGER NOT NULL,
	mail INTEGER NOT NULL,
	-- A draft is canonical; the others are as they were written, for they are read anew in each
	-- turn. Of the fourth kind it is one word.
	sealed_text BLOB NOT NULL,
	PRIMARY KEY (game, seat, kind, number),
	CHECK ((number > 0) = (kind < 2)),
	CHECK (nowait = 0 OR kind = 2),
	FOREIGN KEY (game, seat) REFERENCES seats (game, seat)
) STRICT, WITHOUT ROWID;

-- They are one person's for one game under way.
CREATE TRIGGER seats_drop_provisions AFTER UPDATE OF player, resigned ON seats
WHEN old.player IS NOT new.player OR new.resigned > old.resigned
BEGIN
	DELETE FROM provisions WHERE game = new.game AND seat = new.seat;
	UPDATE turns SET covered = covered & ~(1 << (new.seat - 1))
	WHERE game = new.game AND state = 0;
END;
CREATE TRIGGER games_drop_provisions AFTER UPDATE OF status ON games
WHEN new.status > 2 AND old.status <= 2
BEGIN
	DELETE FROM provisions WHERE game = new.id;
END;
CREATE TRIGGER players_drop_provisions AFTER UPDATE OF forgotten ON players
WHEN new.forgotten = 1
BEGIN
	UPDATE turns SET covered = covered & ~(SELECT sum(1 << (seat - 1)) FROM seats s
		WHERE s.game = turns.game AND s.player = new.id)
	WHERE state = 0 AND covered <> 0
	AND game IN (SELECT game FROM seats WHERE player = new.id);
	DELETE FROM provisions
	WHERE (game, seat) IN (SELECT game, seat FROM seats WHERE player = new.id);
END;
-- A draft is of one turn; the trigger on new turns is for those that are opened in the place of one.
CREATE TRIGGER turns_seal_drafts AFTER UPDATE OF state ON turns
WHEN old.state = 0 AND new.state > 0
BEGIN
	DELETE FROM provisions WHERE game = new.game AND kind = 0;
END;
CREATE TRIGGER turns_open_drafts AFTER INSERT ON turns
BEGIN
	DELETE FROM provisions WHERE game = new.game AND kind = 0;
END;

-- Seats for which a draft or standing orders step in at the deadline, if nothing else comes: bit
-- seat-1. No grace is waited for them.
ALTER TABLE turns ADD COLUMN covered INTEGER NOT NULL DEFAULT 0;

-- When the server has something to do for this turn: 0 at once, NULL never. As before, but for
-- the seats that are covered.
DROP INDEX turns_due;
ALTER TABLE turns DROP COLUMN due_utc;
ALTER TABLE turns ADD COLUMN due_utc INTEGER AS (CASE
	WHEN stopped OR state = 3 THEN NULL
	WHEN state > 0 THEN 0
	WHEN (owes & ~have) = 0 AND (owes & waiting) = 0 THEN
		CASE WHEN deadline_utc > 0 THEN min(settle_utc, deadline_utc) ELSE settle_utc END
	WHEN (owes & ~have & ~covered) = 0 AND deadline_utc > 0 THEN deadline_utc
	WHEN deadline_utc > 0 THEN max(deadline_utc, grace_utc)
END) VIRTUAL;
CREATE INDEX turns_due ON turns (state, due_utc, game, serial) WHERE due_utc IS NOT NULL;

-- One row per time somebody is away. What has been stays, so that days can be counted.
CREATE TABLE absences (
	-- Who.
	player INTEGER NOT NULL REFERENCES players (id),
	-- From the first moment of the first day to the first one behind the last, by the clocks of his
	-- zone when he said so.
	from_utc INTEGER NOT NULL,
	until_utc INTEGER NOT NULL CHECK (until_utc > from_utc),
	-- Arrival of the mail, and the mail. No REFERENCES, as in orders.
	asked_utc INTEGER NOT NULL,
	mail INTEGER NOT NULL,
	PRIMARY KEY (player, from_utc)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER players_forget_absences AFTER UPDATE OF forgotten ON players
WHEN new.forgotten = 1
BEGIN
	DELETE FROM absences WHERE player = new.id;
END;
