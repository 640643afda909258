/*
 * test_scarcity.c - a machine that has no more descriptors, processes, memory or room in a file.
 *
 * That is nobody's fault: 75 and a sentence, and the next run does what was left undone.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "processor/base/file.h"
#include "processor/base/sanitized.h"
#include "tests/support/preload.h"
#include "tests/support/scratch.h"
#include "tests/support/smtp_server.h"
#include "tests/support/table.h"

enum { DONE = 0, LATER = 75 };

/* Three mails wait. */
static struct testbed *testbed_with_mail(void)
{
	struct testbed *s = testbed_new("scarcity");

	for (const char *const *who = (const char *const[]){"ann", "bob", "cleo", NULL}; *who;
	     who++)
		testbed_write(s, *who, "create whakka mole players 2");
	return s;
}

/* True when the run was not disturbed. */
static bool run_scarce(struct testbed *s, const char *const *env, const char *what)
{
	struct ran r;
	bool done;

	testbed_do(s, "run", env, &r);
	done = r.code == DONE;
	cr_expect(done || r.code == LATER, "%s: %d, signal %d: %s", what, r.code, r.signal,
	          r.err.ptr);
	cr_expect(done || strstr(r.err.ptr, "molepost: "), "%s: no sentence", what);
	ran_release(&r);
	return done;
}

static void expect_all_answered(struct testbed *s, const char *what)
{
	size_t n = 0;

	testbed_settle(s);
	for (size_t i = 0; i < s->nposts; i++)
		n += !s->posts[i]->again;
	cr_expect_eq(n, 3, "%s: %zu answers", what, n);
	cr_expect(testbed_mails_agree(s));
	expect(s, "game show W3", 0, "gathering");
	expect_sound(s);
}

/* The program behind prlimit(1). */
static void limit_program(struct testbed *s, const char *limit)
{
	struct strbuf script = STRBUF_INIT;
	struct failure e = ERR_INIT;
	char *path = scratch_path(s->scratch, "limited");

	strbuf_addf(&script, "#!/bin/sh\nexec prlimit --%s '%s' \"$@\"\n", limit, s->program);
	(void)unlink(path);
	cr_assert_eq(file_create(path, strbuf_span(&script), &e), ERR_NONE);
	cr_assert_eq(chmod(path, 0755), 0);
	free(s->program);
	s->program = path;
	strbuf_release(&script);
	err_release(&e);
}

static void try_limit(const char *limit, bool without_rights)
{
	struct testbed *s = testbed_with_mail();
	char *program = xstrdup(s->program);

	if (without_rights) /* other tests run beside this one, as nobody */
		testbed_as_user(s, 20000 + (int)(getpid() % 40000));
	limit_program(s, limit);
	(void)run_scarce(s, NULL, limit);
	free(s->program);
	s->program = program;
	if (without_rights) /* it runs as root again, in its own folder */
		cr_assert_eq(chown(s->dir, 0, 0), 0);
	expect_all_answered(s, limit);
	testbed_free(s);
}

static void try_limits(const char *name, unsigned from, unsigned to, unsigned step,
                       const char *unit, bool without_rights)
{
	for (unsigned n = from; n <= to; n += step) {
		char limit[64];

		snprintf(limit, sizeof(limit), "%s=%u%s", name, n, unit);
		try_limit(limit, without_rights);
	}
}

Test(scarcity, of_descriptors_is_no_fault_of_the_data, .timeout = 300)
{
	try_limits("nofile", 5, 22, 1, "", false);
}

Test(scarcity, of_processes_is_no_fault_of_the_data, .timeout = 300)
{
	if (geteuid() != 0)
		cr_skip_test("another user's processes cannot be counted here");
	try_limits("nproc", 1, 4, 1, "", true);
}

/* Before it can say anything the loader has to find room for the program. */
Test(scarcity, of_memory_is_no_fault_of_the_data, .timeout = 300)
{
	if (IS_SANITIZED)
		cr_skip_test("a sanitizer's shadow is larger than any limit");
	try_limits("as", 16, 100, 6, "000000", false);
}

Test(scarcity, of_room_in_a_file_is_no_fault_of_the_data, .timeout = 300)
{
	try_limits("fsize", 4096, 340000, 20000, "", false);
}

/* Each call of these in turn fails, for good and once. */
static void fail_each(const char *function, const char *how, void (*prepare)(struct testbed *s))
{
	bool disturbed = true;

	for (unsigned n = 1; disturbed && n < 100; n++) {
		struct testbed *s = testbed_with_mail();
		struct preload p;
		char call[64];

		prepare(s);
		snprintf(call, sizeof(call), "%s %u%s", function, n, how);
		preload_init(&p, "fail_call.so", "MOLEPOST_FAIL_CALL", call);
		disturbed = !run_scarce(s, p.env, call);
		preload_release(&p);
		expect_all_answered(s, call);
		testbed_free(s);
	}
	cr_expect_not(disturbed, "%s%s has no end", function, how);
}

