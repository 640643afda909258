/*
 * test_err.c - errors, diagnostics and log lines.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/diag.h"
#include "processor/base/err.h"
#include "processor/base/log.h"

Test(err, keeps_the_last_story_and_returns_the_code)
{
	struct failure e = ERR_INIT;

	cr_assert_eq(err_set(&e, ERR_CORRUPT, "game %s", "W17"), ERR_CORRUPT);
	cr_assert_str_eq(e.text.ptr, "game W17");
	cr_assert_eq(err_set(&e, ERR_LIMIT, "not so: %s", e.text.ptr), ERR_LIMIT);
	cr_assert_str_eq(e.text.ptr, "not so: game W17");
	cr_assert_eq(err_context(&e, "turn %d", 4), ERR_LIMIT);
	cr_assert_str_eq(e.text.ptr, "turn 4: not so: game W17");
	err_clear(&e);
	cr_assert_eq(e.code, ERR_NONE);
	cr_assert_str_eq(e.text.ptr, "");
	err_release(&e);
}

Test(err, works_without_a_place_for_the_story)
{
	errno = ENOSPC;
	cr_assert_eq(err_set_errno(NULL, ERR_IO, "x"), ERR_FULL);
	cr_assert_eq(err_set(NULL, ERR_BUSY, "x"), ERR_BUSY);
	cr_assert_eq(err_context(NULL, "x"), ERR_IO);
}

Test(err, names_what_the_system_said_and_knows_a_full_disk)
{
	struct failure e = ERR_INIT;

	errno = ENOENT;
	cr_assert_eq(err_set_errno(&e, ERR_IO, "cannot open %s", "x"), ERR_IO);
	cr_assert_str_eq(e.text.ptr, "cannot open x: No such file or directory");
	cr_assert_eq(errno, ENOENT);
	errno = EDQUOT;
	cr_assert_eq(err_set_errno(&e, ERR_IO, "cannot write"), ERR_FULL);
	cr_assert_eq(e.code, ERR_FULL);
	err_release(&e);
}

Test(err, every_code_has_its_own_name_and_an_exit_code)
{
	for (int a = ERR_NONE; a <= ERR_CRASHED; a++) {
		for (int b = ERR_NONE; b < a; b++)
			cr_assert_str_neq(err_name((enum err)a), err_name((enum err)b));
		cr_assert_eq(err_exit_code((enum err)a) == EXIT_DONE, a == ERR_NONE,
		             "work undone must never leave with 0");
	}
	cr_assert_eq(err_exit_code(ERR_FULL), EXIT_LATER);
	cr_assert_eq(err_exit_code(ERR_CONFIG), EXIT_CONFIG);
	cr_assert_eq(err_exit_code(ERR_CORRUPT), EXIT_DATA);
}

Test(err, a_bug_aborts, .signal = SIGABRT)
{
	BUG("the mole is in hole %d", 13);
}

Test(err, a_condition_that_does_not_hold_aborts, .signal = SIGABRT)
{
	ENSURE(1 + 1 == 3);
}

Test(diags, hold_copies_of_what_they_are_given)
{
	struct diags d = DIAGS_INIT;
	char line[] = "wack 5", example[] = "WHACK 5";

	diags_add(&d, DIAG_ERROR, 3, 1, span_slice(span_of(line), 0, 4), example,
	          "\"%s\" is no order.", line);
	memset(line, 'x', sizeof(line) - 1);
	memset(example, 'x', sizeof(example) - 1);
	cr_assert_eq(d.count, 1);
	cr_assert_str_eq(d.items[0].quoted, "wack");
	cr_assert_str_eq(d.items[0].example, "WHACK 5");
	cr_assert_str_eq(d.items[0].message, "\"wack 5\" is no order.");
	cr_assert_eq(d.items[0].line, 3);
	cr_assert_eq(d.items[0].column, 1);
	diags_add(&d, DIAG_NOTE, 0, 0, SPAN_EMPTY, NULL, "Noted.");
	cr_assert_str_eq(d.items[1].quoted, "");
	cr_assert_str_eq(d.items[1].example, "");
	diags_release(&d);
	cr_assert_eq(d.count, 0);
}

Test(diags, are_counted_by_level)
{
	struct diags d = DIAGS_INIT;

	diags_add(&d, DIAG_IGNORED, 1, 0, SPAN_EMPTY, "", "Prose.");
	diags_add(&d, DIAG_WARNING, 2, 0, SPAN_EMPTY, "", "Odd.");
	cr_assert_not(diags_has_errors(&d));
	diags_add(&d, DIAG_ERROR, 3, 0, SPAN_EMPTY, "", "Wrong.");
	cr_assert(diags_has_errors(&d));
	cr_assert_eq(diags_count(&d, DIAG_WARNING), 1);
	cr_assert_eq(diags_count(&d, DIAG_NOTE), 0);
	diags_clear(&d);
	cr_assert_not(diags_has_errors(&d));
	diags_release(&d);
}

Test(diags, every_level_has_a_name)
{
	cr_assert_str_eq(diag_level_name(DIAG_IGNORED), "ignored");
	cr_assert_str_eq(diag_level_name(DIAG_NOTE), "note");
	cr_assert_str_eq(diag_level_name(DIAG_WARNING), "warning");
	cr_assert_str_eq(diag_level_name(DIAG_ERROR), "error");
}

struct capture {
	struct log log;
	char *text;
	size_t len;
};

static void capture_start(struct capture *c, enum log_level show)
{
	memset(c, 0, sizeof(*c));
	c->log.out = open_memstream(&c->text, &c->len);
	c->log.show = show;
}

static void capture_expect(struct capture *c, const char *expected)
{
	fclose(c->log.out);
	cr_assert_str_eq(c->text, expected);
	free(c->text);
}

Test(log, shows_its_level_and_those_that_matter_more)
{
	struct capture c;

	capture_start(&c, LOG_INFO);
	log_warnx(&c.log, "game %s is held", "W17");
	log_info(&c.log, "three mails");
	log_debug(&c.log, "not shown");
	cr_assert_eq(c.log.warnings, 1);
	capture_expect(&c, "molepost: game W17 is held\nmolepost: three mails\n");
}

Test(log, a_warning_can_say_what_the_system_said)
{
	struct capture c;

	capture_start(&c, LOG_WARN);
	errno = EACCES;
	log_warn(&c.log, "cannot read %s", "x");
	cr_assert_eq(errno, EACCES);
	log_info(&c.log, "not shown");
	capture_expect(&c, "molepost: cannot read x: Permission denied\n");
}

Test(log, outside_text_cannot_forge_a_second_line)
{
	struct capture c;

	capture_start(&c, LOG_WARN);
	log_warnx(&c.log, "mail %s", "x\nmolepost: all is well\x1b[2J");
	capture_expect(&c, "molepost: mail x?molepost: all is well?[2J\n");
}
