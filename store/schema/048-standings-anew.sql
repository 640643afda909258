-- Who concedes shares the last rank with those who have left: how games ended for each person is counted anew from
-- their records by the next run.

DELETE FROM standings;
DELETE FROM ratings;
UPDATE games SET counted = 0 WHERE counted <> 0;
