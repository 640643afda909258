/*
 * test_refusals.c - what each game says of orders it does not take, and that its examples work.
 *
 * refusals/KIND.txt, to be read by a person. UPDATE=1 in the environment writes all lines that are not
 * marked here:
 *
 *	== players 2 turns 3 holes=9     a new position: so many random turns, options
 *	@ turn: 7                        its text has this line in place of the one of that name
 *	@+ seat 1 word 1: ...            ... and this one behind the one before
 *	as 2                             who writes, if not the first who is awaited
 *	> popup 12                       orders, one line or more
 *	There is no hole 12 ...          what they are told
 *	| POPUP 3                        ... and shown
 *
 * Every line shown is read again as a mail prints it, alone, and must be taken.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "processor/base/env.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "processor/base/seal.h"
#include "processor/bots/bots.h"
#include "processor/games/registry.h"
#include "processor/games/repair.h"

#include "reports/layout.h"
#include "tests/support/chosen.h"

enum { LARGEST = 1 << 20, SEED = 7 };

struct refusals {
	const struct rules *rules;
	struct game_state *position;
	unsigned seat;
	struct strbuf words; /* the list of Martian Boggle */
	struct table table;
	struct tables tables;
	struct strbuf edits;
	struct strbuf out; /* the file as it should be */
	unsigned n;
};

static void resolve(struct refusals *r)
{
	unsigned phase = r->rules->phase(r->position);
	struct chance *chance = chance_from_seed(phase, "turn");
	struct strbuf texts[MAX_SEATS + 1], why = STRBUF_INIT;
	struct seat_orders orders[MAX_SEATS + 1];
	struct game_state *next;

	memset(orders, 0, sizeof orders);
	for (unsigned seat = 1; seat <= MAX_SEATS; seat++) {
		texts[seat] = (struct strbuf)STRBUF_INIT;
		if (!seat_in(r->rules->owes(r->position), seat))
			continue;
		struct chance *dice = chance_from_seed(1000 * seat + phase, "orders");
		r->rules->older_bots[0](r->position, seat, BOT_LEVEL_USUAL, &r->tables, dice,
		                        &texts[seat]);
		chance_free(dice);
		orders[seat].canonical = strbuf_span(&texts[seat]);
	}
	cr_assert(r->rules->resolve(r->position, orders, chance, &next, &why), "%s", why.ptr);
	r->rules->free_state(r->position);
	r->position = next;
	for (unsigned seat = 1; seat <= MAX_SEATS; seat++)
		strbuf_release(&texts[seat]);
	chance_free(chance);
	strbuf_release(&why);
}

static void find_seat(struct refusals *r)
{
	for (r->seat = 1; r->seat < r->rules->nseats(r->position); r->seat++)
		if (seat_in(r->rules->owes(r->position), r->seat))
			return;
}

/* "players 2 turns 3 holes=9" */
static void set_up(struct refusals *r, struct span header)
{
	struct seat_names names = {.count = r->rules->usual_seats,
	                           .names = {"", "Ann", "Bob", "Cid", "Dot"}};
	struct chance *chance = chance_from_seed(SEED, "refusals");
	struct arena *arena = arena_new();
	struct strbuf why = STRBUF_INIT;
	struct options options;
	unsigned turns = 0;
	struct span word;

	options_init(&options, r->rules);
	while (span_next_word(&header, "", &word)) {
		size_t equals = span_find_char(word, '=');
		struct span value = span_slice(word, equals + 1, word.len);

		if (equals < word.len)
			cr_assert(options_set(&options, span_slice(word, 0, equals), value,
			                      arena, &why),
			          "%s", why.ptr);
		else
			cr_assert(
			    span_next_word(&header, "", &value) &&
			    num_parse_uint(value, 0, 1000,
			                   span_eq_str(word, "turns") ? &turns : &names.count));
	}
	if (rules_use_tables(r->rules))
		cr_assert(options_bind(&options, &r->tables, arena, &why), "%s", why.ptr);
	r->rules->free_state(r->position);
	cr_assert(r->rules->new_game(&options, &names, chance, &r->position, &why), "%s",
	          why.ptr);
	while (turns-- > 0)
		resolve(r);
	find_seat(r);
	chance_free(chance);
	arena_free(arena);
	strbuf_release(&why);
}

