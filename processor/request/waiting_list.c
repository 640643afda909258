/*
 * waiting_list.c - waiting for a game, and getting into one.
 */
#include "processor/request/waiting_list.h"

#include "processor/base/step.h"
#include "processor/games/registry.h"
#include "processor/outgoing/unreachable.h"
#include "processor/request/join_rules.h"
#include "processor/request/seats.h"
#include "processor/request/welcome.h"
#include "processor/server/zones.h"
#include "processor/turns/batch.h"
#include "store/press.h"
#include "store/rematches.h"

enum { BATCH = 200, DAY_S = 24 * 3600 };

/* ---- by mail ---- */

static enum err tell_place(struct request *req, const struct rules *kind, int64_t until_utc)
{
	size_t place;

	TRY(waiting_before(req->srv->store, span_of(kind->name), req->srv->now_utc,
	                   req->who.player.id, &place));
	request_verdict(req, "command", "waits for a game of %s", kind->title);
	const char *ahead =
	    place == 0   ? "Nobody is ahead of you."
	    : place == 1 ? "One other is ahead of you."
			 : arena_printf(req->arena, "%zu others are ahead of you.", place);
	return request_notice(
	    req, NULL, NULL, "you are in the queue",
	    arena_printf(req->arena, "join %s nowait", join_rules_kind_words(kind, req->arena)),
	    "No game of %s is open for you now, so you wait in the queue. %s You "
	    "get a seat, and a mail that says so, as soon as somebody opens a public game of "
	    "that kind or leaves a seat in one, or when %u people wait; until %s. To open a "
	    "game yourself, write JOIN without WAIT. To leave the queue:",
	    kind->title, ahead, kind->usual_seats,
	    zone_human(zone_of_reader(req->srv, &req->who.player), until_utc, req->arena));
}

enum err waiting_list_enter(struct request *req, const struct command *item)
{
	struct strbuf why = STRBUF_INIT;
	struct span name;
	struct waiter w = {.since_utc = req->srv->now_utc,
	                   .until_utc = req->srv->now_utc + WAITING_LIST_KEPT_S,
	                   .name = item->name};

	if (!seats_name(req, NULL, item->name, &name, &why)) {
		strbuf_adds(&why, " Choose another name, for example:");
		enum err refused =
		    request_notice(req, NULL, NULL, "you are not in the queue",
		                   arena_printf(req->arena, "join %s wait as Cleo",
		                                join_rules_kind_words(item->kind, req->arena)),
		                   "%s", why.ptr);
		strbuf_release(&why);
		return refused;
	}
	TRY(seats_register(req, name));
	w.player = req->who.player.id;
	TRY(waiting_add(req->srv->store, span_of(item->kind->name), &w));
	return tell_place(req, item->kind, w.until_utc);
}

enum err waiting_list_leave(struct request *req, const struct command *item)
{
	const char *again = arena_printf(req->arena, "join %s wait",
	                                 join_rules_kind_words(item->kind, req->arena));
	bool waited;

	TRY(waiting_drop(req->srv->store, span_of(item->kind->name), req->who.player.id,
	                 &waited));
	if (!waited)
		return request_notice(
		    req, NULL, NULL, "you are not in the queue", again,
		    "You are not in the queue for a game of %s, so nothing has changed. To "
		    "wait for one:",
		    item->kind->title);
	request_verdict(req, "command", "no longer waits for a game of %s", item->kind->title);
	return request_notice(
	    req, NULL, NULL, "you have left the queue", again,
	    "You no longer wait for a game of %s. To wait again:", item->kind->title);
}

/* ---- in a run ---- */

static enum err can_be_seated(struct server *srv, const struct waiter *w, struct arena *arena,
                              struct player *out, bool *yes)
{
	bool lost;

	TRY(player_get(srv->store, w->player, arena, out));
	TRY(unreachable_now(srv, w->player, arena, &lost));
	*yes = !lost && !out->blocked && !out->forgotten && out->address.len > 0;
	return ERR_NONE;
}

