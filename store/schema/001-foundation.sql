-- The database of one molepost server.
--
-- All tables are STRICT. Times end in _utc and are seconds since 1970-01-01 UTC; 0 means "not
-- yet" or "none". References to another row are NULL where there is none. Columns whose name
-- starts with sealed_ hold XChaCha20-Poly1305 under the key file beside the database
-- (store/engine/sealed.h says what is bound to each); everything else is in clear and must stay free
-- of orders and hidden facts. Only the store's C modules write here; `molepost fsck` knows the
-- rules between the rows.
--
-- This file is the first migration, from an empty database. A later change is a new file with the next number,
-- which is all that it takes (list.sh); what a released file does is never edited. While migrations are carried
-- out SQLite does not look after references: who replaces a table keeps its numbers. Later files have renamed
-- tables and columns that are described here (043-names.sql).
--
-- PostgreSQL is given the same text, or postgresql/ has a file of the same name where it must say it in another
-- way. There numbers are bigint: an INTEGER would have 32 bits.

-- One row: which server this is. A copy that wakes up on another machine must not run.
CREATE TABLE server (
	-- Always 1, so that there cannot be two rows.
	id INTEGER PRIMARY KEY CHECK (id = 1),
	-- The name of this server among others of its domain; part of Message-IDs and tokens.
	instance TEXT NOT NULL,
	-- The machine that may run on this file.
	host TEXT NOT NULL,
	-- When `molepost init` made it.
	created_utc INTEGER NOT NULL,
	-- What the server's key makes of the instance: another key file is noticed before it does
	-- harm. NULL until the keys are first seen.
	key_check BLOB CHECK (length(key_check) = 32)
) STRICT;

-- One row per person, known by the address mail is sent to.
CREATE TABLE players (
	-- Counts from 1 and is never given out twice.
	id INTEGER PRIMARY KEY,
	-- In clear, since mail must go there; compared without case; NULL once forgotten.
	address TEXT COLLATE NOCASE UNIQUE,
	-- The name the person goes by, empty until one is known.
	name TEXT NOT NULL,
	-- When the first mail from here was taken in.
	created_utc INTEGER NOT NULL,
	-- Counts TOKEN NEW; reply addresses of an older generation are dead.
	token_generation INTEGER NOT NULL DEFAULT 0,
	-- 1 once a reply has shown that the address is its writer's.
	confirmed INTEGER NOT NULL DEFAULT 0 CHECK (confirmed IN (0, 1)),
	-- 1 when the operator wants no more mail from this person.
	blocked INTEGER NOT NULL DEFAULT 0 CHECK (blocked IN (0, 1)),
	-- 1 when address and name have been erased on request.
	forgotten INTEGER NOT NULL DEFAULT 0 CHECK (forgotten IN (0, 1)),
	-- 1 when mails to this person are to be plain ASCII.
	ascii INTEGER NOT NULL DEFAULT 0 CHECK (ascii IN (0, 1)),
	-- 1 when this person wants the same Subject on every mail of a game.
	fixed_subject INTEGER NOT NULL DEFAULT 0 CHECK (fixed_subject IN (0, 1))
) STRICT;

-- One row per answer given to somebody who is no player, so that forged senders cannot make
-- this server flood a stranger. Rows are deleted when they no longer count.
CREATE TABLE strangers (
	-- First 16 bytes of a keyed digest of the kind of answer and the address.
	who BLOB NOT NULL CHECK (length(who) = 16),
	-- When the answer was given.
	at_utc INTEGER NOT NULL,
	-- Tells apart answers of the same second; counts from 1.
	n INTEGER NOT NULL,
	-- The kind of answer, each with its own limit.
	kind TEXT NOT NULL,
	PRIMARY KEY (who, at_utc, n)
) STRICT, WITHOUT ROWID;

-- For the deletion of rows that no longer count.
CREATE INDEX strangers_old ON strangers (kind, at_utc);

