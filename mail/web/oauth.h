/*
 * oauth.h - logging in with OAuth 2.0 tokens: asked for once by a person, renewed by the runs.
 *
 * `molepost login` goes through the device flow (RFC 8628): the person opens an address in any browser, types a
 * short code and agrees. What comes of that lies in a file of mode 0600, one line each, "name value":
 *
 *	endpoint https://...   where tokens are renewed (https)
 *	client NAME            who we are there, and secret, if the authority gave one
 *	refresh TOKEN          for which access tokens are given, until somebody takes it back
 *	access TOKEN           the last one
 *	until UTC              in seconds: it is good so long
 *
 * Whoever needs an access token takes the last one if it is still good, else asks for another (RFC 6749, 6) and
 * puts it, and the refresh token if that was renewed too, in the place of the old ones, durably, before it is used.
 * Processes take turns at that (flock on the file's name with ".lock" behind it). All is asked by a child without
 * key or database (web.h).
 */
#ifndef MOLEPOST_MAIL_WEB_OAUTH_H
#define MOLEPOST_MAIL_WEB_OAUTH_H

#include <stdint.h>

#include "mail/text/credentials.h"

/* Who asks, and whom. */
struct oauth_client {
	const char
	    *issuer;    /* "google", "microsoft", or "https://..." with a discovery document */
	const char *id; /* the client id that the authority has given */
	const char *secret; /* "" = none */
	const char
	    *scope; /* what is asked for; "" = what the issuer is known to want for mail */
	const char *ca_file; /* as web.h */
};

/* A question that a person has to answer in a browser. */
struct oauth_device {
	struct strbuf code;           /* ours; a secret */
	struct strbuf user_code, url; /* to be shown; printable */
	struct strbuf url_complete;   /* with the code in it, "" = none */
	struct strbuf token_endpoint;
	int64_t until_utc; /* the code is good so long */
	unsigned every_s;  /* between polls */
};

/*
 * The login of user@host as credentials_get; one that is kept in such a file becomes the access token, of which is_fresh says
 * that it was got just now. ERR_DENIED: the authority gives none any more; ERR_CONFIG: the file is not what is
 * said above; ERR_NOT_FOUND: there is none yet; and the errors of credentials_get and web_ask.
 */
enum err oauth_login_get(const struct mail_settings *a, const char *user, const char *host,
                         struct login *out, struct failure *e) MUST_CHECK;
/* A server has refused it. True: it was an access token that should have been good; next time another is asked for. */
bool oauth_login_refused(const struct login *login);

/* Looks the authority up and asks for a code. ERR_CONFIG: it has no device flow; ERR_DENIED: it refuses; web_ask's. */
enum err oauth_device_begin(const struct oauth_client *c, int64_t now_utc,
                            struct oauth_device *out, struct failure *e) MUST_CHECK;
/*
 * Asks once whether the person has agreed. ERR_BUSY: not yet, ask again after every_s, which may have grown.
 * ERR_DENIED: they have refused. ERR_TIMEOUT: the code has run out, or there was no answer. ERR_NONE: the file is written.
 */
enum err oauth_device_poll(const struct oauth_client *c, struct oauth_device *d,
                           int64_t now_utc, const char *file, struct failure *e) MUST_CHECK;
void oauth_device_release(struct oauth_device *d);

#endif
