/*
 * cmd_status.c - `molepost status`: how the server stands, for a person, a script, or Prometheus.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mail/parser.h"
#include "mail/source.h"
#include "processor/base/clock.h"
#include "processor/base/file.h"
#include "processor/cli/command_line.h"
#include "processor/outgoing/budget.h"
#include "processor/outgoing/round_trip.h"
#include "reports/json.h"
#include "store/inbox.h"
#include "store/operator/server_counts.h"

/* SINCE and FAULTS, the moment and the number of something that is wrong, are not shown without. */
enum unit { COUNT, MOMENT, SINCE, BYTES, FAULTS };

/* One number, under the name it has in JSON and, behind "molepost_", for Prometheus. */
struct figure {
	const char *name, *label;
	enum unit unit;
	int64_t value;
};

enum { FIGURES_MOST = 20 };
struct figures {
	struct figure items[FIGURES_MOST];
	size_t n;
};

static void add(struct figures *f, const char *name, const char *label, enum unit unit,
                int64_t value)
{
	ENSURE(f->n < FIGURES_MOST);
	f->items[f->n++] = (struct figure){name, label, unit, value};
}

/* ---- looking ---- */

/* What lies unread in the folders on this machine; mailboxes elsewhere are not called for this. */
struct unread {
	int64_t oldest_utc; /* 0 = nothing */
	unsigned
	    closed; /* folders that cannot be looked into, of which run and doctor tell why */
};

static enum err oldest_in(struct server *srv, struct source *s, struct span state,
                          int64_t *oldest_utc)
{
	struct source_mail *mails;
	bool complete;
	size_t n = 0;

	TRY(source_resume(s, state, &srv->fail));
	TRY(source_next(s, 1, srv->arena, &mails, &n, &complete, &srv->fail));
	if (n > 0 && (*oldest_utc == 0 || mails[0].arrived_utc < *oldest_utc))
		*oldest_utc = mails[0].arrived_utc;
	return ERR_NONE;
}

static enum err look_into(struct server *srv, const char *url, struct unread *out)
{
	struct source *s = NULL;
	struct span state;
	enum err rc = mailbox_state_get(srv->store, span_of(url), srv->arena, &state);

	if (rc != ERR_NONE)
		return rc;
	rc = source_open(url, &srv->cfg.settings, &s, &srv->fail);
	if (rc == ERR_NONE && source_is_local(s))
		rc = oldest_in(srv, s, state, &out->oldest_utc);
	out->closed += rc != ERR_NONE;
	source_close(s);
	return ERR_NONE;
}

/* A sample is read, since only a child can say what stands around it. */
static int64_t walls(struct server *srv)
{
	const struct span sample = SPAN_LIT("From: status@localhost\n\nping\n");
	struct parser *p = parser_new(NULL, &parser_default_limits);
	struct mail_in out;
	enum err rc = parser_batch(p, &sample, 1, srv->arena, &out, &srv->fail);
	int64_t n = rc == ERR_NONE ? __builtin_popcount(parser_walls(p)) : 0;

	parser_free(p);
	return n;
}

static enum err collect(struct server *srv, struct figures *f)
{
	struct server_counts c;
	struct mail_way way;
	struct unread unread;
	int64_t bytes;
	unsigned held;

	TRY(store_bytes(srv->store, &bytes));
	TRY(budget_held(srv, &held));
	TRY(server_counts_get(srv->store, srv->now_utc, &c));

