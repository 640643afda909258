/*
 * test_mole_majority.c - what scenarios do not show: the board's shape, reports, diagnostics, bots.
 */
#include <criterion/criterion.h>
#include <ctype.h>
#include <string.h>

#include "processor/base/utf8.h"
#include "processor/bots/bots.h"
#include "processor/games/mole_majority/majority.h"
#include "processor/games/registry.h"
#include "reports/report.h"
#include "tests/support/chosen.h"
#include "tests/support/play.h"

SUITE_OF_KIND(mole_majority, "mole majority");

static const struct rules *const rules = &mole_majority_1;

static struct game_state *game_of(const struct seat_names *names, const char *option_text,
                                  uint64_t seed)
{
	struct chance *chance = chance_from_seed(seed, "test");
	struct arena *arena = arena_new();
	struct strbuf why = STRBUF_INIT;
	struct options options;
	struct game_state *s = NULL;

	options_init(&options, rules);
	cr_assert(options_parse(&options, span_of(option_text), arena, &why), "%s", why.ptr);
	cr_assert(rules->new_game(&options, names, chance, &s, &why), "%s", why.ptr);
	strbuf_release(&why);
	chance_free(chance);
	arena_free(arena);
	return s;
}

static struct game_state *game(unsigned players, const char *option_text)
{
	const struct seat_names names = {.count = players,
	                                 .names = {NULL, "Ann", "Bob", "Cid", "Dan"}};

	return game_of(&names, option_text, 7);
}

/* Resolves one turn with made-up orders of this level; frees the state it came from. */
static struct game_state *turn(struct game_state *now, uint64_t seed, const unsigned *levels)
{
	struct strbuf texts[MM_SEATS + 1] = {STRBUF_INIT, STRBUF_INIT, STRBUF_INIT, STRBUF_INIT,
	                                     STRBUF_INIT};
	struct seat_orders orders[MAX_SEATS + 1];
	struct chance *dice = chance_from_seed(seed * 1000 + rules->phase(now), "dice");
	struct strbuf why = STRBUF_INIT;
	struct game_state *next = NULL;

	memset(orders, 0, sizeof orders);
	for (unsigned seat = 1; seat <= now->nseats; seat++) {
		struct chance *c = chance_from_seed(seed * 1000 + rules->phase(now), "bot");

		if (seat_in(rules->owes(now), seat))
			rules->sample_orders(now, seat, levels[seat], NULL, c, &texts[seat]);
		orders[seat].canonical = strbuf_span(&texts[seat]);
		chance_free(c);
	}
	cr_assert(rules->resolve(now, orders, dice, &next, &why), "%s", why.ptr);
	rules->free_state(now);
	for (unsigned seat = 0; seat <= MM_SEATS; seat++)
		strbuf_release(&texts[seat]);
	chance_free(dice);
	return next;
}

static struct game_state *after_turns(struct game_state *s, unsigned n)
{
	static const unsigned levels[] = {0, 1, 1, 1, 1};

	for (unsigned i = 0; i < n && rules->owes(s).bits; i++)
		s = turn(s, 5, levels);
	return s;
}

Test(mole_majority, every_place_lies_beside_its_neighbours_and_the_ring_round_c3)
{
	unsigned borders = 0;

	for (unsigned a = 0; a < MM_HEXES; a++) {
		cr_expect_not(mm_beside[a] & mm_bit(a));
		borders += (unsigned)__builtin_popcount(mm_beside[a]);
		for (unsigned b = 0; b < MM_HEXES; b++)
			cr_expect_eq(!(mm_beside[a] & mm_bit(b)), !(mm_beside[b] & mm_bit(a)),
			             "%s and %s", mm_hex_names[a], mm_hex_names[b]);
	}
	cr_expect_eq(borders, 84, "a board of 19 has 42 borders inside");
	cr_expect_eq(mm_beside[HEX_C3], mm_ring);
	for (unsigned h = 0; h < MM_HEXES; h++) {
		bool outer = h != HEX_C3 && !(mm_ring & mm_bit(h));
		unsigned ring = (unsigned)__builtin_popcount(mm_beside[h] & mm_ring);

		cr_expect_eq(outer && ring == 2, (mm_base_places & mm_bit(h)) != 0, "%s",
		             mm_hex_names[h]);
		if (mm_base_places & mm_bit(h))
			cr_expect_not(mm_beside[h] & mm_base_places, "two bases can touch");
	}
}

static const struct doc_board *board_of(const struct doc *d)
{
	for (const struct doc_block *b = d->first; b; b = b->next)
		if (b->kind == DOC_BOARD)
			return &b->board;
	cr_assert_fail("no board");
	return NULL;
}

Test(mole_majority, the_board_is_drawn_with_neighbours_side_by_side)
{
	static const char *const lines[] = {
	    "                A1 3 A h    A2 6 A      A3 .",
	    "                AAA         AAAAAA",
	    "          B1 .        B2 4 A h    B3 3 - h2   B4 6 B",
	    "                      AABA        .B.         BBBB.B",
	};
	struct game_state s;
	struct arena *arena = arena_new();
	struct doc doc;

	memset(&s, 0, sizeof s);
	s.nseats = 2;
	s.turn = 2;
	s.hexes[HEX_A1] =
	    (struct mm_hex){.value = 3, .claim = 1, .home = 1, .spaces = {1, 1, 1}};
	s.hexes[HEX_A2] = (struct mm_hex){.value = 6, .claim = 1, .spaces = {1, 1, 1, 1, 1, 1}};
	s.hexes[HEX_B2] =
	    (struct mm_hex){.value = 4, .claim = 1, .home = 3, .spaces = {1, 1, 2, 1}};
	s.hexes[HEX_B3] =
	    (struct mm_hex){.value = 3, .home = 2, .home_open = true, .spaces = {0, 2, 0}};
	s.hexes[HEX_B4] = (struct mm_hex){.value = 6, .claim = 2, .spaces = {2, 2, 2, 2, 0, 2}};
	s.cave[HEX_A2] = mm_bit(HEX_B3);
	s.cave[HEX_B3] = mm_bit(HEX_A2);
	doc_init(&doc, arena);
	mm_show_map(&s, &doc);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		cr_expect_str_eq(board_of(&doc)->lines[i], lines[i]);
	cr_expect_str_eq(board_of(&doc)->lines[10], "Closed: A2-B3");
	arena_free(arena);
}

