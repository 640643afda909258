/*
 * test_install.c - `make install` puts a program down that works where it was put.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "processor/base/env.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/subprocess.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"

/* Runs a target with this DESTDIR; what it says, which is shown when it fails. */
static void make_saying(const char *target, const char *destdir, struct strbuf *said)
{
	const char *build = env_get("MOLEPOST_BUILD");
	struct strbuf command = STRBUF_INIT;
	char line[1024];
	FILE *out;

	/* Locked: two of them at once would build the same files. */
	build = build ? build : "build";
	strbuf_addf(
	    &command,
	    "DEPS=skip flock %s/install.lock make %s DESTDIR='%s' PREFIX=/usr BUILD='%s' 2>&1",
	    build, target, destdir, build);
	out = popen(command.ptr, "r");
	cr_assert_not_null(out);
	while (fgets(line, sizeof(line), out))
		strbuf_adds(said, line);
	cr_assert_eq(pclose(out), 0, "%s", said->ptr);
	strbuf_release(&command);
}

static void make(const char *target, const char *destdir)
{
	struct strbuf said = STRBUF_INIT;

	make_saying(target, destdir, &said);
	strbuf_release(&said);
}

static bool is_there(const char *root, const char *name, unsigned mode)
{
	char *path = scratch_path(root, name);
	struct stat st;
	bool yes = stat(path, &st) == 0 && (st.st_mode & 0777) == mode;

	free(path);
	return yes;
}

Test(install, puts_program_manual_and_examples_in_place_and_uninstall_takes_them_away,
     .timeout = 600)
{
	static const char *const files[] = {
	    "usr/share/man/man1/molepost.1",
	    "usr/share/man/man5/molepost.conf.5",
	    "usr/share/man/man5/molepost-archive.5",
	    "usr/share/man/man7/molepost-orders.7",
	    "usr/share/man/man7/molepost-rules.7",
	    "usr/share/doc/molepost/README.md",
	    "usr/share/doc/molepost/examples/molepost.conf",
	    "usr/share/doc/molepost/examples/molepost.cron",
	    "usr/share/doc/molepost/examples/molepost.service",
	    "usr/share/doc/molepost/examples/molepost.timer",
	    "usr/share/doc/molepost/CHANGES",
	    "usr/share/doc/molepost/verify-3-convicts.png",
	    "usr/share/bash-completion/completions/molepost",
	    "usr/share/zsh/vendor-completions/_molepost",
	    "usr/share/fish/vendor_completions.d/molepost.fish",
	    "usr/lib/systemd/system/molepost.timer",
	    "usr/lib/systemd/system/molepost.path",
	    "usr/lib/systemd/system/molepost-wait.service",
	    "usr/lib/sysusers.d/molepost.conf",
	    "usr/lib/tmpfiles.d/molepost.conf",
	};
	char *root = scratch_new(), *left = scratch_path(root, "usr");

	make("install", root);
	cr_assert(is_there(root, "usr/bin/molepost", 0755));
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		cr_assert(is_there(root, files[i], 0644), "%s", files[i]);
	make("uninstall", root);
	cr_expect_neq(access(left, F_OK), 0, "something is left below %s", left);
	free(left);
	scratch_remove(root);
}

static void expect_line(const char *root, const char *name, const char *line)
{
	char *path = scratch_path(root, name);
	struct strbuf text = STRBUF_INIT;

	cr_assert_eq(file_read(path, 1 << 20, &text, NULL), ERR_NONE, "%s", path);
	cr_expect_not_null(strstr(text.ptr, line), "%s: %s", name, text.ptr);
	strbuf_release(&text);
	free(path);
}

/* The unit names the program and the user that were installed, and a changed place of its own. */
Test(install, makes_units_for_what_it_installs, .timeout = 600)
{
	char *root = scratch_new();

	make("install UNITUSER=games SYSTEMDDIR=/etc/systemd/system MANDIR=/man", root);
	expect_line(root, "etc/systemd/system/molepost.service",
	            "\nExecStart=/usr/bin/molepost -C /var/lib/molepost run\n");
	expect_line(root, "etc/systemd/system/molepost.service", "\nUser=games\n");
	expect_line(root, "usr/lib/sysusers.d/molepost.conf", "\nu games - ");
	expect_line(root, "usr/lib/tmpfiles.d/molepost.conf",
	            "\nd /var/lib/molepost 0700 games games -\n");
	expect_line(root, "man/man1/molepost.1", ".Nm molepost");
	scratch_remove(root);
}

