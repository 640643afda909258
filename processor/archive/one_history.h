/*
 * one_history.h - whether what players hold can belong to one history, with no record at hand.
 *
 * A server that shows two players two games signs two things about one and the same: two heads of one
 * turn, two receipts of one revision. Neither of them is found wrong alone; put together they convict it.
 * molepost-archive(5), RECEIPTS.
 */
#ifndef MOLEPOST_PROCESSOR_ARCHIVE_ONE_HISTORY_H
#define MOLEPOST_PROCESSOR_ARCHIVE_ONE_HISTORY_H

#include "processor/archive/evidence.h"

/* Whether this key signed it. */
bool evidence_is_signed(const struct evidence *p, const struct hash *key);
/*
 * Whether two pieces that one server signed contradict each other; `why` gets a sentence then. Pieces of
 * two games never do.
 */
bool evidence_contradict(const struct evidence *a, const struct evidence *b,
                         struct strbuf *why);

#endif
