/*
 * test_misconfigured.c - what doctor and run say of a server that somebody has set up wrongly.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "processor/base/file.h"
#include "tests/support/crowd.h"
#include "tests/support/table.h"

static void set_mode(struct testbed *s, const char *name, mode_t mode)
{
	char *path = testbed_path(s, name);

	cr_assert_eq(chmod(path, mode), 0);
	free(path);
}

Test(misconfigured, is_told_to_programs_as_objects)
{
	struct testbed *s = testbed_new("json");

	set_mode(s, ".", 0777);
	expect(s, "doctor --json", 65,
	       "{\"level\":\"PROBLEM\",\"what\":\"folder\",\"detail\":\"other users may write "
	       "in ");
	expect(s, "doctor --json", 65, "\",\"mend\":\"chmod go-w ");
	set_mode(s, ".", 0700);
	expect(s, "doctor --json", 0, "{\"level\":\"ok\",\"what\":\"sink\",");
	char *out = output_of(s, "doctor --json");
	for (const char *line = out; *line; line = strchr(line, '\n') + 1)
		cr_expect(*line == '{' && strchr(line, '\n')[-1] == '}', "%s", line);
	free(out);
	testbed_free(s);
}

/* As some editors put it there. */
Test(misconfigured, a_mark_of_byte_order_is_passed_over)
{
	struct testbed *s = testbed_new("mark");
	char *path = testbed_path(s, "molepost.conf");
	struct strbuf text = STRBUF_INIT;

	strbuf_adds(&text, "\xef\xbb\xbf");
	cr_assert_eq(file_read(path, 1 << 20, &text, NULL), ERR_NONE);
	cr_assert_eq(unlink(path), 0);
	cr_assert_eq(file_create(path, strbuf_span(&text), NULL), ERR_NONE);
	expect(s, "doctor", 0, "All is well.");
	expect(s, "run", 0, NULL);
	strbuf_release(&text);
	free(path);
	testbed_free(s);
}

/* The file is as old as the server may be; the program is new. */
Test(misconfigured, a_key_of_before_stops_nothing)
{
	struct testbed *s = testbed_new("of before");

	testbed_configure(s, "receipts_per_day = 200");
	testbed_configure(s, "answers_per_domain = 80");
	testbed_write(s, "ann", "help");
	cr_expect_eq(testbed_run(s), 1);
	expect(s, "doctor", 0, "the key 'receipts_per_day' is gone and was ignored");
	expect(s, "doctor", 0, "to mend it: take the line out");
	expect(s, "doctor", 0, "All is well.");
	testbed_free(s);
}

Test(misconfigured, another_name_for_a_server_that_has_sent_mail)
{
	struct testbed *s = testbed_new("renamed");
	char *path = testbed_path(s, "molepost.conf");
	struct strbuf text = STRBUF_INIT, changed = STRBUF_INIT;
	struct span rest, line;

	testbed_write(s, "ann", "help");
	testbed_run(s);
	cr_assert_eq(file_read(path, 1 << 20, &text, NULL), ERR_NONE);
	rest = strbuf_span(&text);
	while (span_next_line(&rest, &line)) {
		if (span_starts(line, "instance"))
			line = SPAN_LIT("instance = other");
		strbuf_add_span(&changed, line);
		strbuf_addc(&changed, '\n');
	}
	cr_assert_eq(unlink(path), 0);
	cr_assert_eq(file_create(path, strbuf_span(&changed), NULL), ERR_NONE);
	expect(s, "run", 78, "molepost.conf calls it \"other\"");
	expect(s, "doctor", 78, "write instance = ");
	cr_assert_eq(unlink(path), 0);
	cr_assert_eq(file_create(path, strbuf_span(&text), NULL), ERR_NONE);
	expect(s, "run", 0, NULL);
	strbuf_release(&changed);
	strbuf_release(&text);
	free(path);
	testbed_free(s);
}

