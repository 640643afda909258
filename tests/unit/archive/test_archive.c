/*
 * test_archive.c - archives written, read back, verified, and tampered with.
 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "processor/archive/private.h"
#include "processor/base/file.h"
#include "processor/base/utf8.h"
#include "tests/support/played.h"
#include "tests/support/toy_game.h"

#define BEGIN_2 "-----BEGIN MOLEPOST ARCHIVE 2-----"
#define END_2 "-----END MOLEPOST ARCHIVE 2-----"

static const struct tables no_tables = {NULL, 0};

static const struct rules *const toys[] = {&toy_open, &toy_hidden, &toy_secret};
enum { NTOYS = 3 };

static void write_whole(const struct played *p, struct strbuf *out)
{
	archive_write(&p->record, p->keys, out);
}

static enum archive_verdict verify(struct span text, struct archive_report *report)
{
	archive_verify_with(toy_find, &no_tables, text, NULL, NULL, report);
	return report->verdict;
}

static void expect_verdict(struct span text, enum archive_verdict expected)
{
	struct archive_report report;

	cr_assert_eq(verify(text, &report), expected, "line %u: %s\n%.*s", report.line,
	             report.why.ptr, SPAN_ARGS(text));
	archive_report_release(&report);
}

static void expect_broken(struct span text, const char *what)
{
	struct archive_report report;

	cr_assert_eq(verify(text, &report), ARCHIVE_BROKEN, "%s was not found:\n%.*s", what,
	             SPAN_ARGS(text));
	cr_assert_gt(report.why.len, 0);
	archive_report_release(&report);
}

/* Fields. */

static void expect_text(struct span text, const char *field)
{
	struct strbuf out = STRBUF_INIT;
	struct arena *arena = arena_new();
	struct span back;

	archive_add_text(&out, text);
	if (field != NULL)
		cr_assert_str_eq(out.ptr, field);
	cr_assert(archive_read_text(strbuf_span(&out), arena, &back));
	cr_assert(span_eq(text, back));
	strbuf_release(&out);
	arena_free(arena);
}

Test(archive_text, every_text_has_one_form_and_comes_back)
{
	struct strbuf any = STRBUF_INIT;

	expect_text(SPAN_LIT("POPUP 3\nWHACK 5\n"), "POPUP 3|WHACK 5|");
	expect_text(SPAN_LIT("a|b\\c "), "a\\|b\\\\c\\x20");
	expect_text(SPAN_EMPTY, "-");
	expect_text(SPAN_LIT("-"), "\\x2d");
	expect_text(SPAN_LIT("--"), "--");
	expect_text(SPAN_LIT("Gül\t\r\177"), "Gül\\x09\\x0d\\x7f");
	expect_text(SPAN_LIT("\303 bad"), "\\xc3 bad");
	for (unsigned c = 0; c < 256; c++)
		strbuf_addc(&any, (char)c);
	expect_text(strbuf_span(&any), NULL);
	strbuf_release(&any);
}

Test(archive_text, another_form_of_a_text_is_refused)
{
	static const char *const bad[] = {"",   "\\x0a", "\\x41", "a\\",    "a\\n", "\\X20",
	                                  "a ", "\\x7F", "\\x2",  "\\x2d-", "a\nb"};
	struct arena *arena = arena_new();
	struct span out;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		cr_assert_not(archive_read_text(span_of(bad[i]), arena, &out), "%s", bad[i]);
	cr_assert_not(archive_read_word(SPAN_LIT("a b"), arena, &out));
	cr_assert(archive_read_word(SPAN_LIT("a\\x20b"), arena, &out));
	arena_free(arena);
}

Test(archive_text, a_long_line_is_folded_without_splitting_a_character_or_ending_in_a_blank)
{
	struct strbuf line = STRBUF_INIT, printed = STRBUF_INIT;
	struct span rest, piece;
	size_t n = 0, total = 0;

	for (unsigned i = 0; i < 100; i++)
		strbuf_adds(&line, "ü ü\342\202\254  ");
	strbuf_addc(&line, '.');
	archive_add_folded(&printed, strbuf_span(&line));
	rest = strbuf_span(&printed);
	while (span_next_line(&rest, &piece)) {
		cr_assert_leq(piece.len, 160);
		cr_assert(utf8_valid(piece));
		cr_assert_neq(piece.ptr[piece.len - 1], ' ');
		cr_assert_eq(piece.ptr[0] == '+', n > 0);
		total += piece.len - (n > 0);
		n++;
	}
	cr_assert_eq(total, line.len);
	cr_assert_gt(n, 5);
	strbuf_release(&line);
	strbuf_release(&printed);
}

