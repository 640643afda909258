/*
 * joining.c - founding games, names, starting, leaving before the start.
 */
#include "processor/joining.h"

#include <stdio.h>

#include "processor/base/random.h"
#include "processor/base/utf8.h"
#include "processor/rematch.h"
#include "processor/tables.h"
#include "processor/zones.h"
#include "store/ratings.h"
#include "store/rematches.h"

#include "processor/base/banned.h"

enum { START_BATCH = 100 }; /* games begun in one transaction */

static const char *const bot_names[] = {"Bot Ada",  "Bot Bela", "Bot Cleo",  "Bot Dag",
                                        "Bot Edda", "Bot Faro", "Bot Gus",   "Bot Hedy",
                                        "Bot Ivo",  "Bot June", "Bot Kalle", "Bot Lola",
                                        "Bot Momo", "Bot Nell", "Bot Otto",  "Bot Pia"};

static bool name_is_free(const struct hand *h, struct span name)
{
	for (size_t i = 0; h && i < h->nseats; i++)
		if (seat_is_taken(&h->seats[i]) && utf8_eq_folded(h->seats[i].name, name))
			return false;
	return true;
}

/* "Ann", else "Ann-2", "Ann-3" ... whatever is free and fits. */
bool joining_free_name(const struct hand *h, struct span base, struct arena *arena,
                       struct span *name)
{
	struct strbuf why = STRBUF_INIT;
	bool ok = false;

	for (unsigned n = 1; n <= MAX_SEATS + 1 && !ok; n++) {
		struct span clipped = span_trim(utf8_clip(base, SEAT_NAME_COLS - 3));
		*name = n == 1 ? span_trim(utf8_clip(base, SEAT_NAME_COLS))
		               : span_of(arena_printf(arena, "%.*s-%u", SPAN_ARGS(clipped), n));
		strbuf_clear(&why);
		ok = seat_name_ok(*name, &why) && name_is_free(h, *name);
	}
	strbuf_release(&why);
	return ok;
}

static struct span first_word(struct span s)
{
	struct span word = SPAN_EMPTY;

	return span_next_word(&s, ",;\"()", &word) ? word : s;
}

/* From what the mail says: display name, its first word, local part of the address. */
static struct span name_from_mail(const struct dealing *d, const struct hand *h)
{
	struct strbuf plain = STRBUF_INIT;
	struct span name;

	utf8_add_nfc(&plain, d->mail->from_name);
	struct span shown = arena_dup(d->arena, span_trim(strbuf_span(&plain)));
	strbuf_release(&plain);
	struct span local = span_slice(d->mail->from, 0, span_find_char(d->mail->from, '@'));
	local = span_slice(local, 0, span_find_char(local, '+'));
	const struct span tries[] = {d->player.name, first_word(shown), shown, local,
	                             SPAN_LIT("Player")};
	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++)
		if (tries[i].len > 0 && joining_free_name(h, tries[i], d->arena, &name))
			return name;
	return span_of(arena_printf(d->arena, "Player-%lld", (long long)d->inbox_id));
}

bool joining_name(const struct dealing *d, const struct hand *h, struct span asked,
                  struct span *name, struct strbuf *why)
{
	struct strbuf nfc = STRBUF_INIT;

	if (asked.len == 0) {
		*name = name_from_mail(d, h);
		return true;
	}
	utf8_add_nfc(&nfc, span_trim(asked));
	*name = arena_dup(d->arena, strbuf_span(&nfc));
	strbuf_release(&nfc);
	if (!seat_name_ok(*name, why))
		return false;
	if (name_is_free(h, *name))
		return true;
	strbuf_addf(why, "Somebody at this table is already called \"%.*s\".",
	            SPAN_ARGS(*name));
	return false;
}

enum err joining_stop_watching(struct dealing *d, int64_t game)
{
	enum err rc = observer_drop(d->srv->store, game, d->player.id);

	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

enum err joining_register(struct dealing *d, struct span name)
{
	bool confirmed = d->srv->cfg.unknown_senders == UNKNOWN_ACCEPT && !d->doubtful;

