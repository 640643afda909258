/*
 * test_broken_off.c - turns that were broken off, turns taken back, games ended by agreement:
 * what an archive says of them, and lies about it.
 */
#define _GNU_SOURCE /* open_memstream */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/archive/private.h"
#include "processor/base/file.h"
#include "processor/base/subprocess.h"
#include "processor/cli/command_line.h"
#include "processor/games/registry.h"
#include "processor/replay/replay.h"
#include "tests/support/archives.h"
#include "tests/support/scratch.h"

enum { SEEDS = 400 };

static const struct rules *whakka(void)
{
	return rules_find(SPAN_LIT("whakka mole"));
}

/* A turn that was broken off with orders in it, and another one after it; 0: none. */
static size_t aborted_turn(const struct played *p)
{
	const struct record *r = &p->record;

	for (size_t i = 1; i + 1 < r->nturns; i++)
		if (r->turns[i].dropped_utc != 0 && r->turns[i].nrevisions > 0 &&
		    r->turns[i + 1].dropped_utc == 0)
			return i;
	return 0;
}

/* The first game from `seed` on that has such a turn, and was agreed on or not. */
static size_t find_game(struct played *p, uint64_t seed, bool agreed)
{
	for (uint64_t s = seed; s < seed + SEEDS; s++) {
		played_wild_game(p, whakka(), s);
		size_t i = aborted_turn(p);
		if (i > 0 && (p->record.agreed.bits != 0) == agreed)
			return i;
		played_release(p);
	}
	BUG("no such game in %d", SEEDS);
}

static void write_record(const struct record *r, const struct keyring *keys, struct strbuf *out)
{
	strbuf_clear(out);
	archive_write(r, keys, out);
}

static void expect_signed(struct span text)
{
	struct archive_report report;

	archive_verify(text, NULL, NULL, &report);
	cr_assert_eq(report.verdict, ARCHIVE_SIGNED, "line %u: %s", report.line,
	             report.why.ptr);
	archive_report_release(&report);
}

static void expect_fault(struct span text, const char *words)
{
	struct archive_report report;

	archive_verify(text, NULL, NULL, &report);
	cr_assert_eq(report.verdict, ARCHIVE_BROKEN);
	cr_assert_lt(span_find(strbuf_span(&report.why), span_of(words)), report.why.len, "%s",
	             report.why.ptr);
	archive_report_release(&report);
}

/* None of these lies takes the rules to be found. */
static void expect_second_opinion(struct span text)
{
	char *dir = scratch_new(), *path = scratch_path(dir, "lie.txt");
	const char *const argv[] = {SECOND_OPINION, path, NULL};
	struct strbuf out = STRBUF_INIT;
	struct failure e = ERR_INIT;
	int code = -1;

	cr_assert_eq(file_create(path, text, &e), ERR_NONE);
	cr_assert_eq(subprocess_run(argv, SPAN_EMPTY, 65536, 60000, &out, &code, &e), ERR_NONE,
	             "%s", e.text.ptr);
	cr_expect_eq(code, 65, "%s", out.ptr);
	strbuf_release(&out);
	free(path);
	scratch_remove(dir);
}

static size_t count(const char *text, const char *words)
{
	size_t n = 0;

	while ((text = strstr(text, words)) != NULL) {
		n++;
		text += strlen(words);
	}
	return n;
}

/* How many sets of orders have a line for what a bot drew. */
static size_t sets_drawn(const struct record_turn *t)
{
	size_t n = 0;

	for (size_t k = 0; k < t->nrevisions; k++)
		n += t->revisions[k].drawn.ptr != NULL;
	return n;
}

