/*
 * press.h - what players say to each other.
 *
 *	mode    white: every message names its writer; grey: the writer may stay unnamed; none
 *	waits   messages go out when they are written, or come with the next turn report
 *
 * A message leaves at most once to each of its readers: as a mail of its own, numbered among
 * the mails of the reader's seat and answered like any of them, or as a part of their report. It
 * carries the seat's name and the text, never an address, a reply code or any header of the
 * writer. Observers get what goes to all.
 *
 * A diary entry is read by nobody before the last report, which shows it to all. It is not part of
 * the record: what records were verified against stays as it is.
 *
 * What somebody wrote who gave their seat back before the start is not brought any more, and
 * whoever takes a seat reads nothing that was written to the one before them. What waits for a
 * seat that becomes vacant with the report is read by nobody; what its player wrote is brought
 * to the others. When somebody else takes the seat over, the diary that was kept there is
 * dropped: it is not theirs, and it would come out under the name they play by.
 */
#ifndef MOLEPOST_PROCESSOR_MATCH_PRESS_H
#define MOLEPOST_PROCESSOR_MATCH_PRESS_H

#include "processor/match/match.h"
#include "reports/report.h"
#include "store/press.h"

/* So long after the end of a game its players may still write to each other. */
enum { PRESS_AFTER_S = 14 * 24 * 3600 };
bool press_after_the_end(const struct match *match, int64_t arrived_utc);
/*
 * Whether a message that arrived then is passed on; else *why is a sentence or more for the
 * writer. In the grace after a deadline none is: the late, who may still order, are to gain
 * nothing by it. A diary may be written at any time.
 */
bool press_is_open(const struct match *match, const struct press_rules *rules,
                   int64_t arrived_utc, const char **why);

/* A text without reply codes and Message-IDs of ours, in the arena. */
struct span press_cleaned(const struct server *srv, struct span text, struct arena *arena);

/* What may be said in a game, and who may watch: a sentence for LIST, in the arena. */
const char *press_phrase(const struct press_rules *rules, struct arena *arena);

/* What of it CREATE would have to say: "press=grey delivery=report"; nothing of what is usual. */
void press_add_options(const struct press_rules *rules, struct strbuf *out);

/* Who reads a message, as reports need it. */
struct report_message press_message(const struct match *match, const struct press *p);

/* What a report brings: all that waits, and in the last one the diaries. */
struct press_due {
	struct press *items; /* by id; in the match's arena */
	size_t n;
	bool diaries;
};
enum err press_due_load(struct server *srv, const struct match *match, bool ended,
                        struct press_due *out) MUST_CHECK;
/* For one reader: a seat, or with 0 an observer, who `hears` what is written to all or does not. */
void press_due_for(const struct match *match, const struct press_due *due, unsigned seat,
                   bool hears, struct report_turn *t);
/* In the transaction that writes the reports. */
enum err press_due_done(struct server *srv, const struct match *match,
                        const struct press_due *due) MUST_CHECK;

#endif
