/*
 * digest_form.h - the form at the head of a digest, as it comes back in an answer. Pure.
 *
 *	  | SIGNON W17
 *	  | (your orders for W17)
 *	  | SIGNON P3
 *	  | (your orders for P3)
 *	  | (end of the form)
 *
 * Mail programs put "> " before it or nothing, and people write into the brackets' place,
 * behind the mark or on lines of their own. Otherwise quoted lines are never read; inside the
 * form they are, but for what we wrote there ourselves. So a form that comes back as it was
 * orders nothing, and neither does one that is quoted twice: that was filled in before.
 */
#ifndef MOLEPOST_PROCESSOR_COMMANDTEXT_DIGEST_FORM_H
#define MOLEPOST_PROCESSOR_COMMANDTEXT_DIGEST_FORM_H

#include "processor/base/arena.h"
#include "processor/base/span.h"

/*
 * `text` with the form written out: lines of the form that somebody has filled in stand there
 * unquoted, each at its place, below their SIGNON; all other lines of the form are empty. What
 * stands outside is as it was. In the arena; `text` itself when there is no form.
 */
struct span digest_form_read(struct span text, struct arena *arena);

#endif
