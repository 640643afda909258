/*
 * test_list_mails.c - mails that people wrote to others order nothing, whoever seems to send them.
 *
 * Their words are those of the machine this runs on: documentation, manual pages, comments of headers, licences,
 * cut into mails as lists have them, with subjects, quotations, numbers, code and signatures. They come from a
 * stranger and from a player of each game in the middle of a turn, one after the other, with the header of a
 * list, and without, as if written to the server, where a From address is enough. Nothing may be stored or told to
 * anybody else, and no command be carried out, not even one that only shows something: "HISTORY" may stand alone in a
 * line as a heading. Those of lists are not even read; of the others what is refused or asked about is counted.
 *
 * LIST_MAILS=15000 plays so many; SEED=n cuts others;
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/clock.h"
#include "processor/base/env.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "tests/support/crowd.h"
#include "tests/support/play.h"
#include "tests/support/scratch.h"

enum {
	USUAL = 300,
	BATCH = 600,
	FILES_MOST = 60000,
	LARGEST = 1 << 20,
	MAILS_OF_A_FILE = 4,
	LINE_MOST = 400,
	FILLED = 60,
	NAME_SAME = 5, /* letters */
	ALIKE_MOST = 20
};

/* ---- words ---- */

struct shelf {
	char *paths[FILES_MOST];
	size_t n;
	uint64_t dice;
	struct strbuf text; /* of the file in hand; `rest` is what is left of it */
	struct span rest;
	unsigned left; /* mails that it may still give */
};

static void fill_shelf(struct shelf *s)
{
	/* NOLINTNEXTLINE(cert-env33-c): the words are ours, the paths those of the machine */
	FILE *f = popen("find /usr/share/doc /usr/share/man /usr/include "
	                "/usr/share/common-licenses -type f 2>/dev/null | LC_ALL=C sort",
	                "r");
	char path[LINE_MOST];

	unsigned alike = 0;

	while (f && s->n < FILES_MOST && fgets(path, sizeof path, f)) {
		path[strcspn(path, "\n")] = '\0';
		/* Some programs have a manual of thousands of pages. */
		size_t same = strlen(path) - strlen(strrchr(path, '/')) + NAME_SAME;
		alike = s->n > 0 && strncmp(path, s->paths[s->n - 1], same) == 0 ? alike + 1
		                                                                 : 0;
		if (alike < ALIKE_MOST)
			s->paths[s->n++] = xstrdup(path);
	}
	if (f)
		pclose(f);
	cr_assert_gt(s->n, 0);
}

static bool ends_with(const char *path, const char *end)
{
	size_t n = strlen(path), k = strlen(end);

	return n > k && strcmp(path + n - k, end) == 0;
}

static void unpack(const char *path, struct strbuf *out)
{
	struct strbuf command = STRBUF_INIT;
	char piece[4096];
	size_t n;

	strbuf_addf(&command, "gzip -dc '%s' 2>/dev/null", path);
	/* NOLINTNEXTLINE(cert-env33-c): the words are ours, the paths those of the machine */
	FILE *f = popen(command.ptr, "r");
	while (f && (n = fread(piece, 1, sizeof piece, f)) > 0)
		if (out->len < LARGEST)
			strbuf_add(out, piece, n);
	if (f)
		pclose(f);
	strbuf_release(&command);
}

/* "\\fB", "\\f[B]", "\\s-1", "\\-": how much of the line is one such, and not text. */
static size_t escape_length(struct span s)
{
	size_t n = 2;

	if (s.len < 3 || !strchr("fsm*", s.ptr[1]))
		return s.len > 1 && strchr("&|^c%", s.ptr[1]) ? 2 : 1;
	n += s.ptr[n] == '+' || s.ptr[n] == '-';
	if (n < s.len && s.ptr[n] == '[')
		return span_find_char(s, ']') + 1;
	return n + (n < s.len && s.ptr[n] == '(' ? 3 : 1);
}

/* A request of roff: one that changes the type goes on in the line, others begin one. */
static struct span without_request(struct span line, bool *begins)
{
	struct span request = span_slice(line, 1, span_find_char(line, ' '));

	*begins = !(request.len <= 2 && request.len > 0 && strchr("BIR", request.ptr[0]));
	return *begins && !span_starts(line, ".SH")
	           ? SPAN_EMPTY
	           : span_slice(line, request.len + 2, line.len);
}

