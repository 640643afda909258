-- How a player wants mails to look.

-- Columns of prose, boards and tables; 0: the usual 72.
ALTER TABLE players ADD COLUMN cols INTEGER NOT NULL DEFAULT 0 CHECK (cols = 0 OR cols BETWEEN 30 AND 72);
-- A board in words above the drawn one.
ALTER TABLE players ADD COLUMN words_first INTEGER NOT NULL DEFAULT 0 CHECK (words_first IN (0, 1));
-- An HTML form beside the text: 0 as the server has it, 1 no, 2 yes.
ALTER TABLE players ADD COLUMN html INTEGER NOT NULL DEFAULT 0 CHECK (html BETWEEN 0 AND 2);
-- No reminder is sent.
ALTER TABLE players ADD COLUMN no_reminders INTEGER NOT NULL DEFAULT 0 CHECK (no_reminders IN (0, 1));
