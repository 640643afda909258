-- What was sent to a person, or to a stranger, the newest first: a mail that does not say which it answers may
-- quote it.
CREATE INDEX outbox_of_player ON outbox (player, id) WHERE player IS NOT NULL;
CREATE INDEX outbox_of_strangers ON outbox (rcpt, id) WHERE player IS NULL;
