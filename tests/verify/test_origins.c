/*
 * test_origins.c - records taken into another server's database, and games that go on from them.
 *
 * The records kept in tests/verify/archives, one of each game, are imported into a server of
 * its own. There they must be what they were, to the byte; every one is forked, played on to
 * its end, and the record of the fork must hold before this program and before the second
 * one, and again after a further import.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/file.h"
#include "processor/base/subprocess.h"
#include "tests/support/archives.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"

TestSuite(origins, .timeout = 600);

enum { MOST = 1 << 24, MOST_OUTPUT = 1 << 16, TIMEOUT_MS = 60000 };

static const char *const kept[] = {"martian-boggle", "mole", "mole-majority", "mole-park",
                                   "whakka-mole"};
static const char *const ids[] = {"B1", "C2", "M3", "P4", "W5"};
enum { NKEPT = sizeof(kept) / sizeof(kept[0]) };

static void read_kept(const char *kind, struct strbuf *out)
{
	struct failure e = ERR_INIT;
	char path[128];

	snprintf(path, sizeof(path), "tests/verify/archives/%s-1.txt", kind);
	cr_assert_eq(file_read(path, MOST, out, &e), ERR_NONE, "%s", e.text.ptr);
}

static void import(struct testbed *s, struct span text, int code, const char *says)
{
	char *path = scratch_path(s->scratch, "import.txt");
	const char *argv[] = {"import", path, NULL};
	struct failure e = ERR_INIT;
	struct ran r;

	remove(path);
	cr_assert_eq(file_create(path, text, &e), ERR_NONE, "%s", e.text.ptr);
	testbed_exec(s, argv, NULL, &r);
	cr_assert_eq(r.code, code, "%s%s", r.out.ptr, r.err.ptr);
	cr_assert(strstr(r.out.ptr, says) || strstr(r.err.ptr, says), "not \"%s\" but: %s%s",
	          says, r.out.ptr, r.err.ptr);
	ran_release(&r);
	free(path);
}

static struct testbed *testbed_with_kept(const char *seed)
{
	struct testbed *s;

	scratch_in_memory();
	s = testbed_new(seed);
	for (size_t i = 0; i < NKEPT; i++) {
		struct strbuf text = STRBUF_INIT;

		read_kept(kept[i], &text);
		import(s, strbuf_span(&text), 0, ids[i]);
		strbuf_release(&text);
	}
	return s;
}

Test(origins, a_record_is_the_same_to_the_byte_after_it_was_imported)
{
	struct testbed *s = testbed_with_kept("import");

	for (size_t i = 0; i < NKEPT; i++) {
		struct strbuf before = STRBUF_INIT, after = STRBUF_INIT;

		read_kept(kept[i], &before);
		testbed_archive(s, ids[i], &after);
		cr_assert_str_eq(after.ptr, before.ptr);
		strbuf_release(&before);
		strbuf_release(&after);
	}
	expect_sound(s);
	expect(s, "game list", 0, "P4     mole-park        cancelled  4/4 seats  round 6");
	expect(s, "game show W5", 0, "Taken over from the record of W17 of demo.");
	expect(s, "game show W5", 0, "Cy van B             bot");
	expect(s, "game show W5", 0, "record: operator moved the deadline");
	testbed_free(s);
}

/* ann alone against the server: a turn, another, back to the first, and a draw by her vote. */
static void make_broken_record(struct strbuf *out)
{
	static const char *const lines[] = {"popup 1; whack 2", "popup 3; whack 4",
	                                    "rollback 1",       "yes",
	                                    "popup 5; whack 6", "set draw"};
	struct testbed *s = testbed_new("broken");
	struct ran r;

	testbed_write(s, "ann", "create whakka mole players 2 bots 1");
	testbed_run(s);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		testbed_reply(s, "ann", lines[i]);
		testbed_run(s);
		testbed_run(s);
	}
	testbed_do(s, "archive W1", NULL, &r);
	cr_assert_eq(r.code, 0, "%s", r.err.ptr);
	strbuf_adds(out, r.out.ptr);
	ran_release(&r);
	testbed_free(s);
}

