/*
 * crowd_rows.c - games and orders, written with the server's own modules from outside the program.
 *
 * Apart from crowd.c because struct outgoing means one thing there and another here.
 */
#include "processor/base/err.h"
#include "processor/games/registry.h"
#include "processor/outgoing/outgoing.h"
#include "processor/request/seats.h"
#include "store/outbox.h"
#include "store/players.h"
#include "tests/support/crowd_parts.h"

enum { PER_COMMIT = 1000, DEADLINE_S = 3 * 24 * 3600, REPORT_BYTES = 3000 };

void crowd_open(const struct crowd_place *p, struct log *log, struct server *srv)
{
	*log = (struct log){.out = stderr, .show = LOG_WARN};
	if (server_open(p->dir, STORE_READ_WRITE, false, outgoing_words, log, srv) != ERR_NONE)
		BUG("%s: %s", p->dir, srv->fail.text.ptr);
	if (p->now_utc != INT64_MIN)
		srv->now_utc = p->now_utc;
}

void crowd_must(struct server *srv, enum err rc)
{
	if (rc != ERR_NONE)
		BUG("%s", server_why(srv, rc));
}

static const char *person(struct arena *arena, int64_t game, unsigned seat)
{
	static const char *const words[CROWD_SEATS] = {"ann", "bob", "cy"};

	return arena_printf(arena, "%s%lld", words[seat - 1], (long long)game);
}

static void add_game(struct server *srv, struct arena *arena, const char *options)
{
	const struct rules *rules = &whakka_mole_1;
	struct hash secret = hash_of(span_of(options));
	struct game g = {.letter = rules->letter,
	                 .kind = span_of(rules->name),
	                 .rules_version = rules->version,
	                 .options = span_of(options),
	                 .nseats = CROWD_SEATS,
	                 .next_s = DEADLINE_S,
	                 .created_utc = srv->now_utc,
	                 .secret_hash = hash_of(hash_span(&secret))};
	struct match match;

	crowd_must(srv, game_add(srv->store, &g, &secret));
	for (unsigned seat = 1; seat <= CROWD_SEATS; seat++) {
		const char *name = person(arena, g.id, seat);
		struct seat row = {.game = g.id,
		                   .seat = seat,
		                   .bot_level = -1,
		                   .name = span_of(name),
		                   .joined_utc = srv->now_utc,
		                   .confirmed = true};

		struct player p;

		crowd_must(srv, player_add(srv->store,
		                           span_of(arena_printf(arena, "%s@example.net", name)),
		                           span_of(name), true, srv->now_utc, &p));
		row.player = p.id;
		crowd_must(srv, seat_add(srv->store, &row));
	}
	crowd_must(srv, match_load(srv, g.id, arena, &match));
	crowd_must(srv, game_start_if_full(srv, &match));
	match_release(&match);
}

static const char *default_options(struct arena *arena)
{
	struct options options;
	struct strbuf text = STRBUF_INIT;

	options_init(&options, &whakka_mole_1);
	options_format(&options, OPTIONS_ALL, &text);
	const char *copy = arena_strdup(arena, text.ptr);
	strbuf_release(&text);
	return copy;
}

/* Calls `one` n times with 1, 1 + step, 1 + 2 step ..., in transactions of a thousand. */
static void in_transactions(const struct crowd_place *p, unsigned n, unsigned step,
                            void (*one)(struct server *srv, struct arena *arena, unsigned i))
{
	struct log log;
	struct arena *arena = arena_new();
	struct server srv;

	crowd_open(p, &log, &srv);
	for (unsigned i = 1; i <= n; i++) {
		if (i % PER_COMMIT == 1)
			crowd_must(&srv, store_begin(srv.store));
		one(&srv, arena, 1 + (i - 1) * step);
		arena_clear(arena);
		if (i % PER_COMMIT == 0 || i == n)
			crowd_must(&srv, store_commit(srv.store));
	}
	crowd_must(&srv, store_checkpoint(srv.store, 0));
	server_close(&srv);
	arena_free(arena);
}

static void found_game(struct server *srv, struct arena *arena, unsigned i)
{
	(void)i;
	add_game(srv, arena, default_options(arena));
}

void crowd_add_games(const struct crowd_place *p, unsigned n)
{
	in_transactions(p, n, 1, found_game);
}

static void add_report_text(struct strbuf *out, const char *rcpt, const char *id)
{
	strbuf_addf(out,
	            "From: \"Molepost\" <moles@example.org>\nTo: %s\nSubject: [W1 turn 4] "
	            "Whakka Mole: orders due\nMessage-ID: %s\n"
	            "Date: Thu, 12 Mar 2026 18:00:00 +0000\nAuto-Submitted: auto-generated\n"
	            "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n",
	            rcpt, id);
	while (out->len < REPORT_BYTES)
		strbuf_adds(out, "Bot Bela whacked hole 1 on the sheet of Ann and missed. 3 "
		                 "moles.\n");
	strbuf_truncate(out, REPORT_BYTES - 1);
	strbuf_addc(out, '\n');
}

static void add_report(struct server *srv, struct arena *arena, unsigned i)
{
	const char *name = arena_printf(arena, "reader%u", i);
	const char *rcpt = arena_printf(arena, "%s@example.net", name);
	const char *id = arena_printf(arena, "<report%u@example.org>", i);
	struct strbuf text = STRBUF_INIT;
	struct outbox_mail m = {.kind = SPAN_LIT("report"),
	                        .rcpt = span_of(rcpt),
	                        .message_id = span_of(id),
	                        .created_utc = srv->now_utc};

	add_report_text(&text, rcpt, id);
	m.message = strbuf_span(&text);
	struct player p;
	crowd_must(
	    srv, player_add(srv->store, span_of(rcpt), span_of(name), true, srv->now_utc, &p));
	m.player = p.id;
	crowd_must(srv, outbox_add(srv->store, &m, NULL));
	strbuf_release(&text);
}

void crowd_add_reports(const struct crowd_place *p, unsigned n)
{
	in_transactions(p, n, 1, add_report);
}

static struct span canonical_orders(struct server *srv, struct match *match, unsigned seat)
{
	struct strbuf text = STRBUF_INIT, canonical = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;

	crowd_must(srv, match_position(srv, match));
	crowd_add_orders(&text, (unsigned)match->game.id + seat);
	ENSURE(match->rules->read_orders(match->state, seat, SPAN_EMPTY, NULL,
	                                 strbuf_span(&text), &canonical, &diags));
	struct span copy = arena_dup(match->arena, strbuf_span(&canonical));
	strbuf_release(&text);
	strbuf_release(&canonical);
	diags_release(&diags);
	return copy;
}

static void order_for_all(struct server *srv, struct arena *arena, unsigned game)
{
	struct match match;

	crowd_must(srv, match_load(srv, game, arena, &match));
	for (unsigned seat = 1; seat <= CROWD_SEATS; seat++)
		crowd_must(srv,
		           orders_append(srv->store,
		                         &(struct order_revision){
					     .game = game,
					     .serial = match.turn.serial,
					     .seat = seat,
					     .revision = 1,
					     .origin = ORDER_SENT,
					     .received_utc = srv->now_utc,
					     .canonical = canonical_orders(srv, &match, seat),
					 }));
	match_release(&match);
}

void crowd_add_all_orders(const struct crowd_place *p, unsigned games, unsigned step)
{
	in_transactions(p, games, step, order_for_all);
}
