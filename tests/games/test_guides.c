/*
 * test_guides.c - a guide names every measure, limit and count that the engine of its game uses.
 *
 * A player who knows only HELP must be able to play: what is listed here stands in no report.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "processor/base/arena.h"
#include "processor/games/registry.h"
#include "reports/report.h"

struct constants {
	const char *kind;
	const char *const said[24]; /* NULL-ended; line ends do not count */
};

static const struct constants all[] = {
    {"whakka-mole",
     {"9 holes", "6 points", "1 point", "50 points or more", "60 turns", "POPUP NONE",
      "equal totals share", "sends nothing", "leaves", NULL}},
    {"mole-park",
     {"five holes", "1 to 5 stars", "1 1 1 2 2 X", "2 3 3 3 4 X", "4 4 5 5 5 X",
      "A hand holds five moles", "CANDY", "KINGS", "round 60", "ties", "DISCARD LOW",
      "CROWN NONE", NULL}},
    {"martian-boggle",
     {"5 by 5", "two four-sided dice", "five letters", "a to e, rows 1 to 5", "draw", "pass",
      NULL}},
    {"mole",
     {"x 0 to 300, y 0 (rear) to 600", "centre x 150, y 130, radius 30",
      "Rosserie 1: x 35 to 95, y 230 to 290", "Rosserie 2: x 205 to 265, y 230 to 290",
      "Nichee: x 60 to 240, y 330 to 420", "Loup line: y 70", "radius 12.95", "10.15",
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
