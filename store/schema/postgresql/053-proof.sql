ALTER TABLE players ADD COLUMN proof_shown bigint NOT NULL DEFAULT 0 CHECK (proof_shown IN (0, 1));