static void nothing_more(struct testbed *s)
{
	(void)s;
}

static void sends_with_a_program(struct testbed *s)
{
	char *outbox = testbed_path(s, "outbox/new"), *tmp = testbed_path(s, "outbox/tmp"),
	     *path = testbed_path(s, "sendmail");
	struct strbuf script = STRBUF_INIT, url = STRBUF_INIT;
	struct failure e = ERR_INIT;

	strbuf_addf(&script,
	            "#!/bin/sh\nf=$(mktemp '%s/XXXXXX')\ncat >\"$f\"\nmv \"$f\" '%s'\n", tmp,
	            outbox);
	cr_assert_eq(file_create(path, strbuf_span(&script), &e), ERR_NONE);
	cr_assert_eq(chmod(path, 0755), 0);
	strbuf_addf(&url, "sendmail:%s", path);
	testbed_sink(s, url.ptr);
	strbuf_release(&script);
	strbuf_release(&url);
	err_release(&e);
	free(outbox);
	free(tmp);
	free(path);
}

Test(scarcity, at_any_pipe_or_process_is_no_fault_of_the_data, .timeout = 300)
{
	static const char *const functions[] = {"pipe2", "posix_spawn", "posix_spawnp"};

	if (IS_SANITIZED)
		cr_skip_test("a sanitizer wants to be loaded first");
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		fail_each(functions[i], "", sends_with_a_program);
		fail_each(functions[i], " once", sends_with_a_program);
	}
}

Test(scarcity, at_any_allocation_is_no_fault_of_the_data, .timeout = 600)
{
	if (IS_SANITIZED)
		cr_skip_test("a sanitizer has an allocator of its own");
	fail_each("calloc", "", nothing_more);
}

/* Without a process to send with nothing is sent, and what is to be sent stays. */
Test(scarcity, of_sending_processes_leaves_mail_unsent_until_the_next_run, .timeout = 60)
{
	static const char *const calls[] = {"pipe2", "posix_spawn"};

	if (IS_SANITIZED)
		cr_skip_test("a sanitizer wants to be loaded first");
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		bool disturbed = true;

		for (unsigned n = 1; disturbed && n < 20; n++) {
			struct smtp_server *server = smtp_server_new(NULL, 0, NULL);
			struct testbed *s = testbed_with_mail();
			struct preload p;
			char call[64];

			testbed_smtp(s, "", smtp_server_port(server), "");
			snprintf(call, sizeof(call), "%s %u", calls[i], n);
			preload_init(&p, "fail_call.so", "MOLEPOST_FAIL_CALL", call);
			disturbed = !run_scarce(s, p.env, call);
			cr_expect_eq(smtp_server_taken(server), disturbed ? 0 : 3, "%s", call);
			testbed_run(s);
			cr_expect_eq(smtp_server_taken(server), 3, "%s", call);
			preload_release(&p);
			testbed_free(s);
			smtp_server_free(server);
		}
		cr_expect_not(disturbed, "%s has no end", calls[i]);
	}
}

Test(scarcity, under_verify_of_a_folder_is_no_fault_of_the_archives, .timeout = 60)
{
	static const char *const calls[] = {"fork 1", "fork 2", "pipe 1"};
	struct testbed *s = testbed_new("scarcity");
	char *folder = testbed_path(s, "archives");
	struct strbuf words = STRBUF_INIT;

	if (IS_SANITIZED)
		cr_skip_test("a sanitizer wants to be loaded first");
	cr_assert_eq(mkdir(folder, 0700), 0);
	for (unsigned i = 0; i < 3; i++) {
		struct strbuf path = STRBUF_INIT;
		struct failure e = ERR_INIT;

		strbuf_addf(&path, "%s/%u", folder, i);
		cr_assert_eq(file_create(path.ptr, SPAN_LIT("no archive\n"), &e), ERR_NONE);
		strbuf_release(&path);
		err_release(&e);
	}
	strbuf_addf(&words, "verify %s", folder);
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		struct preload p;
		struct ran r;

		preload_init(&p, "fail_call.so", "MOLEPOST_FAIL_CALL", calls[i]);
		testbed_do(s, words.ptr, p.env, &r);
		cr_expect(r.code == LATER || (i == 1 && r.code == 65), "%s: %d %s", calls[i],
		          r.code, r.err.ptr);
		ran_release(&r);
		preload_release(&p);
	}
	strbuf_release(&words);
	free(folder);
	testbed_free(s);
}