static void expect_narrow(const struct game_state *s)
{
	struct arena *arena = arena_new();
	struct strbuf text = STRBUF_INIT;
	struct span rest, line;
	struct doc doc;

	doc_init(&doc, arena);
	for (unsigned viewer = 0; viewer <= s->nseats; viewer++)
		rules->view(s, viewer, &doc);
	for (size_t i = 0; i < board_of(&doc)->nlines; i++)
		cr_assert_leq(utf8_width(span_of(board_of(&doc)->lines[i])), 72);
	for (size_t i = 0; i < board_of(&doc)->nshapes; i++) {
		const struct doc_shape *shape = &board_of(&doc)->shapes[i];

		cr_assert(shape->x >= 0 && shape->x <= board_of(&doc)->width, "x %d", shape->x);
		cr_assert(shape->y >= 0 && shape->y <= board_of(&doc)->height, "y %d",
		          shape->y);
	}
	report_text(&doc, &text);
	rest = strbuf_span(&text);
	while (span_next_line(&rest, &line))
		cr_assert_leq(utf8_width(line), 72, "%.*s", SPAN_ARGS(line));
	strbuf_release(&text);
	arena_free(arena);
}

Test(mole_majority, reports_stay_within_72_columns_for_any_names)
{
	const struct seat_names names = {.count = 4,
	                                 .names = {NULL, "H\xc3\xa5kon the Twentieth",
	                                           "Maximilian Alexandrov", "Cid",
	                                           "W.W.W.W.W.W.W.W.W.W"}};
	struct seat_names three = names;
	struct game_state *s;

	three.count = 3;
	three.names[2] = "Maximilian Alexand";
	s = game_of(&three, "", 3);
	for (unsigned i = 0; i < 40 && rules->owes(s).bits; i++) {
		expect_narrow(s);
		s = after_turns(s, 1);
	}
	expect_narrow(s);
	rules->free_state(s);
}

/* Read without an error? */
static bool legal(const struct game_state *s, unsigned seat, const char *text)
{
	struct strbuf canonical = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;
	bool ok =
	    rules->read_orders(s, seat, SPAN_EMPTY, NULL, span_of(text), &canonical, &diags) &&
	    !diags_has_errors(&diags);

	strbuf_release(&canonical);
	diags_release(&diags);
	return ok;
}

Test(mole_majority, every_example_of_a_report_is_legal_for_its_reader)
{
	struct game_state *s = game(3, "");
	unsigned examples = 0;

	while (rules->owes(s).bits) {
		struct arena *arena = arena_new();
		struct doc doc;

		for (unsigned seat = 1; seat <= 3; seat++) {
			doc_init(&doc, arena);
			bot_examples(rules, s, seat, &doc);
			for (const struct doc_block *b = doc.first; b; b = b->next, examples++)
				cr_expect(legal(s, seat, b->text), "%s", b->text);
			if (doc.first)
				cr_expect_str_neq(doc.first->text, doc.last->text);
		}
		arena_free(arena);
		s = after_turns(s, 1);
	}
	cr_expect_gt(examples, 40);
	rules->free_state(s);
}

Test(mole_majority, the_examples_of_the_guide_are_turns_of_the_positions_it_tells_of)
{
	struct arena *arena = arena_new();
	struct game_state *s = after_turns(game(2, ""), 1);
	struct options options;
	unsigned examples = 0;
	struct doc doc;

	for (unsigned h = 0; h < MM_HEXES; h++)
		memset(s->hexes[h].spaces, 0, sizeof s->hexes[h].spaces);
	s->hexes[HEX_B2] =
	    (struct mm_hex){.value = 6, .claim = 1, .spaces = {1, 1, 1, 1, 1, 1}};
	s->hexes[HEX_C3] = (struct mm_hex){.value = 4, .spaces = {2, 1, 0, 0}};
	s->seats[1].hand =
	    (struct mm_pile){.count = 4, .cards = {CARD_N3, CARD_N2, CARD_GK1, CARD_N4}};
	s->active = 1;
	options_init(&options, rules);
	doc_init(&doc, arena);
	rules->guide(&options, &doc);
	for (const struct doc_block *b = doc.first; b; b = b->next) {
		if (b->kind != DOC_EXAMPLE)
			continue;
		if (examples++)
			s->hexes[HEX_B2].spaces[5] = 0;
		cr_expect(legal(s, 1, b->text), "%s", b->text);
	}
	cr_expect_eq(examples, 2);
	arena_free(arena);
	rules->free_state(s);
}

