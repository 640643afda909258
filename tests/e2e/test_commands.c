/*
 * test_commands.c - the command line itself: making a server, help, mistakes, exit codes.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/cli/command_line.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"

/* ---- init ---- */

static void init(struct testbed *s, const char *dir, int code, const char *text)
{
	const char *argv[] = {"init", "--address", "moles@example.org", dir, NULL};
	struct ran r;

	testbed_exec(s, argv, NULL, &r);
	cr_assert_eq(r.code, code, "init %s: %d: %s%s", dir, r.code, r.out.ptr, r.err.ptr);
	cr_assert(strstr(r.out.ptr, text) || strstr(r.err.ptr, text), "%s%s", r.out.ptr,
	          r.err.ptr);
	ran_release(&r);
}

Test(init, makes_a_server_that_is_healthy_and_private)
{
	struct testbed *s = testbed_new("fresh");
	const char *const files[] = {"molepost.conf", "molepost.key", "molepost.db",
	                             "mail",          "outbox",       "spool"};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		char *path = testbed_path(s, files[i]);
		struct stat st;

		cr_assert_eq(stat(path, &st), 0, "%s", path);
		cr_assert_eq(st.st_mode & 077, 0, "%s is open to others", path);
		free(path);
	}
	expect(s, "doctor", 0, "All is well");
	expect(s, "run", 0, NULL);
	expect(s, "fsck", 0, "sound");
	testbed_free(s);
}

Test(init, a_second_time_changes_nothing)
{
	struct testbed *s = testbed_new("twice");
	char *before = fingerprint_of(s, ""), *after;

	init(s, s->dir, 65, "nothing was changed");
	after = fingerprint_of(s, "");
	cr_assert_str_eq(before, after);
	free(before);
	free(after);
	testbed_free(s);
}

Test(init, takes_folders_with_odd_names)
{
	static const char *const names[] = {"with space", "-dash", "ünicode",
	                                    "a'b\"c",     "x;y",   "slash///"};
	struct testbed *s = testbed_new_empty("odd");

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		free(s->dir);
		s->dir = scratch_path(s->scratch, names[i]);
		init(s, s->dir, 0, "is ready");
		expect(s, "doctor", 0, "All is well");
		testbed_write(s, "ann", "list");
		cr_assert_eq(testbed_run(s), 1, "%s", names[i]);
	}
	testbed_free(s);
}

Test(init, takes_an_existing_folder_and_leaves_what_is_in_it)
{
	struct testbed *s = testbed_new_empty("existing");
	char *note;

	cr_assert_eq(mkdir(s->dir, 0700), 0);
	note = testbed_path(s, "note");
	cr_assert_eq(file_create(note, SPAN_LIT("mine"), NULL), ERR_NONE);
	init(s, s->dir, 0, "is ready");
	cr_assert(file_has(s, "note", "mine"));
	free(note);
	testbed_free(s);
}

Test(init, says_why_it_cannot)
{
	struct testbed *s = testbed_new_empty("cannot");
	char *file = scratch_path(s->scratch, "file"),
	     *deep = scratch_path(s->scratch, "no/such");

	cr_assert_eq(file_create(file, SPAN_LIT(""), NULL), ERR_NONE);
	init(s, file, 65, "is no folder");
	init(s, deep, 65, "No such file");
	init(s, "", 64, "usage: molepost init");
	expect(s, "init", 64, "usage: molepost init");
	expect(s, "init --address", 64, "usage: molepost init");
	expect(s, "init a b", 64, "usage: molepost init");
	free(file);
	free(deep);
	testbed_free(s);
}

