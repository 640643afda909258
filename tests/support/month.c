/*
 * month.c - weeks in the life of a server, with players who read their mail once a day.
 */
#include "tests/support/month.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/env.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "tests/support/crowd.h"
#include "tests/support/play.h"
#include "tests/support/testbed_parts.h"

enum { HOUR_S = 3600, DAY_H = 24, AWAY_FROM_DAY = 8, AWAY_DAYS = 9 };

enum temper {
	DAILY,
	FORGETS, /* every second day */
	GOES_AWAY
};

struct reader {
	char name[16];
	unsigned mode;
	enum temper temper;
	unsigned hour; /* of the day at which he reads */
	struct post **waiting;
	size_t nwaiting, cap;
	unsigned mails;
};

struct month {
	const struct month_plan *plan;
	struct month_count *counts;
	struct testbed *s;
	struct reader *readers;
	uint64_t dice;
	unsigned hours; /* since the games began */
};

static struct reader *reader_named(struct month *m, const char *who)
{
	unsigned i;

	if (who[0] != 'p' || !num_parse_uint(span_of(who + 1), 0, m->plan->players - 1, &i))
		BUG("a mail to %s", who);
	return &m->readers[i];
}

/* ---- what they write ---- */

static void add_orders(struct month *m, struct strbuf *out)
{
	unsigned hole = play_draw(&m->dice, 8) + 1;

	strbuf_addf(out, "popup %u %u, whack %u", hole, hole + 1, play_draw(&m->dice, 9) + 1);
}

/* The form as a mail program quotes it, each bracket replaced. False when there is none. */
static bool fill_in_form(struct month *m, const char *text, struct strbuf *out)
{
	struct span rest = span_of(text), line;
	bool found = false;

	while (span_next_line(&rest, &line) && !span_starts(line, "#####")) {
		if (span_starts(line, "  |  (your orders for ") &&
		    span_find(line, SPAN_LIT("are stored")) == line.len) {
			strbuf_adds(out, ">   | ");
			add_orders(m, out);
			found = true;
		} else {
			strbuf_addf(out, "> %.*s", SPAN_ARGS(line));
		}
		strbuf_addc(out, '\n');
	}
	return found;
}

/* As often for a game whether it stands in a digest or in a mail of its own. */
static void add_more(struct month *m, const struct reader *r, bool hash, struct strbuf *out)
{
	unsigned what = play_draw(&m->dice, 20);

	if (what < 5 && hash) /* the game he has created */
		strbuf_addf(out, "\nsignon w%u\n", (unsigned)(r - m->readers) + 1);
	if (what < 4)
		strbuf_adds(out, "\nbroadcast\nWell played!\nendbroadcast");
	else if (what == 4)
		strbuf_adds(out, "\nwhack 77");
}

static void answer(struct month *m, const struct reader *r, const struct post *p)
{
	struct strbuf text = STRBUF_INIT;
	bool hash = strncmp(p->subject, "[digest", 7) == 0;

	if (!hash)
		add_orders(m, &text);
	if (!hash || fill_in_form(m, p->text, &text)) {
		for (unsigned game = hash ? 3 : 1; game > 0; game--)
			add_more(m, r, hash, &text);
		testbed_reply_to(m->s, r->name, p, text.ptr);
	}
	strbuf_release(&text);
}

static bool asks_for_orders(const struct post *p)
{
	return strstr(p->subject, "orders due") != NULL ||
	       strstr(p->subject, "your orders") != NULL;
}

static bool reads_today(const struct month *m, const struct reader *r)
{
	unsigned day = m->hours / DAY_H;

	switch (r->temper) {
	case FORGETS:
		return day % 2 == 0;
	case GOES_AWAY:
		return day < AWAY_FROM_DAY || day >= AWAY_FROM_DAY + AWAY_DAYS;
	case DAILY:
		break;
	}
	return true;
}

static void forget_mails(struct reader *r)
{
	for (size_t i = 0; i < r->nwaiting; i++)
		post_free(r->waiting[i]);
	r->nwaiting = 0;
}

/* "[W12 turn 3]" and "[W12 turn 4]" are one, and so are all digests. */
static bool is_same_game(const struct post *a, const struct post *b)
{
	size_t n = strcspn(a->subject, " ");

	return strncmp(a->subject, b->subject, n + 1) == 0;
}

/* Of what asks for orders the newest is answered. */
static void read_mails(struct month *m, struct reader *r)
{
	for (size_t i = 0; i < r->nwaiting; i++) {
		bool newest = asks_for_orders(r->waiting[i]);

		for (size_t k = i + 1; k < r->nwaiting && newest; k++)
			newest = !asks_for_orders(r->waiting[k]) ||
			         !is_same_game(r->waiting[i], r->waiting[k]);
		if (newest)
			answer(m, r, r->waiting[i]);
	}
	forget_mails(r);
}

/* ---- mails that come ---- */