/* Its key: the same person may get the same seat more than once, each time with another token. */
static enum err welcome(struct server *srv, struct match *match, struct seat *seat,
                        const struct player *p)
{
	struct report_out out = REPORT_OUT_FOR(report_form_of(&p->form));
	enum err rc = welcome_write(
	    srv, match, seat, p, false, "",
	    "You have waited for a game of this kind, and this seat was free.", &out);

	if (rc == ERR_NONE)
		rc = outgoing_add(
		    srv,
		    &(struct outgoing){.kind = "welcome",
		                       .key = arena_printf(match->arena, "queue, token %u",
		                                           seat->token_generation),
		                       .game = &match->game,
		                       .seat = seat,
		                       .player = p->id,
		                       .address = p->address,
		                       .form = p->form,
		                       .report = &out},
		    match->arena);
	report_out_release(&out);
	return rc;
}

/* A name that is free there: the one asked for, else the one they go by. */
static struct span name_for(const struct match *match, const struct waiter *w,
                            const struct player *p)
{
	const struct span tries[] = {w->name, p->name, SPAN_LIT("Player")};
	struct span name = SPAN_LIT("Player");

	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++)
		if (tries[i].len > 0 &&
		    seats_free_name(match, p->id, tries[i], match->arena, &name))
			break;
	return name;
}

static enum err seat_waiter(struct server *srv, int64_t game, const struct waiter *w,
                            const struct player *p, struct arena *arena, bool *seated)
{
	/* The mail that asked for a place named no game, so it contributes to none. */
	static const struct hash nothing;
	struct match match, fresh = {0};
	enum err rc = match_load(srv, game, arena, &match);
	unsigned number = rc == ERR_NONE ? seats_free_seat(srv, &match) : 0;

	*seated = number != 0;
	if (*seated)
		rc = seats_take_seat(srv, &match, number, p, name_for(&match, w, p), SPAN_EMPTY,
		                     &nothing);
	if (*seated && rc == ERR_NONE)
		rc = waiting_drop(srv->store, match.game.kind, p->id, NULL);
	if (*seated && rc == ERR_NONE)
		rc = match_load(srv, game, arena, &fresh);
	if (*seated && rc == ERR_NONE)
		rc = welcome(srv, &fresh, match_seat(&fresh, number), p);
	if (*seated && rc == ERR_NONE)
		rc = game_start_if_full(srv, &fresh);
	match_release(&fresh);
	match_release(&match);
	return rc;
}

struct serving {
	struct server *srv;
	struct arena *arena;
	int64_t game; /* in which somebody was just to get a seat, else 0 */
	bool founds;  /* one that is not there any more when all is taken back */
};

/* What came of a walk along the queue. */
struct served {
	size_t seated;
	size_t rest; /* who could have a seat and got none */
};

static enum err serve_one(struct serving *s, const struct rules *kind, const struct waiter *w,
                          struct served *out)
{
	struct server *srv = s->srv;
	struct player p;
	struct game open;
	bool fit, seated = false;

	TRY(can_be_seated(srv, w, s->arena, &p, &fit));
	if (!fit)
		return ERR_NONE;
	enum err rc = join_rules_open_game_for(srv, kind, &p, s->arena, &open);
	out->rest += rc == ERR_NOT_FOUND;
	if (rc == ERR_NOT_FOUND)
		return ERR_NONE;
	TRY(rc);
	s->game = open.id;
	TRY(seat_waiter(srv, open.id, w, &p, s->arena, &seated));
	s->game = 0;
	out->seated += seated;
	return ERR_NONE;
}

/* From the front to the end of the queue, or until `most` have a seat in a game that is open. */
static enum err serve_open(struct serving *s, const struct rules *kind, size_t most,
                           struct served *out)
{
	struct waiter *queue, last = {0};
	size_t n;

	*out = (struct served){0};
	do {
		TRY(waiting_list(s->srv->store, span_of(kind->name), s->srv->now_utc, &last,
		                 BATCH, s->arena, &queue, &n));
		for (size_t i = 0; i < n && out->seated < most; i++)
			TRY(serve_one(s, kind, &queue[i], out));
		if (n > 0)
			last = queue[n - 1];
	} while (n == BATCH && out->seated < most);
	return ERR_NONE;
}

/* For as many as wait, as CREATE without further words would make it. */
static enum err found_for_them(struct server *srv, const struct rules *kind,
                               struct arena *arena, bool *made)
{
	struct create_arguments usual = {.kind = kind};
	struct new_game n = {
	    .rules = kind, .players = kind->usual_seats, .press = game_press(srv, &usual)};
	struct strbuf why = STRBUF_INIT;
	const char *key;
	int64_t game;

