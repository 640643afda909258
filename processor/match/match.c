/*
 * match.c - loading a game and the orders of its newest turn.
 *
 * Trusts: rows come from our own store, but disks rot: a position is used only
 * after its digest, its parent's and the orders' have been checked together.
 */
#include "processor/match/match.h"

#include "processor/archive/fork_point.h"
#include "processor/archive/proof.h"
#include "processor/base/num.h"
#include "processor/server/word_lists.h"

#include "processor/base/banned.h"

struct seat *hand_seat(const struct hand *h, unsigned seat)
{
	return seat >= 1 && seat <= h->nseats ? &h->seats[seat - 1] : NULL;
}

bool hand_plays(const struct hand *h, int64_t player, bool or_did)
{
	for (size_t i = 0; i < h->nseats && player != 0; i++)
		if (h->seats[i].player == player && (or_did || !h->seats[i].resigned))
			return true;
	return false;
}

bool hand_came_after(const struct hand *h, int64_t arrived_utc, int64_t end_utc)
{
	bool paused = h->game.status == GAME_PAUSED;
	int64_t at = paused && h->game.paused_utc < arrived_utc ? h->game.paused_utc
	                                                        : arrived_utc;

	return end_utc != 0 && at > end_utc && !h->game.held;
}

bool seat_is_taken(const struct seat *s)
{
	return s->player != 0 || s->bot_level >= 0;
}

bool seat_was_bot(const struct seat *s)
{
	return s->bot_level >= 0 && s->former == 0;
}

bool seat_was_of(const struct seat *s, int64_t player)
{
	return player != 0 && (s->player == player || (s->player == 0 && s->former == player));
}

const char *hand_names_in(const struct hand *h, struct seat_set seats)
{
	struct strbuf out = STRBUF_INIT;
	unsigned n = seat_count(seats), said = 0;

	for (unsigned s = 1; s <= h->nseats; s++)
		if (seat_in(seats, s)) {
			strbuf_addf(&out, "%s%s",
			            said == 0       ? ""
			            : said + 1 == n ? " and "
			                            : ", ",
			            h->names.names[s]);
			said++;
		}
	const char *copy = arena_strdup(h->arena, out.ptr);
	strbuf_release(&out);
	return copy;
}