/* Whole games. */

Test(archive, a_whole_game_verifies_and_is_signed)
{
	seal_start();
	for (unsigned toy = 0; toy < NTOYS; toy++)
		for (uint64_t seed = 0; seed < 20; seed++) {
			struct strbuf text = STRBUF_INIT;
			struct played p;

			played_game(&p, toys[toy], 2 + (unsigned)(seed % 4), 9, seed);
			write_whole(&p, &text);
			expect_verdict(strbuf_span(&text), ARCHIVE_SIGNED);
			cr_assert_eq(span_find(strbuf_span(&text), SPAN_LIT("\nhidden ")),
			             text.len);
			strbuf_release(&text);
			played_release(&p);
		}
}

Test(archive, the_report_says_how_far_a_running_game_was_checked)
{
	seal_start();
	for (unsigned toy = 0; toy < NTOYS; toy++) {
		struct strbuf text = STRBUF_INIT;
		struct archive_report report;
		struct played p;
		struct record r;

		played_game(&p, toys[toy], 3, 9, 1);
		r = played_until(&p, 3);
		archive_write(&r, p.keys, &text);
		cr_assert_eq(verify(strbuf_span(&text), &report), ARCHIVE_SIGNED, "line %u: %s",
		             report.line, report.why.ptr);
		cr_assert_not(report.ended);
		cr_assert_eq(report.all_turns, 3);
		cr_assert_eq(report.turns, toy == 0 ? 3 : 0);
		archive_report_release(&report);
		strbuf_release(&text);
		played_release(&p);
	}
}

Test(archive, a_game_broken_off_still_reveals_everything)
{
	seal_start();
	for (unsigned toy = 0; toy < NTOYS; toy++)
		for (unsigned turns = 0; turns < 3; turns++) {
			struct strbuf text = STRBUF_INIT;
			struct played p;

			played_game(&p, toys[toy], 3, turns, 7);
			write_whole(&p, &text);
			cr_assert_lt(
			    span_find(strbuf_span(&text), SPAN_LIT("\nended cancelled ")),
			    text.len);
			expect_verdict(strbuf_span(&text), ARCHIVE_SIGNED);
			strbuf_release(&text);
			played_release(&p);
		}
}

Test(archive, a_game_that_never_started_has_an_archive_too)
{
	struct strbuf text = STRBUF_INIT;
	struct played p;
	struct record r;

	seal_start();
	played_game(&p, &toy_open, 2, 1, 1);
	r = p.record;
	r.nturns = 0;
	r.started_utc = 0;
	r.nseats = 1;
	archive_write(&r, p.keys, &text);
	expect_verdict(strbuf_span(&text), ARCHIVE_SIGNED);
	strbuf_release(&text);
	played_release(&p);
}

/* The chained lines of an archive, as printed, each with its line end. */
static struct span chained_part(struct span text)
{
	size_t from = span_find_char(text, '\n') + 1,
	       to = span_find(text, SPAN_LIT("\nchain ")) + 1;

	return span_slice(text, from, to);
}

static bool is_revealed_here(struct span later)
{
	return span_starts(later, "revealed ");
}

/* Each line of the shorter one stands in the longer one, or is the leaf of a revealed one. */
static void expect_extends(const struct record *shorter, const struct record *longer)
{
	struct strbuf a = STRBUF_INIT, b = STRBUF_INIT;
	struct span rest_a, rest_b, line_a, line_b;

	archive_write(shorter, NULL, &a);
	archive_write(longer, NULL, &b);
	rest_a = chained_part(strbuf_span(&a));
	rest_b = chained_part(strbuf_span(&b));
	while (span_next_line(&rest_a, &line_a)) {
		cr_assert(span_next_line(&rest_b, &line_b));
		if (is_revealed_here(line_b))
			cr_assert(span_starts(line_a, "hidden "));
		else
			cr_assert(span_eq(line_a, line_b));
		while (is_revealed_here(line_b) && span_starts(rest_b, "+"))
			span_next_line(&rest_b, &line_b);
	}
	strbuf_release(&a);
	strbuf_release(&b);
}

