-- Several machines that play the turns of a run.

-- Up to when its mail has been read. 0: nobody may join.
ALTER TABLE pulse ADD COLUMN turns_open_utc bigint NOT NULL DEFAULT 0;
-- What each of them has in hand: 1 is the run, above it are those that help it.
ALTER TABLE in_flight DROP CONSTRAINT in_flight_id_check;
