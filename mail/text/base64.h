/*
 * base64.h - base64 (RFC 4648, section 4), as mails and logins need it.
 */
#ifndef MOLEPOST_MAIL_TEXT_BASE64_H
#define MOLEPOST_MAIL_TEXT_BASE64_H

#include "processor/base/span.h"
#include "processor/base/strbuf.h"

/* Without line ends. A secret: whoever has reserved its room in `out` finds no copy elsewhere. */
void base64_add(struct strbuf *out, struct span bytes);

#endif
