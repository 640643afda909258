-- Delivery that an operator can follow: when each mail was tried and what was answered, and
-- what he has decided about one that was given up.

-- When it was tried last, 0 if never.
ALTER TABLE outbox ADD COLUMN tried_utc INTEGER NOT NULL DEFAULT 0;

-- What the operator has decided about a mail that did not get through: 0 nothing, 1 to put it
-- aside, 2 to have it tried again.
ALTER TABLE outbox ADD COLUMN decided INTEGER NOT NULL DEFAULT 0
	CHECK (decided BETWEEN 0 AND 2);

-- What was given up and nobody has decided about yet.
CREATE INDEX outbox_given_up ON outbox (id) WHERE state = 5 AND decided <> 1;

-- One row per attempt that did not end as it should.
CREATE TABLE outbox_failures (
	-- Counts from 1.
	id INTEGER PRIMARY KEY,
	-- The outbox row.
	mail INTEGER NOT NULL REFERENCES outbox (id),
	-- When it was tried.
	at_utc INTEGER NOT NULL,
	-- Where the attempt left the mail, as outbox.state: 2 retry, 3 maybe, 4 sent after a
	-- second answer that was lost, 5 dead.
	state INTEGER NOT NULL CHECK (state BETWEEN 2 AND 5),
	-- What the other side said.
	answer TEXT NOT NULL
) STRICT;

CREATE INDEX outbox_failures_by_mail ON outbox_failures (mail, id);
