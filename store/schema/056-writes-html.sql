-- Whether the last mail of a person had an HTML form: then ours to them have one too, until they say SET MAIL.

ALTER TABLE players ADD COLUMN writes_html INTEGER NOT NULL DEFAULT 0 CHECK (writes_html IN (0, 1));
