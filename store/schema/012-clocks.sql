-- The calendar of a game, grace after a deadline, time for second thoughts, reminders.

-- What CREATE said about deadlines as "name=value" words, all that differs from the usual; see
-- processor/deadline.h. The store does not look into it.
ALTER TABLE games ADD COLUMN calendar TEXT NOT NULL DEFAULT '';

-- Hours in which a player wants neither reminders nor, where a game allows it, deadlines: minutes
-- of the day by the clocks of his zone. Both the same: none.
ALTER TABLE players ADD COLUMN quiet_from INTEGER NOT NULL DEFAULT 0
	CHECK (quiet_from BETWEEN 0 AND 1439);
ALTER TABLE players ADD COLUMN quiet_to INTEGER NOT NULL DEFAULT 0
	CHECK (quiet_to BETWEEN 0 AND 1439);

-- Until when seats that are late may still send orders; 0: not at all.
ALTER TABLE turns ADD COLUMN grace_utc INTEGER NOT NULL DEFAULT 0;
-- Until when the turn stays open though all orders are in; 0: it does not. Moved on by every
-- mail with orders.
ALTER TABLE turns ADD COLUMN settle_utc INTEGER NOT NULL DEFAULT 0;
-- When to look next whether somebody is to be reminded; NULL: never again.
ALTER TABLE turns ADD COLUMN remind_utc INTEGER;

-- When the server has something to do for this turn: 0 at once, NULL never. As before, but for
-- the two new ends of a turn.
DROP INDEX turns_due;
ALTER TABLE turns DROP COLUMN due_utc;
ALTER TABLE turns ADD COLUMN due_utc INTEGER AS (CASE
	WHEN stopped OR state = 3 THEN NULL
	WHEN state > 0 THEN 0
	WHEN (owes & ~have) = 0 AND (owes & waiting) = 0 THEN
		CASE WHEN deadline_utc > 0 THEN min(settle_utc, deadline_utc) ELSE settle_utc END
	WHEN (owes & ~have) = 0 AND deadline_utc > 0 THEN deadline_utc
	WHEN deadline_utc > 0 THEN max(deadline_utc, grace_utc)
END) VIRTUAL;
CREATE INDEX turns_due ON turns (state, due_utc, game, serial) WHERE due_utc IS NOT NULL;

-- Where a run looks for reminders. Turns that are over and games that stand are not in it.
CREATE INDEX turns_remind ON turns (remind_utc, game, serial)
	WHERE remind_utc IS NOT NULL AND state = 0 AND stopped = 0;

-- One row per reminder that was sent, so that none is sent twice. A deadline that is moved is
-- reminded of anew.
CREATE TABLE reminders (
	-- The turn and the seat.
	game INTEGER NOT NULL,
	serial INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	-- Which deadline.
	deadline_utc INTEGER NOT NULL,
	-- How long before it the reminder was meant to come; 0: when the grace began.
	before_s INTEGER NOT NULL CHECK (before_s >= 0),
	-- When it was put into the outbox.
	sent_utc INTEGER NOT NULL,
	PRIMARY KEY (game, serial, seat, deadline_utc, before_s),
	FOREIGN KEY (game, serial) REFERENCES turns (game, serial),
	FOREIGN KEY (game, seat) REFERENCES seats (game, seat)
) STRICT, WITHOUT ROWID;
