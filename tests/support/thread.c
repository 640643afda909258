/*
 * thread.c - plays a folder of mails against a server and compares what comes out.
 */
#include "tests/support/thread.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mail/text/header.h"
#include "processor/base/clock.h"
#include "processor/base/env.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "processor/calendar/deadline.h"
#include "tests/support/testbed_parts.h"

enum { FILE_MAX = 4 << 20, MINUTE_S = 60 };

struct thread_expected {
	char *name;
	bool found;
};

/* ---- what is said when something differs ---- */

static void problem(struct thread *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static void problem(struct thread *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&t->problem, fmt, ap);
	va_end(ap);
	strbuf_addc(&t->problem, '\n');
}

static void read_step(const char *dir, const char *name, struct strbuf *out)
{
	char *path = xcalloc(strlen(dir) + strlen(name) + 2, 1);
	struct failure e = ERR_INIT;

	memcpy(path, dir, strlen(dir));
	path[strlen(dir)] = '/';
	memcpy(path + strlen(dir) + 1, name, strlen(name));
	if (file_exists(path) && file_read(path, FILE_MAX, out, &e) != ERR_NONE)
		BUG("%s", e.text.ptr);
	err_release(&e);
	free(path);
}

/* ---- a mail that came out, as text ---- */

static void add_fields(const struct testbed *s, const struct post *p, const char *name,
                       struct strbuf *out)
{
	struct arena *arena = arena_new();
	struct header h;

	header_split((struct span){p->raw, p->raw_len}, arena, &h);
	for (size_t i = 0; i < h.count; i++) {
		if (!span_eq_nocase(h.fields[i].name, name))
			continue;
		strbuf_addf(out, "%s: ", name);
		thread_mask(s, header_unfold(h.fields[i].value, arena), out);
		strbuf_addc(out, '\n');
	}
	arena_free(arena);
}

static bool is_brief(const struct thread *t, const char *who)
{
	struct span rest = strbuf_span(&t->brief), word;

	while (span_next_word(&rest, "", &word))
		if (span_eq_str(word, who) || span_eq_str(word, "*"))
			return true;
	return false;
}

static void describe(const struct thread *t, const struct post *p, struct strbuf *out)
{
	strbuf_addf(out, "To: %s\nSubject: %s\n", p->who, p->subject);
	if (is_brief(t, p->who))
		return;
	add_fields(t->testbed, p, "In-Reply-To", out);
	add_fields(t->testbed, p, "References", out);
	add_fields(t->testbed, p, "Reply-To", out);
	add_fields(t->testbed, p, "Auto-Submitted", out);
	strbuf_addc(out, '\n');
	thread_mask(t->testbed, span_of(p->text), out);
	if (p->files[0])
		strbuf_addf(out, "\nATTACHED:\n%s", p->files);
	if (p->record) {
		strbuf_addc(out, '\n');
		thread_mask(t->testbed, span_of(p->record), out);
	}
	if (p->differs)
		strbuf_adds(out, "THIS MAIL CAME OUT BEFORE WITH OTHER BYTES\n");
}

/* ---- comparing ---- */

static void write_file(const char *path, struct span text)
{
	struct failure e = ERR_INIT;

	unlink(path);
	if (file_create(path, text, &e) != ERR_NONE)
		BUG("%s", e.text.ptr);
	err_release(&e);
}

static void first_difference(struct thread *t, const char *name, struct span want,
                             struct span got)
{
	struct span a, b;
	unsigned line = 0;

	for (bool more_a, more_b;;) {
		line++;
		a = b = SPAN_LIT("(nothing)");
		more_a = span_next_line(&want, &a);
		more_b = span_next_line(&got, &b);
		if ((!more_a && !more_b) || more_a != more_b || !span_eq(a, b))
			break;
	}
	problem(t, "%s/%s, line %u:\n  written: %.*s\n  came:    %.*s", t->dir, name, line,
	        SPAN_ARGS(a), SPAN_ARGS(b));
}

static void mark_found(struct thread *t, const char *name)
{
	for (size_t i = 0; i < t->nexpected; i++)
		if (strcmp(t->expected[i].name, name) == 0)
			t->expected[i].found = true;
}

