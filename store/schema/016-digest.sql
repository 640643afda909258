-- Mail that waits for other mail: for the report of its turn, or for a digest. What players call a
-- digest is a bundle here; a digest is a hash everywhere else.

-- How a player gets what may wait: enum mail_mode: 0 each mail at once, 1 with the report of the
-- turn, 2 in one digest a day; and when that comes, minutes of the day by the clocks of his zone.
ALTER TABLE players ADD COLUMN mail_mode INTEGER NOT NULL DEFAULT 0
	CHECK (mail_mode BETWEEN 0 AND 2);
ALTER TABLE players ADD COLUMN bundle_min INTEGER NOT NULL DEFAULT 480
	CHECK (bundle_min BETWEEN 0 AND 1439);

-- One row per mail that does not go out by itself. It has its row in the outbox (state 0,
-- next_try_utc NULL), its number and its bytes like any other, so that RESEND and HISTORY have it; its
-- text, made to stand inside another mail, is here until that mail is written.
CREATE TABLE kept_mails (
	-- The mail.
	outbox INTEGER PRIMARY KEY REFERENCES outbox (id),
	-- To whom, and about which game.
	player INTEGER NOT NULL REFERENCES players (id),
	game INTEGER NOT NULL REFERENCES games (id),
	-- When a digest is to bring it if nothing else has before; NULL once it was brought.
	due_utc INTEGER,
	-- The mail that has brought it, NULL while it waits.
	brought_by INTEGER REFERENCES outbox (id),
	-- Its text while it waits.
	sealed_text BLOB,
	CHECK ((due_utc IS NULL) = (brought_by IS NOT NULL)),
	CHECK ((due_utc IS NULL) = (sealed_text IS NULL))
) STRICT;

-- Where a run looks for digests to write, and what waits for one player.
CREATE INDEX kept_mails_due ON kept_mails (due_utc, player) WHERE due_utc IS NOT NULL;
CREATE INDEX kept_mails_waiting ON kept_mails (player, game, outbox) WHERE due_utc IS NOT NULL;
-- What a mail has brought, for deletions and for `molepost fsck`.
CREATE INDEX kept_mails_brought ON kept_mails (brought_by) WHERE brought_by IS NOT NULL;

-- One row per digest.
CREATE TABLE bundles (
	-- The mail.
	outbox INTEGER PRIMARY KEY REFERENCES outbox (id),
	-- To whom; the how many-th of his, from 1. Stands in its reply address.
	player INTEGER NOT NULL REFERENCES players (id),
	number INTEGER NOT NULL CHECK (number > 0),
	-- players.token_generation then: an answer to a digest of an older one proves nothing.
	generation INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX bundles_of_player ON bundles (player, number);

-- Which turn of each of the player's running games was open when a digest was written: orders in an
-- answer to it are for that turn and for no later one.
CREATE TABLE bundle_turns (
	player INTEGER NOT NULL,
	number INTEGER NOT NULL,
	game INTEGER NOT NULL,
	serial INTEGER NOT NULL,
	PRIMARY KEY (player, number, game),
	FOREIGN KEY (player, number) REFERENCES bundles (player, number),
	FOREIGN KEY (game, serial) REFERENCES turns (game, serial)
) STRICT, WITHOUT ROWID;

-- Nothing waits for a player who is forgotten.
CREATE TRIGGER players_forget_kept AFTER UPDATE OF forgotten ON players
WHEN new.forgotten = 1
BEGIN
	DELETE FROM kept_mails WHERE player = new.id AND due_utc IS NOT NULL;
END;