/* Every command of --help can be completed, in three shells. */
Test(install, completions_know_every_command, .timeout = 60)
{
	static const char *const files[] = {"processor/man/completions/molepost.bash",
	                                    "processor/man/completions/_molepost",
	                                    "processor/man/completions/molepost.fish"};
	struct testbed *s = testbed_new_empty(NULL);
	char *help = output_of(s, "--help");
	struct span rest = span_of(strstr(help, "Commands:\n")), line, word;

	(void)span_next_line(&rest, &line);
	while (span_next_line(&rest, &line) && span_next_word(&line, " ", &word))
		for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
			struct strbuf text = STRBUF_INIT;

			cr_assert_eq(file_read(files[i], 1 << 16, &text, NULL), ERR_NONE);
			cr_expect_lt(span_find(strbuf_span(&text), word), text.len, "%s: %.*s",
			             files[i], SPAN_ARGS(word));
			strbuf_release(&text);
		}
	cr_expect_eq(system("bash -c '. processor/man/completions/molepost.bash;"
	                    " COMP_WORDS=(molepost -C /x ke) COMP_CWORD=3; _molepost;"
	                    " [ \"${COMPREPLY[*]}\" = key ] &&"
	                    " COMP_WORDS=(molepost key ro) COMP_CWORD=2; _molepost;"
	                    " [ \"${COMPREPLY[*]}\" = rotate ]'"),
	             0);
	free(help);
	testbed_free(s);
}

/* It played none for a while: it looked for a subject that mails no longer had. */
Test(install, make_demo_plays_a_game_to_its_end, .timeout = 600)
{
	struct strbuf said = STRBUF_INIT;

	make_saying("demo", "", &said);
	cr_expect_not_null(strstr(said.ptr, "what ann reads after turn 1"), "%s", said.ptr);
	cr_expect_not_null(strstr(said.ptr, "turn 2: "), "%s", said.ptr);
	cr_expect_not_null(strstr(said.ptr, " won "), "%s", said.ptr);
	cr_expect_not_null(strstr(said.ptr, "The game has ended."), "%s", said.ptr);
	size_t lines = 0;
	for (const char *c = said.ptr; *c; c++)
		lines += *c == '\n';
	cr_expect_leq(lines, 120 + 30, "%zu lines, with those of make", lines);
	strbuf_release(&said);
}

/*
 * Where nothing is installed that has "gcc" or "criterion" in its name, apt-get takes SLOW seconds to fetch and as many
 * to set up, and what root would leave on this machine goes nowhere. Returns the exit code.
 */
static int on_a_bare_machine(const char *command, struct strbuf *said)
{
	static const char script[] =
	    "folder=$1 command=$2\n"
	    "fake() { cat >\"$folder/$1\"; /bin/chmod 755 \"$folder/$1\"; }\n"
	    "echo '#!/bin/sh\ncase \"$*\" in *gcc | *criterion-dev) exit 1; esac; printf installed' | fake dpkg-query\n"
	    "echo '#!/bin/sh\ncase \"$*\" in *install*) sleep $SLOW; echo Get:1 gcc; sleep $SLOW; echo Setting up gcc; esac' |"
	    " fake apt-get\n"
	    "echo '#!/bin/sh\ncase \"$*\" in */criterion.h*) exit 1; esac; exec cc \"$@\"' | fake bare-cc\n"
	    "echo '#!/bin/sh\ncat >/dev/null' | fake tee\n"
	    "echo '#!/bin/sh\n' | fake chmod\n"
	    "echo '#!/bin/sh\nexec \"$@\"' | fake sudo\n"
	    "unset MAKEFLAGS MFLAGS MAKELEVEL; PATH=$folder:$PATH; eval \"$command\" 2>&1\n";
	char *folder = scratch_new();
	struct failure e = ERR_INIT;
	int code = -1;
	const char *const argv[] = {"/bin/sh", "-c", script, "sh", folder, command, NULL};

	cr_assert_eq(subprocess_run(argv, SPAN_EMPTY, 1 << 16, 200000, said, &code, &e),
	             ERR_NONE, "%s", e.text.ptr);
	scratch_remove(folder);
	return code;
}

static void expect_in(const struct strbuf *said, const char *text)
{
	cr_expect_not_null(strstr(said->ptr, text), "no \"%s\": %s", text, said->ptr);
}

Test(install, says_every_ten_seconds_how_far_packages_have_come, .timeout = 300)
{
	struct strbuf said = STRBUF_INIT;

	cr_expect_eq(on_a_bare_machine("SLOW=12 tests/support/deps.sh build", &said), 0);
	expect_in(&said,
	          "  gcc: the C compiler\ndeps: 10 s: 0 files fetched, 0 packages set up\n"
	          "deps: 20 s: 1 files fetched, ");
	strbuf_release(&said);
}