Test(broken_off, a_turn_broken_off_lists_what_was_acknowledged_and_opens_it_at_the_end)
{
	struct strbuf text = STRBUF_INIT;
	struct played p;

	seal_start();
	size_t i = find_game(&p, 1, true);
	struct record running = played_until(&p, i + 1);
	const char *turn = arena_printf(p.arena, "\nturn %zu ", i);

	running.agreed = (struct seat_set){0};
	write_record(&running, p.keys, &text);
	expect_signed(strbuf_span(&text));
	const char *at = strstr(strstr(text.ptr, turn), "\ndropped ");
	cr_assert_not_null(at);
	cr_expect_eq(count(at, "\nhidden "),
	             p.record.turns[i].nrevisions + sets_drawn(&p.record.turns[i]));
	write_record(&p.record, p.keys, &text);
	expect_signed(strbuf_span(&text));
	at = strstr(strstr(text.ptr, turn), "\ndropped ");
	cr_assert_not_null(at);
	cr_expect_eq(strncmp(strchr(at + 1, '\n'), "\nrevealed closed ", 17), 0);
	strbuf_release(&text);
	played_release(&p);
}

Test(broken_off, a_record_that_goes_on_extends_the_one_from_before_turns_were_taken_back)
{
	struct strbuf before = STRBUF_INIT, after = STRBUF_INIT;
	struct archive_extension e;
	struct failure f = ERR_INIT;
	struct played p;

	seal_start();
	size_t i = find_game(&p, 1, false);
	struct record shorter = played_until(&p, i), longer = played_until(&p, i + 2);

	write_record(&shorter, p.keys, &before);
	write_record(&longer, p.keys, &after);
	cr_assert_eq(archive_extends(strbuf_span(&before), strbuf_span(&after), &e, &f),
	             ERR_NONE, "%s", f.text.ptr);
	cr_expect_eq(e.kinship, ARCHIVE_EXTENDS);
	strbuf_release(&before);
	strbuf_release(&after);
	played_release(&p);
}

Test(broken_off, replay_shows_the_position_from_which_play_went_on)
{
	struct strbuf text = STRBUF_INIT;
	struct failure e = ERR_INIT;
	struct archive *a;
	struct played p;

	seal_start();
	size_t i = find_game(&p, 1, true);
	write_record(&p.record, p.keys, &text);
	cr_assert_eq(archive_open(strbuf_span(&text), &a, &e), ERR_NONE, "%s", e.text.ptr);
	cr_expect_eq(archive_state(a, i, &e), archive_state(a, p.record.turns[i].parent, &e));
	cr_expect_neq(archive_state(a, i, &e), NULL);
	cr_expect_eq(archive_record(a)->agreed.bits, p.record.agreed.bits);
	archive_free(a);
	strbuf_release(&text);
	played_release(&p);
}

Test(broken_off, replay_says_so_in_every_form)
{
	struct strbuf text = STRBUF_INIT, json = STRBUF_INIT, html = STRBUF_INIT;
	struct failure e = ERR_INIT;
	struct archive *a;
	struct played p;

	seal_start();
	(void)find_game(&p, 1, true);
	write_record(&p.record, p.keys, &text);
	char *dir = scratch_new(), *path = scratch_path(dir, "game.txt"), *shown = NULL;
	char *argv[] = {(char[]){"replay"}, path, NULL};
	size_t len;
	cr_assert_eq(file_create(path, strbuf_span(&text), &e), ERR_NONE);
	struct cli cli = {.in = stdin, .out = open_memstream(&shown, &len)};
	cli.log.out = stderr;
	cr_assert_eq(cmd_replay(&cli, 2, argv), EXIT_DONE);
	fclose(cli.out);
	cr_expect_neq(strstr(shown, "), broken off 20"), NULL);
	cr_expect_neq(strstr(shown, "Ended by agreement."), NULL);
	cr_assert_eq(archive_open(strbuf_span(&text), &a, &e), ERR_NONE);
	replay_json(a, &json);
	replay_html(a, NULL, NULL, &html);
	cr_expect_neq(strstr(json.ptr, "\"dropped\":\"20"), NULL);
	cr_expect_neq(strstr(html.ptr, ">Broken off "), NULL);
	archive_free(a);
	free(shown);
	free(path);
	scratch_remove(dir);
	strbuf_release(&text);
	strbuf_release(&json);
	strbuf_release(&html);
	played_release(&p);
}

