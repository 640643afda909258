/*
 * rematch.c - REMATCH, and the answers to the invitations it sends.
 */
#include "processor/commands/rematch.h"
#include "processor/base/utf8.h"
#include "processor/commands/commands.h"
#include "processor/games/registry.h"
#include "processor/match/report_values.h"
#include "processor/outgoing/unreachable.h"
#include "processor/request/admission.h"
#include "processor/request/seats.h"
#include "processor/request/which_game.h"
#include "processor/server/zones.h"
#include "store/ratings.h"
#include "store/rematches.h"

#include "processor/base/banned.h"

static enum err refuse(struct dealing *d, const char *example, const char *why)
{
	dealing_verdict(d, "refused", "REMATCH: %s", why);
	return dealing_notice(d, NULL, NULL, "no rematch", example, "%s", why);
}

/* ---- the invitation answered ---- */

static enum err invited_by(struct dealing *d, struct span message_id, int64_t *game)
{
	struct outbox_mail row;

	if (message_id.len == 0)
		return ERR_NONE;
	enum err rc = outbox_by_message_id(d->srv->store, message_id, d->arena, &row);
	if (rc == ERR_NONE && span_eq_str(row.kind, "invitation") && row.player == d->player.id)
		*game = row.game;
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

/* The game somebody was asked into by the mail he answers; 0 = none. */
static enum err invitation_answered(struct dealing *d, int64_t *game)
{
	const struct span_list *refs = &d->mail->references;

	*game = 0;
	if (d->player.id == 0 || d->strange.len > 0 || d->seat != 0)
		return ERR_NONE; /* a mail to a seat speaks for that seat */
	TRY(invited_by(d, d->mail->in_reply_to, game));
	for (size_t i = refs->count; i > 0 && *game == 0; i--)
		TRY(invited_by(d, refs->items[i - 1], game));
	return ERR_NONE;
}

/* The name he had in the game that is played again, if it is free in the new one; else "". */
static enum err former_name(struct dealing *d, int64_t of, int64_t game, struct span *name)
{
	struct seat *old, *now;
	size_t nold, nnow;

	*name = SPAN_EMPTY;
	TRY(seat_list(d->srv->store, of, d->arena, &old, &nold));
	TRY(seat_list(d->srv->store, game, d->arena, &now, &nnow));
	for (size_t i = 0; i < nold; i++)
		if (seat_was_of(&old[i], d->player.id))
			*name = old[i].name;
	for (size_t i = 0; i < nnow; i++)
		if (seat_is_taken(&now[i]) && utf8_eq_folded(now[i].name, *name))
			*name = SPAN_EMPTY;
	return ERR_NONE;
}

/* A seat in a rematch that is open, whichever line has asked for it. */
static enum err join(struct dealing *d, const struct rematch *r)
{
	struct letter_item seat = {.verb = CMD_JOIN, .game = r->game};

	TRY(former_name(d, r->of, r->game, &seat.name));
	return joining_join(d, &seat, r->game);
}

static enum err decline(struct dealing *d, int64_t game)
{
	struct game g;
	struct seat mine;

	TRY(game_get(d->srv->store, game, d->arena, &g));
	const char *id = game_id_text(&g, d->arena);
	d->row.game = game;
	enum err rc = seat_of_player(d->srv->store, game, d->player.id, d->arena, &mine);
	if (rc == ERR_NONE)
		return dealing_notice(d, NULL, NULL, "you have a seat already",
		                      arena_printf(d->arena, "resign %s", id),
		                      "You have a seat in %s, so a NO to that mail changes "
		                      "nothing. To leave the game write:",
		                      id);
	if (rc != ERR_NOT_FOUND)
		return rc;
	TRY(invitation_set(d->srv->store, game, d->player.id, true));
	TRY(rematch_open(d->srv->store, game, d->srv->now_utc));
	dealing_verdict(d, "command", "does not want to play %s", id);
	bool open = g.status == GAME_GATHERING;
	return dealing_notice(
	    d, NULL, NULL, "not this time",
	    open ? arena_printf(d->arena, "join %s", id) : "list",
	    open ? "You do not play in %s, and get no mail about it; others may have the seat. "
		   "If you change your mind while one is free, write:"
		 : "You do not play in %s, and get no mail about it. Open games are shown by:",
	    id);
}

enum err rematch_explain(struct dealing *d, bool *done)
{
	int64_t game;
	struct hand h;

