-- Mail refused for good when it was handed over: what is still to follow from it.

-- Of a mail to a player that was given up, what the refusal says of his address, until the run
-- after has counted it: 0 nothing, or counted; 1 it may be all right, only the attempts were
-- used up; 2 this mail will never be taken; 3 there is no such address.
ALTER TABLE outbox ADD COLUMN refused INTEGER NOT NULL DEFAULT 0
	CHECK (refused BETWEEN 0 AND 3);

-- What is to be counted. While one is, in_flight.kind is "refusals" and its object the number
-- here.
CREATE INDEX outbox_refused ON outbox (id) WHERE refused > 0;
