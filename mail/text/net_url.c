/*
 * net_url.c - URLs of the configuration.
 */
#include "mail/text/net_url.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/num.h"
#include "processor/base/strbuf.h"

enum err url_find_scheme(const char *url, const char *what, const char *const *known, size_t n,
                         size_t *which, const char **rest, struct failure *e)
{
	size_t colon = span_find_char(span_of(url), ':');
	struct strbuf list = STRBUF_INIT;

	for (*which = 0; *which < n; ++*which) {
		if (url[colon] == ':' &&
		    span_eq_str(span_slice(span_of(url), 0, colon), known[*which])) {
			*rest = url + colon + 1;
			strbuf_release(&list);
			return ERR_NONE;
		}
		strbuf_addf(&list, "%s%s:", *which ? ", " : "", known[*which]);
	}
	enum err r =
	    err_set(e, ERR_CONFIG, "%s %s: it must begin with one of %s", what, url, list.ptr);
	strbuf_release(&list);
	return r;
}

/* %XX, in place. False for a broken one and for control characters. */
static bool undo_percent(char *s)
{
	char *to = s;

	for (; *s; s++) {
		if (*s == '%') {
			int high = ascii_hex_value(s[1]),
			    low = high < 0 ? -1 : ascii_hex_value(s[2]);

			if (low < 0)
				return false;
			*to = (char)(high * 16 + low);
			s += 2;
		} else {
			*to = *s;
		}
		if ((unsigned char)*to < 0x20 || *to == 0x7f)
			return false;
		to++;
	}
	*to = '\0';
	return true;
}

/* Cuts `s` at the first `c`; NULL when there is none. */
static char *cut(char *s, char c)
{
	char *at = strchr(s, c);

	if (at)
		*at++ = '\0';
	return at;
}

static bool is_host(const char *s)
{
	size_t n =
	    strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-");

	return n > 0 && n <= 253 && s[n] == '\0';
}

static bool read_port(struct net_url *u, const char *port)
{
	unsigned n = 0;

	if (port && !num_parse_uint(span_of(port), 1, UINT16_MAX, &n))
		return false;
	u->port = (uint16_t)n;
	return true;
}

/* "host", "host:port", "[::1]:port" */
static const char *read_host(struct net_url *u, char *s)
{
	struct in6_addr address;
	char *end;

	u->host = s;
	if (*s != '[') {
		end = cut(s, ':');
		if (!is_host(s))
			return "the host is no name";
		return read_port(u, end) ? NULL : "the port is no number from 1 to 65535";
	}
	u->host = s + 1;
	u->is_ipv6 = true;
	end = cut(s, ']');
	if (!end || inet_pton(AF_INET6, u->host, &address) != 1)
		return "the host in brackets is no IPv6 address";
	if (*end && *end != ':')
		return "only a port may follow the host";
	return read_port(u, *end ? end + 1 : NULL) ? NULL
	                                           : "the port is no number from 1 to 65535";
}

static const char *read_options(struct net_url *u, char *s)
{
	while (s && *s) {
		char *next = cut(s, '&'), *value = cut(s, '=');

		if (u->noptions == NET_URL_OPTIONS)
			return "there are too many options behind the '?'";
		if (!*s || !value || !undo_percent(value))
			return "the part behind the '?' is no key=value";
		u->options[u->noptions].key = s;
		u->options[u->noptions++].value = value;
		s = next;
	}
	return NULL;
}

static const char *take_apart(struct net_url *u, char *s)
{
	char *options, *path, *at;
	const char *wrong;

	if (strncmp(s, "//", 2) != 0)
		return "\"//\" is missing behind the scheme";
	s += 2;
	options = cut(s, '?');
	path = cut(s, '/');
	at = strrchr(s, '@');
	u->user = u->path = "";
	if (at) {
		*at = '\0';
		u->user = s;
		if (strchr(s, ':'))
			return "a password may not stand here; see the key 'password'";
		if (!undo_percent(s))
			return "the user is badly written";
		s = at + 1;
	}
	if (path) {
		u->path = path;
		if (!undo_percent(path))
			return "the part behind the host is badly written";
	}
	wrong = read_host(u, s);
	return wrong ? wrong : read_options(u, options);
}

enum err net_url_parse(const char *url, const char *rest, struct net_url *out,
                       struct failure *e)
{
	const char *wrong;

	*out = (struct net_url){.text = xstrdup(rest)};
	wrong = take_apart(out, out->text);
	if (!wrong)
		return ERR_NONE;
	return err_set(e, ERR_CONFIG, "%.*s://...: %s", (int)strcspn(url, ":"), url, wrong);
}

void net_url_release(struct net_url *u)
{
	free(u->text);
	*u = (struct net_url){0};
}

const char *net_url_option(const struct net_url *u, const char *key)
{
	for (unsigned i = 0; i < u->noptions; i++)
		if (strcmp(u->options[i].key, key) == 0)
			return u->options[i].value;
	return NULL;
}

bool net_url_is_loopback(const struct net_url *u)
{
	struct in_addr v4;
	struct in6_addr v6;

	if (u->is_ipv6)
		return inet_pton(AF_INET6, u->host, &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
	if (inet_pton(AF_INET, u->host, &v4) == 1)
		return ntohl(v4.s_addr) >> 24 == 127;
	return strcmp(u->host, "localhost") == 0;
}
