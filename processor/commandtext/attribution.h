/*
 * attribution.h - the lines in which a mail program says whom it quotes.
 *
 * "On Mon, 23 Nov 2026 at 10:00, Ann wrote:" in some twenty languages, on one line or broken into up
 * to four, and Outlook's block of From:, Sent:, To: and Subject:. They are nobody's words.
 *
 * Trusts nothing; lines come plain (utf8_add_plain).
 */
#ifndef MOLEPOST_PROCESSOR_COMMANDTEXT_ATTRIBUTION_H
#define MOLEPOST_PROCESSOR_COMMANDTEXT_ATTRIBUTION_H

#include <stdbool.h>

#include "processor/base/span.h"

enum { ATTRIBUTION_LINES = 4 };

/*
 * How many of these lines, from the last one back, are an attribution; 0 = it ends none. `lines` are the
 * last `n` unquoted ones, oldest first, without blank ones between; n at most ATTRIBUTION_LINES.
 */
unsigned attribution_ends(const struct span *lines, unsigned n);
/* "From: Ann <ann@example.net>", which may begin Outlook's block; "Sent: Monday", which goes on. */
bool quote_header_begins(struct span line);
bool quote_header_goes_on(struct span line);
/* "-----Original Message-----", "________________" */
bool is_quote_rule(struct span line);
/* "Sent from my iPhone", "Get Outlook for Android": what a phone adds below. */
bool is_program_line(struct span line);

#endif