static void take(struct month *m, struct post *p, bool counts)
{
	struct reader *r = reader_named(m, p->who);
	bool reminds = strstr(p->text, "This is a reminder:") != NULL;

	r->mails += counts;
	m->counts[r->mode].reminders += counts && reminds;
	r->waiting = xgrow(r->waiting, &r->cap, r->nwaiting + 1, sizeof(struct post *));
	r->waiting[r->nwaiting++] = p;
}

/* The testbed forgets what it has collected: a month of mails would not fit. */
static void run(struct month *m, bool counts)
{
	testbed_run(m->s);
	for (size_t i = 0; i < m->s->nposts; i++) {
		if (m->plan->each)
			m->plan->each(m->plan->ctx, m->s->posts[i]);
		take(m, m->s->posts[i], counts);
	}
	m->s->nposts = 0;
}

/* ---- the month ---- */

static unsigned player_at(const struct month *m, unsigned game, unsigned seat)
{
	static const unsigned steps[] = {0, 1, 5};

	return (game + steps[seat]) % m->plan->players;
}

static void gather(struct month *m)
{
	static const char *const modes[] = {"set mail all", "set mail round",
	                                    "set mail digest"};
	char line[32];

	for (unsigned i = 0; i < m->plan->players; i++)
		testbed_write(m->s, m->readers[i].name,
		              "create whakka mole players 3 next 3D target=200");
	run(m, false);
	for (unsigned i = 0; i < m->plan->players; i++)
		testbed_write(m->s, m->readers[i].name, modes[m->readers[i].mode]);
	run(m, false);
	for (unsigned game = 0; game < m->plan->players; game++)
		for (unsigned seat = 1; seat <= 2; seat++) {
			snprintf(line, sizeof(line), "join w%u", game + 1);
			testbed_write(m->s, m->readers[player_at(m, game, seat)].name, line);
		}
	run(m, false);
}

static void make_readers(struct month *m)
{
	m->readers = xcalloc(m->plan->players, sizeof(*m->readers));
	for (unsigned i = 0; i < m->plan->players; i++) {
		struct reader *r = &m->readers[i];
		unsigned temper = i / MONTH_MODES % 6;

		snprintf(r->name, sizeof(r->name), "p%u", i);
		r->mode = i % MONTH_MODES;
		r->hour = (7 + i * 5) % DAY_H;
		if (!m->plan->all_daily)
			r->temper = temper == 4 ? FORGETS : temper == 5 ? GOES_AWAY : DAILY;
	}
}

static void live(struct month *m)
{
	for (; m->hours < m->plan->days * DAY_H; m->hours += m->plan->step_hours) {
		for (unsigned i = 0; i < m->plan->players; i++) {
			struct reader *r = &m->readers[i];
			unsigned since = (m->hours + DAY_H - r->hour) % DAY_H;
			if (since < m->plan->step_hours && reads_today(m, r))
				read_mails(m, r);
		}
		run(m, true);
		testbed_wait(m->s, m->plan->step_hours * HOUR_S);
	}
}

static unsigned missed_by(const struct month *m, const struct reader *r)
{
	char sql[160];

	snprintf(sql, sizeof(sql),
	         "SELECT coalesce(sum(missed_all), 0) FROM seats JOIN players p ON p.id IN "
	         "(player, former)"
	         " WHERE address = '%s@example.net'",
	         r->name);
	return (unsigned)crowd_number(m->s, sql);
}

static void count(struct month *m)
{
	for (unsigned i = 0; i < m->plan->players; i++) {
		const struct reader *r = &m->readers[i];
		struct month_count *c = &m->counts[r->mode];
		unsigned missed = missed_by(m, r);

		c->mails += r->mails;
		c->most = r->mails > c->most ? r->mails : c->most;
		c->least = c->players == 0 || r->mails < c->least ? r->mails : c->least;
		c->players++;
		if (r->temper == DAILY)
			c->missed_daily += missed;
		else
			c->missed_others += missed;
	}
}

/* MONTH_SAVE=FILE: all that the database holds at the end, its seals opened; same-month.sh compares. */
static void save(struct testbed *s)
{
	const char *path = env_get("MONTH_SAVE");
	struct strbuf dump = STRBUF_INIT;
	struct failure e = ERR_INIT;

	if (path) {
		testbed_dump(s, &dump);
		if (file_create(path, strbuf_span(&dump), &e) != ERR_NONE)
			BUG("%s", e.text.ptr);
	}
	strbuf_release(&dump);
	err_release(&e);
}

void month_play(const struct month_plan *plan, struct month_count counts[MONTH_MODES],
                unsigned *turns)
{
	struct month m = {
	    .plan = plan, .counts = counts, .s = testbed_new("a month"), .dice = 42};

	memset(counts, 0, MONTH_MODES * sizeof(*counts));
	make_readers(&m);
	gather(&m);
	live(&m);
	count(&m);
	*turns = (unsigned)crowd_number(
	    m.s, "SELECT count(*) FROM turns WHERE state = 3 AND serial > 0");
	for (unsigned i = 0; i < plan->players; i++) {
		forget_mails(&m.readers[i]);
		free(m.readers[i].waiting);
	}
	free(m.readers);
	save(m.s);
	testbed_free(m.s);
}