Test(archive, a_longer_archive_extends_every_shorter_one)
{
	seal_start();
	for (unsigned toy = 0; toy < NTOYS; toy++) {
		struct played p;

		played_game(&p, toys[toy], 4, 9, 3);
		for (size_t n = 0; n < p.record.nturns; n++) {
			struct record shorter = played_until(&p, n),
				      next = played_until(&p, n + 1);

			expect_extends(&shorter, &next);
			expect_extends(&shorter, &p.record);
		}
		played_release(&p);
	}
}

/* The chain carried on turn by turn, nothing printed, as a server does it. */
static struct record_chain chain_until(const struct record *r, size_t nturns)
{
	struct record_chain chain = {0};

	archive_add_header(r, false, &chain, NULL);
	for (size_t i = 0; i < nturns; i++)
		archive_add_turn(r, &r->turns[i], false, &chain, NULL);
	return chain;
}

Test(archive, the_head_of_every_turn_report_is_found_in_the_ended_archive)
{
	seal_start();
	for (unsigned toy = 0; toy < NTOYS; toy++) {
		struct strbuf text = STRBUF_INIT;
		struct played p;

		played_game(&p, toys[toy], 3, 9, 4);
		write_whole(&p, &text);
		for (size_t n = 0; n <= p.record.nturns; n++) {
			struct record_chain chain = chain_until(&p.record, n);
			struct archive_report report;

			archive_verify_with(toy_find, &no_tables, strbuf_span(&text),
			                    &p.record.public_key, &chain.head, &report);
			cr_assert_eq(report.verdict, ARCHIVE_SIGNED, "%s", report.why.ptr);
			cr_assert_eq(report.head_lines, chain.lines);
			archive_report_release(&report);
		}
		strbuf_release(&text);
		played_release(&p);
	}
}

Test(archive, another_head_or_key_than_the_one_given_does_not_hold)
{
	struct strbuf text = STRBUF_INIT, unsigned_text = STRBUF_INIT;
	struct archive_report report;
	struct hash other;
	struct played p;

	seal_start();
	other = hash_of(SPAN_LIT("other"));
	played_game(&p, &toy_open, 3, 9, 5);
	write_whole(&p, &text);
	archive_verify_with(toy_find, &no_tables, strbuf_span(&text), &other, NULL, &report);
	cr_assert_eq(report.verdict, ARCHIVE_BROKEN);
	archive_report_release(&report);
	archive_verify_with(toy_find, &no_tables, strbuf_span(&text), NULL, &other, &report);
	cr_assert_eq(report.verdict, ARCHIVE_BROKEN);
	archive_report_release(&report);

	archive_write(&p.record, NULL, &unsigned_text);
	expect_verdict(strbuf_span(&unsigned_text), ARCHIVE_CONSISTENT);
	archive_verify_with(toy_find, &no_tables, strbuf_span(&unsigned_text),
	                    &p.record.public_key, NULL, &report);
	cr_assert_eq(report.verdict, ARCHIVE_BROKEN);
	archive_report_release(&report);
	strbuf_release(&text);
	strbuf_release(&unsigned_text);
	played_release(&p);
}

Test(archive, rules_that_are_not_here_are_told_apart_from_lies)
{
	struct strbuf text = STRBUF_INIT;
	struct archive_report report;
	struct failure e = ERR_INIT;
	struct archive *a;
	struct played p;

	seal_start();
	played_game(&p, &toy_secret, 3, 9, 5);
	write_whole(&p, &text);
	archive_verify(strbuf_span(&text), NULL, NULL, &report);
	cr_assert_eq(report.verdict, ARCHIVE_UNKNOWN);
	cr_assert_eq(report.turns, 0);
	archive_report_release(&report);
	cr_assert_eq(archive_open(strbuf_span(&text), &a, &e), ERR_UNSUPPORTED);
	text.ptr[text.len - 300] ^= 1;
	archive_verify(strbuf_span(&text), NULL, NULL, &report);
	cr_assert_eq(report.verdict, ARCHIVE_BROKEN);
	archive_report_release(&report);
	err_release(&e);
	strbuf_release(&text);
	played_release(&p);
}

