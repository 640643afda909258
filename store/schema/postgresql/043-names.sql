-- Tables and columns have the names that the program has for what they hold.

DROP TRIGGER games_sit_down ON games;
DROP TRIGGER seats_change_hands ON seats;
DROP TRIGGER seats_drop_provisions ON seats;
DROP TRIGGER games_drop_provisions ON games;
DROP TRIGGER players_drop_provisions ON players;
DROP TRIGGER turns_seal_drafts ON turns;
DROP TRIGGER turns_open_drafts ON turns;
DROP TRIGGER players_forget_kept ON players;
DROP FUNCTION games_sit_down, seats_change_hands, seats_drop_provisions, games_drop_provisions,
	players_drop_provisions, turns_seal_drafts, turns_open_drafts, players_forget_kept;

ALTER TABLE question_mails RENAME COLUMN question TO confirmation;
ALTER TABLE players RENAME COLUMN bundle_min TO digest_min;
ALTER TABLE games RENAME COLUMN secret_digest TO secret_hash;
ALTER TABLE turns RENAME COLUMN orders_digest TO orders_hash;
ALTER TABLE results RENAME COLUMN sealed_digest TO sealed_hash;
ALTER TABLE forks RENAME COLUMN state_digest TO state_hash;
ALTER TABLE forks RENAME COLUMN parent_digest TO parent_hash;
ALTER TABLE forks RENAME COLUMN orders_digest TO orders_hash;
ALTER TABLE games RENAME COLUMN tallied TO counted;
ALTER TABLE games RENAME COLUMN record TO record_version;
ALTER TABLE games RENAME COLUMN bots TO bots_version;
ALTER TABLE seats RENAME COLUMN operator TO is_operator;
ALTER INDEX games_untallied RENAME TO games_uncounted;
ALTER INDEX games_tallied RENAME TO games_counted;

-- Each table with its indexes and conditions, whose names begin with its own.
DO $$
DECLARE
	names CONSTANT text[] := ARRAY['sittings', 'seat_holders', 'tallies', 'standings',
		'question_mails', 'confirmation_mails', 'questions', 'confirmations',
		'provisions', 'standing_orders', 'kept_mails', 'enclosed_mails',
		'bundle_turns', 'digest_turns', 'bundles', 'digests'];
	before text;
	after text;
	one record;
BEGIN
	FOR i IN 1 .. array_length(names, 1) BY 2 LOOP
		before := names[i];
		after := names[i + 1];
		FOR one IN SELECT conname AS name FROM pg_constraint
			WHERE conrelid = before::regclass AND starts_with(conname, before) LOOP
			EXECUTE format('ALTER TABLE %I RENAME CONSTRAINT %I TO %I', before, one.name,
				after || substr(one.name, length(before) + 1));
		END LOOP;
		FOR one IN SELECT indexname AS name FROM pg_indexes WHERE schemaname = current_schema()
			AND tablename = before AND starts_with(indexname, before) LOOP
			EXECUTE format('ALTER INDEX %I RENAME TO %I', one.name,
				after || substr(one.name, length(before) + 1));
		END LOOP;
		EXECUTE format('ALTER TABLE %I RENAME TO %I', before, after);
	END LOOP;
END $$;

CREATE FUNCTION games_first_holders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO seat_holders (game, seat, serial, player)
	SELECT game, seat, 0, player FROM seats WHERE game = new.id AND player IS NOT NULL;
	RETURN NULL;
END $$;
CREATE TRIGGER games_first_holders AFTER UPDATE OF status ON games FOR EACH ROW
	WHEN (old.status = 0 AND new.status = 1)
	EXECUTE FUNCTION games_first_holders();

CREATE FUNCTION seats_next_holder() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO seat_holders (game, seat, serial, player)
	SELECT g.id, new.seat, g.serial + coalesce((SELECT (state > 0)::int FROM turns t
		WHERE t.game = g.id AND t.serial = g.serial), 0), new.player
	FROM games g WHERE g.id = new.game AND g.status IN (1, 2)
	ON CONFLICT (game, seat, serial) DO UPDATE SET player = excluded.player;
	RETURN NULL;
END $$;
CREATE TRIGGER seats_next_holder AFTER UPDATE OF player ON seats FOR EACH ROW
	WHEN (old.player IS DISTINCT FROM new.player)
	EXECUTE FUNCTION seats_next_holder();

CREATE FUNCTION seats_drop_standing_orders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM standing_orders WHERE game = new.game AND seat = new.seat;
	UPDATE turns SET covered = covered & ~(1::bigint << (new.seat - 1)::int)
	WHERE game = new.game AND state = 0;
	RETURN NULL;
END $$;
CREATE TRIGGER seats_drop_standing_orders AFTER UPDATE OF player, resigned ON seats FOR EACH ROW
	WHEN (old.player IS DISTINCT FROM new.player OR new.resigned > old.resigned)
	EXECUTE FUNCTION seats_drop_standing_orders();

CREATE FUNCTION games_drop_standing_orders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM standing_orders WHERE game = new.id;
	RETURN NULL;
END $$;
CREATE TRIGGER games_drop_standing_orders AFTER UPDATE OF status ON games FOR EACH ROW
	WHEN (new.status > 2 AND old.status <= 2)
	EXECUTE FUNCTION games_drop_standing_orders();

CREATE FUNCTION players_drop_standing_orders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE turns SET covered = covered & ~(SELECT sum(1::bigint << (seat - 1)::int)::bigint FROM seats s
		WHERE s.game = turns.game AND s.player = new.id)
	WHERE state = 0 AND covered <> 0
	AND game IN (SELECT game FROM seats WHERE player = new.id);
	DELETE FROM standing_orders
	WHERE (game, seat) IN (SELECT game, seat FROM seats WHERE player = new.id);
	RETURN NULL;
END $$;
CREATE TRIGGER players_drop_standing_orders AFTER UPDATE OF forgotten ON players FOR EACH ROW
	WHEN (new.forgotten = 1)
	EXECUTE FUNCTION players_drop_standing_orders();

CREATE FUNCTION turns_seal_drafts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM standing_orders WHERE game = new.game AND kind = 0;
	RETURN NULL;
END $$;
CREATE TRIGGER turns_seal_drafts AFTER UPDATE OF state ON turns FOR EACH ROW
	WHEN (old.state = 0 AND new.state > 0)
	EXECUTE FUNCTION turns_seal_drafts();

CREATE FUNCTION turns_open_drafts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM standing_orders WHERE game = new.game AND kind = 0;
	RETURN NULL;
END $$;
CREATE TRIGGER turns_open_drafts AFTER INSERT ON turns FOR EACH ROW
	EXECUTE FUNCTION turns_open_drafts();

CREATE FUNCTION players_drop_enclosed_mails() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM enclosed_mails WHERE player = new.id AND due_utc IS NOT NULL;
	RETURN NULL;
END $$;
CREATE TRIGGER players_drop_enclosed_mails AFTER UPDATE OF forgotten ON players FOR EACH ROW
	WHEN (new.forgotten = 1)
	EXECUTE FUNCTION players_drop_enclosed_mails();
