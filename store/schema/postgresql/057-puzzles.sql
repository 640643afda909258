-- A puzzle on Monday: a position of a public game that has ended, for those who have asked for one.

-- Whether they have (SET PUZZLE).
ALTER TABLE players ADD COLUMN puzzles bigint NOT NULL DEFAULT 0 CHECK (puzzles IN (0, 1));
CREATE INDEX players_with_puzzles ON players (id) WHERE puzzles = 1;

-- One row per week for which one was looked for.
CREATE TABLE puzzles (
	-- From the one of Monday, 5 January 1970, which is 0.
	week bigint PRIMARY KEY,
	-- How often that was begun; whether it is found, and its mails written, or there is none.
	tries bigint NOT NULL,
	done bigint NOT NULL DEFAULT 0 CHECK (done IN (0, 1)),
	-- Of which game; NULL: there is none (yet). Whose orders are asked for.
	game bigint REFERENCES games (id),
	seat bigint NOT NULL DEFAULT 0,
	-- What is shown, as the game's states are written; everybody can read it in the record.
	position text NOT NULL DEFAULT '',
	-- The best orders; of a thousand games, how many they win at once, and how many more than no orders.
	orders text NOT NULL DEFAULT '',
	wins bigint NOT NULL DEFAULT 0,
	gain bigint NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX puzzles_of_games ON puzzles (game) WHERE game IS NOT NULL;
