-- Who has thanked whom for a game that has ended.
CREATE TABLE thanks (
	game INTEGER NOT NULL,
	-- The seat of who thanks, and of who is thanked.
	seat INTEGER NOT NULL,
	to_seat INTEGER NOT NULL CHECK (to_seat <> seat),
	at_utc INTEGER NOT NULL,
	PRIMARY KEY (game, seat, to_seat),
	FOREIGN KEY (game, seat) REFERENCES seats (game, seat),
	FOREIGN KEY (game, to_seat) REFERENCES seats (game, seat)
) STRICT, WITHOUT ROWID;
