/*
 * report_check.c - what must hold for every mail we write, and golden texts.
 *
 * The scanner of lines is stricter than the reader of mails: a line fails by
 * its first word, whatever follows.
 */
#include "tests/support/report_check.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <unistd.h>

#include "processor/base/env.h"
#include "processor/base/file.h"
#include "processor/base/utf8.h"

enum { COLS = 72, GOLDEN_MAX = 1 << 20 };

static const char *const words[] = {
    "HELP",    "GET",     "INFO",     "LIST",     "GAMES",   "SHOW",      "JOIN",    "SIGNON",
    "CREATE",  "NEW",     "OBSERVE",  "MONITOR",  "WATCH",   "RESIGN",    "STATUS",  "CLEAR",
    "CHECK",   "TEST",    "PREVIEW",  "PREDICT",  "SET",     "QUEUE",     "PHASE",   "ROUND",
    "ALWAYS",  "YES",     "NO",       "TOKEN",    "SALT",    "PRESS",     "DIARY",   "NOTE",
    "HISTORY", "SUMMARY", "MAP",      "REPORT",   "ARCHIVE", "VERIFY",    "EXPORT",  "RESEND",
    "REPEAT",  "HOLIDAY", "VACATION", "VOTE",     "REMATCH", "FORK",      "WHO",     "RATINGS",
    "PAUSE",   "RESUME",  "PROCESS",  "ROLLBACK", "EJECT",   "PROMOTE",   "BECOME",  "FORCE",
    "END",     "SIGNOFF", "ORDERS",   "TAKEOVER", "LOGIN",   "CHALLENGE", "MESSAGE", "CHAT",
    "POPUP",   "WHACK",   "WITHDRAW", "REPLACE",
};

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Without what a reader might take off: bullets, quotes, stars, a number and its full stop. */
static struct span first_word(struct span line)
{
	size_t from = 0, to;
	while (from < line.len && is_digit(line.ptr[from]))
		from++;
	if (from > 0 && (from == line.len || (line.ptr[from] != '.' && line.ptr[from] != ')')))
		return SPAN_EMPTY;
	while (from < line.len && !is_letter(line.ptr[from]) && !is_digit(line.ptr[from]) &&
	       (unsigned char)line.ptr[from] < 0x80)
		from++;
	for (to = from; to < line.len && is_letter(line.ptr[to]);)
		to++;
	return span_slice(line, from, to);
}

/* Eight words in small letters that begin with "round" are a sentence. */
static bool is_sentence(struct span line)
{
	struct span word;
	size_t n = 0;
	if (line.len < 2 || (line.ptr[1] >= 'A' && line.ptr[1] <= 'Z'))
		return false;
	while (span_next_word(&line, "", &word))
		n++;
	return n > 8;
}

static bool begins_with_a_command(struct span line)
{
	if (is_sentence(line))
		return false;
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (span_eq_nocase(first_word(line), words[i]))
			return true;
	return false;
}

static bool is_marked(struct span line)
{
	struct span s = span_trim(line);
	return span_starts(s, "|") || span_starts(s, ">") || span_starts(s, "==") ||
	       span_starts(s, "... ");
}

static void check_characters(const char *name, unsigned number, struct span line)
{
	struct span rest = line;
	uint32_t cp;
	cr_assert(utf8_valid(line), "%s, line %u: not UTF-8", name, number);
	while (utf8_next(&rest, &cp))
		cr_assert(cp >= ' ' && cp != 0x7F && !(cp >= 0x80 && cp < 0xA0) && cp != 0x202E,
		          "%s, line %u: control character %x", name, number, (unsigned)cp);
}

static struct span without_soft_end(struct span line)
{
	if (line.len > 0 && line.ptr[line.len - 1] == ' ' && !span_eq_str(line, "-- "))
		line.len--;
	return line;
}