-- One row per game ever created; none is ever deleted, so that a number names one game for
-- good.
CREATE TABLE games (
	-- The number in "W17", counted over the whole server.
	id INTEGER PRIMARY KEY,
	-- The letter in "W17".
	letter TEXT NOT NULL CHECK (length(letter) = 1),
	-- Name of the rules.
	kind TEXT NOT NULL,
	-- Version of the rules, kept for the whole game.
	rules_version INTEGER NOT NULL,
	-- All options with their values, as one text.
	options TEXT NOT NULL,
	-- The name given at CREATE, empty if none.
	title TEXT NOT NULL,
	-- enum game_status: 0 gathering, 1 running, 2 paused, 3 over, 4 cancelled, 5 abandoned.
	status INTEGER NOT NULL CHECK (status BETWEEN 0 AND 5),
	-- How many seats the game is played with.
	nseats INTEGER NOT NULL CHECK (nseats > 0),
	-- Seconds from the opening of a turn to its deadline.
	next_s INTEGER NOT NULL CHECK (next_s >= 0),
	-- 1 when the game is not listed and JOIN needs the key.
	is_private INTEGER NOT NULL CHECK (is_private IN (0, 1)),
	-- Keyed digest of the key word of a private game, NULL if none.
	join_key BLOB CHECK (length(join_key) = 32),
	-- Who created it; NULL for the operator.
	creator INTEGER REFERENCES players (id),
	-- When it was created, when turn 0 was made, and when it ended.
	created_utc INTEGER NOT NULL,
	started_utc INTEGER NOT NULL,
	ended_utc INTEGER NOT NULL,
	-- SHA-256 of the secret, published before anybody joins.
	secret_digest BLOB NOT NULL CHECK (length(secret_digest) = 32),
	-- The 256-bit secret from which dice, nonces and blinds follow.
	sealed_secret BLOB NOT NULL,
	-- Serial of the newest turn opened; 0 before the start.
	serial INTEGER NOT NULL DEFAULT 0,
	-- Turns running in which nobody sent orders.
	idle_turns INTEGER NOT NULL DEFAULT 0,
	-- Since when the game is held; 0 when it is not.
	held_since_utc INTEGER NOT NULL DEFAULT 0,
	-- Who holds it, empty when it is not held.
	held_by TEXT NOT NULL DEFAULT '',
	-- Why; sealed because what rules say about a broken position may quote it. NULL when
	-- not held.
	sealed_held_reason BLOB,
	-- Lines of the archive written so far, and the head of the chain after them.
	record_lines INTEGER NOT NULL DEFAULT 0,
	record_head BLOB CHECK (length(record_head) = 32)
) STRICT;

-- Games by status, for lists of the live ones among many that are over.
CREATE INDEX games_by_status ON games (status, id);
-- Public games one can still join, oldest first.
CREATE INDEX games_open ON games (kind, id) WHERE status = 0 AND is_private = 0;

