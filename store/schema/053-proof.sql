-- What a mail proves stands in the mail itself (SET PROOF SHOWN), not in a text attached to it.

ALTER TABLE players ADD COLUMN proof_shown INTEGER NOT NULL DEFAULT 0 CHECK (proof_shown IN (0, 1));
