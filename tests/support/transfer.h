/*
 * transfer.h - the transfer encodings of MIME, as mail programs write them. Lines end in LF.
 */
#ifndef MOLEPOST_TESTS_TRANSFER_H
#define MOLEPOST_TESTS_TRANSFER_H

#include "processor/base/strbuf.h"

/* Quoted-printable with soft breaks after 72 columns. */
void transfer_add_qp(struct strbuf *out, struct span text);
/* Base64 in lines of 76 columns. */
void transfer_add_base64(struct strbuf *out, struct span bytes);

#endif
