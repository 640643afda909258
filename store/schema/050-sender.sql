-- From which address mails leave (enum sender_form of store/operator/outages.h): found out where a provider refuses those that
-- name the mail.

ALTER TABLE pulse ADD COLUMN sender INTEGER NOT NULL DEFAULT 0;
