-- Times in mails are shown as the clocks of the reader's place show them.

-- Name of the time zone in the IANA database ("Europe/Berlin"); empty: the server's.
ALTER TABLE players ADD COLUMN zone TEXT NOT NULL DEFAULT '';
