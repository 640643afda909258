-- What was written in mails of which nothing was understood, clause by clause, so that the operator can read it
-- (molepost log --not-understood) and send it to the authors: without addresses, reply codes and names of players.

CREATE TABLE unread_clauses (
	id bigint PRIMARY KEY,
	at_utc bigint NOT NULL,
	-- Kind of game; '': the mail was about none.
	kind text NOT NULL,
	-- Who wrote it, so that it goes with them; never shown.
	player bigint NOT NULL REFERENCES players (id),
	sealed_text bytea NOT NULL
);
CREATE INDEX unread_clauses_by_player ON unread_clauses (player);