/* Manuals are filled, as they are shown; comments lose their stars. */
static void add_plainly(struct strbuf *out, struct span line, bool is_manual)
{
	bool begins = true;

	if (is_manual && (span_starts(line, ".") || span_starts(line, "'")))
		line = without_request(line, &begins);
	else if (is_manual)
		begins = line.len == 0;
	else if (span_starts(line, " * ") || span_starts(line, "/* "))
		line = span_slice(line, 3, line.len);
	if (begins && out->len > 0 && out->ptr[out->len - 1] != '\n')
		strbuf_addc(out, '\n');
	size_t at = out->len;
	line = span_slice(line, 0, LINE_MOST);
	while (line.len > 0) {
		size_t n = is_manual && line.ptr[0] == '\\' ? escape_length(line) : 0;

		if (n == 0 && line.ptr[0] != '\r')
			strbuf_addc(out, line.ptr[0]);
		line = span_slice(line, n ? n : 1, line.len);
	}
	while (at > 0 && out->ptr[at - 1] != '\n')
		at--;
	strbuf_addc(out, is_manual && out->len - at < FILLED ? ' ' : '\n');
}

/* False: nothing to read. */
static bool take_file(struct shelf *s, const char *path)
{
	struct strbuf bytes = STRBUF_INIT;
	struct failure e = ERR_INIT;
	bool is_manual = strncmp(path, "/usr/share/man/", 15) == 0;
	struct span rest, line;

	strbuf_clear(&s->text);
	if (ends_with(path, ".gz"))
		unpack(path, &bytes);
	else if (file_read(path, LARGEST, &bytes, &e) != ERR_NONE)
		err_release(&e);
	rest = strbuf_span(&bytes);
	if (rest.len > 0 && memchr(rest.ptr, '\0', rest.len))
		rest = SPAN_EMPTY;
	while (span_next_line(&rest, &line))
		add_plainly(&s->text, line, is_manual);
	strbuf_release(&bytes);
	s->rest = strbuf_span(&s->text);
	s->rest = span_slice(s->rest, s->rest.len > 4000 ? play_draw(&s->dice, 4000) : 0,
	                     s->rest.len);
	(void)span_next_line(&s->rest, &line);
	s->left = MAILS_OF_A_FILE;
	return s->rest.len > 200;
}

/* Up to so many lines, an empty one among them; a file as often as it has words. */
static struct span next_lines(struct shelf *s, unsigned most)
{
	struct span line, from;

	while (s->left == 0 || s->rest.len < 200)
		if (!take_file(s, s->paths[play_draw(&s->dice, (unsigned)s->n)]))
			s->left = 0;
	from = s->rest;
	for (unsigned n = 0; n < most && span_next_line(&s->rest, &line); n++)
		;
	return span_slice(from, 0, from.len - s->rest.len);
}

/* ---- mails ---- */

static void add_quoted(struct strbuf *out, struct span text)
{
	struct span line;

	while (span_next_line(&text, &line))
		strbuf_addf(out, "%s%.*s\n", line.len ? "> " : ">", SPAN_ARGS(line));
}

/* The first line of these with three words or more. */
static void add_subject(struct strbuf *out, struct shelf *s)
{
	struct span rest = next_lines(s, 12), line;

	while (span_next_line(&rest, &line)) {
		line = span_trim(line);
		if (line.len > 12 && span_printable(line) == line.len) {
			strbuf_add_span(out, span_slice(line, 0, 70));
			return;
		}
	}
	strbuf_adds(out, "your patch");
}

