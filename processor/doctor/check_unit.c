/*
 * check_unit.c - `molepost doctor --unit FILE`: a systemd unit against the configuration.
 *
 * Read as systemd does as far as it goes here: "Key=value" lines, comments with # or ;, a key without a
 * value takes back what was said before, and a list may be said in several lines.
 */
#include "processor/doctor/doctor.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "processor/base/file.h"

enum { LONGEST = 65536 };

/* All values of a key, with a blank between. */
static const char *value_of(struct doctor *d, struct span text, const char *key)
{
	struct strbuf all = STRBUF_INIT;
	struct span line, name;

	while (span_next_line(&text, &line)) {
		struct span value = span_trim(line);

		if (value.len == 0 || value.ptr[0] == '#' || value.ptr[0] == ';' ||
		    !span_next_field(&value, '=', &name) || !span_eq_str(span_trim(name), key))
			continue;
		value = span_trim(value);
		if (value.len == 0)
			strbuf_clear(&all);
		else
			strbuf_addf(&all, "%s%.*s", all.len > 0 ? " " : "", SPAN_ARGS(value));
	}
	const char *out = arena_strdup(d->srv.arena, all.ptr ? all.ptr : "");
	strbuf_release(&all);
	return out;
}

static bool is_yes(const char *value)
{
	return strcmp(value, "yes") == 0 || strcmp(value, "true") == 0 ||
	       strcmp(value, "on") == 0 || strcmp(value, "1") == 0;
}

/* Whether `path` is one of the folders, or lies in one. */
static bool is_within(struct span folders, const char *path)
{
	struct span folder;

	while (span_next_word(&folders, " ", &folder)) {
		while (folder.len > 0 && strchr("-+", folder.ptr[0]))
			folder = span_slice(folder, 1, folder.len);
		if (strncmp(path, folder.ptr, folder.len) == 0 &&
		    (path[folder.len] == '/' || path[folder.len] == '\0'))
			return true;
	}
	return false;
}

/* As systemd sees it, which knows no present folder. */
static const char *absolute(struct doctor *d, const char *path)
{
	char *real = realpath(path, NULL);
	const char *out = arena_strdup(d->srv.arena, real ? real : path);

	free(real);
	return out;
}

static void check_program(struct doctor *d, struct span text)
{
	struct span words = span_of(value_of(d, text, "ExecStart")), program;
	struct stat st;

	if (!span_next_word(&words, " ", &program) ||
	    stat(arena_cstr(d->srv.arena, program), &st) != 0)
		doctor_problem(d, "unit", "name the installed program in ExecStart=",
		               "it starts \"%.*s\", which is not there", SPAN_ARGS(program));
	else if (span_find(words, span_of(absolute(d, d->srv.cfg.dir))) == words.len)
		doctor_problem(d, "unit",
		               arena_printf(d->srv.arena, "ExecStart=%.*s -C %s run",
		                            SPAN_ARGS(program), absolute(d, d->srv.cfg.dir)),
		               "it runs another server than %s", absolute(d, d->srv.cfg.dir));
}

static void check_user(struct doctor *d, struct span text)
{
	const char *user = value_of(d, text, "User");
	struct passwd *p = getpwnam(*user ? user : "root");
	struct stat st;

	if (!p)
		doctor_problem(d, "unit",
		               "make the user (systemd-sysusers), or name another in User=",
		               "there is no user '%s'", user);
	else if (stat(d->srv.cfg.dir, &st) == 0 && st.st_uid != p->pw_uid)
		doctor_problem(d, "unit",
		               "name its owner in User=", "%s is not the folder of '%s'",
		               d->srv.cfg.dir, p->pw_name);
}

/* A program that hands mail to the local server needs the group it is set to. */
static void check_sink(struct doctor *d, struct span text)
{
	if (!span_starts(span_of(d->srv.cfg.sink), "sendmail:") ||
	    !is_yes(value_of(d, text, "NoNewPrivileges")))
		return;
	doctor_problem(d, "unit",
	               "sink = smtp://127.0.0.1 to the same server; or NoNewPrivileges=no, "
	               "RestrictSUIDSGID=no, and the queue's folder in ReadWritePaths=",
	               "sink = sendmail: starts a program with rights of its own, and the unit "
	               "forbids it (NoNewPrivileges=yes): no mail would leave");
}

static void check_folder_is_writable(struct doctor *d, struct span text, const char *path)
{
	const char *protect = value_of(d, text, "ProtectSystem");
	const char *home = value_of(d, text, "ProtectHome");

	if (strcmp(protect, "strict") == 0 &&
	    !is_within(span_of(value_of(d, text, "ReadWritePaths")), path))
		doctor_problem(d, "unit", arena_printf(d->srv.arena, "ReadWritePaths=%s", path),
		               "a run could not write to %s", path);
	if ((is_yes(home) || strcmp(home, "tmpfs") == 0) &&
	    is_within(SPAN_LIT("/home /root /run/user"), path))
		doctor_problem(d, "unit", "ProtectHome=no, or a folder below /var/lib",
		               "%s is hidden by ProtectHome=", path);
}

static void check_folders(struct doctor *d, struct span text)
{
	const struct config *c = &d->srv.cfg;
	const char *dir = absolute(d, c->dir);
	static const char maildir[] = "maildir:";

	check_folder_is_writable(d, text, dir);
	for (size_t i = 0; i <= c->nsources; i++) {
		const char *url = i < c->nsources ? c->sources[i] : c->sink;

		if (!span_starts(span_of(url), maildir))
			continue;
		const char *path = absolute(d, doctor_path(d, url + strlen(maildir)));
		if (!is_within(span_of(dir), path))
			check_folder_is_writable(d, text, path);
	}
}

void doctor_check_unit(struct doctor *d, const char *path)
{
	struct strbuf text = STRBUF_INIT;
	unsigned before = d->problems;
	enum err rc = file_read(path, LONGEST, &text, &d->srv.fail);

	if (rc != ERR_NONE) {
		doctor_problem(d, "unit", "name the file of the unit", "%s",
		               server_why(&d->srv, rc));
	} else {
		check_program(d, strbuf_span(&text));
		check_user(d, strbuf_span(&text));
		check_sink(d, strbuf_span(&text));
		check_folders(d, strbuf_span(&text));
	}
	if (d->problems == before)
		doctor_ok(d, "unit", "%s", path);
	strbuf_release(&text);
}