Test(install, says_on_a_terminal_every_second_how_far_packages_have_come, .timeout = 300)
{
	struct strbuf said = STRBUF_INIT;

	if (access("/usr/bin/script", X_OK) != 0)
		cr_skip_test("skipped: script is not installed");
	cr_expect_eq(on_a_bare_machine(
			 "SLOW=4 script -qec 'tests/support/deps.sh build' /dev/null", &said),
	             0);
	expect_in(&said, "\rdeps: 1 s: 0 files fetched, 0 packages set up ");
	expect_in(&said, "\rdeps: 2 s: 0 files");
	expect_in(&said, " s: 1 files fetched, 0 packages set up ");
	strbuf_release(&said);
}

Test(install, without_criterion_one_sentence_says_what_to_do, .timeout = 300)
{
	struct strbuf said = STRBUF_INIT;

	cr_expect_eq(on_a_bare_machine("make -n CC=bare-cc BUILD=none check", &said), 2);
	expect_in(
	    &said,
	    "Criterion, with which tests are built, is not installed: make deps-check lists "
	    "what is missing, make deps-test installs it.  Stop.\n");
	cr_expect_eq(strchr(said.ptr, '\n'), said.ptr + said.len - 1, "%s", said.ptr);
	strbuf_clear(&said);
	cr_expect_neq(on_a_bare_machine("make deps-check", &said), 0);
	expect_in(
	    &said,
	    "deps: missing here\n  gcc: the C compiler\n  libcriterion-dev: the test framework\n");
	cr_expect_null(strstr(said.ptr, "Get:"), "%s", said.ptr);
	strbuf_clear(&said);
	/* Who only builds does not need it. */
	cr_expect_eq(on_a_bare_machine("make -n CC=bare-cc BUILD=none", &said), 0, "%s",
	             said.ptr);
	strbuf_release(&said);
}

Test(install, the_example_unit_is_tightly_closed, .timeout = 60)
{
	char line[1024];
	double exposure = -1;
	FILE *out;

	if (access("/usr/bin/systemd-analyze", X_OK) != 0)
		cr_skip_test("there is no systemd-analyze here");
	out = popen("systemd-analyze security --offline=true "
	            "processor/man/examples/molepost.service 2>&1",
	            "r");
	cr_assert_not_null(out);
	while (fgets(line, sizeof(line), out)) {
		const char *at = strstr(line, "Overall exposure level");

		if (at && strchr(at, ':'))
			exposure = strtod(strchr(at, ':') + 1, NULL);
	}
	(void)pclose(out);
	if (exposure < 0)
		cr_skip_test("this systemd-analyze has no --offline");
	cr_expect_lt(exposure, 2.0);
}

/* The release program, with the real clock, far away from the sources. */
Test(install, the_installed_program_plays_a_game, .timeout = 600)
{
	struct testbed *s = testbed_new_empty(NULL);
	char *root = scratch_path(s->scratch, "root");
	const char *build = env_get("MOLEPOST_BUILD");
	char *version = scratch_path(build ? build : "build", "version");
	struct strbuf first = STRBUF_INIT;
	struct ran r;

	make("install", root);
	free(s->program);
	s->program = scratch_path(root, "usr/bin/molepost");
	s->now_utc = INT64_MIN;
	const char *init[] = {"init", "--address", "moles@example.org", s->dir, NULL};
	testbed_exec(s, init, NULL, &r);
	cr_assert_eq(r.code, 0, "%s", r.err.ptr);
	ran_release(&r);
	table_begin(s, "ann bob");
	table_order(s, "ann bob");
	cr_assert_eq(testbed_run(s), 2);
	expect(s, "game show W1", 0, "serial 2 is open");
	expect(s, "doctor", 0, "All is well");
	expect_sound(s);
	strbuf_adds(&first, "molepost ");
	cr_assert_eq(file_read(version, 1 << 10, &first, NULL), ERR_NONE);
	strbuf_adds(&first, "schema    ");
	expect(s, "--version", 0, first.ptr);
	expect(s, "--version", 0, "\nlibetpan  1.");
	strbuf_release(&first);
	free(version);
	free(root);
	testbed_free(s);
}

/* The example configuration is one, as it stands. */
Test(install, the_example_configuration_is_accepted, .timeout = 600)
{
	struct testbed *s = testbed_new("example");
	struct strbuf text = STRBUF_INIT;
	char *conf = testbed_path(s, "molepost.conf");

	cr_assert_eq(file_read("processor/man/examples/molepost.conf", 1 << 20, &text, NULL),
	             ERR_NONE);
	unlink(conf);
	cr_assert_eq(file_create(conf, strbuf_span(&text), NULL), ERR_NONE);
	expect(s, "doctor", 0, "All is well");
	strbuf_release(&text);
	free(conf);
	testbed_free(s);
}
