/*
 * test_guides.c - a guide names every measure, limit and count that the engine of its game uses.
 *
 * A player who knows only HELP must be able to play: what is listed here stands in no report.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "processor/base/arena.h"
#include "processor/games/registry.h"
#include "reports/parts.h"
#include "tests/support/chosen.h"

enum { BASICS_LINES = 12 };

struct constants {
	const char *kind;
	const char *const said[24]; /* NULL-ended; line ends do not count */
};

static const struct constants all[] = {
    {"whakka-mole",
     {"9 holes", "6 points", "1 point", "50 points or more", "60 turns", "POPUP NONE",
      "equal totals share", "send nothing", "leave", NULL}},
    {"mole-park",
     {"five holes", "1 to 5 stars", "1 1 1 2 2 X", "2 3 3 3 4 X", "4 4 5 5 5 X",
      "A hand holds 5 moles", "CANDY", "KINGS", "round 60", "ties", "DISCARD LOW", "CROWN NONE",
      NULL}},
    {"martian-boggle",
     {"5 by 5", "two dice with the numbers 1 to 4", "5 pieces", "a to e, rows 1 to 5", "draw",
      "pass", NULL}},
    {"mole",
     {"board 0 to 300 0 to 600 rear y 0, winning line y 600", "mole circle 150 130 radius 30",
      "Rosserie 1 35 to 95 230 to 290", "Rosserie 2 205 to 265 230 to 290",
      "nichee 60 to 240 330 to 420", "loup line 0 to 300 70", "radius 12.95", "10.15",
      "150 130", "90 360", "20.4 mm", "0.05 mm", "25 turns", NULL}},
    {"mole-majority",
     {"30 moles", "10 claim tokens", "4 Cave-In tokens", "18 cards", "A1: A2, B1 and B2",
      "C3: B2, B3, C2, C4, D2 and D3", "With CONVERT a mole of another goes home",
      "no mole moves across", "is out: the moles stay", "60 rounds", "ties go to", "DISCARD",
      "values from 3 to 6|value from 3 to 6", NULL}},
};

/* The guide as it is mailed, on one line. */
static void guide_of(const struct rules *r, struct strbuf *flat)
{
	struct arena *arena = arena_new();
	struct report_out out = REPORT_OUT_INIT;
	struct options options;
	struct doc doc;

	options_init(&options, r);
	doc_init(&doc, arena);
	r->guide(&options, &doc);
	report_guide(&(struct report_guide){.topic = GUIDE_KIND,
	                                    .kind = r,
	                                    .kind_doc = &doc,
	                                    .address = "moles@example.org"},
	             &out);
	for (size_t i = 0; i < out.body.len; i++) {
		bool blank = out.body.ptr[i] == '\n' || out.body.ptr[i] == ' ';

		if (!blank)
			strbuf_addc(flat, out.body.ptr[i]);
		else if (flat->len > 0 && flat->ptr[flat->len - 1] != ' ')
			strbuf_addc(flat, ' ');
	}
	report_out_release(&out);
	arena_free(arena);
}

Test(guides, name_every_constant)
{
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		struct strbuf flat = STRBUF_INIT;

		guide_of(rules_find(span_of(all[i].kind)), &flat);
		for (const char *const *said = all[i].said; *said; said++) {
			struct span either = span_of(*said);
			size_t bar = span_find_char(either, '|');
			bool found = span_find(strbuf_span(&flat), span_slice(either, 0, bar)) <
			             flat.len;

			if (bar < either.len)
				found = found || span_find(strbuf_span(&flat),
				                           span_slice(either, bar + 1,
				                                      either.len)) < flat.len;
			cr_expect(found, "the guide of %s does not say \"%s\"", all[i].kind,
			          *said);
		}
		strbuf_release(&flat);
	}
}

static unsigned count_sentences(struct span text)
{
	unsigned n = 0;

	for (size_t i = 0; i < text.len; i++)
		n += text.ptr[i] == '.' && (i + 1 == text.len || text.ptr[i + 1] == ' ');
	return n;
}

Test(guides, say_in_two_sentences_what_a_game_is)
{
	for (size_t i = 0; i < rules_count(); i++) {
		const struct rules *r = rules_at(i);

		if (!chosen_kind(r))
			continue;
		cr_expect_eq(count_sentences(span_of(r->about)), 2, "%s: %s", r->name,
		             r->about);
	}
}

/* Some words go only with others, such as few holes with few moles. */
static bool can_be_played(const struct options *o)
{
	struct seat_names seats = {.count = o->rules->usual_seats,
	                           .names = {"", "Ann", "Bob", "Cid", "Dot"}};
	struct chance *chance = chance_from_seed(1, "guides");
	struct game_state *state = NULL;
	struct strbuf why = STRBUF_INIT;
	bool can = o->rules->new_game(o, &seats, chance, &state, &why);

	o->rules->free_state(state);
	chance_free(chance);
	strbuf_release(&why);
	return can;
}

/* As a welcome prints them. */
static void check_basics(const struct options *o)
{
	if (!can_be_played(o))
		return;
	struct arena *arena = arena_new();
	struct strbuf text = STRBUF_INIT, chosen = STRBUF_INIT;
	struct doc doc;
	struct page p;

	doc_init(&doc, arena);
	o->rules->basics(o, &doc);
	page_start(&p, &text, (struct report_form){0});
	part_doc(&p, &doc, DOC_HELP, NULL);
	page_end(&p);
	options_format(o, OPTIONS_CHANGED, &chosen);
	cr_expect(count_lines(strbuf_span(&text)) <= BASICS_LINES, "%s %s: over %d lines:\n%s",
	          o->rules->name, chosen.ptr, BASICS_LINES, text.ptr);
	cr_expect(span_find(strbuf_span(&text), SPAN_LIT("If you send nothing")) < text.len,
	          "%s does not say what silence means:\n%s", o->rules->name, text.ptr);
	strbuf_release(&text);
	strbuf_release(&chosen);
	arena_free(arena);
}

/* Each word that this option can be set to, and each end of its range. */
static void check_basics_of(const struct rules *r, const struct game_option *option)
{
	struct span rest = span_of(option->choices), choice;
	struct options o;
	struct strbuf why = STRBUF_INIT;
	struct arena *arena = arena_new();

	while (span_next_field(&rest, '|', &choice)) {
		options_init(&o, r);
		cr_assert(options_set(&o, span_of(option->name), choice, arena, &why), "%s",
		          why.ptr);
		check_basics(&o);
	}
	for (int64_t number = option->min; option->min < option->max;
	     number += option->max - option->min) {
		struct strbuf digits = STRBUF_INIT;

		strbuf_addf(&digits, "%lld", (long long)number);
		options_init(&o, r);
		cr_assert(
		    options_set(&o, span_of(option->name), strbuf_span(&digits), arena, &why),
		    "%s", why.ptr);
		strbuf_release(&digits);
		check_basics(&o);
		if (number == option->max)
			break;
	}
	strbuf_release(&why);
	arena_free(arena);
}

Test(guides, have_a_short_form_of_twelve_lines)
{
	for (size_t i = 0; i < rules_count(); i++) {
		const struct rules *r = rules_at(i);
		struct options usual;

		if (!chosen_kind(r))
			continue;
		options_init(&usual, r);
		check_basics(&usual);
		for (size_t k = 0; k < r->noptions; k++)
			if (!r->options[k].hash_of)
				check_basics_of(r, &r->options[k]);
	}
}
