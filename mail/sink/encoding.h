/*
 * encoding.h - quoted-printable (RFC 2045, section 6.7), as a mail needs it.
 */
#ifndef MOLEPOST_MAIL_SINK_ENCODING_H
#define MOLEPOST_MAIL_SINK_ENCODING_H

#include "processor/base/span.h"
#include "processor/base/strbuf.h"

/*
 * Text, LF, in lines of at most 76 bytes; no line begins with a dot or "From ", which a mailbox or a
 * server on the way would change.
 */
void quoted_printable_add(struct strbuf *out, struct span text);

#endif