Test(mole_majority, a_wrong_mail_is_refused_with_a_turn_that_would_work)
{
	static const char *const mails[] = {
	    "play n5",
	    "play",
	    "stack n2",
	    "move a1 a2",
	    "play n3 with n2",
	    "paly n3",
	    "play n3\nmvoe a2 b2",
	    "pass\ndiscard",
	    "discard\nplay n3",
	    "base a2",
	    "play n4\nmove a2 e2",
	    "play n3, play n4",
	    "play ch\nhome e3",
	    "pass 3, resign",
	};
	struct game_state *s = game(2, "setup=auto");

	for (size_t i = 0; i < sizeof mails / sizeof *mails; i++) {
		struct strbuf canonical = STRBUF_INIT;
		struct diags diags = DIAGS_INIT;

		cr_expect_not(rules->read_orders(s, s->active, SPAN_EMPTY, NULL,
		                                 span_of(mails[i]), &canonical, &diags),
		              "%s", mails[i]);
		cr_expect_gt(diags_count(&diags, DIAG_ERROR), 0, "%s", mails[i]);
		for (size_t d = 0; d < diags.count; d++)
			if (diags.items[d].level == DIAG_ERROR)
				cr_expect(legal(s, s->active, diags.items[d].example), "%s: %s",
				          mails[i], diags.items[d].example);
		strbuf_release(&canonical);
		diags_release(&diags);
	}
	rules->free_state(s);
}

Test(mole_majority, a_card_stacked_too_often_is_counted_rightly)
{
	struct game_state *s = game(2, "setup=auto");
	struct strbuf canonical = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;

	s->seats[s->active].hand =
	    (struct mm_pile){.count = 4, .cards = {CARD_N2, CARD_N2, CARD_N2, CARD_CH}};
	cr_expect_not(rules->read_orders(s, s->active, SPAN_EMPTY, NULL,
	                                 span_of("PLAY N2; STACK N2; STACK N2; STACK N2"),
	                                 &canonical, &diags));
	cr_assert_gt(diags.count, 0);
	cr_expect(strstr(diags.items[0].message, "You hold N2 only 3 times."), "%s",
	          diags.items[0].message);
	strbuf_release(&canonical);
	diags_release(&diags);
	rules->free_state(s);
}

static void expect_read(const struct game_state *s, const char *mail, const char *canonical)
{
	struct strbuf found = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;
	bool ok =
	    rules->read_orders(s, s->active, SPAN_EMPTY, NULL, span_of(mail), &found, &diags);

	cr_expect(ok, "%s: %s", mail, diags.count ? diags.items[0].message : "");
	cr_expect_str_eq(found.ptr, canonical);
	strbuf_release(&found);
	diags_release(&diags);
}

Test(mole_majority, what_people_write_is_understood)
{
	struct game_state *s = game(2, "setup=auto");
	struct mm_hex *base = &s->hexes[HEX_A2];

	base->claim = (uint8_t)s->active;
	memset(base->spaces, (int)s->active, MM_SPACES);
	s->seats[s->active].hand =
	    (struct mm_pile){.count = 4, .cards = {CARD_N3, CARD_N2, CARD_GK1, CARD_CH}};
	expect_read(s, "Play N3.\nMove 2 moles from A2 to B2!\n", "PLAY N3; MOVE A2 B2 x2");
	expect_read(s, "* play card n3: move a2 b2, move a2.1 b3",
	            "PLAY N3; MOVE A2 B2; MOVE A2.1 B3");
	expect_read(s, "play n3\nmove A2-B2 x2", "PLAY N3; MOVE A2 B2 x2");
	expect_read(s, "play n3; move 2 moles a2-b2", "PLAY N3; MOVE A2 B2 x2");
	expect_read(s, "Hi all, pass me the salt!\npass\n\nHome at last, Ann", "PASS");
	expect_read(s, "play gk1 with n2\nroll a2 space 3 clockwise",
	            "PLAY GK1 WITH N2; ROLL A2.3 CW");
	expect_read(s, "play ch\ncave in a2-b2 a2-b3", "PLAY CH; CAVEIN A2-B2 A2-B3");
	expect_read(s, "play ch\ncave-in between a2 and b2 and a2 and b3",
	            "PLAY CH; CAVEIN A2-B2 A2-B3");
	rules->free_state(s);
}

/* Seat 1 of two to play, six moles on A2, with these cards. */
static struct game_state *before_a_turn(void)
{
	struct game_state *s = game(2, "setup=auto");

	s->active = 1;
	s->hexes[HEX_A2].claim = 1;
	memset(s->hexes[HEX_A2].spaces, 1, MM_SPACES);
	s->seats[1].hand = (struct mm_pile){
	    .count = 6, .cards = {CARD_N3, CARD_N2, CARD_GK1, CARD_CH, CARD_GI, CARD_CV}};
	s->seats[2].discard = (struct mm_pile){.count = 2, .cards = {CARD_CV, CARD_N4}};
	return s;
}

/* Refuses the mail because of this line. */
static void expect_asked_back(const struct game_state *s, const char *mail, unsigned line,
                              const char *part)
{
	struct strbuf canonical = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;
	const struct diag *found = NULL;

	cr_expect_not(
	    rules->read_orders(s, 1, SPAN_EMPTY, NULL, span_of(mail), &canonical, &diags), "%s",
	    mail);
	for (size_t i = 0; i < diags.count; i++)
		if (diags.items[i].level == DIAG_ERROR && diags.items[i].line == line)
			found = &diags.items[i];
	cr_assert(found, "no error in line %u of %s", line, mail);
	cr_expect(strstr(found->message, part), "%s: %s", mail, found->message);
	cr_expect(legal(s, 1, found->example), "%s: %s", mail, found->example);
	strbuf_release(&canonical);
	diags_release(&diags);
}

