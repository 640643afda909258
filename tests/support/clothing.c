/*
 * clothing.c - typing, surroundings, packing: one function family for each.
 */
#include "tests/support/clothing.h"

#include <string.h>

#include "processor/base/err.h"
#include "processor/base/utf8.h"
#include "processor/games/order_text.h"
#include "tests/support/play.h"
#include "tests/support/transfer.h"

enum charset { UTF_8, WINDOWS_1252 };

struct outfit {
	uint64_t *dice;
	enum charset charset;
	unsigned blanks;  /* how the blanks between words are typed */
	bool dashes;      /* an en dash for '-' */
	bool wide_digits; /* full width, not in windows-1252 */
	unsigned bullet;
	unsigned ends; /* what stands behind a line */
	unsigned verb; /* how the first word is written */
	bool together; /* all clauses on one line */
	struct strbuf *how;
};

#define ANY(o, list) (list)[play_draw((o)->dice, sizeof(list) / sizeof((list)[0]))]

/* ---- typing ---- */

static void add_blank(const struct outfit *o, struct strbuf *out)
{
	static const char *const utf8[] = {
	    " ", "\xc2\xa0", "  ", "\xe2\x80\x89", "\xe3\x80\x80", " \xe2\x80\x8b"};
	static const char *const latin[] = {" ", "\xc2\xa0", "  "};

	strbuf_adds(out, o->charset == UTF_8 ? utf8[o->blanks % 6] : latin[o->blanks % 3]);
}

static void add_typed(const struct outfit *o, char c, struct strbuf *out)
{
	if (c == ' ')
		add_blank(o, out);
	else if (c == '-' && o->dashes)
		strbuf_adds(out, "\xe2\x80\x93");
	else if (c >= '0' && c <= '9' && o->wide_digits)
		utf8_add(out, 0xFF10u + (uint32_t)(c - '0'));
	else
		strbuf_addc(out, c);
}