-- One row per seat of a game. The seat outlives the person in it.
CREATE TABLE seats (
	-- The game.
	game INTEGER NOT NULL REFERENCES games (id),
	-- Counts from 1 in the order of joining.
	seat INTEGER NOT NULL CHECK (seat BETWEEN 1 AND 32),
	-- Who plays it; NULL for a bot or a vacant seat.
	player INTEGER REFERENCES players (id),
	-- Level of the bot, -1 when there is none.
	bot_level INTEGER NOT NULL,
	-- The name in the game; never changes once the game runs.
	name TEXT NOT NULL,
	-- The word given at JOIN that is mixed into the set-up, empty if none.
	salt TEXT NOT NULL,
	-- When the JOIN was received.
	joined_utc INTEGER NOT NULL,
	-- 1 once the place is taken for certain.
	confirmed INTEGER NOT NULL CHECK (confirmed IN (0, 1)),
	-- 1 when the player has left; the seat then gets only the final report.
	resigned INTEGER NOT NULL CHECK (resigned IN (0, 1)),
	-- Counts TOKEN NEW and changes of person.
	token_generation INTEGER NOT NULL,
	-- How many mails this seat has been sent in this game.
	mails INTEGER NOT NULL,
	-- Turns running in which no orders came.
	missed INTEGER NOT NULL,
	PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;

-- The games somebody sits in.
CREATE INDEX seats_by_player ON seats (player, game) WHERE player IS NOT NULL;

-- One row per turn ever opened; store/turns.h holds the table of its states.
CREATE TABLE turns (
	-- The game.
	game INTEGER NOT NULL REFERENCES games (id),
	-- Counts every turn ever opened in the game, from 0 for the set-up.
	serial INTEGER NOT NULL CHECK (serial >= 0),
	-- The serial whose result this turn starts from.
	parent INTEGER NOT NULL,
	-- enum turn_state: 0 open, 1 sealed, 2 resolved, 3 reported.
	state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 3),
	-- What players call it.
	label TEXT NOT NULL,
	-- Seats that owe orders, that have orders in force, that asked to wait for the
	-- deadline: bit seat-1.
	owes INTEGER NOT NULL,
	have INTEGER NOT NULL DEFAULT 0,
	waiting INTEGER NOT NULL DEFAULT 0,
	-- When it was opened, when it is sealed at the latest (0 = no such time), when it was
	-- sealed.
	opened_utc INTEGER NOT NULL,
	deadline_utc INTEGER NOT NULL,
	sealed_utc INTEGER NOT NULL DEFAULT 0,
	-- 1 while the game is held or neither gathering nor running: then no clock counts. Kept
	-- by the triggers below, so that finding due turns looks at no other table.
	stopped INTEGER NOT NULL CHECK (stopped IN (0, 1)),
	-- Digest over the commitments of the set, NULL while open.
	orders_digest BLOB CHECK (length(orders_digest) = 32),
	-- When the server has something to do for this turn: 0 at once, NULL never.
	due_utc INTEGER AS (CASE
		WHEN stopped OR state = 3 THEN NULL
		WHEN state > 0 THEN 0
		WHEN (owes & ~have) = 0 AND waiting = 0 THEN 0
		WHEN deadline_utc > 0 THEN deadline_utc
	END) VIRTUAL,
	PRIMARY KEY (game, serial)
) STRICT, WITHOUT ROWID;

-- The one place where a run looks for work: turns to seal, resolve and report.
CREATE INDEX turns_due ON turns (state, due_utc, game, serial) WHERE due_utc IS NOT NULL;

-- A game that is held, paused or ended stops the clocks of its turns, and starts them again.
CREATE TRIGGER games_stop AFTER UPDATE OF status, held_since_utc ON games
WHEN (old.held_since_utc > 0 OR old.status > 1) <> (new.held_since_utc > 0 OR new.status > 1)
BEGIN
	UPDATE turns SET stopped = (new.held_since_utc > 0 OR new.status > 1)
	WHERE game = new.id AND state < 3;
END;

-- What came out of a resolved turn. Apart from turns, whose rows must stay small; in order of
-- arrival, so that these long rows are only ever appended.
CREATE TABLE results (
	-- The turn.
	game INTEGER NOT NULL,
	serial INTEGER NOT NULL,
	-- Digest over parent, orders and position; sealed, since a position with few unknowns
	-- could be guessed from it.
	sealed_digest BLOB NOT NULL,
	-- The position as text.
	sealed_state BLOB NOT NULL,
	-- The draws that led to it, as text.
	sealed_chance BLOB NOT NULL,
	PRIMARY KEY (game, serial),
	FOREIGN KEY (game, serial) REFERENCES turns (game, serial)
) STRICT;