Test(mole_majority, a_step_in_prose_is_asked_back_and_the_turn_is_not_played_without_it)
{
	struct game_state *s = before_a_turn();

	s->hexes[HEX_A2].home = 1;
	expect_asked_back(s, "play n3\ntwo moles go from A2 to B2, please", 2,
	                  "below PLAY N3, but is no step");
	expect_asked_back(s, "play n3\ntwo moles go from A2 to B2, please", 2,
	                  "Did you mean PLAY N3; MOVE A2 B2 x2?");
	expect_asked_back(s, "play n3\nmove a2 b2\n\nAnd then the same to B3!", 4,
	                  "is no step");
	expect_asked_back(s, "play n3\nmove a2 b2\n2 more the same way", 3, "is no step");
	expect_asked_back(s, "play n3\n\nthree of them to the middle", 3, "is no step");
	expect_asked_back(s, "play n3\nto the middle", 2, "is no step");
	expect_asked_back(s, "play n3\n\nmy moles into the middle", 3, "is no step");
	expect_asked_back(s, "play ch\nmove a2 b2\nhome for the new one", 3,
	                  "HOME takes one hex");
	expect_asked_back(s, "play n3\nmove a2 b2\nand another\nstack n2", 3, "is no step");
	expect_asked_back(s, "play n3\nmove a2 b2\nstack n2\nlet it breed on a2", 4,
	                  "below STACK N2");
	expect_asked_back(s, "play n3\nmove a2 b2\nthen a new mole on a2", 3,
	                  "Did you mean PLAY N3; MOVE A2 B2; BREED A2?");
	expect_asked_back(s, "play ch\nmove a2 b2\n\nlet me have the home token of A2", 4,
	                  "Did you mean PLAY CH; MOVE A2 B2; HOME A2?");
	expect_asked_back(s, "from a2 to b2 with all I can\nplay n3", 1, "in your turn but is");
	expect_asked_back(s, "play n3\nmove a2 b2\n\nthen convert the big one", 4,
	                  "is no step");
	expect_asked_back(s, "play n3\nmove a2 b2\n\nwith my gi on top of it", 4, "is no step");
	rules->free_state(s);
	s = game(2, "");
	expect_asked_back(s, "base a2\nand the rest on A1 and A3", 2, "neither BASE nor TILES");
	rules->free_state(s);
}

Test(mole_majority, a_greeting_beside_a_turn_is_passed_over)
{
	struct game_state *s = before_a_turn();

	expect_read(s, "Hi Bob,\n\nplay n3\nmove a2 b2\nCheers, Ann\n\nSee you, moles!",
	            "PLAY N3; MOVE A2 B2");
	expect_read(s, "B2 was a nice hex, Bob.\nplay n3, move a2 b2\n\nHome at last!",
	            "PLAY N3; MOVE A2 B2");
	expect_read(s, "play n3\n\nCheers, Ann", "PLAY N3");
	expect_read(s, "play n3\nmove a2 b2\n\nYour move, Bob!\nSent with A1 Mail",
	            "PLAY N3; MOVE A2 B2");
	expect_read(s,
	            "play n2\nmove a2 b2\nstack gk1\n\nOn Tue, 3 Mar 2026 at 18:02, Moles\n"
	            "<moles@example.org> wrote:\n",
	            "PLAY N2; MOVE A2 B2; STACK GK1");
	expect_read(s,
	            "play n2\nmove a2 b2\nstack gk1\n\nFrom: Molepost <moles@example.org>\n"
	            "Sent: Tuesday, March 3, 2026 6:02 PM\nTo: ann@example.net\n"
	            "Subject: [M1 turn 3] Mole Majority: orders due\n",
	            "PLAY N2; MOVE A2 B2; STACK GK1");
	expect_read(s, "play n3\nmove a2 b2\n\nMoles, 2 March 2026, On 3 of them:",
	            "PLAY N3; MOVE A2 B2");
	expect_read(s, "> play n3\nplay n2\n> move a2 b2\nmove a2 b3", "PLAY N2; MOVE A2 B3");
	expect_read(s, "pass\nB2 and C3 can wait", "PASS");
	expect_read(s, "discard\nno mole will move on C3 this time", "DISCARD");
	rules->free_state(s);
}

Test(mole_majority, who_names_nobody_or_nothing_there_is_told_who_and_what_there_is)
{
	struct game_state *s = before_a_turn();

	s->hexes[HEX_B2].spaces[1] = 2;
	expect_asked_back(s, "play gi\nsteal zoe n4", 2, "You can steal from Bob (N4, CV).");
	expect_asked_back(s, "play gi\nsteal bob n5", 2, "You can steal from Bob (N4, CV).");
	expect_asked_back(s, "play gi\nsteal bob", 2, "You can steal from Bob (N4, CV).");
	expect_asked_back(s, "play gi\nsteal ann n4", 2, "Bob (N4, CV).");
	expect_asked_back(s, "play cv\nconvert b2 zoe", 2,
	                  "Moles of others in your network: B2.2 (Bob).");
	expect_asked_back(s, "play cv\nconvert z9.1", 2,
	                  "Moles of others in your network: B2.2 (Bob).");
	expect_asked_back(s, "play cv\nconvert b2.1", 2, "B2.2 (Bob)");
	expect_asked_back(s, "play cv\nconvert a2 bob", 2, "B2.2 (Bob)");
	expect_asked_back(s, "play n7\nmove a2 b2", 1, "Your hand is N3, N2, GK1, CH, GI, CV.");
	s->seats[2].discard.count = 0;
	expect_asked_back(s, "play gi\nsteal zoe n4", 2, "Nobody has discards");
	s->hexes[HEX_B2].spaces[1] = 0;
	expect_asked_back(s, "play cv\nconvert b2 zoe", 2,
	                  "No mole of another is in your network.");
	rules->free_state(s);
}

