/*
 * crowd_mail.c - the replies of thousands of players to their reports.
 */
#include <stdio.h>
#include <string.h>

#include "mail/compose.h"
#include "processor/base/clock.h"
#include "processor/server/reply_address.h"
#include "store/outbox.h"
#include "tests/support/crowd.h"
#include "tests/support/crowd_parts.h"

enum { ORDERING_SEATS = 2 };

void crowd_add_orders(struct strbuf *out, unsigned variant)
{
	strbuf_addf(out, "popup %u %u, whack %u", 1 + variant % 4, 5 + variant / 4 % 5,
	            1 + variant / 20 % 9);
}

/* The newest report of a seat. */
static const struct outbox_mail *report_of(struct server *srv, int64_t game, unsigned seat,
                                           struct arena *arena)
{
	struct outbox_mail *all;
	size_t n;

	crowd_must(srv, outbox_history(srv->store, game, seat, "report", 0, UINT32_MAX, arena,
	                               &all, &n));
	ENSURE(n > 0);
	return &all[n - 1];
}

/* Mail n goes over all seats in steps that have no common factor with their number. */
static void drop_one(struct testbed *s, struct server *srv, unsigned games, unsigned n,
                     programs_add_fn *add, struct arena *arena)
{
	enum { STEP = 7919 }; /* a prime larger than any factor of a round number of games */
	uint64_t place = (uint64_t)n * STEP % ((uint64_t)games * ORDERING_SEATS);
	int64_t game = 1 + (int64_t)(place / ORDERING_SEATS);
	unsigned seat = 1 + (unsigned)(place % ORDERING_SEATS);
	const struct outbox_mail *report = report_of(srv, game, seat, arena);
	struct strbuf raw = STRBUF_INIT, to = STRBUF_INIT, orders = STRBUF_INIT,
		      body = STRBUF_INIT;
	struct game g;
	struct seat row;

	crowd_must(srv, game_get(srv->store, game, arena, &g));
	crowd_must(srv, seat_get(srv->store, game, seat, arena, &row));
	address_add_reply(srv, &g, &row, report->serial, &to);
	crowd_add_orders(&orders, n);
	ENSURE(mail_read_back(report->message, &body));
	add(&raw, &(struct reply){
		      .n = n,
		      .from = report->rcpt,
		      .to = strbuf_span(&to),
		      .subject = SPAN_LIT("[moles] turn 2 - your orders"),
		      .answers = report->message_id,
		      .orders = strbuf_span(&orders),
		      .report = strbuf_span(&body),
		      .date_utc = srv->now_utc,
		  });
	testbed_drop(s, arena_printf(arena, "%lld.M%uP1.mx", (long long)srv->now_utc, n),
	             strbuf_span(&raw), srv->now_utc);
	strbuf_release(&raw);
	strbuf_release(&to);
	strbuf_release(&orders);
	strbuf_release(&body);
}

void crowd_mails(struct testbed *s, unsigned games, unsigned n, programs_add_fn *add)
{
	struct crowd_place p = {s->dir, s->now_utc};
	struct arena *arena = arena_new();
	struct server srv;
	struct log log;

	crowd_open(&p, &log, &srv);
	for (unsigned i = 0; i < n; i++) {
		drop_one(s, &srv, games, s->written, add, arena);
		arena_clear(arena);
	}
	server_close(&srv);
	arena_free(arena);
}
