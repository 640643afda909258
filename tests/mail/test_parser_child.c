/*
 * test_parser_child.c - the parsing child seen from its parent.
 *
 * This program is its own child (tests/support/parse_child.h). A mail can make
 * the child misbehave by a field "X-Molepost-Test-Child:".
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mail/child/packet.h"
#include "mail/parser.h"
#include "mail/robot.h"
#include "mail/text/header_facts.h"
#include "processor/base/clock.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "processor/base/seal.h"
#include "tests/support/parse_child.h"
#include "tests/support/scratch.h"

enum { NMAX = 400 };

/* A batch of mails written by a test. */
struct batch {
	struct strbuf raw[NMAX];
	struct span spans[NMAX];
	struct mail_in out[NMAX];
	size_t n;
	struct arena *arena;
	struct parser *parser;
	struct failure e;
};

static const struct parser_limits quick = {.mail = MAIL_USUAL_LIMITS, .wait_ms = 2000};

static struct batch *batch_new(const struct parser_limits *limits)
{
	struct batch *b = xcalloc(1, sizeof(*b));

	seal_start();
	b->arena = arena_new();
	b->parser = parser_new(parse_child_exe(), limits);
	strbuf_init(&b->e.text);
	return b;
}

static void batch_free(struct batch *b)
{
	size_t i;

	for (i = 0; i < b->n; i++)
		strbuf_release(&b->raw[i]);
	parser_free(b->parser);
	arena_free(b->arena);
	err_release(&b->e);
	free(b);
}

/* A mail whose subject is its number; `misbehaviour` NULL for a good one. */
static void batch_add(struct batch *b, const char *misbehaviour)
{
	struct strbuf *raw = &b->raw[b->n];

	strbuf_init(raw);
	strbuf_addf(raw, "From: bob@example.org\nSubject: %zu\nMessage-ID: <%zu@x>\n", b->n,
	            b->n);
	if (misbehaviour)
		strbuf_addf(raw, "X-Molepost-Test-Child: %s\n", misbehaviour);
	strbuf_adds(raw, "\npopup 3\n");
	b->n++;
}

static void batch_run(struct batch *b)
{
	size_t i;

	for (i = 0; i < b->n; i++)
		b->spans[i] = strbuf_span(&b->raw[i]);
	cr_assert_eq(parser_batch(b->parser, b->spans, b->n, b->arena, b->out, &b->e), ERR_NONE,
	             "%s", b->e.text.ptr);
}

static void expect_good(const struct batch *b, size_t i)
{
	struct strbuf subject = STRBUF_INIT;

	strbuf_addf(&subject, "%zu", i);
	cr_assert_eq(b->out[i].fault, MAIL_OK, "mail %zu: %s", i,
	             mail_fault_name(b->out[i].fault));
	cr_expect(span_eq(b->out[i].subject, strbuf_span(&subject)), "mail %zu", i);
	cr_expect(span_eq_str(b->out[i].texts[0].text, "popup 3\n"));
	strbuf_release(&subject);
}

/*
 * Every mail of the batch but those that misbehave is read, in order. `bad`: one letter a
 * mail.
 */
static void check_with(const char *misbehaviour, const char *bad,
                       const struct parser_limits *limits)
{
	struct batch *b = batch_new(limits);
	size_t i;

	for (i = 0; bad[i]; i++)
		batch_add(b, bad[i] == 'X' ? misbehaviour : NULL);
	batch_run(b);
	for (i = 0; bad[i]; i++) {
		if (bad[i] == 'X') {
			cr_expect_eq(b->out[i].fault, MAIL_UNPARSABLE, "mail %zu", i);
			/* Whom to tell. */
			cr_expect(span_eq_str(b->out[i].from, "bob@example.org"));
		} else {
			expect_good(b, i);
		}
	}
	batch_free(b);
}

/* First, last, alone and two in a row. */
static const char quick_ones[] = "X....XX.......X.......X";
static const char slow_one[] = "..X...";

Test(parser, a_mail_that_kills_the_child_costs_only_itself)
{
	check_with("abort", quick_ones, &quick);
}

/* Some share a child with another. */
Test(parser, many_children_lose_no_more_than_one)
{
	static const char many[] = "X.........X...............................X..........."
				   "..............XX.............................X........"
				   ".......X.............................................X";

	check_with("abort", many, &quick);
	check_with("junk", many, &quick);
}

