/*
 * outage.c - the pulse of the server, and clocks that get lost time back.
 */
#include "processor/turns/outage.h"

#include "processor/base/step.h"
#include "processor/match/match_clock.h"
#include "processor/server/zones.h"
#include "processor/turns/batch.h"
#include "store/audit.h"
#include "store/operator/outages.h"
#include "store/outbox.h"

/* Runs are noted no more often than this, so that most idle ones write nothing. */
enum { NOTE_EVERY_S = 10 * 60, ALIKE_ENOUGH = 12 };

/* ---- pure ---- */

static bool about_alike(int64_t a, int64_t b)
{
	return a <= 2 * b && b <= 2 * a;
}

static int64_t longest_usual(const struct outage_rules *rules, int64_t usual_s)
{
	return 2 * usual_s > rules->least_s ? 2 * usual_s : rules->least_s;
}

/* Whether so long without a run is an outage. */
static bool is_lost(struct pulse *p, const struct outage_rules *rules, int64_t gap)
{
	int64_t usual_s = rules->every_s > 0 ? rules->every_s : p->usual_s;
	int64_t longest = longest_usual(rules, usual_s);

	if (rules->least_s == 0 || usual_s == 0 || gap <= longest)
		return false;
	if (rules->every_s > 0 || p->lately_s <= longest || !about_alike(gap, p->lately_s))
		return true;
	p->usual_s = 0;
	p->alike = 0;
	return false;
}

bool pulse_note_run(struct pulse *p, const struct outage_rules *rules, int64_t now_utc,
                    bool *changed, int64_t *from_utc)
{
	int64_t gap = now_utc - p->run_utc;
	bool lost = false;

	*changed = p->run_utc == 0 || gap < 0 || gap >= NOTE_EVERY_S;
	*from_utc = p->run_utc;
	if (!*changed)
		return false;
	if (p->run_utc != 0 && gap > 0) {
		lost = is_lost(p, rules, gap);
		if (!lost) {
			p->alike = about_alike(gap, p->lately_s) ? p->alike + 1 : 1;
			if (p->alike >= ALIKE_ENOUGH)
				p->usual_s = p->usual_s > 0 ? (3 * p->usual_s + gap) / 4 : gap;
		}
		p->lately_s = gap;
	}
	p->run_utc = now_utc;
	return lost;
}

