/*
 * echo.c - our own mails, sent back in every way mail programs quote.
 *
 * Nothing stands above our text that would stop the reading, so every single line has to be harmless.
 */
#include "tests/support/echo.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "mail/compose.h"
#include "processor/base/err.h"
#include "processor/base/mailto.h"
#include "reports/report.h"
#include "tests/support/table.h"

enum { NARROW_COLS = 44 };

/* ---- the forms ---- */

static void as_it_stands(const struct post *p, struct strbuf *out)
{
	strbuf_adds(out, p->text);
}

/* As a program sends it that leaves out signatures when it quotes. */
static void without_small_print(const struct post *p, struct strbuf *out)
{
	struct span text = span_of(p->text);

	strbuf_add_span(out, span_slice(text, 0, span_find(text, SPAN_LIT("\n-- \n")) + 1));
}

static void quoted(const struct post *p, struct strbuf *out)
{
	struct span rest = span_of(p->text), line;

	strbuf_adds(out, "Molepost wrote:\n");
	while (span_next_line(&rest, &line))
		strbuf_addf(out, "> %.*s\n", SPAN_ARGS(line));
}

static void as_outlook_quotes(const struct post *p, struct strbuf *out)
{
	strbuf_addf(out,
	            "From: Molepost <moles@example.org>\n"
	            "Sent: Thursday, March 12, 2026 6:02 PM\nTo: %s\nSubject: %s\n\n",
	            p->who, p->subject);
	strbuf_adds(out, p->text);
}

static void add_html_char(char c, struct strbuf *out)
{
	if (c == '<')
		strbuf_adds(out, "&lt;");
	else if (c == '>')
		strbuf_adds(out, "&gt;");
	else if (c == '&')
		strbuf_adds(out, "&amp;");
	else
		strbuf_addc(out, c);
}

static void in_html(const struct post *p, struct strbuf *out)
{
	struct span rest = span_of(p->text), line;

	strbuf_adds(out, "<html><body>\n");
	while (span_next_line(&rest, &line)) {
		strbuf_adds(out, "<div>");
		for (size_t i = 0; i < line.len; i++)
			add_html_char(line.ptr[i], out);
		strbuf_adds(out, line.len ? "</div>\n" : "<br></div>\n");
	}
	strbuf_adds(out, "</body></html>\n");
}

/* What a reader with SET MAIL HTML has before him. */
static void in_our_html(const struct post *p, struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT;
	struct mailto answer = {.address = SPAN_LIT("moles@example.org"),
	                        .subject = SPAN_LIT("Re: moles")};

	if (mail_read_back((struct span){p->raw, p->raw_len}, &text))
		report_html(strbuf_span(&text), &answer, "status,clear,help", NULL, out);
	strbuf_release(&text);
}

static bool is_marked(struct span line)
{
	line = span_trim(line);
	return line.len > 0 && (line.ptr[0] == '|' || line.ptr[0] == '>');
}

/*
 * Text set anew in narrow lines: words of ours now stand where lines begin. The record of a game is
 * left out; its lines hold orders and cannot be written otherwise.
 */
static void broken_anew(const struct post *p, struct strbuf *out)
{
	struct span rest = span_of(p->text), line, word;
	size_t cols = 0;

	rest = span_slice(rest, 0, span_find(rest, SPAN_LIT("-----BEGIN MOLEPOST ARCHIVE")));
	while (span_next_line(&rest, &line)) {
		if (line.len == 0 || is_marked(line)) {
			strbuf_addf(out, "%s%.*s\n", cols ? "\n" : "", SPAN_ARGS(line));
			cols = 0;
			continue;
		}
		while (span_next_word(&line, "", &word)) {
			bool fits = cols > 0 && cols + 1 + word.len <= NARROW_COLS;
			strbuf_addf(out, "%s%.*s",
			            fits   ? " "
			            : cols ? "\n"
			                   : "",
			            SPAN_ARGS(word));
			cols = fits ? cols + 1 + word.len : word.len;
		}
	}
	strbuf_addc(out, '\n');
}

static const struct form {
	const char *name;
	void (*write)(const struct post *p, struct strbuf *out);
	const char *type;
	bool names_it; /* says which mail it answers, as programs do */
} forms[] = {
    {"raw", as_it_stands, "text/plain", false},
    {"our-html", in_our_html, "text/html", true},
    {"bare", without_small_print, "text/plain", true},
    {"quoted", quoted, "text/plain", false},
    {"outlook", as_outlook_quotes, "text/plain", false},
    {"html", in_html, "text/html", false},
    {"narrow", broken_anew, "text/plain", false},
};

/* ---- sending them back ---- */

/* "moles+w1-2.5.MAC@host" -> "w1-2.", which seat of which game. */
static struct span seat_of(const char *reply_to)
{
	struct span s = span_of(reply_to);

	s = span_slice(s, span_find_char(s, '+') + 1, s.len);
	return span_slice(s, 0, span_find_char(s, '.') + 1);
}

/* The newest reply address of the same seat, so that an order would count. */
static const char *newest_address(const struct testbed *s, const struct post *p)
{
	const char *found = p->reply_to;

	for (size_t i = 0; i < s->nposts; i++)
		if (strcmp(s->posts[i]->who, p->who) == 0 && *p->reply_to &&
		    span_eq(seat_of(s->posts[i]->reply_to), seat_of(p->reply_to)))
			found = s->posts[i]->reply_to;
	return *found ? found : "moles@example.org";
}

