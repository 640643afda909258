/*
 * post_office.h - people and a molepost server between a real Postfix and a real Dovecot.
 *
 * People hand mail to Postfix in clear, which delivers into the mailboxes of Dovecot: theirs
 * (ann, bob, cy at example.net) and the server's (moles@example.org, with anything behind a
 * '+'). The first mail to cy through a door with a login is greylisted.
 *
 * The clock of the testbed stands at the real time at first and is moved ahead for what has to
 * wait; mail arrives by the real one. What cannot fail in a sound test aborts.
 */
#ifndef MOLEPOST_TESTS_POST_OFFICE_H
#define MOLEPOST_TESTS_POST_OFFICE_H

#include "tests/support/dovecot.h"
#include "tests/support/postfix.h"
#include "tests/support/testbed.h"

struct post_office {
	struct greylist *grey;
	struct dovecot *dovecot;
	struct postfix *postfix;
	struct testbed *testbed; /* trusts both, and has the password in the file "password" */
};

/* Why it cannot be opened here, as a sentence; NULL: it can. */
const char *post_office_is_missing(void);
void post_office_open(struct post_office *o);
void post_office_close(struct post_office *o);

/*
 * A mail of a person to this address, or as a reply to a mail (then `to` is NULL), or a new one
 * to moles@example.org. Returns when Postfix has delivered it.
 */
void post_office_submit(struct post_office *o, const char *who, const char *to,
                        const struct post *reply_to, const char *text);
/* What has come for everybody is taken out of the mailboxes into testbed->posts. */
void post_office_collect(struct post_office *o);
/* A run with this end and this in what it prints (NULL: nothing), by now, and what came of it. */
void post_office_run(struct post_office *o, int code, const char *says);

#endif