Test(parser, a_mail_that_makes_the_child_leave_quietly_costs_only_itself)
{
	check_with("exit", quick_ones, &quick);
}

Test(parser, a_mail_that_makes_the_child_write_nonsense_costs_only_itself)
{
	check_with("junk", quick_ones, &quick);
}

static const struct parser_limits impatient = {.mail = MAIL_USUAL_LIMITS, .wait_ms = 2000};

Test(parser, a_mail_that_hangs_the_child_costs_only_itself)
{
	check_with("hang", slow_one, &impatient);
}

Test(parser, a_mail_that_eats_processor_time_costs_only_itself)
{
	check_with("spin", slow_one, &impatient);
}

Test(parser, the_child_may_say_what_it_likes_on_its_standard_error)
{
	struct batch *b = batch_new(&quick);
	size_t i;

	for (i = 0; i < 5; i++)
		batch_add(b, "chatter");
	batch_run(b);
	for (i = 0; i < 5; i++)
		expect_good(b, i);
	batch_free(b);
}

/* 200 mails are 50 shares of four: each death is in the middle of one. */
Test(parser, a_mail_that_kills_a_child_costs_none_of_those_that_share_it)
{
	struct batch *b = batch_new(&quick);
	size_t i;

	for (i = 0; i < 200; i++)
		batch_add(b, i % 40 == 21 ? "abort" : NULL);
	batch_run(b);
	for (i = 0; i < 200; i++)
		if (i % 40 == 21)
			cr_expect_eq(b->out[i].fault, MAIL_UNPARSABLE);
		else
			expect_good(b, i);
	batch_free(b);
}

/* More than all pipes and buffers hold, both ways. */
Test(parser, large_mails_do_not_jam_the_pipes)
{
	struct batch *b = batch_new(&quick);
	size_t i;

	for (i = 0; i < 200; i++) {
		batch_add(b, NULL);
		while (b->raw[i].len < 60000)
			strbuf_adds(&b->raw[i],
			            "> 3456789 123456789 123456789 123456789 1234567\n");
	}
	batch_run(b);
	for (i = 0; i < 200; i++) {
		cr_assert_eq(b->out[i].fault, MAIL_OK);
		cr_expect_gt(b->out[i].texts[0].text.len, 59000);
	}
	batch_free(b);
}

Test(parser, a_mail_larger_than_allowed_is_cut_on_the_way_and_named)
{
	struct parser_limits small = parser_default_limits;
	small.mail.max_size = 1000;
	struct batch *b = batch_new(&small);

	batch_add(b, NULL);
	batch_add(b, NULL);
	strbuf_add_repeat(&b->raw[1], 'x', 5000);
	batch_run(b);
	expect_good(b, 0);
	cr_expect_eq(b->out[1].fault, MAIL_OK);
	cr_expect(b->out[1].flags & MAIL_TEXT_CUT);
	cr_expect(span_eq_str(b->out[1].subject, "1"));
	batch_free(b);
}

Test(parser, batches_follow_one_another)
{
	struct batch *b = batch_new(&quick);
	size_t i, k;

	for (i = 0; i < 10; i++)
		batch_add(b, NULL);
	for (k = 0; k < 3; k++) {
		batch_run(b);
		for (i = 0; i < 10; i++)
			expect_good(b, i);
	}
	cr_expect_eq(parser_batch(b->parser, NULL, 0, b->arena, NULL, &b->e), ERR_NONE);
	batch_free(b);
}

static void add_to(struct batch *b, struct parser_job *job, size_t i)
{
	b->spans[i] = strbuf_span(&b->raw[i]);
	parser_add(b->parser, job, b->spans[i], false, b->arena, &b->out[i]);
}

static void expect_all_but(const struct batch *b, size_t bad)
{
	for (size_t i = 0; i < b->n; i++)
		if (i != bad)
			expect_good(b, i);
	cr_expect_eq(b->out[bad].fault, MAIL_UNPARSABLE);
}

