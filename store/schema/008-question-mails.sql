-- Which question each mail has asked: one mail may lead to several questions of one kind, and a yes
-- counts for the one it answers alone.

-- One row per mail that asks an open question, its repetitions too; gone with the question, so
-- that an answer to a mail without a row answers nothing that is open.
CREATE TABLE question_mails (
	-- The mail.
	outbox INTEGER PRIMARY KEY REFERENCES outbox (id),
	-- What it asks.
	question INTEGER NOT NULL REFERENCES questions (id) ON DELETE CASCADE
) STRICT;

-- For the deletion of a question.
CREATE INDEX question_mails_of ON question_mails (question);

-- Addresses that were taken away from a player while they stood in for another got his mail on.
UPDATE outbox SET rcpt = (SELECT p.address FROM players p WHERE p.id = outbox.player)
WHERE next_try_utc IS NOT NULL AND EXISTS
	(SELECT 1 FROM bounced_addresses b WHERE b.player = outbox.player
	AND b.instead = outbox.rcpt AND NOT EXISTS
	(SELECT 1 FROM player_addresses a WHERE a.address = b.instead AND a.player = b.player)
	AND NOT EXISTS (SELECT 1 FROM players p WHERE p.address = b.instead AND p.id = b.player));
DELETE FROM bounced_addresses WHERE instead IS NOT NULL AND NOT EXISTS
	(SELECT 1 FROM player_addresses a WHERE a.address = instead
	AND a.player = bounced_addresses.player)
	AND NOT EXISTS (SELECT 1 FROM players p WHERE p.address = instead
	AND p.id = bounced_addresses.player);

-- Which addresses one stands in for.
CREATE INDEX bounced_addresses_behind ON bounced_addresses (instead) WHERE instead IS NOT NULL;