/* After somebody has copied it as root. */
Test(misconfigured, a_database_of_another_user)
{
	struct testbed *s = testbed_new("owner");
	char *path = testbed_path(s, "molepost.db");

	if (geteuid() != 0) {
		testbed_free(s);
		free(path);
		cr_skip_test("only root can give a file away");
		return;
	}
	expect(s, "run", 0, NULL);
	crowd_sql(s, "PRAGMA wal_checkpoint(TRUNCATE)");
	testbed_without_rights(s);
	expect(s, "doctor", 0, "All is well.");
	testbed_stays_without_rights(s);
	cr_assert_eq(chown(path, 0, 0), 0);
	cr_assert_eq(chmod(path, 0644), 0);
	expect(s, "run", 78, "belongs to user 0, and this runs as user ");
	expect(s, "doctor", 65, "belongs to user 0, its folder to user ");
	expect(s, "doctor", 65, "to mend it: chown ");
	cr_assert_eq(chmod(path, 0600), 0);
	expect(s, "doctor", 78, "by chown");
	free(path);
	testbed_free(s);
}

/* ---- the name of the machine ---- */

/* As a container has, whose host name is another at each start. */
Test(misconfigured, a_file_that_names_the_machine)
{
	struct testbed *s = testbed_new("host id");
	char *path = testbed_path(s, "machine");

	crowd_sql(s, "UPDATE server SET host = 'f3b0c9a1'");
	expect(s, "run", 78, "belongs to the host 'f3b0c9a1'");
	testbed_configure(s, "host_id = machine");
	expect(s, "run", 78, "host_id: ");
	cr_assert_eq(file_create(path, SPAN_LIT("\n"), NULL), ERR_NONE);
	expect(s, "run", 78, "there is nothing in machine");
	cr_assert_eq(unlink(path), 0);
	cr_assert_eq(file_create(path, SPAN_LIT("f3b0c9a1\n"), NULL), ERR_NONE);
	expect(s, "run", 0, NULL);
	expect(s, "doctor", 0, "All is well");
	free(path);
	testbed_free(s);
}

/* ---- a unit that does not fit ---- */

static void expect_unit(struct testbed *s, const char *unit, int code, const char *text)
{
	char *path = testbed_path(s, "molepost.service");
	struct strbuf words = STRBUF_INIT;

	(void)unlink(path);
	cr_assert_eq(file_create(path, span_of(unit), NULL), ERR_NONE);
	strbuf_addf(&words, "doctor --unit %s", path);
	expect(s, words.ptr, code, text);
	strbuf_release(&words);
	free(path);
}

Test(misconfigured, a_unit_that_does_not_let_it_work)
{
	struct testbed *s = testbed_new("unit");
	struct strbuf unit = STRBUF_INIT, words = STRBUF_INIT;

	strbuf_addf(&unit,
	            "[Service]\n# a comment\nExecStart=%s -C %s run\nNoNewPrivileges=yes\n"
	            "ProtectSystem=strict\nReadWritePaths=/srv %s\n",
	            s->program, s->dir, s->scratch);
	expect_unit(s, unit.ptr, 0, "All is well");
	testbed_sink(s, "sendmail:/bin/true");
	expect_unit(s, unit.ptr, 65, "and the unit forbids it (NoNewPrivileges=yes)");
	expect_unit(s, unit.ptr, 65, "to mend it: sink = smtp://127.0.0.1");
	strbuf_adds(&unit, "NoNewPrivileges=\nNoNewPrivileges=no\n");
	testbed_sink(s, "maildir:outbox");
	strbuf_adds(&unit, "ReadWritePaths=\nReadWritePaths=/srv\n");
	expect_unit(s, unit.ptr, 65, "a run could not write to ");
	strbuf_adds(&unit, "ProtectSystem=\nUser=nobody-of-that-name\n");
	expect_unit(s, unit.ptr, 65, "there is no user 'nobody-of-that-name'");
	expect_unit(s, "[Service]\nExecStart=/no/such/molepost run\n", 65,
	            "it starts \"/no/such/molepost\", which is not there");
	strbuf_addf(&words, "[Service]\nExecStart=%s -C /elsewhere run\n", s->program);
	expect_unit(s, words.ptr, 65, "it runs another server than ");
	expect(s, "doctor --unit /no/such/unit", 65, "no/such/unit");
	expect(s, "doctor --unit", 64, "usage");
	strbuf_release(&words);
	strbuf_release(&unit);
	testbed_free(s);
}
