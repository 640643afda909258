-- Time in which nobody could play because of the server, measured by the runs themselves.

-- At most one row: when this server was last well. Made by the first run.
CREATE TABLE pulse (
	-- Always 1.
	id INTEGER PRIMARY KEY CHECK (id = 1),
	-- The last run that is noted here; not every one is, only one in some minutes.
	run_utc INTEGER NOT NULL,
	-- How far apart the notes of runs usually are, in seconds; 0 until that is known.
	usual_s INTEGER NOT NULL DEFAULT 0 CHECK (usual_s >= 0),
	-- The last such distance, and how many have been about alike without a break.
	lately_s INTEGER NOT NULL DEFAULT 0 CHECK (lately_s >= 0),
	alike INTEGER NOT NULL DEFAULT 0 CHECK (alike >= 0),
	-- Since when the mail cannot be read through, and since when none can be sent; 0: it can.
	unread_utc INTEGER NOT NULL DEFAULT 0,
	unsent_utc INTEGER NOT NULL DEFAULT 0
) STRICT;

-- One row per time in which the server was of no use to its players and that the clocks of games
-- are given back. Rows are only added.
CREATE TABLE outages (
	-- Counts from 1.
	id INTEGER PRIMARY KEY,
	-- 0 no run took place, 1 the mail could not be read, 2 no mail could be sent.
	cause INTEGER NOT NULL CHECK (cause BETWEEN 0 AND 2),
	-- From the last moment at which all was well to the first one at which it was again.
	from_utc INTEGER NOT NULL,
	to_utc INTEGER NOT NULL,
	-- 1 once every clock has been seen to.
	is_credited INTEGER NOT NULL DEFAULT 0 CHECK (is_credited IN (0, 1))
) STRICT;

-- Those that a run has yet to see to, or that one which died has left.
CREATE INDEX outages_open ON outages (is_credited) WHERE is_credited = 0;

-- Up to when time that was lost has been given back to this clock, so that none is given back
-- twice; 0: never.
ALTER TABLE turns ADD COLUMN credited_utc INTEGER NOT NULL DEFAULT 0;