/* Two jobs whose mails stand between each other, the later one asked for first. */
Test(parser, jobs_can_be_finished_in_any_order_and_be_polled_before)
{
	struct batch *b = batch_new(&quick);
	struct parser_job jobs[2] = {{0}};

	for (size_t i = 0; i < NMAX; i++) {
		batch_add(b, i == 100 ? "abort" : NULL);
		add_to(b, &jobs[i % 2], i);
		if (i % 7 == 0)
			parser_poll(b->parser);
	}
	cr_expect_not(parser_is_done(&jobs[0]) && parser_is_done(&jobs[1]));
	cr_assert_eq(parser_finish(b->parser, &jobs[1], NULL, NULL, &b->e), ERR_NONE);
	cr_expect(parser_is_done(&jobs[1]));
	cr_assert_eq(parser_finish(b->parser, &jobs[0], NULL, NULL, &b->e), ERR_NONE);
	expect_all_but(b, 100);
	batch_free(b);
}

struct feeding {
	struct batch *b;
	struct parser_job *job;
	size_t fed;
};

static void feed_more(void *ctx)
{
	struct feeding *f = ctx;

	for (size_t i = 0; i < 3 && f->fed < f->b->n; i++)
		add_to(f->b, f->job, f->fed++);
}

Test(parser, mails_can_be_added_while_it_waits_for_others)
{
	struct batch *b = batch_new(&quick);
	struct parser_job job = {0};
	struct feeding f = {b, &job, 0};

	for (size_t i = 0; i < NMAX; i++)
		batch_add(b, i == 50 ? "abort" : NULL);
	while (f.fed < b->n) {
		feed_more(&f);
		cr_assert_eq(parser_finish(b->parser, &job, feed_more, &f, &b->e), ERR_NONE);
	}
	expect_all_but(b, 50);
	batch_free(b);
}

static void poll_until_done(void *ctx)
{
	struct feeding *f = ctx;

	while (!parser_is_done(f->job))
		parser_poll(f->b->parser);
}

Test(parser, does_not_wait_for_what_has_come_meanwhile)
{
	struct batch *b = batch_new(&quick);
	struct parser_job job = {0};
	struct feeding f = {b, &job, 0};

	batch_add(b, NULL);
	add_to(b, &job, 0);
	cr_assert_eq(parser_finish(b->parser, &job, poll_until_done, &f, &b->e), ERR_NONE);
	expect_good(b, 0);
	batch_free(b);
}

/* A program that is the starter once, and then nothing more. */
static char *starter_for_once(const char *scratch)
{
	char *path = scratch_path(scratch, "once"), *itself = realpath(parse_child_exe(), NULL);
	FILE *f = fopen(path, "w");

	cr_assert(f && itself);
	fprintf(f, "#!/bin/sh\nmkdir '%s.begun' 2>/dev/null && exec '%s' \"$@\"\nexit 1\n",
	        path, itself);
	free(itself);
	cr_assert_eq(fclose(f), 0);
	cr_assert_eq(chmod(path, 0700), 0);
	return path;
}

Test(parser, one_starter_serves_batch_after_batch)
{
	char *scratch = scratch_new(), *exe = starter_for_once(scratch);
	struct batch *b = batch_new(&quick);

	parser_free(b->parser);
	b->parser = parser_new(exe, &quick);
	for (size_t i = 0; i < NMAX; i++)
		batch_add(b, NULL);
	for (size_t round = 0; round < 2; round++) {
		batch_run(b);
		for (size_t i = 0; i < NMAX; i++)
			expect_good(b, i);
	}
	batch_free(b);
	free(exe);
	scratch_remove(scratch);
}

static void expect_no_child(const char *exe, const char *said)
{
	struct parser *p = parser_new(exe, &quick);
	struct span raw = SPAN_LIT("From: a@b\n\nx\n");
	struct arena *arena = arena_new();
	struct failure e = ERR_INIT;
	struct mail_in m;

	seal_start();
	cr_expect_eq(parser_batch(p, &raw, 1, arena, &m, &e), ERR_IO);
	cr_expect(strstr(e.text.ptr, said), "%s", e.text.ptr);
	parser_free(p);
	arena_free(arena);
	err_release(&e);
}

Test(parser, a_program_that_cannot_be_the_child_is_an_error_not_a_bad_mail)
{
	expect_no_child("/nonexistent/molepost", "cannot start /nonexistent/molepost");
	expect_no_child("/bin/false", "/bin/false parse-child ends before its first mail");
}

