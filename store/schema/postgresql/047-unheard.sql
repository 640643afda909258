-- How many answers in a row have said to this player that their mail was not understood; 0 since one was.

ALTER TABLE players ADD COLUMN unheard bigint NOT NULL DEFAULT 0;
