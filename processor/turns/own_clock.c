/*
 * own_clock.c - what "now" is for a run.
 */
#include "processor/turns/own_clock.h"

#include "processor/base/clock.h"
#include "processor/turns/outage.h"
#include "store/audit.h"
#include "store/operator/outages.h"

static enum err last_run(struct server *srv, int64_t *at_utc)
{
	struct run_log last = {0};
	struct pulse p;
	enum err rc = run_log_last(srv->store, &last);

	if (rc != ERR_NONE && rc != ERR_NOT_FOUND)
		return rc;
	TRY(pulse_get(srv->store, &p));
	*at_utc = p.run_utc > last.ended_utc ? p.run_utc : last.ended_utc;
	return ERR_NONE;
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

static enum err forget_the_future(struct server *srv)
{
	struct in_flight left;
	struct run_limits limits = {.left = &left};

	TRY(in_flight_get(srv->store, srv->arena, &left));
	TRY(outage_take_back(srv, &limits));
	TRY(store_begin(srv->store));
	enum err rc = begin_anew(srv);
	if (rc == ERR_NONE)
		return store_commit(srv->store);
	store_rollback(srv->store);
	return rc;
}

static void explain(struct server *srv, int64_t last_utc)
{
	struct strbuf now = STRBUF_INIT, last = STRBUF_INIT;

	utc_format_human(&now, srv->now_utc);
	utc_format_human(&last, last_utc);
	err_set(&srv->fail, ERR_BUSY,
	        "this clock says %s, but the last run was on %s: mail is taken in, and no "
	        "deadline is acted on until the clock is past that; if it is right now, run "
	        "once with --clock-is-right",
	        now.ptr, last.ptr);
	strbuf_release(&now);
	strbuf_release(&last);
}

enum err own_clock_check(struct server *srv, bool is_right, bool *stands)
{
	int64_t last_utc;

	*stands = false;
	TRY(last_run(srv, &last_utc));
	if (srv->now_utc >= last_utc)
		return ERR_NONE;
	if (is_right)
		return forget_the_future(srv);
	*stands = srv->now_utc < last_utc - OWN_CLOCK_SLACK_S;
	if (*stands)
		explain(srv, last_utc);
	srv->now_utc = last_utc;
	return ERR_NONE;
}
