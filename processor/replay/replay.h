/*
 * replay.h - an archived game as a file for programs or for a browser.
 *
 * Both show what `molepost replay` shows: every position as everybody may see it and, once the
 * game has ended, as each seat saw it. The archive must be one that archive_verify found to
 * hold.
 */
#ifndef MOLEPOST_PROCESSOR_REPLAY_REPLAY_H
#define MOLEPOST_PROCESSOR_REPLAY_REPLAY_H

#include "processor/replay/analysis.h"

/* One JSON object; its members stand in molepost(1). */
void replay_json(struct archive *a, struct strbuf *out);
/* Where a page of a website leads from its top: addresses beside it, NULL = not there. */
struct replay_links {
	const char *games, *feed, *record;
	int64_t due_utc; /* of the turn that is open; 0: none, or its clock stands */
};
/*
 * One page that needs nothing else: no network, no other file. Well-formed XML too. With `links`
 * (NULL: none) it is a page of a website; with `analysis` (NULL: none) it draws the chances to win.
 */
void replay_html(struct archive *a, const struct replay_links *links,
                 const struct analysis *analysis, struct strbuf *out);
/* "Ann won 20-17-16", fit for HTML; nothing of a game that goes on or that nobody won. */
void replay_add_outcome(const struct archive *a, struct strbuf *out);

/* The position after turn i as `seat` sees it, 0 = everybody; NULL while it is hidden. In
   `arena`. */
struct doc *replay_view(struct archive *a, size_t i, unsigned seat, struct arena *arena);
/* The highest seat whose view may be shown: none in a running game. */
unsigned replay_seats(const struct archive *a);

#endif
