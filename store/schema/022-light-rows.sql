-- The two tables that every mail is written into, made lighter: what SQLite looked up or kept in
-- order for each of their rows was a tenth of the work of taking in an order.
--
-- No REFERENCES to sources, games and players: rows are never taken out of those, and what is
-- written here has just been read from them. `molepost fsck` looks instead, as it does for
-- orders.mail. The texts of the mails and all that is rare still refer to outbox and inbox.

CREATE TABLE light_inbox (
	-- Counts from 1.
	id INTEGER PRIMARY KEY,
	-- Where it was found (sources.id), and its name there.
	source INTEGER NOT NULL,
	transport_id TEXT NOT NULL,
	-- First 16 bytes of a keyed digest of its content, trace headers left out; NULL when
	-- the mail has no identity of its own.
	content BLOB CHECK (length(content) = 16),
	-- Its Message-ID, NULL if none.
	message_id TEXT,
	-- When it arrived, when it says that it was written (0: nothing sensible), and when the
	-- server dealt with it.
	arrived_utc INTEGER NOT NULL,
	sent_utc INTEGER NOT NULL DEFAULT 0,
	handled_utc INTEGER NOT NULL,
	-- Whose it is (players.id), NULL for a stranger; what it was about (games.id), NULL for no
	-- game.
	player INTEGER,
	game INTEGER,
	serial INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	-- What became of it, in one word.
	verdict TEXT NOT NULL,
	-- The same as a sentence; NULL if there is nothing to say.
	sealed_detail BLOB,
	-- When the mail itself may be deleted from its mailbox; 0 = never, or done.
	purge_utc INTEGER NOT NULL
) STRICT;

INSERT INTO light_inbox (id, source, transport_id, content, message_id, arrived_utc, sent_utc,
	handled_utc, player, game, serial, seat, verdict, sealed_detail, purge_utc)
SELECT id, source, transport_id, content, message_id, arrived_utc, sent_utc,
	handled_utc, player, game, serial, seat, verdict, sealed_detail, purge_utc
FROM inbox ORDER BY id;

DROP TABLE inbox;
ALTER TABLE light_inbox RENAME TO inbox;

-- As they were.
CREATE UNIQUE INDEX inbox_transport ON inbox (transport_id, source);
CREATE UNIQUE INDEX inbox_content ON inbox (content) WHERE content IS NOT NULL;
CREATE INDEX inbox_purge ON inbox (purge_utc) WHERE purge_utc > 0;

CREATE TABLE light_outbox (
	-- Counts from 1; each player's mails leave in this order.
	id INTEGER PRIMARY KEY,
	-- What kind of mail: "receipt", "report", ...
	kind TEXT NOT NULL,
	-- The game (games.id), NULL if none, and the turn and seat an answer to this mail is for.
	game INTEGER,
	serial INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	-- To whom (players.id); NULL for a stranger.
	player INTEGER,
	-- The n of "mail n of this game"; 0 when not counted.
	number INTEGER NOT NULL,
	-- The address it goes to; empty once the player is forgotten.
	rcpt TEXT NOT NULL,
	-- Fixed from the start, with angle brackets.
	message_id TEXT NOT NULL,
	-- When it was decided on.
	created_utc INTEGER NOT NULL,
	-- The mail it answers, NULL if none. No REFERENCES, as in orders.
	cause INTEGER,
	-- enum outbox_state: 0 new, 1 sending, 2 retry, 3 maybe, 4 sent, 5 dead.
	state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 5),
	-- How often it was tried, and when it was last, 0 if never.
	attempts INTEGER NOT NULL,
	tried_utc INTEGER NOT NULL DEFAULT 0,
	-- When it may be tried: 0 at once, NULL never again.
	next_try_utc INTEGER,
	-- What the other side said when it last failed.
	answer TEXT NOT NULL,
	-- As in steps 006 and 009.
	decided INTEGER NOT NULL DEFAULT 0 CHECK (decided BETWEEN 0 AND 2),
	refused INTEGER NOT NULL DEFAULT 0 CHECK (refused BETWEEN 0 AND 3)
) STRICT;

INSERT INTO light_outbox (id, kind, game, serial, seat, player, number, rcpt, message_id,
	created_utc, cause, state, attempts, tried_utc, next_try_utc, answer, decided, refused)
SELECT id, kind, game, serial, seat, player, number, rcpt, message_id,
	created_utc, cause, state, attempts, tried_utc, next_try_utc, answer, decided, refused
FROM outbox ORDER BY id;

DROP TABLE outbox;
ALTER TABLE light_outbox RENAME TO outbox;

-- A mail is written once. A Message-ID of ours begins with 26 letters and digits of a digest: of
-- these 16 stand here, 80 bits, which among a hundred million mails are twice the same with a
-- chance of one to two hundred million. The whole id made this the largest of all indexes, and
-- its keys come in no order.
CREATE UNIQUE INDEX outbox_message_id ON outbox (substr(message_id, 2, 16));

-- As they were. None by cause: only `molepost why` asks for the answers to one mail, and reads the
-- table, as it does for a mail's own Message-ID.
CREATE INDEX outbox_new ON outbox (id) WHERE next_try_utc = 0;
CREATE INDEX outbox_waiting ON outbox (next_try_utc) WHERE next_try_utc > 0;
CREATE INDEX outbox_behind ON outbox (player, id) WHERE next_try_utc > 0;
CREATE INDEX outbox_by_seat ON outbox (game, seat, id) WHERE game IS NOT NULL;
CREATE INDEX outbox_given_up ON outbox (id) WHERE state = 5 AND decided <> 1;
CREATE INDEX outbox_refused ON outbox (id) WHERE refused > 0;
