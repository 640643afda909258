/*
 * operator.c - what is news to the operator, and the ways it goes.
 */
#include "processor/outgoing/operator.h"

#include <stdlib.h>
#include <string.h>

#include "processor/base/step.h"
#include "processor/base/subprocess.h"
#include "processor/outgoing/outgoing.h"
#include "processor/server/zones.h"
#include "store/operator/troubles.h"

enum { HOUR_S = 3600, DAY_S = 24 * HOUR_S, ALARM_MS = 30 * 1000, LINES_MOST = 50 };

struct known {
	struct trouble row;
	bool seen;      /* in this run */
	bool changed;   /* and not written yet */
	bool in_letter; /* goes out now; its row says so once that is committed */
};

struct operator_news {
	struct server *srv;
	struct arena *arena;
	struct known *known;
	size_t n, cap;
};

static const struct {
	const char *name;
	const char *begun, *over; /* subjects */
} lasting[] = {
    [TROUBLE_UNREAD] = {"unread", "mail cannot be read", "mail can be read again"},
    [TROUBLE_UNSENT] = {"unsent", "mail cannot be sent", "mail can be sent again"},
    [TROUBLE_CLOCK] = {"clock", "the clock of the machine is wrong",
                       "the clock of the machine is right again"},
};
enum { NLASTING = sizeof(lasting) / sizeof(lasting[0]) };

static bool is_lasting(const struct trouble *t, size_t *which)
{
	for (*which = 0; *which < NLASTING; (*which)++)
		if (span_eq_str(t->name, lasting[*which].name))
			return true;
	return false;
}

/* ---- what is news ---- */

static struct known *find(struct operator_news *o, struct span name)
{
	for (size_t i = 0; i < o->n; i++)
		if (span_eq(o->known[i].row.name, name))
			return &o->known[i];
	return NULL;
}

static struct known *add(struct operator_news *o, struct trouble row)
{
	o->known = xgrow(o->known, &o->cap, o->n + 1, sizeof(*o->known));
	o->known[o->n] = (struct known){.row = row};
	return &o->known[o->n++];
}

static void say(struct operator_news *o, struct known *k, struct span line, bool is_over)
{
	k->row.line = arena_dup(o->arena, line);
	k->row.told_utc = o->srv->now_utc;
	k->row.sent_utc = 0;
	k->row.is_over = is_over;
	k->changed = true;
}

/* Said so long ago; or in the future, by a run whose clock was wrong. */
static bool was_said_long_ago(const struct operator_news *o, const struct trouble *t,
                              int64_t seconds)
{
	int64_t age_s = o->srv->now_utc - t->told_utc;

	return age_s < 0 || age_s >= seconds;
}

/* False: it is news, and noted as such. */
static bool is_known(struct operator_news *o, struct span name, struct span line, bool event)
{
	int64_t now_utc = o->srv->now_utc;
	struct known *k = find(o, name);
	bool news = true;

	if (k == NULL)
		k = add(o, (struct trouble){.name = arena_dup(o->arena, name),
		                            .since_utc = now_utc});
	else if (event)
		k->row.since_utc = now_utc;
	else if (k->row.is_over)
		news = was_said_long_ago(o, &k->row, HOUR_S);
	else
		news = was_said_long_ago(o, &k->row, DAY_S);
	if (news && k->row.is_over)
		k->row.since_utc = now_utc;
	k->seen = true;
	if (news)
		say(o, k, line, false);
	return !news && !o->srv->show_progress;
}

static bool line_is_known(void *ctx, struct span line, bool event)
{
	return is_known(ctx, line, line, event);
}

void operator_warn(struct operator_news *o, enum lasting_trouble what, const char *line)
{
	struct log *log = o->srv->log;

	log->is_known = NULL; /* it has a name of its own */
	if (is_known(o, span_of(lasting[what].name), span_of(line), false))
		log_info(log, "%s", line);
	else
		log_warnx(log, "%s", line);
	log->is_known = line_is_known;
}