Test(init, refuses_an_address_or_instance_before_anything_is_made)
{
	struct testbed *s = testbed_new_empty("refuses");
	const char *const bad[][2] = {{"--address", "nonsense"},
	                              {"--address", "a b@c"},
	                              {"--address", "x@y\nsource = z"},
	                              {"--instance", "No"},
	                              {"--instance", ""}};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const char *argv[] = {"init", bad[i][0], bad[i][1], s->dir, NULL};
		struct ran r;

		testbed_exec(s, argv, NULL, &r);
		cr_assert_eq(r.code, 78, "%s: %d", bad[i][1], r.code);
		cr_assert_not_null(strstr(r.err.ptr, "molepost.conf (not written):"), "%s",
		                   r.err.ptr);
		cr_assert_not(file_exists(s->dir), "%s", bad[i][1]);
		ran_release(&r);
	}
	testbed_free(s);
}

Test(init, writes_the_instance_and_address_it_was_given)
{
	struct testbed *s = testbed_new_empty("given");
	const char *argv[] = {"init",      s->dir,        "--instance", "den-2",
	                      "--address", "m@x.example", NULL};
	struct ran r;

	testbed_exec(s, argv, NULL, &r);
	cr_assert_eq(r.code, 0, "%s", r.err.ptr);
	cr_assert(file_has(s, "molepost.conf", "instance = den-2\n"));
	cr_assert(file_has(s, "molepost.conf", "address = m@x.example\n"));
	ran_release(&r);
	testbed_write(s, "ann", "list");
	testbed_run(s);
	cr_assert_not_null(strstr(s->posts[0]->message_id, ".den-2@x.example>"));
	testbed_free(s);
}

Test(init, makes_no_server_where_it_may_not_write)
{
	struct testbed *s = testbed_new_empty("no rights");

	testbed_without_rights(s);
	init(s, "/usr/molepost-test", 75, "Permission denied");
	testbed_free(s);
}

/* ---- help and mistakes ---- */

Test(help, is_there_for_every_command_and_behind_any_word)
{
	struct testbed *s = testbed_new("help");
	struct ran r;

	for (size_t i = 0; cli_at(i); i++) {
		const char *name = cli_at(i)->name;
		const char *argv[] = {name, "--help", NULL},
			   *behind[] = {name, "x", "-h", NULL};

		testbed_exec(s, argv, NULL, &r);
		cr_assert_eq(r.code, 0, "%s", name);
		cr_assert_not_null(strstr(r.out.ptr, cli_at(i)->usage));
		cr_assert_eq(r.err.len, 0);
		ran_release(&r);
		testbed_exec(s, behind, NULL, &r);
		cr_assert_eq(r.code, 0, "%s", name);
		ran_release(&r);
	}
	expect(s, "--help", 0, "backup     copy the database");
	expect(s, "-h", 0, "Commands:");
	testbed_do(s, "--version", NULL, &r);
	cr_assert_eq(strncmp(r.out.ptr, "molepost ", 9), 0, "%s", r.out.ptr);
	cr_assert_null(strstr(r.out.ptr, "unknown"), "%s", r.out.ptr);
	ran_release(&r);
	testbed_free(s);
}

Test(mistakes, end_with_64_and_say_how_it_is_done)
{
	static const char *const cases[][2] = {
	    {"frobnicate", "unknown command 'frobnicate'; see molepost --help"},
	    {"gmae list", "did you mean 'game'?"},
	    {"docter", "did you mean 'doctor'?"},
	    {"test-neww", "unknown command"},
	    {"--bogus", "unknown option '--bogus'"},
	    {"run --fast", "usage: molepost run"},
	    {"run --dry-run --reread", "usage: molepost run"},
	    {"run --dry-run --take-over", "usage: molepost run"},
	    {"receive now", "usage: molepost receive"},
	    {"game", "usage: molepost game"},
	    {"game lst", "usage: molepost game"},
	    {"game show", "usage: molepost game"},
	    {"game show nonsense", "usage: molepost game"},
	    {"game new", "usage: molepost game"},
	    {"player", "usage: molepost player"},
	    {"player kick ann", "usage: molepost player"},
	    {"archive", "usage: molepost archive"},
	    {"archive nonsense", "usage: molepost archive"},
	    {"replay --turn", "usage: molepost replay"},
	    {"replay --turn -1", "usage: molepost replay"},
	    {"replay --seat 0", "usage: molepost replay"},
	    {"verify --key nonsense", "usage: molepost verify"},
	    {"verify a b", "usage: molepost verify"},
	    {"fsck now", "usage: molepost fsck"},
	    {"backup", "usage: molepost backup"},
	    {"doctor me", "usage: molepost doctor"},
	    {"why", "usage: molepost why"},
	};
	struct testbed *s = testbed_new("mistakes");

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect(s, cases[i][0], 64, cases[i][1]);
	testbed_free(s);
}