/* Hidden lines. */

Test(archive, a_running_game_shows_no_orders_that_stay_hidden_nor_positions)
{
	static const char *const never[] = {
	    "\nused ",          "\nclosed ", "\nchance ", "\nstate ",
	    "\norders-digest ", "BID",       "deck",      "die of"};
	struct strbuf text = STRBUF_INIT;
	struct played p;
	struct record r;

	seal_start();
	played_game(&p, &toy_secret, 4, 9, 2);
	r = played_until(&p, 3);
	archive_write(&r, p.keys, &text);
	for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++)
		cr_assert_eq(span_find(strbuf_span(&text), span_of(never[i])), text.len, "%s",
		             never[i]);
	strbuf_release(&text);
	played_release(&p);
}

Test(archive, superseded_orders_stay_closed_until_the_end_in_every_game)
{
	struct strbuf text = STRBUF_INIT, whole = STRBUF_INIT;
	struct played p;
	struct record r;

	seal_start();
	played_game(&p, &toy_open, 4, 9, 2);
	r = played_until(&p, p.record.nturns);
	archive_write(&r, p.keys, &text);
	write_whole(&p, &whole);
	cr_assert_lt(span_find(strbuf_span(&text), SPAN_LIT("\nhidden ")), text.len);
	cr_assert_eq(span_find(strbuf_span(&text), SPAN_LIT("closed")), text.len);
	cr_assert_lt(span_find(strbuf_span(&whole), SPAN_LIT("\nrevealed closed ")), whole.len);
	strbuf_release(&text);
	strbuf_release(&whole);
	played_release(&p);
}

/* Reading back. */

static void expect_same_turn(const struct record_turn *a, const struct record_turn *b)
{
	cr_assert_eq(a->serial, b->serial);
	cr_assert_eq(a->parent, b->parent);
	cr_assert(span_eq(a->label, b->label));
	cr_assert_eq(a->opened_utc, b->opened_utc);
	cr_assert_eq(a->deadline_utc, b->deadline_utc);
	cr_assert_eq(a->sealed_utc, b->sealed_utc);
	cr_assert_eq(a->nrevisions, b->nrevisions);
	cr_assert_eq(a->nused, b->nused);
	for (size_t k = 0; k < a->nused; k++) {
		cr_assert_eq(a->used[k].seat, b->used[k].seat);
		cr_assert_eq(a->used[k].revision, b->used[k].revision);
		cr_assert_eq(a->used[k].origin, b->used[k].origin);
		cr_assert(span_eq(a->used[k].salt, b->used[k].salt));
		cr_assert(span_eq(a->used[k].canonical, b->used[k].canonical));
	}
	cr_assert(span_eq(a->chance, b->chance));
	cr_assert(hash_eq(&a->state_hash, &b->state_hash));
}

Test(archive, what_is_read_is_what_was_written)
{
	struct strbuf text = STRBUF_INIT, again = STRBUF_INIT;
	struct failure e = ERR_INIT;
	const struct record *r;
	struct archive *a;
	struct played p;

	seal_start();
	played_game(&p, &toy_secret, 4, 9, 6);
	write_whole(&p, &text);
	cr_assert_eq(archive_open_with(toy_find, strbuf_span(&text), &a, &e), ERR_NONE, "%s",
	             e.text.ptr);
	r = archive_record(a);
	cr_assert_str_eq(r->game, "T17");
	cr_assert_str_eq(r->kind, "toy-secret");
	cr_assert_str_eq(r->options, "colour=red size=7");
	cr_assert_str_eq(r->instance, "demo");
	cr_assert_str_eq(r->seats[3].name, "Cy van B");
	cr_assert(r->seats[3].bot);
	cr_assert(span_eq_str(r->seats[2].salt, "wört"));
	cr_assert_eq(r->nturns, p.record.nturns);
	for (size_t i = 0; i < r->nturns; i++) {
		const struct game_state *s = archive_state(a, i, &e);

		cr_assert_not_null(s, "%s", e.text.ptr);
		expect_same_turn(&r->turns[i], &p.record.turns[i]);
		strbuf_clear(&again);
		archive_rules(a)->encode(s, &again);
		cr_assert(span_eq(strbuf_span(&again), p.record.turns[i].state));
	}
	archive_free(a);
	strbuf_release(&text);
	strbuf_release(&again);
	played_release(&p);
}

