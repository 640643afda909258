/*
 * start.c - a game is made, and begins.
 */
#include "processor/turns/start.h"

#include "processor/base/random.h"
#include "processor/base/step.h"
#include "processor/base/utf8.h"
#include "processor/server/word_lists.h"
#include "processor/server/zones.h"
#include "processor/turns/batch.h"
#include "processor/turns/ready.h"
#include "store/ratings.h"
#include "store/rematches.h"

enum { START_BATCH = 100 }; /* games begun in one transaction */

static const char *const bot_names[] = {"Bot Ada",  "Bot Bela", "Bot Cleo",  "Bot Dag",
                                        "Bot Edda", "Bot Faro", "Bot Gus",   "Bot Hedy",
                                        "Bot Ivo",  "Bot June", "Bot Kalle", "Bot Lola",
                                        "Bot Momo", "Bot Nell", "Bot Otto",  "Bot Pia"};

/* ---- what it is to be ---- */

bool game_options(struct server *srv, const struct rules *rules, struct span asked,
                  struct arena *arena, struct options *out, struct strbuf *why)
{
	options_init(out, rules);
	return options_parse(out, asked, arena, why) &&
	       options_bind(out, server_tables(srv, out), arena, why);
}

struct press_rules game_press(const struct server *srv, const struct create_arguments *asked)
{
	struct press_rules rules = srv->cfg.press;

	if (asked->press != 0)
		rules.mode = (enum press_mode)(asked->press - 1);
	if (asked->delivery != 0)
		rules.waits = asked->delivery == 2;
	if (asked->observers != 0)
		rules.observers = (enum press_observers)(asked->observers - 1);
	return rules;
}

/* "new_york", as typed, becomes the one zone it can mean. */
static bool settle_zone(struct server *srv, struct arena *arena, struct calendar *c,
                        struct strbuf *why)
{
	const char *names[ZONE_MATCHES];
	size_t n;

	if (c->zone.len == 0 || span_eq_nocase(c->zone, "utc"))
		return true;
	zones_match(srv, c->zone, names, &n);
	if (n == 1) {
		c->zone = arena_dup(arena, span_of(names[0]));
		return true;
	}
	strbuf_addf(
	    why,
	    n == 0 ? "There is no time zone \"%.*s\"."
		   : "\"%.*s\" may be several time zones; write the whole name, such as %s.",
	    SPAN_ARGS(c->zone), n == 0 ? "" : names[0]);
	return false;
}

bool game_calendar(struct server *srv, const struct create_arguments *asked,
                   const struct player *creator, struct arena *arena, struct calendar *out,
                   struct strbuf *why)
{
	*out = srv->cfg.calendar;
	out->nholidays = 0; /* the server's go for every game, without being said */
	out->zone = creator ? creator->zone : SPAN_EMPTY;
	if (!calendar_parse(out, asked->calendar, arena, why) ||
	    !settle_zone(srv, arena, out, why))
		return false;
	if (out->zone.len == 0)
		out->zone = span_of(srv->cfg.zone);
	out->next_s = asked->next_s ? asked->next_s : srv->cfg.next_s;
	return true;
}

bool game_can_be(const struct new_game *n, struct arena *arena, struct strbuf *why)
{
	unsigned people = n->creator && !n->presides ? 1 : 0;

	if (n->players < n->rules->min_seats || n->players > n->rules->max_seats) {
		if (n->rules->min_seats == n->rules->max_seats)
			strbuf_addf(why, "%s is for %u players, not %u.", n->rules->title,
			            n->rules->min_seats, n->players);
		else
			strbuf_addf(why, "%s is for %u to %u players, not %u.", n->rules->title,
			            n->rules->min_seats, n->rules->max_seats, n->players);
		return false;
	}
	if (n->bots + people > n->players) {
		strbuf_addf(why, "%u bots and you are more than the %u seats of the game.",
		            n->bots, n->players);
		return false;
	}
	struct game_state *trial =
	    trial_position(n->rules, &n->options, n->players, arena, why);
	n->rules->free_state(trial);
	return trial != NULL;
}

/* ---- its rows ---- */

static struct hash key_hash(const struct server *srv, struct span key)
{
	struct strbuf folded = STRBUF_INIT;

	utf8_add_folded(&folded, key);
	struct hash d = keyring_mac(keyring_first(srv->keys), "join key", strbuf_span(&folded));
	strbuf_release(&folded);
	return d;
}

bool game_key_fits(const struct server *srv, const struct game *g, struct span key)
{
	struct hash given = key_hash(srv, key);

	return hash_is_zero(&g->join_key) || hash_eq(&given, &g->join_key);
}

