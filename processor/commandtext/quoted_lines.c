/*
 * quoted_lines.c - what of a text its writer has not written.
 */
#include "processor/commandtext/quoted_lines.h"

#include <time.h>

#include "processor/base/strbuf.h"
#include "processor/base/utf8.h"
#include "processor/commandtext/same_runs.h"
#include "processor/commandtext/text_line.h"

enum {
	LINES_MOST = 4000, /* those below are left as they are */
	HEADER_LINES = 14, /* above what is quoted */
	LOOSE_LINES = 3,   /* of them in a row that do not name the mail themselves */
	INTRODUCTION = 4,  /* lines of "On Monday Ann wrote:" */
	LABEL_WORDS = 4,
	SUBJECT_WORDS = 4,
	RULE_SIGNS = 5,
	SURE_SIGNS = 8,
	REPLACED_MOST = 6 /* words of ours that something typed took the place of */
};

static const size_t NO_WORD = (size_t)-1;

struct line {
	struct span raw, plain;
	size_t first, end; /* its words */
	bool blank, quoted;
	bool cut; /* `plain` is what the writer has typed into it */
};

struct marker {
	struct arena *arena;
	struct line *lines;
	size_t n;
	struct text_words words;
	const struct answered_mail *mails;
	size_t nmails;
};

/* ---- what a line looks like ---- */

static bool has_address(struct span line)
{
	return span_find_char(line, '@') < line.len || span_find_char(line, '<') < line.len;
}