static void compare(struct thread *t, const char *who, struct span got)
{
	struct strbuf name = STRBUF_INIT, want = STRBUF_INIT, path = STRBUF_INIT;

	if (!t->compares)
		return;
	strbuf_addf(&name, "%03u-out-%s.txt", t->step + ++t->outs, who);
	strbuf_addf(&path, "%s/%s", t->dir, name.ptr);
	mark_found(t, name.ptr);
	if (env_get("UPDATE")) {
		write_file(path.ptr, got);
	} else {
		read_step(t->dir, name.ptr, &want);
		if (!span_eq(strbuf_span(&want), got))
			first_difference(t, name.ptr, strbuf_span(&want), got);
	}
	strbuf_release(&name);
	strbuf_release(&want);
	strbuf_release(&path);
}

static void compare_posts(struct thread *t, size_t from)
{
	struct strbuf text = STRBUF_INIT;

	for (size_t i = from; i < t->testbed->nposts; i++) {
		strbuf_clear(&text);
		describe(t, t->testbed->posts[i], &text);
		compare(t, t->testbed->posts[i]->who, strbuf_span(&text));
	}
	strbuf_release(&text);
}

/* What was expected and did not come. */
static void compare_rest(struct thread *t)
{
	struct strbuf path = STRBUF_INIT;

	for (size_t i = 0; i < t->nexpected; i++) {
		if (t->expected[i].found)
			continue;
		strbuf_clear(&path);
		strbuf_addf(&path, "%s/%s", t->dir, t->expected[i].name);
		if (env_get("UPDATE"))
			unlink(path.ptr);
		else
			problem(t, "%s did not come", path.ptr);
	}
	strbuf_release(&path);
}

/* ---- commands ---- */

static void command(struct thread *t, const char *words, bool always_shown)
{
	size_t before = t->testbed->nposts;
	struct strbuf text = STRBUF_INIT;
	struct ran r;

	testbed_do(t->testbed, words, NULL, &r);
	thread_mask(t->testbed, strbuf_span(&r.out), &text);
	thread_mask(t->testbed, strbuf_span(&r.err), &text);
	if (r.code != 0)
		strbuf_addf(&text, "(ended with %d)\n", r.code < 0 ? -r.signal : r.code);
	if (always_shown || text.len > 0)
		compare(t, "shell", strbuf_span(&text));
	testbed_collect(t->testbed);
	compare_posts(t, before);
	strbuf_release(&text);
	ran_release(&r);
}

static void run(struct thread *t)
{
	command(t, "run", false);
	t->pending = false;
}

static void run_pending(struct thread *t)
{
	if (t->pending)
		run(t);
}

/* ---- placeholders ---- */

static const struct post *post_named(const struct thread *t, struct span who, unsigned number)
{
	const struct post *found = NULL;
	unsigned n = 0;

	for (size_t i = 0; i < t->testbed->nposts; i++) {
		const struct post *p = t->testbed->posts[i];
		if (!span_eq_str(who, p->who))
			continue;
		n++;
		if (number == n || number == 0)
			found = p;
	}
	return found;
}

static bool add_named(const struct post *p, struct span what, struct strbuf *out)
{
	if (p && span_eq_str(what, "raw"))
		strbuf_add(out, p->raw, p->raw_len);
	else if (p && span_eq_str(what, "sender"))
		strbuf_adds(out, p->sender);
	else if (span_eq_str(what, "reply"))
		strbuf_adds(out, p && *p->reply_to ? p->reply_to : "moles@example.org");
	else if (p && span_eq_str(what, "id"))
		strbuf_adds(out, p->message_id);
	else if (p && span_eq_str(what, "subject"))
		strbuf_adds(out, p->subject);
	else if (p && span_eq_str(what, "text"))
		strbuf_adds(out, p->text);
	else if (p && span_eq_str(what, "quoted"))
		thread_quote(span_of(p->text), out);
	else
		return false;
	return true;
}

/* "reply", "id 2", "text bob 3" */
static bool add_placeholder(const struct thread *t, struct span who, struct span words,
                            struct strbuf *out)
{
	struct span what, word;
	unsigned number = 0;

	if (!span_next_word(&words, "", &what))
		return false;
	while (span_next_word(&words, "", &word))
		if (!num_parse_uint(word, 1, 9999, &number))
			who = word;
	return add_named(post_named(t, who, number), what, out);
}

