/*
 * test_clothing.c - the same orders in any clothing are the same orders.
 *
 * Orders drawn for every game are dressed as mail programs dress them (tests/support/clothing.h) and
 * read through the parsing child, the letter and the game. SEED= reproduces.
 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "mail/parser.h"
#include "processor/base/env.h"
#include "processor/base/num.h"
#include "processor/base/seal.h"
#include "tests/support/clothing.h"
#include "tests/support/parse_child.h"
#include "tests/support/play.h"
#include "tests/support/reader.h"

enum { OUTFITS = 12, TURNS = 4, SEEDS = 3 };

struct dressed {
	struct arena *arena;
	struct parser *parser;
	uint64_t seed, dice;
	unsigned n;
};

static void expect_same(struct dressed *d, const struct reader_seat *at, struct span orders,
                        const struct mail_in *mail, struct span raw, const char *how)
{
	struct reader_result r;

	cr_assert_eq(mail->fault, MAIL_OK, "SEED=%llu: %s\n%.*s", (unsigned long long)d->seed,
	             mail_fault_name(mail->fault), SPAN_ARGS(raw));
	reader_read(at, mail, d->arena, &r);
	cr_expect(span_eq(strbuf_span(&r.orders), orders),
	          "SEED=%llu, %s, %s\n%.*s\nwas read as\n%s\nin\n%.*s",
	          (unsigned long long)d->seed, at->rules->name, how, SPAN_ARGS(orders),
	          r.orders.ptr, SPAN_ARGS(mail->texts[r.text].text));
	reader_release(&r);
	d->n++;
}

static void dress(struct dressed *d, const struct reader_seat *at, struct span orders)
{
	struct span raws[OUTFITS];
	const char *hows[OUTFITS];
	struct mail_in mails[OUTFITS];
	struct failure e = ERR_INIT;

	for (size_t i = 0; i < OUTFITS; i++) {
		struct strbuf raw = STRBUF_INIT, how = STRBUF_INIT;

		clothing_put_on(&d->dice, orders, &raw, &how);
		raws[i] = arena_dup(d->arena, strbuf_span(&raw));
		hows[i] = arena_strdup(d->arena, how.ptr);
		strbuf_release(&raw);
		strbuf_release(&how);
	}
	cr_assert_eq(parser_batch(d->parser, raws, OUTFITS, d->arena, mails, &e), ERR_NONE,
	             "%s", e.text.ptr);
	for (size_t i = 0; i < OUTFITS; i++)
		expect_same(d, at, orders, &mails[i], raws[i], hows[i]);
	arena_clear(d->arena);
	err_release(&e);
}

static void dress_seat(struct dressed *d, const struct reader_seat *at)
{
	struct chance *mind = chance_from_seed(d->seed + d->n, "orders to dress");
	struct strbuf orders = STRBUF_INIT;

	at->rules->sample_orders(at->state, at->seat, d->n % 3, &at->tables, mind, &orders);
	dress(d, at, strbuf_span(&orders));
	strbuf_release(&orders);
	chance_free(mind);
}

static void dress_game(struct dressed *d, const struct rules *rules)
{
	struct play p;
	unsigned turns = 0;

	cr_assert(play_start(&p, rules, rules->usual_seats, d->seed), "%s", p.problem.ptr);
	do {
		struct seat_set owing = rules->owes(p.now);

		for (unsigned seat = 1; seat <= MAX_SEATS; seat++)
			if (seat_in(owing, seat))
				dress_seat(d, &(struct reader_seat){.rules = rules,
				                                    .state = p.now,
				                                    .seat = seat});
	} while (++turns < TURNS && play_turn(&p) && play_goes_on(&p));
	cr_assert_eq(p.problem.len, 0, "%s", p.problem.ptr);
	play_release(&p);
}

Test(clothing, makes_no_difference_to_the_orders_of_any_game)
{
	const char *chosen = env_get("SEED");
	struct dressed d = {.seed = 1};
	uint64_t end;

	seal_start();
	if (chosen)
		cr_assert(num_parse_u64(span_of(chosen), UINT32_MAX, &d.seed));
	d.arena = arena_new();
	d.parser = parser_new(parse_child_exe(), &parser_default_limits);
	for (end = chosen ? d.seed + 1 : d.seed + SEEDS; d.seed < end; d.seed++) {
		d.dice = d.seed;
		for (size_t i = 0; i < rules_count(); i++)
			dress_game(&d, rules_at(i));
	}
	cr_expect_gt(d.n, 100);
	parser_free(d.parser);
	arena_free(d.arena);
}