/* Somebody has stopped the first starter at its very start; the second begins as it should. */
Test(parser, a_starter_that_is_stopped_before_it_says_anything_costs_three_seconds)
{
	char *folder = scratch_new(), *exe = scratch_path(folder, "stopped"),
	     *mark = scratch_path(folder, "mark");
	struct batch *b = batch_new(&quick);
	struct strbuf script = STRBUF_INIT;
	struct failure e = ERR_INIT;
	int64_t began_ms = clock_monotonic_ms();

	strbuf_addf(&script,
	            "#!/bin/sh\nif [ ! -e %s ]; then : >%s; kill -STOP $$; fi\n"
	            "exec /proc/%ld/exe \"$@\"\n",
	            mark, mark, (long)getpid());
	cr_assert_eq(file_create(exe, strbuf_span(&script), &e), ERR_NONE);
	cr_assert_eq(chmod(exe, 0700), 0);
	parser_free(b->parser);
	b->parser = parser_new(exe, &quick);
	for (size_t i = 0; i < 3; i++)
		batch_add(b, NULL);
	batch_run(b);
	for (size_t i = 0; i < 3; i++)
		expect_good(b, i);
	cr_expect_lt(clock_monotonic_ms() - began_ms, 4500);
	strbuf_release(&script);
	batch_free(b);
	free(exe);
	free(mark);
	scratch_remove(folder);
	err_release(&e);
}

/* The only child of this process, by pid. */
static pid_t only_child(void)
{
	struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
	struct failure e = ERR_INIT;
	struct span rest, word;
	unsigned pid = 0;

	strbuf_addf(&path, "/proc/self/task/%ld/children", (long)getpid());
	cr_assert_eq(file_read(path.ptr, 4096, &text, &e), ERR_NONE, "%s", e.text.ptr);
	rest = strbuf_span(&text);
	cr_assert(span_next_word(&rest, "", &word) && num_parse_uint(word, 2, INT32_MAX, &pid));
	cr_assert_not(span_next_word(&rest, "", &word));
	strbuf_release(&path);
	strbuf_release(&text);
	err_release(&e);
	return (pid_t)pid;
}

Test(parser, a_starter_that_is_stopped_or_killed_costs_no_mail)
{
	static const int signals[] = {SIGSTOP, SIGKILL};
	struct batch *b = batch_new(&quick);

	for (size_t i = 0; i < 10; i++)
		batch_add(b, NULL);
	for (size_t k = 0; k < 2; k++) {
		batch_run(b);
		cr_assert_eq(kill(only_child(), signals[k]), 0);
		batch_run(b);
		for (size_t i = 0; i < 10; i++)
			expect_good(b, i);
	}
	batch_free(b);
}

Test(parser, each_job_learns_that_there_is_no_child)
{
	struct batch *b = batch_new(&quick);
	struct parser_job jobs[2] = {{0}};

	parser_free(b->parser);
	b->parser = parser_new("/bin/false", &quick);
	for (size_t i = 0; i < NMAX; i++) {
		batch_add(b, NULL);
		add_to(b, &jobs[i % 2], i);
	}
	cr_expect_eq(parser_finish(b->parser, &jobs[0], NULL, NULL, &b->e), ERR_IO);
	cr_expect_eq(parser_finish(b->parser, &jobs[1], NULL, NULL, &b->e), ERR_IO);
	cr_expect(strstr(b->e.text.ptr, "ends before its first mail"));
	batch_free(b);
}

/* A parser that never started a child, and one whose child was killed from outside. */
Test(parser, can_be_freed_at_any_time)
{
	struct batch *b = batch_new(&quick);
	struct parser_job job = {0};
	size_t i;

	batch_free(b);
	b = batch_new(&quick);
	for (i = 0; i < NMAX; i++) {
		batch_add(b, NULL);
		add_to(b, &job, i);
	}
	parser_poll(b->parser);
	batch_free(b);
}

/* ---- what a child that has been taken over could send ---- */

static const char header[] = "From: =?gb2312?B?zfXQocP3?= <bob@example.org>\n"
			     "To: moles+1.2.abc@example.net\n"
			     "Subject: =?gb2312?B?u9i4tA==?=\n"
			     "Message-ID: <1@example.org>\nDate: x\n\n";

/* All that crosses the pipe, each as it may be. */
static struct mail_in usual(void)
{
	static struct mail_text texts[2];
	static struct span enclosed[1];
	static struct mail_attachment files[1];