static bool ends_with_colon(struct span line)
{
	static const char wide[] = "：";

	return line.len > 0 &&
	       (line.ptr[line.len - 1] == ':' ||
	        (line.len > 3 && span_eq_str(span_slice(line, line.len - 3, line.len), wide)));
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The next number of a line, and how many digits it has; false: there is none. */
static bool next_number(struct span *rest, unsigned *number, unsigned *digits)
{
	size_t i = 0;

	while (i < rest->len && !is_digit(rest->ptr[i]))
		i++;
	*number = *digits = 0;
	for (; i < rest->len && is_digit(rest->ptr[i]); i++, (*digits)++)
		*number = *digits < 6 ? *number * 10 + (unsigned)(rest->ptr[i] - '0') : *number;
	*rest = span_slice(*rest, i, rest->len);
	return *digits > 0;
}

static unsigned digits_in(struct span line)
{
	unsigned number, digits, all = 0;

	while (next_number(&line, &number, &digits))
		all += digits;
	return all;
}

/* "18:03", "18.03", "18h03" */
static bool has_time(struct span line)
{
	for (size_t i = 0; i + 3 < line.len; i++)
		if (is_digit(line.ptr[i]) && !is_digit(line.ptr[i + 1]) &&
		    line.ptr[i + 1] != ' ' && is_digit(line.ptr[i + 2]) &&
		    is_digit(line.ptr[i + 3]))
			return true;
	return false;
}

/* A year and a time of day, or a date in numbers: no order has these. */
static bool has_date(struct span line)
{
	unsigned number, digits, n = 0;
	struct span rest = line;
	bool year = false;

	while (next_number(&rest, &number, &digits)) {
		year = year || (digits == 4 && number >= 1990 && number < 2200);
		n++;
	}
	return (year && n >= 3) || (n >= 5 && has_time(line));
}

/* "Sent: Monday", "*Von:* Ann", "差出人: Ann" */
static bool is_labelled(struct span line)
{
	size_t colon = span_find_char(line, ':');

	if (colon == line.len) {
		colon = span_find(line, SPAN_LIT("："));
		if (colon == line.len)
			return false;
	}
	return colon > 0 && text_count_words(span_slice(line, 0, colon)) <= LABEL_WORDS;
}

/* "-----Original Message-----", "________________" */
static bool is_rule(struct span line)
{
	size_t i = 0;

	while (i < line.len && (line.ptr[i] == '_' || line.ptr[i] == '-'))
		i++;
	return i >= RULE_SIGNS && (i == line.len || line.ptr[line.len - 1] == '-');
}

/* "-------- Original message --------", with eight signs or more on both sides: nobody decorates so. */
static bool is_sure_rule(struct span line)
{
	size_t front = 0, back = 0;

	while (front < line.len && line.ptr[front] == '-')
		front++;
	while (back < line.len - front && line.ptr[line.len - 1 - back] == '-')
		back++;
	return front >= SURE_SIGNS && back >= SURE_SIGNS;
}

/* ---- what it says of a mail that may be quoted ---- */

static bool has_words(struct span line, struct span words)
{
	struct strbuf small = STRBUF_INIT, wanted = STRBUF_INIT;
	bool found;

	utf8_add_folded(&small, line);
	utf8_add_folded(&wanted, words);
	found = words.len > 0 &&
	        span_find(strbuf_span(&small), strbuf_span(&wanted)) < small.len;
	strbuf_release(&small);
	strbuf_release(&wanted);
	return found;
}

/* Some words of its subject in a row, or all. */
static bool names_subject(struct span line, struct span subject)
{
	size_t n = text_count_words(subject);
	struct span word, other;

	n = n < SUBJECT_WORDS ? n : SUBJECT_WORDS;
	for (; n > 1 && line.len > 0; (void)span_next_word(&line, "", &word)) {
		struct span a = subject, b = line;
		size_t same = 0;

		while (same < n && span_next_word(&a, "", &word) &&
		       span_next_word(&b, "", &other) &&
		       text_word_key(word) == text_word_key(other))
			same++;
		if (same == n)
			return true;
	}
	return false;
}

/* Its year, its day or that of another time zone, and the minute. */
static bool names_date(struct span line, int64_t date_utc)
{
	bool year = false, day = false, minute = false;
	unsigned number, digits;

	while (next_number(&line, &number, &digits))
		for (int shift = -1; shift <= 1; shift++) {
			time_t t = (time_t)(date_utc + shift * 86400);
			struct tm tm;

			if (!gmtime_r(&t, &tm))
				return false;
			year = year || number == (unsigned)tm.tm_year + 1900 ||
			       (digits == 2 && number == (unsigned)tm.tm_year % 100);
			day = day || (digits <= 2 && number == (unsigned)tm.tm_mday);
			minute = minute || (digits == 2 && number == (unsigned)tm.tm_min);
		}
	return year && day && minute;
}

/* "Hello, Molepost.": some programs greet whom they quote. */
static bool is_salutation(const struct marker *m, struct span line)
{
	bool named = false;

	for (size_t i = 0; i < m->nmails; i++)
		named = named || has_words(line, m->mails[i].from_name);
	return named && text_count_words(line) <= LABEL_WORDS;
}

static bool names_mail(const struct marker *m, struct span line)
{
	for (size_t i = 0; i < m->nmails; i++) {
		const struct answered_mail *mail = &m->mails[i];

		/* "@example.org": what stands before it may carry a reply token. */
		if (has_words(line, span_slice(mail->from, span_find_char(mail->from, '@'),
		                               mail->from.len)) ||
		    ((is_labelled(line) || text_count_words(line) <= LABEL_WORDS) &&
		     has_words(line, mail->to)) ||
		    names_subject(line, mail->subject) || names_date(line, mail->date_utc))
			return true;
	}
	return false;
}

/* ---- above a quotation ---- */

/* The line before with something in it; `first`: there is none. */
static size_t line_above(const struct marker *m, size_t i, size_t first)
{
	size_t k = i;

	while (k > first && m->lines[k - 1].blank)
		k--;
	return k > first ? k - 1 : first;
}

/* A year or a time of day. */
static bool has_part_of_date(struct span line)
{
	unsigned number, digits;
	bool year = false;
	struct span rest = line;

	while (!year && next_number(&rest, &number, &digits))
		year = digits == 4 && number >= 1990 && number < 2200;
	return year || has_time(line);
}

/*
 * How many lines down to `last` say "On Mon, 23 Nov 2026 Ann wrote:"; 0: it is no such line. `sure`: what is
 * below it is quoted, so that a date or an address is enough.
 */
static size_t introduction_lines(const struct marker *m, size_t last, bool sure)
{
	bool address = false, date = false, dated = false;
	unsigned digits = 0;
	size_t found = 0;

	if (!ends_with_colon(m->lines[last].plain))
		return (last + 1 == m->n || m->lines[last + 1].blank) &&
		       has_date(m->lines[last].plain) && names_mail(m, m->lines[last].plain);
	for (size_t k = 0; k < INTRODUCTION && k <= last && !m->lines[last - k].blank &&
	                   !m->lines[last - k].quoted;
	     k++) {
		struct span line = m->lines[last - k].plain;
		bool names = has_address(line) || has_part_of_date(line);

		if (found > 0 && (date || !names))
			break;
		address = address || has_address(line);
		date = date || has_part_of_date(line);
		dated = dated || (has_date(line) && has_time(line));
		digits += digits_in(line);
		if ((k == 0 || names) &&
		    (sure ? address || date : dated || (address && digits > 2)))
			found = k + 1;
	}
	return found;
}

static void mark_lines(struct marker *m, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		m->lines[i].quoted = m->lines[i].quoted || !m->lines[i].blank;
}

/* What may stand among lines that name the mail: "To:", "Kopie". */
static bool is_loose(struct span line)
{
	return ends_with_colon(line) || is_labelled(line) ||
	       (text_count_words(line) <= 2 && digits_in(line) == 0);
}

/* What a program has written above line i, from which on something is quoted. */
static void mark_above(struct marker *m, size_t i)
{
	size_t top = i, k = i;
	unsigned loose = 0;

	for (unsigned n = 0; n < HEADER_LINES; n++) {
		size_t above = line_above(m, k, 0);

		if (above == k || m->lines[above].blank || m->lines[above].quoted)
			break;
		struct span line = m->lines[above].plain;
		size_t lines = n == 0 ? introduction_lines(m, above, true) : 0;
		if (lines > 0)
			above -= lines - 1;
		if (lines > 0 || names_mail(m, line)) {
			top = above;
			loose = 0;
		} else if (!is_loose(line) || ++loose > LOOSE_LINES ||
		           (top == i && !(is_labelled(line) && above + 1 == k))) {
			break;
		}
		k = above;
	}
	while (top < i && top > 0 && !m->lines[top - 1].quoted &&
	       is_labelled(m->lines[top - 1].plain) && has_date(m->lines[top - 1].plain))
		top--;
	size_t rule = line_above(m, top, 0);
	if (rule < top && !m->lines[rule].quoted &&
	    (is_rule(m->lines[rule].plain) || is_salutation(m, m->lines[rule].plain)))
		top = rule;
	mark_lines(m, top, i);
}

/* ---- a mail that nobody knows ---- */

/* Lines from i on that are the header of a mail, 0 = none. `ruled`: a rule stands above them. */
static size_t header_lines(const struct marker *m, size_t i, bool ruled)
{
	bool address = false, date = false, named = false;
	size_t n = 0;

	for (; n < HEADER_LINES && i + n < m->n; n++) {
		struct span line = m->lines[i + n].plain;

		if (m->lines[i + n].blank || m->lines[i + n].quoted ||
		    !(is_labelled(line) ||
		      (ruled && (has_address(line) || has_date(line) || names_mail(m, line)))))
			break;
		address = address || span_find_char(line, '@') < line.len;
		date = date || has_date(line);
		named = named || (is_labelled(line) && names_mail(m, line));
	}
	return named || (n >= 3 && (address || date)) ? n : 0;
}

static unsigned mark_headers(struct marker *m)
{
	unsigned first = 0;

	for (size_t i = 0; i < m->n; i++) {
		if (m->lines[i].blank || m->lines[i].quoted)
			continue;
		size_t rule = line_above(m, i, 0);
		bool ruled = rule < i && is_rule(m->lines[rule].plain);
		size_t n = is_sure_rule(m->lines[i].plain) ? 1 : header_lines(m, i, ruled);
		size_t above = introduction_lines(m, i, false);
		if (n == 0 && above == 0)
			continue;
		size_t from = ruled ? rule : above > 0 ? i + 1 - above : i;
		size_t greeting = line_above(m, from, 0);
		if (greeting < from && is_salutation(m, m->lines[greeting].plain))
			from = greeting;
		mark_lines(m, from, i + (n > 0 ? n : 1));
		first = first == 0 && n > 0 ? (unsigned)from + 1 : first;
	}
	return first;
}

/* ---- words of ours ---- */

/* What programs put behind an address or a picture, and letters lost on the way: nobody has typed these. */
static bool is_debris(struct span word)
{
	static const char *const signs[] = {"<", "://", "@", "[cid:", "?", "\xef\xbf\xbd"};

	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (span_find(word, span_of(signs[i])) < word.len)
			return true;
	return false;
}

/* Whether words between `before` and `after` took the place of others. */
static bool replaces(const struct text_word *before, const struct text_word *after)
{
	return before && after && after->at > before->at + 1 &&
	       after->at - before->at <= REPLACED_MOST + 1;
}

/* Where a line has words of ours and others: it is quoted, or cut to what was typed, or left. */
static void judge_line(struct marker *m, struct line *l)
{
	const struct text_word *w = m->words.items;
	size_t same = 0, first = NO_WORD, last = 0;
	bool debris = true;

	for (size_t i = l->first; i < l->end; i++) {
		same += w[i].same;
		if (w[i].same || is_debris(w[i].text))
			continue;
		debris = false;
		first = first == NO_WORD ? i : first;
		last = i;
	}
	if (same == 0)
		return;
	if (debris) {
		l->quoted = true;
		return;
	}
	while (last + 1 < l->end && !w[last + 1].same)
		last++;
	while (first > l->first && !w[first - 1].same)
		first--;
	if (replaces(first > 0 && w[first - 1].same ? &w[first - 1] : NULL,
	             last + 1 < m->words.count && w[last + 1].same ? &w[last + 1] : NULL))
		return;
	const char *from = first > l->first ? w[first - 1].text.ptr + w[first - 1].text.len
	                                    : l->plain.ptr,
		   *to = last + 1 < l->end ? w[last + 1].text.ptr : l->plain.ptr + l->plain.len;
	l->plain = span_trim((struct span){from, (size_t)(to - from)});
	l->cut = true;
}

/* Rows of dots and rules have no words: they are quoted above what is, and directly below it. But "?" is HELP. */
static bool is_wordless(const struct line *l)
{
	return !l->blank && l->first == l->end && span_find_char(l->plain, '?') == l->plain.len;
}

static void mark_wordless(struct marker *m)
{
	bool below = false;

	for (size_t i = m->n; i-- > 0;) {
		struct line *l = &m->lines[i];

		below = l->quoted || (below && (l->blank || is_wordless(l)));
		l->quoted = l->quoted || (below && is_wordless(l));
	}
	for (size_t i = 1; i < m->n; i++)
		m->lines[i].quoted = m->lines[i].quoted ||
		                     (m->lines[i - 1].quoted && is_wordless(&m->lines[i]));
}

static void mark_words(struct marker *m, size_t bytes)
{
	struct span *texts = arena_calloc(m->arena, m->nmails, sizeof(*texts));

	m->words.items = arena_calloc(m->arena, bytes / 2 + m->n + 1, sizeof(*m->words.items));
	for (size_t i = 0; i < m->n; i++) {
		m->lines[i].first = m->words.count;
		text_words_add(&m->words, m->lines[i].plain, (unsigned)i);
		m->lines[i].end = m->words.count;
	}
	for (size_t i = 0; i < m->nmails; i++)
		texts[i] = m->mails[i].text;
	same_runs_find(&m->words, texts, m->nmails, m->arena);
	for (size_t i = 0; i < m->n; i++)
		if (!m->lines[i].quoted)
			judge_line(m, &m->lines[i]);
	mark_wordless(m);
}

/* ---- all of it ---- */

static struct span write_lines(const struct marker *m, struct span text, struct span below)
{
	struct strbuf out = STRBUF_INIT;
	size_t same = 0;

	while (same < m->n && !m->lines[same].cut &&
	       (!m->lines[same].quoted || m->lines[same].raw.ptr[0] == '>'))
		same++;
	if (same == m->n)
		return text;
	for (size_t i = 0; i < m->n; i++) {
		const struct line *l = &m->lines[i];

		if (l->quoted && l->raw.ptr[0] != '>')
			strbuf_adds(&out, "> ");
		strbuf_add_span(&out, l->cut && !l->quoted ? l->plain : l->raw);
		strbuf_addc(&out, '\n');
	}
	strbuf_add_span(&out, below);
	text = arena_dup(m->arena, strbuf_span(&out));
	strbuf_release(&out);
	return text;
}

struct span quoted_lines_mark(struct span text, const struct answered_mail *mails, size_t n,
                              struct arena *arena, unsigned *header)
{
	struct marker m = {.arena = arena, .mails = mails, .nmails = n};
	struct span rest = text, raw;
	size_t bytes = 0, cap = span_count_char(text, '\n') + 1;

	m.lines = arena_calloc(arena, cap < LINES_MOST ? cap : LINES_MOST, sizeof(*m.lines));
	while (m.n < LINES_MOST && span_next_line(&rest, &raw)) {
		struct line *l = &m.lines[m.n++];

		l->raw = l->plain = raw;
		if (n > 0 || (raw.len > 0 && raw.ptr[0] != '>')) /* else it is known without */
			l->plain = text_plain(text_clean_line(raw, arena), arena);
		l->blank = l->plain.len == 0;
		l->quoted = !l->blank && l->plain.ptr[0] == '>';
		bytes += l->plain.len;
	}
	if (n > 0)
		mark_words(&m, bytes);
	for (size_t i = 0; i < m.n; i++)
		if (m.lines[i].quoted && (i == 0 || !m.lines[line_above(&m, i, 0)].quoted))
			mark_above(&m, i);
	unsigned first = mark_headers(&m);
	if (header)
		*header = first;
	return write_lines(&m, text, rest);
}

bool quoted_lines_may_repeat(struct span text, struct arena *arena)
{
	struct span rest = quoted_lines_mark(text, NULL, 0, arena, NULL), line;
	unsigned words = 0;

	while (words < SAME_RUNS_LEAST && span_next_line(&rest, &line))
		if (line.len > 0 && line.ptr[0] != '>')
			words += text_count_words(line);
	return words >= SAME_RUNS_LEAST;
}
