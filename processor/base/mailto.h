/*
 * mailto.h - links that begin a mail (RFC 6068).
 */
#ifndef MOLEPOST_BASE_MAILTO_H
#define MOLEPOST_BASE_MAILTO_H

#include "processor/base/span.h"
#include "processor/base/strbuf.h"

struct mailto {
	struct span address, subject;
	struct span body;        /* lines, LF */
	struct span in_reply_to; /* a Message-ID; empty: none. Some programs carry it over */
};

/* "mailto:ADDRESS?subject=...": everything but letters, digits and "-._~@+" as %XX. */
void mailto_add(struct strbuf *out, const struct mailto *m);

#endif
