-- Who is speaking: further addresses of players, questions that wait for an answer, and reply
-- addresses that were declared void.

-- One row per address besides players.address from which a player may write. Mail never goes to
-- these unless the player asks for it or mail to his own address comes back.
CREATE TABLE player_addresses (
	-- In clear and compared without case, as players.address, in which it never stands too.
	address TEXT COLLATE NOCASE PRIMARY KEY,
	-- Whose it is.
	player INTEGER NOT NULL REFERENCES players (id),
	-- Since when.
	since_utc INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The addresses of one player.
CREATE INDEX player_addresses_of ON player_addresses (player, since_utc);

-- One row per question that has been asked and not yet answered; it goes when it is answered,
-- replaced or too old. The codes of its reply addresses follow from the row and stand nowhere.
CREATE TABLE questions (
	-- Counts from 1; a number may be used again once its row is gone.
	id INTEGER PRIMARY KEY,
	-- "also" (I AM ALSO), "address" (SET ADDRESS), "mail" (may this mail be used?).
	kind TEXT NOT NULL CHECK (kind IN ('also', 'address', 'mail')),
	-- Who is asked.
	player INTEGER NOT NULL REFERENCES players (id),
	-- The address in question: the new one, or the one a held mail came from.
	address TEXT NOT NULL COLLATE NOCASE,
	-- For a held mail: the game, NULL when it names none, and the turn and seat it answers.
	game INTEGER REFERENCES games (id),
	serial INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	-- 1 when the held mail names its turn.
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
	-- The text of a held mail with its subject as first line; NULL for the other kinds.
	sealed_text BLOB,
	CHECK ((kind = 'mail') = (sealed_text IS NOT NULL)),
	CHECK (kind = 'mail' OR game IS NULL)
) STRICT;

-- The questions to one player, few at any time.
CREATE INDEX questions_to ON questions (player);
-- For the deletion of those that are too old.
CREATE INDEX questions_by_age ON questions (asked_utc);

-- One row per seat whose reply addresses have been replaced: mails to it up to this one prove
-- nothing any more, neither by their reply address nor by being answered.
CREATE TABLE revocations (
	game INTEGER NOT NULL REFERENCES games (id),
	seat INTEGER NOT NULL,
	-- The newest outbox row at that time.
	outbox INTEGER NOT NULL,
	PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;

-- When the mail says it was written (its Date field), 0 when it does not: used to tell that mails
-- overtook each other, and for nothing else.
ALTER TABLE inbox ADD COLUMN sent_utc INTEGER NOT NULL DEFAULT 0;