/* Each changes the sheet of a game; `i` is the turn that was broken off. */
struct lie_about {
	const char *what;
	void (*tell)(struct sheet *s, size_t i);
	const char *words;
};

static size_t line_of_turn(const struct sheet *s, size_t i)
{
	size_t line = 0;

	for (size_t n = 0; n <= i; n++)
		line = sheet_find(s, line + (n > 0), "turn");
	return line;
}

static void other_orders(struct sheet *s, size_t i)
{
	size_t line = sheet_find(s, line_of_turn(s, i), "closed");

	sheet_put(s, line, sheet_rest(s, line, 5), SPAN_LIT("POPUP 9; WHACK NONE"));
}

static void a_child(struct sheet *s, size_t i)
{
	size_t line = line_of_turn(s, i + 1);

	sheet_put(s, line, sheet_field(s, line, 2), sheet_field(s, line_of_turn(s, i), 1));
}

static void another_winner(struct sheet *s, size_t i)
{
	size_t line = sheet_find(s, 0, "agreed");

	(void)i;
	sheet_put(s, line, sheet_rest(s, line, 1), SPAN_LIT("1"));
}

static void in_secret(struct sheet *s, size_t i)
{
	size_t line = sheet_find(s, line_of_turn(s, i), "action");

	for (s->n--; line < s->n; line++)
		s->lines[line] = s->lines[line + 1];
}

static void nobody(struct sheet *s, size_t i)
{
	size_t line = sheet_find(s, 0, "agreed");

	(void)i;
	s->lines[line].text = SPAN_LIT("agreed");
}

static void cancelled(struct sheet *s, size_t i)
{
	size_t line = sheet_find(s, 0, "ended");

	(void)i;
	sheet_put(s, line, sheet_field(s, line, 1), SPAN_LIT("cancelled"));
}

Test(broken_off, lies_about_it_are_found_by_both_programs_though_all_is_signed_anew)
{
	static const struct lie_about lies[] = {
	    {"orders that were not used", other_orders, "commitment"},
	    {"a turn that follows from it", a_child, "broken off"},
	    {"that it was broken off in public", in_secret, "no action says who"},
	    {"who was agreed on", another_winner, "winners or scores"},
	    {"an agreement on nobody", nobody, "should stand here"},
	    {"how it ended", cancelled, "played to its end"},
	};
	struct strbuf text = STRBUF_INIT;
	struct played p;

	seal_start();
	size_t i = find_game(&p, 3, true);
	for (uint64_t seed = 4; seat_count(p.record.agreed) < 2 || p.record.version == 1;
	     seed++) {
		played_release(&p);
		i = find_game(&p, seed, true);
	}
	for (size_t k = 0; k < sizeof(lies) / sizeof(lies[0]); k++) {
		struct sheet s;

		sheet_read(&s, &p);
		lies[k].tell(&s, i);
		strbuf_clear(&text);
		sheet_write(&s, p.keys, &text);
		expect_fault(strbuf_span(&text), lies[k].words);
		expect_second_opinion(strbuf_span(&text));
		sheet_release(&s);
	}
	strbuf_release(&text);
	played_release(&p);
}

Test(broken_off, nobody_can_give_away_a_game_that_was_over)
{
	struct strbuf text = STRBUF_INIT;
	struct played p;

	seal_start();
	played_game_with(&p, whakka(), "target=10", 3, 60, 1);
	cr_assert_str_eq(p.record.end_status, "over");
	p.record.agreed = seat_with((struct seat_set){0}, 1);
	write_record(&p.record, p.keys, &text);
	expect_fault(strbuf_span(&text), "was over before");
	strbuf_release(&text);
	played_release(&p);
}
