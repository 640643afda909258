/*
 * sink_smtp.c - "smtp://" and "smtps://": mail handed to a server.
 *
 * TLS is always or never, as the URL says, and never is for this machine only. Opening reads
 * the URL; the first mail, or a look at the sink, reads the password and has a child connect.
 */
#include <stdlib.h>
#include <string.h>

#include "mail/sink/private.h"
#include "mail/sink/sender_pool.h"
#include "mail/text/net_url.h"
#include "mail/web/oauth.h"
#include "processor/base/clock.h"
#include "processor/base/num.h"

enum {
	/*
	 * A run that is killed leaves its whole batch in doubt: few mails at a time, unless they
	 * go fast.
	 */
	BATCH_LEAST = 4, /* per connection */
	BATCH_MOST = 32,
	BATCH_QUICK_MS = 100,
	BATCH_SLOW_MS = 1000,
	TIMEOUT_S = 600, /* RFC 5321 4.5.3.2.6 */
	TIMEOUT_MIN_S = 1,
	TIMEOUT_MAX_S = 3600
};

struct smtp_sink {
	struct net_url url;
	struct smtp_server server;
	unsigned connections;
	struct sender_pool *sender_pool; /* NULL until it was ready once */
	int64_t began_ms;                /* the batch in hand */
};

/* ------------------------------------------------------------------ the URL */

static bool is_smtps(const struct sink *s)
{
	return s->driver == &sink_smtps;
}

static enum err read_starttls(const struct sink *s, struct smtp_sink *m, struct failure *e)
{
	const char *said = net_url_option(&m->url, "starttls");
	bool loopback = net_url_is_loopback(&m->url);

	m->server.tls = is_smtps(s) || !loopback;
	if (!said)
		return ERR_NONE;
	if (is_smtps(s))
		return err_set(e, ERR_CONFIG,
		               "%s: smtps:// has TLS from the beginning; "
		               "starttls is for smtp://",
		               s->url);
	if (strcmp(said, "yes") == 0)
		m->server.tls = true;
	else if (strcmp(said, "no") != 0)
		return err_set(e, ERR_CONFIG, "%s: starttls is yes or no", s->url);
	else if (!loopback)
		return err_set(e, ERR_CONFIG,
		               "%s: starttls=no is only for a server on this machine", s->url);
	return ERR_NONE;
}

static enum err read_number(const struct sink *s, const struct net_url *u, const char *key,
                            unsigned min, unsigned max, unsigned *out, struct failure *e)
{
	const char *said = net_url_option(u, key);

	if (!said || num_parse_uint(span_of(said), min, max, out))
		return ERR_NONE;
	return err_set(e, ERR_CONFIG, "%s: %s is a number from %u to %u", s->url, key, min,
	               max);
}

static enum err check_options(const struct sink *s, const struct net_url *u, struct failure *e)
{
	static const char *const known[] = {"starttls", "connections", "timeout"};

	for (unsigned i = 0; i < u->noptions; i++) {
		bool found = false;

		for (size_t k = 0; k < sizeof(known) / sizeof(known[0]); k++)
			found = found || strcmp(u->options[i].key, known[k]) == 0;
		if (!found)
			return err_set(e, ERR_CONFIG,
			               "%s: '%s' is no option of a mail server; known are "
			               "starttls, connections and timeout",
			               s->url, u->options[i].key);
	}
	return ERR_NONE;
}

/* The name we greet with: what the path says, else the domain of our address. */
static enum err read_helo(const struct sink *s, const struct net_url *u, const char **out,
                          struct failure *e)
{
	const char *at = strrchr(s->settings->address, '@');
	size_t n = strspn(u->path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                           "0123456789.-");

	if (u->path[n] != '\0')
		return err_set(e, ERR_CONFIG,
		               "%s: behind the host may stand the host name we greet with, "
		               "and nothing else",
		               s->url);
	*out = n > 0 ? u->path : at ? at + 1 : "localhost";
	return ERR_NONE;
}

static enum err read_url(struct sink *s, struct smtp_sink *m, const char *rest,
                         struct failure *e)
{
	unsigned timeout_s = TIMEOUT_S, connections = 1;
	const char *helo = NULL;
	struct strbuf name = STRBUF_INIT;
	enum err r = net_url_parse(s->url, rest, &m->url, e);

