/*
 * encoding.h - quoted-printable and base64 (RFC 2045, sections 6.7 and 6.8), as a mail needs them.
 */
#ifndef MOLEPOST_MAIL_SINK_ENCODING_H
#define MOLEPOST_MAIL_SINK_ENCODING_H

#include "processor/base/span.h"
#include "processor/base/strbuf.h"

/* Without line ends. */
void base64_add(struct strbuf *out, struct span bytes);
/*
 * Text, LF, in lines of at most 76 bytes; no line begins with a dot or "From ", which a mailbox or a
 * server on the way would change.
 */
void quoted_printable_add(struct strbuf *out, struct span text);

#endif
