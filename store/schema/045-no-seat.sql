-- What was sent to a person, or to a stranger, and to no seat of a game, the newest first: a mail that does not
-- say which it answers may quote it.
CREATE INDEX outbox_no_seat ON outbox (player, id) WHERE seat = 0 AND player IS NOT NULL;
CREATE INDEX outbox_of_strangers ON outbox (rcpt, id) WHERE seat = 0 AND player IS NULL;