/* The line of `edits` that has the key of `line`, with those added to it; else `line`. */
static void add_edited_line(struct span edits, struct span line, struct strbuf *out)
{
	struct span key = span_slice(line, 0, span_find_char(line, ':') + 1), edit;
	bool ours = false, any = false;

	while (span_next_line(&edits, &edit)) {
		bool more = span_starts(edit, "+ ");

		ours = more ? ours
		            : edit.len >= key.len && span_eq(span_slice(edit, 0, key.len), key);
		if (ours)
			strbuf_addf(out, "%.*s\n",
			            SPAN_ARGS(span_slice(edit, more ? 2 : 0, edit.len)));
		any = any || ours;
	}
	if (!any)
		strbuf_addf(out, "%.*s\n", SPAN_ARGS(line));
}

/* The position with these lines "key: value" in place of its own. */
static void edit_position(struct refusals *r)
{
	struct strbuf text = STRBUF_INIT, edited = STRBUF_INIT, why = STRBUF_INIT;
	struct span rest, line;

	if (r->edits.len == 0)
		return;
	r->rules->encode(r->position, &text);
	rest = strbuf_span(&text);
	while (span_next_line(&rest, &line))
		add_edited_line(strbuf_span(&r->edits), line, &edited);
	r->rules->free_state(r->position);
	r->position = NULL;
	cr_assert(r->rules->decode(strbuf_span(&edited), &r->position, &why), "%s\n%s", why.ptr,
	          edited.ptr);
	find_seat(r);
	strbuf_clear(&r->edits);
	strbuf_release(&text);
	strbuf_release(&edited);
	strbuf_release(&why);
}

/* As a mail prints it and a reader copies it, without the bars. */
static void as_printed(const char *example, struct strbuf *out)
{
	struct strbuf printed = STRBUF_INIT;
	struct page p;

	page_start(&p, &printed, (struct report_form){0});
	page_example(&p, span_of(example));
	page_end(&p);
	struct span rest = strbuf_span(&printed), line;
	while (span_next_line(&rest, &line)) {
		line = span_trim(line);
		if (line.len == 0)
			continue;
		cr_assert(line.ptr[0] == '|', "%.*s", SPAN_ARGS(line));
		strbuf_addf(out, "%.*s\n", SPAN_ARGS(span_trim(span_slice(line, 1, line.len))));
	}
	strbuf_release(&printed);
}

static void check_example(struct refusals *r, const char *mail, const char *example)
{
	struct strbuf text = STRBUF_INIT, canonical = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;

	as_printed(example, &text);
	bool ok = r->rules->read_orders(r->position, r->seat, SPAN_EMPTY, &r->tables,
	                                strbuf_span(&text), &canonical, &diags);
	cr_expect(ok && !diags_has_errors(&diags), "%s: of\n%sthe example is refused: %s(%s)",
	          r->rules->name, mail, text.ptr, diags.count ? diags.items[0].message : "");
	diags_release(&diags);
	strbuf_release(&canonical);
	strbuf_release(&text);
}

/* Where a refusal shows nothing, the answer shows what would work in the position. */
static void check_position_examples(struct refusals *r, const char *mail)
{
	struct arena *arena;
	struct doc doc;
	unsigned n = 0;

	if (!seat_in(r->rules->owes(r->position), r->seat))
		return;
	arena = arena_new();
	doc_init(&doc, arena);
	doc.tables = &r->tables;
	bot_examples(r->rules, r->position, r->seat, &doc);
	for (const struct doc_block *b = doc.first; b; b = b->next)
		if (b->kind == DOC_EXAMPLE) {
			check_example(r, mail, b->text);
			n++;
		}
	cr_expect(n > 0, "%s: nothing is shown for\n%s", r->rules->name, mail);
	arena_free(arena);
}

