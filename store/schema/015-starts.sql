-- When a game begins at the earliest, as its master has set it; 0: as soon as its seats are taken.
ALTER TABLE games ADD COLUMN start_utc INTEGER NOT NULL DEFAULT 0;
-- Where a run looks for games whose time has come.
CREATE INDEX games_to_start ON games (start_utc, id) WHERE start_utc > 0 AND status = 0;
