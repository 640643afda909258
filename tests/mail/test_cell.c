/*
 * test_cell.c - code inside a child gets at nothing (mail/child/break_out.c tries).
 *
 * Each child is tried behind its walls, and, to show that the attempts are real, without them.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mail/child/child.h"
#include "mail/child/packet.h"
#include "mail/parse/parse.h"
#include "mail/parser.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "processor/base/sanitized.h"
#include "processor/base/seal.h"
#include "tests/support/scratch.h"

enum { ATTEMPTS = 55, AT_THE_STARTER = 11 };

struct scene {
	char *folder, *key, *database;
	int listener;
	unsigned port;
	struct strbuf said;
};

static void write_file(const char *path)
{
	struct failure e = ERR_INIT;

	cr_assert_eq(file_create(path, SPAN_LIT("precious\n"), &e), ERR_NONE);
	err_release(&e);
}

static struct scene *scene_new(void)
{
	struct scene *s = xcalloc(1, sizeof(*s));
	struct sockaddr_in at = {.sin_family = AF_INET,
	                         .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(at);

	s->folder = scratch_new();
	s->key = scratch_path(s->folder, "molepost.key");
	s->database = scratch_path(s->folder, "molepost.db");
	write_file(s->key);
	write_file(s->database);
	s->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	cr_assert_eq(bind(s->listener, (struct sockaddr *)&at, sizeof(at)), 0);
	cr_assert_eq(listen(s->listener, 4), 0);
	cr_assert_eq(getsockname(s->listener, (struct sockaddr *)&at, &len), 0);
	s->port = ntohs(at.sin_port);
	strbuf_init(&s->said);
	return s;
}

static void scene_free(struct scene *s)
{
	close(s->listener);
	free(s->key);
	free(s->database);
	scratch_remove(s->folder);
	strbuf_release(&s->said);
	free(s);
}

static const char *program(void)
{
	static char path[4096];
	const char *build = getenv("MOLEPOST_BUILD");

	snprintf(path, sizeof(path), "%s/tests/molepost", build ? build : "build");
	return path;
}

/* What is given to a child before it is killed: all it says and all it writes are read to the end. */
static void hear_child(struct scene *s, struct child *starter, int socket)
{
	struct strbuf answer = STRBUF_INIT;
	struct pollfd fds[2] = {{.fd = socket, .events = POLLIN},
	                        {.fd = starter->errors, .events = POLLIN}};

	while (poll(fds, 2, 20000) > 0) {
		child_drain_errors(starter);
		if (fds[0].revents && child_read(socket, &answer, 4096) <= 0)
			break;
	}
	child_drain_errors(starter);
	strbuf_add_span(&s->said, strbuf_span(&starter->last_words));
	strbuf_release(&answer);
}

/* The starter greets, and what code put into a child of it by a mail reports until it has left. */
static uint32_t break_out_of_parser(struct scene *s)
{
	struct failure e = ERR_INIT;
	struct strbuf limits = STRBUF_INIT, frame = STRBUF_INIT, mail = STRBUF_INIT,
		      from = STRBUF_INIT;
	struct child c = CHILD_INIT;
	struct pollfd greets;
	uint32_t walls;
	int ends[2];

	parser_write_limits(&parser_default_limits, &limits);
	cr_assert_eq(child_start(&c, program(), PARSER_CHILD_COMMAND, limits.ptr, &e), ERR_NONE,
	             "%s", e.text.ptr);
	strbuf_addf(
	    &mail,
	    "From: eve@example.org\nX-Molepost-Test-Child: break-out %s %s %s %u %ld %ld\n"
	    "\nhello\n",
	    s->key, s->database, s->folder, s->port, (long)getpid(), (long)c.pid);
	packet_add_u32(&frame, mail.len);
	packet_add_u32(&frame, 0);
	strbuf_add_span(&frame, strbuf_span(&mail));
	cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
	cr_assert_eq(child_send(c.to, SPAN_LIT("\0\0\0\0"), ends[1]), 4);
	close(ends[1]);
	cr_assert_eq(write(ends[0], frame.ptr, frame.len), (ssize_t)frame.len);
	hear_child(s, &c, ends[0]);
	close(ends[0]);
	greets = (struct pollfd){.fd = c.from, .events = POLLIN};
	cr_assert_eq(poll(&greets, 1, 20000), 1);
	cr_assert_eq(child_read(c.from, &from, 4096), 2 * (ssize_t)sizeof(uint32_t),
	             "no greeting");
	walls = packet_take_u32(
	    &(struct packet_cursor){
		.rest = span_slice(strbuf_span(&from), sizeof(uint32_t), from.len)},
	    UINT32_MAX);
	child_end(&c, 2000);
	strbuf_release(&limits);
	strbuf_release(&frame);
	strbuf_release(&mail);
	strbuf_release(&from);
	err_release(&e);
	return walls;
}