/* Eight letters and digits that are easy to read out. */
static const char *draw_key(int64_t game, struct arena *arena)
{
	static const char alphabet[] = "abcdefghjkmnpqrstuvwxyz23456789x";
	unsigned char bytes[8];
	char *key = arena_alloc(arena, sizeof(bytes) + 1);

	random_bytes(arena_printf(arena, "join key %lld", (long long)game), bytes,
	             sizeof(bytes));
	for (size_t i = 0; i < sizeof(bytes); i++)
		key[i] = alphabet[bytes[i] % 32];
	return key;
}

enum err game_add_bots(struct server *srv, int64_t game, unsigned first, unsigned count,
                       unsigned level)
{
	struct seat *seats;
	size_t n;

	if (count == 0)
		return ERR_NONE;
	TRY(seat_list(srv->store, game, srv->arena, &seats, &n));
	for (unsigned i = 0, made = 0; made < count && i < 16; i++) {
		bool is_taken = false;

		for (size_t k = 0; k < n; k++)
			is_taken = is_taken ||
			           utf8_looks_alike(seats[k].name, span_of(bot_names[i]));
		if (is_taken)
			continue;
		struct seat s = {.game = game,
		                 .seat = first + made,
		                 .bot_level = (int)level,
		                 .name = span_of(bot_names[i]),
		                 .joined_utc = srv->now_utc,
		                 .confirmed = true};
		TRY(seat_add(srv->store, &s));
		made++;
	}
	return ERR_NONE;
}

static enum err add_creators_seat(struct server *srv, const struct new_game *n,
                                  const struct game *g, const struct hash *secret,
                                  struct seat *s)
{
	s->game = g->id;
	s->contribution = g->record_version > 1 ? proof_contribution(&n->mail, secret, s->seat)
	                                        : (struct hash){{0}};
	s->is_operator = config_shows_operator(&srv->cfg, n->creator->address);
	s->joins = g->record_version > 2 ? 1 : 0;
	if (s->joins > 0)
		TRY(seat_join_add(srv->store,
		                  &(struct seat_join){.game = s->game,
		                                      .player = s->player,
		                                      .seat = s->seat,
		                                      .number = 1,
		                                      .name = s->name,
		                                      .salt = s->salt,
		                                      .joined_utc = s->joined_utc,
		                                      .contribution = s->contribution}));
	return seat_add(srv->store, s);
}

static struct span calendar_text(const struct calendar *c, struct arena *arena)
{
	struct strbuf text = STRBUF_INIT;

	calendar_format(c, &text);
	return arena_take(arena, &text);
}

static struct span options_text(const struct options *o, struct arena *arena)
{
	struct strbuf text = STRBUF_INIT;

	options_format(o, OPTIONS_ALL, &text);
	return arena_take(arena, &text);
}

static enum err add_terms(struct server *srv, const struct new_game *n, int64_t game)
{
	TRY(press_rules_add(srv->store, game, &n->press));
	if (n->terms.reliability > 0 || n->terms.without_operator || n->terms.ready)
		TRY(entry_terms_set(srv->store, game, &n->terms));
	if (n->again == 0)
		return ERR_NONE;
	return rematch_add(srv->store,
	                   &(struct rematch){.game = game,
	                                     .of = n->again,
	                                     .kept_utc = srv->now_utc + REMATCH_KEPT_S});
}

enum err game_create(struct server *srv, const struct new_game *n, struct arena *arena,
                     int64_t *game, const char **key, struct strbuf *why)
{
	struct game g = (struct game){
	    .letter = n->rules->letter,
	    .kind = span_of(n->rules->name),
	    .rules_version = n->rules->version,
	    .record_version = step_record_version(RECORD_VERSION_NEWEST),
	    .bots_version = n->rules->bots_version,
	    .options = options_text(&n->options, arena),
	    .calendar = calendar_text(&n->calendar, arena),
	    .title = n->title,
	    .status = GAME_GATHERING,
	    .origin = n->fork ? GAME_FORKED : GAME_BEGUN,
	    .nseats = n->players,
	    .next_s = n->calendar.next_s,
	    .is_private = n->is_private,
	    .creator = n->creator ? n->creator->id : 0,
	    .master = n->creator && srv->cfg.has_masters ? n->creator->id : 0,
	    .master_asks = true,
	    .created_utc = srv->now_utc,
	};
	struct hash secret;
	*key = "";
	if (!n->fork && !game_can_be(n, arena, why))
		return ERR_INVALID;
	TRY(game_next_id(srv->store, srv->cfg.first_game, &g.id));
	random_bytes(arena_printf(arena, "game secret %lld", (long long)g.id), secret.bytes,
	             HASH_LEN);
	g.secret_hash = hash_of(hash_span(&secret));
	if (n->is_private) {
		*key = n->key.len > 0 ? arena_cstr(arena, n->key) : draw_key(g.id, arena);
		g.join_key = key_hash(srv, span_of(*key));
	}
	TRY(game_add(srv->store, &g, &secret));
	TRY(add_terms(srv, n, g.id));
	/* So that others can open a game with them too. */
	for (size_t i = 0; i < n->rules->noptions; i++) {
		struct span value = span_of(n->options.values[i]);
		struct strbuf name = STRBUF_INIT;

		if (!options_has_text(&n->options, i))
			continue;
		options_text_name(value, &name);
		enum err rc = option_text_keep(srv->store, span_of(n->rules->name),
		                               span_of(n->rules->options[i].name),
		                               strbuf_span(&name), value, srv->now_utc);
		strbuf_release(&name);
		TRY(rc);
	}
	*game = g.id;
	if (!n->fork) {
		unsigned seat = 1;

		if (n->creator && !n->presides) {
			struct seat s = {.seat = seat,
			                 .player = n->creator->id,
			                 .bot_level = -1,
			                 .name = n->creator_name,
			                 .joined_utc = srv->now_utc,
			                 .confirmed = n->creator->confirmed};
			TRY(add_creators_seat(srv, n, &g, &secret, &s));
			seat++;
		}
		return game_add_bots(srv, g.id, seat, n->bots, n->bot_level);
	}
	struct fork row = *n->fork;
	row.game = g.id;
	TRY(fork_add(srv->store, &row));
	for (unsigned i = 1; i <= n->players; i++) {
		struct seat s = n->fork_seats[i];

		s.game = g.id;
		TRY(s.player != 0 ? add_creators_seat(srv, n, &g, &secret, &s)
		                  : seat_add(srv->store, &s));
	}
	return ERR_NONE;
}

