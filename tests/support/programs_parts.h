/*
 * programs_parts.h - what the programs*.c files share.
 */
#ifndef MOLEPOST_TESTS_PROGRAMS_PARTS_H
#define MOLEPOST_TESTS_PROGRAMS_PARTS_H

#include "tests/support/programs.h"

/* From, To, Subject, Message-ID, In-Reply-To, References and Date. */
void programs_add_own_fields(struct strbuf *out, const struct reply *r);
/* Orders, attribution and the report behind `>`. */
void programs_add_quoted(struct strbuf *out, const struct reply *r);
/* A text of this length in base64 digits that differs from mail to mail, folded with `fold`. */
void programs_add_noise(struct strbuf *out, unsigned n, size_t len, const char *fold);
/* Text as HTML: `<`, `>`, `&` and `"` as entities, what ends a line before each LF. */
void programs_add_escaped(struct strbuf *out, struct span text, const char *line_end);
/* "Sat, 21 Nov 2026 13:27:17 +0000". */
void programs_add_date(struct strbuf *out, const struct reply *r);

#endif