/* Names that look like orders, well or badly spelt, or are a seat's letter. */
Test(mole_majority, a_player_may_be_called_mole_or_a)
{
	static const char *const victims[] = {"Mole", "Bread", "Re Sign", "Rome",
	                                      "A",    "N4",    "x2"};

	for (size_t i = 0; i < sizeof victims / sizeof *victims; i++) {
		const struct seat_names names = {.count = 3,
		                                 .names = {NULL, "Zoe", "Yan", victims[i]}};
		struct game_state *s = game_of(&names, "setup=auto", 1);
		struct strbuf mail = STRBUF_INIT;

		s->active = 1;
		s->seats[1].hand = (struct mm_pile){.count = 2, .cards = {CARD_GI, CARD_N2}};
		s->seats[3].discard = (struct mm_pile){.count = 1, .cards = {CARD_CV}};
		s->seats[2].discard = s->seats[3].discard;
		strbuf_addf(&mail, "PLAY GI; STEAL %s CV", victims[i]);
		expect_read(s, mail.ptr, mail.ptr);
		expect_read(s, "play gi\nsteal from yan cv", "PLAY GI; STEAL Yan CV");
		expect_read(s, "play gi\nsteal b cv", "PLAY GI; STEAL Yan CV");
		strbuf_release(&mail);
		rules->free_state(s);
	}
}

/* Whatever part of a report comes back in a mail, unquoted or not, it orders nothing. */
static void expect_no_orders(const struct game_state *s)
{
	struct arena *arena = arena_new();
	struct strbuf text = STRBUF_INIT;
	struct options options;
	struct span rest, line;
	struct doc doc;
	unsigned seat = s->active ? s->active : 1;

	options_init(&options, rules);
	doc_init(&doc, arena);
	rules->view(s, seat, &doc);
	bot_examples(rules, s, seat, &doc);
	rules->guide(&options, &doc);
	report_text(&doc, &text);
	rest = strbuf_span(&text);
	while (span_next_line(&rest, &line)) {
		struct strbuf canonical = STRBUF_INIT;
		struct diags diags = DIAGS_INIT;

		cr_expect_not(
		    rules->read_orders(s, seat, SPAN_EMPTY, NULL, line, &canonical, &diags),
		    "\"%.*s\" is an order", SPAN_ARGS(line));
		cr_expect_not(diags_has_errors(&diags), "\"%.*s\" is taken for an order",
		              SPAN_ARGS(line));
		strbuf_release(&canonical);
		diags_release(&diags);
	}
	strbuf_release(&text);
	arena_free(arena);
}

Test(mole_majority, no_line_of_a_report_or_guide_is_an_order)
{
	static const unsigned levels[] = {0, 1, 2, 3};
	static const char *const options_text[] = {"", "homes=reveal"};
	const struct seat_names names = {.count = 3, .names = {NULL, "Ann", "Bob", "Cid"}};

	for (uint64_t seed = 1; seed <= 6; seed++) {
		struct game_state *s = game_of(&names, options_text[seed % 2], seed);

		while (rules->owes(s).bits) {
			expect_no_orders(s);
			s = turn(s, seed, levels);
		}
		expect_no_orders(s);
		rules->free_state(s);
	}
}

Test(mole_majority, whose_turn_it_is_not_may_only_resign)
{
	struct game_state *s = game(2, "setup=auto");
	unsigned other = 3 - s->active;

	cr_expect(legal(s, s->active, "PASS"));
	cr_expect_not(legal(s, other, "PASS"));
	cr_expect(legal(s, other, "RESIGN"));
	s = after_turns(s, 1000);
	cr_expect_eq(rules->owes(s).bits, 0);
	cr_expect_not(legal(s, 1, "PASS"));
	cr_expect(legal(s, 1, "RESIGN"));
	rules->free_state(s);
}

static struct game_state *imagined(const struct game_state *s, unsigned viewer, uint64_t seed)
{
	struct chance *chance = chance_from_seed(seed, "imagined");
	struct game_state *other = rules->resample(s, viewer, chance);

	chance_free(chance);
	return other;
}

/* Who knows how the dice of a preview fall must not be able to reckon back to the real cards. */
Test(mole_majority, what_is_imagined_does_not_depend_on_what_is_hidden)
{
	struct game_state *s = game(3, "homes=reveal");

	for (uint64_t turns = 0; rules->owes(s).bits; turns++, s = after_turns(s, 1)) {
		for (unsigned viewer = 0; viewer <= s->nseats; viewer++) {
			struct game_state *twin = imagined(s, viewer, turns);
			struct game_state *one = imagined(s, viewer, 77);
			struct game_state *other = imagined(twin, viewer, 77);
			struct strbuf a = STRBUF_INIT, b = STRBUF_INIT;

			rules->encode(one, &a);
			rules->encode(other, &b);
			cr_assert_str_eq(a.ptr, b.ptr, "turn %u, viewer %u", s->turn, viewer);
			strbuf_release(&a);
			strbuf_release(&b);
			rules->free_state(twin);
			rules->free_state(one);
			rules->free_state(other);
		}
	}
	rules->free_state(s);
}

/* Two players, seat 1 to play with CH; A1 is his and has an open home token worth 3. */
static struct game_state *before_a_home(void)
{
	struct game_state *s = game(2, "setup=auto homes=reveal");

	for (unsigned h = 0; h < MM_HEXES; h++)
		if (s->hexes[h].home)
			s->hexes[h].home = 1;
	s->hexes[HEX_A1] = (struct mm_hex){
	    .value = 4, .claim = 1, .home = 3, .home_open = true, .spaces = {1, 1, 1, 1}};
	s->active = 1;
	s->seats[1].hand = (struct mm_pile){.count = 2, .cards = {CARD_CH, CARD_N2}};
	return s;
}

/* What `viewer` reads after seat 1 has played this. */
static void told(const struct game_state *s, const char *orders_text, unsigned viewer,
                 struct strbuf *out)
{
	struct seat_orders orders[MAX_SEATS + 1] = {{.origin = ORDER_SENT}};
	struct chance *chance = chance_from_seed(1, "told");
	struct arena *arena = arena_new();
	struct strbuf why = STRBUF_INIT;
	struct game_state *next;
	struct doc doc;

