/*
 * flowed.h - undoing format=flowed (RFC 3676).
 *
 * A phone cuts one long order in two and says so by a blank before the line end;
 * read as it stands, neither half is an order. Private to mail/.
 */
#ifndef MOLEPOST_MAIL_TEXT_FLOWED_H
#define MOLEPOST_MAIL_TEXT_FLOWED_H

#include <stdbool.h>

#include "processor/base/span.h"
#include "processor/base/strbuf.h"

/* The next line is the rest of this one. */
bool flowed_goes_on(struct span line);
/*
 * Appends `text` (LF) with flowed lines joined; `delsp`: the blank before the break goes too.
 */
void flowed_join(struct span text, bool delsp, struct strbuf *out);

#endif
