/*
 * replay.c - playing an archived game through again.
 *
 * Trusts archive_parse for the form of the values; that options, names, orders
 * and draws go with the rules is checked here, before any of them reaches a
 * game.
 */
#include "processor/archive/private.h"

#include <string.h>

#include "processor/archive/proof.h"
#include "processor/archive/resolve.h"

/* The sentence of a rules function, with the fault's place. */
static bool rules_fault(struct archive *a, size_t line, const char *what, struct strbuf *why)
{
	archive_fault(a, archive_line_number(a, line), "%s: %s", what, why->ptr);
	strbuf_release(why);
	return false;
}

/* Options must be there as the rules write them, in their order, and no default of one added later. */
static bool parse_options(struct archive *a, struct options *o)
{
	struct strbuf text = STRBUF_INIT;
	bool ok;

	options_init(o, a->record.rules);
	if (!options_parse(o, span_of(a->record.options), a->arena, &text))
		return rules_fault(a, a->option_line, "these options do not go with the rules",
		                   &text);
	options_format(o, OPTIONS_ALL, &text);
	ok = span_eq_str(strbuf_span(&text), a->record.options);
	strbuf_release(&text);
	if (!ok)
		archive_fault(a, archive_line_number(a, a->option_line),
		              "the options are not all of the rules' options in their order");
	return ok;
}

static void collect_names(const struct archive *a, struct seat_names *names)
{
	*names = (struct seat_names){.count = a->record.nseats};
	for (unsigned seat = 1; seat <= a->record.nseats; seat++)
		names->names[seat] = a->record.seats[seat].name;
}

/* The kind's letter and a number, as the server allots them. */
static bool check_id(struct archive *a, const char *game, size_t line)
{
	struct span id = span_of(game);
	int64_t number;

	if (id.len > 1 && id.ptr[0] == a->record.rules->letter &&
	    archive_parse_number(span_slice(id, 1, id.len), 1, INT64_MAX, &number))
		return true;
	return archive_fault(a, archive_line_number(a, line),
	                     "a game of this kind is called '%c' and a number",
	                     a->record.rules->letter);
}

static bool check_seats(struct archive *a)
{
	const struct rules *rules = a->record.rules;
	struct strbuf why = STRBUF_INIT;
	struct seat_names names;

	if (a->record.nturns == 0)
		return true;
	if (a->record.nseats < rules->min_seats || a->record.nseats > rules->max_seats)
		return archive_fault(a, archive_line_number(a, a->seat_line - 1),
		                     "this game is for %u to %u seats", rules->min_seats,
		                     rules->max_seats);
	collect_names(a, &names);
	if (!seat_names_ok(&names, &why))
		return rules_fault(a, a->seat_line, "these names cannot sit at one table",
		                   &why);
	return true;
}

/* The position a fork goes on from, as the header has it; NULL with a fault. */
static struct game_state *fork_position(struct archive *a)
{
	struct game_state *position = NULL;
	struct strbuf why = STRBUF_INIT;
	struct seat_names names;

	collect_names(a, &names);
	if (!fork_point_read(a->record.rules, span_of(a->record.options), &names,
	                     a->record.fork.position, &position, &why))
		rules_fault(a, a->fork_line + FORK_POSITION_LINE,
		            "the game cannot go on from this position", &why);
	strbuf_release(&why);
	return position;
}

static bool check_fork(struct archive *a)
{
	struct game_state *position;

	if (a->record.fork.game == NULL)
		return true;
	if (!check_id(a, a->record.fork.game, a->fork_line))
		return false;
	position = fork_position(a);
	if (position == NULL)
		return false;
	a->record.rules->free_state(position);
	return true;
}

bool archive_find_rules(struct archive *a, archive_find *find)
{
	const struct rules *rules = find(span_of(a->record.kind), a->record.rules_version);
	struct options o;

	if (rules == NULL)
		return archive_fault(
		    a, archive_line_number(a, a->kind_line),
		    "this program has no rules %s version %u, so no turn can be "
		    "resolved again",
		    a->record.kind, a->record.rules_version);
	a->record.rules = rules;
	if (a->facts != rules->facts)
		return archive_fault(a, archive_line_number(a, a->facts_line),
		                     "the facts are not those of %s version %u", rules->name,
		                     rules->version);
	return check_id(a, a->record.game, 0) && parse_options(a, &o) && check_seats(a) &&
	       check_fork(a);
}

