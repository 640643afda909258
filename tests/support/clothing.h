/*
 * clothing.h - the same orders as any mail program might send them.
 *
 * Draws how they are typed (blanks, dashes, bullets, capitals), what stands around them (talk, the
 * report quoted in one of several ways, a signature), and how the text is packed (flowed,
 * quoted-printable, base64, windows-1252, HTML, HTML beside text that was broken on the way).
 */
#ifndef MOLEPOST_TESTS_SUPPORT_CLOTHING_H
#define MOLEPOST_TESTS_SUPPORT_CLOTHING_H

#include <stdint.h>

#include "processor/base/span.h"
#include "processor/base/strbuf.h"

/*
 * Appends a whole mail that says the clauses of `orders`, which stand with "; " between them, to
 * raw, and in words what was put on to `how`. *dice as for play_draw.
 */
void clothing_put_on(uint64_t *dice, struct span orders, struct strbuf *raw,
                     struct strbuf *how);

#endif