	TRY(invitation_answered(d, &game));
	*done = game != 0;
	if (game == 0)
		return ERR_NONE;
	dealing_verdict(d, "not-understood",
	                "an answer to an invitation that is neither yes nor no");
	enum err rc = hand_load(d->srv, game, d->arena, &h);
	if (rc == ERR_NONE)
		rc = dealing_notice(
		    d, NULL, NULL, "yes or no?", "yes",
		    "You have answered the question whether you would like to play in %s, but "
		    "the answer was not understood, so nothing has changed. Write YES or NO, "
		    "and nothing else on that line; for example:",
		    h.id);
	hand_release(&h);
	return rc;
}

/* ---- a new game ---- */

static unsigned bots_from_the_start(const struct hand *h, unsigned *level)
{
	unsigned n = 0;

	*level = BOT_LEVEL_USUAL;
	for (size_t i = 0; i < h->nseats; i++) {
		if (!seat_was_bot(&h->seats[i]))
			continue;
		n++;
		*level = (unsigned)h->seats[i].bot_level;
	}
	return n;
}

/* False with a sentence in `why`: the rules have changed meanwhile. */
static bool same_options(struct dealing *d, const struct hand *h, struct new_game *n,
                         struct strbuf *why)
{
	struct strbuf text = STRBUF_INIT;

	options_format(&h->options, true, &text);
	bool ok = game_options(d->srv, n->rules, arena_dup(d->arena, strbuf_span(&text)),
	                       d->arena, &n->options, why);
	strbuf_release(&text);
	calendar_init(&n->calendar);
	ok = ok && calendar_parse(&n->calendar, h->game.calendar, d->arena, why);
	n->calendar.next_s = h->game.next_s;
	return ok;
}

static enum err same_terms(struct dealing *d, const struct hand *h, struct new_game *n)
{
	*n = (struct new_game){.rules = rules_find(h->game.kind),
	                       .title = h->game.title,
	                       .players = h->game.nseats,
	                       .again = h->game.id,
	                       .is_private = h->game.is_private};
	n->bots = bots_from_the_start(h, &n->bot_level);
	TRY(press_rules_get(d->srv->store, h->game.id, &n->press));
	return entry_terms_get(d->srv->store, h->game.id, &n->reliability);
}

static enum err can_be_asked(struct dealing *d, const struct player *p, bool *yes)
{
	bool lost;

	*yes = false;
	if (p->blocked || p->address.len == 0)
		return ERR_NONE;
	TRY(unreachable_now(d->srv, p->id, d->arena, &lost));
	*yes = !lost;
	return ERR_NONE;
}

static void invitation_letter(struct dealing *d, const struct hand *old, const struct hand *h,
                              const struct player *to, struct letter_out *out)
{
	struct report_game game = brief_game(d->srv, h, NULL, to);
	const char *until =
	    zone_human(zone_of_reader(d->srv, to), d->srv->now_utc + REMATCH_KEPT_S, d->arena);
	const char *paragraphs[] = {
	    arena_printf(d->arena,
	                 "Would you like to play %s again? %s would, and has opened %s for it, "
	                 "with the same options, clocks and number of seats. Until %s its "
	                 "seats are kept for those who played; whoever comes first has one.",
	                 old->id, h->names.names[1], h->id, until),
	    "To take a seat, answer this mail with the first line; if you would rather not, "
	    "with the second. Without an answer nothing happens."};

	report_notice(&(struct report_notice){.game = &game,
	                                      .subject = "once more?",
	                                      .paragraphs = paragraphs,
	                                      .nparagraphs = 2,
	                                      .examples = (const char *const[]){"yes", "no"},
	                                      .nexamples = 2},
	              out);
}

static enum err invite(struct dealing *d, const struct hand *old, const struct hand *h,
                       const struct player *to)
{
	struct letter_out out = LETTER_OUT_INIT;

	invitation_letter(d, old, h, to, &out);
	enum err rc =
	    post_add(d->srv,
	             &(struct post){.kind = "invitation",
	                            .key = arena_printf(d->arena, "to %lld", (long long)to->id),
	                            .game = &h->game,
	                            .player = to->id,
	                            .address = to->address,
	                            .ascii = to->ascii,
	                            .letter = &out},
	             d->arena);
	letter_out_release(&out);
	return rc;
}

/*
 * Everybody who has had a seat and is known may join; whom mail reaches is asked, unless
 * `quietly`.
 */
static enum err invite_all(struct dealing *d, const struct hand *old, const struct hand *h,
                           bool quietly)
{
	int64_t *people;
	struct player p;
	bool reachable;
	size_t n;

	TRY(sitting_players(d->srv->store, old->game.id, d->arena, &people, &n));
	for (size_t i = 0; i < n; i++) {
		TRY(player_get(d->srv->store, people[i], d->arena, &p));
		if (p.forgotten)
			continue;
		TRY(invitation_set(d->srv->store, h->game.id, people[i], false));
		if (people[i] == d->player.id || quietly)
			continue;
		TRY(can_be_asked(d, &p, &reachable));
		if (reachable)
			TRY(invite(d, old, h, &p));
	}
	return ERR_NONE;
}

static enum err follow(struct dealing *d, const struct hand *old, int64_t game, bool quietly)
{
	struct hand h;
	enum err rc = hand_load(d->srv, game, d->arena, &h);

