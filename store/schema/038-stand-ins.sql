-- Under which name somebody plays a seat that they have taken over; the seat keeps its own. "": that one.

ALTER TABLE seats ADD COLUMN played_by TEXT NOT NULL DEFAULT '';
CREATE TRIGGER seats_played_by AFTER UPDATE OF player ON seats
WHEN new.player IS NULL AND new.played_by <> ''
BEGIN
	UPDATE seats SET played_by = '' WHERE game = new.game AND seat = new.seat;
END;
