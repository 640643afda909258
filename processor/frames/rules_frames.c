/*
 * rules_frames.c - one position, one turn, from frames.
 *
 * Trusts nothing: frames come from a script's standard input.
 */
#include "processor/frames/rules_frames.h"

#include <string.h>

#include "processor/base/arena.h"
#include "processor/base/chance.h"
#include "processor/base/diag.h"
#include "processor/base/num.h"

enum { DEFAULT_SEED = 1 };

static const char *const usual_names[MAX_SEATS + 1] = {
    "",    "Ann", "Bob", "Cid", "Dan",  "Eve",  "Fay",  "Gus", "Hal",
    "Ida", "Jon", "Kim", "Leo", "Mona", "Nell", "Olga", "Paul"};

enum { MOST_TABLES = 4 };

enum err rules_frames_tables(const struct frames *f, struct arena *arena, struct tables *out,
                             struct failure *e)
{
	struct table *items = arena_calloc(arena, MOST_TABLES, sizeof *items);
	size_t n = 0;

	for (size_t i = 0; i < f->count; i++) {
		struct span rest = f->items[i].text, name;

		if (!span_eq_str(f->items[i].name, "table"))
			continue;
		if (n == MOST_TABLES || !span_next_line(&rest, &name))
			return err_set(e, ERR_INVALID,
			               "line %u: a table without a name, or one too many",
			               f->items[i].line);
		items[n++] = (struct table){arena_cstr(arena, name), rest, hash_of(rest)};
	}
	*out = (struct tables){items, n};
	return ERR_NONE;
}

/* --- a new game -------------------------------------------------------- */

static enum err read_names(const struct frames *f, const struct rules *r, struct arena *arena,
                           struct seat_names *names, struct failure *e)
{
	struct span given = frames_text(f, "names");
	struct span players = frames_text(f, "players");
	struct span line;
	unsigned wanted = r->usual_seats;

	memset(names, 0, sizeof *names);
	if (players.len && !num_parse_uint(players, 1, MAX_SEATS, &wanted))
		return err_set(e, ERR_INVALID, "players: a number from 1 to %d", MAX_SEATS);
	while (span_next_line(&given, &line)) {
		if (names->count == MAX_SEATS)
			return err_set(e, ERR_INVALID, "names: more than %d", MAX_SEATS);
		names->names[++names->count] = arena_cstr(arena, span_trim(line));
	}
	if (names->count == 0)
		for (names->count = wanted; wanted > 0; wanted--)
			names->names[wanted] = usual_names[wanted];
	return ERR_NONE;
}

static enum err open_chance(const struct frames *f, const char *what, struct chance **out,
                            struct failure *e)
{
	const struct frame *script = frames_find(f, "chance");

	if (script)
		return chance_from_script(script->text, out, e);
	*out = chance_from_seed(DEFAULT_SEED, what);
	return ERR_NONE;
}

static enum err check_chance(const struct chance *c, struct failure *e)
{
	const char *problem = chance_problem(c);

	return problem ? err_set(e, ERR_INVALID, "chance: %s", problem) : ERR_NONE;
}

static enum err new_game(const struct rules *r, const struct frames *f, struct chance *chance,
                         struct arena *arena, struct game_state **out, struct failure *e)
{
	struct strbuf why = STRBUF_INIT;
	struct seat_names names;
	struct options options;
	enum err rc = read_names(f, r, arena, &names, e);

	options_init(&options, r);
	if (!rc && (!options_parse(&options, frames_text(f, "options"), arena, &why) ||
	            !r->new_game(&options, &names, chance, out, &why)))
		rc = err_set(e, ERR_INVALID, "%s", why.ptr);
	strbuf_release(&why);
	return rc;
}

enum err rules_frames_new(const struct rules *r, const struct frames *f,
                          struct game_state **out, struct failure *e)
{
	struct chance *chance = NULL;
	struct arena *arena = arena_new();
	enum err rc = open_chance(f, "set-up", &chance, e);

	*out = NULL;
	if (!rc)
		rc = new_game(r, f, chance, arena, out, e);
	if (!rc)
		rc = check_chance(chance, e);
	if (rc && *out) {
		r->free_state(*out);
		*out = NULL;
	}
	chance_free(chance);
	arena_free(arena);
	return rc;
}

/* A blank line between a state and the next frame belongs to neither. */
static struct span without_blank_end(struct span text)
{
	size_t end = text.len;

	while (end > 1 && text.ptr[end - 1] == '\n' && text.ptr[end - 2] == '\n')
		end--;
	return span_slice(text, 0, end);
}

enum err rules_frames_state(const struct rules *r, const struct frames *f,
                            struct game_state **out, struct failure *e)
{
	const struct frame *given = frames_find(f, "state");
	struct strbuf why = STRBUF_INIT;
	struct arena *arena;
	struct chance *chance;
	enum err rc = ERR_NONE;

	if (given) {
		if (!r->decode(without_blank_end(given->text), out, &why))
			rc = err_set(e, ERR_INVALID, "state: %s", why.ptr);
		strbuf_release(&why);
		return rc;
	}
	arena = arena_new();
	chance = chance_from_seed(DEFAULT_SEED, "set-up");
	rc = new_game(r, f, chance, arena, out, e);
	chance_free(chance);
	arena_free(arena);
	return rc;
}

/* --- a turn ------------------------------------------------------------ */