Test(archive, hidden_positions_of_a_running_game_cannot_be_reached)
{
	struct strbuf text = STRBUF_INIT;
	struct failure e = ERR_INIT;
	struct archive *a;
	struct played p;
	struct record r;

	seal_start();
	played_game(&p, &toy_hidden, 2, 9, 6);
	r = played_until(&p, 2);
	archive_write(&r, p.keys, &text);
	cr_assert_eq(archive_open_with(toy_find, strbuf_span(&text), &a, &e), ERR_NONE);
	cr_assert_null(archive_state(a, 1, &e));
	cr_assert_lt(span_find(strbuf_span(&e.text), SPAN_LIT("hidden")), e.text.len);
	archive_free(a);
	err_release(&e);
	strbuf_release(&text);
	played_release(&p);
}

/* Form. */

Test(archive, crlf_and_text_around_it_do_not_matter)
{
	struct strbuf text = STRBUF_INIT, mail = STRBUF_INIT;
	struct played p;
	struct span rest, line;

	seal_start();
	played_game(&p, &toy_open, 3, 9, 8);
	write_whole(&p, &text);
	strbuf_adds(&mail, "From: moles\r\n\r\n\tHere it is.\r\n");
	rest = strbuf_span(&text);
	while (span_next_line(&rest, &line))
		strbuf_addf(&mail, "%.*s\r\n", SPAN_ARGS(line));
	strbuf_adds(&mail, "-- \r\nAnn\001\r\n");
	expect_verdict(strbuf_span(&mail), ARCHIVE_SIGNED);
	strbuf_adds(&mail, BEGIN_2 "\n");
	expect_broken(strbuf_span(&mail), "a second archive");
	strbuf_release(&text);
	strbuf_release(&mail);
	played_release(&p);
}

/* What one byte may turn into: near misses, other cases, blanks, line ends. */
static char flipped(char c, size_t i)
{
	static const char masks[] = {1, 0x20, 2, 0x40, 0x10, (char)0x80, 4, 8};
	static const char others[] = {'\n', '\r', ' ', '0', '\t', '|', '\0', '+'};
	char other = others[i / 3 % 8];

	return i % 3 == 0 && other != c ? other : (char)(c ^ masks[i % 8]);
}

Test(archive, one_changed_byte_anywhere_is_found, .timeout = 600)
{
	seal_start();
	for (unsigned toy = 0; toy < NTOYS; toy++) {
		struct strbuf text = STRBUF_INIT;
		struct played p;

		played_game(&p, toys[toy], 3, 9, 4);
		write_whole(&p, &text);
		for (size_t i = 0; i + 1 < text.len; i++) {
			char c = text.ptr[i];

			for (size_t way = 0; way < 6; way++) {
				text.ptr[i] = flipped(c, i + way);
				expect_broken(strbuf_span(&text), "a changed byte");
			}
			text.ptr[i] = c;
		}
		expect_verdict(strbuf_span(&text), ARCHIVE_SIGNED);
		strbuf_release(&text);
		played_release(&p);
	}
}

Test(archive, a_byte_taken_out_or_put_in_is_found, .timeout = 600)
{
	struct strbuf text = STRBUF_INIT, changed = STRBUF_INIT;
	struct played p;

	seal_start();
	played_game(&p, &toy_open, 2, 2, 4);
	write_whole(&p, &text);
	for (size_t i = 0; i + 2 < text.len; i++) {
		struct span s = strbuf_span(&text);

		strbuf_clear(&changed);
		strbuf_add_span(&changed, span_slice(s, 0, i));
		strbuf_add_span(&changed, span_slice(s, i + 1, s.len));
		expect_broken(strbuf_span(&changed), "a missing byte");
		strbuf_clear(&changed);
		strbuf_add_span(&changed, span_slice(s, 0, i + 1));
		strbuf_addc(&changed, " 0\nab"[i % 5]);
		strbuf_add_span(&changed, span_slice(s, i + 1, s.len));
		expect_broken(strbuf_span(&changed), "an added byte");
	}
	strbuf_release(&text);
	strbuf_release(&changed);
	played_release(&p);
}