static void add_body(struct strbuf *out, struct shelf *s)
{
	static const char *const names[] = {"Russell", "Aiko", "Joao", "Petra", "Bob"};
	const char *name = names[play_draw(&s->dice, 5)];
	unsigned kind = play_draw(&s->dice, 16);

	if (kind == 0) { /* a line, as people write from a phone */
		strbuf_add_span(out, next_lines(s, 1));
		return;
	}
	if (kind % 4 == 1)
		strbuf_addf(out, "Hi %s,\n\n", names[play_draw(&s->dice, 5)]);
	for (unsigned n = play_draw(&s->dice, 3) + 1; n > 0; n--) {
		if (kind % 2 == 0) {
			strbuf_addf(out, "On Tue, %u Mar 2026 at 1%u:4%u, %s wrote:\n\n",
			            play_draw(&s->dice, 28) + 1, play_draw(&s->dice, 10),
			            play_draw(&s->dice, 10), names[play_draw(&s->dice, 5)]);
			add_quoted(out, next_lines(s, play_draw(&s->dice, 12) + 1));
		}
		strbuf_adds(out, "\n");
		strbuf_add_span(out, next_lines(s, play_draw(&s->dice, 30) + 1));
	}
	if (kind % 4 == 3)
		strbuf_addf(out, "\nCheers,\n%s\n", name);
	if (kind > 7) {
		strbuf_addf(out, "\n-- \n%s\n", name);
		strbuf_add_span(out, next_lines(s, 2));
	}
}

static void add_mail(struct strbuf *out, struct shelf *s, const char *who, unsigned number,
                     bool is_list, int64_t now_utc)
{
	s->left -= s->left > 0;
	strbuf_addf(out, "From: %s@example.net\nTo: %s\nSubject: %s", who,
	            is_list ? "devel@lists.example.com" : "moles@example.org",
	            play_draw(&s->dice, 2) ? "Re: " : "");
	add_subject(out, s);
	strbuf_addf(out, "\nMessage-ID: <list.%u@lists.example.com>\nDate: ", number);
	utc_format_rfc5322(out, now_utc);
	if (is_list)
		strbuf_adds(out, "\nList-Id: Development <devel.lists.example.com>\n"
		                 "List-Post: <mailto:devel@lists.example.com>\n"
		                 "Precedence: list");
	strbuf_adds(out, "\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
	                 "Content-Transfer-Encoding: 8bit\n\n");
	add_body(out, s);
}

/* ---- a server with a game of each kind ---- */

static const struct {
	const char *who, *create, *orders;
	bool by_other;
} players[] = {
    {"mallory", NULL, NULL, false},
    {"ann", "create whakka mole players 2", "popup 1 3; whack 5", false},
    {"ben", "create mole park players 2", "roll pan", false},
    {"cy", "create martian boggle players 2", "pass", true},
    {"dee", "create mole majority players 2", "base b1 a2 d1; tiles c1 a1 e1", false},
    {"eve", "create mole players 2", "nasdaq 1", true}};

enum { PLAYERS = sizeof players / sizeof *players };

static struct testbed *begun(const char *seed)
{
	struct testbed *t = testbed_new(seed);

	testbed_configure(t, "max_mails_per_day = 100000");
	testbed_configure(t, "known_senders = accept");
	for (size_t i = 1; i < PLAYERS; i++) {
		struct strbuf join = STRBUF_INIT, other = STRBUF_INIT;

		testbed_write(t, players[i].who, players[i].create);
		testbed_run(t);
		struct span subject = span_of(testbed_last(t, players[i].who)->subject);
		strbuf_addf(&other, "%ss-other", players[i].who);
		strbuf_addf(&join, "join %.*s",
		            (int)span_find_char(span_slice(subject, 1, subject.len), ']'),
		            subject.ptr + 1);
		testbed_write(t, other.ptr, join.ptr);
		testbed_run(t);
		testbed_wait(t, 60);
		testbed_reply(t, players[i].by_other ? other.ptr : players[i].who,
		              players[i].orders);
		testbed_run(t);
		strbuf_release(&join);
		strbuf_release(&other);
	}
	return t;
}

/* Verdicts on mails that did something for somebody. */
#define DONE                                              \
	"verdict IN ('orders', 'press', 'clear', 'vote'," \
	" 'master', 'held', 'command', 'check')"

/* What any of them might have changed. */
static const char *const tables[] = {"orders", "games", "seats",   "standing_orders",
                                     "press",  "votes", "absences"};
enum { TABLES = sizeof tables / sizeof *tables };

static void count_rows(const struct testbed *t, int64_t rows[TABLES])
{
	for (size_t i = 0; i < TABLES; i++) {
		struct strbuf sql = STRBUF_INIT;

		strbuf_addf(&sql, "SELECT count(*) FROM %s", tables[i]);
		rows[i] = crowd_number(t, sql.ptr);
		strbuf_release(&sql);
	}
}