	orders[1].canonical = span_of(orders_text);
	cr_assert(rules->resolve(s, orders, chance, &next, &why), "%s", why.ptr);
	doc_init(&doc, arena);
	rules->view(next, viewer, &doc);
	strbuf_clear(out);
	report_text(&doc, out);
	rules->free_state(next);
	arena_free(arena);
	chance_free(chance);
}

/* In the turn of seat 1 a token changed: this is what `viewer` is told of it. */
static void expect_news(struct mm_event what, unsigned claim_now, unsigned viewer,
                        const char *news)
{
	struct game_state *s = game(3, "setup=auto");
	struct arena *arena = arena_new();
	struct doc doc;

	for (unsigned h = 0; h < MM_HEXES; h++)
		s->hexes[h].claim = 0;
	s->hexes[HEX_A1].claim = (uint8_t)claim_now;
	s->turn = 4;
	s->last = 1;
	s->nevents = 2;
	s->events[0] = (struct mm_event){.kind = EVENT_PLAY, .args = {CARD_CH}};
	s->events[1] = what;
	doc_init(&doc, arena);
	rules->view(s, viewer, &doc);
	const struct doc_block *b = doc.first;

	while (b && b->part != DOC_NEWS)
		b = b->next;
	cr_expect(b && strncmp(b->text, news, strlen(news)) == 0, "seat %u: \"%s\", not \"%s\"",
	          viewer, news, b ? b->text : "");
	arena_free(arena);
	rules->free_state(s);
}

Test(mole_majority, the_news_names_who_has_the_hex_and_not_whose_turn_it_was)
{
	const struct mm_event by_the_mover = {EVENT_CLAIM, {1, HEX_A1, 2}},
			      by_a_third = {EVENT_CLAIM, {3, HEX_A1, 2}},
			      from_the_mover = {EVENT_CLAIM, {3, HEX_A1, 1}},
			      empty = {EVENT_EMPTY, {HEX_A1, 2}},
			      bare = {EVENT_BARE, {3, HEX_A1, 2}};

	expect_news(by_the_mover, 1, 2, "Ann took A1 from you.");
	expect_news(by_the_mover, 1, 1, "You claimed A1.");
	expect_news(by_the_mover, 1, 3, "Ann claimed A1.");
	expect_news(by_a_third, 3, 2, "Cid took A1 from you.");
	expect_news(by_a_third, 3, 3, "You claimed A1.");
	expect_news(from_the_mover, 3, 1, "Cid took A1 from you.");
	expect_news(empty, 0, 2, "You lost your claim on A1.");
	expect_news(bare, 0, 2, "You lost your claim on A1.");
	expect_news(bare, 0, 1, "You played ");
}

Test(mole_majority, a_home_token_that_lay_face_up_is_no_secret_when_it_is_taken)
{
	struct game_state *s = before_a_home();
	struct strbuf text = STRBUF_INIT;

	for (unsigned viewer = 0; viewer <= 2; viewer++) {
		told(s, "PLAY CH; HOME A1", viewer, &text);
		cr_expect(strstr(text.ptr, "took the home token of A1 (worth 3)"), "%s",
		          text.ptr);
	}
	strbuf_release(&text);
	rules->free_state(s);
}

Test(mole_majority, a_preview_does_not_tell_what_a_home_token_is_worth)
{
	struct game_state *s = before_a_home();
	struct game_state *seen = imagined(s, 1, 5);
	struct strbuf text = STRBUF_INIT;

	told(seen, "PLAY CH; CAVEIN A1-B2 A1-A2", 1, &text);
	cr_expect_not(strstr(text.ptr, "only you know"), "%s", text.ptr);
	cr_expect(strstr(text.ptr, "home tokens: ?."), "%s", text.ptr);
	cr_expect(strstr(text.ptr, "Your hand, newest last: N2 ?"), "%s", text.ptr);
	told(seen, "PLAY CH; HOME A1", 1, &text);
	cr_expect(strstr(text.ptr, "home tokens: 3."), "%s", text.ptr);
	told(s, "PLAY CH; CAVEIN A1-B2 A1-A2", 1, &text);
	cr_expect(strstr(text.ptr, "(worth 1, as only"), "%s", text.ptr);
	strbuf_release(&text);
	rules->free_state(seen);
	rules->free_state(s);
}

/* Seat 1 to end the game: seat 2 has two hidden tokens of 3, and seat 1 an open one of 1. */
static struct game_state *before_the_end(unsigned hexes_of_1)
{
	struct game_state *s = game(2, "setup=auto");
	unsigned n = 0;

	s->active = 1;
	for (unsigned h = 0; h < MM_HEXES; h++)
		if (s->hexes[h].value)
			s->hexes[h] = (struct mm_hex){
			    .value = 3, .claim = n++ < hexes_of_1 ? 1 : 2, .spaces = {1}};
	s->seats[1].nhomes = 1;
	s->seats[2].nhomes = 2;
	s->seats[1].homes[0] = (struct mm_home){.value = 1, .open = true};
	s->seats[2].homes[0] = s->seats[2].homes[1] = (struct mm_home){.value = 3};
	s->seats[2].hand = (struct mm_pile){.count = 1, .cards = {CARD_GI}};
	return s;
}

static void expect_told(const struct game_state *s, unsigned viewer, bool preview,
                        const char *what, bool there)
{
	struct game_state *seen = imagined(s, viewer, 5);
	struct strbuf text = STRBUF_INIT;

	told(preview ? seen : s, "PASS", viewer, &text);
	cr_expect_eq(strstr(text.ptr, what) != NULL, there, "seat %u, \"%s\": %s", viewer, what,
	             text.ptr);
	strbuf_release(&text);
	rules->free_state(seen);
}