static void fill_in(const struct thread *t, const char *name, struct span who, struct span text,
                    struct strbuf *out)
{
	for (size_t i = 0; i < text.len; i++) {
		struct span rest = span_slice(text, i + 1, text.len);
		size_t end = span_find_char(rest, '}');
		if (text.ptr[i] == '{' && end < rest.len &&
		    span_find_char(span_slice(rest, 0, end), '\n') == end) {
			if (!add_placeholder(t, who, span_slice(rest, 0, end), out))
				BUG("%s/%s: {%.*s} stands for nothing", t->dir, name,
				    SPAN_ARGS(span_slice(rest, 0, end)));
			i += end + 1;
			continue;
		}
		strbuf_addc(out, text.ptr[i]);
	}
}

/* ---- mail in ---- */

static bool has_field(const struct header *h, const char *name)
{
	for (size_t i = 0; i < h->count; i++)
		if (span_eq_nocase(h->fields[i].name, name))
			return true;
	return false;
}

static void add_missing(const struct header *h, const char *name, const char *value,
                        struct strbuf *out)
{
	if (!has_field(h, name))
		strbuf_addf(out, "%s: %s\n", name, value);
}

/* The fields every mail program writes, where the file leaves them out. */
static void complete(const struct thread *t, const char *name, struct span who,
                     struct span text, struct strbuf *out)
{
	struct strbuf value = STRBUF_INIT;
	struct arena *arena = arena_new();
	struct header h;

	header_split(text, arena, &h);
	strbuf_addf(&value, "%.*s@example.net", SPAN_ARGS(who));
	add_missing(&h, "From", value.ptr, out);
	add_missing(&h, "To", "moles@example.org", out);
	add_missing(&h, "Subject", "moles", out);
	strbuf_clear(&value);
	strbuf_adds(&value, "<");
	if (!t->compares) /* mails of a given conversation also carry its number */
		strbuf_addf(&value, "%.3s.", strrchr(t->dir, '/') + 1);
	strbuf_addf(&value, "%.*s@example.net>", (int)strcspn(name, "."), name);
	add_missing(&h, "Message-ID", value.ptr, out);
	strbuf_clear(&value);
	utc_format_rfc5322(&value, t->testbed->now_utc);
	add_missing(&h, "Date", value.ptr, out);
	if (!has_field(&h, "Content-Type"))
		strbuf_adds(out, "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
		                 "Content-Transfer-Encoding: 8bit\n");
	strbuf_add_span(out, text);
	arena_free(arena);
	strbuf_release(&value);
}

static void deliver(struct thread *t, const char *name, bool raw)
{
	struct strbuf text = STRBUF_INIT, filled = STRBUF_INIT, whole = STRBUF_INIT;
	struct strbuf file = STRBUF_INIT;
	struct span who = span_of(strchr(name, '-') + 1);

	who = span_slice(who, 0, span_find_char(who, '.'));
	testbed_wait(t->testbed, MINUTE_S);
	read_step(t->dir, name, &text);
	fill_in(t, name, who, strbuf_span(&text), &filled);
	if (raw)
		strbuf_add_span(&whole, strbuf_span(&filled));
	else
		complete(t, name, who, strbuf_span(&filled), &whole);
	strbuf_addf(&file, "%u.%s", t->testbed->written, name);
	testbed_drop(t->testbed, file.ptr, strbuf_span(&whole), t->testbed->now_utc);
	t->pending = true;
	strbuf_release(&text);
	strbuf_release(&filled);
	strbuf_release(&whole);
	strbuf_release(&file);
}

/* ---- steps ---- */

static void move_clock(struct thread *t, const char *name)
{
	struct strbuf text = STRBUF_INIT;
	int64_t seconds;

	read_step(t->dir, name, &text);
	struct span by = span_trim(strbuf_span(&text));
	if (!span_starts(by, "+") || !interval_parse(span_slice(by, 1, by.len), &seconds))
		BUG("%s/%s: +3D, +90M", t->dir, name);
	testbed_wait(t->testbed, seconds);
	t->pending = true;
	strbuf_release(&text);
}

static void operate(struct thread *t, const char *name)
{
	struct strbuf text = STRBUF_INIT, filled = STRBUF_INIT;

	read_step(t->dir, name, &text);
	fill_in(t, name, SPAN_LIT("ann"), span_trim(strbuf_span(&text)), &filled);
	command(t, filled.ptr, true);
	strbuf_release(&text);
	strbuf_release(&filled);
}