/* ---- its beginning ---- */

enum err game_start_if_full(struct server *srv, struct match *match)
{
	struct order_set joins;

	if (match->game.status != GAME_GATHERING || match->nseats < match->game.nseats ||
	    match->game.start_utc > srv->now_utc)
		return ERR_NONE;
	for (size_t i = 0; i < match->nseats; i++)
		if (!seat_is_taken(&match->seats[i]) || !match->seats[i].confirmed)
			return ERR_NONE;
	bool wait;
	TRY(ready_or_ask(srv, match, &wait));
	if (wait)
		return ERR_NONE;
	match->turn = (struct turn){.game = match->game.id,
	                            .state = TURN_SEALED,
	                            .label = SPAN_LIT("set-up"),
	                            .opened_utc = srv->now_utc,
	                            .sealed_utc = srv->now_utc,
	                            .remind_utc = TURN_NO_REMINDER};
	TRY(order_set_load(srv, match, &joins));
	match->turn.orders_hash = order_set_hash(match, &joins);
	match->has_turn = true;
	match->game.status = GAME_RUNNING;
	match->game.started_utc = srv->now_utc;
	match->game.start_utc = match->game.ready_until_utc = 0;
	TRY(game_update(srv->store, &match->game));
	if (match->game.record_version > 2)
		TRY(seat_joins_drop(srv->store, match->game.id));
	return turn_open(srv->store, &match->turn);
}

static bool is_due(int64_t at_utc, int64_t now_utc)
{
	return at_utc != 0 && at_utc <= now_utc;
}

static enum err start_some(struct server *srv, const int64_t *games, size_t n)
{
	struct arena *arena = arena_new();
	enum err rc = store_begin(srv->store);
	bool open = rc == ERR_NONE;

	for (size_t i = 0; i < n && rc == ERR_NONE; i++) {
		struct match match;
		rc = match_load(srv, games[i], arena, &match);

		if (rc == ERR_NONE && is_due(match.game.ready_until_utc, srv->now_utc))
			rc = ready_expire(srv, &match);
		if (rc == ERR_NONE && is_due(match.game.start_utc, srv->now_utc)) {
			match.game.start_utc = 0;
			rc = game_update(srv->store, &match.game);
		}
		if (rc == ERR_NONE)
			rc = game_start_if_full(srv, &match);
		match_release(&match);
	}
	if (open)
		rc = store_end(srv->store, rc);
	if (rc == ERR_NONE)
		step("games begun");
	arena_free(arena);
	return rc;
}

enum err games_start_due(struct server *srv)
{
	int64_t games[START_BATCH];
	size_t n;

	do {
		TRY(game_list_to_start(srv->store, srv->now_utc, START_BATCH, games, &n));
		enum err rc = n > 0 ? start_some(srv, games, n) : ERR_NONE;
		/* Else each by itself: one that cannot begin is held, and the others do. */
		bool each = server_blames_game(rc);
		TRY(each ? ERR_NONE : rc);
		for (size_t i = 0; each && i < n; i++) {
			rc = start_some(srv, &games[i], 1);
			TRY(server_blames_game(rc) ? game_hold_alone(srv, games[i], "begin", rc)
			                           : rc);
		}
	} while (n == START_BATCH);
	return ERR_NONE;
}
