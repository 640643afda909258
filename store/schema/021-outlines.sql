-- Mails that are decided on, but not in words yet. All that such a mail says is in its outline;
-- it is written, for good, when it is tried to be sent for the first time. So that orders that
-- have come are safe sooner than all the receipts for them are composed and signed.

CREATE TABLE outbox_outlines (
	-- The outbox row. It has no text in outbox_messages as long as this is here.
	id INTEGER PRIMARY KEY REFERENCES outbox (id),
	-- What the mail is made of, in the form that processor/post.c writes and reads.
	sealed_outline BLOB NOT NULL
) STRICT;
