/*
 * quoted_lines.h - what of a text its writer has not written.
 *
 * Mail programs quote what is answered with '>' before each line, with another sign, or
 * with none; they break it anew, indent it, flatten its tables, and write around it whose
 * it is. Here all that gets a "> " before it, line by line, so that whoever reads the text
 * afterwards finds the writer's own words in the lines where they stood:
 *
 * - what comes from a mail of ours that is answered (same_runs.h; of one whose text is no
 *   longer kept whole lines, line_hashes.h), and what a picture in it says to who does not
 *   see it;
 * - what stands directly above that, or above lines with '>', and names the mail that is
 *   quoted: by its subject, date or address, or in a line that ends with a colon;
 * - elsewhere a whole header: a field that names the mail answered, or three fields with an
 *   address or a date among them, and the line of dashes or underscores above it; or an
 *   introduction that ends with a colon and has a date with its time, or an address and
 *   part of a date;
 * - all below a header that is not of a mail of ours: who forwards one has not written it;
 * - what a program puts below the writer's words: their last line when it begins with the
 *   word before a date in such a header ("Sent from my phone", "Sent: Monday"), names the
 *   program as the mail's own header does (X-Mailer), or is a paragraph with words and a
 *   web address; a last paragraph that is broken at one width where the text goes on far
 *   beyond it: a firm's server adds such. Not if it has a number, as orders have, or
 *   nothing of the writer's is above it. It is only likely: the line gets QUOTED_ADDED, so
 *   that a command in it counts and a message keeps it.
 *
 * No language is known here. A line in which the writer has typed something before, behind
 * or between our words is left with what they have typed; where words of ours were replaced
 * it is theirs altogether.
 *
 * Trusts nothing: any bytes come in; the time is linear in them.
 */
#ifndef MOLEPOST_PROCESSOR_QUOTES_QUOTED_LINES_H
#define MOLEPOST_PROCESSOR_QUOTES_QUOTED_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "processor/base/arena.h"
#include "processor/base/span.h"
#include "processor/quotes/line_hashes.h"

/* A mail of ours that the text may quote. */
struct answered_mail {
	struct span text, subject; /* UTF-8 */
	struct line_hashes lines;  /* instead of a text that is no longer kept */
	struct span to;            /* an address; "" = not known */
	int64_t date_utc;
};

/* What is known of a text beside its words; all may be empty. */
struct text_origin {
	const struct answered_mail *mails;
	size_t nmails;
	struct span address,
	    name;            /* from which mails of ours come, and what is shown beside it */
	struct span writer;  /* their address */
	struct span program; /* with which they wrote it, as the header calls that */
};

/* Before a line that a program may have put below the text. No clean text has it. */
#define QUOTED_ADDED ">\x1f"

/*
 * The text, in the arena or the same, with as many lines. `origin` may be NULL. *header
 * (may be NULL): the number of the line at which a mail begins that is quoted without any
 * sign and not known, so that its words are still among the writer's; 0 = none.
 */
struct span quoted_lines_mark(struct span text, const struct text_origin *origin,
                              struct arena *arena, unsigned *header);
/* Whether so much stands there without '>' that some of it may come from a mail of ours. */
bool quoted_lines_may_repeat(struct span text, struct arena *arena);

#endif
