/*
 * postfix.h - a Postfix of the test's own, in a temporary folder, on ports of 127.0.0.1.
 *
 * It delivers to ann, bob, cy and moles at example.net and example.org (with anything behind a
 * '+') into Maildirs, and to fwd at example.org through a .forward, and refuses everybody else.
 * Nothing of the machine's own Postfix is read or touched but its programs; it ends with the
 * test, however that ends.
 *
 * With a Dovecot beside it (dovecot.h) it delivers into the mailboxes there, and asks it about
 * logins at the two doors that want one.
 */
#ifndef MOLEPOST_TESTS_POSTFIX_H
#define MOLEPOST_TESTS_POSTFIX_H

#include <stdbool.h>
#include <stddef.h>

/* Each is a port of its own. */
enum postfix_door {
	POSTFIX_PLAIN,    /* no TLS */
	POSTFIX_STARTTLS, /* with a certificate for localhost and 127.0.0.1 by our authority */
	POSTFIX_SMTPS,    /* the same, TLS from the first byte */
	POSTFIX_SELF,     /* STARTTLS with a certificate nobody has signed */
	POSTFIX_OTHER,    /* ... signed, for another name */
	POSTFIX_EXPIRED,  /* ... signed, of yesterday */
	POSTFIX_GREY,     /* no TLS; asks the policy server of the test */
	POSTFIX_SUBMIT,   /* as STARTTLS, only with a login, offered behind STARTTLS only */
	POSTFIX_SUBMITS,  /* as SMTPS, only with a login */
	POSTFIX_DOORS
};

struct postfix;
struct dovecot;

/* Why it cannot be used here, as a sentence; NULL: it can. */
const char *postfix_is_missing(void);
/* policy_port: where a policy server listens (for POSTFIX_GREY), or 0. */
struct postfix *postfix_new(unsigned policy_port);
/* Beside this Dovecot. policy_port: 0, or also for mail to cy at the doors with a login. */
struct postfix *postfix_new_beside(const struct dovecot *d, unsigned policy_port);
void postfix_free(struct postfix *p);
/* Ends it and starts it anew on the same ports with this line in its main.cf. */
void postfix_say(struct postfix *p, const char *line);
unsigned postfix_port(const struct postfix *p, enum postfix_door door);
/* Our authority's certificate, PEM. */
const char *postfix_ca_file(const struct postfix *p);
/* Its folder of configuration, for sendmail -C. */
const char *postfix_config(const struct postfix *p);
/* What stands in the .forward of the user who gets the mail to fwd@example.org; it is "nobody". */
void postfix_forward(const struct postfix *p, const char *line);
/* The Maildir of "ann", here or at the Dovecot. */
const char *postfix_maildir(const struct postfix *p, const char *who, char **keep);
/* Waits until that many mails lie in this Maildir's new/; how many there are after 20 s. */
size_t postfix_wait_mails(const struct postfix *p, const char *who, size_t n);
/* How many lie there now. */
size_t postfix_count_mails(const struct postfix *p, const char *who);
/* Waits until nothing is left in its queue. */
void postfix_wait_queue(const struct postfix *p);
/* Waits until a mail could not be delivered for now and is kept; then has it tried again. */
void postfix_wait_kept(const struct postfix *p);
void postfix_flush(const struct postfix *p);

/* ---- a policy server that greylists: the first time "later", then "yes" ---- */
struct greylist;
struct greylist *greylist_new(void);
unsigned greylist_port(const struct greylist *g);
void greylist_free(struct greylist *g);

#endif
