/*
 * test_threads.c - every conversation of tests/threads/ (their form: tests/support/thread.h).
 *
 * T1=NNN plays only those whose names begin so. After a conversation the server's own check must
 * find nothing, every record must verify, and nothing the server sent may do anything when it
 * comes back as the text of an answer.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <string.h>

#include "processor/base/env.h"
#include "tests/support/echo.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"
#include "tests/support/testbed_parts.h"
#include "tests/support/thread.h"

enum { MOST_THREADS = 400 };

struct folder {
	char path[128];
};

static void records_verify(struct testbed *s)
{
	for (size_t i = 0; i < s->nposts; i++)
		for (unsigned k = 0; k < 2; k++) {
			const char *text = k ? s->posts[i]->record : s->posts[i]->text;

			if (text && strstr(text, "-----BEGIN MOLEPOST ARCHIVE "))
				cr_expect_eq(testbed_verify(s, span_of(text)), 0,
				             "%s: \"%s\" does not verify", s->posts[i]->who,
				             s->posts[i]->subject);
		}
}

static void inbox_is_empty(struct testbed *s)
{
	char *path = testbed_path(s, "mail/new");
	size_t n;
	char **names = folder_names(path, &n);

	cr_expect_eq(n, 0, "%zu mails were not taken in, the first is %s", n,
	             n ? names[0] : "");
	for (size_t i = 0; i < n; i++)
		free(names[i]);
	free(names);
	free(path);
}

static void play(const char *dir)
{
	struct thread t;

	scratch_in_memory();
	thread_play(&t, dir);
	cr_expect_eq(t.problem.len, 0, "\n%s", t.problem.ptr);
	expect_sound(t.testbed);
	records_verify(t.testbed);
	inbox_is_empty(t.testbed);
	echo_does_nothing(t.testbed, dir);
	thread_free(&t);
}

ParameterizedTestParameters(threads, a_conversation_goes_as_written)
{
	static struct folder folders[MOST_THREADS];
	const char *only = env_get("T1");
	size_t n, kept = 0;
	char **names = folder_names("tests/threads", &n);

	for (size_t i = 0; i < n && kept < MOST_THREADS; i++) {
		if (names[i][0] >= '0' && names[i][0] <= '9' &&
		    (!only || strncmp(names[i], only, strlen(only)) == 0))
			snprintf(folders[kept++].path, sizeof(folders->path),
			         "tests/threads/%s", names[i]);
		free(names[i]);
	}
	free(names);
	return cr_make_param_array(struct folder, folders, kept);
}

ParameterizedTest(struct folder *f, threads, a_conversation_goes_as_written)
{
	play(f->path);
}