Test(origins, turns_that_were_taken_back_are_kept_in_an_import_and_are_no_place_to_fork_from)
{
	struct strbuf before = STRBUF_INIT, after = STRBUF_INIT;
	struct testbed *s;

	scratch_in_memory();
	make_broken_record(&before);
	cr_assert_neq(strstr(before.ptr, "\ndropped "), NULL);
	cr_assert_neq(strstr(before.ptr, "\nagreed "), NULL);
	s = testbed_new("import");
	import(s, strbuf_span(&before), 0, "W1");
	testbed_archive(s, "W1", &after);
	cr_assert_str_eq(after.ptr, before.ptr);
	expect_sound(s);
	testbed_write(s, "ann", "fork w1 at 3\nfork w1 at 2");
	testbed_run(s);
	cr_expect_neq(testbed_find(s, "ann", "W2"), NULL,
	              "after the turn that was played anew");
	cr_expect_neq(strstr(s->posts[0]->text, "nothing to go on from after turn 3"), NULL,
	              "%s", s->posts[0]->text);
	expect_sound(s);
	strbuf_release(&before);
	strbuf_release(&after);
	testbed_free(s);
}

Test(origins, anybody_can_look_at_an_imported_game_by_mail)
{
	struct testbed *s = testbed_with_kept("look");

	testbed_write(s, "ann",
	              "list p4\nsummary w5\nhistory m3 from 2 to 3\nstatus c2\n"
	              "archive b1\njoin w5");
	testbed_run(s);
	cr_assert_eq(s->nposts, 6);
	cr_assert(strstr(s->posts[0]->text, "Taken over from the record of P17 of demo."));
	cr_assert_null(strstr(s->posts[0]->text, "Deadline"));
	cr_assert(strstr(s->posts[1]->text, "turn 6  19 Mar"));
	cr_assert(strstr(s->posts[2]->text, "== After turn 2 =="));
	cr_assert(strstr(s->posts[3]->text, "The game is cancelled."));
	cr_assert(strstr(s->posts[4]->text, "BEGIN MOLEPOST ARCHIVE"));
	cr_assert(strstr(s->posts[5]->text, "has ended"));
	testbed_free(s);
}

/* What must not be in, and why. */

static void replace(struct strbuf *text, const char *what, const char *by)
{
	struct span all = strbuf_span(text);
	size_t at = span_find(all, span_of(what));
	struct strbuf changed = STRBUF_INIT;

	cr_assert_lt(at, all.len, "no \"%s\"", what);
	strbuf_add_span(&changed, span_slice(all, 0, at));
	strbuf_adds(&changed, by);
	strbuf_add_span(&changed, span_slice(all, at + span_of(what).len, all.len));
	strbuf_swap(text, &changed);
	strbuf_release(&changed);
}

Test(origins, what_does_not_hold_is_refused_with_its_first_line_and_leaves_no_trace)
{
	static const struct {
		const char *what, *by, *says;
	} spoilt[] = {
	    {"\nused 1 1 sent b1a35b55", "\nused 1 1 sent b2a35b55", "line 41: the nonce"},
	    {"\nseat 2 player", "\nseat 2 bot", "the lines above do not give this head"},
	    {"\nscore 2 15", "\nscore 2 16", "the winners or scores"},
	    {"\nsignature ", "\nsignature 0", "a signature has 128 digits"},
	    {"\nrules 1\n", "\nrules 9\n", "the lines above do not give this head"},
	    {"-----END", "-----ENDE", "after the chain line"},
	};
	struct testbed *s;
	struct strbuf before = STRBUF_INIT, after = STRBUF_INIT;

	scratch_in_memory();
	s = testbed_new("spoilt");
	testbed_dump(s, &before);
	for (size_t i = 0; i < sizeof(spoilt) / sizeof(spoilt[0]); i++) {
		struct strbuf text = STRBUF_INIT;

		read_kept("whakka-mole", &text);
		replace(&text, spoilt[i].what, spoilt[i].by);
		import(s, strbuf_span(&text), 65, spoilt[i].says);
		strbuf_release(&text);
	}
	import(s, SPAN_LIT("Hello\n"), 65, "there is no line");
	testbed_dump(s, &after);
	cr_assert_str_eq(after.ptr, before.ptr);
	strbuf_release(&before);
	strbuf_release(&after);
	testbed_free(s);
}

