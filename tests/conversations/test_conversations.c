/*
 * test_conversations.c - every conversation of tests/conversations/ (their form: tests/support/conversation.h).
 *
 * T1=NNN plays only those whose names begin so. After a conversation the server's own check must
 * find nothing, every record must verify, and nothing the server sent may do anything when it
 * comes back as the text of an answer; and played anew for readers with lines of 40 columns, no line is longer.
 * These two take most of the time: ECHO_EVERY=n does them with every nth conversation only.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <string.h>

#include "processor/base/env.h"
#include "processor/base/err.h"
#include "processor/base/num.h"
#include "tests/support/conversation.h"
#include "tests/support/echo.h"
#include "tests/support/mail_check.h"
#include "tests/support/postgresql.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"
#include "tests/support/testbed_parts.h"

enum { MOST_CONVERSATIONS = 400, NARROW_COLS = 40 };

struct file {
	char path[128];
	bool
	    echoes; /* what the server sent comes back afterwards; and it is played on a narrow screen */
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

static void play(const struct file *f)
{
	struct conversation c;

	scratch_in_memory();
	conversation_play(&c, f->path);
	cr_expect_eq(c.problem.len, 0, "\n%s", c.problem.ptr);
	strbuf_clear(&c.problem);
	mail_check_all(c.testbed, strbuf_span(&c.came_in), &c.problem);
	cr_expect_eq(c.problem.len, 0, "%s: not every mail holds\n%s", f->path, c.problem.ptr);
	expect_sound(c.testbed);
	records_verify(c.testbed);
	inbox_is_empty(c.testbed);
	if (f->echoes)
		echo_does_nothing(c.testbed, f->path);
	conversation_free(&c);
}

static struct criterion_test_params find_files(bool all)
{
	static struct file files[MOST_CONVERSATIONS];
	const char *only = env_get("T1"), *every = env_get("ECHO_EVERY");
	unsigned echo_every = 1;
	size_t n, kept = 0, found = 0;
	char **names = folder_names("tests/conversations", &n);

	if (!only && every &&
	    !num_parse_uint(span_of(every), 1, MOST_CONVERSATIONS, &echo_every))
		BUG("ECHO_EVERY is a number");
	for (size_t i = 0; i < n && kept < MOST_CONVERSATIONS; i++) {
		if (names[i][0] >= '0' && names[i][0] <= '9' && strstr(names[i], ".txt") &&
		    (!only || strncmp(names[i], only, strlen(only)) == 0)) {
			snprintf(files[kept].path, sizeof(files->path),
			         "tests/conversations/%s", names[i]);
			files[kept].echoes = (found++) % echo_every == 0;
			kept += all || files[kept].echoes;
		}
		free(names[i]);
	}
	free(names);
	return cr_make_param_array(struct file, files, kept);
}

ParameterizedTestParameters(conversations, a_conversation_goes_as_written)
{
	return find_files(true);
}

ParameterizedTest(struct file *f, conversations, a_conversation_goes_as_written)
{
	play(f);
}

ParameterizedTestParameters(conversations, no_line_is_wider_than_its_reader_wants)
{
	return find_files(false);
}

ParameterizedTest(struct file *f, conversations, no_line_is_wider_than_its_reader_wants)
{
	struct conversation c;

	if (on_postgresql())
		return;
	scratch_in_memory();
	conversation_play_narrow(&c, f->path, NARROW_COLS);
	cr_expect_eq(c.problem.len, 0, "lines of more than %d columns\n%s", NARROW_COLS,
	             c.problem.ptr);
	conversation_free(&c);
}
