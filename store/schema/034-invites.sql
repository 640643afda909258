-- Whom players have asked into a game by their mail address, and who wants no such mail.

-- One row per game and address. The address itself is in the mail that went there (outbox.rcpt).
CREATE TABLE invites (
	game INTEGER NOT NULL REFERENCES games (id),
	-- Keyed digest of the address.
	who BLOB NOT NULL CHECK (length(who) = 16),
	-- Who has asked, and the mail.
	player INTEGER NOT NULL REFERENCES players (id),
	outbox INTEGER NOT NULL REFERENCES outbox (id),
	asked_utc INTEGER NOT NULL,
	-- 0: none yet, 1: yes, 2: no, 3: the mail came back.
	answer INTEGER NOT NULL DEFAULT 0 CHECK (answer BETWEEN 0 AND 3),
	PRIMARY KEY (game, who)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX invites_by_mail ON invites (outbox);

-- Addresses to which no invitation goes; digests as above.
CREATE TABLE no_invites (
	who BLOB PRIMARY KEY CHECK (length(who) = 16),
	since_utc INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