static const char *over_line(struct arena *arena, enum lasting_trouble what, const char *since)
{
	switch (what) {
	case TROUBLE_UNREAD:
		return arena_printf(arena,
		                    "Mail can be read again, and deadlines are acted on. It "
		                    "could not be read since %s. If that is longer than outage "
		                    "in molepost.conf, players get the time back.",
		                    since);
	case TROUBLE_UNSENT:
		return arena_printf(
		    arena,
		    "Mail can be sent again. It could not be sent since %s. If that is longer "
		    "than outage in molepost.conf, players get the time back.",
		    since);
	case TROUBLE_CLOCK:
		break;
	}
	return arena_printf(arena,
	                    "The clock of the machine is right again, and deadlines are acted "
	                    "on. It was wrong since %s.",
	                    since);
}

void operator_is_over(struct operator_news *o, enum lasting_trouble what)
{
	struct known *k = find(o, span_of(lasting[what].name));

	if (k == NULL || k->row.is_over)
		return;
	const char *since = zone_human(NULL, k->row.since_utc, o->arena);
	say(o, k, span_of(over_line(o->arena, what, since)), true);
}

enum err operator_new(struct server *srv, struct operator_news **out)
{
	struct operator_news *o = xcalloc(1, sizeof(*o));
	struct trouble *rows;
	size_t n;

	*out = o;
	o->srv = srv;
	o->arena = arena_new();
	srv->log->is_known = line_is_known;
	srv->log->ctx = o;
	TRY(trouble_list(srv->store, o->arena, &rows, &n));
	for (size_t i = 0; i < n; i++)
		(void)add(o, rows[i]);
	return ERR_NONE;
}

void operator_free(struct operator_news *o)
{
	if (!o)
		return;
	o->srv->log->is_known = NULL;
	arena_free(o->arena);
	free(o->known);
	free(o);
}

/* ---- mail and alarm ---- */

/* What stops clocks goes at once, all else an hour after the last. */
static bool is_due(const struct operator_news *o)
{
	int64_t last_utc = 0;
	bool waits = false, urgent = false;
	size_t which;

	for (size_t i = 0; i < o->n; i++) {
		const struct trouble *t = &o->known[i].row;

		waits = waits || t->sent_utc == 0;
		urgent = urgent || (t->sent_utc == 0 && is_lasting(t, &which));
		last_utc = t->sent_utc > last_utc ? t->sent_utc : last_utc;
	}
	return urgent ||
	       (waits && (o->srv->now_utc - last_utc >= HOUR_S || o->srv->now_utc < last_utc));
}

/* The trouble that lasts, or its end; else how many lines there are. */
static const char *subject(const struct operator_news *o, size_t nlines)
{
	size_t which;

	for (size_t i = 0; i < o->n; i++)
		if (o->known[i].row.sent_utc == 0 && is_lasting(&o->known[i].row, &which))
			return o->known[i].row.is_over ? lasting[which].over
			                               : lasting[which].begun;
	return nlines == 1 ? "one thing to see to"
	                   : arena_printf(o->arena, "%llu things to see to",
	                                  (unsigned long long)nlines);
}

/* The words of an alarm, and of a mail. */
struct letter {
	const char *subject;
	const char *paragraphs[LINES_MOST + 3];
	size_t n;
};

/* Of every line that has not gone out yet. */
static struct letter write_letter(struct operator_news *o)
{
	struct letter l = {.n = 0};
	bool lasts = false;
	size_t all = 0, which;

	for (size_t i = 0; i < o->n; i++) {
		struct known *k = &o->known[i];

		if (k->row.sent_utc != 0)
			continue;
		k->in_letter = true;
		lasts = lasts || (!k->row.is_over && is_lasting(&k->row, &which));
		if (++all <= LINES_MOST)
			l.paragraphs[l.n++] = arena_cstr(o->arena, k->row.line);
	}
	l.subject =
	    arena_printf(o->arena, "molepost %s: %s", o->srv->cfg.instance, subject(o, all));
	if (all > LINES_MOST)
		l.paragraphs[l.n++] = arena_printf(o->arena,
		                                   "molepost log has %llu lines more.",
		                                   (unsigned long long)(all - LINES_MOST));
	l.paragraphs[l.n++] = lasts
	                          ? "molepost doctor says what to do. As long as it lasts you "
	                            "are told again once a day."
	                          : "molepost doctor says what is wrong now and what to do.";
	return l;
}