-- One row per set of orders taken; never changed. The last of a seat is in force. The rows are
-- many and their texts short, hence the few columns.
CREATE TABLE orders (
	-- The turn and the seat.
	game INTEGER NOT NULL,
	serial INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	-- Counts from 1 within turn and seat.
	revision INTEGER NOT NULL,
	-- How it came: enum order_origin, plus 16 when it withdraws the orders, plus 32 when
	-- a salt stands as first line before the text.
	how INTEGER NOT NULL CHECK (how BETWEEN 0 AND 63),
	-- Arrival of the mail.
	received_utc INTEGER NOT NULL,
	-- The mail; NULL for the server's own orders (bots). No REFERENCES inbox: that row is
	-- written last, when all that became of the mail is known, and SQLite would then read
	-- this whole table to see which rows waited for it. `molepost fsck` looks instead.
	mail INTEGER,
	-- The canonical text.
	sealed_text BLOB NOT NULL,
	PRIMARY KEY (game, serial, seat, revision),
	FOREIGN KEY (game, serial) REFERENCES turns (game, serial)
) STRICT, WITHOUT ROWID;

-- The mailboxes that have been read, so that each mail need not repeat the long name.
CREATE TABLE sources (
	-- A small number.
	id INTEGER PRIMARY KEY,
	-- As in the configuration.
	url TEXT NOT NULL UNIQUE
) STRICT;

-- One row per mail seen, written together with its effect.
CREATE TABLE inbox (
	-- Counts from 1.
	id INTEGER PRIMARY KEY,
	-- Where it was found, and its name there.
	source INTEGER NOT NULL REFERENCES sources (id),
	transport_id TEXT NOT NULL,
	-- First 16 bytes of a keyed digest of its content, trace headers left out; NULL when
	-- the mail has no identity of its own.
	content BLOB CHECK (length(content) = 16),
	-- Its Message-ID, NULL if none.
	message_id TEXT,
	-- When it arrived, and when the server dealt with it.
	arrived_utc INTEGER NOT NULL,
	handled_utc INTEGER NOT NULL,
	-- Whose it is, NULL for a stranger; what it was about, NULL for no game.
	player INTEGER REFERENCES players (id),
	game INTEGER REFERENCES games (id),
	serial INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	-- What became of it, in one word.
	verdict TEXT NOT NULL,
	-- The same as a sentence; NULL if there is nothing to say.
	sealed_detail BLOB,
	-- When the mail itself may be deleted from its mailbox; 0 = never, or done.
	purge_utc INTEGER NOT NULL
) STRICT;

-- A mail is taken once: by its name in the mailbox, and by its content.
CREATE UNIQUE INDEX inbox_transport ON inbox (transport_id, source);
CREATE UNIQUE INDEX inbox_content ON inbox (content) WHERE content IS NOT NULL;
-- There is no index on message_id: only `molepost why` asks for it, and may take a second to
-- read the table, while a random key in an index would cost every mail. Mails that are kept for
-- a while.
CREATE INDEX inbox_purge ON inbox (purge_utc) WHERE purge_utc > 0;

-- Mails that could not be dealt with, kept whole for the operator.
CREATE TABLE quarantine (
	-- The mail.
	inbox INTEGER PRIMARY KEY REFERENCES inbox (id),
	-- When it was set aside.
	at_utc INTEGER NOT NULL,
	-- Why, in words.
	reason TEXT NOT NULL,
	-- Every byte of it.
	sealed_raw BLOB NOT NULL
) STRICT;

