-- Mail that came back: how far addresses are still believed in.

-- One row per address from which mail has come back since its player last wrote.
CREATE TABLE bounced_addresses (
	-- In clear and compared without case, as in players: outbox.rcpt is looked up here.
	address TEXT COLLATE NOCASE PRIMARY KEY,
	-- Whose it is.
	player INTEGER NOT NULL REFERENCES players (id),
	-- 2 for each mail that can never be delivered, 1 for each that may not have been.
	score INTEGER NOT NULL CHECK (score > 0),
	-- When one came back last.
	last_utc INTEGER NOT NULL,
	-- Since when no mail goes there; 0 while it still does.
	paused_utc INTEGER NOT NULL,
	-- What the other side said last, without the text of any mail.
	said TEXT NOT NULL,
	-- Another address of the player, used in place of this one; NULL if none.
	instead TEXT COLLATE NOCASE
) STRICT, WITHOUT ROWID;

-- The addresses of one player.
CREATE INDEX bounced_addresses_of ON bounced_addresses (player);

-- One row per mail of ours that came back. However often it does, it counts once, for the most
-- it was worth.
CREATE TABLE bounced_mails (
	-- The mail.
	outbox INTEGER PRIMARY KEY REFERENCES outbox (id),
	-- The report that counted. No REFERENCES, as in orders.
	inbox INTEGER NOT NULL,
	-- What it counted.
	points INTEGER NOT NULL CHECK (points BETWEEN 1 AND 2)
) STRICT;

-- One row per seat of a running game whose player could not be reached; it stays.
CREATE TABLE unreachable_seats (
	-- The seat.
	game INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	-- When the other players were last told of it by mail.
	told_utc INTEGER NOT NULL,
	-- The turn whose deadline was moved, once and never again; 0 while none was.
	moved_serial INTEGER NOT NULL,
	PRIMARY KEY (game, seat),
	FOREIGN KEY (game, seat) REFERENCES seats (game, seat)
) STRICT, WITHOUT ROWID;

-- With a player his addresses are forgotten.
CREATE TRIGGER players_forget_bounces AFTER UPDATE OF forgotten ON players
WHEN new.forgotten = 1
BEGIN
	DELETE FROM bounced_addresses WHERE player = new.id;
END;
