-- Several machines that play the turns of a run, where the store is one that they can share.

-- Up to when its mail has been read. 0: nobody may join.
ALTER TABLE pulse ADD COLUMN turns_open_utc INTEGER NOT NULL DEFAULT 0;

-- What each of them has in hand: 1 is the run, above it are those that help it.
CREATE TABLE in_flight_now (
	id INTEGER PRIMARY KEY,
	-- "mails" or "turns".
	kind TEXT NOT NULL,
	-- The single object in hand, empty for a whole batch.
	object TEXT NOT NULL,
	-- How many runs have died with it.
	tries INTEGER NOT NULL,
	-- Since when.
	since_utc INTEGER NOT NULL
) STRICT;
INSERT INTO in_flight_now SELECT id, kind, object, tries, since_utc FROM in_flight;
DROP TABLE in_flight;
ALTER TABLE in_flight_now RENAME TO in_flight;
