/*
 * dkim.h - the DKIM-Signature field of a mail: RFC 6376, section 3.5.
 *
 * Read and not verified: that takes keys from the DNS, and the receiving mail server has done it
 * (auth_results.h). Pure. Trusts nothing: any bytes.
 */
#ifndef MOLEPOST_MAIL_TEXT_DKIM_H
#define MOLEPOST_MAIL_TEXT_DKIM_H

#include "mail/mail.h"

/*
 * Domain, selector and signature of a field's value, folded or not; in `arena`. False when one of them is
 * missing, doubled or malformed.
 */
bool dkim_read(struct span field, struct arena *arena, struct mail_dkim *out);

/* Letters, digits, '-', '_' and single dots between them, at most 253: a domain or a selector. */
bool dkim_name_ok(struct span name);
/* Base64 without blanks, at most 1024 characters. */
bool dkim_signature_ok(struct span signature);

#endif