Test(mole_majority, a_preview_of_the_end_names_no_total_that_rests_on_made_up_tokens)
{
	struct game_state *s = before_the_end(7);

	expect_told(s, 1, true, "The game would be over: every hex", true);
	expect_told(s, 1, true, "depends on what you cannot know", true);
	expect_told(s, 1, true, "Ann: 21 for hexes, 1 for home tokens; 13 moles on the", true);
	expect_told(s, 1, true, "Bob: 18 for hexes, 2 to 6 for 2 home tokens face down;", true);
	expect_told(s, 1, true, "in hand", false);
	expect_told(s, 1, true, "wins", false);
	expect_told(s, 2, true, "Bob: 18 for hexes, 6 for home tokens;", true);
	expect_told(s, 2, true, "Bob would win.", true);
	expect_told(s, 1, false, "Bob wins.", true);
	expect_told(s, 1, false, "Bob: 18 for hexes, 6 for home tokens; 0 moles", true);
	rules->free_state(s);
	s = before_the_end(8);
	expect_told(s, 1, true, "Ann would win, whatever", true);
	rules->free_state(s);
}

static void expect_story(const struct game_state *s, const char *orders_text, const char *part)
{
	struct strbuf text = STRBUF_INIT;

	told(s, orders_text, 1, &text);
	size_t len = 0; /* on one line */

	for (const char *c = text.ptr; *c; c++)
		if (!isspace((unsigned char)*c))
			text.ptr[len++] = *c;
		else if (len > 0 && text.ptr[len - 1] != ' ')
			text.ptr[len++] = ' ';
	text.ptr[len] = '\0';
	cr_expect(strstr(text.ptr, part), "%s: %s", part, text.ptr);
	strbuf_release(&text);
}

Test(mole_majority, moles_that_come_last_are_told_of_last)
{
	struct game_state *s = before_a_turn();

	s->hexes[HEX_A2].spaces[4] = s->hexes[HEX_A2].spaces[5] = 0;
	expect_story(s, "PLAY GI; STEAL Bob N4; BREED A2; STACK N2; BREED A2",
	             " Ann added N2: 1 new mole on A2. "
	             "At the end Ann placed: 1 new mole on A2. ");
	expect_story(s, "PLAY GK1 WITH N2; ROLL A2.1 CW; BREED A2; STACK CV; PLUS ROLL",
	             "- Ann added CV (Convert): one more for the roll. "
	             "At the end Ann placed: 1 new mole on A2. ");
	expect_story(s, "PLAY GK1 WITH N3; ROLL A2.1 CW; STACK CV; BREED A2",
	             "- Ann added CV (Convert): 1 new mole on A2. ");
	s->seats[1].hand.cards[3] = CARD_CV;
	expect_story(
	    s, "PLAY GK1 WITH N2; ROLL A2.1 CW; STACK CV; MOVE A2 B2; STACK CV; PLUS ROLL",
	    "- Ann added CV (Convert): 1 mole A2 to B2; A2 is empty");
	expect_story(s,
	             "PLAY GK1 WITH N2; ROLL A2.1 CW; STACK CV; PLUS ROLL; STACK CV; BREED A2",
	             "- Ann added CV (Convert): one more for the roll. "
	             "- Ann added CV (Convert): 1 new mole on A2. ");
	expect_story(s, "PLAY N2; BREED A2 x2; STACK CV; MOVE A2 B2",
	             "- Ann played N2: 2 new moles on A2. "
	             "- Ann added CV (Convert): 1 mole A2 to B2. ");
	rules->free_state(s);
}

Test(mole_majority, who_can_play_no_card_is_shown_a_discard)
{
	struct game_state *s = game(2, "setup=auto");
	struct arena *arena = arena_new();
	struct doc doc;

	s->seats[s->active].hand = (struct mm_pile){.count = 2, .cards = {CARD_GK1, CARD_GK2}};
	doc_init(&doc, arena);
	bot_examples(rules, s, s->active, &doc);
	cr_assert(doc.first);
	cr_expect_str_eq(doc.first->text, "DISCARD");
	cr_expect_str_eq(doc.last->text, "PASS");
	doc_init(&doc, arena);
	rules->view(s, s->active, &doc);
	for (const struct doc_block *b = doc.first; b; b = b->next)
		if (b->text && strstr(b->text, "With GK2"))
			cr_expect_str_eq(b->text,
			                 "With GK2 (Groundskeeper +2): needs a number card, "
			                 "and you hold none.");
	arena_free(arena);
	rules->free_state(s);
}

/* ---- What a report says the cards can do ---- */

static void search_all(const struct game_state *s, unsigned steps, struct mm_reach *out);

static void search_from(const struct game_state *s, const struct mm_step *step, unsigned steps,
                        struct mm_reach *out)
{
	struct game_state next = *s;
	uint32_t claims = mm_claims(s, s->active);
	struct mm_trouble t;

	next.nevents = 0;
	if (!mm_do_step(&next, s->active, step, 0, &t))
		return;
	if (step->verb == STEP_MOVE)
		out->entered[steps] |= mm_bit(step->hex[1]);
	out->claimed[steps] |= mm_claims(&next, s->active) & ~claims;
	search_all(&next, steps + 1, out);
}

/* Every MOVE and BREED there is, two deep. */
static void search_all(const struct game_state *s, unsigned steps, struct mm_reach *out)
{
	struct mm_step step = {.count = 1};

	if (steps > 2)
		return;
	for (unsigned from = 0; from < MM_HEXES; from++) {
		step.hex[0] = (uint8_t)from;
		step.verb = STEP_BREED;
		search_from(s, &step, steps, out);
		step.verb = STEP_MOVE;
		for (unsigned to = 0; to < MM_HEXES; to++) {
			step.hex[1] = (uint8_t)to;
			search_from(s, &step, steps, out);
		}
	}
}

