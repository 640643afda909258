/*
 * digest.c - writing digests.
 */
#include "processor/outgoing/digest.h"

#include "processor/base/step.h"
#include "processor/match/report_values.h"
#include "processor/outgoing/outgoing.h"
#include "processor/outgoing/unreachable.h"
#include "processor/server/reply_address.h"
#include "processor/server/zones.h"
#include "store/digests.h"
#include "store/press.h"

enum { BATCH = 100, MOST_TRIES = 3, HOUR_MIN = 60, LOST_WAIT_S = 3600 };

/* One digest being written. */
struct digest_writing {
	struct server *srv;
	struct arena *arena;
	struct player player;
	const struct digest_asked *asked; /* NULL: it is due */
	struct queued_mail *queued;
	size_t nqueued;
	size_t nreleased; /* of those: they go out by themselves after all */
	struct report_digest_game *games;
	size_t ngames;
	struct digest_turn {
		int64_t game;
		unsigned serial;
	} * turns;
	size_t nturns;
};

const char *digest_rhythm(struct server *srv, const struct player *p, struct arena *arena)
{
	const struct zone *zone = zone_of_reader(srv, p);

	if (p->mail_mode == MAIL_ALL)
		return "It brings what had waited before each mail was to come at once.";
	if (p->mail_mode == MAIL_ROUND)
		return "It brings what has waited for a report that did not come.";
	return arena_printf(arena,
	                    "Digests come at %02d:%02d by the clocks of %s, and earlier when "
	                    "orders would be due too soon after that or a reminder is due.",
	                    p->digest_min / HOUR_MIN, p->digest_min % HOUR_MIN,
	                    zone ? zone_name(zone) : "UTC");
}

/* ---- the games ---- */

