/*
 * mailbox.h - a server at a mailbox of which only the address is known, for `molepost init --mailbox`.
 *
 *	mailbox_ask   finds the servers (a table of providers, SRV records of RFC 6186, the domain's autoconfig file),
 *	              asks a person the rest, and puts it into the text of molepost.conf
 *	mailbox_try   once the folder is there: keeps the password or has the person log in, sends a mail through both
 *	              halves, looks for it, and changes the configuration to what works
 */
#ifndef MOLEPOST_PROCESSOR_MAILBOX_MAILBOX_H
#define MOLEPOST_PROCESSOR_MAILBOX_MAILBOX_H

#include <stdio.h>

#include "mail/text/mail_servers.h"
#include "processor/base/arena.h"
#include "processor/base/err.h"
#include "processor/base/log.h"
#include "processor/server/config.h"

struct mailbox_provider {
	const char *domains; /* with blanks between */
	const char *imap;    /* IMAP with TLS, port 993 */
	const char *out_scheme, *out;
	uint16_t out_port;
	const char *authority; /* as the key oauth; NULL: a password is enough */
	bool plus;             /* delivers moles+anything@ */
	const char *password;  /* what to type, and where it is made */
};

struct mailbox {
	const char *address; /* moles@example.org */
	const char
	    *authority; /* --oauth: log in there in a browser; NULL: as the provider wants it */
	const char *ca_file; /* --ca-file, absolute, or NULL */
	FILE *in,
	    *out; /* answers, one a line, end of file is none; questions, and what is found */
	struct arena *arena;
	struct strbuf secret; /* of mailbox_ask: the password; end with secret_release */
	bool in_browser;
};

/* In the table; NULL: it is not. */
const struct mailbox_provider *mailbox_provider_of(struct span domain);
/*
 * The servers of the domain that answer to a question of the domain name system, or that its autoconfig file names;
 * what neither tells keeps scheme NULL. *way: a sentence's end that says from where. Trusts nothing: see mail_servers.h.
 */
void mailbox_find_servers(const struct mailbox *m, struct span domain, struct mail_servers *out,
                          const char **way);
/* Appends to `conf`, in which the lines source and sink give way. ERR_INVALID: no answer where one is needed. */
enum err mailbox_ask(struct mailbox *m, struct strbuf *conf, struct failure *e) MUST_CHECK;
/* Of the server in `dir`. ERR_DENIED, ERR_IO ...: what a login or the mail ended with; the folder stays. */
enum err mailbox_try(struct mailbox *m, const char *dir, struct log *log,
                     struct failure *e) MUST_CHECK;
/*
 * `molepost login`: shows the address and the code on `out`, and waits until the person has agreed in
 * a browser, or has not; then the file that `token = oauth:FILE` names has the tokens. Needs neither
 * key nor database. ERR_CONFIG: there is no such line, or none that says oauth; ERR_DENIED,
 * ERR_TIMEOUT, ERR_IO as oauth_device_poll.
 */
enum err mailbox_login(const struct config *cfg, FILE *out, struct failure *e) MUST_CHECK;

#endif