	texts[0] = (struct mail_text){SPAN_LIT("popup 3\n"), false};
	texts[1] = (struct mail_text){SPAN_LIT("popup 4\n"), true};
	enclosed[0] = SPAN_LIT("a file\n");
	files[0] = (struct mail_attachment){SPAN_LIT("board.jpg"), 2100000};
	return (struct mail_in){
	    .flags = MAIL_CHARSET_GUESSED | MAIL_TEXT_CUT,
	    .subject = SPAN_LIT("Re"),
	    .from_name = SPAN_LIT("Wang"),
	    .report = {MAIL_REPORT_DELIVERY, SPAN_LIT("failed"), SPAN_LIT("5.1.1"),
	               SPAN_LIT("ann@example.org"), SPAN_LIT("no such user"),
	               SPAN_LIT("<2@example.org>")},
	    .texts = texts,
	    .ntexts = 2,
	    .enclosed = {enclosed, 1},
	    .attachments = files,
	    .nattachments = 1,
	};
}

static void read_header(struct arena *arena, struct mail_in *out)
{
	struct charsets *charsets = charsets_new(CHARSETS_OF_ONE_BYTE);

	header_facts_read(span_of(header), &mail_usual_limits, charsets, arena, out);
	charsets_free(charsets);
}

static bool accepted(const struct mail_in *m, struct arena *arena, struct mail_in *back)
{
	struct strbuf packet = STRBUF_INIT;
	bool ok;

	read_header(arena, back);
	packet_add_result(&packet, m);
	ok = packet_read_result(span_slice(strbuf_span(&packet), PACKET_HEAD, packet.len),
	                        &mail_usual_limits, arena, back);
	strbuf_release(&packet);
	return ok;
}

static void expect_header_as_it_was(const struct mail_in *m)
{
	cr_expect(span_eq_str(m->from, "bob@example.org"));
	cr_expect(span_eq_str(m->message_id, "<1@example.org>"));
	cr_expect(span_eq_str(m->raw, header));
	cr_expect(m->recipients.count == 1 &&
	          span_eq_str(m->recipients.items[0], "moles+1.2.abc@example.net"));
	cr_expect_eq(m->flags & ~(unsigned)MAIL_BODY_FLAGS, 0u);
}

Test(packet, adds_to_what_the_header_says_and_takes_nothing_from_it)
{
	struct arena *arena = arena_new();
	struct mail_in m = usual(), back;

	m.from = SPAN_LIT("eve@example.org");
	m.message_id = SPAN_LIT("<3@example.org>");
	m.auth_results = SPAN_LIT("mx; dmarc=pass");
	m.flags |= MAIL_OUR_LOOP | MAIL_LIST;
	cr_assert(accepted(&m, arena, &back));
	expect_header_as_it_was(&back);
	cr_expect(span_eq_str(back.auth_results, ""));
	cr_expect_eq(back.flags, MAIL_CHARSET_GUESSED | MAIL_TEXT_CUT);
	cr_expect_eq(back.ntexts, 2u);
	cr_expect(span_eq_str(back.texts[1].text, "popup 4\n") && back.texts[1].is_html);
	cr_expect(span_eq_str(back.enclosed.items[0], "a file\n"));
	cr_expect(span_eq_str(back.report.diagnostic, "no such user"));
	cr_expect(back.nattachments == 1 && back.attachments[0].bytes == 2100000);
	cr_expect(span_eq_str(back.attachments[0].name, "board.jpg"));
	arena_free(arena);
}

/* Only the child reads such charsets; what can be read without it is not its to say. */
Test(packet, names_subject_and_sender_only_where_the_program_cannot_read_them)
{
	struct charsets *charsets = charsets_new(CHARSETS_OF_ONE_BYTE);
	struct arena *arena = arena_new();
	struct mail_in m = usual(), back;

	read_header(arena, &back);
	cr_expect(span_eq_str(back.subject, "\xef\xbf\xbd"));
	m.subject = SPAN_LIT("Out of office");
	cr_assert(accepted(&m, arena, &back));
	cr_expect(span_eq_str(back.subject, "Out of office"));
	cr_expect(span_eq_str(back.from_name, "Wang"));
	cr_expect(back.flags & MAIL_AWAY_SUBJECT);
	header_facts_read(SPAN_LIT("From: =?iso-8859-2?Q?=B1nn?= <a@b>\nSubject: x\n\n"),
	                  &mail_usual_limits, charsets, arena, &back);
	header_facts_add_words(&back, SPAN_LIT("Out of office"), SPAN_LIT("Eve"));
	cr_expect(span_eq_str(back.subject, "x"));
	cr_expect(span_eq_str(back.from_name, "\xc4\x85nn"));
	cr_expect_eq(back.flags & MAIL_AWAY_SUBJECT, 0u);
	charsets_free(charsets);
	arena_free(arena);
}