static void check_line(const char *name, unsigned number, struct span line, size_t cols)
{
	check_characters(name, number, line);
	if (span_eq_str(line, "-- "))
		return;
	line = without_soft_end(line);
	if (span_starts(line, "  | "))
		cols = COLS; /* an example is not broken for a narrow reader */
	else if (span_starts(line, "== "))
		cols += 3; /* its end */
	cr_assert(utf8_width(line) <= cols, "%s, line %u has %zu columns: %.*s", name, number,
	          utf8_width(line), SPAN_ARGS(line));
	cr_assert(line.len == 0 || line.ptr[line.len - 1] != ' ',
	          "%s, line %u ends in a blank: %.*s", name, number, SPAN_ARGS(line));
	cr_assert(!span_eq_str(line, "--"), "%s, line %u: signature mark", name, number);
	struct strbuf plain = STRBUF_INIT;
	utf8_add_plain(&plain, line);
	cr_assert(is_marked(line) || !begins_with_a_command(strbuf_span(&plain)),
	          "%s, line %u begins with a command: %.*s", name, number, SPAN_ARGS(line));
	strbuf_release(&plain);
}

void check_lines_of(const char *name, struct span body, size_t cols)
{
	struct span line;
	bool goes_on = false;

	for (unsigned n = 1; span_next_line(&body, &line); n++) {
		check_line(name, n, line, cols);
		cr_assert(!goes_on || line.len > 0, "%s, line %u: nothing goes on here", name,
		          n);
		goes_on = without_soft_end(line).len < line.len;
	}
	cr_assert(!goes_on, "%s ends where something is to go on", name);
}

void check_lines(const char *name, struct span body)
{
	check_lines_of(name, body, COLS);
}

void check_letter(const char *name, const struct report_out *l)
{
	struct span body = strbuf_span(&l->body), subject = strbuf_span(&l->subject);
	const char *small_print = strstr(l->body.ptr, "\n-- \n");
	cr_assert(!small_print || !strstr(small_print + 1, "\n-- \n"), "%s: two separators",
	          name);
	check_lines(name, body);
	check_lines(name, strbuf_span(&l->proof));
	cr_assert(l->body.len > 0 && l->body.ptr[l->body.len - 1] == '\n',
	          "%s: no LF at the end", name);
	cr_assert(strstr(l->body.ptr, "\n\n\n") == NULL, "%s: two empty lines", name);
	cr_assert(subject.len > 0 && subject.len <= 400, "%s: subject of %zu bytes", name,
	          subject.len);
	check_characters(name, 0, subject);
	cr_assert(!begins_with_a_command(subject) || span_starts(subject, "["),
	          "%s: subject begins with a command: %s", name, l->subject.ptr);
}

static void write_golden(const char *path, struct span text)
{
	struct failure e = ERR_INIT;
	unlink(path);
	cr_assert(file_create(path, text, &e) == ERR_NONE, "%s", e.text.ptr);
	err_release(&e);
}

static void compare_golden(const char *path, struct span text)
{
	struct failure e = ERR_INIT;
	struct strbuf want = STRBUF_INIT;
	cr_assert(file_read(path, GOLDEN_MAX, &want, &e) == ERR_NONE, "%s", e.text.ptr);
	struct span a = strbuf_span(&want), la, lb;
	for (unsigned n = 1; a.len > 0 || text.len > 0; n++) {
		if (!span_next_line(&a, &la))
			la = SPAN_LIT("(end)");
		if (!span_next_line(&text, &lb))
			lb = SPAN_LIT("(end)");
		lb = without_soft_end(lb);
		cr_assert(span_eq(la, lb),
		          "%s:%u differs (UPDATE=1 rewrites it)\n- %.*s\n+ %.*s", path, n,
		          SPAN_ARGS(la), SPAN_ARGS(lb));
	}
	strbuf_release(&want);
	err_release(&e);
}

void check_golden(const char *name, const struct report_out *l)
{
	struct strbuf text = STRBUF_INIT, path = STRBUF_INIT;
	check_letter(name, l);
	strbuf_addf(&path, "tests/unit/reports/golden/%s.txt", name);
	strbuf_addf(&text, "Subject: %s\n\n%s", l->subject.ptr, l->body.ptr);
	if (l->proof.len > 0)
		strbuf_addf(&text, "\nAttached:\n\n%s", l->proof.ptr);
	if (env_get("UPDATE")) {
		struct strbuf shown = STRBUF_INIT;
		struct span rest = strbuf_span(&text), line;

		while (span_next_line(&rest, &line))
			strbuf_addf(&shown, "%.*s\n", SPAN_ARGS(without_soft_end(line)));
		write_golden(path.ptr, strbuf_span(&shown));
		strbuf_release(&shown);
	} else
		compare_golden(path.ptr, strbuf_span(&text));
	strbuf_release(&text);
	strbuf_release(&path);
}
