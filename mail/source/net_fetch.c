/*
 * net_fetch.c - mails from a listing, in sets, whatever the connection does.
 */
#include <string.h>

#include "mail/source/source_net.h"

enum {
	SET_MAX = 100,
	SET_BYTES = 1 << 20,
	HELD_BYTES = 4 << 20, /* waiting to be handed out: then no more is asked for ahead */
	LOSSES_PER_MAIL = 2,
	LOSSES_PER_RUN = 40
};

/* What was under way is as if it had never been asked for. */
void net_stop(struct net_source *n)
{
	fetcher_stop(n->fetcher);
	for (size_t k = 0; k < n->nasked; k++)
		for (size_t i = 0; i < n->asked[k].n; i++) {
			struct net_mail *m = &n->mails[n->asked[k].first + i];

			if (m->stage == NET_ASKED)
				m->stage = NET_LISTED;
		}
	n->nasked = 0;
}

/* ---- asking ---- */

/* How many mails from `first` on go into one set. */
static size_t size_of_set(const struct net_source *n, size_t first, size_t max)
{
	const struct net_mail *m = &n->mails[first];
	size_t count = 0, bytes = 0;

	while (first + count < n->n && count < n->set_max && m[count].stage == NET_LISTED &&
	       m[count].folder == m->folder && (count == 0 || bytes < SET_BYTES)) {
		bytes += m[count].size < max && m[count].size > 0 ? m[count].size : max;
		if (count > 0 && bytes > SET_BYTES)
			break;
		count++;
	}
	return count;
}

static enum err ask(struct net_source *n, size_t first, size_t max, struct failure *e)
{
	struct net_set set = {first, size_of_set(n, first, max)};
	struct strbuf body = STRBUF_INIT;
	enum err r;

	packet_add_u32(&body, n->mails[first].folder);
	packet_add_u32(&body, max < UINT32_MAX ? max : UINT32_MAX);
	packet_add_u32(&body, set.n);
	for (size_t i = 0; i < set.n; i++) {
		struct net_mail *m = &n->mails[first + i];

		packet_add_span(&body, span_of(m->name));
		packet_add_u32(&body, m->size > max || m->size == 0);
		m->stage = NET_ASKED;
	}
	n->asked_max = max;
	n->asked[n->nasked++] = set;
	n->ask_next = first + set.n;
	r = fetcher_request(n->fetcher, FETCH_MAILS, strbuf_span(&body), e);
	strbuf_release(&body);
	return r;
}

/* Keeps the child busy: some sets from ask_next on. */
static enum err ask_some(struct net_source *n, size_t max, struct failure *e)
{
	enum err r = ERR_NONE;

	while (r == ERR_NONE && n->nasked < NET_AHEAD &&
	       (n->nasked == 0 || n->held_bytes < HELD_BYTES)) {
		while (n->ask_next < n->n && n->mails[n->ask_next].stage != NET_LISTED)
			n->ask_next++;
		if (n->ask_next == n->n)
			break;
		r = ask(n, n->ask_next, max, e);
	}
	return r;
}

/* The set with `m`, and some behind it. */
static enum err ask_ahead(struct net_source *n, const struct net_mail *m, size_t max,
                          struct failure *e)
{
	size_t wanted = (size_t)(m - n->mails);

	/* It was passed over: what is under way comes in first. */
	if (m->stage == NET_LISTED && wanted < n->ask_next && n->nasked > 0)
		return ERR_NONE;
	if (m->stage == NET_LISTED && n->nasked == 0)
		n->ask_next = wanted;
	return ask_some(n, max, e);
}

/* ---- answers ---- */

static struct net_mail *find_asked(struct net_source *n, struct span name)
{
	for (size_t i = 0; i < n->asked[0].n; i++) {
		struct net_mail *m = &n->mails[n->asked[0].first + i];

		if (m->stage == NET_ASKED && span_eq_str(name, m->name))
			return m;
	}
	return NULL;
}

/* Of a mail whose size was not known the beginning may have been all. */
static void take_mail(struct net_source *n, struct packet_cursor *c)
{
	struct net_mail *m = find_asked(n, packet_take_span(c));
	uint32_t cut = packet_take_u32(c, 1);
	struct span raw = packet_take_span(c);

	if (!m || c->bad)
		return;
	m->cut = cut == 1 && (m->size > 0 || raw.len >= n->asked_max);
	m->stage = NET_HERE;
	strbuf_add_span(&m->raw, raw);
	n->held_bytes += raw.len;
}

/* What has come of the mails of the oldest set that were not answered. */
static void end_set(struct net_source *n, enum net_stage unanswered)
{
	for (size_t i = 0; i < n->asked[0].n; i++) {
		struct net_mail *m = &n->mails[n->asked[0].first + i];

		if (m->stage == NET_ASKED)
			m->stage = unanswered;
	}
	n->nasked--;
	memmove(n->asked, n->asked + 1, n->nasked * sizeof(n->asked[0]));
}