static int64_t count(const struct testbed *t, const char *what)
{
	struct strbuf sql = STRBUF_INIT;

	strbuf_addf(&sql, "SELECT count(*) FROM inbox WHERE transport_id LIKE 'list0%%' AND %s",
	            what);
	int64_t n = crowd_number(t, sql.ptr);
	strbuf_release(&sql);
	return n;
}

static void tell(struct testbed *t, unsigned number, const struct strbuf *mail)
{
	struct strbuf words = STRBUF_INIT;
	struct ran why;

	strbuf_addf(&words, "why <list.%u@lists.example.com>", number);
	testbed_do(t, words.ptr, NULL, &why);
	cr_expect(false, "%s came to something:\n%s%s", players[number % PLAYERS].who,
	          why.out.ptr, mail->ptr);
	ran_release(&why);
	strbuf_release(&words);
}

static void play(bool is_list, const char *name)
{
	const char *seed = env_get("SEED"), *number = env_get("LIST_MAILS");
	struct shelf *s = xcalloc(1, sizeof(*s));
	unsigned n = USUAL, done = 0;
	struct strbuf *mails;

	s->dice = 1;
	ENSURE(!seed || num_parse_u64(span_of(seed), UINT64_MAX, &s->dice));
	ENSURE(!number || num_parse_uint(span_of(number), 1, 1000000, &n));
	scratch_in_memory();
	struct testbed *t = begun(name);
	int64_t before[TABLES], after[TABLES];

	count_rows(t, before);
	fill_shelf(s);
	mails = xcalloc(n, sizeof(*mails));
	while (done < n) {
		for (unsigned end = done + BATCH; done < n && done < end; done++) {
			char file[32];

			snprintf(file, sizeof file, "list%08u", done);
			add_mail(&mails[done], s, players[done % PLAYERS].who, done, is_list,
			         t->now_utc);
			testbed_drop(t, file, strbuf_span(&mails[done]), t->now_utc);
		}
		testbed_run(t);
		testbed_wait(t, 1);
	}
	fprintf(
	    stderr,
	    "%s: %u mails cut from %zu files: %lld not understood, %lld carried out, %lld refused, %lld questions, %lld of "
	    "strangers, %lld put aside as automatic\n",
	    name, n, s->n, (long long)count(t, "verdict = 'not-understood'"),
	    (long long)count(t, DONE), (long long)count(t, "verdict = 'refused'"),
	    (long long)count(t, "verdict = 'asked'"),
	    (long long)count(t, "verdict = 'stranger'"),
	    (long long)count(t, "verdict IN ('bulk', 'automatic')"));
	cr_expect_eq(count(t, "verdict = 'too-many'"), 0);
	count_rows(t, after);
	if (after[0] != before[0]) {
		unsigned last = (unsigned)crowd_number(
		    t, "SELECT CAST(substr(transport_id, 5) AS INTEGER) FROM inbox WHERE id ="
		       " (SELECT max(mail) FROM orders)");

		if (last < n)
			tell(t, last, &mails[last]);
	}
	for (size_t i = 0; i < TABLES; i++)
		cr_expect_eq(after[i], before[i], "rows of %s", tables[i]);
	for (unsigned i = 0; i < n; i++) {
		struct strbuf where = STRBUF_INIT;

		if (i == 0 && count(t, DONE) == 0)
			break;
		strbuf_addf(&where, "transport_id LIKE 'list%08u%%' AND %s", i, DONE);
		if (count(t, where.ptr) > 0)
			tell(t, i, &mails[i]);
		strbuf_release(&where);
	}
	for (size_t i = 0; env_get("SHOW") && i < t->nposts; i++)
		printf("==== to %s: %s %s\n%.300s\n", t->posts[i]->who, t->posts[i]->subject,
		       t->posts[i]->in_reply_to, t->posts[i]->text);
	for (unsigned i = 0; i < n; i++)
		strbuf_release(&mails[i]);
	free(mails);
	for (size_t i = 0; i < s->n; i++)
		free(s->paths[i]);
	strbuf_release(&s->text);
	free(s);
	testbed_free(t);
}

Test(list_mails, with_the_header_of_a_list_come_to_nothing)
{
	play(true, "of a list");
}

Test(list_mails, as_if_written_to_the_server_carry_nothing_out)
{
	play(false, "of a person");
}
