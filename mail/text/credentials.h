/*
 * credentials.h - what sources and sinks need from the configuration to reach their servers.
 *
 * Passwords never stand in the configuration itself, on a command line or in a log: a rule says
 * where one is kept, and it is read when a connection needs it.
 *
 *	file:PATH        the first line of a file that only its owner can read
 *	command:LINE     the first line that this shell command prints within 30 seconds
 *	env:NAME         an environment variable
 *	oauth:PATH       a file from which mail/web/oauth.h makes an access token; only for tokens
 */
#ifndef MOLEPOST_MAIL_TEXT_CREDENTIALS_H
#define MOLEPOST_MAIL_TEXT_CREDENTIALS_H

#include <stdbool.h>
#include <stddef.h>

#include "processor/base/err.h"
#include "processor/base/span.h"
#include "processor/base/strbuf.h"

struct login_rule {
	const char *who;   /* "user@host", NULL = every login without a rule of its own */
	const char *where; /* as above */
	bool is_token; /* an OAuth 2.0 access token (XOAUTH2, OAUTHBEARER), not a password */
};

/* Borrowed by whoever was opened with it. */
struct mail_settings {
	const char *base;     /* the folder that relative paths start from */
	const char *instance; /* this server's name */
	const char *address;  /* its mail address: the usual envelope sender */
	const char *ca_file;  /* PEM: trust these instead of the system's authorities; NULL */
	const struct login_rule *logins;
	size_t nlogins;
};

struct login {
	struct strbuf secret;
	bool is_token;
	bool
	    is_file_of_tokens; /* of oauth:PATH; from credentials_get the secret is that path */
	char *file;    /* then, of oauth_login_get: the path; the secret is an access token */
	bool is_fresh; /* got just now */
};

/*
 * The secret of user@host; the rule that names it goes before one for every login. ERR_CONFIG:
 * no rule; ERR_DENIED: the file is open to others, or the command failed; ERR_NOT_FOUND, ERR_IO,
 * ERR_TIMEOUT. The sentence never holds the secret. Call login_release in any case.
 */
enum err credentials_get(const struct mail_settings *a, const char *user, const char *host,
                         struct login *out, struct failure *e) MUST_CHECK;
/* Wipes the secret. */
void login_release(struct login *l);
/* Whether `where` has one of the forms above. */
bool login_where_ok(struct span where, bool is_token);

#endif
