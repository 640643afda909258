/*
 * end_files.h - the files that go with the last mail of a game: a page that replays it, and its record.
 *
 * They are not stored with the mail: who sends it makes them from the game, whose record does not change
 * any more. So they cost no room in the database, and RESEND brings them too.
 */
#ifndef MOLEPOST_PROCESSOR_OUTGOING_END_FILES_H
#define MOLEPOST_PROCESSOR_OUTGOING_END_FILES_H

#include "mail/compose.h"
#include "processor/server/server.h"

/* Outbox rows of this kind have them. */
#define END_KIND "end"

enum { END_FILES = 2 };
/* The readers of one game follow one another: what was made for the last is kept. Zero at first. */
struct end_files {
	int64_t game;
	struct arena *arena;
	struct mail_file files[END_FILES];
	size_t n;
};

/* The files of this game; none, with a line in the log, when its record cannot be read. */
enum err end_files_load(struct server *srv, int64_t game, struct end_files *f) MUST_CHECK;
void end_files_release(struct end_files *f);

#endif