Test(mistakes, about_things_that_are_not_there_end_with_65)
{
	static const char *const cases[][2] = {
	    {"game show W9", "no game number 9"},
	    {"game hold W9", "no game number 9"},
	    {"game resume 9", "no game number 9"},
	    {"game new nonsense", "kind of game"},
	    {"game new whakka mole players 99", "from 2 to 8"},
	    {"game new whakka mole colour=red", "no option"},
	    {"player show 9", "no player '9'"},
	    {"player block a@b.c", "no player 'a@b.c'"},
	    {"archive W9", "no game number 9"},
	    {"verify no-such-file", "no-such-file"},
	    {"replay no-such-file", "no-such-file"},
	    {"why nothing@nowhere", "no mail with this Message-ID"},
	};
	struct testbed *s = testbed_new("missing");

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect(s, cases[i][0], 65, cases[i][1]);
	testbed_free(s);
}

Test(folder, is_taken_from_the_environment_when_c_is_not_given)
{
	struct testbed *s = testbed_new("environment");
	struct strbuf setting = STRBUF_INIT;
	FILE *out;
	char line[256] = "";

	strbuf_addf(&setting, "MOLEPOST_DIR='%s' '%s' game new whakka mole players 3", s->dir,
	            s->program);
	out = popen(setting.ptr, "r");
	cr_assert_not_null(out);
	cr_assert_not_null(fgets(line, sizeof(line), out));
	cr_assert_not_null(strstr(line, "W1 is open for 3 players"), "%s", line);
	cr_assert_eq(pclose(out), 0);
	expect(s, "game list", 0, "W1");
	strbuf_release(&setting);
	testbed_free(s);
}

/* ---- configuration ---- */

Test(configuration, errors_name_file_and_line_in_every_command)
{
	static const char *const commands[] = {"run",  "doctor",     "game list", "player list",
	                                       "fsck", "archive W1", "why x",     "backup x"};
	struct testbed *s = testbed_new("configuration");

	testbed_configure(s, "soruce = maildir:mail");
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		expect(s, commands[i], 78, "molepost.conf:");
	expect(s, "run", 78, "unknown key 'soruce'; did you mean 'source'?");
	/* A mail server must keep the mail until this is mended. */
	expect(s, "receive", 75, "unknown key 'soruce'");
	testbed_free(s);
}

Test(configuration, of_a_scheme_this_program_cannot_is_refused_by_name)
{
	struct testbed *s = testbed_new("scheme");

	testbed_configure(s, "source = imaps://moles@mail.example.org/INBOX");
	struct ran r;
	testbed_do(s, "run", NULL, &r);
	cr_assert_neq(r.code, 0);
	cr_assert_not_null(strstr(r.err.ptr, "imaps"), "%s", r.err.ptr);
	ran_release(&r);
	expect(s, "doctor", 65, "imaps");
	testbed_free(s);
}

Test(configuration, that_is_missing_is_said_with_the_path)
{
	struct testbed *s = testbed_new_empty("missing");

	cr_assert_eq(mkdir(s->dir, 0700), 0);
	expect(s, "run", 65, "molepost.conf");
	expect(s, "doctor", 65, "molepost init DIR");
	testbed_free(s);
}
