-- Masters of games, turns that were broken off, votes.

-- Who may move deadlines, pause the game, take turns back and end it: one player, seated in it or
-- not. NULL: nobody but the operator.
ALTER TABLE games ADD COLUMN master INTEGER REFERENCES players (id);
UPDATE games SET master = creator
	WHERE creator IN (SELECT id FROM players WHERE forgotten = 0);
-- Since when the game is paused; 0 while it is not.
ALTER TABLE games ADD COLUMN paused_utc INTEGER NOT NULL DEFAULT 0;
-- The seats that won because all agreed to it, bit seat-1; 0: nobody ended the game by a vote.
ALTER TABLE games ADD COLUMN agreed INTEGER NOT NULL DEFAULT 0;

-- For a mail that names no game: the games its writer is master of.
CREATE INDEX games_by_master ON games (master, id) WHERE master IS NOT NULL AND status < 3;

-- 1: seats.former was put out by the master of the game, and cannot have the seat back.
ALTER TABLE seats ADD COLUMN put_out INTEGER NOT NULL DEFAULT 0;

-- When the turn was broken off, because the game ended in it or turns were taken back; 0: it was
-- not. A turn that was broken off is in state 3 (so that nothing is due for it), but never had a
-- set of orders, a time of sealing or a result.
ALTER TABLE turns ADD COLUMN dropped_utc INTEGER NOT NULL DEFAULT 0;

-- One row per seat that has voted in a turn. What for is nobody's business until a vote has
-- passed, so it is sealed, in a text of always the same length.
CREATE TABLE votes (
	-- The turn and the seat.
	game INTEGER NOT NULL,
	serial INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	-- Changes with every vote, so that no two seals are bound to the same.
	revision INTEGER NOT NULL CHECK (revision > 0),
	-- Which votes stand and which were taken back (store/votes.c).
	sealed_votes BLOB NOT NULL,
	PRIMARY KEY (game, serial, seat),
	FOREIGN KEY (game, serial) REFERENCES turns (game, serial),
	FOREIGN KEY (game, seat) REFERENCES seats (game, seat)
) STRICT, WITHOUT ROWID;
