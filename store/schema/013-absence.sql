-- Who has missed turns, and seats whose players have gone.

-- Turns of this player in which nothing came from the seat; those of them that are excused, since
-- mail to the player came back; turns in which orders came only after the deadline, in the grace.
ALTER TABLE seats ADD COLUMN missed_all INTEGER NOT NULL DEFAULT 0;
ALTER TABLE seats ADD COLUMN excused_all INTEGER NOT NULL DEFAULT 0;
ALTER TABLE seats ADD COLUMN late_all INTEGER NOT NULL DEFAULT 0;
-- Since when the seat waits for somebody who takes it over, played by a bot meanwhile or by nobody;
-- 0: it does not.
ALTER TABLE seats ADD COLUMN vacated_utc INTEGER NOT NULL DEFAULT 0;
-- Who lost the seat last because nothing came from him; NULL if nobody did. He may have it back,
-- but no other of the same game.
ALTER TABLE seats ADD COLUMN former INTEGER REFERENCES players (id);

-- The few seats that can be taken over.
CREATE INDEX seats_vacant ON seats (game) WHERE vacated_utc > 0;

-- With a player it is forgotten what he has written at a seat that he has lost, as at one he has: see
-- players_forget_press. When somebody takes the seat over nothing of it is left.
CREATE TRIGGER players_forget_former AFTER UPDATE OF forgotten ON players
WHEN new.forgotten = 1
BEGIN
	UPDATE press SET delivered_utc = written_utc, sealed_text = NULL, seats = 0
	WHERE delivered_utc = 0
	AND (game, seat) IN (SELECT game, seat FROM seats
		WHERE vacated_utc > 0 AND former = new.id);
END;

-- A game that has ended has none.
CREATE TRIGGER games_end_vacancies AFTER UPDATE OF status ON games
WHEN new.status > 2
BEGIN
	UPDATE seats SET vacated_utc = 0 WHERE game = new.id AND vacated_utc > 0;
END;
