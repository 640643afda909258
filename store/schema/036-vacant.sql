-- A turn does not wait for a seat that nobody has.

-- Of an open turn the seats that can be taken over and that the server does not play: bit seat-1.
ALTER TABLE turns ADD COLUMN vacant INTEGER NOT NULL DEFAULT 0;
UPDATE turns SET vacant = (SELECT sum(1 << (seat - 1)) FROM seats s
	WHERE s.game = turns.game AND s.vacated_utc > 0 AND s.bot_level < 0)
WHERE state = 0 AND game IN (SELECT game FROM seats WHERE vacated_utc > 0 AND bot_level < 0);
CREATE TRIGGER seats_vacant AFTER UPDATE OF vacated_utc, bot_level ON seats
WHEN (old.vacated_utc > 0 AND old.bot_level < 0) <> (new.vacated_utc > 0 AND new.bot_level < 0)
BEGIN
	UPDATE turns SET vacant = CASE WHEN new.vacated_utc > 0 AND new.bot_level < 0
		THEN vacant | (1 << (new.seat - 1)) ELSE vacant & ~(1 << (new.seat - 1)) END
	WHERE game = new.game AND state = 0;
END;

-- When the server has something to do for this turn: 0 at once, NULL never. As before, but where others have
-- sent orders they alone are waited for, and no grace is given to a vacant seat.
DROP INDEX turns_due;
ALTER TABLE turns DROP COLUMN due_utc;
ALTER TABLE turns ADD COLUMN due_utc INTEGER AS (CASE
	WHEN stopped OR state = 3 THEN NULL
	WHEN state > 0 THEN 0
	WHEN (owes & ~have & ~vacant) = 0 AND ((owes & ~have) = 0 OR (owes & ~vacant) <> 0)
	AND (owes & waiting & ~vacant) = 0 THEN
		CASE WHEN deadline_utc > 0 THEN min(settle_utc, deadline_utc) ELSE settle_utc END
	WHEN (owes & ~have & ~covered & ~vacant) = 0 AND deadline_utc > 0 THEN deadline_utc
	WHEN deadline_utc > 0 THEN max(deadline_utc, grace_utc)
END) VIRTUAL;
CREATE INDEX turns_due ON turns (state, due_utc, game, serial) WHERE due_utc IS NOT NULL;
