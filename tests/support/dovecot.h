/*
 * dovecot.h - a real IMAP and POP3 server of its own for a test; it can also check passwords
 * for a Postfix (postfix.h) and hold the mailboxes into which that one delivers.
 *
 * Dovecot runs in the foreground from a folder of its own, with its own configuration, ports of
 * loopback, one user and a certificate made on the spot; as root it runs as nobody, else as the
 * user of the test. It is told to end when the test ends, however that happens.
 *
 * The users are "moles", "ann", "bob" and "cy" with the password DOVECOT_PASSWORD; a login may
 * name a domain too. What cannot fail in a sound test
 * aborts. Nothing here uses Criterion, so that benches can link it.
 */
#ifndef MOLEPOST_TESTS_DOVECOT_H
#define MOLEPOST_TESTS_DOVECOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "tests/support/testbed.h"

/* It has what passwords may have and protocols stumble over. */
#define DOVECOT_PASSWORD "pa\"ss \\w{3}rd"

enum dovecot_certificate {
	CERTIFICATE_GOOD, /* for localhost, from the authority in ca.pem */
	CERTIFICATE_EXPIRED,
	CERTIFICATE_OTHER_HOST,
	CERTIFICATE_SELF_SIGNED
};

struct dovecot_setup {
	enum dovecot_certificate certificate;
	const char *imap_capability; /* NULL: all that Dovecot can */
	bool
	    tokens; /* XOAUTH2 (or `mechanisms`) with the token in the file token_file, and no passwords */
	const char *mechanisms; /* "login"; NULL: "plain", or with tokens "xoauth2" */
	const char *names;      /* lines of the namespace: "prefix = INBOX.\nseparator = .\n" */
};

struct dovecot {
	char *dir;
	pid_t pid;
	unsigned imap, imaps, pop3, pop3s; /* ports */
	char *ca_file, *token_file;
	char *sasl;         /* the socket at which a Postfix asks whether a login is right */
	unsigned delivered; /* numbers the names of mails */
};

/* Whether the server, both its protocols and openssl are installed. */
bool dovecot_is_installed(void);
/* Returns when it answers. setup NULL: a good certificate and nothing special. */
struct dovecot *dovecot_start(const struct dovecot_setup *setup);
/* Deletes its folder too. */
void dovecot_stop(struct dovecot *d);
/* Something stands where a folder of this name would be made: the server refuses to make one, or can. */
void dovecot_bar_folder(struct dovecot *d, const char *name, bool barred);
/* Ends the server and starts it anew on the same ports and mailboxes. */
void dovecot_restart(struct dovecot *d);
/* The same with a line in its configuration, in the place of those with this key. */
void dovecot_say(struct dovecot *d, const char *line);

/* A mail into INBOX, as a delivery agent would put it there. */
void dovecot_deliver(struct dovecot *d, struct span raw, int64_t arrived_utc);
/* Every mail in the testbed's own Maildir moves to INBOX, keeping its time. */
void dovecot_take_over(struct dovecot *d, struct testbed *s);
/* Mails in a folder: "" is INBOX, ".Processed". */
size_t dovecot_count(const struct dovecot *d, const char *folder);
/* How many of them are marked as seen. */
size_t dovecot_count_seen(const struct dovecot *d, const char *folder);
/* Marks all of INBOX as seen, as a mail program would. */
void dovecot_mark_seen(struct dovecot *d);
/* All of INBOX is moved to the folder Junk. */
void dovecot_call_spam(struct dovecot *d);
/* The n-th mail delivered is listed by the server but cannot be read, or can be again. */
void dovecot_lock_mail(struct dovecot *d, unsigned n, bool locked);
/* Names of mails no longer tell their sizes, so that the server has to read them for that. */
void dovecot_hide_sizes(struct dovecot *d);
/* INBOX keeps its mails and gets another UIDVALIDITY. */
void dovecot_renumber(struct dovecot *d);

/*
 * A testbed that reads from this server by `scheme` ("imaps", "pop3", ...) through `port` (0: the
 * server's own) and from nowhere else; `rest` is put behind the port, such as
 * "/INBOX?timeout=2".
 */
struct testbed *dovecot_site(struct dovecot *d, const char *seed, const char *scheme,
                             unsigned port, const char *rest);
/* The password and the authority of this server. */
void dovecot_set_login(struct testbed *s, const struct dovecot *d);
/* One line of the testbed's configuration in place of all those with this key. */
void dovecot_set(struct testbed *s, const char *key, const char *value);

#endif
