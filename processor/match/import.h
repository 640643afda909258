/*
 * import.h - taking the archive of a finished game back into the database.
 *
 * The game keeps its own archive, byte by byte, since nobody but the server it was played on
 * can sign it; what its hashes call the game stays what it is there (match.h, record_id). It gets
 * its old number when this server played and signed it and the number is free, else a new one.
 *
 * Trusts nothing of the text: it is verified in full before a row is written, and labels, names
 * of servers and log lines become plain before they are stored.
 */
#ifndef MOLEPOST_PROCESSOR_MATCH_IMPORT_H
#define MOLEPOST_PROCESSOR_MATCH_IMPORT_H

#include "processor/archive/archive.h"
#include "processor/server/server.h"

struct importing {
	struct archive *archive;
	struct span text; /* from begin line to end line, LF; in the server's arena */
	struct hash head; /* of the chain, after so many lines */
	unsigned lines;
	bool is_signed;   /* the head, by the key in the header */
	unsigned own_key; /* the number of that key if it is this server's, else 0 */
	/* After import_write: */
	int64_t game;
	const char *id; /* here: "W17" */
};

/*
 * Verifies. ERR_INVALID with the first line that does not hold, also for the archive of a game
 * that is still running or was never begun; ERR_UNSUPPORTED without its rules. In srv->fail.
 * Call import_release in any case.
 */
enum err import_read(struct server *srv, struct span file, struct importing *out) MUST_CHECK;
/* Writes all of it; inside a transaction. ERR_EXISTS names the game it is here already. */
enum err import_write(struct server *srv, struct importing *i) MUST_CHECK;
void import_release(struct importing *i);

#endif
