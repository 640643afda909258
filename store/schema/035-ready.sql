-- Games that begin only when everybody has said that they are there.

ALTER TABLE entry_terms ADD COLUMN ready INTEGER NOT NULL DEFAULT 0 CHECK (ready IN (0, 1));
-- All seats are taken, and until then who has one may say so; 0: nobody is being asked.
ALTER TABLE games ADD COLUMN ready_until_utc INTEGER NOT NULL DEFAULT 0;
CREATE INDEX games_ready ON games (ready_until_utc, id) WHERE ready_until_utc > 0 AND status = 0;
-- 1: they have.
ALTER TABLE seats ADD COLUMN ready INTEGER NOT NULL DEFAULT 0 CHECK (ready IN (0, 1));
