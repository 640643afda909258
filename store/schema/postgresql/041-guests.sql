-- Whom somebody wants to invite into the game they make, as long as their own seat waits for their yes.

ALTER TABLE questions DROP CONSTRAINT questions_kind_check;
ALTER TABLE questions DROP CONSTRAINT questions_check;
ALTER TABLE questions DROP CONSTRAINT questions_check1;
ALTER TABLE questions ADD CONSTRAINT questions_kind_check
	CHECK (kind IN ('also', 'address', 'mail', 'meant', 'guests'));
-- Of guests the addresses.
ALTER TABLE questions ADD CONSTRAINT questions_text_check
	CHECK ((kind IN ('mail', 'meant', 'guests')) = (sealed_text IS NOT NULL));
ALTER TABLE questions ADD CONSTRAINT questions_game_check
	CHECK (kind IN ('mail', 'meant', 'guests') OR game IS NULL);

-- Whether somebody who writes has been asked into a game.
CREATE INDEX invites_by_address ON invites (who);
