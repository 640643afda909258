-- What is remembered of mailboxes on other machines.

-- At most one row per mailbox: how far it has been read, which of its mails could not be had,
-- where handled ones lie. Written in the transaction that holds the effect of the mails.
CREATE TABLE mailbox_states (
	-- The mailbox.
	source INTEGER PRIMARY KEY REFERENCES sources (id),
	-- A text that only the driver of such mailboxes understands; names of mails and numbers,
	-- nothing of what they say.
	state TEXT NOT NULL,
	-- When it was written.
	at_utc INTEGER NOT NULL
) STRICT;