Test(mole_majority, a_report_names_all_that_two_steps_can_enter_or_claim)
{
	static const char *const options_text[] = {"", "routes=free"};

	for (size_t i = 0; i < 2; i++) {
		struct game_state *s = after_turns(game(3, options_text[i]), 1);

		for (unsigned turns = 0; rules->owes(s).bits && turns < 60; turns++) {
			struct mm_reach all = {{0}, {0}}, found;
			uint32_t full = mm_claims(s, s->active) & ~mm_with_moles(s, 0);

			search_all(s, 1, &all);
			mm_find_reach(s, s->active, 2, &found);
			cr_expect_eq(found.entered[1], all.entered[1], "turn %u %x %x", s->turn,
			             found.entered[2], all.entered[1] | all.entered[2]);
			cr_expect_eq(found.claimed[1], all.claimed[1], "turn %u %x %x", s->turn,
			             found.entered[2], all.entered[1] | all.entered[2]);
			cr_expect_eq(found.entered[2],
			             (all.entered[1] | all.entered[2]) & ~full, "turn %u %x %x",
			             s->turn, found.entered[2],
			             all.entered[1] | all.entered[2]);
			cr_expect_eq(found.claimed[2], all.claimed[1] | all.claimed[2],
			             "turn %u: %x and %x", s->turn, found.claimed[2],
			             all.claimed[1] | all.claimed[2]);
			s = after_turns(s, 1);
		}
		rules->free_state(s);
	}
}

Test(mole_majority, two_player_options_are_refused_for_more)
{
	static const char *const options_text[] = {"extra=5", "second=6"};
	const struct seat_names names = {.count = 3, .names = {NULL, "Ann", "Bob", "Cid"}};

	for (size_t i = 0; i < 2; i++) {
		struct chance *chance = chance_from_seed(1, "test");
		struct arena *arena = arena_new();
		struct strbuf why = STRBUF_INIT;
		struct game_state *s = NULL;
		struct options options;

		options_init(&options, rules);
		cr_assert(options_parse(&options, span_of(options_text[i]), arena, &why));
		cr_expect_not(rules->new_game(&options, &names, chance, &s, &why));
		cr_expect(strstr(why.ptr, options_text[i]), "%s", why.ptr);
		strbuf_release(&why);
		chance_free(chance);
		arena_free(arena);
	}
}

/* Games of two that seat 1 wins at `level` against `other`, less those it loses. */
static int lead(unsigned level, unsigned other)
{
	const unsigned levels[] = {0, level, other};
	struct game_result r;
	int won = 0;

	for (uint64_t seed = 1; seed <= 120; seed++) {
		const struct seat_names names = {.count = 2, .names = {NULL, "Ann", "Bob"}};
		struct game_state *s = game_of(&names, "setup=auto", seed);

		while (rules->owes(s).bits)
			s = turn(s, seed, levels);
		rules->result(s, &r);
		won += seat_in(r.winners, 1);
		won -= seat_in(r.winners, 2);
		rules->free_state(s);
	}
	return won;
}

Test(mole_majority, a_better_level_wins_more_games_than_it_loses)
{
	seal_start();
	cr_expect_gt(lead(1, 0), 0);
	cr_expect_gt(lead(2, 1), 0);
	cr_expect_gt(lead(3, 2), 0);
}

/* ---- states ---- */

/* The first `from` in it becomes `to`. */
static void change(struct strbuf *text, const char *from, const char *to)
{
	struct strbuf other = STRBUF_INIT;
	size_t at = span_find(strbuf_span(text), span_of(from));

	cr_assert_lt(at, text->len, "%s is not in\n%s", from, text->ptr);
	strbuf_addf(&other, "%.*s%s%s", (int)at, text->ptr, to, text->ptr + at + strlen(from));
	strbuf_swap(text, &other);
	strbuf_release(&other);
}

static void expect_refused(const struct strbuf *text, const char *reason)
{
	struct strbuf why = STRBUF_INIT;
	struct game_state *read = NULL;

	cr_expect_not(rules->decode(strbuf_span(text), &read, &why), "%s", text->ptr);
	cr_expect_not_null(strstr(why.ptr, reason), "%s: %s", text->ptr, why.ptr);
	strbuf_release(&why);
}

/* A new game of three, with that changed. */
static void expect_no_state(const char *from, const char *to, const char *reason)
{
	struct game_state *s = game(3, "");
	struct strbuf text = STRBUF_INIT;

	rules->encode(s, &text);
	change(&text, from, to);
	expect_refused(&text, reason);
	rules->free_state(s);
	strbuf_release(&text);
}

Test(mole_majority, a_state_that_play_cannot_come_to_is_none)
{
	expect_no_state(" CH", " N4", "the cards are not those of the decks");
	expect_no_state(" CH", "", "a player has 18 cards");
	expect_no_state("seat 1 cave-ins: 4", "seat 1 cave-ins: 2", "Cave-Ins are missing");
	expect_no_state("seat 2 standing: in", "seat 2 standing: out", "out");
}

/* Three bases of 6 are to come, and of each value there are six. */
Test(mole_majority, there_are_six_hexes_of_each_value_also_of_the_largest)
{
	struct game_state *s = game(3, "");
	struct strbuf text = STRBUF_INIT;

	rules->encode(s, &text);
	change(&text, "seat 1 tiles: 4 4", "seat 1 tiles: 6 6");
	change(&text, "seat 3 tiles: 5 5", "seat 3 tiles: 6 6");
	expect_refused(&text, "only six hexes of each value");
	rules->free_state(s);
	strbuf_release(&text);
}
