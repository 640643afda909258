-- Where mail goes and from which address, as molepost.conf has it, and since when it is so; 0: for as long as is known.
-- What another sink has taken says nothing of this one.

ALTER TABLE pulse ADD COLUMN sink text NOT NULL DEFAULT '';
ALTER TABLE pulse ADD COLUMN sink_since_utc bigint NOT NULL DEFAULT 0;
