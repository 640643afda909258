-- How many mails came from one address on one day, so that one sender, or a program that has gone
-- wrong, cannot keep the server busy. Rows of past days are deleted.
CREATE TABLE sender_days (
	-- First 16 bytes of a keyed digest of the address, in any case of letters, and of whether the
	-- mail proved more than that (a reply address, an answer to a mail of ours): what others
	-- forge does not use up what a player may send.
	who BLOB NOT NULL CHECK (length(who) = 16),
	-- Days since 1970-01-01, UTC, by the mail's arrival.
	day INTEGER NOT NULL,
	mails INTEGER NOT NULL CHECK (mails > 0),
	-- 1 once the sender has been told that there were too many.
	told INTEGER NOT NULL DEFAULT 0 CHECK (told IN (0, 1)),
	PRIMARY KEY (who, day)
) STRICT, WITHOUT ROWID;

-- For the deletion of past days.
CREATE INDEX sender_days_old ON sender_days (day);