bool hand_seat_is_named(const struct hand *h, const struct seat *s)
{
	return seat_is_taken(s) || s->former != 0 || h->game.origin == GAME_IMPORTED;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

unsigned hand_turn_number(struct span label)
{
	unsigned n = 0;
	size_t at = 0, end;

	while (at < label.len && !is_digit(label.ptr[at]))
		at++;
	for (end = at; end < label.len && is_digit(label.ptr[end]);)
		end++;
	return num_parse_uint(span_slice(label, at, end), 0, UINT32_MAX, &n) ? n : 0;
}

unsigned hand_taken(const struct hand *h)
{
	unsigned n = 0;
	for (size_t i = 0; i < h->nseats; i++)
		n += hand_seat_is_named(h, &h->seats[i]);
	return n;
}

enum err hand_check_letter(struct server *srv, int64_t game, char letter)
{
	struct game g;

	enum err rc = game_get(srv->store, game, srv->arena, &g);

	if (rc == ERR_NOT_FOUND)
		return err_set(&srv->fail, rc, "there is no game number %lld", (long long)game);
	if (rc != ERR_NONE || game_has_letter(&g, letter))
		return rc;
	return err_set(&srv->fail, ERR_NOT_FOUND, "there is no game %c%lld; number %lld is %s",
	               letter, (long long)game, (long long)game, game_id_text(&g, srv->arena));
}

static enum err rules_of_game(struct server *srv, struct hand *h)
{
	struct strbuf why = STRBUF_INIT;
	enum err rc = ERR_NONE;

	h->rules = rules_find_version(h->game.kind, h->game.rules_version);
	if (!h->rules)
		return err_set(
		    &srv->fail, ERR_UNSUPPORTED,
		    "%s needs the rules '%.*s' version %u, which this program does not have",
		    h->id, SPAN_ARGS(h->game.kind), h->game.rules_version);
	options_init(&h->options, h->rules);
	if (!options_parse(&h->options, h->game.options, h->arena, &why))
		rc = err_set(&srv->fail, ERR_CORRUPT, "%s: stored options: %s", h->id, why.ptr);
	else
		h->tables = server_tables(srv, &h->options);
	strbuf_release(&why);
	return rc;
}

/* The server's holidays go for every game, as far as there is room. */
static void add_holidays(const struct calendar *server, struct calendar *c)
{
	for (size_t i = 0; i < server->nholidays && c->nholidays < CALENDAR_HOLIDAYS; i++)
		c->holidays[c->nholidays++] = server->holidays[i];
}

static enum err calendar_of_game(struct server *srv, struct hand *h)
{
	struct strbuf why = STRBUF_INIT;
	enum err rc = ERR_NONE;

	calendar_init(&h->calendar);
	if (!calendar_parse(&h->calendar, h->game.calendar, h->arena, &why))
		rc =
		    err_set(&srv->fail, ERR_CORRUPT, "%s: stored calendar: %s", h->id, why.ptr);
	h->calendar.next_s = h->game.next_s;
	add_holidays(&srv->cfg.calendar, &h->calendar);
	strbuf_release(&why);
	return rc;
}

static enum err seats_of_game(struct server *srv, struct hand *h)
{
	TRY(seat_list(srv->store, h->game.id, h->arena, &h->seats, &h->nseats));
	h->names.count = (unsigned)h->nseats;
	for (size_t i = 0; i < h->nseats; i++) {
		if (h->seats[i].seat != i + 1 || i >= MAX_SEATS)
			return err_set(&srv->fail, ERR_CORRUPT, "%s: seats are not 1 to %zu",
			               h->id, h->nseats);
		h->names.names[i + 1] = arena_cstr(h->arena, h->seats[i].name);
	}
	return ERR_NONE;
}

static enum err name_in_record(struct server *srv, struct hand *h)
{
	struct import import;

	h->record_id = h->id;
	if (h->game.origin != GAME_IMPORTED)
		return ERR_NONE;
	TRY(import_get(srv->store, h->game.id, h->arena, &import));
	h->record_id = arena_cstr(h->arena, import.record_id);
	return ERR_NONE;
}

static enum err newest_turn(struct server *srv, struct hand *h)
{
	enum err rc = h->to_read
	                  ? turn_get_with_position(srv->store, h->game.id, h->game.serial,
	                                           h->arena, &h->turn, &h->parent)
	                  : turn_get_with_parent(srv->store, h->game.id, h->game.serial,
	                                         h->arena, &h->turn, &h->parent);

	if (rc == ERR_NOT_FOUND && h->game.serial == 0)
		return ERR_NONE;
	h->has_turn = rc == ERR_NONE;
	return rc;
}

/* The game it is, and how far its turn is to be read, are given. */
static enum err load(struct server *srv, int64_t game, struct hand *h)
{
	TRY(game_get(srv->store, game, h->arena, &h->game));
	h->id = game_id_text(&h->game, h->arena);
	TRY(name_in_record(srv, h));
	TRY(rules_of_game(srv, h));
	TRY(calendar_of_game(srv, h));
	TRY(seats_of_game(srv, h));
	return newest_turn(srv, h);
}

enum err hand_load(struct server *srv, int64_t game, struct arena *arena, struct hand *out)
{
	*out = (struct hand){.arena = arena};
	return load(srv, game, out);
}

enum err hand_load_to_read(struct server *srv, int64_t game, struct arena *arena,
                           struct hand *out)
{
	*out = (struct hand){.arena = arena, .to_read = true};
	return load(srv, game, out);
}

void hand_release(struct hand *h)
{
	if (h->state)
		h->rules->free_state(h->state);
	h->state = NULL;
}

static enum err decode_position(struct server *srv, const struct hand *h, unsigned serial,
                                struct span text, struct game_state **out)
{
	struct strbuf why = STRBUF_INIT;
	enum err rc = ERR_NONE;

	if (!h->rules->decode(text, out, &why))
		rc = err_set(&srv->fail, ERR_CORRUPT, "%s: position after serial %u: %s", h->id,
		             serial, why.ptr);
	strbuf_release(&why);
	return rc;
}

/* The position that came out of a turn, checked against the digest in its row. */
static enum err result_of(struct server *srv, const struct hand *h, const struct turn *turn,
                          struct game_state **out)
{
	struct strbuf text = STRBUF_INIT;
	struct digest d, parent_result;
	enum err rc = turn_position(srv->store, turn, &text, &parent_result);

	if (rc == ERR_NONE) {
		d = proof_state_digest(h->record_id, turn->serial, &parent_result,
		                       &turn->orders_digest, strbuf_span(&text));
		if (!digest_eq(&d, &turn->result_digest))
			rc = err_set(
			    &srv->fail, ERR_CORRUPT,
			    "%s: the stored position after serial %u does not match its digest",
			    h->id, turn->serial);
	}
	if (rc == ERR_NONE)
		rc = decode_position(srv, h, turn->serial, strbuf_span(&text), out);
	strbuf_release(&text);
	return rc;
}

enum err hand_result(struct server *srv, const struct hand *h, unsigned serial,
                     struct game_state **out)
{
	struct turn turn;

	TRY(turn_get(srv->store, h->game.id, serial, h->arena, &turn));
	return result_of(srv, h, &turn, out);
}

enum err hand_position(struct server *srv, struct hand *h)
{
	if (h->state || !h->has_turn || h->turn.serial == 0)
		return ERR_NONE;
	/* The hand may look at an older turn than it was loaded with. */
	if (h->to_read || h->parent.serial != h->turn.parent)
		return hand_result(srv, h, h->turn.parent, &h->state);
	return result_of(srv, h, &h->parent, &h->state);
}

enum err hand_position_to_read(struct server *srv, struct hand *h)
{
	struct strbuf text = STRBUF_INIT;

	if (h->state || !h->has_turn || h->turn.serial == 0)
		return ERR_NONE;
	/* The hand may look at an older turn than it was loaded with. */
	struct turn from = {.game = h->game.id, .serial = h->turn.parent};
	if (h->parent.serial == from.serial)
		from = h->parent;
	enum err rc = turn_state_text(srv->store, &from, &text);
	if (rc == ERR_NONE)
		rc = decode_position(srv, h, h->turn.parent, strbuf_span(&text), &h->state);
	strbuf_release(&text);
	return rc;
}

enum err hand_fork(struct server *srv, const struct hand *h, struct fork *row,
                   struct game_state **from)
{
	struct strbuf why = STRBUF_INIT;
	enum err rc = ERR_NONE;

	TRY(fork_get(srv->store, h->game.id, h->arena, row));
	if (from &&
	    !position_read(h->rules, h->game.options, &h->names, row->position, from, &why))
		rc = err_set(&srv->fail, ERR_CORRUPT, "%s: the position it goes on from: %s",
		             h->id, why.ptr);
	strbuf_release(&why);
	return rc;
}

struct game_state *hand_trial_position(const struct hand *h)
{
	struct seat_names names = {.count = h->game.nseats};
	struct strbuf why = STRBUF_INIT;
	struct game_state *state = NULL;
	struct chance *chance = chance_from_seed(1, "trial");

	for (unsigned s = 1; s <= names.count; s++)
		names.names[s] = arena_printf(h->arena, "Seat-%c", 'A' + (int)s - 1);
	if (!h->rules->new_game(&h->options, &names, chance, &state, &why))
		state = NULL;
	chance_free(chance);
	strbuf_release(&why);
	return state;
}

enum err hand_secret(struct server *srv, struct hand *h)
{
	if (h->has_secret)
		return ERR_NONE;
	TRY(game_secret(srv->store, &h->game, &h->secret));
	h->has_secret = true;
	return ERR_NONE;
}

/* The database says only "sent" of a RESIGN: that somebody leaves is as secret as his orders. */
enum order_origin hand_origin(const struct order_revision *r)
{
	return span_eq_str(r->canonical, ORDER_RESIGN_TEXT) ? ORDER_RESIGNED
	                                                    : (enum order_origin)r->origin;
}

static struct seat_entry entry_from_revision(const struct order_revision *r)
{
	return (struct seat_entry){
	    .acts = true,
	    .revision = r->revision,
	    .origin = hand_origin(r),
	    .received_utc = r->received_utc,
	    .salt = r->salt,
	    .canonical = r->canonical,
	};
}

void seat_entry_prove(struct seat_entry *e, const struct digest *secret, const char *record_id,
                      unsigned serial, unsigned seat)
{
	e->nonce = proof_nonce(secret, serial, seat, e->revision);
	e->commitment = proof_commitment(record_id, serial, seat, e->revision, &e->nonce,
	                                 e->salt, e->canonical);
}

static void prove(const struct hand *h, struct order_set *set, unsigned seat)
{
	struct seat_entry *e = &set->seats[seat];

	if (e->revision > 0)
		seat_entry_prove(e, &h->secret, h->record_id, h->turn.serial, seat);
}

bool seat_entry_is_silent(const struct seat_entry *e)
{
	return e->revision == 0 || e->origin == ORDER_FALLBACK;
}

static void entry_default(const struct hand *h, unsigned seat, struct seat_entry *out)
{
	struct strbuf text = STRBUF_INIT;

	h->rules->default_orders(h->state, seat, &text);
	*out = (struct seat_entry){.acts = true, .origin = ORDER_DEFAULT};
	out->canonical = arena_dup(h->arena, strbuf_span(&text));
	out->commitment = digest_of(out->canonical);
	strbuf_release(&text);
}

static struct digest digest_entries(const struct hand *h, const struct order_set *set)
{
	struct proof_orders_line lines[MAX_SEATS];
	size_t n = 0;

	for (unsigned seat = 1; seat <= h->nseats; seat++)
		if (set->seats[seat].acts)
			lines[n++] = (struct proof_orders_line){seat, set->seats[seat].revision,
			                                        set->seats[seat].commitment};
	return proof_orders_digest(lines, n);
}

static struct digest digest_joins(const struct hand *h)
{
	struct proof_join joins[MAX_SEATS];

	for (size_t i = 0; i < h->nseats; i++)
		joins[i] = (struct proof_join){h->names.names[i + 1], h->seats[i].joined_utc,
		                               h->seats[i].salt};
	return proof_joins_digest(joins, h->nseats);
}

struct digest order_set_digest(const struct hand *h, const struct order_set *set)
{
	return h->turn.serial == 0 ? digest_joins(h) : digest_entries(h, set);
}

bool order_set_is_sealed(const struct hand *h, const struct order_set *set)
{
	struct digest d = order_set_digest(h, set);

	return digest_eq(&d, &h->turn.orders_digest);
}

void order_set_put_unproven(struct order_set *set, const struct order_revision *r)
{
	if (r->cleared)
		set->seats[r->seat] = (struct seat_entry){0};
	else
		set->seats[r->seat] = entry_from_revision(r);
}

void order_set_put(const struct hand *h, struct order_set *set, const struct order_revision *r)
{
	order_set_put_unproven(set, r);
	prove(h, set, r->seat);
}

enum err order_set_load_sent(struct server *srv, struct hand *h, struct order_set *out)
{
	*out = (struct order_set){0};
	TRY(hand_secret(srv, h));
	if (h->turn.serial == 0)
		return ERR_NONE;
	TRY(orders_list(srv->store, h->game.id, h->turn.serial, h->arena, &out->revisions,
	                &out->nrevisions));
	for (size_t i = 0; i < out->nrevisions; i++) {
		const struct order_revision *r = &out->revisions[i];
		if (r->seat < 1 || r->seat > h->nseats)
			return err_set(&srv->fail, ERR_CORRUPT, "%s: orders of a seat %u",
			               h->id, r->seat);
		order_set_put_unproven(out, r);
	}
	return ERR_NONE;
}

enum err order_set_load(struct server *srv, struct hand *h, struct order_set *out)
{
	TRY(hand_position(srv, h));
	TRY(order_set_load_sent(srv, h, out));
	if (h->turn.serial == 0)
		return ERR_NONE;
	struct seat_set owes = h->rules->owes(h->state);
	for (unsigned seat = 1; seat <= h->nseats; seat++)
		prove(h, out, seat);
	for (unsigned seat = 1; seat <= h->nseats; seat++)
		if (!out->seats[seat].acts && seat_in(owes, seat))
			entry_default(h, seat, &out->seats[seat]);
	return ERR_NONE;
}