static void send_back(struct testbed *s, size_t post, const struct form *f)
{
	const struct post *p = s->posts[post];
	struct strbuf raw = STRBUF_INIT, name = STRBUF_INIT;

	strbuf_addf(&name, "echo-%zu-%s", post, f->name);
	if (f->names_it)
		strbuf_addf(&raw, "In-Reply-To: %s\n", p->message_id);
	strbuf_addf(&raw,
	            "From: %s%s\nTo: %s\nSubject: Re: %s\nMessage-ID: <%s@example.net>\n"
	            "MIME-Version: 1.0\nContent-Type: %s; charset=utf-8\n"
	            "Content-Transfer-Encoding: 8bit\n\n",
	            p->who, strchr(p->who, '@') ? "" : "@example.net",
	            f->names_it && *p->reply_to ? p->reply_to : newest_address(s, p),
	            p->subject, name.ptr, f->type);
	f->write(p, &raw);
	testbed_drop(s, name.ptr, strbuf_span(&raw), s->now_utc);
	strbuf_release(&raw);
	strbuf_release(&name);
}

/* ---- what may not have changed ---- */

static bool is_one_of(struct span line, const char *const *starts)
{
	for (size_t i = 0; starts[i]; i++)
		if (span_starts(line, starts[i]))
			return true;
	return false;
}

/*
 * Without the count of mails sent, which every answer raises, that of answers in a row, and
 * what a mail looks like.
 */
static void add_without_count(struct span line, struct strbuf *out)
{
	static const char *const left_out[] = {" mails=", " unheard=", " writes_html="};
	size_t at = line.len;

	for (size_t i = 0; i < sizeof left_out / sizeof left_out[0]; i++) {
		size_t found = span_find(line, span_of(left_out[i]));

		at = found < at ? found : at;
	}
	strbuf_add_span(out, span_slice(line, 0, at));
	if (at == line.len) {
		strbuf_addc(out, '\n');
		return;
	}
	line = span_slice(line, at + 1, line.len);
	add_without_count(span_slice(line, span_find_char(line, ' '), line.len), out);
}

static void state_of(const struct strbuf *dump, struct strbuf *out)
{
	static const char *const kept[] = {
	    "players ",          "games ",         "seats ", "turns ", "results ", "orders ",
	    "player_addresses ", "confirmations ", NULL};
	struct span rest = strbuf_span(dump), line;

	while (span_next_line(&rest, &line))
		if (is_one_of(line, kept))
			add_without_count(line, out);
}

static const char *answer_to(const struct testbed *s, struct span echo)
{
	for (size_t i = 0; i < s->nposts; i++) {
		struct span id = span_of(s->posts[i]->in_reply_to);
		if (span_starts(span_slice(id, 1, id.len), "echo-") &&
		    span_eq(span_slice(id, 1, span_find_char(id, '@')), echo))
			return s->posts[i]->text;
	}
	return "(no answer)";
}

/* "refused" alone could be orders that were meant and wrong. */
static bool did_nothing(struct span verdict)
{
	static const char *const harmless[] = {
	    "not-understood ", "stranger ", "dead-token ", "blocked ", "closed-question ",
	    "too-many ",
	    /* with the state as it was: an empty answer, which gets
	                                          STATUS, or a record, which gets VERIFY */
	    "command detail=carried out", NULL};

	return is_one_of(verdict, harmless);
}

static void nothing_was_understood(const struct testbed *s, const char *name,
                                   const struct strbuf *dump)
{
	const struct span id = SPAN_LIT(" transport_id="), verdict = SPAN_LIT(" verdict=");
	struct span rest = strbuf_span(dump), line;

	while (span_next_line(&rest, &line)) {
		struct span is =
		    span_slice(line, span_find(line, verdict) + verdict.len, line.len);
		struct span echo = span_slice(line, span_find(line, id) + id.len, line.len);
		if (!span_starts(line, "inbox ") || !span_starts(echo, "echo-"))
			continue;
		echo = span_slice(echo, 0, span_find_char(echo, ' '));
		if (span_find(echo, SPAN_LIT("narrow")) < echo.len)
			continue; /* torn apart, our words may look wrong, but they may not do anything */
		cr_expect(did_nothing(is),
		          "%s: our own words were taken for something, %.*s: %.*s\n%s", name,
		          SPAN_ARGS(echo), SPAN_ARGS(is), answer_to(s, echo));
	}
}

void echo_does_nothing(struct testbed *s, const char *name)
{
	struct strbuf dump = STRBUF_INIT, before = STRBUF_INIT, after = STRBUF_INIT;
	size_t n = s->nposts;
	struct ran r;

	/* Of each mail several come back on one day; unless that is what the testbed is about, all are
	   to be read. */
	if (!file_has(s, "molepost.conf", "\nmax_mails_per_day"))
		testbed_configure(s, "max_mails_per_day = 100000");
	testbed_dump(s, &dump);
	state_of(&dump, &before);
	for (size_t i = 0; i < n; i++)
		for (size_t f = 0; f < sizeof(forms) / sizeof(forms[0]); f++)
			send_back(s, i, &forms[f]);
	testbed_do(s, "run", NULL, &r);
	cr_expect_eq(r.code, 0, "%s: %s", name, r.err.ptr);
	testbed_collect(s);
	strbuf_clear(&dump);
	testbed_dump(s, &dump);
	state_of(&dump, &after);
	cr_expect(span_eq(strbuf_span(&before), strbuf_span(&after)),
	          "%s: our own words changed something\n--- before\n%s--- after\n%s", name,
	          before.ptr, after.ptr);
	nothing_was_understood(s, name, &dump);
	ran_release(&r);
	strbuf_release(&dump);
	strbuf_release(&before);
	strbuf_release(&after);
}