-- One row per mail the server has decided to send; store/outbox.h holds the table of its
-- states.
CREATE TABLE outbox (
	-- Counts from 1; each player's mails leave in this order.
	id INTEGER PRIMARY KEY,
	-- What kind of mail: "receipt", "report", ...
	kind TEXT NOT NULL,
	-- The game, NULL if none, and the turn and seat an answer to this mail is for.
	game INTEGER REFERENCES games (id),
	serial INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	-- To whom; NULL for a stranger.
	player INTEGER REFERENCES players (id),
	-- The n of "mail n of this game"; 0 when not counted.
	number INTEGER NOT NULL,
	-- The address it goes to; empty once the player is forgotten.
	rcpt TEXT NOT NULL,
	-- Fixed from the start, with angle brackets.
	message_id TEXT NOT NULL UNIQUE,
	-- When it was decided on.
	created_utc INTEGER NOT NULL,
	-- The mail it answers, NULL if none. No REFERENCES, as in orders.
	cause INTEGER,
	-- enum outbox_state: 0 new, 1 sending, 2 retry, 3 maybe, 4 sent, 5 dead.
	state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 5),
	-- How often it was tried.
	attempts INTEGER NOT NULL,
	-- When it may be tried: 0 at once, NULL never again.
	next_try_utc INTEGER,
	-- What the other side said when it last failed.
	answer TEXT NOT NULL
) STRICT;

-- What is to be sent at once, and what waits for another try (rare, so these two are small).
CREATE INDEX outbox_new ON outbox (id) WHERE next_try_utc = 0;
CREATE INDEX outbox_waiting ON outbox (next_try_utc) WHERE next_try_utc > 0;
CREATE INDEX outbox_behind ON outbox (player, id) WHERE next_try_utc > 0;
-- The mails of one seat, for RESEND and HISTORY.
CREATE INDEX outbox_by_seat ON outbox (game, seat, id) WHERE game IS NOT NULL;
-- The answers to one mail, for `molepost why`.
CREATE INDEX outbox_by_cause ON outbox (cause) WHERE cause IS NOT NULL;

-- The mails themselves. Apart, because marking a mail as sent must not write its text again.
CREATE TABLE outbox_messages (
	-- The outbox row.
	id INTEGER PRIMARY KEY REFERENCES outbox (id),
	-- The finished bytes.
	sealed_message BLOB NOT NULL
) STRICT;

-- Who did what that was not an order. Rows are only added.
CREATE TABLE audit (
	-- Counts from 1.
	id INTEGER PRIMARY KEY,
	-- When.
	at_utc INTEGER NOT NULL,
	-- The game, NULL for the server as a whole, and the seat concerned, 0 for none.
	game INTEGER REFERENCES games (id),
	seat INTEGER NOT NULL,
	-- The newest turn of that game at that time: the one whose lines in the archive it joins.
	serial INTEGER NOT NULL,
	-- Who did it.
	actor TEXT NOT NULL,
	-- A sentence without secrets.
	what TEXT NOT NULL,
	-- 1 when it goes into the archive and the next report.
	is_public INTEGER NOT NULL CHECK (is_public IN (0, 1))
) STRICT;

-- The log of one game.
CREATE INDEX audit_by_game ON audit (game, id) WHERE game IS NOT NULL;

-- One row per run that did something.
CREATE TABLE runs (
	-- Counts from 1.
	id INTEGER PRIMARY KEY,
	-- When it began and ended.
	started_utc INTEGER NOT NULL,
	ended_utc INTEGER NOT NULL,
	-- How many mails it took in, turns it resolved, mails it sent, and mails it failed to
	-- send.
	mails INTEGER NOT NULL,
	turns INTEGER NOT NULL,
	sent INTEGER NOT NULL,
	failed INTEGER NOT NULL
) STRICT;

-- At most one row: what a run has in hand. Left behind by a run that died.
CREATE TABLE in_flight (
	-- Always 1.
	id INTEGER PRIMARY KEY CHECK (id = 1),
	-- "mails" or "turns".
	kind TEXT NOT NULL,
	-- The single object in hand, empty for a whole batch.
	object TEXT NOT NULL,
	-- How many runs have died with it.
	tries INTEGER NOT NULL,
	-- Since when.
	since_utc INTEGER NOT NULL
) STRICT;
