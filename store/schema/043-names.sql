-- Tables and columns have the names that the program has for what they hold.

-- SQLite writes the new names into triggers by itself, but between quotes, and fsck compares their texts with
-- those here: so the triggers that name one of these tables are made again below.
DROP TRIGGER games_sit_down;
DROP TRIGGER seats_change_hands;
DROP TRIGGER seats_drop_provisions;
DROP TRIGGER games_drop_provisions;
DROP TRIGGER players_drop_provisions;
DROP TRIGGER turns_seal_drafts;
DROP TRIGGER turns_open_drafts;
DROP TRIGGER players_forget_kept;

-- Who holds a seat from which turn on.
ALTER TABLE sittings RENAME TO seat_holders;
-- How a game ended for each person.
ALTER TABLE tallies RENAME TO standings;
-- What was asked by mail and is to be answered with YES or NO, and the mails that ask it.
ALTER TABLE questions RENAME TO confirmations;
ALTER TABLE question_mails RENAME TO confirmation_mails;
ALTER TABLE confirmation_mails RENAME COLUMN question TO confirmation;
-- What a player lays down for turns in which nothing else comes: drafts, standing orders, the fallback.
ALTER TABLE provisions RENAME TO standing_orders;
-- Mails that do not go out by themselves: another one brings them.
ALTER TABLE kept_mails RENAME TO enclosed_mails;
-- A digest is one mail in the place of several, and nothing else; what SHA-256 makes is a hash.
ALTER TABLE bundles RENAME TO digests;
ALTER TABLE bundle_turns RENAME TO digest_turns;
ALTER TABLE players RENAME COLUMN bundle_min TO digest_min;
ALTER TABLE games RENAME COLUMN secret_digest TO secret_hash;
ALTER TABLE turns RENAME COLUMN orders_digest TO orders_hash;
ALTER TABLE results RENAME COLUMN sealed_digest TO sealed_hash;
ALTER TABLE forks RENAME COLUMN state_digest TO state_hash;
ALTER TABLE forks RENAME COLUMN parent_digest TO parent_hash;
ALTER TABLE forks RENAME COLUMN orders_digest TO orders_hash;
-- 1: its standings have been counted. Else minus the number of times that was begun.
ALTER TABLE games RENAME COLUMN tallied TO counted;
ALTER TABLE games RENAME COLUMN record TO record_version;
ALTER TABLE games RENAME COLUMN bots TO bots_version;
ALTER TABLE seats RENAME COLUMN operator TO is_operator;

DROP INDEX games_untallied;
CREATE INDEX games_uncounted ON games (ended_utc, id) WHERE status > 2 AND counted <= 0;
DROP INDEX games_tallied;
CREATE INDEX games_counted ON games (ended_utc, id) WHERE counted = 1;
DROP INDEX questions_to;
CREATE INDEX confirmations_to ON confirmations (player);
DROP INDEX questions_by_age;
CREATE INDEX confirmations_by_age ON confirmations (asked_utc);
DROP INDEX question_mails_of;
CREATE INDEX confirmation_mails_of ON confirmation_mails (confirmation);
DROP INDEX kept_mails_due;
CREATE INDEX enclosed_mails_due ON enclosed_mails (due_utc, player) WHERE due_utc IS NOT NULL;
DROP INDEX kept_mails_waiting;
CREATE INDEX enclosed_mails_waiting ON enclosed_mails (player, game, outbox) WHERE due_utc IS NOT NULL;
DROP INDEX kept_mails_brought;
CREATE INDEX enclosed_mails_brought ON enclosed_mails (brought_by) WHERE brought_by IS NOT NULL;
DROP INDEX bundles_of_player;
CREATE UNIQUE INDEX digests_of_player ON digests (player, number);

-- Whoever has a seat when the game begins.
CREATE TRIGGER games_first_holders AFTER UPDATE OF status ON games
WHEN old.status = 0 AND new.status = 1
BEGIN
	INSERT INTO seat_holders (game, seat, serial, player)
	SELECT game, seat, 0, player FROM seats WHERE game = new.id AND player IS NOT NULL;
END;
-- From the open turn on, or, where its orders are fixed already, from the next.
CREATE TRIGGER seats_next_holder AFTER UPDATE OF player ON seats
WHEN old.player IS NOT new.player
	AND EXISTS (SELECT 1 FROM games WHERE id = new.game AND status IN (1, 2))
BEGIN
	INSERT INTO seat_holders (game, seat, serial, player)
	SELECT g.id, new.seat, g.serial + coalesce((SELECT state > 0 FROM turns t
		WHERE t.game = g.id AND t.serial = g.serial), 0), new.player
	FROM games g WHERE g.id = new.game
	ON CONFLICT (game, seat, serial) DO UPDATE SET player = excluded.player;
END;
-- Standing orders are one person's for one game under way.
CREATE TRIGGER seats_drop_standing_orders AFTER UPDATE OF player, resigned ON seats
WHEN old.player IS NOT new.player OR new.resigned > old.resigned
BEGIN
	DELETE FROM standing_orders WHERE game = new.game AND seat = new.seat;
	UPDATE turns SET covered = covered & ~(1 << (new.seat - 1))
	WHERE game = new.game AND state = 0;
END;
CREATE TRIGGER games_drop_standing_orders AFTER UPDATE OF status ON games
WHEN new.status > 2 AND old.status <= 2
BEGIN
	DELETE FROM standing_orders WHERE game = new.id;
END;
CREATE TRIGGER players_drop_standing_orders AFTER UPDATE OF forgotten ON players
WHEN new.forgotten = 1
BEGIN
	UPDATE turns SET covered = covered & ~(SELECT sum(1 << (seat - 1)) FROM seats s
		WHERE s.game = turns.game AND s.player = new.id)
	WHERE state = 0 AND covered <> 0
	AND game IN (SELECT game FROM seats WHERE player = new.id);
	DELETE FROM standing_orders
	WHERE (game, seat) IN (SELECT game, seat FROM seats WHERE player = new.id);
END;
-- A draft is of one turn; the trigger on new turns is for those that are opened in the place of one.
CREATE TRIGGER turns_seal_drafts AFTER UPDATE OF state ON turns
WHEN old.state = 0 AND new.state > 0
BEGIN
	DELETE FROM standing_orders WHERE game = new.game AND kind = 0;
END;
CREATE TRIGGER turns_open_drafts AFTER INSERT ON turns
BEGIN
	DELETE FROM standing_orders WHERE game = new.game AND kind = 0;
END;
-- Nothing waits for a player who is forgotten.
CREATE TRIGGER players_drop_enclosed_mails AFTER UPDATE OF forgotten ON players
WHEN new.forgotten = 1
BEGIN
	DELETE FROM enclosed_mails WHERE player = new.id AND due_utc IS NOT NULL;
END;
