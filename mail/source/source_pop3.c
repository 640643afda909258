/*
 * source_pop3.c - mail on a POP3 server.
 *
 * A mail's identity is its UIDL. It is deleted after it has been dealt with and nothing of it is
 * kept, so a restored backup cannot be brought up to date from here. What is remembered between
 * runs, one fact a line:
 *
 *	first 1773338400 UIDL    when a mail without a Received field was first seen
 *	tries 2 UIDL             it could not be fetched in this many runs
 */
#include <stdlib.h>
#include <string.h>

#include "mail/source/facts.h"
#include "mail/source/source_net.h"
#include "processor/base/clock.h"
#include "processor/base/num.h"
#include "processor/base/step.h"

enum { FACTS_MAX = 20000 };

struct pop3_source {
	struct net_source net; /* first, as source_net.h says */
	struct facts facts;
	struct strbuf to_delete; /* UIDLs, a blank behind each */
};

static enum err pop3_source_open(struct source *s, const char *rest, struct failure *e)
{
	struct pop3_source *p = xcalloc(1, sizeof(*p));

	s->state = p;
	strbuf_init(&p->to_delete);
	return net_open(&p->net, s, rest, e);
}

static void pop3_source_close(struct source *s)
{
	struct pop3_source *p = s->state;

	if (!p)
		return;
	net_close(&p->net);
	facts_release(&p->facts);
	strbuf_release(&p->to_delete);
	free(p);
}

/* ---- what is remembered ---- */

static bool read_fact(struct pop3_source *p, struct span line)
{
	struct span key, number, uidl;
	int64_t n;

	if (!span_next_word(&line, "", &key) || !span_next_word(&line, "", &number) ||
	    !span_next_word(&line, "", &uidl) || !num_parse_i64(number, 1, INT64_MAX, &n))
		return false;
	if (span_eq_str(key, "first"))
		facts_need(&p->facts, uidl)->first_utc = n;
	else if (span_eq_str(key, "tries") && n <= SOURCE_MOST_TRIES)
		facts_need(&p->facts, uidl)->tries = (unsigned)n;
	else
		return false;
	return true;
}

static bool pop3_source_resume(struct source *s, struct span state)
{
	struct span line;
	bool ok = true;

	while (ok && span_next_line(&state, &line))
		ok = read_fact(s->state, line);
	return ok;
}

static void pop3_source_note(struct source *s, const struct source_mail *const *done, size_t n,
                             struct strbuf *out)
{
	const struct pop3_source *p = s->state;

	for (size_t i = 0; i < p->facts.n; i++) {
		const struct fact *f = &p->facts.items[i];

		if (fact_is_of(f, done, n))
			continue;
		if (f->first_utc > 0)
			strbuf_addf(out, "first %lld %s\n", (long long)f->first_utc, f->name);
		if (f->tries > 0)
			strbuf_addf(out, "tries %u %s\n", f->tries, f->name);
	}
}

/* ---- listing ---- */

static void name_mails(struct pop3_source *p)
{
	int64_t now_utc = clock_now_utc();

	for (size_t i = 0; i < p->net.n; i++) {
		struct net_mail *m = &p->net.mails[i];

		m->id = xstrdup(m->name);
		if (m->arrived_utc > 0 || p->facts.n == FACTS_MAX)
			continue;
		struct fact *f = facts_need(&p->facts, span_of(m->name));
		if (f->first_utc == 0)
			f->first_utc = now_utc;
		m->arrived_utc = f->first_utc;
	}
}

static enum err pop3_source_next(struct source *s, size_t max, struct arena *arena,
                                 struct source_mail **out, size_t *n, bool *complete,
                                 struct failure *e)
{
	struct pop3_source *p = s->state;
	uint32_t validity;

	net_forget(&p->net);
	TRY(net_list(&p->net, FETCH_INBOX, 0, SPAN_EMPTY, max, complete, &validity, e));
	name_mails(p);
	/* Facts about mails that are not there any more are of no use to anybody. */
	for (size_t i = *complete ? p->facts.n : 0; i > 0; i--)
		if (!net_find(&p->net, span_of(p->facts.items[i - 1].name)))
			facts_drop(&p->facts, span_of(p->facts.items[i - 1].name));
	for (size_t i = p->net.n; i > 0; i--) {
		const struct fact *f = facts_find(&p->facts, span_of(p->net.mails[i - 1].id));

		if (f && f->counted)
			net_drop(&p->net, i - 1);
	}
	*n = net_offer(&p->net, max, arena, out);
	return ERR_NONE;
}

/* ---- one mail ---- */

static enum err pop3_source_fetch(struct source *s, const struct source_mail *mail, size_t max,
                                  struct strbuf *raw, struct failure *e)
{
	struct pop3_source *p = s->state;
	struct net_mail *found = net_find(&p->net, mail->id);
	enum err r;

	if (!found)
		return err_set(e, ERR_NOT_FOUND, "mail %.*s is not there", SPAN_ARGS(mail->id));
	r = net_fetch(&p->net, found, max, raw, e);
	if (r != ERR_INVALID)
		return r;
	if (facts_count_try(&p->facts, mail->id) < SOURCE_MOST_TRIES)
		return r;
	return err_set(e, ERR_CORRUPT, "the server did not give it in %d runs",
	               SOURCE_MOST_TRIES);
}

static enum err pop3_source_settle(struct source *s, const struct source_mail *mail,
                                   struct failure *e)
{
	struct pop3_source *p = s->state;

	(void)e;
	facts_drop(&p->facts, mail->id);
	strbuf_add_span(&p->to_delete, mail->id);
	strbuf_addc(&p->to_delete, ' ');
	return ERR_NONE;
}

static enum err pop3_source_sync(struct source *s, struct failure *e)
{
	struct pop3_source *p = s->state;

	if (p->to_delete.len == 0)
		return ERR_NONE;
	TRY(net_settle(&p->net, 0, strbuf_span(&p->to_delete), NULL, NULL, e));
	strbuf_clear(&p->to_delete);
	step("source: settled");
	step("source: synced");
	return ERR_NONE;
}

#define POP3_DRIVER(name)                                                                 \
	{                                                                                 \
		.scheme = (name), .open = pop3_source_open, .close = pop3_source_close,   \
		.next = pop3_source_next, .fetch = pop3_source_fetch,                     \
		.settle = pop3_source_settle, .sync = pop3_source_sync, .poll = net_poll, \
		.resume = pop3_source_resume, .is_here = net_is_here,                     \
		.note = pop3_source_note, .start = net_start                              \
	}

const struct source_driver source_pop3s = POP3_DRIVER("pop3s");
const struct source_driver source_pop3 = POP3_DRIVER("pop3");