	*made = game_calendar(srv, &usual, NULL, arena, &n.calendar, &why) &&
	        game_options(srv, kind, SPAN_EMPTY, arena, &n.options, &why) &&
	        game_can_be(&n, arena, &why);
	enum err rc = *made ? game_create(srv, &n, arena, &game, &key, &why) : ERR_NONE;
	strbuf_release(&why);
	return rc;
}

/* ---- who has waited too long ---- */

static enum err tell_of_lapse(struct server *srv, const struct rules *kind,
                              const struct waiter *w, const struct player *p,
                              struct arena *arena)
{
	struct report_out out = REPORT_OUT_FOR(report_form_of(&p->form));
	const char *words = join_rules_kind_words(kind, arena);

	report_notice(
	    &(struct report_notice){
		.subject = "you are no longer in the queue",
		.paragraphs = TEXTS(arena_printf(
		    arena,
		    "You have waited %d days for a game of %s, and none was free for you, so "
		    "you have no place in the queue any more. If you still want to play, take "
		    "another place with the first of these lines, or open a game yourself "
		    "with the second:",
		    WAITING_LIST_KEPT_S / DAY_S, kind->title)),
		.examples = TEXTS(arena_printf(arena, "join %s wait", words),
	                          arena_printf(arena, "join %s", words))},
	    &out);
	enum err rc = outgoing_add(
	    srv,
	    &(struct outgoing){.kind = "notice",
	                       .key = arena_printf(arena, "queue %s since %lld of %lld",
	                                           kind->name, (long long)w->since_utc,
	                                           (long long)p->id),
	                       .player = p->id,
	                       .address = p->address,
	                       .form = p->form,
	                       .report = &out},
	    arena);
	report_out_release(&out);
	return rc;
}

static enum err drop_old(struct server *srv, const struct rules *kind, struct arena *arena)
{
	struct waiter *old;
	struct player p;
	bool reachable;
	size_t n;

	TRY(waiting_list_old(srv->store, span_of(kind->name), srv->now_utc, BATCH, arena, &old,
	                     &n));
	for (size_t i = 0; i < n; i++) {
		TRY(can_be_seated(srv, &old[i], arena, &p, &reachable));
		if (reachable)
			TRY(tell_of_lapse(srv, kind, &old[i], &p, arena));
		TRY(waiting_drop(srv->store, span_of(kind->name), old[i].player, NULL));
	}
	return ERR_NONE;
}

static enum err serve_kind(struct serving *s, const struct rules *kind)
{
	struct served open, founded = {.seated = 1};
	bool made = true;

	TRY(serve_open(s, kind, SIZE_MAX, &open));
	while (open.rest >= kind->usual_seats && made && founded.seated > 0) {
		s->founds = true;
		TRY(found_for_them(s->srv, kind, s->arena, &made));
		TRY(serve_open(s, kind, kind->usual_seats, &founded));
		s->founds = false;
		open.rest -= founded.seated;
	}
	return drop_old(s->srv, kind, s->arena);
}

static enum err serve_all(struct serving *s)
{
	for (size_t i = 0; i < rules_count(); i++) {
		const struct rules *kind = rules_at(i);

		if (rules_find(span_of(kind->name)) == kind)
			TRY(serve_kind(s, kind));
	}
	return ERR_NONE;
}

/* *game: the one because of which all was taken back, else 0. */
static enum err serve_once(struct server *srv, int64_t *game)
{
	struct serving s = {.srv = srv, .arena = arena_new()};
	enum err rc = store_begin(srv->store);

	if (rc == ERR_NONE)
		rc = store_end(srv->store, serve_all(&s));
	if (rc == ERR_NONE)
		step("queue");
	arena_free(s.arena);
	*game = server_blames_game(rc) && !s.founds ? s.game : 0;
	return rc;
}

enum err waiting_list_serve(struct server *srv)
{
	int64_t game;
	bool any;
	enum err rc;

	TRY(waiting_any(srv->store, &any));
	if (!any)
		return ERR_NONE;
	do {
		rc = serve_once(srv, &game);
		if (game != 0) /* it is not open any more */
			TRY(game_hold_alone(srv, game, "seats from the queue", rc));
	} while (game != 0);
	if (rc == ERR_NONE || !server_blames_game(rc))
		return rc;
	log_warnx(srv->log, "nobody got a seat from the queue: %s", server_why(srv, rc));
	return ERR_NONE;
}