static void tell(struct refusals *r, struct strbuf *mail)
{
	struct strbuf canonical = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;

	if (mail->len == 0)
		return;
	bool ok = r->rules->read_orders(r->position, r->seat, SPAN_EMPTY, &r->tables,
	                                strbuf_span(mail), &canonical, &diags);
	orders_repair_examples(&(struct order_attempt){.rules = r->rules,
	                                               .state = r->position,
	                                               .seat = r->seat,
	                                               .tables = &r->tables,
	                                               .text = strbuf_span(mail),
	                                               .ok = ok},
	                       &diags);
	for (size_t i = 0; i < diags.count; i++) {
		const struct diag *d = &diags.items[i];

		if (d->level == DIAG_IGNORED)
			continue;
		strbuf_addf(&r->out, "%s%s\n",
		            d->level == DIAG_ERROR ? "" : "Note: ", d->message);
		if (*d->example)
			strbuf_addf(&r->out, "| %s\n", d->example);
		if (*d->example)
			check_example(r, mail->ptr, d->example);
		else if (d->level == DIAG_ERROR)
			check_position_examples(r, mail->ptr);
	}
	if (ok)
		strbuf_addf(&r->out, "= %s\n", canonical.ptr);
	strbuf_addc(&r->out, '\n');
	r->n++;
	strbuf_clear(mail);
	diags_release(&diags);
	strbuf_release(&canonical);
}

static void carry_out(struct refusals *r, struct span line)
{
	struct span rest = span_slice(line, 2, line.len);

	if (span_starts(line, "== "))
		set_up(r, span_slice(line, 3, line.len));
	else if (span_starts(line, "@+ "))
		strbuf_addf(&r->edits, "%.*s\n", SPAN_ARGS(span_slice(line, 1, line.len)));
	else if (span_starts(line, "@ "))
		strbuf_addf(&r->edits, "%.*s\n", SPAN_ARGS(rest));
	else if (span_starts(line, "as "))
		cr_assert(
		    num_parse_uint(span_slice(line, 3, line.len), 1, MAX_SEATS, &r->seat));
	else
		return;
	strbuf_addf(&r->out, "%.*s\n", SPAN_ARGS(line));
}

static void play_file(struct refusals *r, struct span text)
{
	struct strbuf mail = STRBUF_INIT;
	struct span line;

	while (span_next_line(&text, &line)) {
		if (span_starts(line, "> ")) {
			edit_position(r);
			strbuf_addf(&mail, "%.*s\n", SPAN_ARGS(span_slice(line, 2, line.len)));
			strbuf_addf(&r->out, "%.*s\n", SPAN_ARGS(line));
			continue;
		}
		tell(r, &mail);
		if (!span_starts(line, "@"))
			edit_position(r);
		carry_out(r, line);
	}
	tell(r, &mail);
	strbuf_release(&mail);
}

static void check_kind(const struct rules *rules, unsigned least)
{
	struct refusals r = {.rules = rules};
	struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
	struct failure f = ERR_INIT;

	if (!chosen_kind(rules))
		return;
	seal_start();
	cr_assert_eq(file_read("tests/support/words/small", LARGEST, &r.words, &f), ERR_NONE,
	             "%s", f.text.ptr);
	r.table =
	    (struct table){"american", strbuf_span(&r.words), hash_of(strbuf_span(&r.words))};
	r.tables = (struct tables){&r.table, 1};
	strbuf_addf(&path, "tests/games/refusals/%s.txt", rules->name);
	cr_assert_eq(file_read(path.ptr, LARGEST, &text, &f), ERR_NONE, "%s", f.text.ptr);
	play_file(&r, strbuf_span(&text));
	if (env_get("UPDATE")) {
		FILE *file = fopen(path.ptr, "w");

		cr_assert(file && fwrite(r.out.ptr, 1, r.out.len, file) == r.out.len &&
		          fclose(file) == 0);
	} else {
		cr_expect(span_eq(strbuf_span(&r.out), strbuf_span(&text)),
		          "%s is now (UPDATE=1 writes it):\n%s", path.ptr, r.out.ptr);
	}
	cr_expect(r.n >= least, "%s: only %u refusals", rules->name, r.n);
	rules->free_state(r.position);
	strbuf_release(&r.words);
	strbuf_release(&r.out);
	strbuf_release(&r.edits);
	strbuf_release(&path);
	strbuf_release(&text);
}

Test(refusals, of_whakka_mole_are_as_written_and_their_examples_work)
{
	check_kind(&whakka_mole_1, 20);
}

Test(refusals, of_mole_park_are_as_written_and_their_examples_work)
{
	check_kind(&mole_park_1, 30);
}

Test(refusals, of_martian_boggle_are_as_written_and_their_examples_work)
{
	check_kind(&martian_boggle_1, 30);
}

Test(refusals, of_mole_are_as_written_and_their_examples_work)
{
	check_kind(&mole_1, 30);
}

Test(refusals, of_mole_majority_are_as_written_and_their_examples_work)
{
	check_kind(&mole_majority_1, 40);
}
