-- Texts that somebody has written as the value of a game's option, such as a board of the coin game.

-- Known by a name, the beginning of their digest, so that others can play with them too. They stay.
CREATE TABLE option_texts (
	kind TEXT NOT NULL,
	option TEXT NOT NULL,
	-- The first 12 hex digits of the SHA-256 of the value.
	name TEXT NOT NULL CHECK (length(name) = 12),
	-- As it stands in games.options, on one line.
	value TEXT NOT NULL,
	since_utc INTEGER NOT NULL,
	PRIMARY KEY (kind, option, name)
) STRICT, WITHOUT ROWID;
