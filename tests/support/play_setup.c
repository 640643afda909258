/*
 * play_setup.c - drawing a game to play: kind's options, names, levels.
 */
#include <stdarg.h>
#include <string.h>

#include "processor/base/err.h"
#include "tests/support/boards.h"
#include "tests/support/play.h"

enum { OPTION_TRIES = 50 };

static const char *const all_names[MAX_SEATS + 1] = {
    "",     "Ann",  "Bob", "Cid",       "Dora", "Eve",    "Finn", "Gil",    "H\xc3\xa5kon",
    "Iris", "Jo B", "Kim", "Long-Name", "Mia",  "O'Neil", "Pat",  "Quentin"};

bool play_fail(struct play *p, const char *fmt, ...)
{
	va_list ap;

	if (p->problem.len)
		return false;
	strbuf_addf(&p->problem, "%s, %u players, seed %llu, phase %u: ", p->rules->name,
	            p->nseats, (unsigned long long)p->seed,
	            p->now ? p->rules->phase(p->now) : 0);
	va_start(ap, fmt);
	strbuf_vaddf(&p->problem, fmt, ap);
	va_end(ap);
	strbuf_addf(&p->problem, "\n(SEED=%llu GAMES=%s PLAYERS=%u plays it again)\n%s",
	            (unsigned long long)p->seed, p->rules->name, p->nseats, p->text.ptr);
	return false;
}

static void draw_choice(struct play *p, const struct game_option *g, struct strbuf *value)
{
	struct span rest = span_of(g->choices);
	struct span choice;
	unsigned n = 1;

	for (const char *c = g->choices; *c; c++)
		n += *c == '|';
	n = play_draw(&p->dice, n);
	for (unsigned i = 0; i <= n; i++)
		ENSURE(span_next_field(&rest, '|', &choice));
	strbuf_add_span(value, choice);
}

static void draw_value(struct play *p, const struct game_option *g, struct strbuf *value)
{
	uint64_t width = (uint64_t)(g->max - g->min);

	if (g->read_text && play_draw(&p->dice, 2) == 0) { /* the only text there is: a board */
		struct mole_board board = boards_any(&p->dice);

		mole_board_write(&board, value);
		return;
	}
	if (g->choices && (g->min >= g->max || play_draw(&p->dice, 2) == 0)) {
		draw_choice(p, g, value);
		return;
	}
	switch (play_draw(&p->dice, 8)) {
	case 0:
		strbuf_addf(value, "%lld", (long long)g->min);
		break;
	case 1:
		strbuf_addf(value, "%lld", (long long)g->max);
		break;
	default:
		strbuf_addf(
		    value, "%lld",
		    (long long)(g->min + (int64_t)play_draw(&p->dice, (unsigned)width + 1)));
	}
}

/* Half of all games are the game as people know it; the others vary a third of the options. */
static void draw_options(struct play *p, bool plain)
{
	struct strbuf value = STRBUF_INIT;

	options_init(&p->options, p->rules);
	for (size_t i = 0; i < p->rules->noptions && !plain; i++) {
		const struct game_option *g = &p->rules->options[i];

		if (play_draw(&p->dice, 3) != 0)
			continue;
		strbuf_clear(&value);
		draw_value(p, g, &value);
		if (!options_set(&p->options, span_of(g->name), strbuf_span(&value), p->arena,
		                 &p->problem))
			break;
	}
	strbuf_release(&value);
}

static bool new_game(struct play *p, bool plain)
{
	struct chance *chance = chance_from_seed(p->seed, "set-up");
	struct strbuf why = STRBUF_INIT;
	struct seat_names names;
	bool made;

	memset(&names, 0, sizeof names);
	names.count = p->nseats;
	for (unsigned seat = 1; seat <= p->nseats; seat++)
		names.names[seat] = all_names[seat];
	draw_options(p, plain);
	made = p->problem.len == 0 &&
	       p->rules->new_game(&p->options, &names, chance, &p->now, &why);
	if (!made && plain)
		play_fail(p, "no game with the default options: %s", why.ptr);
	else if (!made && why.len == 0 && p->problem.len == 0)
		play_fail(p, "a refusal without a reason");
	strbuf_release(&why);
	chance_free(chance);
	return made;
}

bool play_start(struct play *p, const struct rules *rules, unsigned nseats, uint64_t seed)
{
	bool made = false;

	memset(p, 0, sizeof *p);
	strbuf_init(&p->text);
	strbuf_init(&p->record);
	strbuf_init(&p->problem);
	p->rules = rules;
	p->nseats = nseats;
	p->seed = seed;
	p->dice = seed * 2654435761u + nseats;
	p->arena = arena_new();
	p->scratch = arena_new();
	p->resignations = play_draw(&p->dice, 3) == 0;
	for (unsigned seat = 1; seat <= nseats; seat++)
		p->levels[seat] = play_draw(&p->dice, 4);
	for (unsigned i = 0; i < OPTION_TRIES && !made && !p->problem.len; i++)
		made = new_game(p, seed % 2 == 0 || i + 1 == OPTION_TRIES);
	if (!made)
		return play_fail(p, "no game could be made");
	p->max_phases = rules->max_phases(&p->options);
	rules->encode(p->now, &p->text);
	if (rules->phase(p->now) != 1)
		return play_fail(p, "the first state is not phase 1");
	return rules->nseats(p->now) == nseats ||
	       play_fail(p, "nseats is %u", rules->nseats(p->now));
}

void play_release(struct play *p)
{
	if (p->now)
		p->rules->free_state(p->now);
	arena_free(p->arena);
	arena_free(p->scratch);
	strbuf_release(&p->text);
	strbuf_release(&p->record);
	strbuf_release(&p->problem);
	memset(p, 0, sizeof *p);
}