	if (rc == ERR_NONE)
		rc = invite_all(d, old, &h, quietly);
	hand_release(&h);
	return rc;
}

static enum err found(struct dealing *d, const struct hand *old, bool quietly)
{
	struct new_game n;
	struct strbuf why = STRBUF_INIT;
	struct span name = SPAN_EMPTY;
	int64_t game = 0;
	enum err rc = same_terms(d, old, &n);

	if (rc == ERR_NONE && !same_options(d, old, &n, &why)) {
		strbuf_adds(&why, " So it cannot be played again as it was. A new game:");
		rc = refuse(d, "create " EXAMPLE_KIND " players 3 bots 1", why.ptr);
	} else if (rc == ERR_NONE) {
		rc = former_name(d, old->game.id, 0, &name);
		if (name.len == 0)
			name = d->player.name;
		if (rc == ERR_NONE)
			rc = joining_create(
			    d, &n, name,
			    arena_printf(d->arena,
			                 "This is %s once more. %s, and seats are kept for "
			                 "them for a week.",
			                 old->id,
			                 quietly
			                     ? "Those who played it may join"
			                     : "The others who played it are asked by mail"),
			    &game);
	}
	strbuf_release(&why);
	if (rc != ERR_NONE || game == 0)
		return rc;
	return follow(d, old, game, quietly);
}

/* ---- REMATCH ---- */

/* There is one already. */
static enum err second(struct dealing *d, const struct hand *old, const struct rematch *r,
                       const struct game *g)
{
	const char *id = game_id_text(g, d->arena);

	if (g->status == GAME_GATHERING)
		return join(d, r);
	return refuse(d, g->ended_utc ? arena_printf(d->arena, "rematch %s", id) : "list",
	              arena_printf(d->arena,
	                           g->ended_utc
	                               ? "%s has been played again already, as %s. That one "
	                                 "has ended too; who played in it can ask for another:"
	                               : "%s is being played again already, as %s, and that "
	                                 "game has begun. Open games are shown by:",
	                           old->id, id));
}

static enum err again(struct dealing *d, const struct hand *old)
{
	struct rematch r;
	struct game g;
	enum err rc = rematch_of(d->srv->store, old->game.id, &r);

	if (rc == ERR_NOT_FOUND)
		return found(d, old, false);
	TRY(rc);
	TRY(game_get(d->srv->store, r.game, d->arena, &g));
	if (g.status == GAME_CANCELLED && g.started_utc == 0)
		return found(d, old, g.created_utc + REMATCH_KEPT_S > d->srv->now_utc);
	return second(d, old, &r, &g);
}

/* A yes to an invitation: into that game, or, if it was given up, into another. */
static enum err accept(struct dealing *d, int64_t game)
{
	struct rematch r;
	struct game g;
	struct hand old;

	TRY(rematch_get(d->srv->store, game, &r));
	TRY(game_get(d->srv->store, game, d->arena, &g));
	if (g.status != GAME_CANCELLED || g.started_utc != 0)
		return join(d, &r);
	enum err rc = hand_load(d->srv, r.of, d->arena, &old);
	if (rc == ERR_NONE)
		rc = again(d, &old);
	hand_release(&old);
	return rc;
}

enum err rematch_answer(struct dealing *d, const struct letter_item *item, bool *done)
{
	int64_t game;

