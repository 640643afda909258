/*
 * net_url.h - "maildir:DIR", "imaps://USER@HOST:PORT/PATH?KEY=VALUE" and their kin, taken apart.
 * Private to mail/.
 *
 * A subset of RFC 3986: the user may hold '@' (the last one counts) and %XX, the host is a
 * name, an IPv4 address or an IPv6 address in brackets. A password has no place here: it would
 * be seen in process lists and logs.
 */
#ifndef MOLEPOST_MAIL_TEXT_NET_URL_H
#define MOLEPOST_MAIL_TEXT_NET_URL_H

#include <stdbool.h>
#include <stdint.h>

#include "processor/base/err.h"
#include "processor/base/span.h"

/*
 * Finds the scheme of `url` among `known`; *rest is what follows the colon. `what` names the
 * kind of URL in the error ("mail source"). ERR_CONFIG lists the known ones.
 */
enum err url_find_scheme(const char *url, const char *what, const char *const *known, size_t n,
                         size_t *which, const char **rest, struct failure *e) MUST_CHECK;

enum { NET_URL_OPTIONS = 8 };

struct net_url {
	char *text;       /* owns what the others point into */
	const char *user; /* "" if none; %XX undone, as path and values */
	const char *host; /* without brackets, never empty */
	bool is_ipv6;
	uint16_t port;    /* 0 = the scheme's own */
	const char *path; /* behind the '/', "" if none */
	struct {
		const char *key, *value;
	} options[NET_URL_OPTIONS];
	unsigned noptions;
};

/*
 * `url` names the whole in errors; `rest` is what follows "scheme:". ERR_CONFIG says what is
 * wrong. Call net_url_release in any case.
 */
enum err net_url_parse(const char *url, const char *rest, struct net_url *out,
                       struct failure *e) MUST_CHECK;
void net_url_release(struct net_url *u);
/* The value of an option, NULL if it does not stand there. */
const char *net_url_option(const struct net_url *u, const char *key);
/* "localhost", 127.0.0.0/8 and ::1: the only hosts we speak to in clear. */
bool net_url_is_loopback(const struct net_url *u);

#endif
