-- What the operator has been told of, so that the next run does not tell it again. A row goes a day
-- after the trouble is over.

CREATE TABLE troubles (
	-- "unread", "unsent" or "clock" for what lasts and stops deadlines; else the line itself.
	name TEXT PRIMARY KEY,
	-- The line as it was last said.
	line TEXT NOT NULL,
	-- The first run that said it.
	since_utc INTEGER NOT NULL,
	-- When it was last said, or said to be over.
	told_utc INTEGER NOT NULL,
	-- 1 when what lasted is over.
	is_over INTEGER NOT NULL CHECK (is_over IN (0, 1)),
	-- When that went to the operator's address and the alarm program; 0 = not yet.
	sent_utc INTEGER NOT NULL
) STRICT;
