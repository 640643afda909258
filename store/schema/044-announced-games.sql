-- Whether the program that hears of games which have ended (after_game in molepost.conf) has heard of this one; of
-- those that ended before there was one it hears nothing.

ALTER TABLE games ADD COLUMN announced INTEGER NOT NULL DEFAULT 0 CHECK (announced IN (0, 1));
UPDATE games SET announced = 1 WHERE status > 2;
CREATE INDEX games_unannounced ON games (ended_utc, id) WHERE status > 2 AND announced = 0;