/* The server said no: of one mail that is its answer, of several each is asked for by itself. */
static void end_refused_set(struct net_source *n)
{
	bool alone = n->asked[0].n == 1;

	if (!alone)
		n->set_max = 1;
	end_set(n, alone ? NET_LACKING : NET_LISTED);
}

/* Smaller sets, down to single mails, find out which one it is. */
static enum err lose(struct net_source *n, enum err why, struct failure *e)
{
	struct net_mail *m = &n->mails[n->asked[0].first];
	bool alone = n->nasked > 0 && n->asked[0].n == 1;

	net_stop(n);
	n->is_open = false;
	n->set_max = n->set_max > 8 ? n->set_max / 8 : 1;
	if (alone && ++m->losses >= LOSSES_PER_MAIL)
		m->stage = NET_LACKING;
	if (++n->losses < LOSSES_PER_RUN)
		return ERR_NONE;
	err_context(e, "%s", n->source->url);
	return why;
}

/* One answer. An error: nothing more can be had now. */
static enum err take_answer(struct net_source *n, struct failure *e)
{
	enum fetch_reply kind = FETCH_DONE;
	struct packet_cursor c;
	enum err r = fetcher_reply(n->fetcher, &kind, &c, e);

	if (r == ERR_INVALID && fetcher_is_running(n->fetcher))
		end_refused_set(n);
	else if (r != ERR_NONE)
		return lose(n, r, e);
	else if (kind == FETCH_MAIL)
		take_mail(n, &c);
	else if (kind == FETCH_LACKING) {
		struct net_mail *m = find_asked(n, packet_take_span(&c));

		if (m)
			m->stage = NET_LACKING;
	} else if (kind == FETCH_DONE) {
		end_set(n, NET_GONE);
		n->set_max = n->set_max * 2 < SET_MAX ? n->set_max * 2 : SET_MAX;
	}
	return ERR_NONE;
}

/* Without waiting: to connect, and to see whether the mailbox is still the same, takes time. */
static bool may_ask(const struct net_source *n)
{
	return n->is_open && fetcher_is_running(n->fetcher) && n->asked_max > 0 &&
	       n->validity == n->listed_validity && n->held_bytes < HELD_BYTES;
}

void net_poll(struct net_source *n)
{
	enum err r = ERR_NONE;

	while (r == ERR_NONE && fetcher_poll(n->fetcher, NULL) && n->nasked > 0)
		r = take_answer(n, NULL);
	if (may_ask(n) && ask_some(n, n->asked_max, NULL) != ERR_NONE)
		net_stop(n);
}

void net_drain(struct net_source *n)
{
	while (n->nasked > 0 && fetcher_is_running(n->fetcher))
		if (take_answer(n, NULL) != ERR_NONE)
			break;
	if (n->nasked > 0)
		net_stop(n);
}

static enum err step_towards(struct net_source *n, const struct net_mail *m, size_t max,
                             struct failure *e)
{
	enum err r = net_connect(n, e);

	if (r == ERR_NONE && n->validity != n->listed_validity)
		return err_set(e, ERR_IO, "%s: the mailbox was made anew while it was read",
		               n->source->url);
	if (r == ERR_NONE)
		r = ask_ahead(n, m, max, e);
	if (r != ERR_NONE && n->nasked > 0)
		return lose(n, r, e);
	if (r != ERR_NONE)
		return r;
	return n->nasked > 0 ? take_answer(n, e) : ERR_NONE;
}

static enum err give(struct net_source *n, struct net_mail *m, size_t max, struct strbuf *raw,
                     struct failure *e)
{
	struct span all = strbuf_span(&m->raw);
	bool cut = m->cut || all.len > max;

	strbuf_add_span(raw, span_slice(all, 0, max));
	n->held_bytes -= all.len;
	strbuf_release(&m->raw);
	m->stage = NET_GIVEN;
	return cut ? err_set(e, ERR_LIMIT, "mail %s is larger than %zu bytes", m->id, max)
	           : ERR_NONE;
}

bool net_is_here(struct net_source *n, struct span id)
{
	const struct net_mail *m = net_find(n, id);

	return !m || m->stage == NET_HERE || m->stage == NET_LACKING || m->stage == NET_GONE;
}

enum err net_fetch(struct net_source *n, struct net_mail *m, size_t max, struct strbuf *raw,
                   struct failure *e)
{
	if (m->stage == NET_GIVEN)
		m->stage = NET_LISTED;
	while (m->stage == NET_LISTED || m->stage == NET_ASKED) {
		enum err r = step_towards(n, m, max, e);

		if (r != ERR_NONE)
			return r;
	}
	if (m->stage == NET_GONE)
		return err_set(e, ERR_NOT_FOUND, "mail %s is not there any more", m->id);
	if (m->stage == NET_LACKING)
		return err_set(e, ERR_INVALID,
		               "%s: the server lists mail %s but does not give it",
		               n->source->url, m->id);
	return give(n, m, max, raw, e);
}