static bool start_fork(struct archive *a, struct chance *chance)
{
	struct game_state *from = fork_position(a);
	struct strbuf why = STRBUF_INIT;

	if (from == NULL)
		return false;
	a->turns[0].result = fork_point_deal(a->record.rules, from, chance, &why);
	a->record.rules->free_state(from);
	if (a->turns[0].result == NULL)
		return rules_fault(a, a->turns[0].first_line,
		                   "the game cannot go on from there", &why);
	return true;
}

static bool start_game(struct archive *a, struct chance *chance)
{
	struct strbuf why = STRBUF_INIT;
	struct seat_names names;
	struct options o;

	if (!parse_options(a, &o))
		return false;
	collect_names(a, &names);
	if (!a->record.rules->new_game(&o, &names, chance, &a->turns[0].result, &why))
		return rules_fault(a, a->turns[0].first_line, "the game cannot be set up",
		                   &why);
	return true;
}

/* Orders that came from elsewhere than read_orders must not reach resolve. */
static bool check_canonical(struct archive *a, const struct game_state *now,
                            const struct record_order *o, size_t line)
{
	static const struct tables no_tables = {NULL, 0};
	struct strbuf canonical = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;
	bool same;

	same = a->record.rules->read_orders(now, o->seat, SPAN_EMPTY, &no_tables, o->canonical,
	                                    &canonical, &diags) &&
	       span_eq(strbuf_span(&canonical), o->canonical);
	strbuf_release(&canonical);
	diags_release(&diags);
	if (!same)
		archive_fault(a, archive_line_number(a, line),
		              "these are not seat %u's orders as the rules write them",
		              o->seat);
	return same;
}

static bool check_default(struct archive *a, const struct game_state *now,
                          const struct record_order *o, size_t line)
{
	struct strbuf expected = STRBUF_INIT;
	bool same;

	if (o->origin != ORDER_DEFAULT)
		return true;
	a->record.rules->default_orders(now, o->seat, &expected);
	same = span_eq(strbuf_span(&expected), o->canonical);
	strbuf_release(&expected);
	return same || archive_fault(a, archive_line_number(a, line),
	                             "this is not what the rules say happens without orders");
}

/* One set for each seat that owes one in `now`; others may only resign. */
static bool collect_orders(struct archive *a, size_t i, const struct game_state *now,
                           struct seat_orders *orders)
{
	const struct record_turn *t = &a->record.turns[i];
	const struct archive_turn *x = &a->turns[i];
	struct seat_set owing = a->record.rules->owes(now);

	for (size_t k = 0; k < t->nused; k++) {
		const struct record_order *o = &t->used[k];
		size_t line = x->used_line + k;

		if (!seat_in(owing, o->seat) && !span_eq_str(o->canonical, ORDER_RESIGN_TEXT))
			return archive_fault(a, archive_line_number(a, line),
			                     "this seat owed no orders");
		if (!check_canonical(a, now, o, line) || !check_default(a, now, o, line))
			return false;
		owing = seat_without(owing, o->seat);
		orders[o->seat] = (struct seat_orders){o->canonical, o->origin};
	}
	return owing.bits == 0 ||
	       archive_fault(a, archive_line_number(a, x->used_line + t->nused),
	                     "orders of a seat are missing before this line");
}

static bool resolve_orders(struct archive *a, size_t i, struct chance *chance)
{
	struct archive_turn *x = &a->turns[i];
	const struct game_state *now = a->turns[x->parent].result;
	struct seat_orders orders[MAX_SEATS + 1] = {0};
	struct game_result result = {0};
	struct strbuf why = STRBUF_INIT;

	if (now == NULL)
		return archive_fault(a, archive_line_number(a, x->first_line),
		                     "its parent's position is not known");
	a->record.rules->result(now, &result);
	if (result.over)
		return archive_fault(a, archive_line_number(a, x->first_line),
		                     "the game was over before this turn");
	if (!collect_orders(a, i, now, orders))
		return false;
	if (!a->record.rules->resolve(now, orders, chance, &x->result, &why))
		return rules_fault(a, x->first_line, "the turn cannot be resolved", &why);
	return true;
}