static void expect_untouched(const struct scene *s)
{
	static const char *const files[] = {"molepost.key", "molepost.db"};

	for (size_t i = 0; i < 2; i++) {
		char *path = scratch_path(s->folder, files[i]);
		struct stat st;

		cr_expect_eq(stat(path, &st), 0, "%s is gone", path);
		cr_expect_eq(st.st_size, (off_t)strlen("precious\n"));
		cr_expect_eq(st.st_mode & 0777, 0600);
		cr_expect_eq(st.st_nlink, 1);
		free(path);
	}
	char *made = scratch_path(s->folder, "made-by-the-child");
	cr_expect_neq(access(made, F_OK), 0, "the child made a file");
	free(made);
}

Test(cell, of_the_parser_holds_against_everything)
{
	struct scene *s = scene_new();
	char expected[64];

	if (IS_SANITIZED)
		cr_skip_test("a sanitizer needs what the walls forbid");
	uint32_t walls = break_out_of_parser(s);
	snprintf(expected, sizeof(expected), "tried %u, got through:\n",
	         ATTEMPTS + AT_THE_STARTER);
	cr_expect_str_eq(s->said.ptr, expected);
	cr_expect(walls & CELL_CALLS,
	          "the list of system calls is not in force: is libseccomp2 "
	          "installed?");
	cr_expect(walls & CELL_PRIVILEGES);
	expect_untouched(s);
	scene_free(s);
}

/* Else the test above would pass for a child that tries nothing. */
Test(cell, without_walls_lets_much_through)
{
	static const char *const wide_open[] = {
	    " read-key",        " write-database", " create-folder",
	    " connect",         " bind",           " fork",
	    " unix-socket",     " read-passwd",    " memory-file",
	    " watch-files",     " pipe",           " open-process",
	    " rename-database", " kill-starter",   " outlive-starter"};
	struct scene *s = scene_new();

	setenv("MOLEPOST_TEST_BREAK", "no-cell", 1);
	cr_expect_eq(break_out_of_parser(s), 0);
	for (size_t i = 0; i < sizeof(wide_open) / sizeof(wide_open[0]); i++)
		cr_expect(strstr(s->said.ptr, wide_open[i]), "%s did not work: %s",
		          wide_open[i], s->said.ptr);
	cr_expect(strstr(s->said.ptr, "tried 1, got through: exec"), "%s", s->said.ptr);
	scene_free(s);
}

/* Nothing of ours comes along, whatever is in our environment. */
Test(cell, starts_with_an_empty_environment)
{
	struct scene *s = scene_new();

	if (IS_SANITIZED)
		cr_skip_test("a sanitizer needs its options");
	setenv("LD_PRELOAD", "/nonexistent/evil.so", 1);
	setenv("MOLEPOST_PASSWORD", "secret", 1);
	(void)break_out_of_parser(s);
	unsetenv("LD_PRELOAD");
	cr_expect_not(strstr(s->said.ptr, "environment"), "%s", s->said.ptr);
	cr_expect_not(strstr(s->said.ptr, "evil"), "%s", s->said.ptr);
	scene_free(s);
}

Test(cell, keys_in_memory_are_hidden_from_other_processes_and_core_files)
{
	char *folder = scratch_new(), *key = scratch_path(folder, "k");
	struct failure e = ERR_INIT;
	struct keyring *k = NULL;
	struct rlimit core;

	if (IS_SANITIZED)
		cr_skip_test("a sanitizer looks into its own process");
	seal_start();
	cr_assert_eq(keyring_create(key, &e), ERR_NONE);
	cr_assert_eq(prctl(PR_SET_DUMPABLE, 1), 0);
	cr_assert_eq(keyring_load(key, &k, &e), ERR_NONE);
	cr_expect_eq(prctl(PR_GET_DUMPABLE), 0);
	cr_expect_eq(getrlimit(RLIMIT_CORE, &core), 0);
	cr_expect_eq(core.rlim_cur, 0);
	cr_expect_eq(core.rlim_max, 0);
	keyring_free(k);
	free(key);
	scratch_remove(folder);
}