Test(origins, a_record_is_imported_once_also_when_a_mail_stands_around_it)
{
	struct testbed *s;
	struct strbuf text = STRBUF_INIT, mail = STRBUF_INIT, after = STRBUF_INIT;
	struct span rest, line;

	scratch_in_memory();
	s = testbed_new("once");
	read_kept("whakka-mole", &text);
	strbuf_adds(&mail, "Look at this:\r\n\r\n");
	for (rest = strbuf_span(&text); span_next_line(&rest, &line);)
		strbuf_addf(&mail, "%.*s\r\n", SPAN_ARGS(line));
	strbuf_adds(&mail, "-- \r\nAnn\r\n");
	import(s, strbuf_span(&mail), 0, "is here as W1");
	testbed_archive(s, "1", &after);
	cr_assert_str_eq(after.ptr, text.ptr);
	import(s, strbuf_span(&text), 65, "is here already, as W1");
	expect_sound(s);
	strbuf_release(&text);
	strbuf_release(&mail);
	strbuf_release(&after);
	testbed_free(s);
}

Test(origins, a_game_still_running_is_refused_and_so_is_one_that_is_here)
{
	struct testbed *s, *other;
	struct strbuf running = STRBUF_INIT, ended = STRBUF_INIT;

	scratch_in_memory();
	s = testbed_new("running");
	other = testbed_clone(s);
	testbed_write(s, "ann", "create whakka mole players 2 bots 1");
	testbed_run(s);
	testbed_archive(s, "w1", &running);
	import(other, strbuf_span(&running), 65, "still running");
	testbed_reply(s, "ann", "resign");
	testbed_run(s);
	testbed_archive(s, "w1", &ended);
	import(s, strbuf_span(&ended), 65, "here already, as W1");
	strbuf_release(&running);
	strbuf_release(&ended);
	testbed_free(s);
	testbed_free(other);
}

/* Two servers with one key: the second is what is left after a disk was lost. */
Test(origins, a_server_gives_its_own_game_its_old_number_if_that_is_free)
{
	struct testbed *s, *later, *busy;
	struct strbuf text = STRBUF_INIT, after = STRBUF_INIT;

	scratch_in_memory();
	s = testbed_new("lost");
	later = testbed_clone(s);
	busy = testbed_clone(s);
	free(busy->seed);
	busy->seed = xstrdup("busy");
	for (unsigned i = 0; i < 3; i++)
		expect(s, "game new whakka mole players 2 bots 2 target=20", 0, "begins");
	testbed_run(s);
	testbed_archive(s, "w3", &text);
	import(later, strbuf_span(&text), 0, "is here as W3");
	testbed_archive(later, "w3", &after);
	cr_assert_str_eq(after.ptr, text.ptr);
	for (unsigned i = 0; i < 3; i++)
		expect(busy, "game new whakka mole players 2 bots 2", 0, "begins");
	import(busy, strbuf_span(&text), 0, "another game here has its old one");
	expect(busy, "game show 4", 0, "Taken over from the record of W3 of");
	expect_sound(later);
	expect_sound(busy);
	strbuf_release(&text);
	strbuf_release(&after);
	testbed_free(s);
	testbed_free(later);
	testbed_free(busy);
}

