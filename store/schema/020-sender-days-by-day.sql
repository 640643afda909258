-- The mails of a day are counted in one place: ordered by day, the rows of past days are found
-- without an index of their own, whose upkeep cost each new sender as much as his row.
ALTER TABLE sender_days RENAME TO sender_days_by_who;

CREATE TABLE sender_days (
	-- Days since 1970-01-01, UTC, by the mail's arrival.
	day INTEGER NOT NULL,
	-- First 16 bytes of a keyed digest of the address, in any case of letters, and of whether the
	-- mail proved more than that (a reply address, an answer to a mail of ours): what others
	-- forge does not use up what a player may send.
	who BLOB NOT NULL CHECK (length(who) = 16),
	mails INTEGER NOT NULL CHECK (mails > 0),
	-- 1 once the sender has been told that there were too many.
	told INTEGER NOT NULL DEFAULT 0 CHECK (told IN (0, 1)),
	PRIMARY KEY (day, who)
) STRICT, WITHOUT ROWID;

INSERT INTO sender_days (day, who, mails, told)
SELECT day, who, mails, told FROM sender_days_by_who;

DROP TABLE sender_days_by_who;