	unread = (struct unread){0};
	for (size_t i = 0; i < srv->cfg.nsources; i++)
		TRY(look_into(srv, srv->cfg.sources[i], &unread));
	TRY(look_into(srv, arena_printf(srv->arena, "maildir:%s", srv->cfg.spool), &unread));
	add(f, "last_run_timestamp_seconds", "last run", MOMENT, c.run_utc);
	if (round_trip_is_made(&srv->cfg)) {
		TRY(mail_way_get(srv->store, srv->arena, &way));
		add(f, "round_trip_timestamp_seconds", "a mail to itself came back", MOMENT,
		    way.back_utc);
	}
	add(f, "oldest_unread_timestamp_seconds", "oldest mail to read", MOMENT,
	    unread.oldest_utc);
	add(f, "closed_mailboxes", "mailboxes that cannot be read", FAULTS, unread.closed);
	add(f, "unsent_mails", "mails to send", COUNT, c.unsent);
	add(f, "oldest_unsent_timestamp_seconds", "oldest mail to send", MOMENT,
	    c.oldest_unsent_utc);
	add(f, "refused_mails_last_day", "refused in the last day", COUNT, c.refused);
	add(f, "given_up_mails", "mails given up", COUNT, c.given_up);
	add(f, "quarantined_mails", "mails set aside", COUNT, c.set_aside);
	add(f, "answers_held_back_today", "answers held back today", COUNT, held);
	add(f, "games_gathering", "games that wait for players", COUNT, c.gathering);
	add(f, "games_running", "games running", COUNT, c.running);
	add(f, "games_paused", "games paused", COUNT, c.paused);
	add(f, "games_held", "games held", COUNT, c.held);
	add(f, "games_ended", "games ended", COUNT, c.ended);
	add(f, "turns_due", "turns due", COUNT, c.due);
	add(f, "unreadable_since_timestamp_seconds", "no mail can be read since", SINCE,
	    c.unread_utc);
	add(f, "unsendable_since_timestamp_seconds", "no mail can be sent since", SINCE,
	    c.unsent_utc);
	add(f, "database_bytes", "database", BYTES, bytes);
	add(f, "cell_walls", "walls round the parser, of 5", COUNT, walls(srv));
	return ERR_NONE;
}

/* ---- telling ---- */

static void add_moment(int64_t t_utc, int64_t now_utc, struct strbuf *out)
{
	int64_t minutes = (now_utc - t_utc) / 60;

	if (t_utc == 0) {
		strbuf_adds(out, "none");
		return;
	}
	utc_format_human(out, t_utc);
	if (minutes >= 0)
		strbuf_addf(out, minutes < 120 ? ", %lld min ago" : ", %lld h ago",
		            (long long)(minutes < 120 ? minutes : minutes / 60));
}

/* One figure a line, for people. */
static void add_for_people(const struct figure *x, int64_t now_utc, struct strbuf *out)
{
	if ((x->unit == SINCE || x->unit == FAULTS) && x->value == 0)
		return;
	strbuf_addf(out, "%-29s ", x->label);
	if (x->unit == MOMENT || x->unit == SINCE)
		add_moment(x->value, now_utc, out);
	else if (x->unit == BYTES)
		strbuf_addf(out, "%.1f MiB", (double)x->value / (1 << 20));
	else
		strbuf_addf(out, "%lld", (long long)x->value);
	strbuf_addc(out, '\n');
}

/* ctx: the words of the command line, which are none, or the form behind them. */
static enum err status(struct cli *cli, struct server *srv, void *ctx)
{
	char **words = ctx;
	bool json = words[1] && strcmp(words[1], "--json") == 0;
	const char *metrics = words[1] ? words[2] : NULL;
	struct figures f = {.n = 0};
	struct strbuf text = STRBUF_INIT;

	TRY(collect(srv, &f));
	strbuf_adds(&text, json ? "{" : "");
	for (size_t i = 0; i < f.n; i++) {
		const struct figure *x = &f.items[i];

		if (metrics)
			strbuf_addf(
			    &text,
			    "# HELP molepost_%s %s\n# TYPE molepost_%s gauge\nmolepost_%s %lld\n",
			    x->name, x->label, x->name, x->name, (long long)x->value);
		else if (json)
			json_add_number(&text, x->name, x->value);
		else
			add_for_people(x, srv->now_utc, &text);
	}
	strbuf_adds(&text, json ? "}\n" : "");
	enum err rc = ERR_NONE;
	if (metrics)
		rc = file_replace(metrics, strbuf_span(&text), &srv->fail);
	else
		fputs(text.ptr, cli->out);
	strbuf_release(&text);
	return rc;
}

int cmd_status(struct cli *cli, int argc, char **argv)
{
	if (argc > 1 && !(argc == 2 && strcmp(argv[1], "--json") == 0) &&
	    !(argc == 3 && strcmp(argv[1], "--prometheus") == 0))
		return cli_usage(cli);
	return cli_with_server(cli, STORE_READ_ONLY, status, argv);
}
