-- Whom somebody wants to invite into the game they make, as long as their own seat waits for their yes.

CREATE TABLE new_questions (
	-- Counts from 1; a number may be used again once its row is gone.
	id INTEGER PRIMARY KEY,
	-- "also" (I AM ALSO), "address" (SET ADDRESS), "mail" (may this mail be used?), "meant"; "guests": the
	-- mail that welcomes to the game is the question.
	kind TEXT NOT NULL CHECK (kind IN ('also', 'address', 'mail', 'meant', 'guests')),
	-- Who is asked.
	player INTEGER NOT NULL REFERENCES players (id),
	-- The address in question: the new one, or the one the mail came from.
	address TEXT NOT NULL COLLATE NOCASE,
	-- For mail, meant and guests: the game, NULL when it names none, and the turn and seat it answers.
	game INTEGER REFERENCES games (id),
	serial INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	-- 1 when the mail names its turn.
	names_turn INTEGER NOT NULL CHECK (names_turn IN (0, 1)),
	-- When the mail that led to the question arrived.
	arrived_utc INTEGER NOT NULL,
	-- When it was asked.
	asked_utc INTEGER NOT NULL,
	-- The mail that led to it. No REFERENCES, as in orders.
	mail INTEGER NOT NULL,
	-- Who has said yes so far: the player from the address known, the new address.
	player_yes INTEGER NOT NULL CHECK (player_yes IN (0, 1)),
	address_yes INTEGER NOT NULL CHECK (address_yes IN (0, 1)),
	-- The text of a held mail, or what was proposed, with a subject as first line; the addresses of
	-- guests; else NULL.
	sealed_text BLOB,
	CHECK ((kind IN ('mail', 'meant', 'guests')) = (sealed_text IS NOT NULL)),
	CHECK (kind IN ('mail', 'meant', 'guests') OR game IS NULL)
) STRICT;

INSERT INTO new_questions (id, kind, player, address, game, serial, seat, names_turn, arrived_utc,
	asked_utc, mail, player_yes, address_yes, sealed_text)
SELECT id, kind, player, address, game, serial, seat, names_turn, arrived_utc,
	asked_utc, mail, player_yes, address_yes, sealed_text
FROM questions ORDER BY id;

DROP TABLE questions;
ALTER TABLE new_questions RENAME TO questions;

-- As they were.
CREATE INDEX questions_to ON questions (player);
CREATE INDEX questions_by_age ON questions (asked_utc);

-- Whether somebody who writes has been asked into a game.
CREATE INDEX invites_by_address ON invites (who);