/* Forks. */

/* Texts for the other program, which is started once for all of them. */
struct opinions {
	struct testbed *testbed;
	char *paths[16];
	const char *argv[18];
	unsigned n;
};

static void opinion_about(struct opinions *o, struct span text)
{
	struct failure e = ERR_INIT;
	char name[32];

	cr_assert_lt(o->n, 16);
	snprintf(name, sizeof(name), "opinion-%u.txt", o->n);
	o->paths[o->n] = scratch_path(o->testbed->scratch, name);
	cr_assert_eq(file_create(o->paths[o->n], text, &e), ERR_NONE, "%s", e.text.ptr);
	o->argv[o->n + 1] = o->paths[o->n];
	o->n++;
}

static void expect_broken(struct opinions *o, unsigned broken)
{
	struct strbuf out = STRBUF_INIT;
	struct failure e = ERR_INIT;
	int code = -1;
	unsigned found = 0;

	o->argv[0] = SECOND_OPINION;
	cr_assert_eq(
	    subprocess_run(o->argv, SPAN_EMPTY, MOST_OUTPUT, TIMEOUT_MS, &out, &code, &e),
	    ERR_NONE, "%s", e.text.ptr);
	for (const char *at = out.ptr; (at = strstr(at, ": broken: ")) != NULL; at++)
		found++;
	cr_assert_eq(found, broken, "%s", out.ptr);
	cr_assert_eq(code, broken > 0 ? 65 : 0);
	for (unsigned i = 0; i < o->n; i++)
		free(o->paths[i]);
	strbuf_release(&out);
}

/* What shows it says where the game comes from. */
static void expect_replay(struct testbed *s, struct span text, unsigned serial)
{
	char *path = scratch_path(s->scratch, "replay.txt");
	const char *argv[][4] = {{"replay", path, NULL}, {"replay", "--json", path, NULL}};
	char says[2][80];
	struct failure e = ERR_INIT;
	struct ran r;

	snprintf(says[0], sizeof(says[0]), "17 of demo, after its turn with serial %u\n",
	         serial);
	snprintf(says[1], sizeof(says[1]), "17\",\"instance\":\"demo\",\"serial\":%u}", serial);
	remove(path);
	cr_assert_eq(file_create(path, text, &e), ERR_NONE, "%s", e.text.ptr);
	for (int i = 0; i < 2; i++) {
		testbed_exec(s, argv[i], NULL, &r);
		cr_assert_eq(r.code, 0, "%s", r.err.ptr);
		cr_assert(strstr(r.out.ptr, says[i]), "not \"%s\" but %.300s", says[i],
		          r.out.ptr);
		ran_release(&r);
	}
	free(path);
}

/* Somebody forks, plays one turn by saying nothing, and leaves; the record to `out`. */
static void play_fork(struct testbed *s, size_t i, unsigned at, struct strbuf *out)
{
	static const unsigned others[NKEPT] = {1, 1, 2, 3, 2};
	char words[64], id[16];
	size_t before = s->nposts;

	snprintf(words, sizeof(words), "fork %s at %u bots %u", ids[i], at, others[i]);
	testbed_write(s, "ann", words);
	testbed_run(s);
	cr_assert_geq(s->nposts, before + 1, "%s", words);
	cr_assert(strstr(s->posts[before]->text, "This game goes on from "), "%s: %s", words,
	          s->posts[before]->text);
	const char *subject = s->posts[before]->subject; /* "[W12] ..." */
	cr_assert_eq(subject[0], '[', "%s", subject);
	snprintf(id, sizeof(id), "%.*s", (int)strcspn(subject + 1, "] "), subject + 1);
	testbed_wait(s, 4 * 24 * 3600);
	testbed_run(s);
	snprintf(words, sizeof(words), "resign %s", id);
	testbed_write(s, "ann", words);
	testbed_run(s);
	testbed_archive(s, id, out);
	cr_assert(strstr(out->ptr, "\nsecret "), "%s did not end", id);
}

