/*
 * test_prose.c - talk that orders nothing, however many verbs of a game it begins with.
 *
 * tests/mail/prose/ holds what people write to each other: reviews, recipes, logs, boards drawn by
 * hand, a report forwarded without its marker. In every position of every game it must come to no
 * order and no command, and so must prose made up from a seed.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/env.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "tests/support/play.h"
#include "tests/support/reader.h"

#define PROSE "tests/mail/prose"

enum { LARGEST = 1 << 20, MADE_UP = 400 };

typedef void look_fn(const struct reader_seat *at, uint64_t *dice, void *ctx);

/* Shows positions of every game to `look`, each with every seat that is to write. */
static void each_position(uint64_t seed, look_fn *look, void *ctx)
{
	uint64_t dice = seed;

	for (size_t i = 0; i < rules_count(); i++) {
		const struct rules *rules = rules_at(i);
		struct play p;
		unsigned turns = 0;

		cr_assert(play_start(&p, rules, rules->usual_seats, seed), "%s", p.problem.ptr);
		do {
			struct seat_set owing = rules->owes(p.now);

			for (unsigned seat = 1; seat <= MAX_SEATS; seat++)
				if (seat_in(owing, seat))
					look(&(struct reader_seat){.rules = rules,
					                           .state = p.now,
					                           .seat = seat},
					     &dice, ctx);
		} while (++turns < 5 && play_turn(&p) && play_goes_on(&p));
		cr_assert_eq(p.problem.len, 0, "%s", p.problem.ptr);
		play_release(&p);
	}
}

static void expect_nothing(const struct reader_seat *at, struct span text, const char *name)
{
	struct mail_text one = {text, false};
	struct mail_in mail = {.fault = MAIL_OK, .texts = &one, .ntexts = 1};
	struct arena *arena = arena_new();
	struct reader_result r;

	reader_read(at, &mail, arena, &r);
	cr_expect(r.orders.len == 0 && r.commands.len == 0, "%s: %s came to\n%s\n%s", name,
	          at->rules->name, r.orders.ptr, r.commands.ptr);
	reader_release(&r);
	arena_free(arena);
}

struct prose {
	struct span text;
	const char *name;
};

/* Each line alone too: together they could hide each other. */
static void look_at_text(const struct reader_seat *at, uint64_t *dice, void *ctx)
{
	const struct prose *p = ctx;
	struct span rest = p->text, line;

	(void)dice;
	expect_nothing(at, p->text, p->name);
	while (span_next_line(&rest, &line))
		expect_nothing(at, line, p->name);
}

Test(prose, of_people_comes_to_no_order_of_any_game)
{
	DIR *d = opendir(PROSE);
	struct dirent *entry;
	unsigned n = 0;

	cr_assert(d);
	while ((entry = readdir(d)) != NULL) {
		struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
		struct failure e = ERR_INIT;

		if (entry->d_name[0] == '.')
			continue;
		strbuf_addf(&path, PROSE "/%s", entry->d_name);
		cr_assert_eq(file_read(path.ptr, LARGEST, &text, &e), ERR_NONE, "%s",
		             e.text.ptr);
		each_position(
		    4, look_at_text,
		    &(struct prose){.text = strbuf_span(&text), .name = entry->d_name});
		n++;
		strbuf_release(&path);
		strbuf_release(&text);
		err_release(&e);
	}
	closedir(d);
	cr_expect_geq(n, 12);
}

/* ---- prose made up from a seed ---- */

/*
 * What stands at the beginnings of orders and commands, of all games. But for STYLE: what stands
 * behind it is the player's to choose.
 */
static const char *const verbs[] = {
    "popup",  "pop up",  "whack",   "roll",   "crown",   "prizes",   "discard",
    "favour", "move",    "spell",   "pass",   "place",   "flick",    "concede",
    "test",   "breed",   "convert", "home",   "cavein",  "steal",    "play",
    "stack",  "base",    "tiles",   "resign", "create",  "join",     "list",
    "help",   "get",     "show",    "check",  "preview", "set wait", "yes",
    "no",     "history", "archive", "clear",  "status",  "new",      "taupiniere"};

/* What may stand behind them in orders. */
static const char *const arguments[] = {
    "3",     "5",    "1 4", "none",  "two",   "pan",  "low", "toys", "a1",
    "b2-c3", "c3.1", "cw",  "heads", "right", "7,8;", "; 2", "N4",   "T",
    "hello", "W17",  "x2",  "all",   "12 40", "bob",  "-30", "(3)"};

/* What never does: one of these in every line. */
static const char *const talk[] = {
    "because",        "until Sunday",  "in the morning", "if you like",    "whenever",
    "would be",       "my neighbours", "the garden",     "said Grandma",   "as ever",
    "so kind of you", "they told me",  "its lid",        "weil es regnet", "avec plaisir",
    "times or",       "of them are",   "people I know",  "yesterday",      "looks better"};

#define ANY(dice, list) (list)[play_draw((dice), sizeof(list) / sizeof((list)[0]))]

static void make_line(uint64_t *dice, struct strbuf *out)
{
	unsigned before = play_draw(dice, 3), after = play_draw(dice, 3);

	strbuf_adds(out, ANY(dice, verbs));
	while (before-- > 0)
		strbuf_addf(out, " %s", ANY(dice, arguments));
	strbuf_addf(out, " %s", ANY(dice, talk));
	while (after-- > 0)
		strbuf_addf(out, " %s",
		            play_draw(dice, 2) ? ANY(dice, arguments) : ANY(dice, talk));
	strbuf_adds(out, play_draw(dice, 3) ? "\n" : ".\n");
}

static void look_at_made_up(const struct reader_seat *at, uint64_t *dice, void *ctx)
{
	uint64_t *seed = ctx;

	for (unsigned i = 0; i < MADE_UP / 5; i++) {
		struct strbuf text = STRBUF_INIT, name = STRBUF_INIT;

		make_line(dice, &text);
		strbuf_addf(&name, "SEED=%llu: %s", (unsigned long long)*seed, text.ptr);
		expect_nothing(at, strbuf_span(&text), name.ptr);
		strbuf_release(&text);
		strbuf_release(&name);
	}
}

Test(prose, made_up_from_verbs_and_talk_comes_to_no_order_of_any_game)
{
	const char *chosen = env_get("SEED");
	uint64_t seed = 1;

	if (chosen)
		cr_assert(num_parse_u64(span_of(chosen), UINT64_MAX, &seed));
	for (uint64_t end = chosen ? seed + 1 : seed + 4; seed < end; seed++)
		each_position(seed, look_at_made_up, &seed);
}
