/*
 * mailbox.h - what the tests of IMAP and POP3 do over and over, with a server of dovecot.h.
 *
 * Most of them count games: a mail that says CREATE makes one each time it is dealt with, so that a
 * mail that was lost or dealt with twice shows at once. What does not come out as it should aborts.
 */
#ifndef MOLEPOST_TESTS_MAILBOX_H
#define MOLEPOST_TESTS_MAILBOX_H

#include "tests/support/dovecot.h"

/* Says so when there is no server to test with. */
bool mailbox_lacks_server(void);

/* A test that needs the server and is left out, by name, where there is none. */
#define SERVER_TEST(suite, name, ...)               \
	static void suite##_##name(void);           \
	Test(suite, name, .timeout = __VA_ARGS__)   \
	{                                           \
		if (!mailbox_lacks_server())        \
			suite##_##name();           \
		else                                \
			cr_skip_test("no Dovecot"); \
	}                                           \
	static void suite##_##name(void)

/* A mail of a person into INBOX, arriving now. */
void mailbox_deliver(struct dovecot *d, struct testbed *s, const char *who, const char *text);
/* n mails of different people, each of which makes a game when it is dealt with. */
void mailbox_creates(struct dovecot *d, struct testbed *s, unsigned n);
/* That many games have ever been made. */
void mailbox_expect_games(struct testbed *s, unsigned n);
/* A run that must end with 0 and say nothing; collects. */
void mailbox_run(struct testbed *s);

/* A game up to its second turn, all mail through the server; then so many lie where they were, and
   so many in the folder of kept mail. */
void mailbox_exchange(const char *scheme, const char *capability, size_t left, size_t kept);
void mailbox_logs_in_by_token(const char *scheme);
/* The first two connections break after so many bytes from the server. */
void mailbox_breaks_after(struct dovecot *d, const char *scheme, size_t bytes);
/* Runs that are killed at their first step, their second, and so on. */
void mailbox_dies_at_every_step(const char *scheme);

#endif
