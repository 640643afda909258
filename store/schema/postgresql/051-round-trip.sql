-- The mail that the server sends itself once a day (outgoing/round_trip.h): when the last one was sent, when the last one
-- that came back did, and what was seen of its way.

ALTER TABLE pulse ADD COLUMN trip_sent_utc bigint NOT NULL DEFAULT 0;
ALTER TABLE pulse ADD COLUMN trip_back_utc bigint NOT NULL DEFAULT 0;
ALTER TABLE pulse ADD COLUMN trip_said text NOT NULL DEFAULT '';