	if (d->player.id != 0) {
		if (d->player.name.len == 0)
			TRY(player_set_name(d->srv->store, d->player.id, name));
		return ERR_NONE;
	}
	TRY(player_add(d->srv->store, d->mail->from, name, confirmed, d->srv->now_utc,
	               &d->player.id));
	return player_get(d->srv->store, d->player.id, d->arena, &d->player);
}

/* Asks the rules whether a game with these options and so many seats can exist. */
static bool rules_agree(const struct new_game *n, struct strbuf *why)
{
	struct seat_names names = {.count = n->players};
	char text[MAX_SEATS + 1][16];
	struct game_state *state = NULL;

	for (unsigned s = 1; s <= n->players && s <= MAX_SEATS; s++) {
		snprintf(text[s], sizeof(text[s]), "Seat-%c", 'A' + (int)s - 1);
		names.names[s] = text[s];
	}
	struct chance *chance = chance_from_seed(1, "trial");
	bool ok = n->rules->new_game(&n->options, &names, chance, &state, why);
	chance_free(chance);
	if (ok)
		n->rules->free_state(state);
	return ok;
}

static bool numbers_agree(const struct new_game *n, struct strbuf *why)
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
	return true;
}

static struct digest key_digest(const struct server *srv, struct span key)
{
	struct strbuf folded = STRBUF_INIT;