static bool ends_with(const char *name, const char *end)
{
	return strlen(name) >= strlen(end) &&
	       strcmp(name + strlen(name) - strlen(end), end) == 0;
}

static void do_step(struct thread *t, const char *name)
{
	if (ends_with(name, "-clock") || ends_with(name, "-do"))
		run_pending(t);
	if (!num_parse_uint((struct span){name, 3}, 1, 999, &t->step))
		BUG("%s/%s has no number", t->dir, name);
	t->outs = 0;
	if (ends_with(name, ".eml"))
		deliver(t, name, false);
	else if (ends_with(name, ".raw"))
		deliver(t, name, true);
	else if (ends_with(name, "-clock") || ends_with(name, "-wait"))
		move_clock(t, name);
	else if (ends_with(name, "-run"))
		run(t);
	else if (ends_with(name, "-do"))
		operate(t, name);
	else
		BUG("%s/%s is no step", t->dir, name);
}

static void play_steps(struct thread *t, const char *dir, bool compares);

/* {tests} is where this folder is. */
static void configure(struct testbed *s, struct span line)
{
	const struct span mark = SPAN_LIT("{tests}");
	struct strbuf text = STRBUF_INIT;
	char *here = realpath("tests", NULL);
	size_t at;

	ENSURE(here != NULL);
	for (; (at = span_find(line, mark)) < line.len;
	     line = span_slice(line, at + mark.len, line.len)) {
		strbuf_add_span(&text, span_slice(line, 0, at));
		strbuf_adds(&text, here);
	}
	strbuf_add_span(&text, line);
	testbed_configure(s, text.ptr);
	strbuf_release(&text);
	free(here);
}

static void read_setup(struct thread *t)
{
	struct strbuf text = STRBUF_INIT, given = STRBUF_INIT;
	static const char *const old_record[] = {"MOLEPOST_TEST_RECORD=1", NULL};
	const char *dir = t->dir;
	bool compares = t->compares;
	struct span rest, line;

	read_step(dir, "setup", &text);
	rest = strbuf_span(&text);
	while (span_next_line(&rest, &line)) {
		struct span word;
		if (!span_next_word(&line, "", &word))
			continue;
		line = span_trim(line);
		strbuf_clear(&given);
		strbuf_addf(&given, "%.*s", SPAN_ARGS(line));
		if (span_eq_str(word, "config")) {
			configure(t->testbed, line);
		} else if (span_eq_str(word, "record")) {
			t->testbed->extra_env = old_record;
		} else if (span_eq_str(word, "brief") && compares) {
			strbuf_addf(&t->brief, "%s ", given.ptr);
		} else if (span_eq_str(word, "given")) {
			strbuf_clear(&given);
			strbuf_addf(&given, "tests/threads/%.*s", SPAN_ARGS(line));
			play_steps(t, given.ptr, false);
		}
	}
	t->dir = dir;
	t->compares = compares;
	strbuf_release(&text);
	strbuf_release(&given);
}

static void expect(struct thread *t, const char *name)
{
	size_t cap = t->nexpected;

	t->expected = xgrow(t->expected, &cap, t->nexpected + 1, sizeof(*t->expected));
	t->expected[t->nexpected++] = (struct thread_expected){xstrdup(name), false};
}

static void play_steps(struct thread *t, const char *dir, bool compares)
{
	size_t n;
	char **names = folder_names(dir, &n);

	t->dir = dir;
	t->compares = compares;
	read_setup(t);
	for (size_t i = 0; i < n && compares; i++)
		if (strstr(names[i], "-out-"))
			expect(t, names[i]);
	for (size_t i = 0; i < n; i++)
		if (isdigit((unsigned char)names[i][0]) && !strstr(names[i], "-out-"))
			do_step(t, names[i]);
	run_pending(t);
	for (size_t i = 0; i < n; i++)
		free(names[i]);
	free(names);
}

void thread_play(struct thread *t, const char *dir)
{
	*t = (struct thread){
	    .testbed = testbed_new("threads"), .problem = STRBUF_INIT, .brief = STRBUF_INIT};
	play_steps(t, dir, true);
	compare_rest(t);
}

void thread_free(struct thread *t)
{
	for (size_t i = 0; i < t->nexpected; i++)
		free(t->expected[i].name);
	free(t->expected);
	testbed_free(t->testbed);
	strbuf_release(&t->problem);
	strbuf_release(&t->brief);
}