Test(origins, every_kind_of_game_can_be_forked_and_its_record_holds_by_itself)
{
	struct testbed *s = testbed_with_kept("forks"), *far;

	struct opinions opinions = {.testbed = s};

	far = testbed_new("far away");
	for (size_t i = 0; i < NKEPT; i++) {
		struct strbuf text = STRBUF_INIT, again = STRBUF_INIT;
		char id[16];

		play_fork(s, i, (unsigned)i, &text);
		cr_assert_eq(testbed_verify(s, strbuf_span(&text)), 0, "%s", kept[i]);
		expect_replay(s, strbuf_span(&text), (unsigned)i);
		opinion_about(&opinions, strbuf_span(&text));
		import(far, strbuf_span(&text), 0, "is here as");
		snprintf(id, sizeof(id), "%zu", i + 1);
		testbed_archive(far, id, &again);
		cr_assert_str_eq(again.ptr, text.ptr);
		strbuf_release(&text);
		strbuf_release(&again);
	}
	expect_broken(&opinions, 0);
	expect_sound(s);
	expect_sound(far);
	testbed_free(s);
	testbed_free(far);
}

/* What was face down or in a hand lies elsewhere; what everybody saw is as it was. */
Test(origins, two_forks_of_one_position_are_dealt_differently)
{
	struct testbed *s = testbed_with_kept("deals");
	struct strbuf first = STRBUF_INIT, second = STRBUF_INIT;
	const char *a, *b;

	play_fork(s, 3, 2, &first);
	play_fork(s, 3, 2, &second);
	a = strstr(first.ptr, "revealed chance moles out of sight = ");
	b = strstr(second.ptr, "revealed chance moles out of sight = ");
	cr_assert(a && b);
	cr_assert_neq(strncmp(a, b, 100), 0);
	a = strstr(first.ptr, "\nfork-position ");
	b = strstr(second.ptr, "\nfork-position ");
	cr_assert_eq(strncmp(a, b, 1000), 0);
	strbuf_release(&first);
	strbuf_release(&second);
	testbed_free(s);
}

Test(origins, a_fork_whose_beginning_was_changed_is_found_out)
{
	static const struct {
		const char *what, *by;
	} changes[] = {
	    {"\nfork W17 4 demo", "\nfork W17 3 demo"},
	    {"\nfork W17 4 demo", "\nfork W16 4 demo"},
	    {"\nfork W17 4 demo", "\nfork B17 4 demo"},
	    {"\nfork-parent ", "\nfork-parent 0"},
	    {"|seat 1 total: 2|", "|seat 1 total: 3|"},
	    {"|turn: 5|", "|turn: 4|"},
	    {"\nfork-key ", "\nfork-kez "},
	    {"\nstarted ", "\nfork W17 4 demo\nstarted "},
	};
	struct testbed *s = testbed_with_kept("changed");
	struct opinions opinions = {.testbed = s};
	struct strbuf text = STRBUF_INIT;
	struct archive_report r;

	play_fork(s, 4, 4, &text);
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		struct strbuf copy = STRBUF_INIT;

		strbuf_add_span(&copy, strbuf_span(&text));
		replace(&copy, changes[i].what, changes[i].by);
		archive_verify(strbuf_span(&copy), NULL, NULL, &r);
		cr_assert_eq(r.verdict, ARCHIVE_BROKEN, "%s", changes[i].by);
		cr_assert(r.line >= 14 && r.line <= 30, "line %u: %s", r.line, r.why.ptr);
		archive_report_release(&r);
		opinion_about(&opinions, strbuf_span(&copy));
		strbuf_release(&copy);
	}
	expect_broken(&opinions, opinions.n);
	strbuf_release(&text);
	testbed_free(s);
}