struct line_list {
	struct span items[400];
	size_t n;
};

static void split(struct span text, struct line_list *l)
{
	l->n = 0;
	while (span_next_line(&text, &l->items[l->n]))
		cr_assert_lt(++l->n, 400);
}

static void join(const struct line_list *l, struct strbuf *out)
{
	strbuf_clear(out);
	for (size_t i = 0; i < l->n; i++)
		strbuf_addf(out, "%.*s\n", SPAN_ARGS(l->items[i]));
}

static void drop_line(const struct line_list *l, size_t i, struct line_list *out)
{
	*out = *l;
	for (size_t k = i; k + 1 < l->n; k++)
		out->items[k] = l->items[k + 1];
	out->n--;
}

static void repeat_line(const struct line_list *l, size_t i, struct line_list *out)
{
	*out = *l;
	for (size_t k = l->n; k > i; k--)
		out->items[k] = l->items[k - 1];
	out->n++;
}

static void swap_lines(const struct line_list *l, size_t i, size_t k, struct line_list *out)
{
	*out = *l;
	out->items[i] = l->items[k];
	out->items[k] = l->items[i];
}

Test(archive, a_line_dropped_repeated_or_exchanged_is_found, .timeout = 600)
{
	static struct line_list all, changed;

	seal_start();
	for (unsigned toy = 0; toy < NTOYS; toy++) {
		struct strbuf text = STRBUF_INIT, other = STRBUF_INIT;
		struct played p;

		played_game(&p, toys[toy], 3, 9, 4);
		write_whole(&p, &text);
		split(strbuf_span(&text), &all);
		for (size_t i = 0; i < all.n; i++) {
			drop_line(&all, i, &changed);
			join(&changed, &other);
			/* Without its signature an archive is consistent, no more. */
			if (span_starts(all.items[i], "signature "))
				expect_verdict(strbuf_span(&other), ARCHIVE_CONSISTENT);
			else
				expect_broken(strbuf_span(&other), "a dropped line");
			if (i + 1 == all.n) /* the end line again: outside */
				continue;
			repeat_line(&all, i, &changed);
			join(&changed, &other);
			expect_broken(strbuf_span(&other), "a repeated line");
			swap_lines(&all, i, i + 1, &changed);
			join(&changed, &other);
			if (i + 2 == all.n) /* puts the signature outside: as if dropped */
				continue;
			expect_broken(strbuf_span(&other), "exchanged lines");
		}
		strbuf_release(&text);
		strbuf_release(&other);
		played_release(&p);
	}
}

/*
 * Lies told by somebody who holds the key: the record is changed, and the whole file is
 * written and signed anew.
 */
struct lie {
	const char *what;
	void (*tell)(struct played *p);
	const char *answer; /* words of the fault */
};

static void other_secret(struct played *p)
{
	p->record.secret = hash_of(SPAN_LIT("another secret"));
}

static void other_name(struct played *p)
{
	p->record.seats[1].name = "Mallory";
}

static void other_option(struct played *p)
{
	p->record.options = "colour=red size=99";
}

static void other_draw(struct played *p)
{
	struct record_turn *t = &p->record.turns[1];
	char *text = arena_cstr(p->arena, t->chance);
	size_t at = span_find(t->chance, SPAN_LIT("= ")) + 2;

	text[at] = text[at] == '1' ? '2' : '1';
	t->chance = (struct span){text, t->chance.len};
}

static void other_orders(struct played *p)
{
	struct record_turn *t = &p->record.turns[1];

	t->used[0].canonical = span_eq_str(t->used[0].canonical, "BID 9\n")
	                           ? SPAN_LIT("BID 8\n")
	                           : SPAN_LIT("BID 9\n");
}

static void illegal_orders(struct played *p)
{
	for (size_t k = 0; k < p->record.turns[1].nused; k++)
		p->record.turns[1].used[k].canonical = SPAN_LIT("BID 10\n");
}

static void missing_seat(struct played *p)
{
	p->record.turns[1].nused--;
}

