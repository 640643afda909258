/*
 * auth_results.h - what the receiving mail server found out about a sender: RFC 8601; and who has
 * signed: RFC 6376.
 *
 * An Authentication-Results field is believed only when it is the topmost one of the mail and
 * bears the authserv-id the operator has named; that the border server takes out fields which
 * claim that id on arrival (RFC 8601, section 5) is the operator's to see to. Whatever is found
 * only raises the bar: a field can make a mail doubtful, never a stranger known.
 *
 * Pure. Trusts nothing: any bytes. The grammar is read with its comments, quoted strings,
 * versions and folds; what real servers add to it (properties without a dot, words without '=',
 * no authserv-id at all) is passed over.
 */
#ifndef MOLEPOST_MAIL_TEXT_AUTH_RESULTS_H
#define MOLEPOST_MAIL_TEXT_AUTH_RESULTS_H

#include <stdbool.h>
#include <stddef.h>

#include "mail/mail.h"

enum { AUTH_RESULTS_MAX = 64, AUTH_PROPERTIES_MAX = 32 };

struct auth_property {
	struct span name;  /* "header.from", as written but without blanks and comments */
	struct span value; /* without quotes */
};

struct auth_result {
	struct span method; /* "dkim", without its version */
	struct span result; /* "pass" */
	struct auth_property *properties;
	size_t nproperties;
};

struct auth_results {
	struct span authserv_id; /* empty when the field names none */
	unsigned version;        /* 1 when not said */
	struct auth_result *results;
	size_t nresults;
};

/*
 * The field's value, folded or not. Everything lives in `arena`. False when it cannot be read to
 * its end (a comment or quoted string without one, too many results): then none of it counts.
 */
bool auth_results_read(struct span field, struct arena *arena, struct auth_results *out);

enum auth_state {
	AUTH_UNSAID, /* no field of that server on top, or none that can be read */
	AUTH_FAILED, /* it is there, and vouches for the sender's domain in no way */
	AUTH_PASSED
};

struct auth_verdict {
	enum auth_state state;
	const char *why; /* "dmarc=pass", "nothing vouches for example.net"; in the arena */
};

/*
 * To find out whether a server takes forged fields out, its owner mails themselves one with this
 * method and the server's id. Where it is found in a field that would be believed, nothing passes,
 * and `why` is AUTH_TEST_SEEN.
 */
#define AUTH_TEST_METHOD "x-molepost-check"
#define AUTH_TEST_SEEN "a forged test field was believed"

/*
 * PASSED: dmarc=pass whose header.from is the domain of `from`; or, unless dmarc=fail stands
 * there, dkim=pass or spf=pass of a domain aligned with it. `field` is the topmost field, empty
 * when there is none; `from` the address the mail says it is from.
 */
struct auth_verdict auth_results_judge(struct span field, struct span authserv_id,
                                       struct span from, struct arena *arena);

/*
 * Whether that field says dkim=pass of this very signature: its domain and, where they are given (RFC 6008),
 * its selector and the beginning of b=.
 */
bool auth_results_verified(struct span field, struct span authserv_id,
                           const struct mail_dkim *dkim, struct arena *arena);

/* What stands behind the last '@' of an address, or all of it, without a dot at its end. */
struct span auth_domain_of(struct span address);
/* Whether they are one domain, or one lies below the other. */
bool auth_domains_aligned(struct span a, struct span b);

/*
 * Domain, selector and signature of the value of a DKIM-Signature field (RFC 6376, 3.5), folded or
 * not; in `arena`. Not verified: that takes keys from the DNS, and the receiving mail server has
 * done it. False when one of them is missing, doubled or malformed.
 */
bool dkim_read(struct span field, struct arena *arena, struct mail_dkim *out);

/* Letters, digits, '-', '_' and single dots between them, at most 253: a domain or a selector. */
bool dkim_name_ok(struct span name);
/* Base64 without blanks, at most 1024 characters. */
bool dkim_signature_ok(struct span signature);

#endif