	utf8_add_folded(&folded, key);
	struct digest d = keyring_mac(srv->keys, "join key", strbuf_span(&folded));
	strbuf_release(&folded);
	return d;
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

static bool name_is_taken(const struct seat *seats, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (utf8_eq_folded(seats[i].name, span_of(name)))
			return true;
	return false;
}

enum err joining_add_bots(struct server *srv, int64_t game, unsigned first, unsigned count,
                          unsigned level)
{
	struct seat *seats;
	size_t n;

	if (count == 0)
		return ERR_NONE;
	TRY(seat_list(srv->store, game, srv->arena, &seats, &n));
	for (unsigned i = 0, made = 0; made < count && i < 16; i++) {
		if (name_is_taken(seats, n, bot_names[i]))
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

static enum err add_first_seats(struct server *srv, const struct new_game *n, int64_t game)
{
	unsigned seat = 1;

	if (n->creator && !n->presides) {
		struct seat s = {.game = game,
		                 .seat = seat++,
		                 .player = n->creator->id,
		                 .bot_level = -1,
		                 .name = n->creator_name,
		                 .joined_utc = srv->now_utc,
		                 .confirmed = n->creator->confirmed};
		TRY(seat_add(srv->store, &s));
	}
	return joining_add_bots(srv, game, seat, n->bots, n->bot_level);
}

static enum err add_fork(struct server *srv, const struct new_game *n, int64_t game)
{
	struct fork row = *n->fork;

	row.game = game;
	TRY(fork_add(srv->store, &row));
	for (unsigned i = 1; i <= n->players; i++) {
		struct seat s = n->fork_seats[i];

		s.game = game;
		TRY(seat_add(srv->store, &s));
	}
	return ERR_NONE;
}

bool game_options(struct server *srv, const struct rules *rules, struct span asked,
                  struct arena *arena, struct options *out, struct strbuf *why)
{
	options_init(out, rules);
	return options_parse(out, asked, arena, why) &&
	       options_bind(out, server_tables(srv, out), arena, why);
}

struct press_rules game_press(const struct server *srv, const struct letter_create *asked)
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
	strbuf_addf(why,
	            n == 0
	                ? "There is no time zone \"%.*s\"."
	                : "\"%.*s\" may be several time zones; write the whole name, such as "
	                  "%s.",
	            SPAN_ARGS(c->zone), n == 0 ? "" : names[0]);
	return false;
}

bool game_calendar(struct server *srv, const struct letter_create *asked,
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

bool game_can_be(const struct new_game *n, struct strbuf *why)
{
	return numbers_agree(n, why) && rules_agree(n, why);
}

enum err game_found(struct server *srv, const struct new_game *n, struct arena *arena,
                    int64_t *game, const char **key, struct strbuf *why)
{
	struct digest secret;
	struct strbuf options = STRBUF_INIT;

	*key = "";
	if (!n->fork && !game_can_be(n, why))
		return ERR_INVALID;
	TRY(game_next_id(srv->store, game));
	random_bytes(arena_printf(arena, "game secret %lld", (long long)*game), secret.bytes,
	             DIGEST_LEN);
	options_format(&n->options, false, &options);
	struct game g = {
	    .id = *game,
	    .letter = n->rules->letter,
	    .kind = span_of(n->rules->name),
	    .rules_version = n->rules->version,
	    .options = arena_dup(arena, strbuf_span(&options)),
	    .title = n->title,
	    .status = GAME_GATHERING,
	    .origin = n->fork ? GAME_FORKED : GAME_BEGUN,
	    .nseats = n->players,
	    .next_s = n->calendar.next_s,
	    .is_private = n->is_private,
	    .creator = n->creator ? n->creator->id : 0,
	    .master = n->creator && srv->cfg.has_masters ? n->creator->id : 0,
	    .created_utc = srv->now_utc,
	    .secret_digest = digest_of(digest_span(&secret)),
	};
	strbuf_clear(&options);
	calendar_format(&n->calendar, &options);
	g.calendar = arena_dup(arena, strbuf_span(&options));
	strbuf_release(&options);
	if (n->is_private) {
		*key = n->key.len > 0 ? arena_cstr(arena, n->key) : draw_key(*game, arena);
		g.join_key = key_digest(srv, span_of(*key));
	}
	TRY(game_add(srv->store, &g, &secret));
	TRY(press_rules_add(srv->store, g.id, &n->press));
	if (n->reliability > 0)
		TRY(entry_terms_set(srv->store, g.id, n->reliability));
	if (n->again != 0)
		TRY(rematch_add(srv->store,
		                &(struct rematch){.game = g.id,
		                                  .of = n->again,
		                                  .kept_utc = srv->now_utc + REMATCH_KEPT_S}));
	*game = g.id;
	return n->fork ? add_fork(srv, n, g.id) : add_first_seats(srv, n, g.id);
}

bool joining_key_fits(const struct server *srv, const struct game *g, struct span key)
{
	struct digest given = key_digest(srv, key);

	return digest_is_zero(&g->join_key) || digest_eq(&given, &g->join_key);
}

enum err game_start_if_full(struct server *srv, struct hand *h)
{
	struct order_set joins;

	if (h->game.status != GAME_GATHERING || h->nseats < h->game.nseats ||
	    h->game.start_utc > srv->now_utc)
		return ERR_NONE;
	for (size_t i = 0; i < h->nseats; i++)
		if (!seat_is_taken(&h->seats[i]) || !h->seats[i].confirmed)
			return ERR_NONE;
	h->turn = (struct turn){.game = h->game.id,
	                        .state = TURN_SEALED,
	                        .label = SPAN_LIT("set-up"),
	                        .opened_utc = srv->now_utc,
	                        .sealed_utc = srv->now_utc,
	                        .remind_utc = TURN_NO_REMINDER};
	TRY(order_set_load(srv, h, &joins));
	h->turn.orders_digest = order_set_digest(h, &joins);
	h->has_turn = true;
	h->game.status = GAME_RUNNING;
	h->game.started_utc = srv->now_utc;
	h->game.start_utc = 0;
	TRY(game_update(srv->store, &h->game));
	return turn_open(srv->store, &h->turn);
}

static enum err time_has_come(struct server *srv, int64_t game, struct arena *arena)
{
	struct hand h;
	enum err rc = hand_load(srv, game, arena, &h);

	if (rc == ERR_NONE) {
		h.game.start_utc = 0;
		rc = game_update(srv->store, &h.game);
	}
	if (rc == ERR_NONE)
		rc = game_start_if_full(srv, &h);
	hand_release(&h);
	return rc;
}

static enum err start_some(struct server *srv, const int64_t *games, size_t n)
{
	struct arena *arena = arena_new();
	enum err rc = store_begin(srv->store);
	bool open = rc == ERR_NONE;

	for (size_t i = 0; i < n && rc == ERR_NONE; i++)
		rc = time_has_come(srv, games[i], arena);
	if (rc == ERR_NONE)
		rc = store_commit(srv->store);
	else if (open)
		store_rollback(srv->store);
	arena_free(arena);
	return rc;
}

enum err games_start_due(struct server *srv)
{
	int64_t games[START_BATCH];
	size_t n;

	do {
		TRY(game_list_to_start(srv->store, srv->now_utc, START_BATCH, games, &n));
		if (n > 0)
			TRY(start_some(srv, games, n));
	} while (n == START_BATCH);
	return ERR_NONE;
}

static bool says_no(const struct letter *l)
{
	for (size_t i = 0; i < l->nitems; i++)
		if (l->items[i].verb == CMD_NO)
			return true;
	return false;
}

enum err joining_confirm_by_reply(struct dealing *d)
{
	struct hand h;
	enum err rc;

	if (says_no(d->letter) || d->player.id == 0 || (d->game == 0 && d->bundle == 0))
		return ERR_NONE;
	if (!d->player.confirmed)
		TRY(player_set_confirmed(d->srv->store, d->player.id));
	d->player.confirmed = true;
	if (d->game == 0)
		return ERR_NONE;
	rc = dealing_hand(d, d->game, &h);
	struct seat *seat = rc == ERR_NONE ? hand_seat(&h, d->seat) : NULL;
	if (rc == ERR_NONE && (!seat || seat->confirmed)) {
		dealing_keep(d, &h);
	} else if (rc == ERR_NONE) {
		seat->confirmed = d->seat_confirmed = true;
		rc = seat_update(d->srv->store, seat);
		if (rc == ERR_NONE)
			rc = game_start_if_full(d->srv, &h);
	}
	hand_release(&h);
	return rc;
}

enum err joining_cancel_if_empty(struct server *srv, struct hand *h, int64_t leaver)
{
	if (h->game.master != 0 && h->game.master != leaver)
		return ERR_NONE;
	for (size_t i = 0; i < h->nseats; i++)
		if (h->seats[i].player != 0)
			return ERR_NONE;
	h->game.status = GAME_CANCELLED;
	h->game.ended_utc = srv->now_utc;
	return game_update(srv->store, &h->game);
}

enum err joining_leave(struct dealing *d, const struct letter_item *item, bool *gone)
{
	struct hand h;
	struct seat *seat;
	bool found;
	enum err rc;

	*gone = false;
	rc = dealing_game(d, item, &h, &seat, &found);
	if (rc != ERR_NONE || !found) {
		*gone = rc == ERR_NONE;
		goto out;
	}
	if (h.game.status != GAME_GATHERING || !seat)
		goto out;
	*gone = true;
	dealing_verdict(d, "command", "left %s before it began", h.id);
	rc = dealing_notice(
	    d, &h, seat, "you have left", "list",
	    "Your seat in %s is free again; you will get no more mail about it. Other "
	    "open games are shown by:",
	    h.id);
	if (rc != ERR_NONE)
		goto out;
	seat->player = 0;
	seat->confirmed = false;
	seat->token_generation++;
	rc = seat_update(d->srv->store, seat);
	if (rc == ERR_NONE)
		rc = press_leave(d->srv->store, h.game.id, seat->seat, d->srv->now_utc);
	if (rc == ERR_NONE)
		rc = joining_cancel_if_empty(d->srv, &h, d->player.id);
	d->game = 0; /* a further line of this mail has no seat there any more */
out:
	hand_release(&h);
	return rc;
}
