/*
 * authority.h - who gives OAuth 2.0 tokens for the mailboxes of a test's Dovecot (authority.py).
 *
 * It ends when the test ends, however that happens. What cannot fail in a sound test aborts.
 */
#ifndef MOLEPOST_TESTS_AUTHORITY_H
#define MOLEPOST_TESTS_AUTHORITY_H

#include "tests/support/dovecot.h"

struct authority {
	char *dir; /* files there say what it does: see authority.py */
	pid_t pid;
	unsigned port;
};

/* Whether there is a Python for it. */
bool authority_can_run(void);
/*
 * With the certificate of that Dovecot, for localhost and autoconfig.example.org, and the key
 * by which that one checks tokens. At this port, or 0: at any.
 */
struct authority *authority_start(const struct dovecot *d, unsigned port);
void authority_stop(struct authority *a);
/* Writes that file; NULL: removes it. */
void authority_say(const struct authority *a, const char *file, const char *text);
/* How many lines of what it was asked begin so. */
unsigned authority_asked(const struct authority *a, const char *what);

#endif
