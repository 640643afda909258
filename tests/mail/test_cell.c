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

enum { ATTEMPTS = 51 };

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

/* The greeting, and what code put into it by a mail reports until it has left. */
static uint32_t break_out_of_parser(struct scene *s)
{
	struct failure e = ERR_INIT;
	struct strbuf limits = STRBUF_INIT, frame = STRBUF_INIT, mail = STRBUF_INIT,
		      from = STRBUF_INIT;
	struct child c = CHILD_INIT;
	struct pollfd leaves;
	uint32_t walls;

	parser_write_limits(&parser_default_limits, &limits);
	cr_assert_eq(child_start(&c, program(), PARSER_CHILD_COMMAND, limits.ptr, &e), ERR_NONE,
	             "%s", e.text.ptr);
	strbuf_addf(&mail,
	            "From: eve@example.org\nX-Molepost-Test-Child: break-out %s %s %s %u %ld\n"
	            "\nhello\n",
	            s->key, s->database, s->folder, s->port, (long)getpid());
	packet_add_u32(&frame, mail.len);
	packet_add_u32(&frame, 0);
	strbuf_add_span(&frame, strbuf_span(&mail));
	cr_assert_eq(write(c.to, frame.ptr, frame.len), (ssize_t)frame.len);
	leaves = (struct pollfd){.fd = c.errors, .events = POLLIN};
	while (c.errors >= 0 && poll(&leaves, 1, 20000) == 1)
		child_drain_errors(&c, &s->said);
	while (child_read(c.from, &from, 4096) > 0)
		;
	cr_assert_geq(from.len, 2 * sizeof(uint32_t), "no greeting");
	walls = packet_get_u32(from.ptr + sizeof(uint32_t));
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
	snprintf(expected, sizeof(expected), "tried %u, got through:\n", ATTEMPTS);
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
	    " read-key", " write-database", " create-folder",  " connect",     " bind",
	    " fork",     " unix-socket",    " read-passwd",    " memory-file", " watch-files",
	    " pipe",     " open-process",   " rename-database"};
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