enum { LIES = 35, LIES_IN_TEXTS = 28 };

/* Each of these is changed in what would be accepted; none is. */
static void lie(struct mail_in *m, unsigned which, struct arena *arena)
{
	static struct mail_text many[17];
	static struct span files[9];
	static struct mail_attachment attached[MAIL_ATTACHMENTS_MOST + 1];
	const struct {
		struct span *where, text;
		size_t long_of; /* else of its first byte so many */
	} lies[LIES_IN_TEXTS] = {
	    {&m->subject, SPAN_LIT("a\nBcc: eve"), 0},
	    {&m->subject, SPAN_LIT("\033[2J"), 0},
	    {&m->subject, SPAN_LIT("\xff"), 0},
	    {&m->subject, SPAN_LIT("x"), 200 * 1024},
	    {&m->from_name, SPAN_LIT("Bob\r"), 0},
	    {&m->from_name, SPAN_LIT("\xc2\x9b"), 0},
	    {&m->from_name, SPAN_LIT("x"), 200 * 1024},
	    {&m->texts[0].text, SPAN_LIT("\033[2J"), 0},
	    {&m->texts[1].text, SPAN_LIT("\xff"), 0},
	    {&m->texts[0].text, {"a\0b", 3}, 0},
	    {&m->texts[0].text, SPAN_LIT("x"), 64 * 1024 + 1},
	    {&m->texts[0].text, SPAN_LIT("\n"), 2001},
	    {&m->enclosed.items[0], SPAN_LIT("\xff"), 0},
	    {&m->enclosed.items[0], SPAN_LIT("x"), MAIL_ENCLOSED_MOST + 1},
	    {&m->report.action, SPAN_LIT("fail\ned"), 0},
	    {&m->report.action, SPAN_LIT("x"), 201},
	    {&m->report.status, SPAN_LIT("5.\xff"), 0},
	    {&m->report.status, SPAN_LIT("5"), 1 << 20},
	    {&m->report.recipient, SPAN_LIT("ann@example.org, eve@example.org"), 0},
	    {&m->report.recipient, SPAN_LIT("-oQ/tmp@x"), 0},
	    {&m->report.diagnostic, SPAN_LIT("a\nb"), 0},
	    {&m->report.diagnostic, SPAN_LIT("x"), 201},
	    {&m->report.returned_id, SPAN_LIT("<a b>"), 0},
	    {&m->report.returned_id, SPAN_LIT("<a@b>\n"), 0},
	    {&m->attachments[0].name, SPAN_LIT("a.jpg\nBcc: eve"), 0},
	    {&m->attachments[0].name, SPAN_LIT("\xff.jpg"), 0},
	    {&m->attachments[0].name, SPAN_LIT("\033[2J"), 0},
	    {&m->attachments[0].name, SPAN_LIT("x"), MAIL_ATTACHMENT_NAME_MOST + 1},
	};

	if (which < LIES_IN_TEXTS) {
		struct span text = lies[which].text;
		size_t n = lies[which].long_of;

		if (n > 0)
			text = (struct span){memset(arena_alloc(arena, n), *text.ptr, n), n};
		*lies[which].where = text;
		return;
	}
	switch (which - LIES_IN_TEXTS) {
	case 0:
		m->ntexts = 0;
		break;
	case 1:
		m->fault = MAIL_NO_TEXT;
		break;
	case 2:
		m->fault = (enum mail_fault)(MAIL_UNPARSABLE + 1), m->ntexts = 0;
		break;
	case 3:
		m->texts = many, m->ntexts = 17;
		break;
	case 4:
		m->enclosed = (struct span_list){files, 9};
		break;
	case 5:
		m->report.kind = (enum mail_report_kind)(MAIL_REPORT_OTHER + 1);
		break;
	case 6:
		m->attachments = attached, m->nattachments = MAIL_ATTACHMENTS_MOST + 1;
		break;
	default:
		break;
	}
}

