-- A mail is one mail however it came. Two copies need not have the same bytes: it is enough that they
-- claim to be the same mail of the same sender and say the same. Rows of before are known by their
-- bytes, as they were.

-- Of a mail with a claim: the first 8 bytes each of keyed digests of its bytes and of its words; then
-- `content` is the digest of the claim (From, Message-ID, Date, the codes it was sent to), which two
-- mails that say different things may share. NULL: `content` is the digest of its bytes.
ALTER TABLE inbox ADD COLUMN said BLOB CHECK (length(said) = 16);

-- Two indexes, since nearly every mail has a claim: what it is not found under is then looked for among
-- few, or among what does not grow any more.
DROP INDEX inbox_content;
CREATE INDEX inbox_content ON inbox (content) WHERE said IS NOT NULL;
CREATE INDEX inbox_bytes ON inbox (content) WHERE said IS NULL AND content IS NOT NULL;