struct seat_try {
	bool acts; /* owed or sent orders */
	struct strbuf canonical;
	struct diags diags;
	enum order_origin origin;
};

static void add_diag(const struct diag *d, struct strbuf *out)
{
	strbuf_adds(out, diag_level_name(d->level));
	if (d->line)
		strbuf_addf(out, " %u", d->line);
	if (d->line && d->column)
		strbuf_addf(out, ":%u", d->column);
	strbuf_addc(out, ':');
	if (d->quoted[0])
		strbuf_addf(out, " \"%s\":", d->quoted);
	strbuf_addf(out, " %s", d->message);
	if (d->example[0])
		strbuf_addf(out, " | %s", d->example);
	strbuf_addc(out, '\n');
}

/* A mail that is refused leaves the set in force as it was. */
static void read_mail(const struct rules *r, const struct game_state *s,
                      const struct tables *tables, unsigned seat, struct span text,
                      struct seat_try *t)
{
	struct strbuf canonical = STRBUF_INIT;
	struct span before = t->canonical.len ? strbuf_span(&t->canonical) : SPAN_EMPTY;

	t->acts = true;
	if (r->read_orders(s, seat, before, tables, text, &canonical, &t->diags)) {
		strbuf_swap(&t->canonical, &canonical);
		t->origin = span_eq_str(strbuf_span(&t->canonical), ORDER_RESIGN_TEXT)
		                ? ORDER_RESIGNED
		                : ORDER_SENT;
	}
	strbuf_release(&canonical);
}

static enum err read_all(const struct rules *r, const struct game_state *s,
                         const struct frames *f, const struct tables *tables,
                         struct seat_try *tries, struct failure *e)
{
	struct seat_set owing = r->owes(s);

	for (size_t i = 0; i < f->count; i++) {
		const struct frame *frame = &f->items[i];

		if (!span_eq_str(frame->name, "orders"))
			continue;
		if (frame->seat < 1 || frame->seat > r->nseats(s))
			return err_set(e, ERR_INVALID,
			               "line %u: orders of no seat of this game", frame->line);
		read_mail(r, s, tables, frame->seat, frame->text, &tries[frame->seat]);
	}
	for (unsigned seat = 1; seat <= r->nseats(s); seat++) {
		struct seat_try *t = &tries[seat];

		if (!seat_in(owing, seat))
			continue;
		t->acts = true;
		if (t->canonical.len == 0) {
			t->origin = ORDER_DEFAULT;
			r->default_orders(s, seat, &t->canonical);
		}
	}
	return ERR_NONE;
}

static void add_tries(const struct seat_try *tries, struct strbuf *out)
{
	for (unsigned seat = 1; seat <= MAX_SEATS; seat++) {
		const struct seat_try *t = &tries[seat];

		if (!t->acts)
			continue;
		strbuf_addf(out, "== diagnostics %u\n", seat);
		for (size_t i = 0; i < t->diags.count; i++)
			add_diag(&t->diags.items[i], out);
		strbuf_addf(out, "== canonical %u\n%s\n", seat, t->canonical.ptr);
	}
}

static enum err resolve(const struct rules *r, const struct game_state *now,
                        const struct seat_try *tries, struct chance *chance, struct strbuf *out,
                        struct failure *e)
{
	struct seat_orders orders[MAX_SEATS + 1];
	struct game_state *next = NULL;
	struct strbuf why = STRBUF_INIT;
	enum err rc = ERR_NONE;

	memset(orders, 0, sizeof orders);
	for (unsigned seat = 1; seat <= MAX_SEATS; seat++) {
		orders[seat].canonical = strbuf_span(&tries[seat].canonical);
		orders[seat].origin = tries[seat].origin;
	}
	if (!r->resolve(now, orders, chance, &next, &why))
		rc = err_set(e, ERR_INVALID, "%s", why.ptr);
	if (!rc)
		rc = check_chance(chance, e);
	if (!rc) {
		strbuf_adds(out, "== chance\n");
		chance_add_record(chance, out);
		strbuf_adds(out, "== state\n");
		r->encode(next, out);
	}
	if (next)
		r->free_state(next);
	strbuf_release(&why);
	return rc;
}

enum err rules_frames_resolve(const struct rules *r, const struct frames *f, struct strbuf *out,
                              struct failure *e)
{
	struct seat_try tries[MAX_SEATS + 1];
	struct game_state *now = NULL;
	struct chance *chance = NULL;
	struct arena *arena = arena_new();
	struct tables tables;
	enum err rc = rules_frames_state(r, f, &now, e);

	memset(tries, 0, sizeof tries);
	for (unsigned seat = 0; seat <= MAX_SEATS; seat++)
		strbuf_init(&tries[seat].canonical);
	if (!rc)
		rc = open_chance(f, "turn", &chance, e);
	if (!rc)
		rc = rules_frames_tables(f, arena, &tables, e);
	if (!rc)
		rc = read_all(r, now, f, &tables, tries, e);
	if (!rc)
		add_tries(tries, out);
	if (!rc)
		rc = resolve(r, now, tries, chance, out, e);
	for (unsigned seat = 0; seat <= MAX_SEATS; seat++) {
		strbuf_release(&tries[seat].canonical);
		diags_release(&tries[seat].diags);
	}
	chance_free(chance);
	arena_free(arena);
	if (now)
		r->free_state(now);
	return rc;
}
