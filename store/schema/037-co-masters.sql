-- Players who share the work of a game's master, and whom masters let in or not.

-- 1: may give the commands of the master too. Goes with the player.
ALTER TABLE seats ADD COLUMN co_master INTEGER NOT NULL DEFAULT 0 CHECK (co_master IN (0, 1));
CREATE TRIGGER seats_co_master AFTER UPDATE OF player, resigned ON seats
WHEN new.co_master = 1 AND (old.player IS NOT new.player OR new.resigned > old.resigned)
BEGIN
	UPDATE seats SET co_master = 0 WHERE game = new.game AND seat = new.seat;
END;
-- The seat of the co-master whose motion it is; 0: it is the master's, or of who wants more time.
ALTER TABLE motions ADD COLUMN proposer INTEGER NOT NULL DEFAULT 0;

-- One row per game and address, of which there is a keyed digest as in invites.
CREATE TABLE entries (
	game INTEGER NOT NULL REFERENCES games (id),
	who BLOB NOT NULL CHECK (length(who) = 16),
	-- Whose address that was when the master said it; NULL: nobody's.
	player INTEGER REFERENCES players (id),
	-- 1: needs neither key nor reliability; 0: gets no seat, and cannot watch.
	allowed INTEGER NOT NULL CHECK (allowed IN (0, 1)),
	PRIMARY KEY (game, who)
) STRICT, WITHOUT ROWID;
