ALTER TABLE players ADD COLUMN writes_html bigint NOT NULL DEFAULT 0 CHECK (writes_html IN (0, 1));
