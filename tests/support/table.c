/*
 * table.c - games begun and commands expected, in a few words.
 */
#include "tests/support/table.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/seal.h"
#include "tests/support/scratch.h"
#include "tests/support/testbed_parts.h"

enum { FILE_MAX = 256 << 20 };

static bool next_person(struct span *rest, char *name, size_t size)
{
	struct span word;

	if (!span_next_word(rest, "", &word))
		return false;
	snprintf(name, size, "%.*s", SPAN_ARGS(word));
	return true;
}

/* The game in which this mail gave somebody a seat, out of its subject. */
static char *game_of(const struct post *p)
{
	const char *w = strstr(p->subject, "W");

	ENSURE(w != NULL);
	return strndup(w, 1 + strspn(w + 1, "0123456789"));
}

void table_found(struct testbed *s, const char *people, const char *create)
{
	struct span rest = span_of(people);
	struct strbuf text = STRBUF_INIT;
	char name[32], *game;

	ENSURE(next_person(&rest, name, sizeof(name)));
	testbed_write(s, name, create);
	testbed_run(s);
	game = game_of(testbed_last(s, name));
	strbuf_addf(&text, "join %s", game);
	while (next_person(&rest, name, sizeof(name)))
		testbed_write(s, name, text.ptr);
	testbed_run(s);
	strbuf_release(&text);
	free(game);
}

void table_begin(struct testbed *s, const char *people)
{
	struct span rest = span_of(people), word;
	char create[64];
	unsigned n = 0;

	while (span_next_word(&rest, "", &word))
		n++;
	snprintf(create, sizeof(create), "create whakka mole players %u", n);
	table_found(s, people, create);
}

struct testbed *table_of_two(const char *seed, const char *create)
{
	struct testbed *s;

	scratch_in_memory();
	s = testbed_new(seed);
	table_found(s, "ann bob", create);
	return s;
}

void table_order(struct testbed *s, const char *people)
{
	struct span rest = span_of(people);
	char name[32];

	while (next_person(&rest, name, sizeof(name)))
		testbed_reply(s, name, "popup 3");
}

/* ---- the configuration ---- */

void testbed_sink(struct testbed *s, const char *url)
{
	char *path = testbed_path(s, "molepost.conf");
	struct strbuf text = STRBUF_INIT, changed = STRBUF_INIT;
	struct span rest, line;

	ENSURE(file_read(path, FILE_MAX, &text, NULL) == ERR_NONE);
	rest = strbuf_span(&text);
	while (span_next_line(&rest, &line)) {
		if (span_starts(line, "sink = "))
			strbuf_addf(&changed, "sink = %s", url);
		else
			strbuf_add_span(&changed, line);
		strbuf_addc(&changed, '\n');
	}
	ENSURE(unlink(path) == 0 && file_create(path, strbuf_span(&changed), NULL) == ERR_NONE);
	strbuf_release(&text);
	strbuf_release(&changed);
	free(path);
}

void testbed_smtp(struct testbed *s, const char *user, unsigned port, const char *options)
{
	struct strbuf url = STRBUF_INIT;

	strbuf_addf(&url, "smtp://%s127.0.0.1:%u/%s", user, port, options);
	testbed_sink(s, url.ptr);
	strbuf_release(&url);
}

void testbed_bounce(struct testbed *s, const char *sender, const char *who, const char *action,
                    const char *status, int64_t arrived_utc)
{
	struct strbuf raw = STRBUF_INIT, name = STRBUF_INIT;

	strbuf_addf(
	    &raw,
	    "Return-Path: <>\nFrom: MAILER-DAEMON@mx.example.net\nTo: %s\n"
	    "Subject: Undelivered Mail Returned to Sender\nMessage-ID: <r%u@mx>\n"
	    "Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n"
	    "--b\nContent-Type: text/plain\n\nSorry.\n\n--b\n"
	    "Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx\n\n"
	    "Final-Recipient: rfc822; %s@example.net\nAction: %s\nStatus: %s\n\n--b--\n",
	    sender, s->written, who, action, status);
	strbuf_addf(&name, "%lld.M%u.mx", (long long)arrived_utc, s->written);
	testbed_drop(s, name.ptr, strbuf_span(&raw), arrived_utc);
	strbuf_release(&raw);
	strbuf_release(&name);
}

/* ---- commands ---- */

static void fail(const char *words, const struct ran *r, const char *text)
{
	BUG("molepost %s ended with %d (signal %d)%s%s and said: %s%s", words, r->code,
	    r->signal, text ? ", without " : "", text ? text : "", r->out.ptr, r->err.ptr);
}

static void run_expecting(struct testbed *s, const char *words, const char *env, int code,
                          const char *text)
{
	const char *const more[] = {env, NULL};
	struct ran r;
	bool said;

	testbed_do(s, words, more, &r);
	said = text ? strstr(r.out.ptr, text) || strstr(r.err.ptr, text)
	            : r.out.len + r.err.len == 0;
	if (r.code != code || !said)
		fail(words, &r, text);
	ran_release(&r);
}

