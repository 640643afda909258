-- The tables of one molepost server on PostgreSQL, as all migrations up to this one make them on SQLite; no
-- store on PostgreSQL is older. What each table is for stands above it in those migrations.
--
-- Numbers are bigint, truth is 0 or 1 as on SQLite, so that one statement serves both. Addresses are
-- compared without case (citext); where a statement says COLLATE NOCASE, so are names.

CREATE EXTENSION IF NOT EXISTS citext;
CREATE COLLATION IF NOT EXISTS nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
-- The number after the last one, as SQLite gives it: none is lost when a transaction is taken back.
CREATE FUNCTION next_id(of text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	number bigint;
BEGIN
	EXECUTE format('SELECT coalesce(max(id), 0) + 1 FROM %I', of) INTO number;
	RETURN number;
END $$;

CREATE FUNCTION instr(text, text) RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT strpos($1, $2)::bigint';

CREATE TABLE server (
	-- Always 1, so that there cannot be two rows.
	id bigint PRIMARY KEY CHECK (id = 1),
	-- The name of this server among others of its domain; part of Message-IDs and tokens.
	instance text NOT NULL,
	-- The machine that may run on this file.
	host text NOT NULL,
	-- When `molepost init` made it.
	created_utc bigint NOT NULL,
	-- What the server's key makes of the instance: another key file is noticed before it does
	-- harm. NULL until the keys are first seen.
	key_check bytea CHECK (length(key_check) = 32)
);

CREATE TABLE players (
	-- Counts from 1 and is never given out twice.
	id bigint PRIMARY KEY DEFAULT next_id('players'),
	-- In clear, since mail must go there; compared without case; NULL once forgotten.
	address citext UNIQUE,
	-- The name the person goes by, empty until one is known.
	name text NOT NULL,
	-- When the first mail from here was taken in.
	created_utc bigint NOT NULL,
	-- Counts TOKEN NEW; reply addresses of an older generation are dead.
	token_generation bigint NOT NULL DEFAULT 0,
	-- 1 once a reply has shown that the address is its writer's.
	confirmed bigint NOT NULL DEFAULT 0 CHECK (confirmed IN (0, 1)),
	-- 1 when the operator wants no more mail from this person.
	blocked bigint NOT NULL DEFAULT 0 CHECK (blocked IN (0, 1)),
	-- 1 when address and name have been erased on request.
	forgotten bigint NOT NULL DEFAULT 0 CHECK (forgotten IN (0, 1)),
	-- 1 when mails to this person are to be plain ASCII.
	ascii bigint NOT NULL DEFAULT 0 CHECK (ascii IN (0, 1)),
	-- 1 when this person wants the same Subject on every mail of a game.
	fixed_subject bigint NOT NULL DEFAULT 0 CHECK (fixed_subject IN (0, 1)),
	zone text NOT NULL DEFAULT '',
	quiet_from bigint NOT NULL DEFAULT 0 CHECK (quiet_from BETWEEN 0 AND 1439),
	quiet_to bigint NOT NULL DEFAULT 0 CHECK (quiet_to BETWEEN 0 AND 1439),
	mail_mode bigint NOT NULL DEFAULT 0 CHECK (mail_mode BETWEEN 0 AND 2),
	bundle_min bigint NOT NULL DEFAULT 480 CHECK (bundle_min BETWEEN 0 AND 1439),
	cols bigint NOT NULL DEFAULT 0 CHECK (cols = 0 OR cols BETWEEN 30 AND 72),
	words_first bigint NOT NULL DEFAULT 0 CHECK (words_first IN (0, 1)),
	html bigint NOT NULL DEFAULT 0 CHECK (html BETWEEN 0 AND 2),
	no_reminders bigint NOT NULL DEFAULT 0 CHECK (no_reminders IN (0, 1)));

CREATE TABLE strangers (
	-- First 16 bytes of a keyed digest of the kind of answer and the address.
	who bytea NOT NULL CHECK (length(who) = 16),
	-- When the answer was given.
	at_utc bigint NOT NULL,
	-- Tells apart answers of the same second; counts from 1.
	n bigint NOT NULL,
	-- The kind of answer, each with its own limit.
	kind text NOT NULL,
	PRIMARY KEY (who, at_utc, n)
);

CREATE TABLE games (
	-- The number in "W17", counted over the whole server.
	id bigint PRIMARY KEY,
	-- The letter in "W17".
	letter text NOT NULL CHECK (length(letter) = 1),
	-- Name of the rules.
	kind text NOT NULL,
	-- Version of the rules, kept for the whole game.
	rules_version bigint NOT NULL,
	-- All options with their values, as one text.
	options text NOT NULL,
	-- The name given at CREATE, empty if none.
	title text NOT NULL,
	-- enum game_status: 0 gathering, 1 running, 2 paused, 3 over, 4 cancelled, 5 abandoned.
	status bigint NOT NULL CHECK (status BETWEEN 0 AND 5),
	-- How many seats the game is played with.
	nseats bigint NOT NULL CHECK (nseats > 0),
	-- Seconds from the opening of a turn to its deadline.
	next_s bigint NOT NULL CHECK (next_s >= 0),
	-- 1 when the game is not listed and JOIN needs the key.
	is_private bigint NOT NULL CHECK (is_private IN (0, 1)),
	-- Keyed digest of the key word of a private game, NULL if none.
	join_key bytea CHECK (length(join_key) = 32),
	-- Who created it; NULL for the operator.
	creator bigint REFERENCES players (id) DEFERRABLE,
	-- When it was created, when turn 0 was made, and when it ended.
	created_utc bigint NOT NULL,
	started_utc bigint NOT NULL,
	ended_utc bigint NOT NULL,
	-- SHA-256 of the secret, published before anybody joins.
	secret_digest bytea NOT NULL CHECK (length(secret_digest) = 32),
	-- The 256-bit secret from which dice, nonces and blinds follow.
	sealed_secret bytea NOT NULL,
	-- Serial of the newest turn opened; 0 before the start.
	serial bigint NOT NULL DEFAULT 0,
	-- Turns running in which nobody sent orders.
	idle_turns bigint NOT NULL DEFAULT 0,
	-- Since when the game is held; 0 when it is not.
	held_since_utc bigint NOT NULL DEFAULT 0,
	-- Who holds it, empty when it is not held.
	held_by text NOT NULL DEFAULT '',
	-- Why; sealed because what rules say about a broken position may quote it. NULL when
	-- not held.
	sealed_held_reason bytea,
	-- Lines of the archive written so far, and the head of the chain after them.
	record_lines bigint NOT NULL DEFAULT 0,
	record_head bytea CHECK (length(record_head) = 32),
	origin bigint NOT NULL DEFAULT 0 CHECK (origin BETWEEN 0 AND 2),
	calendar text NOT NULL DEFAULT '',
	master bigint REFERENCES players (id) DEFERRABLE,
	paused_utc bigint NOT NULL DEFAULT 0,
	agreed bigint NOT NULL DEFAULT 0,
	start_utc bigint NOT NULL DEFAULT 0,
	tallied bigint NOT NULL DEFAULT 0 CHECK (tallied <= 1),
	key bigint NOT NULL DEFAULT 1,
	record bigint NOT NULL DEFAULT 1 CHECK (record > 0),
	bots bigint NOT NULL DEFAULT 1 CHECK (bots > 0),
	master_asks bigint NOT NULL DEFAULT 0 CHECK (master_asks IN (0, 1)),
	unrated bigint NOT NULL DEFAULT 0 CHECK (unrated IN (0, 1)),
	ready_until_utc bigint NOT NULL DEFAULT 0);

CREATE TABLE seats (
	-- The game.
	game bigint NOT NULL REFERENCES games (id) DEFERRABLE,
	-- Counts from 1 in the order of joining.
	seat bigint NOT NULL CHECK (seat BETWEEN 1 AND 32),
	-- Who plays it; NULL for a bot or a vacant seat.
	player bigint REFERENCES players (id) DEFERRABLE,
	-- Level of the bot, -1 when there is none.
	bot_level bigint NOT NULL,
	-- The name in the game; never changes once the game runs.
	name text NOT NULL,
	-- The word given at JOIN that is mixed into the set-up, empty if none.
	salt text NOT NULL,
	-- When the JOIN was received.
	joined_utc bigint NOT NULL,
	-- 1 once the place is taken for certain.
	confirmed bigint NOT NULL CHECK (confirmed IN (0, 1)),
	-- 1 when the player has left; the seat then gets only the final report.
	resigned bigint NOT NULL CHECK (resigned IN (0, 1)),
	-- Counts TOKEN NEW and changes of person.
	token_generation bigint NOT NULL,
	-- How many mails this seat has been sent in this game.
	mails bigint NOT NULL,
	-- Turns running in which no orders came.
	missed bigint NOT NULL,
	missed_all bigint NOT NULL DEFAULT 0,
	excused_all bigint NOT NULL DEFAULT 0,
	late_all bigint NOT NULL DEFAULT 0,
	vacated_utc bigint NOT NULL DEFAULT 0,
	former bigint REFERENCES players (id) DEFERRABLE,
	put_out bigint NOT NULL DEFAULT 0,
	sealed_contribution bytea,
	operator bigint NOT NULL DEFAULT 0 CHECK (operator IN (0, 1)),
	ready bigint NOT NULL DEFAULT 0 CHECK (ready IN (0, 1)),
	co_master bigint NOT NULL DEFAULT 0 CHECK (co_master IN (0, 1)),
	played_by text NOT NULL DEFAULT '',
	PRIMARY KEY (game, seat)
);

CREATE TABLE turns (
	-- The game.
	game bigint NOT NULL REFERENCES games (id) DEFERRABLE,
	-- Counts every turn ever opened in the game, from 0 for the set-up.
	serial bigint NOT NULL CHECK (serial >= 0),
	-- The serial whose result this turn starts from.
	parent bigint NOT NULL,
	-- enum turn_state: 0 open, 1 sealed, 2 resolved, 3 reported.
	state bigint NOT NULL CHECK (state BETWEEN 0 AND 3),
	-- What players call it.
	label text NOT NULL,
	-- Seats that owe orders, that have orders in force, that asked to wait for the
	-- deadline: bit seat-1.
	owes bigint NOT NULL,
	have bigint NOT NULL DEFAULT 0,
	waiting bigint NOT NULL DEFAULT 0,
	-- When it was opened, when it is sealed at the latest (0 = no such time), when it was
	-- sealed.
	opened_utc bigint NOT NULL,
	deadline_utc bigint NOT NULL,
	sealed_utc bigint NOT NULL DEFAULT 0,
	-- 1 while the game is held or neither gathering nor running: then no clock counts. Kept
	-- by the triggers below, so that finding due turns looks at no other table.
	stopped bigint NOT NULL CHECK (stopped IN (0, 1)),
	-- Digest over the commitments of the set, NULL while open.
	orders_digest bytea CHECK (length(orders_digest) = 32),
	-- When the server has something to do for this turn: 0 at once, NULL never.
	grace_utc bigint NOT NULL DEFAULT 0, settle_utc bigint NOT NULL DEFAULT 0, remind_utc bigint, dropped_utc bigint NOT NULL DEFAULT 0, credited_utc bigint NOT NULL DEFAULT 0, covered bigint NOT NULL DEFAULT 0, vacant bigint NOT NULL DEFAULT 0, 
	due_utc bigint GENERATED ALWAYS AS (CASE
	WHEN stopped = 1 OR state = 3 THEN NULL
	WHEN state > 0 THEN 0
	WHEN (owes & ~have & ~vacant) = 0 AND ((owes & ~have) = 0 OR (owes & ~vacant) <> 0)
	AND (owes & waiting & ~vacant) = 0 THEN
		CASE WHEN deadline_utc > 0 THEN least(settle_utc, deadline_utc) ELSE settle_utc END
	WHEN (owes & ~have & ~covered & ~vacant) = 0 AND deadline_utc > 0 THEN deadline_utc
	WHEN deadline_utc > 0 THEN greatest(deadline_utc, grace_utc)
END) STORED,
	PRIMARY KEY (game, serial)
);

CREATE TABLE results (
	-- The turn.
	game bigint NOT NULL,
	serial bigint NOT NULL,
	-- Digest over parent, orders and position; sealed, since a position with few unknowns
	-- could be guessed from it.
	sealed_digest bytea NOT NULL,
	-- The position as text.
	sealed_state bytea NOT NULL,
	-- The draws that led to it, as text.
	sealed_chance bytea NOT NULL,
	PRIMARY KEY (game, serial),
	FOREIGN KEY (game, serial) REFERENCES turns (game, serial) DEFERRABLE
);

CREATE TABLE sources (
	-- A small number.
	id bigint PRIMARY KEY DEFAULT next_id('sources'),
	-- As in the configuration.
	url text NOT NULL UNIQUE
);

CREATE TABLE audit (
	-- Counts from 1.
	id bigint PRIMARY KEY DEFAULT next_id('audit'),
	-- When.
	at_utc bigint NOT NULL,
	-- The game, NULL for the server as a whole, and the seat concerned, 0 for none.
	game bigint REFERENCES games (id) DEFERRABLE,
	seat bigint NOT NULL,
	-- The newest turn of that game at that time: the one whose lines in the archive it joins.
	serial bigint NOT NULL,
	-- Who did it.
	actor text NOT NULL,
	-- A sentence without secrets.
	what text NOT NULL,
	-- 1 when it goes into the archive and the next report.
	is_public bigint NOT NULL CHECK (is_public IN (0, 1))
);

CREATE TABLE runs (
	-- Counts from 1.
	id bigint PRIMARY KEY DEFAULT next_id('runs'),
	-- When it began and ended.
	started_utc bigint NOT NULL,
	ended_utc bigint NOT NULL,
	-- How many mails it took in, turns it resolved, mails it sent, and mails it failed to
	-- send.
	mails bigint NOT NULL,
	turns bigint NOT NULL,
	sent bigint NOT NULL,
	failed bigint NOT NULL
);

CREATE TABLE in_flight (
	-- Always 1.
	id bigint PRIMARY KEY CHECK (id = 1),
	-- "mails" or "turns".
	kind text NOT NULL,
	-- The single object in hand, empty for a whole batch.
	object text NOT NULL,
	-- How many runs have died with it.
	tries bigint NOT NULL,
	-- Since when.
	since_utc bigint NOT NULL
);

CREATE TABLE bounced_addresses (
	-- In clear and compared without case, as in players: outbox.rcpt is looked up here.
	address citext PRIMARY KEY,
	-- Whose it is.
	player bigint NOT NULL REFERENCES players (id) DEFERRABLE,
	-- 2 for each mail that can never be delivered, 1 for each that may not have been.
	score bigint NOT NULL CHECK (score > 0),
	-- When one came back last.
	last_utc bigint NOT NULL,
	-- Since when no mail goes there; 0 while it still does.
	paused_utc bigint NOT NULL,
	-- What the other side said last, without the text of any mail.
	said text NOT NULL,
	-- Another address of the player, used in place of this one; NULL if none.
	instead citext
);

CREATE TABLE unreachable_seats (
	-- The seat.
	game bigint NOT NULL,
	seat bigint NOT NULL,
	-- When the other players were last told of it by mail.
	told_utc bigint NOT NULL,
	-- The turn whose deadline was moved, once and never again; 0 while none was.
	moved_serial bigint NOT NULL,
	PRIMARY KEY (game, seat),
	FOREIGN KEY (game, seat) REFERENCES seats (game, seat) DEFERRABLE
);

CREATE TABLE player_addresses (
	-- In clear and compared without case, as players.address, in which it never stands too.
	address citext PRIMARY KEY,
	-- Whose it is.
	player bigint NOT NULL REFERENCES players (id) DEFERRABLE,
	-- Since when.
	since_utc bigint NOT NULL
);

CREATE TABLE revocations (
	game bigint NOT NULL REFERENCES games (id) DEFERRABLE,
	seat bigint NOT NULL,
	-- The newest outbox row at that time.
	outbox bigint NOT NULL,
	PRIMARY KEY (game, seat)
);

CREATE TABLE mailbox_states (
	-- The mailbox.
	source bigint PRIMARY KEY REFERENCES sources (id) DEFERRABLE,
	-- A text that only the driver of such mailboxes understands; names of mails and numbers,
	-- nothing of what they say.
	state text NOT NULL,
	-- When it was written.
	at_utc bigint NOT NULL
);

CREATE TABLE imports (
	game bigint PRIMARY KEY REFERENCES games (id) DEFERRABLE,
	-- What the archive calls the game ("W17"), the server it was played on, and that server's
	-- public key.
	record_id text NOT NULL,
	instance text NOT NULL,
	key bytea NOT NULL CHECK (length(key) = 32),
	-- When it was taken over.
	imported_utc bigint NOT NULL,
	-- The archive, from its begin line to its end line: nobody but that server can sign it.
	sealed_archive bytea NOT NULL
);

CREATE TABLE forks (
	game bigint PRIMARY KEY REFERENCES games (id) DEFERRABLE,
	-- The other game, on this server.
	source_game bigint NOT NULL REFERENCES games (id) DEFERRABLE,
	-- What its archive calls it, whose turn gave the position, and what players call that turn.
	source text NOT NULL,
	serial bigint NOT NULL CHECK (serial >= 0),
	label text NOT NULL,
	-- The server it was played on, and that server's public key.
	instance text NOT NULL,
	key bytea NOT NULL CHECK (length(key) = 32),
	-- State digest of that turn, and what it covers besides the position: state digest of
	-- the parent turn (NULL for serial 0) and orders digest.
	state_digest bytea NOT NULL CHECK (length(state_digest) = 32),
	parent_digest bytea CHECK (length(parent_digest) = 32),
	orders_digest bytea NOT NULL CHECK (length(orders_digest) = 32),
	-- The position as text. Public, but kept like any position.
	sealed_position bytea NOT NULL
);

CREATE TABLE press_rules (
	-- The game.
	game bigint PRIMARY KEY REFERENCES games (id) DEFERRABLE,
	-- enum press_mode: 0 white (the writer is always named), 1 grey (the writer chooses),
	-- 2 none.
	mode bigint NOT NULL CHECK (mode BETWEEN 0 AND 2),
	-- 1 when messages wait for the next turn report.
	waits bigint NOT NULL CHECK (waits IN (0, 1)),
	-- enum press_observers: when observers get what is written to all: 0 with the players,
	-- 1 with the next report, 2 there are no observers.
	observers bigint NOT NULL CHECK (observers BETWEEN 0 AND 2)
);

CREATE TABLE press (
	-- Counts from 1.
	id bigint PRIMARY KEY,
	-- The game, and the newest turn when it was written.
	game bigint NOT NULL REFERENCES games (id) DEFERRABLE,
	serial bigint NOT NULL,
	-- Who wrote it.
	seat bigint NOT NULL,
	-- enum press_kind: 0 to some, 1 to all, 2 a diary entry.
	kind bigint NOT NULL CHECK (kind BETWEEN 0 AND 2),
	-- Seats that are still to get it: bit seat-1. Of a diary entry none: it is for all at the
	-- end of the game.
	seats bigint NOT NULL,
	-- 1 when its readers are not told who wrote it.
	unnamed bigint NOT NULL CHECK (unnamed IN (0, 1)),
	-- Arrival of the mail, and the mail. No REFERENCES, as in orders.
	written_utc bigint NOT NULL,
	mail bigint NOT NULL,
	-- Length of the text.
	nbytes bigint NOT NULL CHECK (nbytes > 0),
	-- When the last of its readers got it, or it was dropped since its writer left before the
	-- start or was forgotten; 0 while it waits for a report.
	delivered_utc bigint NOT NULL,
	-- The text while it waits.
	sealed_text bytea,
	CHECK ((delivered_utc = 0) = (sealed_text IS NOT NULL)),
	CHECK (kind < 2 OR (seats = 0 AND unnamed = 0)),
	FOREIGN KEY (game, seat) REFERENCES seats (game, seat) DEFERRABLE
);

CREATE TABLE observers (
	-- The game and the person.
	game bigint NOT NULL REFERENCES games (id) DEFERRABLE,
	player bigint NOT NULL REFERENCES players (id) DEFERRABLE,
	-- 1 for reports and what is written to all (OBSERVE), 0 for reports alone (MONITOR).
	press bigint NOT NULL CHECK (press IN (0, 1)),
	-- Since when.
	since_utc bigint NOT NULL,
	PRIMARY KEY (game, player)
);

CREATE TABLE reminders (
	-- The turn and the seat.
	game bigint NOT NULL,
	serial bigint NOT NULL,
	seat bigint NOT NULL,
	-- Which deadline.
	deadline_utc bigint NOT NULL,
	-- How long before it the reminder was meant to come; 0: when the grace began.
	before_s bigint NOT NULL CHECK (before_s >= 0),
	-- When it was put into the outbox.
	sent_utc bigint NOT NULL,
	PRIMARY KEY (game, serial, seat, deadline_utc, before_s),
	FOREIGN KEY (game, serial) REFERENCES turns (game, serial) DEFERRABLE,
	FOREIGN KEY (game, seat) REFERENCES seats (game, seat) DEFERRABLE
);

CREATE TABLE votes (
	-- The turn and the seat.
	game bigint NOT NULL,
	serial bigint NOT NULL,
	seat bigint NOT NULL,
	-- Changes with every vote, so that no two seals are bound to the same.
	revision bigint NOT NULL CHECK (revision > 0),
	-- Which votes stand and which were taken back (store/votes.c).
	sealed_votes bytea NOT NULL,
	PRIMARY KEY (game, serial, seat),
	FOREIGN KEY (game, serial) REFERENCES turns (game, serial) DEFERRABLE,
	FOREIGN KEY (game, seat) REFERENCES seats (game, seat) DEFERRABLE
);

CREATE TABLE pulse (
	-- Always 1.
	id bigint PRIMARY KEY CHECK (id = 1),
	-- The last run that is noted here; not every one is, only one in some minutes.
	run_utc bigint NOT NULL,
	-- How far apart the notes of runs usually are, in seconds; 0 until that is known.
	usual_s bigint NOT NULL DEFAULT 0 CHECK (usual_s >= 0),
	-- The last such distance, and how many have been about alike without a break.
	lately_s bigint NOT NULL DEFAULT 0 CHECK (lately_s >= 0),
	alike bigint NOT NULL DEFAULT 0 CHECK (alike >= 0),
	-- Since when the mail cannot be read through, and since when none can be sent; 0: it can.
	unread_utc bigint NOT NULL DEFAULT 0,
	unsent_utc bigint NOT NULL DEFAULT 0
);

CREATE TABLE outages (
	-- Counts from 1.
	id bigint PRIMARY KEY DEFAULT next_id('outages'),
	-- 0 no run took place, 1 the mail could not be read, 2 no mail could be sent.
	cause bigint NOT NULL CHECK (cause BETWEEN 0 AND 2),
	-- From the last moment at which all was well to the first one at which it was again.
	from_utc bigint NOT NULL,
	to_utc bigint NOT NULL,
	-- 1 once every clock has been seen to.
	is_credited bigint NOT NULL DEFAULT 0 CHECK (is_credited IN (0, 1))
);

CREATE TABLE sittings (
	-- The seat.
	game bigint NOT NULL,
	seat bigint NOT NULL,
	-- The first turn that is this person's.
	serial bigint NOT NULL CHECK (serial >= 0),
	-- NULL: nobody's, or a bot's in somebody's place.
	player bigint REFERENCES players (id) DEFERRABLE,
	PRIMARY KEY (game, seat, serial),
	FOREIGN KEY (game, seat) REFERENCES seats (game, seat) DEFERRABLE
);

CREATE TABLE tallies (
	game bigint NOT NULL REFERENCES games (id) DEFERRABLE,
	-- Counts from 1, by seat, then by who sat there first.
	place bigint NOT NULL,
	player bigint NOT NULL REFERENCES players (id) DEFERRABLE,
	-- 1 = best; 0: the game is not rated, or not for this person.
	rank bigint NOT NULL CHECK (rank >= 0),
	-- One letter per turn that counts, in order: + in time, ~ in the grace, - missed.
	marks text NOT NULL,
	PRIMARY KEY (game, place)
);

CREATE TABLE ratings (
	player bigint NOT NULL REFERENCES players (id) DEFERRABLE,
	kind text NOT NULL,
	-- In thousandths of a point.
	rating bigint NOT NULL,
	-- Rated games, and how many of them he won, alone or with others.
	games bigint NOT NULL CHECK (games >= 0),
	wins bigint NOT NULL CHECK (wins >= 0),
	-- 1 while there are too few games to go by.
	provisional bigint NOT NULL CHECK (provisional IN (0, 1)),
	-- With the empty kind alone: the share of turns in time, in millionths, what is older
	-- counting less; and turns in all, missed, in the grace.
	share bigint NOT NULL CHECK (share BETWEEN 0 AND 1000000),
	turns bigint NOT NULL,
	missed bigint NOT NULL,
	late bigint NOT NULL,
	PRIMARY KEY (player, kind)
);

CREATE TABLE rematches (
	game bigint PRIMARY KEY REFERENCES games (id) DEFERRABLE,
	of bigint NOT NULL REFERENCES games (id) DEFERRABLE,
	-- Until when seats are kept for those who played that one.
	kept_utc bigint NOT NULL
);

CREATE TABLE invitations (
	game bigint NOT NULL REFERENCES rematches (game) DEFERRABLE,
	player bigint NOT NULL REFERENCES players (id) DEFERRABLE,
	-- 1 once he has said no.
	declined bigint NOT NULL CHECK (declined IN (0, 1)),
	PRIMARY KEY (game, player)
);

CREATE TABLE waiting (
	kind text NOT NULL,
	player bigint NOT NULL REFERENCES players (id) DEFERRABLE,
	-- First come, first served; n tells apart what came in the same second.
	since_utc bigint NOT NULL,
	n bigint NOT NULL,
	-- When he is no longer taken to be interested.
	until_utc bigint NOT NULL,
	-- The name he wants to have at the table, empty if he has not said.
	name text NOT NULL,
	PRIMARY KEY (kind, player)
);

CREATE TABLE provisions (
	-- The seat.
	game bigint NOT NULL,
	seat bigint NOT NULL,
	-- enum provision_kind: 0 a draft (orders that were only checked), 1 orders for a later turn,
	-- 2 standing orders, 3 who acts in the place of the game's default.
	kind bigint NOT NULL CHECK (kind BETWEEN 0 AND 3),
	-- Of a draft the serial of its turn; of orders for a later turn what players call that turn;
	-- else 0.
	number bigint NOT NULL,
	-- 1 when standing orders count as sent as soon as a turn opens.
	nowait bigint NOT NULL CHECK (nowait IN (0, 1)),
	-- Arrival of the mail, and the mail. No REFERENCES, as in orders.
	received_utc bigint NOT NULL,
	mail bigint NOT NULL,
	-- A draft is canonical; the others are as they were written, for they are read anew in each
	-- turn. Of the fourth kind it is one word.
	sealed_text bytea NOT NULL,
	contributed bigint NOT NULL DEFAULT 0 CHECK (contributed IN (0, 1)),
	PRIMARY KEY (game, seat, kind, number),
	CHECK ((number > 0) = (kind < 2)),
	CHECK (nowait = 0 OR kind = 2),
	FOREIGN KEY (game, seat) REFERENCES seats (game, seat) DEFERRABLE
);

CREATE TABLE absences (
	-- Who.
	player bigint NOT NULL REFERENCES players (id) DEFERRABLE,
	-- From the first moment of the first day to the first one behind the last, by the clocks of his
	-- zone when he said so.
	from_utc bigint NOT NULL,
	until_utc bigint NOT NULL CHECK (until_utc > from_utc),
	-- Arrival of the mail, and the mail. No REFERENCES, as in orders.
	asked_utc bigint NOT NULL,
	mail bigint NOT NULL,
	PRIMARY KEY (player, from_utc)
);

CREATE TABLE sender_days (
	-- Days since 1970-01-01, UTC, by the mail's arrival.
	day bigint NOT NULL,
	-- First 16 bytes of a keyed digest of the address, in any case of letters, and of whether the
	-- mail proved more than that (a reply address, an answer to a mail of ours): what others
	-- forge does not use up what a player may send.
	who bytea NOT NULL CHECK (length(who) = 16),
	mails bigint NOT NULL CHECK (mails > 0),
	-- 1 once the sender has been told that there were too many.
	told bigint NOT NULL DEFAULT 0 CHECK (told IN (0, 1)),
	PRIMARY KEY (day, who)
);

CREATE TABLE inbox (
	-- Counts from 1.
	id bigint PRIMARY KEY,
	-- Where it was found (sources.id), and its name there.
	source bigint NOT NULL,
	transport_id text NOT NULL,
	-- First 16 bytes of a keyed digest of its content, trace headers left out; NULL when
	-- the mail has no identity of its own.
	content bytea CHECK (length(content) = 16),
	-- Its Message-ID, NULL if none.
	message_id text,
	-- When it arrived, when it says that it was written (0: nothing sensible), and when the
	-- server dealt with it.
	arrived_utc bigint NOT NULL,
	sent_utc bigint NOT NULL DEFAULT 0,
	handled_utc bigint NOT NULL,
	-- Whose it is (players.id), NULL for a stranger; what it was about (games.id), NULL for no
	-- game.
	player bigint,
	game bigint,
	serial bigint NOT NULL,
	seat bigint NOT NULL,
	-- What became of it, in one word.
	verdict text NOT NULL,
	-- The same as a sentence; NULL if there is nothing to say.
	sealed_detail bytea,
	-- When the mail itself may be deleted from its mailbox; 0 = never, or done.
	purge_utc bigint NOT NULL,
	said bytea CHECK (length(said) = 16));
CREATE UNIQUE INDEX inbox_transport ON inbox (transport_id, source);

CREATE TABLE orders (
	-- The turn and the seat.
	game bigint NOT NULL,
	serial bigint NOT NULL,
	seat bigint NOT NULL,
	-- Counts from 1 within turn and seat.
	revision bigint NOT NULL,
	-- How it came: enum order_origin, plus 16 when it withdraws the orders, plus 32 when
	-- a salt stands as first line before the text.
	how bigint NOT NULL CHECK (how BETWEEN 0 AND 63),
	-- Arrival of the mail.
	received_utc bigint NOT NULL,
	-- The mail; NULL for the server's own orders (bots). No REFERENCES inbox: that row is
	-- written last, when all that became of the mail is known, and SQLite would then read
	-- this whole table to see which rows waited for it. `molepost fsck` looks instead.
	mail bigint,
	-- The canonical text.
	sealed_text bytea NOT NULL,
	marks bigint NOT NULL DEFAULT 0 CHECK (marks BETWEEN 0 AND 7),
	dkim bytea CHECK (length(dkim) = 32),
	sealed_drawn bytea,
	PRIMARY KEY (game, serial, seat, revision),
	FOREIGN KEY (game, serial) REFERENCES turns (game, serial) DEFERRABLE
);

CREATE TABLE quarantine (
	-- The mail.
	inbox bigint PRIMARY KEY REFERENCES inbox (id) DEFERRABLE,
	-- When it was set aside.
	at_utc bigint NOT NULL,
	-- Why, in words.
	reason text NOT NULL,
	-- Every byte of it.
	sealed_raw bytea NOT NULL
);

CREATE TABLE outbox (
	-- Counts from 1; each player's mails leave in this order.
	id bigint PRIMARY KEY DEFAULT next_id('outbox'),
	-- What kind of mail: "receipt", "report", ...
	kind text NOT NULL,
	-- The game (games.id), NULL if none, and the turn and seat an answer to this mail is for.
	game bigint,
	serial bigint NOT NULL,
	seat bigint NOT NULL,
	-- To whom (players.id); NULL for a stranger.
	player bigint,
	-- The n of "mail n of this game"; 0 when not counted.
	number bigint NOT NULL,
	-- The address it goes to; empty once the player is forgotten.
	rcpt text NOT NULL,
	-- Fixed from the start, with angle brackets.
	message_id text NOT NULL,
	-- When it was decided on.
	created_utc bigint NOT NULL,
	-- The mail it answers, NULL if none. No REFERENCES, as in orders.
	cause bigint,
	-- enum outbox_state: 0 new, 1 sending, 2 retry, 3 maybe, 4 sent, 5 dead.
	state bigint NOT NULL CHECK (state BETWEEN 0 AND 5),
	-- How often it was tried, and when it was last, 0 if never.
	attempts bigint NOT NULL,
	tried_utc bigint NOT NULL DEFAULT 0,
	-- When it may be tried: 0 at once, NULL never again.
	next_try_utc bigint,
	-- What the other side said when it last failed.
	answer text NOT NULL,
	-- As in migrations 006 and 009.
	decided bigint NOT NULL DEFAULT 0 CHECK (decided BETWEEN 0 AND 2),
	refused bigint NOT NULL DEFAULT 0 CHECK (refused BETWEEN 0 AND 3)
);
CREATE UNIQUE INDEX outbox_message_id ON outbox ((substr(message_id, 2, 16)));

CREATE TABLE outbox_messages (
	-- The outbox row.
	id bigint PRIMARY KEY REFERENCES outbox (id) DEFERRABLE,
	-- The finished bytes.
	sealed_message bytea NOT NULL
);

CREATE TABLE bounced_mails (
	-- The mail.
	outbox bigint PRIMARY KEY REFERENCES outbox (id) DEFERRABLE,
	-- The report that counted. No REFERENCES, as in orders.
	inbox bigint NOT NULL,
	-- What it counted.
	points bigint NOT NULL CHECK (points BETWEEN 1 AND 2)
);

CREATE TABLE outbox_failures (
	-- Counts from 1.
	id bigint PRIMARY KEY DEFAULT next_id('outbox_failures'),
	-- The outbox row.
	mail bigint NOT NULL REFERENCES outbox (id) DEFERRABLE,
	-- When it was tried.
	at_utc bigint NOT NULL,
	-- Where the attempt left the mail, as outbox.state: 2 retry, 3 maybe, 4 sent after a
	-- second answer that was lost, 5 dead.
	state bigint NOT NULL CHECK (state BETWEEN 2 AND 5),
	-- What the other side said.
	answer text NOT NULL
);

CREATE TABLE kept_mails (
	-- The mail.
	outbox bigint PRIMARY KEY REFERENCES outbox (id) DEFERRABLE,
	-- To whom, and about which game.
	player bigint NOT NULL REFERENCES players (id) DEFERRABLE,
	game bigint NOT NULL REFERENCES games (id) DEFERRABLE,
	-- When a digest is to bring it if nothing else has before; NULL once it was brought.
	due_utc bigint,
	-- The mail that has brought it, NULL while it waits.
	brought_by bigint REFERENCES outbox (id) DEFERRABLE,
	-- Its text while it waits.
	sealed_text bytea,
	CHECK ((due_utc IS NULL) = (brought_by IS NOT NULL)),
	CHECK ((due_utc IS NULL) = (sealed_text IS NULL))
);

CREATE TABLE bundles (
	-- The mail.
	outbox bigint PRIMARY KEY REFERENCES outbox (id) DEFERRABLE,
	-- To whom; the how many-th of his, from 1. Stands in its reply address.
	player bigint NOT NULL REFERENCES players (id) DEFERRABLE,
	number bigint NOT NULL CHECK (number > 0),
	-- players.token_generation then: an answer to a digest of an older one proves nothing.
	generation bigint NOT NULL
);
CREATE UNIQUE INDEX bundles_of_player ON bundles (player, number);

CREATE TABLE bundle_turns (
	player bigint NOT NULL,
	number bigint NOT NULL,
	game bigint NOT NULL,
	serial bigint NOT NULL,
	PRIMARY KEY (player, number, game),
	FOREIGN KEY (player, number) REFERENCES bundles (player, number) DEFERRABLE,
	FOREIGN KEY (game, serial) REFERENCES turns (game, serial) DEFERRABLE
);

CREATE TABLE outbox_outlines (
	-- The outbox row. It has no text in outbox_messages as long as this is here.
	id bigint PRIMARY KEY REFERENCES outbox (id) DEFERRABLE,
	-- What the mail is made of, in the form that processor/post.c writes and reads.
	sealed_outline bytea NOT NULL
);

CREATE TABLE questions (
	-- Counts from 1; a number may be used again once its row is gone.
	id bigint PRIMARY KEY,
	-- "also" (I AM ALSO), "address" (SET ADDRESS), "mail" (may this mail be used?), "meant".
	kind text NOT NULL CHECK (kind IN ('also', 'address', 'mail', 'meant')),
	-- Who is asked.
	player bigint NOT NULL REFERENCES players (id) DEFERRABLE,
	-- The address in question: the new one, or the one the mail came from.
	address citext NOT NULL,
	-- For mail and meant: the game, NULL when it names none, and the turn and seat it answers.
	game bigint REFERENCES games (id) DEFERRABLE,
	serial bigint NOT NULL,
	seat bigint NOT NULL,
	-- 1 when the mail names its turn.
	names_turn bigint NOT NULL CHECK (names_turn IN (0, 1)),
	-- When the mail that led to the question arrived.
	arrived_utc bigint NOT NULL,
	-- When it was asked.
	asked_utc bigint NOT NULL,
	-- The mail that led to it. No REFERENCES, as in orders.
	mail bigint NOT NULL,
	-- Who has said yes so far: the player from the address known, the new address.
	player_yes bigint NOT NULL CHECK (player_yes IN (0, 1)),
	address_yes bigint NOT NULL CHECK (address_yes IN (0, 1)),
	-- The text of a held mail, or what was proposed, with a subject as first line; else NULL.
	sealed_text bytea,
	CHECK ((kind IN ('mail', 'meant')) = (sealed_text IS NOT NULL)),
	CHECK (kind IN ('mail', 'meant') OR game IS NULL)
);

CREATE TABLE question_mails (
	-- The mail.
	outbox bigint PRIMARY KEY REFERENCES outbox (id) DEFERRABLE,
	-- What it asks.
	question bigint NOT NULL REFERENCES questions (id) ON DELETE CASCADE DEFERRABLE
);

CREATE TABLE troubles (
	-- "unread", "unsent" or "clock" for what lasts and stops deadlines; else the line itself.
	name text PRIMARY KEY,
	-- The line as it was last said.
	line text NOT NULL,
	-- The first run that said it.
	since_utc bigint NOT NULL,
	-- When it was last said, or said to be over.
	told_utc bigint NOT NULL,
	-- 1 when what lasted is over.
	is_over bigint NOT NULL CHECK (is_over IN (0, 1)),
	-- When that went to the operator's address and the alarm program; 0 = not yet.
	sent_utc bigint NOT NULL
);

CREATE TABLE outbox_proofs (
	-- The outbox row. It has neither a text nor an outline any more.
	id bigint PRIMARY KEY REFERENCES outbox (id) DEFERRABLE,
	-- SHA-256 of the mail as it was written, and of its text the receipts and heads that the server
	-- has signed.
	sealed_proofs bytea NOT NULL
);

CREATE TABLE retention (
	-- Always 1.
	id bigint PRIMARY KEY CHECK (id = 1),
	-- 0: never yet.
	rows_utc bigint NOT NULL
);

CREATE TABLE keys (
	-- Its number in the file, from 1.
	number bigint PRIMARY KEY,
	-- Ed25519; archives and receipts of its games are signed with it.
	public_key bytea NOT NULL CHECK (length(public_key) = 32),
	-- Since when games are made with it; of the first, when it was first noted here.
	since_utc bigint NOT NULL
);

CREATE TABLE entry_terms (
	game bigint PRIMARY KEY REFERENCES games (id) DEFERRABLE,
	-- The least share of turns in time, in percent; 0: any.
	reliability bigint NOT NULL CHECK (reliability BETWEEN 0 AND 100),
	-- Whether the operator may not play.
	without_operator bigint NOT NULL DEFAULT 0 CHECK (without_operator IN (0, 1)),
	ready bigint NOT NULL DEFAULT 0 CHECK (ready IN (0, 1)));

CREATE TABLE motions (
	game bigint PRIMARY KEY REFERENCES games (id) DEFERRABLE,
	serial bigint NOT NULL CHECK (serial > 0),
	-- The command, as it would be written.
	line text NOT NULL,
	-- The seat that it names; 0: none.
	seat bigint NOT NULL,
	-- The seat of who asks for more time; 0: it is the master's.
	asker bigint NOT NULL,
	-- The moment it names; 0: none.
	at_utc bigint NOT NULL,
	asked_utc bigint NOT NULL,
	-- 0: agreed to, refused, or no longer possible.
	is_open bigint NOT NULL CHECK (is_open IN (0, 1)),
	proposer bigint NOT NULL DEFAULT 0);

CREATE TABLE nudges (
	game bigint PRIMARY KEY REFERENCES games (id) DEFERRABLE,
	-- The turn, and the seat of who asked.
	serial bigint NOT NULL CHECK (serial > 0),
	seat bigint NOT NULL,
	at_utc bigint NOT NULL
);

CREATE TABLE thanks (
	game bigint NOT NULL,
	-- The seat of who thanks, and of who is thanked.
	seat bigint NOT NULL,
	to_seat bigint NOT NULL CHECK (to_seat <> seat),
	at_utc bigint NOT NULL,
	PRIMARY KEY (game, seat, to_seat),
	FOREIGN KEY (game, seat) REFERENCES seats (game, seat) DEFERRABLE,
	FOREIGN KEY (game, to_seat) REFERENCES seats (game, seat) DEFERRABLE
);

CREATE TABLE invites (
	game bigint NOT NULL REFERENCES games (id) DEFERRABLE,
	-- Keyed digest of the address.
	who bytea NOT NULL CHECK (length(who) = 16),
	-- Who has asked, and the mail.
	player bigint NOT NULL REFERENCES players (id) DEFERRABLE,
	outbox bigint NOT NULL REFERENCES outbox (id) DEFERRABLE,
	asked_utc bigint NOT NULL,
	-- 0: none yet, 1: yes, 2: no, 3: the mail came back.
	answer bigint NOT NULL DEFAULT 0 CHECK (answer BETWEEN 0 AND 3),
	PRIMARY KEY (game, who)
);
CREATE UNIQUE INDEX invites_by_mail ON invites (outbox);

CREATE TABLE no_invites (
	who bytea PRIMARY KEY CHECK (length(who) = 16),
	since_utc bigint NOT NULL
);

CREATE TABLE entries (
	game bigint NOT NULL REFERENCES games (id) DEFERRABLE,
	who bytea NOT NULL CHECK (length(who) = 16),
	-- Whose address that was when the master said it; NULL: nobody's.
	player bigint REFERENCES players (id) DEFERRABLE,
	-- 1: needs neither key nor reliability; 0: gets no seat, and cannot watch.
	allowed bigint NOT NULL CHECK (allowed IN (0, 1)),
	PRIMARY KEY (game, who)
);

CREATE TABLE option_texts (
	kind text NOT NULL,
	option text NOT NULL,
	-- The first 12 hex digits of the SHA-256 of the value.
	name text NOT NULL CHECK (length(name) = 12),
	-- As it stands in games.options, on one line.
	value text NOT NULL,
	since_utc bigint NOT NULL,
	PRIMARY KEY (kind, option, name)
);

INSERT INTO retention (id, rows_utc) VALUES (1, 0);

CREATE INDEX strangers_old ON strangers (kind, at_utc);
CREATE INDEX games_by_status ON games (status, id);
CREATE INDEX games_open ON games (kind, id) WHERE status = 0 AND is_private = 0;
CREATE INDEX seats_by_player ON seats (player, game) WHERE player IS NOT NULL;
CREATE INDEX audit_by_game ON audit (game, id) WHERE game IS NOT NULL;
CREATE INDEX bounced_addresses_of ON bounced_addresses (player);
CREATE INDEX player_addresses_of ON player_addresses (player, since_utc);
CREATE INDEX outbox_failures_by_mail ON outbox_failures (mail, id);
CREATE INDEX question_mails_of ON question_mails (question);
CREATE INDEX bounced_addresses_behind ON bounced_addresses (instead) WHERE instead IS NOT NULL;
CREATE INDEX press_waiting ON press (game, id) WHERE delivered_utc = 0;
CREATE INDEX press_by_seat ON press (game, seat, written_utc);
CREATE INDEX observers_by_player ON observers (player, game);
CREATE INDEX turns_remind ON turns (remind_utc, game, serial)
	WHERE remind_utc IS NOT NULL AND state = 0 AND stopped = 0;
CREATE INDEX seats_vacant ON seats (game) WHERE vacated_utc > 0;
CREATE INDEX games_by_master ON games (master, id) WHERE master IS NOT NULL AND status < 3;
CREATE INDEX games_to_start ON games (start_utc, id) WHERE start_utc > 0 AND status = 0;
CREATE INDEX kept_mails_due ON kept_mails (due_utc, player) WHERE due_utc IS NOT NULL;
CREATE INDEX kept_mails_waiting ON kept_mails (player, game, outbox) WHERE due_utc IS NOT NULL;
CREATE INDEX kept_mails_brought ON kept_mails (brought_by) WHERE brought_by IS NOT NULL;
CREATE INDEX outages_open ON outages (is_credited) WHERE is_credited = 0;
CREATE INDEX games_untallied ON games (ended_utc, id) WHERE status > 2 AND tallied <= 0;
CREATE INDEX games_tallied ON games (ended_utc, id) WHERE tallied = 1;
CREATE INDEX ratings_best ON ratings (kind, provisional, rating DESC, player) WHERE games > 0;
CREATE INDEX players_by_name ON players (name COLLATE NOCASE) WHERE forgotten = 0 AND name <> '';
CREATE INDEX rematches_of ON rematches (of, game);
CREATE INDEX waiting_in_order ON waiting (kind, since_utc, n);
CREATE INDEX inbox_purge ON inbox (purge_utc) WHERE purge_utc > 0;
CREATE INDEX outbox_new ON outbox (id) WHERE next_try_utc = 0;
CREATE INDEX outbox_waiting ON outbox (next_try_utc) WHERE next_try_utc > 0;
CREATE INDEX outbox_behind ON outbox (player, id) WHERE next_try_utc > 0;
CREATE INDEX outbox_by_seat ON outbox (game, seat, id) WHERE game IS NOT NULL;
CREATE INDEX outbox_given_up ON outbox (id) WHERE state = 5 AND decided <> 1;
CREATE INDEX outbox_refused ON outbox (id) WHERE refused > 0;
CREATE INDEX inbox_content ON inbox (content) WHERE said IS NOT NULL;
CREATE INDEX inbox_bytes ON inbox (content) WHERE said IS NULL AND content IS NOT NULL;
CREATE INDEX questions_to ON questions (player);
CREATE INDEX questions_by_age ON questions (asked_utc);
CREATE INDEX games_by_key ON games (key) WHERE status < 3;
CREATE INDEX games_ready ON games (ready_until_utc, id) WHERE ready_until_utc > 0 AND status = 0;
CREATE INDEX turns_due ON turns (state, due_utc, game, serial) WHERE due_utc IS NOT NULL;

CREATE FUNCTION games_stop() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE turns SET stopped = (new.held_since_utc > 0 OR new.status > 1)::int
	WHERE game = new.id AND state < 3;
	RETURN NULL;
END $$;
CREATE TRIGGER games_stop AFTER UPDATE OF status, held_since_utc ON games FOR EACH ROW
	WHEN ((old.held_since_utc > 0 OR old.status > 1) <> (new.held_since_utc > 0 OR new.status > 1))
	EXECUTE FUNCTION games_stop();

CREATE FUNCTION players_forget_bounces() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM bounced_addresses WHERE player = new.id;
	RETURN NULL;
END $$;
CREATE TRIGGER players_forget_bounces AFTER UPDATE OF forgotten ON players FOR EACH ROW
	WHEN (new.forgotten = 1)
	EXECUTE FUNCTION players_forget_bounces();

CREATE FUNCTION players_forget_press() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM observers WHERE player = new.id;
	UPDATE press SET delivered_utc = written_utc, sealed_text = NULL, seats = 0
	WHERE delivered_utc = 0
	AND (game, seat) IN (SELECT game, seat FROM seats WHERE player = new.id);
	RETURN NULL;
END $$;
CREATE TRIGGER players_forget_press AFTER UPDATE OF forgotten ON players FOR EACH ROW
	WHEN (new.forgotten = 1)
	EXECUTE FUNCTION players_forget_press();

CREATE FUNCTION players_forget_former() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE press SET delivered_utc = written_utc, sealed_text = NULL, seats = 0
	WHERE delivered_utc = 0
	AND (game, seat) IN (SELECT game, seat FROM seats
		WHERE vacated_utc > 0 AND former = new.id);
	RETURN NULL;
END $$;
CREATE TRIGGER players_forget_former AFTER UPDATE OF forgotten ON players FOR EACH ROW
	WHEN (new.forgotten = 1)
	EXECUTE FUNCTION players_forget_former();

CREATE FUNCTION games_end_vacancies() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE seats SET vacated_utc = 0 WHERE game = new.id AND vacated_utc > 0;
	RETURN NULL;
END $$;
CREATE TRIGGER games_end_vacancies AFTER UPDATE OF status ON games FOR EACH ROW
	WHEN (new.status > 2)
	EXECUTE FUNCTION games_end_vacancies();

CREATE FUNCTION players_forget_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM kept_mails WHERE player = new.id AND due_utc IS NOT NULL;
	RETURN NULL;
END $$;
CREATE TRIGGER players_forget_kept AFTER UPDATE OF forgotten ON players FOR EACH ROW
	WHEN (new.forgotten = 1)
	EXECUTE FUNCTION players_forget_kept();

CREATE FUNCTION games_sit_down() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO sittings (game, seat, serial, player)
	SELECT game, seat, 0, player FROM seats WHERE game = new.id AND player IS NOT NULL;
	RETURN NULL;
END $$;
CREATE TRIGGER games_sit_down AFTER UPDATE OF status ON games FOR EACH ROW
	WHEN (old.status = 0 AND new.status = 1)
	EXECUTE FUNCTION games_sit_down();

CREATE FUNCTION seats_change_hands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO sittings (game, seat, serial, player)
	SELECT g.id, new.seat, g.serial + coalesce((SELECT (state > 0)::int FROM turns t
		WHERE t.game = g.id AND t.serial = g.serial), 0), new.player
	FROM games g WHERE g.id = new.game AND g.status IN (1, 2)
	ON CONFLICT (game, seat, serial) DO UPDATE SET player = excluded.player;
	RETURN NULL;
END $$;
CREATE TRIGGER seats_change_hands AFTER UPDATE OF player ON seats FOR EACH ROW
	WHEN (old.player IS DISTINCT FROM new.player)
	EXECUTE FUNCTION seats_change_hands();

CREATE FUNCTION players_forget_waiting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM waiting WHERE player = new.id;
	UPDATE invitations SET declined = 1 WHERE player = new.id;
	RETURN NULL;
END $$;
CREATE TRIGGER players_forget_waiting AFTER UPDATE OF forgotten ON players FOR EACH ROW
	WHEN (new.forgotten = 1)
	EXECUTE FUNCTION players_forget_waiting();

CREATE FUNCTION seats_drop_provisions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM provisions WHERE game = new.game AND seat = new.seat;
	UPDATE turns SET covered = covered & ~(1::bigint << (new.seat - 1)::int)
	WHERE game = new.game AND state = 0;
	RETURN NULL;
END $$;
CREATE TRIGGER seats_drop_provisions AFTER UPDATE OF player, resigned ON seats FOR EACH ROW
	WHEN (old.player IS DISTINCT FROM new.player OR new.resigned > old.resigned)
	EXECUTE FUNCTION seats_drop_provisions();

CREATE FUNCTION games_drop_provisions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM provisions WHERE game = new.id;
	RETURN NULL;
END $$;
CREATE TRIGGER games_drop_provisions AFTER UPDATE OF status ON games FOR EACH ROW
	WHEN (new.status > 2 AND old.status <= 2)
	EXECUTE FUNCTION games_drop_provisions();

CREATE FUNCTION players_drop_provisions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE turns SET covered = covered & ~(SELECT sum(1::bigint << (seat - 1)::int)::bigint FROM seats s
		WHERE s.game = turns.game AND s.player = new.id)
	WHERE state = 0 AND covered <> 0
	AND game IN (SELECT game FROM seats WHERE player = new.id);
	DELETE FROM provisions
	WHERE (game, seat) IN (SELECT game, seat FROM seats WHERE player = new.id);
	RETURN NULL;
END $$;
CREATE TRIGGER players_drop_provisions AFTER UPDATE OF forgotten ON players FOR EACH ROW
	WHEN (new.forgotten = 1)
	EXECUTE FUNCTION players_drop_provisions();

CREATE FUNCTION turns_seal_drafts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM provisions WHERE game = new.game AND kind = 0;
	RETURN NULL;
END $$;
CREATE TRIGGER turns_seal_drafts AFTER UPDATE OF state ON turns FOR EACH ROW
	WHEN (old.state = 0 AND new.state > 0)
	EXECUTE FUNCTION turns_seal_drafts();

CREATE FUNCTION turns_open_drafts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM provisions WHERE game = new.game AND kind = 0;
	RETURN NULL;
END $$;
CREATE TRIGGER turns_open_drafts AFTER INSERT ON turns FOR EACH ROW
	EXECUTE FUNCTION turns_open_drafts();

CREATE FUNCTION players_forget_absences() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM absences WHERE player = new.id;
	RETURN NULL;
END $$;
CREATE TRIGGER players_forget_absences AFTER UPDATE OF forgotten ON players FOR EACH ROW
	WHEN (new.forgotten = 1)
	EXECUTE FUNCTION players_forget_absences();

CREATE FUNCTION seats_vacant() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE turns SET vacant = CASE WHEN new.vacated_utc > 0 AND new.bot_level < 0
		THEN vacant | (1::bigint << (new.seat - 1)::int) ELSE vacant & ~(1::bigint << (new.seat - 1)::int) END
	WHERE game = new.game AND state = 0;
	RETURN NULL;
END $$;
CREATE TRIGGER seats_vacant AFTER UPDATE OF vacated_utc, bot_level ON seats FOR EACH ROW
	WHEN ((old.vacated_utc > 0 AND old.bot_level < 0) <> (new.vacated_utc > 0 AND new.bot_level < 0))
	EXECUTE FUNCTION seats_vacant();

CREATE FUNCTION seats_co_master() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE seats SET co_master = 0 WHERE game = new.game AND seat = new.seat;
	RETURN NULL;
END $$;
CREATE TRIGGER seats_co_master AFTER UPDATE OF player, resigned ON seats FOR EACH ROW
	WHEN (new.co_master = 1 AND (old.player IS DISTINCT FROM new.player OR new.resigned > old.resigned))
	EXECUTE FUNCTION seats_co_master();

CREATE FUNCTION seats_played_by() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE seats SET played_by = '' WHERE game = new.game AND seat = new.seat;
	RETURN NULL;
END $$;
CREATE TRIGGER seats_played_by AFTER UPDATE OF player ON seats FOR EACH ROW
	WHEN (new.player IS NULL AND new.played_by <> '')
	EXECUTE FUNCTION seats_played_by();