/* Forgets the first word of a seat that changed its mind. */
static void dropped_revision(struct played *p)
{
	for (size_t i = 0; i < p->record.nturns; i++) {
		struct record_turn *t = &p->record.turns[i];

		for (size_t k = 0; k + 1 < t->nrevisions; k++) {
			if (t->revisions[k + 1].revision != 2)
				continue;
			t->nrevisions--;
			for (; k < t->nrevisions; k++)
				t->revisions[k] = t->revisions[k + 1];
			return;
		}
	}
	cr_assert_fail("nobody changed his mind in this game");
}

static void other_state(struct played *p)
{
	p->record.turns[2].state_hash = hash_of(SPAN_LIT("another position"));
}

static void other_end(struct played *p)
{
	p->record.end_status = "cancelled";
}

static void other_winner(struct played *p)
{
	struct record_turn *t = &p->record.turns[p->record.nturns - 1];

	t->state =
	    SPAN_LIT("seats: 3\nturn: 4\nseat 1: 0 99 0\nseat 2: 1 1 0\nseat 3: 2 1 0\n");
}

static void other_parent(struct played *p)
{
	p->record.turns[3].parent = 1;
}

Test(archive, lies_are_found_even_when_the_whole_file_is_signed_anew)
{
	static const struct lie lies[] = {
	    {"the secret", other_secret, "announced"},
	    {"a name", other_name, NULL},
	    {"an option", other_option, "options"},
	    {"a draw", other_draw, NULL},
	    {"orders", other_orders, NULL},
	    {"illegal orders", illegal_orders, NULL},
	    {"a seat's orders left out", missing_seat, NULL},
	    {"an acknowledgement", dropped_revision, "is missing"},
	    {"a position", other_state, "another position"},
	    {"the end", other_end, "played to its end"},
	    {"the winner", other_winner, "winners"},
	    {"the parent", other_parent, NULL},
	};

	seal_start();
	for (unsigned toy = 0; toy < NTOYS; toy++)
		for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
			struct strbuf text = STRBUF_INIT;
			struct archive_report report;
			struct played p;

			played_game(&p, toys[toy], 3, 9, 7);
			lies[i].tell(&p);
			write_whole(&p, &text);
			cr_assert_eq(verify(strbuf_span(&text), &report), ARCHIVE_BROKEN, "%s",
			             lies[i].what);
			if (lies[i].answer != NULL)
				cr_assert_lt(span_find(strbuf_span(&report.why),
				                       span_of(lies[i].answer)),
				             report.why.len, "%s: %s", lies[i].what,
				             report.why.ptr);
			archive_report_release(&report);
			strbuf_release(&text);
			played_release(&p);
		}
}

Test(archive, no_text_at_all_is_broken_in_words)
{
	static const char *const texts[] = {
	    "",
	    "hello\n",
	    BEGIN_2,
	    BEGIN_2 "\n" END_2 "\n",
	    BEGIN_2 "\nchain 0 \n" END_2 "\n",
	    BEGIN_2 "\n+\n" END_2 "\n",
	    "> " BEGIN_2 "\n> game W1\n> " END_2 "\n",
	};

	seal_start();
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		expect_broken(span_of(texts[i]), texts[i]);
}

/* A game that has got another option since archives of it were written. */

static const struct game_option grown_options[] = {
    {.name = "colour", .default_value = "red", .choices = "red|blue", .help = "of the table"},
    {.name = "legs",
     .default_value = "4",
     .min = 3,
     .max = 6,
     .help = "of the table",
     .added_later = true},
    {.name = "size", .default_value = "7", .min = 1, .max = 20, .help = "of the table"},
};
static struct rules grown; /* set by grow() */

static const struct rules *find_grown(struct span name, unsigned version)
{
	return toy_find(name, version) == &toy_open ? &grown : NULL;
}

static void grow(void)
{
	seal_start();
	grown = toy_open;
	grown.options = grown_options;
	grown.noptions = sizeof grown_options / sizeof *grown_options;
}

static void expect_grown(struct span text, enum archive_verdict expected)
{
	struct archive_report report;

	archive_verify_with(find_grown, &no_tables, text, NULL, NULL, &report);
	cr_expect_eq(report.verdict, expected, "line %u: %s", report.line, report.why.ptr);
	archive_report_release(&report);
}