static const char *what_is(struct span kind)
{
	static const struct {
		const char *kind, *what;
	} rows[] = {{"report", "report"},
	            {END_KIND, "report"},
	            {"receipt", "receipt"},
	            {"press", "message"},
	            {"reminder", "reminder"}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (span_eq_str(kind, rows[i].kind))
			return rows[i].what;
	return "note";
}

struct report_digest_item digest_item(const struct queued_mail *k, const struct match *match)
{
	bool report = span_eq_str(k->kind, "report");
	const struct span separator = SPAN_LIT("\n-- \n");
	size_t end = span_find(k->text, separator);

	return (struct report_digest_item){
	    .what = what_is(k->kind),
	    .number = k->number,
	    .written_utc = k->created_utc,
	    .past = report && k->serial < match->turn.serial,
	    .text = span_slice(k->text, 0, end),
	    .proof = span_slice(k->text, end + separator.len, k->text.len)};
}

/* Whether the report names this moment; its lines may end anywhere. */
static bool names_moment(struct digest_writing *b, struct span text, int64_t t_utc)
{
	struct span when =
	    span_of(zone_human(zone_of_reader(b->srv, &b->player), t_utc, b->arena));
	char *flat = arena_alloc(b->arena, text.len + 1);
	size_t n = 0;

	for (size_t i = 0; i < text.len; i++)
		if (text.ptr[i] != '\n')
			flat[n++] = text.ptr[i];
		else if (n > 0 && flat[n - 1] != ' ')
			flat[n++] = ' ';
	return span_find((struct span){flat, n}, when) < n;
}

/* `seat` NULL: they have none there, or no longer; then `role` is what they are there. */
static void describe(struct digest_writing *b, const struct match *match,
                     const struct seat *seat, bool several, const char *role)
{
	struct report_digest_game *g = &b->games[b->ngames++];
	bool paused = match->game.status == GAME_PAUSED;
	bool gathering = match->game.status == GAME_GATHERING;
	bool open = match->has_turn && match->turn.serial > 0 &&
	            match->turn.state == TURN_OPEN &&
	            (paused || match->game.status == GAME_RUNNING);
	struct report_digest_item *list = arena_calloc(b->arena, b->nqueued + 1, sizeof(*list));
	*g = (struct report_digest_game){
	    .seat_name = "",
	    .id = match->id,
	    .kind_title = match->rules->title,
	    .label = open ? arena_cstr(b->arena, match->turn.label) : "",
	    .held = match->game.held,
	    .deadline_utc = paused ? 0 : match->turn.deadline_utc,
	    .paused = paused,
	    .role = gathering && seat ? "waiting for players" : role,
	    .ended = match->game.ended_utc != 0,
	};
	if (seat && several) {
		g->seat = seat->seat;
		g->seat_name = arena_cstr(b->arena, seat->name);
	}
	if (seat && open && !seat->resigned) {
		g->owes = seat_in((struct seat_set){match->turn.owes}, seat->seat);
		g->ordered = seat_in((struct seat_set){match->turn.have}, seat->seat);
	}
	/* What waits about it, at this seat if they have several, else at any. */
	g->enclosed = list;
	for (size_t i = 0; i < b->nqueued; i++) {
		const struct queued_mail *k = &b->queued[i];
		if (k->game != match->game.id || (g->seat != 0 && k->seat != g->seat))
			continue;
		list[g->nenclosed] = digest_item(k, match);
		list[g->nenclosed++].moved =
		    g->owes && !g->held && !g->paused &&
		    /* a report of the open turn that tells of another deadline */
		    span_eq_str(k->kind, "report") && k->serial == match->turn.serial &&
		    match->game.ended_utc == 0 && match->turn.state == TURN_OPEN &&
		    match->turn.deadline_utc != 0 &&
		    !names_moment(b, k->text, match->turn.deadline_utc);
	}
}

static enum err describe_seats(struct digest_writing *b, const struct match *match)
{
	struct observer o;
	size_t n = 0;

	for (size_t i = 0; i < match->nseats; i++)
		n += match->seats[i].player == b->player.id;
	for (size_t i = 0; i < match->nseats; i++)
		if (match->seats[i].player == b->player.id)
			describe(b, match, &match->seats[i], n > 1, NULL);
	if (n > 0 && match->has_turn && match->turn.state == TURN_OPEN)
		b->turns[b->nturns++] =
		    (struct digest_turn){match->game.id, match->turn.serial};
	if (n > 0)
		return ERR_NONE;
	enum err rc = observer_get(b->srv->store, match->game.id, b->player.id, &o);
	describe(b, match, NULL, false,
	         match->game.master == b->player.id ? "you are its master"
	         : rc == ERR_NONE                   ? "you observe it"
	                                            : "you have no seat there any more");
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

/* The mails themselves are in the outbox. */
static enum err release_game(struct digest_writing *b, int64_t game, enum err failed)
{
	size_t n = 0;

	for (size_t i = 0; i < b->nqueued; i++)
		n += b->queued[i].game == game;
	if (n == 0)
		return ERR_NONE;
	log_warnx(
	    b->srv->log,
	    "game %lld is in no digest for player %lld: %s; what waits of it goes out mail "
	    "by mail",
	    (long long)game, (long long)b->player.id, server_why(b->srv, failed));
	b->nreleased += n;
	return digest_queue_release(b->srv->store, b->player.id, game);
}

/* A game that cannot be loaded is held when it is to be played next; here it is passed over. */
static enum err add_game(struct digest_writing *b, int64_t game)
{
	struct match match = {.arena = b->arena};
	enum err rc = match_load(b->srv, game, b->arena, &match);

	if (server_blames_game(rc))
		rc = release_game(b, game, rc);
	else if (rc == ERR_NONE)
		rc = describe_seats(b, &match);
	match_release(&match);
	return rc;
}

/*
 * Games the player sits in, then others about which something waits: ended ones, those observed.
 */
static enum err add_games(struct digest_writing *b)
{
	unsigned of = 1u << GAME_RUNNING | 1u << GAME_PAUSED;
	struct game *live;
	size_t n;

	TRY(game_list_of_player(b->srv->store, b->player.id,
	                        b->asked ? of | 1u << GAME_GATHERING : of, b->arena, &live,
	                        &n));
	b->games = arena_calloc(b->arena, MAX_SEATS * (n + b->nqueued + 1), sizeof(*b->games));
	b->turns = arena_calloc(b->arena, n + b->nqueued + 1, sizeof(*b->turns));
	for (size_t i = 0; i < n; i++)
		TRY(add_game(b, live[i].id));
	for (size_t i = 0; i < b->nqueued; i++) {
		bool known = i > 0 && b->queued[i].game == b->queued[i - 1].game;
		for (size_t k = 0; k < n && !known; k++)
			known = live[k].id == b->queued[i].game;
		if (!known)
			TRY(add_game(b, b->queued[i].game));
	}
	return ERR_NONE;
}

/* What is wanted soonest stands first. */
static bool comes_before(const struct report_digest_game *a, const struct report_digest_game *b)
{
	bool wanted_a = a->owes && !a->ordered && !a->paused;
	bool wanted_b = b->owes && !b->ordered && !b->paused;

	if (wanted_a != wanted_b)
		return wanted_a;
	if (a->owes != b->owes)
		return a->owes;
	return a->owes && a->deadline_utc != b->deadline_utc && a->deadline_utc != 0 &&
	       (b->deadline_utc == 0 || a->deadline_utc < b->deadline_utc);
}

static void sort_games(struct digest_writing *b)
{
	for (size_t i = 1; i < b->ngames; i++) {
		struct report_digest_game g = b->games[i];
		size_t at = i;

		for (; at > 0 && comes_before(&g, &b->games[at - 1]); at--)
			b->games[at] = b->games[at - 1];
		b->games[at] = g;
	}
}

/* ---- the mail ---- */

static void prepare(struct digest_writing *b, unsigned number, struct outbox_mail *row)
{
	struct report_out out = REPORT_OUT_FOR(report_form_of(&b->player.form));
	struct strbuf reply = STRBUF_INIT;
	struct report_digest r = {.number = number,
	                          .zone = zone_of_reader(b->srv, &b->player),
	                          .now_utc = b->srv->now_utc,
	                          .rhythm = b->asked
	                                        ? "It shows your games as they are now."
	                                        : digest_rhythm(b->srv, &b->player, b->arena),
	                          .games = b->games,
	                          .ngames = b->ngames};

	report_digest(&r, &out);
	if (b->srv->cfg.plus_address)
		address_add_digest(b->srv, &b->player, number, &reply);
	outgoing_prepare(
	    b->srv,
	    &(struct outgoing){.kind = "digest",
	                       .key = arena_printf(b->arena, "%u", number),
	                       .player = b->player.id,
	                       .address = b->player.address,
	                       .form = b->player.form,
	                       .unsubscribe = b->asked ? NULL : "set mail all",
	                       .report = &out,
	                       .cause = b->asked ? b->asked->mail : 0,
	                       .in_reply_to = b->asked ? b->asked->message_id : SPAN_EMPTY,
	                       .postscript = b->asked ? b->asked->postscript : NULL,
	                       .replied = b->asked != NULL,
	                       .reply_to = reply.len > 0 ? reply.ptr : NULL},
	    b->arena, row);
	report_out_release(&out);
	strbuf_release(&reply);
}

static enum err write_digest(struct digest_writing *b)
{
	struct store *s = b->srv->store;
	struct digest row = {.player = b->player.id, .generation = b->player.token_generation};
	struct outbox_mail mail;

	TRY(digest_last(s, b->player.id, &row.number));
	row.number++;
	prepare(b, row.number, &mail);
	TRY(outbox_add(s, &mail, &row.outbox));
	TRY(digest_add(s, &row));
	for (size_t i = 0; i < b->nturns; i++)
		TRY(digest_turn_add(s, &row, b->turns[i].game, b->turns[i].serial));
	return digest_queue_bring(s, b->player.id, 0, row.outbox);
}

enum err digest_now(struct server *srv, const struct digest_asked *asked, struct arena *arena,
                    bool *any)
{
	int64_t player = asked->player;
	struct digest_writing b = {.srv = srv, .arena = arena, .asked = asked};

	*any = false;
	TRY(player_get(srv->store, player, arena, &b.player));
	TRY(digest_queue_list(srv->store, player, 0, arena, &b.queued, &b.nqueued));
	TRY(add_games(&b));
	*any = b.ngames > 0;
	if (!*any)
		return ERR_NONE;
	sort_games(&b);
	return write_digest(&b);
}

/* For a player who cannot be reached it waits until they are heard of. */
static enum err digest_for(struct server *srv, int64_t player, struct arena *arena,
                           unsigned *mails)
{
	struct digest_writing b = {.srv = srv, .arena = arena};
	bool lost;

	TRY(player_get(srv->store, player, arena, &b.player));
	TRY(unreachable_now(srv, player, arena, &lost));
	if (lost || b.player.address.len == 0)
		return digest_queue_put_off(srv->store, player, srv->now_utc + LOST_WAIT_S);
	TRY(digest_queue_list(srv->store, player, 0, arena, &b.queued, &b.nqueued));
	TRY(add_games(&b));
	if (b.nreleased == b.nqueued)
		return ERR_NONE;
	sort_games(&b);
	(*mails)++;
	return write_digest(&b);
}

/* ---- all of them ---- */

static enum err write_players(struct server *srv, const int64_t *players, size_t n,
                              bool condemned, struct arena *arena, unsigned *mails)
{
	enum err rc = ERR_NONE;

	for (size_t i = 0; i < n && rc == ERR_NONE; i++) {
		step_in_hand(SPAN_LIT("digest"), (unsigned)players[i]);
		if (condemned) {
			log_warnx(
			    srv->log,
			    "the program died %d times over a digest for player %lld; what "
			    "waits for them goes out mail by mail",
			    MOST_TRIES, (long long)players[i]);
			rc = digest_queue_release(srv->store, players[i], 0);
		} else {
			rc = digest_for(srv, players[i], arena, mails);
		}
	}
	return rc == ERR_NONE ? in_flight_clear(srv->store) : rc;
}

static enum err write_batch(struct server *srv, const struct in_flight *left,
                            const int64_t *players, size_t n, bool alone, unsigned *mails)
{
	struct arena *arena = arena_new();
	unsigned written = 0, tries;
	const char *object = alone ? arena_printf(arena, "%lld", (long long)players[0]) : "";
	enum err rc = server_mark_in_flight(srv, left, "digests", object, &tries);

	if (rc == ERR_NONE)
		rc = store_begin(srv->store);
	if (rc == ERR_NONE) {
		rc = write_players(srv, players, n, tries > MOST_TRIES, arena, &written);
		rc = store_end(srv->store, rc);
	}
	arena_free(arena);
	if (rc == ERR_NONE) {
		step("digest");
		*mails += written;
	}
	return rc;
}

/* What waits cannot be read: the mails themselves are in the outbox. */
static enum err send_as_they_are(struct server *srv, int64_t player, enum err failed)
{
	log_warnx(srv->log,
	          "no digest for player %lld: %s; what waits for them goes out mail by mail",
	          (long long)player, server_why(srv, failed));
	TRY(store_begin(srv->store));
	return store_end(srv->store, digest_queue_release(srv->store, player, 0));
}

enum err digest_all_due(struct server *srv, const struct in_flight *left, unsigned *mails)
{
	int64_t players[BATCH];
	size_t n, most, alone = server_died_with(left, "digests") ? BATCH : 0;

	*mails = 0;
	do {
		most = alone > 0 ? 1 : BATCH; /* what the dead run had in hand was one batch */
		alone -= alone > 0;
		/* What was written, put off or released is no longer due. */
		TRY(digest_queue_due(srv->store, srv->now_utc, most, players, &n));
		/* All together; each by itself when that fails because of one of them. */
		bool each = most == 1;
		if (!each && n > 0) {
			enum err rc = write_batch(srv, left, players, n, false, mails);
			each = server_blames_game(rc);
			TRY(each ? ERR_NONE : rc);
		}
		for (size_t i = 0; each && i < n; i++) {
			enum err rc = write_batch(srv, left, &players[i], 1, true, mails);
			TRY(server_blames_game(rc) ? send_as_they_are(srv, players[i], rc)
			                           : rc);
		}
	} while (n == most);
	return ERR_NONE;
}
