-- While several machines play the turns of a run: up to when its mail has been read. 0: nobody may join.

ALTER TABLE pulse ADD COLUMN turns_open_utc INTEGER NOT NULL DEFAULT 0;