Test(packet, that_breaks_what_mail_h_promises_is_refused)
{
	struct arena *arena = arena_new();
	struct mail_in m = usual(), back;

	cr_expect(accepted(&m, arena, &back));
	for (unsigned i = 0; i < LIES; i++) {
		m = usual();
		lie(&m, i, arena);
		cr_expect_not(accepted(&m, arena, &back), "lie %u", i);
		expect_header_as_it_was(&back);
		cr_expect_eq(back.ntexts, 0u);
		cr_expect(span_eq_str(back.subject, "\xef\xbf\xbd"));
	}
	arena_free(arena);
}

/* Any byte of it, the numbers too: what it is then is no other mail, or none. */
Test(packet, cut_short_or_changed_anywhere_is_refused_or_read_without_harm)
{
	static const unsigned char with[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
	struct strbuf packet = STRBUF_INIT;
	struct arena *arena = arena_new();
	struct mail_in m = usual(), back;
	struct span body;

	packet_add_result(&packet, &m);
	body = span_slice(strbuf_span(&packet), PACKET_HEAD, packet.len);
	for (size_t i = 0; i < body.len; i++) {
		char *at = packet.ptr + PACKET_HEAD + i, was = *at;

		read_header(arena, &back);
		cr_expect_not(packet_read_result(span_slice(body, 0, i), &mail_usual_limits,
		                                 arena, &back));
		for (size_t k = 0; k < sizeof(with); k++) {
			struct robot robot;
			struct strbuf text = STRBUF_INIT;

			*at = (char)with[k];
			(void)packet_read_result(body, &mail_usual_limits, arena, &back);
			robot_classify(&back, "moles", &robot);
			mail_describe(&back, &text);
			mail_add_attachments(&back, &text);
			cr_expect(span_eq_str(back.from, "bob@example.org"));
			strbuf_release(&text);
			read_header(arena, &back);
		}
		*at = was;
	}
	cr_expect(packet_read_result(body, &mail_usual_limits, arena, &back));
	strbuf_release(&packet);
	arena_free(arena);
}

/* Sixteen million texts in as many bytes would be hundreds of megabytes here. */
Test(packet, of_counts_without_end_makes_no_room)
{
	struct strbuf body = STRBUF_INIT;
	struct arena *arena = arena_new();
	struct mail_in m = usual(), back;
	struct rusage before, after;

	getrusage(RUSAGE_SELF, &before);
	packet_add_result(&body, &m);
	for (size_t at = PACKET_HEAD; at + 4 <= body.len; at++) {
		char kept[4];

		memcpy(kept, body.ptr + at, 4);
		packet_put_u32((unsigned char *)body.ptr + at, 16 << 20);
		read_header(arena, &back);
		(void)packet_read_result(span_slice(strbuf_span(&body), PACKET_HEAD, body.len),
		                         &mail_usual_limits, arena, &back);
		memcpy(body.ptr + at, kept, 4);
	}
	getrusage(RUSAGE_SELF, &after);
	cr_expect_lt(after.ru_maxrss - before.ru_maxrss, 32 * 1024);
	strbuf_release(&body);
	arena_free(arena);
}

/* The same from a child that runs: its mail is lost, or says what it said, and no other is touched. */
Test(parser, a_child_that_lies_about_a_mail_changes_that_mail_alone)
{
	struct batch *b = batch_new(&quick);

	for (unsigned i = 0; i <= LIES; i++) {
		struct strbuf say = STRBUF_INIT, packet = STRBUF_INIT;
		struct mail_in m = usual();

		lie(&m, i, b->arena); /* the last one is none */
		packet_add_result(&packet, &m);
		strbuf_adds(&say, "say ");
		for (size_t k = 0; k < packet.len && packet.len < 16 * 1024; k++)
			strbuf_addf(&say, "%02x", (unsigned char)packet.ptr[k]);
		batch_add(b, NULL);
		batch_add(b, say.ptr);
		strbuf_release(&say);
		strbuf_release(&packet);
	}
	batch_run(b);
	for (unsigned i = 0; i <= LIES; i++) {
		const struct mail_in *m = &b->out[2 * i + 1];

		expect_good(b, 2 * i);
		cr_expect_eq(m->fault, i < LIES ? MAIL_UNPARSABLE : MAIL_OK, "lie %u", i);
		cr_expect(span_eq_str(m->from, "bob@example.org"));
		cr_expect(i < LIES || span_eq_str(m->texts[0].text, "popup 3\n"));
	}
	batch_free(b);
}