void expect(struct testbed *s, const char *words, int code, const char *text)
{
	run_expecting(s, words, NULL, code, text);
}

void expect_env(struct testbed *s, const char *words, const char *env, int code,
                const char *text)
{
	run_expecting(s, words, env, code, text);
}

void expect_code(struct testbed *s, const char *words, int code)
{
	run_expecting(s, words, NULL, code, "");
}

void expect_sound(struct testbed *s)
{
	expect(s, "fsck", 0, "The database is sound");
}

char *output_of(struct testbed *s, const char *words)
{
	struct ran r;

	testbed_do(s, words, NULL, &r);
	if (r.code != 0)
		fail(words, &r, NULL);
	strbuf_release(&r.err);
	return strbuf_detach(&r.out);
}

/* ---- files ---- */

size_t files_in(struct testbed *s, const char *folder)
{
	char *path = testbed_path(s, folder);
	size_t n;
	char **names = folder_names(path, &n);

	for (size_t i = 0; i < n; i++)
		free(names[i]);
	free(names);
	free(path);
	return n;
}

bool file_has(struct testbed *s, const char *name, const char *bytes)
{
	char *path = testbed_path(s, name);
	struct strbuf text = STRBUF_INIT;
	bool found = false;

	if (file_exists(path)) {
		ENSURE(file_read(path, FILE_MAX, &text, NULL) == ERR_NONE);
		found = span_find(strbuf_span(&text), span_of(bytes)) < text.len;
	}
	strbuf_release(&text);
	free(path);
	return found;
}

static void add_tree(struct hasher *h, const char *path)
{
	struct strbuf bytes = STRBUF_INIT;
	struct stat st;
	size_t n;
	char **names;

	ENSURE(lstat(path, &st) == 0);
	strbuf_addf(&bytes, "%s %o\n", path, (unsigned)st.st_mode);
	if (S_ISREG(st.st_mode))
		ENSURE(file_read(path, FILE_MAX, &bytes, NULL) == ERR_NONE);
	hasher_add(h, strbuf_span(&bytes));
	strbuf_release(&bytes);
	if (!S_ISDIR(st.st_mode))
		return;
	names = folder_names(path, &n);
	for (size_t i = 0; i < n; i++) {
		strbuf_addf(&bytes, "%s/%s", path, names[i]);
		add_tree(h, bytes.ptr);
		strbuf_clear(&bytes);
		free(names[i]);
	}
	free(names);
	strbuf_release(&bytes);
}

char *fingerprint_of(struct testbed *s, const char *folder)
{
	char *path = testbed_path(s, folder);
	struct strbuf hex = STRBUF_INIT;
	struct hasher h;
	struct hash d;

	hasher_start(&h);
	add_tree(&h, path);
	d = hasher_end(&h);
	hash_add_hex(&hex, &d);
	free(path);
	return strbuf_detach(&hex);
}

/* The program is copied as well: nobody may be able to look into the folder it was built in. */
void testbed_as_user(struct testbed *s, int uid)
{
	struct strbuf program = STRBUF_INIT, script = STRBUF_INIT;
	char *copy = scratch_path(s->scratch, "molepost"),
	     *wrapper = scratch_path(s->scratch, "as-nobody");

	if (geteuid() != 0)
		goto out;
	ENSURE(file_read(s->program, FILE_MAX, &program, NULL) == ERR_NONE &&
	       file_create(copy, strbuf_span(&program), NULL) == ERR_NONE &&
	       chmod(copy, 0700) == 0);
	strbuf_addf(&script,
	            "#!/bin/sh\nchown -R %d:%d '%s'\n"
	            "exec setpriv --reuid=%d --regid=%d --clear-groups '%s' \"$@\"\n",
	            uid, uid, s->scratch, uid, uid, copy);
	ENSURE(file_create(wrapper, strbuf_span(&script), NULL) == ERR_NONE &&
	       chmod(wrapper, 0700) == 0);
	free(s->program);
	s->program = xstrdup(wrapper);
out:
	strbuf_release(&program);
	strbuf_release(&script);
	free(copy);
	free(wrapper);
}

void testbed_without_rights(struct testbed *s)
{
	enum { NOBODY = 65534 };

	testbed_as_user(s, NOBODY);
}

void testbed_stays_without_rights(struct testbed *s)
{
	struct strbuf script = STRBUF_INIT;
	char *path = testbed_path(s, "../as-is");

	strbuf_addf(&script,
	            "#!/bin/sh\nexec setpriv --reuid=65534 --regid=65534 --clear-groups "
	            "'%s/molepost' \"$@\"\n",
	            s->scratch);
	ENSURE(file_create(path, strbuf_span(&script), NULL) == ERR_NONE &&
	       chmod(path, 0755) == 0);
	free(s->program);
	s->program = path;
	strbuf_release(&script);
}

char *word_behind(const char *text, const char *label)
{
	const char *at = strstr(text, label);

	if (!at)
		BUG("no '%s' in: %s", label, text);
	at += strlen(label);
	at += strspn(at, " \n");
	return strndup(at, strcspn(at, " \n"));
}