TestSuite(archive_grown, .init = grow);

Test(archive_grown, an_archive_without_an_option_that_was_added_holds_and_would_be_written_so)
{
	struct strbuf before = STRBUF_INIT, after = STRBUF_INIT;
	struct played p;

	played_game(&p, &toy_open, 3, 9, 1);
	write_whole(&p, &before);
	played_release(&p);
	played_game(&p, &grown, 3, 9, 1);
	write_whole(&p, &after);
	played_release(&p);
	cr_expect_str_eq(after.ptr, before.ptr);
	expect_grown(strbuf_span(&before), ARCHIVE_SIGNED);
	strbuf_release(&before);
	strbuf_release(&after);
}

Test(archive_grown, another_value_of_an_added_option_stands_in_its_place)
{
	struct strbuf text = STRBUF_INIT;
	struct played p;

	played_game_with(&p, &grown, "legs=3", 3, 9, 1);
	write_whole(&p, &text);
	cr_expect(strstr(text.ptr, "option colour=red\noption legs=3\noption size=7\n"));
	expect_grown(strbuf_span(&text), ARCHIVE_SIGNED);
	expect_verdict(strbuf_span(&text), ARCHIVE_BROKEN);
	p.record.options = "colour=red legs=4 size=7";
	strbuf_clear(&text);
	write_whole(&p, &text);
	expect_grown(strbuf_span(&text), ARCHIVE_BROKEN);
	p.record.options = "colour=red legs=3";
	strbuf_clear(&text);
	write_whole(&p, &text);
	expect_grown(strbuf_span(&text), ARCHIVE_BROKEN);
	played_release(&p);
	strbuf_release(&text);
}

/* Real games. */

Test(archive, every_game_there_is_has_archives_that_hold, .timeout = 600)
{
	seal_start();
	for (size_t i = 0; i < rules_count(); i++)
		for (uint64_t seed = 0; seed < 10; seed++) {
			const struct rules *rules = rules_at(i);
			unsigned seats = rules->min_seats + (unsigned)seed % 3;
			struct strbuf text = STRBUF_INIT;
			struct archive_report report;
			struct played p;

			if (seats > rules->max_seats || seats > 8)
				seats = rules->min_seats;
			played_game(&p, rules, seats, 12, seed);
			write_whole(&p, &text);
			archive_verify(strbuf_span(&text), &p.record.public_key, NULL, &report);
			cr_assert_eq(report.verdict, ARCHIVE_SIGNED, "%s, line %u: %s",
			             rules->name, report.line, report.why.ptr);
			cr_assert_eq(report.turns, p.record.nturns);
			archive_report_release(&report);
			strbuf_release(&text);
			played_release(&p);
		}
}

/* The archive in the manual, with the page's escapes undone. */
static void add_example(struct span page, struct strbuf *out)
{
	size_t from = span_find(page, SPAN_LIT("\\-\\-\\-\\-\\-BEGIN MOLEPOST ARCHIVE 3"
	                                       "\\-\\-\\-\\-\\-\ngame "));

	for (size_t i = from; i < page.len; i++) {
		bool escape = page.ptr[i] == '\\' && i + 1 < page.len;

		i += escape;
		strbuf_addc(out, escape && page.ptr[i] == 'e' ? '\\' : page.ptr[i]);
	}
}

Test(archive, the_example_in_the_manual_holds)
{
	struct strbuf page = STRBUF_INIT, text = STRBUF_INIT;
	struct archive_report report;
	struct failure e = ERR_INIT;

	seal_start();
	cr_assert_eq(file_read("processor/man/molepost-archive.5", 1 << 20, &page, &e),
	             ERR_NONE, "%s", e.text.ptr);
	add_example(strbuf_span(&page), &text);
	archive_verify(strbuf_span(&text), NULL, NULL, &report);
	cr_assert_eq(report.verdict, ARCHIVE_SIGNED, "line %u: %s", report.line,
	             report.why.ptr);
	cr_assert(report.ended);
	cr_assert_eq(report.turns, 3);
	archive_report_release(&report);
	strbuf_release(&page);
	strbuf_release(&text);
}
