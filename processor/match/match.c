/*
 * match.c - loading a game and the orders of its newest turn.
 *
 * Trusts: rows come from our own store, but disks rot: a position is used only
 * after its digest, its parent's and the orders' have been checked together.
 */
#include "processor/match/match.h"

#include "processor/archive/proof.h"
#include "processor/archive/resolve.h"
#include "processor/base/num.h"
#include "processor/base/utf8.h"
#include "processor/bots/bots.h"
#include "processor/server/word_lists.h"
#include "store/standing_orders.h"

struct seat *match_seat(const struct match *match, unsigned seat)
{
	return seat >= 1 && seat <= match->nseats ? &match->seats[seat - 1] : NULL;
}

struct seat *match_seat_named(const struct match *match, unsigned number, struct span name)
{
	for (size_t i = 0; i < match->nseats && number == 0; i++)
		if (utf8_eq_folded(match->seats[i].name, name))
			return &match->seats[i];
	for (size_t i = 0; i < match->nseats && number == 0; i++)
		if (match->seats[i].played_by.len > 0 &&
		    utf8_eq_folded(match->seats[i].played_by, name))
			return &match->seats[i];
	return match_seat(match, number);
}

bool match_plays(const struct match *match, int64_t player, bool or_did)
{
	for (size_t i = 0; i < match->nseats && player != 0; i++)
		if (match->seats[i].player == player && (or_did || !match->seats[i].resigned))
			return true;
	return false;
}

