/*
 * private.h - what the files of this room share.
 */
#ifndef MOLEPOST_PROCESSOR_WEBSITE_PRIVATE_H
#define MOLEPOST_PROCESSOR_WEBSITE_PRIVATE_H

#include "processor/archive/archive.h"
#include "processor/match/match.h"
#include "processor/website/website.h"

/* A game that has pages. */
struct shown_game {
	int64_t id;
	int64_t ended_utc; /* 0: it is under way */
	struct hash made_from;
	struct span line; /* how lists name it: HTML, one line, begins with its link */
};
struct shown_games {
	struct shown_game *games; /* by id */
	size_t n, cap;
};

/*
 * Makes the three files of a game in DIR/games; *line lives in the arena. `due_utc`: of the open turn, 0 = none.
 * server_blames_game tells whether others can go on.
 */
enum err game_pages_write(struct server *srv, const char *dir, int64_t game, int64_t due_utc,
                          struct arena *arena, struct span *line) MUST_CHECK;
/* The turns of a record, the newest first, as an Atom feed (RFC 4287). */
void feed_add(struct strbuf *out, const struct config *cfg, const char *game,
              struct archive *a);
/* Writes the lists whose bytes have changed, and counts them. Sorts `all` by their ends. */
enum err list_pages_write(struct server *srv, const char *dir, struct shown_games *all,
                          struct website_counts *counts) MUST_CHECK;

#endif