	if (r == ERR_NONE)
		r = check_options(s, &m->url, e);
	if (r == ERR_NONE)
		r = read_starttls(s, m, e);
	if (r == ERR_NONE)
		r = read_number(s, &m->url, "connections", 1, SINK_CONNECTIONS_MAX,
		                &connections, e);
	if (r == ERR_NONE)
		r = read_number(s, &m->url, "timeout", TIMEOUT_MIN_S, TIMEOUT_MAX_S, &timeout_s,
		                e);
	if (r == ERR_NONE)
		r = read_helo(s, &m->url, &helo, e);
	if (r != ERR_NONE)
		return r;
	/* Without a port: 465 with TLS; a login is what 587 is for; else 25. */
	m->server.port = m->url.port    ? m->url.port
	                 : is_smtps(s)  ? 465
	                 : *m->url.user ? 587
	                                : 25;
	m->server.scheme = s->driver->scheme;
	m->server.host = m->url.host;
	m->server.helo = helo;
	m->server.user = m->url.user;
	m->server.timeout_s = timeout_s;
	strbuf_addf(&name, "%s%s%s", m->url.user, *m->url.user ? "@" : "", m->url.host);
	m->server.name = strbuf_detach(&name);
	m->connections = connections;
	s->batch = (size_t)BATCH_LEAST * connections;
	return ERR_NONE;
}

/* ------------------------------------------------------------------ the driver */

static enum err smtp_sink_open(struct sink *s, const char *rest, struct failure *e)
{
	struct smtp_sink *m = xcalloc(1, sizeof(*m));

	s->state = m;
	m->server.login.secret = (struct strbuf)STRBUF_INIT;
	return read_url(s, m, rest, e);
}

static void smtp_sink_close(struct sink *s)
{
	struct smtp_sink *m = s->state;

	sender_pool_free(m->sender_pool);
	login_release(&m->server.login);
	net_url_release(&m->url);
	free(m->server.name);
	free(m);
}

static enum err smtp_sink_ready(struct sink *s, struct failure *e)
{
	struct smtp_sink *m = s->state;
	enum err r = ERR_NONE;

	do {
		if (!m->sender_pool) {
			login_release(&m->server.login);
			if (*m->url.user)
				r = oauth_login_get(s->settings, m->url.user, m->url.host,
				                    &m->server.login, e);
			if (r != ERR_NONE)
				return r;
			m->sender_pool = sender_pool_new(s, &m->server, m->connections);
		}
		r = sender_pool_ready(m->sender_pool, e);
		if (r != ERR_DENIED || !oauth_login_refused(&m->server.login))
			return r;
		/* A token that should be good is not: with another one, once. */
		sender_pool_free(m->sender_pool);
		m->sender_pool = NULL;
	} while (true);
}

static void smtp_sink_start(struct sink *s)
{
	struct smtp_sink *m = s->state;

	ENSURE(m->sender_pool != NULL);
	m->began_ms = clock_monotonic_ms();
	sender_pool_start(m->sender_pool);
}

static void tune_batch(struct sink *s, const struct smtp_sink *m)
{
	int64_t took_ms = clock_monotonic_ms() - m->began_ms;

	if (took_ms < BATCH_QUICK_MS && s->batch < (size_t)BATCH_MOST * m->connections)
		s->batch *= 2;
	else if (took_ms > BATCH_SLOW_MS && s->batch > (size_t)BATCH_LEAST * m->connections)
		s->batch /= 2;
}

static enum err smtp_sink_finish(struct sink *s, struct failure *e)
{
	struct smtp_sink *m = s->state;
	enum err r = sender_pool_finish(m->sender_pool, e);

	tune_batch(s, m);
	return r;
}

const struct sink_driver sink_smtp = {
    .scheme = "smtp",
    .open = smtp_sink_open,
    .close = smtp_sink_close,
    .ready = smtp_sink_ready,
    .start = smtp_sink_start,
    .finish = smtp_sink_finish,
};

const struct sink_driver sink_smtps = {
    .scheme = "smtps",
    .open = smtp_sink_open,
    .close = smtp_sink_close,
    .ready = smtp_sink_ready,
    .start = smtp_sink_start,
    .finish = smtp_sink_finish,
};