/* ---- one mail and the others ---- */

enum { MAILS_MAX = 400 };

/* Mails with a secret each, of which some attack the others; and what came of them. */
struct neighbours {
	struct strbuf raw[MAILS_MAX];
	struct span spans[MAILS_MAX];
	struct mail_in out[MAILS_MAX];
	struct arena *arena;
	size_t n;
};

/* The answer that an attacker writes for his own mail, and then for the next ones. */
static void add_forged(struct strbuf *out)
{
	struct mail_text text = {.text = SPAN_LIT("forged, with ----\n")};
	struct mail_in m = {.ntexts = 1, .texts = &text};

	packet_add_result(out, &m);
}

static struct neighbours *neighbours_read(size_t n, bool (*attacks)(size_t i))
{
	struct neighbours *b = xcalloc(1, sizeof(*b));
	struct parser *p = parser_new(program(), &parser_default_limits);
	struct failure e = ERR_INIT;

	seal_start();
	b->n = n;
	b->arena = arena_new();
	for (size_t i = 0; i < n; i++) {
		struct strbuf *raw = &b->raw[i];

		strbuf_init(raw);
		strbuf_adds(raw, "From: ann@example.org\n");
		if (attacks(i))
			strbuf_addf(raw, "X-Molepost-Test-Child: break-in %04zu\n", i);
		strbuf_adds(raw, "\n");
		if (attacks(i))
			add_forged(raw);
		else
			strbuf_addf(raw, "secret-of-mail-%04zu\n", i);
		b->spans[i] = strbuf_span(raw);
	}
	cr_assert_eq(parser_batch(p, b->spans, n, b->arena, b->out, &e), ERR_NONE, "%s",
	             e.text.ptr);
	parser_free(p);
	err_release(&e);
	return b;
}

static void neighbours_free(struct neighbours *b)
{
	for (size_t i = 0; i < b->n; i++)
		strbuf_release(&b->raw[i]);
	arena_free(b->arena);
	free(b);
}

static struct span text_of(const struct neighbours *b, size_t i)
{
	cr_assert_eq(b->out[i].fault, MAIL_OK, "mail %zu: %s", i,
	             mail_fault_name(b->out[i].fault));
	return b->out[i].texts[0].text;
}

static void expect_own_text(const struct neighbours *b, size_t i)
{
	char own[64];

	snprintf(own, sizeof(own), "secret-of-mail-%04zu\n", i);
	cr_expect(span_eq_str(text_of(b, i), own), "mail %zu: %.*s", i,
	          SPAN_ARGS(text_of(b, i)));
}

static bool is_one_of_forty(size_t i)
{
	return i == 0 || i == 17 || i == 39;
}

Test(cell, keeps_the_mails_of_a_batch_from_each_other)
{
	struct neighbours *b;

	if (IS_SANITIZED)
		cr_skip_test("a sanitizer needs what the walls forbid");
	b = neighbours_read(40, is_one_of_forty);
	for (size_t i = 0; i < b->n; i++)
		if (!is_one_of_forty(i))
			expect_own_text(b, i);
		else
			cr_expect(span_eq_str(text_of(b, i), "forged, with ----\n"),
			          "mail %zu: %.*s", i, SPAN_ARGS(text_of(b, i)));
	neighbours_free(b);
}

static bool is_in_the_middle(size_t i)
{
	return i == 100;
}

/* The attack pays where a child is shared: 400 mails are seven to a child, 98 to 104 to one of them. */
Test(cell, with_several_mails_holds_no_secrets_among_them_and_none_of_others)
{
	struct neighbours *b;

	if (IS_SANITIZED)
		cr_skip_test("a sanitizer needs what the walls forbid");
	b = neighbours_read(400, is_in_the_middle);
	for (size_t i = 0; i < b->n; i++)
		if (i < 98 || i > 104)
			expect_own_text(b, i);
	for (size_t i = 100; i <= 101; i++)
		cr_expect(span_starts(text_of(b, i), "forged, with 0"), "mail %zu: %.*s", i,
		          SPAN_ARGS(text_of(b, i)));
	neighbours_free(b);
}