/* Replaces turn i's result by what comes out with these draws. */
static bool run_turn(struct archive *a, size_t i, struct chance *chance)
{
	struct archive_turn *x = &a->turns[i];

	a->record.rules->free_state(x->result);
	x->result = NULL;
	if (i > 0)
		return resolve_orders(a, i, chance);
	return a->record.fork.game != NULL ? start_fork(a, chance) : start_game(a, chance);
}

static bool check_draws(struct archive *a, size_t i, const struct chance *chance)
{
	unsigned line = archive_line_number(a, a->turns[i].chance_line);
	struct strbuf record = STRBUF_INIT;
	bool same;

	if (chance_problem(chance) != NULL)
		return archive_fault(a, line, "the draws do not fit the turn: %s",
		                     chance_problem(chance));
	chance_add_record(chance, &record);
	same = span_eq(strbuf_span(&record), a->record.turns[i].chance);
	strbuf_release(&record);
	return same || archive_fault(a, line,
	                             "the draws are not in the form or order in which "
	                             "the rules make them");
}

bool archive_resolve(struct archive *a, size_t i)
{
	struct archive_turn *x = &a->turns[i];
	struct failure e = ERR_INIT;
	struct chance *chance = NULL;
	bool ok;

	if (!x->orders_known || !x->chance_known)
		return archive_fault(
		    a, archive_line_number(a, x->first_line),
		    "its orders or draws stay hidden until the game has ended");
	if (chance_from_script(a->record.turns[i].chance, &chance, &e) != ERR_NONE) {
		archive_fault(a, archive_line_number(a, x->chance_line), "%s", e.text.ptr);
		err_release(&e);
		return false;
	}
	ok = run_turn(a, i, chance) && check_draws(a, i, chance);
	chance_free(chance);
	return ok;
}

/* The turns before have been derived. */
static struct hash key_of_turn(struct archive *a, size_t i)
{
	const struct record *r = &a->record;
	struct archive_turn *x = &a->turns[i];

	if (r->version == 1)
		return proof_turn_key(&r->secret, r->game, r->turns[i].serial, &x->orders_hash);
	x->inputs_hash = record_inputs_hash(r, &r->turns[i],
	                                    i > 0 ? &a->turns[x->parent].inputs_hash : NULL);
	return proof_inputs_key(&r->secret, &x->inputs_hash);
}

bool archive_derive_draws(struct archive *a, size_t i, struct strbuf *out)
{
	struct hash key = key_of_turn(a, i);
	struct chance *chance = chance_from_key(&key);
	bool ok = run_turn(a, i, chance);

	if (ok)
		chance_add_record(chance, out);
	chance_free(chance);
	return ok;
}

/* For replay. */

enum err archive_open_with(archive_find *find, struct span file, struct archive **out,
                           struct failure *e)
{
	struct archive *a = archive_new();
	enum err err = ERR_NONE;

	*out = NULL;
	if (!archive_parse(a, file))
		err = err_set(e, ERR_INVALID, "line %u: %s", a->bad_line, a->why.ptr);
	else if (!archive_find_rules(a, find))
		err = err_set(e, a->record.rules ? ERR_INVALID : ERR_UNSUPPORTED, "line %u: %s",
		              a->bad_line, a->why.ptr);
	if (err != ERR_NONE)
		archive_free(a);
	else
		*out = a;
	return err;
}

enum err archive_open(struct span file, struct archive **out, struct failure *e)
{
	return archive_open_with(rules_find_version, file, out, e);
}

size_t archive_turn_count(const struct archive *a)
{
	return a->record.nturns;
}

const struct record *archive_record(const struct archive *a)
{
	return &a->record;
}

const struct rules *archive_rules(const struct archive *a)
{
	return a->record.rules;
}

size_t archive_last_outcome(const struct archive *a)
{
	size_t last = a->record.nturns - 1;

	return a->record.turns[last].dropped_utc != 0 ? a->turns[last].parent : last;
}

const struct game_state *archive_state(struct archive *a, size_t i, struct failure *e)
{
	ENSURE(i < a->record.nturns);
	if (a->record.turns[i].dropped_utc != 0)
		i = a->turns[i].parent;
	for (size_t k = 0; k <= i; k++) {
		if (a->turns[k].result != NULL || a->record.turns[k].dropped_utc != 0 ||
		    archive_resolve(a, k))
			continue;
		err_set(e, ERR_INVALID, "line %u: %s", a->bad_line, a->why.ptr);
		return NULL;
	}
	return a->turns[i].result;
}
