-- What was written in mails of which nothing was understood, clause by clause, so that the operator can read it
-- (molepost log --not-understood) and send it to the authors: without addresses, reply codes and names of players.

CREATE TABLE unread_clauses (
	id INTEGER PRIMARY KEY,
	at_utc INTEGER NOT NULL,
	-- Kind of game; '': the mail was about none.
	kind TEXT NOT NULL,
	-- Who wrote it, so that it goes with them; never shown.
	player INTEGER NOT NULL REFERENCES players (id),
	sealed_text BLOB NOT NULL
) STRICT;
CREATE INDEX unread_clauses_by_player ON unread_clauses (player);