static enum err post(struct operator_news *o, const struct letter *l)
{
	struct report_out out = REPORT_OUT_INIT;
	const char *key =
	    arena_printf(o->arena, "%lld %s", (long long)o->srv->now_utc, l->paragraphs[0]);

	report_notice(
	    &(struct report_notice){.subject = l->subject, .paragraphs = l->paragraphs}, &out);
	enum err rc =
	    outgoing_add(o->srv,
	                 &(struct outgoing){.kind = "operator",
	                                    .key = key,
	                                    .address = span_of(o->srv->cfg.operator_address),
	                                    .exactly = true,
	                                    .report = &out},
	                 o->arena);
	report_out_release(&out);
	return rc;
}

/* Over for a day, or a line that has not come again. */
static bool is_old(const struct operator_news *o, const struct known *k)
{
	size_t which;

	return !k->seen && was_said_long_ago(o, &k->row, DAY_S) &&
	       (k->row.is_over || !is_lasting(&k->row, &which));
}

static enum err write_rows(struct operator_news *o)
{
	for (size_t i = 0; i < o->n; i++) {
		const struct known *k = &o->known[i];
		struct trouble row = k->row;

		if (k->in_letter)
			row.sent_utc = o->srv->now_utc;
		if (is_old(o, k))
			TRY(trouble_drop(o->srv->store, row.name));
		else if (k->changed || k->in_letter)
			TRY(trouble_put(o->srv->store, &row));
	}
	return ERR_NONE;
}

static bool has_work(const struct operator_news *o)
{
	for (size_t i = 0; i < o->n; i++)
		if (o->known[i].changed || is_old(o, &o->known[i]))
			return true;
	return false;
}

static enum err write_all(struct operator_news *o, const struct letter *letter)
{
	TRY(store_begin(o->srv->store));
	enum err rc = letter->n > 0 && o->srv->cfg.operator_address ? post(o, letter)
	                                                            : ERR_NONE;
	if (rc == ERR_NONE)
		rc = write_rows(o);
	return store_end(o->srv->store, rc);
}

enum err operator_tell(struct operator_news *o)
{
	const struct config *cfg = &o->srv->cfg;
	bool due = (cfg->operator_address || cfg->alarm) && is_due(o);
	struct letter letter = {.n = 0};
	enum err rc = ERR_NONE;

	if (!due && !has_work(o))
		return ERR_NONE;
	if (due)
		letter = write_letter(o);
	/* An alarm that cannot be noted would be given by each run, and the transaction is not kept open for it. */
	if (due && cfg->alarm) {
		rc = store_begin(o->srv->store);
		store_rollback(o->srv->store);
	}
	if (due && cfg->alarm && rc == ERR_NONE) {
		const char *const argv[] = {o->srv->cfg.alarm, letter.subject, NULL};
		struct strbuf text = STRBUF_INIT, heard = STRBUF_INIT;
		struct failure e = ERR_INIT;
		int code = 0;

		for (size_t i = 0; i < letter.n; i++)
			strbuf_addf(&text, "%s\n", letter.paragraphs[i]);
		/* If it fails, that is one line more. */
		if (subprocess_run(argv, strbuf_span(&text), 0, ALARM_MS, &heard, &code, &e) !=
		    ERR_NONE)
			log_warnx(o->srv->log, "the alarm could not be given: %s", e.text.ptr);
		else if (code != 0)
			log_warnx(o->srv->log, "the alarm could not be given: %s ended with %d",
			          o->srv->cfg.alarm, code);
		err_release(&e);
		strbuf_release(&heard);
		strbuf_release(&text);
		step("alarm given");
	}
	if (rc == ERR_NONE)
		rc = write_all(o, &letter);
	/* Kept as the database has it now, or as before if nothing was written. */
	size_t kept = 0;
	bool written = rc == ERR_NONE;
	for (size_t i = 0; i < o->n; i++) {
		struct known k = o->known[i];

		if (written && is_old(o, &k))
			continue;
		if (written && k.in_letter)
			k.row.sent_utc = o->srv->now_utc;
		k.changed = k.changed && !written;
		k.in_letter = false;
		o->known[kept++] = k;
	}
	o->n = kept;
	return rc;
}