int64_t pulse_overdue_s(const struct pulse *p, const struct outage_rules *rules,
                        int64_t now_utc)
{
	int64_t usual_s = rules->every_s > 0 ? rules->every_s : p->usual_s;
	int64_t late_s = now_utc - p->run_utc - longest_usual(rules, usual_s) - NOTE_EVERY_S;

	return p->run_utc > 0 && usual_s > 0 && late_s > 0 ? late_s : 0;
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

int64_t outage_lost_s(const struct turn *t, const struct outage *o, int64_t *from_utc)
{
	*from_utc = later(o->from_utc, later(t->opened_utc, t->credited_utc));
	if (later(t->deadline_utc, t->grace_utc) <= *from_utc || o->to_utc <= *from_utc)
		return 0;
	return o->to_utc - *from_utc;
}

void outage_move(struct turn *t, int64_t from_utc, int64_t lost_s, int64_t moved_utc)
{
	if (t->deadline_utc <= from_utc) {
		t->grace_utc += lost_s;
		return;
	}
	if (t->grace_utc != 0)
		t->grace_utc += moved_utc - t->deadline_utc;
	t->deadline_utc = moved_utc;
}

/* ---- one clock ---- */

static const char *sentence(const struct match *match, const struct outage *o, int64_t from_utc,
                            bool in_grace)
{
	static const char *const faults[] = {[OUTAGE_RUN] = "was not running",
	                                     [OUTAGE_MAIL] = "could not read its mail",
	                                     [OUTAGE_SEND] = "could not send mail"};
	const struct turn *t = &match->turn;

	return arena_printf(
	    match->arena,
	    in_grace
		? "this server %s from %s to %s. That time does not count, so the end of "
		  "the grace is now %s"
		: "this server %s from %s to %s. That time does not count, so the deadline "
		  "is now %s",
	    faults[o->cause], zone_human(NULL, from_utc, match->arena),
	    zone_human(NULL, o->to_utc, match->arena),
	    zone_human(NULL, in_grace ? t->grace_utc : t->deadline_utc, match->arena));
}

static enum err credit(struct server *srv, struct match *match, void *ctx, unsigned *done)
{
	const struct outage *o = ctx;
	struct turn *t = &match->turn;
	int64_t from_utc, lost_s = outage_lost_s(t, o, &from_utc);
	bool in_grace = t->deadline_utc <= from_utc;

	if (lost_s > 0)
		outage_move(t, from_utc, lost_s,
		            match_clock_credited(srv, match, t->deadline_utc, lost_s));
	t->credited_utc = o->to_utc;
	TRY(turn_credit(srv->store, t));
	if (lost_s == 0)
		return ERR_NONE;
	(*done)++;
	return audit_add(srv->store, match->game.id, 0, "server", true, o->to_utc,
	                 sentence(match, o, from_utc, in_grace));
}

static enum err list(struct store *s, void *ctx, struct turn_id after, size_t max,
                     struct turn_id *out, size_t *n)
{
	return outage_turns(s, ctx, after, max, out, n);
}

/* ---- all of them ---- */

static void reach_back(struct outage *o, int64_t since_utc, enum outage_cause cause)
{
	if (since_utc == 0 || since_utc >= o->from_utc)
		return;
	o->from_utc = since_utc;
	o->cause = cause;
}

/*
 * Time is about to be given back up to o->to_utc. A fault that has not ended takes what lies before
 * the outage with it, and is then its cause: the clocks remember only up to when they have been
 * seen to.
 */
static enum err reach_back_to_faults(struct server *srv, struct outage *o)
{
	struct pulse p;

	TRY(pulse_get(srv->store, &p));
	reach_back(o, p.unread_utc, OUTAGE_MAIL);
	reach_back(o, p.unsent_utc, OUTAGE_SEND);
	return ERR_NONE;
}

enum err outage_give_back(struct server *srv, struct match *match, int64_t since_utc,
                          int64_t *moved_utc)
{
	struct outage o = {.to_utc = srv->now_utc};
	struct turn *t = &match->turn;
	int64_t from_utc, lost_s;

	*moved_utc = 0;
	if (!match->has_turn || t->state != TURN_OPEN || t->deadline_utc == 0)
		return ERR_NONE;
	/* One that ended while the game stood has passed its clock by. */
	TRY(outage_begin_of(srv->store, since_utc, &o.from_utc));
	TRY(reach_back_to_faults(srv, &o));
	lost_s = outage_lost_s(t, &o, &from_utc);
	if (lost_s > 0)
		outage_move(t, from_utc, lost_s,
		            match_clock_resumed(srv, match, t->deadline_utc, lost_s));
	t->credited_utc = srv->now_utc;
	*moved_utc = lost_s > 0 ? t->deadline_utc : 0;
	return turn_credit(srv->store, t);
}

/* Whatever has been written down and not been seen to. */
static enum err credit_all(struct server *srv, const struct run_limits *limits)
{
	struct outage o;
	unsigned done;
	enum err rc;

	while ((rc = outage_open(srv->store, &o)) == ERR_NONE) {
		TRY(reach_back_to_faults(srv, &o));
		TRY(batch_run_all(srv, limits,
		                  &(struct batch_job){"outage", list, false, NULL, credit, &o},
		                  &done));
		TRY(store_begin(srv->store));
		TRY(store_end(srv->store, outage_done(srv->store, o.id)));
		step("outage credited");
	}
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

/* `o` may be NULL. Only an outage has to survive a power cut. */
static enum err write_down(struct server *srv, const struct pulse *p, struct outage *o)
{
	TRY(o ? store_begin(srv->store) : store_begin_relaxed(srv->store));
	enum err rc = pulse_set(srv->store, p);
	if (rc == ERR_NONE && o)
		rc = outage_add(srv->store, o);
	rc = store_end(srv->store, rc);
	if (rc == ERR_NONE && o)
		step("outage written down");
	return rc;
}

static bool has_lasted(const struct server *srv, int64_t since_utc)
{
	return srv->cfg.outage.least_s > 0 && since_utc != 0 &&
	       srv->now_utc - since_utc >= srv->cfg.outage.least_s;
}

/* All is well again since now, if it was not. */
static enum err end_fault(struct server *srv, enum outage_cause cause,
                          const struct in_flight *left)
{
	struct pulse p;

	TRY(pulse_get(srv->store, &p));
	int64_t *since_utc = cause == OUTAGE_MAIL ? &p.unread_utc : &p.unsent_utc;
	struct outage o = {.cause = cause, .from_utc = *since_utc, .to_utc = srv->now_utc};
	if (*since_utc == 0)
		return ERR_NONE;
	*since_utc = 0;
	TRY(write_down(srv, &p, has_lasted(srv, o.from_utc) ? &o : NULL));
	return credit_all(srv, &(struct run_limits){.left = left});
}

/* ---- in a run ---- */

enum err outage_run_begins(struct server *srv, const struct run_limits *limits)
{
	struct outage o = {.cause = OUTAGE_RUN, .to_utc = srv->now_utc};
	struct pulse p;
	bool changed;

	TRY(pulse_get(srv->store, &p));
	bool lost = pulse_note_run(&p, &srv->cfg.outage, srv->now_utc, &changed, &o.from_utc);
	if (changed)
		TRY(write_down(srv, &p, lost ? &o : NULL));
	return credit_all(srv, limits);
}

enum err outage_forget(struct server *srv)
{
	struct pulse p;

	TRY(pulse_get(srv->store, &p));
	p = (struct pulse){.run_utc = srv->now_utc, .usual_s = p.usual_s};
	return write_down(srv, &p, NULL);
}

enum err outage_mail_is_back(struct server *srv, const struct in_flight *left)
{
	return end_fault(srv, OUTAGE_MAIL, left);
}

enum err outage_mail_was_read(struct server *srv, enum err rc)
{
	struct pulse p;

	TRY(pulse_get(srv->store, &p));
	if ((rc != ERR_NONE) == (p.unread_utc != 0))
		return ERR_NONE;
	p.unread_utc = rc != ERR_NONE ? srv->now_utc : 0;
	return write_down(srv, &p, NULL);
}

enum err outage_act_through(struct server *srv, int64_t *read_through_utc)
{
	struct pulse p;

	TRY(pulse_get(srv->store, &p));
	if (has_lasted(srv, p.unsent_utc) &&
	    *read_through_utc > p.unsent_utc + srv->cfg.outage.least_s)
		*read_through_utc = p.unsent_utc + srv->cfg.outage.least_s;
	return ERR_NONE;
}

enum err outage_mail_was_sent(struct server *srv, enum err rc, unsigned sent, bool *unsent)
{
	struct pulse p;

	TRY(pulse_get(srv->store, &p));
	*unsent = rc != ERR_NONE;
	if ((rc != ERR_NONE) == (p.unsent_utc != 0))
		return ERR_NONE;
	if (rc != ERR_NONE) {
		/* Another run may be at work: the row is read inside the transaction. */
		TRY(store_begin_relaxed(srv->store));
		rc = pulse_get(srv->store, &p);
		p.unsent_utc = srv->now_utc;
		if (rc == ERR_NONE)
			rc = pulse_set(srv->store, &p);
		return store_end(srv->store, rc);
	}
	/* Something went out, or nothing waits any more (an operator has put it aside). */
	if (sent == 0)
		TRY(outbox_is_waiting(srv->store, srv->now_utc, unsent));
	if (*unsent)
		return ERR_NONE;
	int fd = -1;
	rc = server_lock(srv, STORE_LOCK_RUN, &fd, NULL);
	if (rc == ERR_BUSY || rc == ERR_TIMEOUT)
		return ERR_NONE;
	TRY(rc);
	rc = end_fault(srv, OUTAGE_SEND, NULL);
	server_unlock(srv, STORE_LOCK_RUN, &fd);
	return rc;
}

/* ---- the clock of this machine ---- */

/* What a clock has been given back for these outages, had each of them ended by `by_utc`. */
static int64_t given_back_s(struct turn t, const struct outage *list, size_t n, int64_t by_utc)
{
	int64_t sum_s = 0, from_utc;

	t.credited_utc = 0;
	for (size_t i = 0; i < n; i++) {
		struct outage o = list[i];

		o.to_utc = o.to_utc < by_utc ? o.to_utc : by_utc;
		sum_s += outage_lost_s(&t, &o, &from_utc);
		t.credited_utc = later(t.credited_utc, o.to_utc);
	}
	return sum_s;
}

/*
 * The clock was ahead: what outages that end in the future have given to the clocks beyond now is taken back from
 * them. Where turns end at an hour of the day it may keep up to a day of each. Turns that were opened by that
 * clock stay as they are.
 */
static enum err take_back(struct server *srv, struct match *match, void *ctx, unsigned *done)
{
	struct turn *t = &match->turn;
	struct outage *list;
	size_t n;

	(void)ctx;
	TRY(outages_since(srv->store, t->opened_utc, match->arena, &list, &n));
	int64_t too_much_s = given_back_s(*t, list, n, INT64_MAX) -
	                     given_back_s(*t, list, n, srv->now_utc);
	t->deadline_utc -= too_much_s / 60 * 60;
	t->grace_utc -= t->grace_utc > 0 ? too_much_s / 60 * 60 : 0;
	t->credited_utc = srv->now_utc;
	TRY(turn_credit(srv->store, t));
	(*done)++;
	return audit_add(
	    srv->store, match->game.id, 0, "server", true, srv->now_utc,
	    arena_printf(
		match->arena,
		"the clock of this server was ahead, and is right now: the deadline is %s",
		zone_human(NULL, t->deadline_utc, match->arena)));
}

static enum err list_ahead(struct store *s, void *ctx, struct turn_id after, size_t max,
                           struct turn_id *out, size_t *n)
{
	const struct server *srv = ctx;

	return outage_turns_ahead(s, srv->now_utc, after, max, out, n);
}

/* Written down like a run, so that this one counts as the last. */
static enum err begin_anew(struct server *srv)
{
	struct pulse p;
	struct run_log now = {.started_utc = srv->now_utc, .ended_utc = srv->now_utc};

	TRY(pulse_get(srv->store, &p));
	p = (struct pulse){.run_utc = srv->now_utc, .usual_s = p.usual_s};
	TRY(pulse_set(srv->store, &p));
	TRY(outages_end_by(srv->store, srv->now_utc));
	return run_log_add(srv->store, &now);
}

enum err own_clock_check(struct server *srv, bool is_right, bool *stands)
{
	struct run_log last = {0};
	struct pulse p;
	int64_t last_utc;

	*stands = false;
	enum err rc = run_log_last(srv->store, &last);
	if (rc != ERR_NONE && rc != ERR_NOT_FOUND)
		return rc;
	TRY(pulse_get(srv->store, &p));
	last_utc = p.run_utc > last.ended_utc ? p.run_utc : last.ended_utc;
	if (srv->now_utc >= last_utc)
		return ERR_NONE;
	if (is_right) {
		struct in_flight left;
		unsigned done;
		struct run_limits limits = {.left = &left};

		TRY(in_flight_get(srv->store, srv->arena, &left));
		TRY(batch_run_all(
		    srv, &limits,
		    &(struct batch_job){"clock", list_ahead, false, NULL, take_back, srv},
		    &done));
		TRY(store_begin(srv->store));
		rc = begin_anew(srv);
		return store_end(srv->store, rc);
	}
	*stands = srv->now_utc < last_utc - OWN_CLOCK_SLACK_S;
	if (*stands) {
		err_set(&srv->fail, ERR_BUSY,
		        "this clock says %s, but the last run was on %s: mail is taken in, and "
		        "no deadline is acted on until the clock is past that; if it is right "
		        "now, run once with --clock-is-right",
		        zone_human(NULL, srv->now_utc, srv->arena),
		        zone_human(NULL, last_utc, srv->arena));
	}
	srv->now_utc = last_utc;
	return ERR_NONE;
}