	TRY(invitation_answered(d, &game));
	*done = game != 0;
	if (game == 0)
		return ERR_NONE;
	d->understood = true;
	return item->verb == CMD_YES ? accept(d, game) : decline(d, game);
}

static enum err has_played(struct dealing *d, const struct hand *h, bool *yes)
{
	int64_t *people;
	size_t n;

	*yes = false;
	TRY(sitting_players(d->srv->store, h->game.id, d->arena, &people, &n));
	for (size_t i = 0; i < n; i++)
		*yes = *yes || (d->player.id != 0 && people[i] == d->player.id);
	return ERR_NONE;
}

static enum err refuse_outsider(struct dealing *d, const struct hand *h)
{
	return refuse(
	    d, arena_printf(d->arena, "create %s", entry_kind_words(h->rules, d->arena)),
	    arena_printf(d->arena,
	                 "Only somebody who has played %s can ask for it to be played again. A "
	                 "new game of that kind is opened by:",
	                 h->id));
}

static enum err refuse_waiting(struct dealing *d, const struct hand *h)
{
	struct seat mine;
	const char *next = "To take a seat in it:";
	const char *example = arena_printf(d->arena, "join %s", h->id);
	enum err rc = seat_of_player(d->srv->store, h->game.id, d->player.id, d->arena, &mine);

	if (rc == ERR_NONE) {
		next = "You have a seat in it. How it stands is shown by:";
		example = arena_printf(d->arena, "status %s", h->id);
	} else if (rc != ERR_NOT_FOUND) {
		return rc;
	} else if (h->game.is_private) {
		return refuse_outsider(d, h);
	}
	return refuse(
	    d, example,
	    arena_printf(d->arena,
	                 "%s has not begun yet, so there is nothing to play again. %s", h->id,
	                 next));
}

static enum err judge(struct dealing *d, const struct hand *h)
{
	bool played;

	d->row.game = h->game.id;
	TRY(has_played(d, h, &played));
	if (h->game.status == GAME_GATHERING)
		return refuse_waiting(d, h);
	if (!played)
		return refuse_outsider(d, h);
	if (h->game.ended_utc == 0)
		return refuse(d, arena_printf(d->arena, "status %s", h->id),
		              arena_printf(d->arena,
		                           "%s is not over yet. Write REMATCH when it has "
		                           "ended. How it stands is shown by:",
		                           h->id));
	return again(d, h);
}

/* Named, answered, or the last one of his that has ended; 0 = none. */
static enum err which(struct dealing *d, const struct letter_item *item, int64_t *game)
{
	unsigned ended = 1u << GAME_OVER | 1u << GAME_CANCELLED | 1u << GAME_ABANDONED;
	struct game *games;
	size_t n = 0;

	*game = item->game != 0 ? item->game : d->game;
	if (*game == 0)
		TRY(dealing_observed_answered(d, game));
	if (*game != 0 || d->player.id == 0)
		return ERR_NONE;
	TRY(game_list_of_player(d->srv->store, d->player.id, ended, d->arena, &games, &n));
	for (size_t i = 0; i < n; i++)
		if (games[i].started_utc != 0 && (*game == 0))
			*game = games[i].id;
	return ERR_NONE;
}

enum err do_rematch(struct dealing *d, const struct letter_item *item)
{
	struct hand h = {0};
	int64_t game;

	d->understood = true;
	TRY(invitation_answered(d, &game));
	if (game != 0 && (item->game == 0 || item->game == game))
		return accept(d, game);
	TRY(which(d, item, &game));
	enum err rc = game != 0 ? hand_load(d->srv, game, d->arena, &h) : ERR_NOT_FOUND;
	if (rc == ERR_NOT_FOUND || (rc == ERR_NONE && !letter_fits(item, &h.game)))
		rc = refuse(d, "list",
		            item->game != 0
		                ? "There is no such game. Open games are shown by:"
		                : "You have not played a game here that has ended, so there is "
		                  "none to play again. Open games are shown by:");
	else if (rc == ERR_NONE)
		rc = judge(d, &h);
	hand_release(&h);
	return rc;
}