static char cased(char c, unsigned how, bool first)
{
	bool small = how == 1 || (how == 2 && !first);

	return small && c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static void add_clause(const struct outfit *o, struct span clause, struct strbuf *out)
{
	size_t verb = span_find_char(clause, ' ');

	for (size_t i = 0; i < clause.len; i++)
		add_typed(o, i < verb ? cased(clause.ptr[i], o->verb, i == 0) : clause.ptr[i],
		          out);
}

static void open_line(const struct outfit *o, unsigned number, struct strbuf *out)
{
	static const char *const bullets[] = {"", "- ", "* ", "\xe2\x80\xa2 "};

	if (o->bullet == 4)
		strbuf_addf(out, "%u. ", number);
	else
		strbuf_adds(out, bullets[o->bullet]);
}

static void close_line(const struct outfit *o, struct strbuf *out)
{
	static const char *const ends[] = {"\n", ".\n", "  \n", "\t\n"};

	if (o->together && o->ends == 1)
		strbuf_adds(out, "\n");
	else
		strbuf_adds(out, ends[o->ends]);
}

static void type_orders(const struct outfit *o, struct span orders, struct strbuf *out)
{
	struct span clause;
	unsigned n = 0;

	while (order_next_canonical(&orders, &clause)) {
		if (n == 0 || !o->together)
			open_line(o, n + 1, out);
		else
			strbuf_adds(out, "; ");
		add_clause(o, clause, out);
		if (!o->together)
			close_line(o, out);
		n++;
	}
	if (o->together)
		close_line(o, out);
}

/* ---- surroundings ---- */

static const char *const report[] = {
    "You scored 2 and have 14: 2nd of 3. Bob hit you at hole 3.",
    "",
    "Orders for turn 4 are due Tue 24 Nov 16:42 UTC (in 3 days). Reply with",
    "them. For example:",
    "  | POPUP 1 4; WHACK 2",
    "  | popup 3, whack 1",
    "",
    "== Now: turn 4 ==",
    "Waiting for you and Bob.",
    "If you send nothing, these orders are used:",
    "  > POPUP NONE; WHACK NONE",
    "",
    "-- ",
    "Game W1, Whakka Mole, turn 4. You are Ann, seat 1 of 3.",
    "Mail 8 of this game.",
};
enum { REPORT_LINES = sizeof(report) / sizeof(report[0]) };

static void quote_report(const char *prefix, size_t from, size_t to, struct strbuf *out)
{
	for (size_t i = from; i < to; i++)
		strbuf_addf(out, "%s%s\n", prefix, report[i]);
}

static void add_talk(const struct outfit *o, struct strbuf *out)
{
	static const char *const talk[] = {"", "Hi,\n\n", "Guten Abend zusammen,\n",
	                                   "Here is what I do this time:\n\n",
	                                   "Bonjour \xc3\xa0 tous !\n\n"};

	strbuf_adds(out, ANY(o, talk));
}

static void add_farewell(const struct outfit *o, struct strbuf *out)
{
	static const char *const farewell[] = {
	    "", "\nSent from my iPhone\n", "\n-- \nAnn\npopup 9\n",
	    "\nSch\xc3\xb6nen Gru\xc3\x9f,\nJ\xc3\xb6rg\n", "\n--\nAnn Archer\n"};

	strbuf_adds(out, ANY(o, farewell));
}

enum quoting { QUOTE_NONE, QUOTE_BELOW, QUOTE_ABOVE, QUOTE_AROUND, QUOTE_OUTLOOK, QUOTINGS };

static void surround(const struct outfit *o, struct span typed, struct strbuf *out)
{
	static const char *const attributions[] = {
	    "On Sat, Nov 21, 2026 at 5:42 PM Molepost <\nmoles@example.org> wrote:\n\n",
	    "Am 21.11.26 um 17:42 schrieb Molepost:\n",
	    "> On 21 Nov 2026, Molepost wrote:\n>\n"};
	static const char *const prefixes[] = {"> ", ">", ">> ", "| "};
	static const char *const names[QUOTINGS] = {"unquoted", "quoted below", "quoted above",
	                                            "quoted around", "quoted by Outlook"};
	const char *prefix = ANY(o, prefixes);
	enum quoting q = (enum quoting)play_draw(o->dice, QUOTINGS);

	strbuf_addf(o->how, ", %s", names[q]);
	if (q == QUOTE_ABOVE || q == QUOTE_AROUND) {
		strbuf_adds(out, ANY(o, attributions));
		quote_report(prefix, 0, q == QUOTE_ABOVE ? REPORT_LINES : 7, out);
		strbuf_addc(out, '\n');
	}
	add_talk(o, out);
	strbuf_add_span(out, typed);
	if (q == QUOTE_AROUND)
		quote_report(prefix, 7, REPORT_LINES, out);
	add_farewell(o, out);
	if (q == QUOTE_BELOW) {
		strbuf_addf(out, "\n%s", ANY(o, attributions));
		quote_report(prefix, 0, REPORT_LINES, out);
	} else if (q == QUOTE_OUTLOOK) {
		strbuf_adds(out, "\n-----Original Message-----\nFrom: Molepost "
		                 "<moles@example.org>\nSent: Saturday\nTo: Ann\nSubject: "
		                 "[W1 turn 4]\n\n");
		quote_report("", 0, REPORT_LINES, out);
	}
}

/* ---- packing ---- */

static void to_windows_1252(struct span text, struct strbuf *out)
{
	uint32_t cp;

	while (utf8_next(&text, &cp)) {
		unsigned char byte = (unsigned char)cp;

		if (cp == 0x2013)
			byte = 0x96;
		else if (cp == 0x2022)
			byte = 0x95;
		else if (cp == 0x2019)
			byte = 0x92;
		else if (cp > 0xff)
			byte = '?';
		strbuf_addc(out, (char)byte);
	}
}

/* Words up to `most` columns to a line; `joint` ends each line but the last of a paragraph. */
static void wrap_line(struct span line, size_t most, const char *joint, struct strbuf *out)
{
	while (line.len > most) {
		size_t cut = most;

		while (cut > 0 && line.ptr[cut] != ' ')
			cut--;
		if (cut == 0 || cut + 1 >= line.len || line.ptr[cut + 1] == ' ' ||
		    line.ptr[cut - 1] == ' ')
			break;
		strbuf_add(out, line.ptr, cut);
		strbuf_addf(out, "%s\n", joint);
		line = span_slice(line, cut + 1, line.len);
		if (line.ptr[0] == '>' || span_starts(line, "From "))
			strbuf_addc(out, ' ');
	}
	strbuf_add_span(out, line);
	strbuf_addc(out, '\n');
}

static struct span without_blanks_behind(struct span line)
{
	while (line.len > 0 && line.ptr[line.len - 1] == ' ')
		line.len--;
	return line;
}

static void wrap(struct span text, size_t most, const char *joint, struct strbuf *out)
{
	struct span line;

	while (span_next_line(&text, &line)) {
		bool signature = span_eq_str(line, "-- ");

		/* A blank at the end would say that the line goes on. */
		if (!signature)
			line = without_blanks_behind(line);
		if (line.len > 0 && line.ptr[0] == ' ')
			strbuf_addc(out, ' ');
		if (line.len > 0 && line.ptr[0] == '>')
			strbuf_addf(out, "%.*s\n", SPAN_ARGS(line));
		else
			wrap_line(line, most, joint, out);
	}
}

static void add_html_text(const struct outfit *o, struct span line, struct strbuf *out)
{
	for (size_t i = 0; i < line.len; i++) {
		if (line.ptr[i] == '<')
			strbuf_adds(out, "&lt;");
		else if (line.ptr[i] == '>')
			strbuf_adds(out, "&gt;");
		else if (line.ptr[i] == '&')
			strbuf_adds(out, "&amp;");
		else if (line.ptr[i] == ' ' && play_draw(o->dice, 4) == 0)
			strbuf_adds(out, "&nbsp;");
		else if (line.ptr[i] == ' ' && play_draw(o->dice, 8) == 0)
			strbuf_adds(out, "</span>\n<span style=\"color: black\">");
		else
			strbuf_addc(out, line.ptr[i]);
	}
}

static void to_html(const struct outfit *o, struct span text, struct strbuf *out)
{
	static const char *const lines[][2] = {
	    {"<div><span>", "</span></div>\n"},
	    {"<p class=\"MsoNormal\"><span>", "</span><o:p></o:p></p>\n"},
	    {"<span>", "</span><br>\n"},
	    {"<tr><td><span>", "</span></td></tr>"}};
	unsigned how = play_draw(o->dice, 4);
	struct span line;

	strbuf_adds(out, "<html><head><style>p {margin: 0}</style></head><body>");
	while (span_next_line(&text, &line)) {
		strbuf_adds(out, lines[how][0]);
		add_html_text(o, line, out);
		strbuf_adds(out, lines[how][1]);
	}
	strbuf_adds(out, "</body></html>\n");
}

/* One part: its fields, an empty line, the body in some transfer encoding. */
static void add_part(const struct outfit *o, const char *type, struct span text,
                     struct strbuf *out)
{
	static const char *const encodings[] = {"8bit", "quoted-printable", "base64"};
	unsigned encoding = play_draw(o->dice, 3);
	struct strbuf bytes = STRBUF_INIT;

	if (o->charset == WINDOWS_1252)
		to_windows_1252(text, &bytes);
	else
		strbuf_add_span(&bytes, text);
	strbuf_addf(o->how, ", %s in %s", type, encodings[encoding]);
	strbuf_addf(out, "Content-Type: %s; charset=%s\nContent-Transfer-Encoding: %s\n\n",
	            type, o->charset == UTF_8 ? "utf-8" : "windows-1252", encodings[encoding]);
	if (encoding == 0)
		strbuf_add_span(out, strbuf_span(&bytes));
	else if (encoding == 1)
		transfer_add_qp(out, strbuf_span(&bytes));
	else
		transfer_add_base64(out, strbuf_span(&bytes));
	strbuf_addc(out, '\n');
	strbuf_release(&bytes);
}

static void pack_both(const struct outfit *o, struct span text, struct strbuf *out)
{
	struct strbuf html = STRBUF_INIT, broken = STRBUF_INIT;

	/* As webmail does: what is too long goes on in the next line, and nothing says so. */
	wrap(text, 76, "", &broken);
	to_html(o, text, &html);
	strbuf_adds(out, "Content-Type: multipart/alternative; boundary=\"=_b\"\n\n--=_b\n");
	add_part(o, "text/plain", strbuf_span(&broken), out);
	strbuf_adds(out, "--=_b\n");
	add_part(o, "text/html", strbuf_span(&html), out);
	strbuf_adds(out, "--=_b--\n");
	strbuf_release(&html);
	strbuf_release(&broken);
}

static void pack(const struct outfit *o, struct span text, struct strbuf *out)
{
	struct strbuf packed = STRBUF_INIT;

	switch (play_draw(o->dice, 5)) {
	case 0:
		add_part(o, "text/plain", text, out);
		break;
	case 1:
		wrap(text, 40 + play_draw(o->dice, 32), " ", &packed);
		add_part(o, "text/plain; format=flowed", strbuf_span(&packed), out);
		break;
	case 2:
		to_html(o, text, &packed);
		add_part(o, "text/html", strbuf_span(&packed), out);
		break;
	case 3:
		pack_both(o, text, out);
		break;
	default:
		strbuf_adds(out, "Content-Type: multipart/mixed; boundary=\"=_m\"\n\n--=_m\n");
		add_part(o, "text/plain", text, out);
		strbuf_adds(out, "--=_m\nContent-Type: text/plain; charset=us-ascii\n\n"
		                 "____________\nGarden mailing list\n--=_m--\n");
	}
	strbuf_release(&packed);
}

void clothing_put_on(uint64_t *dice, struct span orders, struct strbuf *raw, struct strbuf *how)
{
	struct outfit o = {.dice = dice,
	                   .charset = (enum charset)play_draw(dice, 2),
	                   .blanks = play_draw(dice, 6),
	                   .dashes = play_draw(dice, 2),
	                   .bullet = play_draw(dice, 5),
	                   .ends = play_draw(dice, 4),
	                   .verb = play_draw(dice, 3),
	                   .together = play_draw(dice, 2),
	                   .how = how};
	struct strbuf typed = STRBUF_INIT, text = STRBUF_INIT;

	o.wide_digits = o.charset == UTF_8 && play_draw(dice, 4) == 0;
	strbuf_adds(how, o.charset == UTF_8 ? "utf-8" : "windows-1252");
	type_orders(&o, orders, &typed);
	surround(&o, strbuf_span(&typed), &text);
	strbuf_adds(raw, "From: Ann <ann@example.net>\nTo: moles@example.org\n"
	                 "Subject: Re: [W1 turn 4] orders due Tue 24 Nov\n"
	                 "MIME-Version: 1.0\n");
	pack(&o, strbuf_span(&text), raw);
	strbuf_release(&typed);
	strbuf_release(&text);
}