bool match_came_after(const struct match *match, int64_t arrived_utc, int64_t end_utc)
{
	bool paused = match->game.status == GAME_PAUSED;
	int64_t at = paused && match->game.paused_utc < arrived_utc ? match->game.paused_utc
	                                                            : arrived_utc;

	return end_utc != 0 && at > end_utc && !match->game.held;
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

size_t match_seat_names(const struct match *match, uint32_t seats, const char *const **out)
{
	const char **names = arena_calloc(match->arena, match->nseats + 1, sizeof(*names));
	size_t n = 0;

	for (unsigned s = 1; s <= match->nseats; s++)
		if (seat_in((struct seat_set){seats}, s))
			names[n++] = match->names.names[s];
	*out = names;
	return n;
}

const char *match_names_in(const struct match *match, struct seat_set seats)
{
	struct strbuf out = STRBUF_INIT;
	unsigned n = seat_count(seats), said = 0;

	for (unsigned s = 1; s <= match->nseats; s++)
		if (seat_in(seats, s)) {
			strbuf_add_sep(&out, said++, n, " and ");
			strbuf_adds(&out, match->names.names[s]);
		}
	return arena_take(match->arena, &out).ptr;
}

bool match_seat_is_named(const struct match *match, const struct seat *s)
{
	return seat_is_taken(s) || s->former != 0 || match->game.origin == GAME_IMPORTED;
}

unsigned match_turn_number(struct span label)
{
	unsigned n = 0;
	size_t at = 0, end;

	while (at < label.len && !ascii_is_digit(label.ptr[at]))
		at++;
	for (end = at; end < label.len && ascii_is_digit(label.ptr[end]);)
		end++;
	return num_parse_uint(span_slice(label, at, end), 0, UINT32_MAX, &n) ? n : 0;
}

const char *match_turn_unit(struct span label)
{
	return span_starts(label, "round ") ? "round" : "turn";
}

unsigned match_taken(const struct match *match)
{
	unsigned n = 0;
	for (size_t i = 0; i < match->nseats; i++)
		n += match_seat_is_named(match, &match->seats[i]);
	return n;
}

enum err match_check_letter(struct server *srv, int64_t game, char letter)
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

static enum err rules_of_game(struct server *srv, struct match *match)
{
	struct strbuf why = STRBUF_INIT;
	enum err rc = ERR_NONE;

	match->rules = rules_find_version(match->game.kind, match->game.rules_version);
	if (!match->rules)
		return err_set(
		    &srv->fail, ERR_UNSUPPORTED,
		    "%s needs the rules '%.*s' version %u, which this program does not have",
		    match->id, SPAN_ARGS(match->game.kind), match->game.rules_version);
	if (!bots_known(match->rules, match->game.bots_version))
		return err_set(
		    &srv->fail, ERR_UNSUPPORTED,
		    "%s needs the bots of '%.*s' version %u, which this program does not have",
		    match->id, SPAN_ARGS(match->game.kind), match->game.bots_version);
	options_init(&match->options, match->rules);
	if (!options_parse(&match->options, match->game.options, match->arena, &why))
		rc = err_set(&srv->fail, ERR_CORRUPT, "%s: stored options: %s", match->id,
		             why.ptr);
	else
		match->tables = server_tables(srv, &match->options);
	strbuf_release(&why);
	return rc;
}

static enum err calendar_of_game(struct server *srv, struct match *match)
{
	struct strbuf why = STRBUF_INIT;
	enum err rc = ERR_NONE;

	calendar_init(&match->calendar);
	if (!calendar_parse(&match->calendar, match->game.calendar, match->arena, &why))
		rc = err_set(&srv->fail, ERR_CORRUPT, "%s: stored calendar: %s", match->id,
		             why.ptr);
	match->calendar.next_s = match->game.next_s;
	/* The server's holidays go for every game, as far as there is room. */
	for (size_t i = 0;
	     i < srv->cfg.calendar.nholidays && match->calendar.nholidays < CALENDAR_HOLIDAYS;
	     i++)
		match->calendar.holidays[match->calendar.nholidays++] =
		    srv->cfg.calendar.holidays[i];
	strbuf_release(&why);
	return rc;
}

const struct keyring *match_keys(const struct server *srv, const struct match *match)
{
	return keyring_numbered(srv->keys, match->game.key);
}

/* The game it is, and how far its turn is to be read, are given. */
static enum err load(struct server *srv, int64_t game, struct match *match)
{
	struct import import;

	TRY(game_get(srv->store, game, match->arena, &match->game));
	match->id = game_id_text(&match->game, match->arena);
	if (!match_keys(srv, match))
		return err_set(&srv->fail, ERR_CORRUPT,
		               "%s is signed with key %u, and there is none", match->id,
		               match->game.key);
	match->record_id = match->id;
	if (match->game.origin == GAME_IMPORTED) {
		TRY(import_get(srv->store, match->game.id, match->arena, &import));
		match->record_id = arena_cstr(match->arena, import.record_id);
	}
	TRY(rules_of_game(srv, match));
	TRY(calendar_of_game(srv, match));
	TRY(seat_list(srv->store, match->game.id, match->arena, &match->seats, &match->nseats));
	match->names.count = (unsigned)match->nseats;
	for (size_t i = 0; i < match->nseats; i++) {
		if (match->seats[i].seat != i + 1 || i >= MAX_SEATS)
			return err_set(&srv->fail, ERR_CORRUPT, "%s: seats are not 1 to %zu",
			               match->id, match->nseats);
		match->names.names[i + 1] = arena_cstr(match->arena, match->seats[i].name);
	}
	if (match->game.status == GAME_GATHERING && match->game.record_version > 2)
		TRY(seat_join_list(srv->store, game, match->arena, &match->joins,
		                   &match->njoins));
	enum err rc = match->to_read
	                  ? turn_get_with_position(srv->store, match->game.id,
	                                           match->game.serial, match->arena,
	                                           &match->turn, &match->parent)
	                  : turn_get_with_parent(srv->store, match->game.id, match->game.serial,
	                                         match->arena, &match->turn, &match->parent);

	if (rc == ERR_NOT_FOUND && match->game.serial == 0)
		return ERR_NONE;
	match->has_turn = rc == ERR_NONE;
	return rc;
}

enum err match_load(struct server *srv, int64_t game, struct arena *arena, struct match *out)
{
	*out = (struct match){.arena = arena};
	return load(srv, game, out);
}

enum err match_load_to_read(struct server *srv, int64_t game, struct arena *arena,
                            struct match *out)
{
	*out = (struct match){.arena = arena, .to_read = true};
	return load(srv, game, out);
}

void match_ask_ahead(struct server *srv, int64_t game, unsigned serial, bool to_read,
                     struct arena *arena)
{
	struct strbuf text = STRBUF_INIT;
	struct turn turn, parent;
	struct seat_join *joins;
	struct seat *seats;
	struct game g;
	struct hash d;
	size_t n;

	store_only_asked(game_get(srv->store, game, arena, &g));
	store_only_asked(seat_list(srv->store, game, arena, &seats, &n));
	if (serial == 0)
		store_only_asked(seat_join_list(srv->store, game, arena, &joins, &n));
	store_only_asked(
	    to_read ? turn_get_with_position(srv->store, game, serial, arena, &turn, &parent)
		    : turn_get_with_parent(srv->store, game, serial, arena, &turn, &parent));
	if (to_read || serial == 0)
		return;
	/* Unless turns were taken back. */
	parent = (struct turn){
	    .game = game, .serial = serial - 1, .parent = serial > 1 ? serial - 2 : 0};
	store_only_asked(turn_position(srv->store, &parent, &text, &d));
	strbuf_release(&text);
}

void match_release(struct match *match)
{
	if (match->state)
		match->rules->free_state(match->state);
	match->state = NULL;
}

static enum err decode_position(struct server *srv, const struct match *match, unsigned serial,
                                struct span text, struct game_state **out)
{
	struct strbuf why = STRBUF_INIT;
	enum err rc = ERR_NONE;

	if (!match->rules->decode(text, out, &why))
		rc = err_set(&srv->fail, ERR_CORRUPT, "%s: position after serial %u: %s",
		             match->id, serial, why.ptr);
	strbuf_release(&why);
	return rc;
}

/* The position that came out of a turn, checked against the digest in its row. */
static enum err result_of(struct server *srv, const struct match *match,
                          const struct turn *turn, struct game_state **out)
{
	struct strbuf text = STRBUF_INIT;
	struct hash d, parent_result;
	enum err rc = turn_position(srv->store, turn, &text, &parent_result);

	if (rc == ERR_NONE) {
		d = proof_state_hash(match->record_id, turn->serial, &parent_result,
		                     &turn->orders_hash, strbuf_span(&text));
		if (!hash_eq(&d, &turn->result_hash))
			rc = err_set(
			    &srv->fail, ERR_CORRUPT,
			    "%s: the stored position after serial %u does not match its digest",
			    match->id, turn->serial);
	}
	if (rc == ERR_NONE)
		rc = decode_position(srv, match, turn->serial, strbuf_span(&text), out);
	strbuf_release(&text);
	return rc;
}

enum err match_result(struct server *srv, const struct match *match, unsigned serial,
                      struct game_state **out)
{
	struct turn turn;

	TRY(turn_get(srv->store, match->game.id, serial, match->arena, &turn));
	return result_of(srv, match, &turn, out);
}

enum err match_position(struct server *srv, struct match *match)
{
	if (match->state || !match->has_turn || match->turn.serial == 0)
		return ERR_NONE;
	/* The match may look at an older turn than it was loaded with. */
	if (match->to_read || match->parent.serial != match->turn.parent)
		return match_result(srv, match, match->turn.parent, &match->state);
	return result_of(srv, match, &match->parent, &match->state);
}

enum err match_position_to_read(struct server *srv, struct match *match)
{
	struct strbuf text = STRBUF_INIT;

	if (match->state || !match->has_turn || match->turn.serial == 0)
		return ERR_NONE;
	/* The match may look at an older turn than it was loaded with. */
	struct turn from = {.game = match->game.id, .serial = match->turn.parent};
	if (match->parent.serial == from.serial)
		from = match->parent;
	enum err rc = turn_state_text(srv->store, &from, &text);
	if (rc == ERR_NONE)
		rc = decode_position(srv, match, match->turn.parent, strbuf_span(&text),
		                     &match->state);
	strbuf_release(&text);
	return rc;
}

enum err match_fork(struct server *srv, const struct match *match, struct fork *row,
                    struct game_state **from)
{
	struct strbuf why = STRBUF_INIT;
	enum err rc = ERR_NONE;

	TRY(fork_get(srv->store, match->game.id, match->arena, row));
	if (from && !fork_point_read(match->rules, match->game.options, &match->names,
	                             row->position, from, &why))
		rc = err_set(&srv->fail, ERR_CORRUPT, "%s: the position it goes on from: %s",
		             match->id, why.ptr);
	strbuf_release(&why);
	return rc;
}

struct game_state *trial_position(const struct rules *rules, const struct options *options,
                                  unsigned nseats, struct arena *arena, struct strbuf *why)
{
	struct seat_names names = {.count = nseats};
	struct game_state *state = NULL;
	struct chance *chance = chance_from_seed(1, "trial");

	for (unsigned s = 1; s <= names.count; s++)
		names.names[s] = arena_printf(arena, "Seat-%c", 'A' + (int)s - 1);
	if (!rules->new_game(options, &names, chance, &state, why))
		state = NULL;
	chance_free(chance);
	return state;
}

struct game_state *match_trial_position(const struct match *match)
{
	struct strbuf why = STRBUF_INIT;
	struct game_state *state = trial_position(match->rules, &match->options,
	                                          match->game.nseats, match->arena, &why);

	strbuf_release(&why);
	return state;
}

enum err match_secret(struct server *srv, struct match *match)
{
	if (match->has_secret)
		return ERR_NONE;
	TRY(game_secret(srv->store, &match->game, &match->secret));
	match->has_secret = true;
	return ERR_NONE;
}

/* The database says only "sent" of a RESIGN: that somebody leaves is as secret as their orders. */
enum order_origin match_origin(const struct order_revision *r)
{
	return span_eq_str(r->canonical, ORDER_RESIGN_TEXT) ? ORDER_RESIGNED
	                                                    : (enum order_origin)r->origin;
}

static struct seat_entry entry_from_revision(const struct order_revision *r)
{
	return (struct seat_entry){
	    .acts = true,
	    .revision = r->revision,
	    .origin = match_origin(r),
	    .received_utc = r->received_utc,
	    .contribution = r->contribution,
	    .salt = r->salt,
	    .canonical = r->canonical,
	};
}

void seat_entry_prove(struct seat_entry *e, unsigned version, const struct hash *secret,
                      const char *record_id, unsigned serial, unsigned seat)
{
	e->nonce = proof_nonce(secret, serial, seat, e->revision);
	e->commitment =
	    proof_commitment(&(struct committed_orders){.version = version,
	                                                .game = record_id,
	                                                .serial = serial,
	                                                .seat = seat,
	                                                .revision = e->revision,
	                                                .nonce = e->nonce,
	                                                .contribution = e->contribution,
	                                                .salt = e->salt,
	                                                .canonical = e->canonical});
}

struct hash order_revision_commitment(const struct match *match, const struct order_revision *r)
{
	struct seat_entry e = entry_from_revision(r);

	seat_entry_prove(&e, match->game.record_version, &match->secret, match->record_id,
	                 match->turn.serial, r->seat);
	return e.commitment;
}

static void prove(const struct match *match, struct seat_entry *e, unsigned seat)
{
	if (e->revision > 0)
		seat_entry_prove(e, match->game.record_version, &match->secret,
		                 match->record_id, match->turn.serial, seat);
}

bool seat_entry_is_silent(const struct seat_entry *e)
{
	return e->revision == 0 || e->origin == ORDER_FALLBACK;
}

enum err order_set_is_whole(struct server *srv, const struct match *match,
                            const struct order_set *set, bool *yes)
{
	const struct turn *t = &match->turn;
	struct seat_set have = {0}, covered = {t->covered & ~t->have};
	struct standing_order *all = NULL;
	size_t n = 0;

	*yes = true;
	if (t->state != TURN_OPEN || t->orders_sum == 0)
		return ERR_NONE;
	for (unsigned seat = 1; seat <= match->nseats; seat++)
		if (set->seats[seat].acts && set->seats[seat].revision > 0)
			have = seat_with(have, seat);
	if (covered.bits != 0)
		TRY(standing_order_list(srv->store, match->game.id, match->arena, &all, &n));
	for (size_t i = 0; i < n; i++)
		if (all[i].kind == STANDING_ALWAYS ||
		    (all[i].kind == STANDING_DRAFT && all[i].number == t->serial))
			covered = seat_without(covered, all[i].seat);
	*yes = covered.bits == 0 && have.bits == t->have &&
	       t->orders_sum == orders_sum(srv->store, t->game, t->serial,
	                                   &match->game.record_head, set->revisions,
	                                   set->nrevisions);
	return ERR_NONE;
}

void order_set_put_unproven(struct order_set *set, const struct order_revision *r)
{
	if (r->cleared)
		set->seats[r->seat] = (struct seat_entry){0};
	else
		set->seats[r->seat] = entry_from_revision(r);
}

void order_set_put(const struct match *match, struct order_set *set,
                   const struct order_revision *r)
{
	order_set_put_unproven(set, r);
	prove(match, &set->seats[r->seat], r->seat);
}

enum err order_set_load_sent(struct server *srv, struct match *match, struct order_set *out)
{
	*out = (struct order_set){0};
	TRY(match_secret(srv, match));
	if (match->turn.serial == 0)
		return ERR_NONE;
	TRY(orders_list(srv->store, match->game.id, match->turn.serial, match->arena,
	                &out->revisions, &out->nrevisions));
	for (size_t i = 0; i < out->nrevisions; i++) {
		const struct order_revision *r = &out->revisions[i];
		if (r->seat < 1 || r->seat > match->nseats)
			return err_set(&srv->fail, ERR_CORRUPT, "%s: orders of a seat %u",
			               match->id, r->seat);
		order_set_put_unproven(out, r);
	}
	return ERR_NONE;
}

enum err order_set_load(struct server *srv, struct match *match, struct order_set *out)
{
	TRY(match_position(srv, match));
	TRY(order_set_load_sent(srv, match, out));
	if (match->turn.serial == 0)
		return ERR_NONE;
	struct seat_set owes = match->rules->owes(match->state);
	for (unsigned seat = 1; seat <= match->nseats; seat++) {
		struct seat_entry *e = &out->seats[seat];
		struct strbuf text = STRBUF_INIT;

		prove(match, e, seat);
		if (e->acts || !seat_in(owes, seat))
			continue;
		match->rules->default_orders(match->state, seat, &text);
		*e = (struct seat_entry){.acts = true,
		                         .origin = ORDER_DEFAULT,
		                         .canonical = arena_take(match->arena, &text)};
		e->commitment = hash_of(e->canonical);
	}
	return ERR_NONE;
}

const struct seat_join *match_join_of(const struct server *srv, const struct match *match,
                                      int64_t player, struct span name, bool last)
{
	const struct seat_join *found = NULL;

	for (size_t i = 0; i < match->njoins; i++) {
		const struct seat_join *j = &match->joins[i];

		if (j->player == player &&
		    (!srv->cfg.shared_address || utf8_eq_folded(j->name, name)) &&
		    (last || !found))
			found = j;
	}
	return found;
}

enum err match_note_join(struct server *srv, const struct match *match, struct seat *s)
{
	const struct seat_join *first = match_join_of(srv, match, s->player, s->name, false),
			       *last = match_join_of(srv, match, s->player, s->name, true);

	if (match->game.record_version < 3)
		return ERR_NONE;
	s->joins = last ? last->number + 1 : 1;
	TRY(seat_join_add(srv->store, &(struct seat_join){.game = s->game,
	                                                  .player = s->player,
	                                                  .seat = s->seat,
	                                                  .number = s->joins,
	                                                  .name = s->name,
	                                                  .salt = s->salt,
	                                                  .joined_utc = s->joined_utc,
	                                                  .contribution = s->contribution}));
	if (!first)
		return ERR_NONE;
	if (match->game.origin != GAME_FORKED) /* whose seats have their names */
		s->name = first->name;
	s->first_joined_utc = first->joined_utc;
	s->salt = first->salt;
	s->contribution = first->contribution;
	return ERR_NONE;
}

enum err match_drop_copied_signature(struct server *srv, const struct match *match,
                                     struct order_revision *row)
{
	bool copied;

	if (match->game.record_version < 3 || hash_is_zero(&row->dkim))
		return ERR_NONE;
	TRY(orders_have_signature(srv->store, row, &copied));
	if (copied) {
		row->dkim = (struct hash){{0}};
		row->dkim_verified = false;
	}
	return ERR_NONE;
}

void match_add_seat_proof(const struct match *match, const struct seat *seat,
                          const struct keyring *keys, struct strbuf *out)
{
	unsigned version = match->game.record_version;
	struct seat_proof p = {.version = version,
	                       .game = match->record_id,
	                       .seat = seat->seat,
	                       .number = seat->joins,
	                       .received_utc = seat->first_joined_utc ? seat->first_joined_utc
	                                                              : seat->joined_utc,
	                       .person = proof_person(version, seat->name, seat->salt),
	                       .secret_hash = match->game.secret_hash,
	                       .contribution = seat->contribution};

	/* The mail that is answered, which may not be the one that counts. */
	for (size_t i = 0; i < match->njoins; i++)
		if (match->joins[i].player == seat->player &&
		    match->joins[i].seat == seat->seat) {
			p.received_utc = match->joins[i].joined_utc;
			p.contribution = match->joins[i].contribution;
		}
	if (hash_is_zero(&p.contribution))
		return;
	if (p.version > 2 && p.number > 1)
		strbuf_addf(out,
		            "Receipt number %u for a seat of this game:\nnumber 1 counts for "
		            "the set-up, this one\ndoes not. If you have no number 1, ask\n"
		            "who sent that mail.\n",
		            p.number);
	proof_add_seat(&p, keys, out);
}

enum { NAMED_MOST = 100000 };

enum err lineage_load(struct server *srv, const struct match *match, int64_t **serials,
                      size_t *n)
{
	struct turn *turns;
	size_t nturns, at = 0;

	*n = 0;
	*serials = NULL;
	TRY(turn_list(srv->store, match->game.id, match->arena, &turns, &nturns));
	if (!match->has_turn)
		return ERR_NONE;
	int64_t *back = arena_calloc(match->arena, nturns + 1, sizeof(*back));
	for (unsigned s = match->turn.serial;; s = turns[s].parent) {
		if (s >= nturns || at > nturns)
			return err_set(&srv->fail, ERR_CORRUPT,
			               "%s: its turns do not lead to the set-up", match->id);
		back[at++] = s;
		if (s == 0)
			break;
	}
	unsigned named =
	    span_starts(match->turn.label, "turn ") ? match_turn_number(match->turn.label) : 0;
	size_t open = named > 0 && named < NAMED_MOST ? named : at - 1;
	*n = open + 1;
	*serials = arena_calloc(match->arena, *n, sizeof(**serials));
	for (size_t i = 0; i < *n; i++)
		(*serials)[open - i] = i < at ? back[i] : NO_SERIAL;
	return ERR_NONE;
}
