/*
 * quoted_lines.c - what of a text its writer has not written.
 *
 * First the words of ours are marked (mark_words), then, from the last line up, what a
 * program has put above them or above lines with '>', or as a block of its own
 * (mark_above).
 */
#include "processor/quotes/quoted_lines.h"

#include <time.h>

#include "processor/base/strbuf.h"
#include "processor/base/utf8.h"
#include "processor/quotes/same_runs.h"
#include "processor/quotes/text_line.h"

enum {
	LINES_MOST = 4000, /* those below are left as they are */
	HEADER_LINES = 14, /* above what is quoted */
	LABEL_WORDS = 4,   /* "Sent by the program:" */
	LITTLE_WORDS = 2,  /* "Kopie" */
	FIELDS_LEAST = 3,  /* of a header that nobody knows */
	SUBJECT_WORDS = 4, /* in a row name a subject */
	NUMBERS_MOST = 12, /* of a line */
	RULE_SIGNS = 5,
	NARROW = 60,       /* as wide as text is that programs break, at least ... */
	OTHER_WIDTH = 8,   /* ... and so much wider is what they have not broken */
	LONG_WORDS = 8,    /* of a line that is not: no address, no board */
	DATED_MOST = 16,   /* words before a date */
	PROGRAM_LEAST = 4, /* letters of a program's name that no word of people begins with */
	REPLACED_MOST = 6  /* words of ours that something typed took the place of */
};

static const size_t NO_WORD = (size_t)-1;

struct line {
	struct span raw, plain;
	size_t first, end; /* its words */
	bool blank, quoted;
	bool added; /* quoted, and below the text (QUOTED_ADDED) */
	bool cut;   /* `plain` is what the writer has typed into it */
};

struct marker {
	struct arena *arena;
	struct line *lines;
	size_t n;
	struct text_words words;
	struct text_origin origin;
	struct span dated[DATED_MOST]; /* the words before a date in headers */
	size_t ndated, first_own;      /* the latter: the first line that is not quoted */
	unsigned
	    header; /* number of the line where one begins below which nothing is marked; 0 = none */
};

/* ---- what a line says of a mail ---- */

struct look {
	bool label; /* "Sent: Monday", "差出人: Ann" */
	bool colon; /* it ends with one */
	bool address;
	bool day;    /* a year or a time of day */
	bool date;   /* both, or a date in numbers: no order has these */
	bool names;  /* a mail that is answered: by its address, subject or date */
	bool little; /* a word or two, no number */
};

struct numbers {
	unsigned value[NUMBERS_MOST], digits[NUMBERS_MOST];
	size_t count;
	bool time; /* "18:03", "18.03", "18h03" */
};

static struct numbers read_numbers(struct span s)
{
	struct numbers n = {.count = 0};

	for (size_t i = 0, k; i < s.len && n.count<NUMBERS_MOST; i = k> i ? k : i + 1) {
		unsigned value = 0;

		for (k = i; k < s.len && ascii_is_digit(s.ptr[k]); k++)
			value = k - i < 6 ? value * 10 + (unsigned)(s.ptr[k] - '0') : value;
		if (k == i)
			continue;
		n.value[n.count] = value;
		n.digits[n.count++] = (unsigned)(k - i);
		n.time = n.time ||
		         (k + 2 < s.len && s.ptr[k] != ' ' && ascii_is_digit(s.ptr[k + 1]) &&
		          ascii_is_digit(s.ptr[k + 2]));
	}
	return n;
}

/* Letters are ASCII. */
static bool has_words(struct span line, struct span words)
{
	const char *wanted = words.len > 0 ? words.ptr : "";
	bool found = false;

	for (size_t i = 0; !found && words.len > 0 && i + words.len <= line.len; i++) {
		size_t k = 0;

		while (k < words.len && text_upper(line.ptr[i + k]) == text_upper(wanted[k]))
			k++;
		found = k == words.len;
	}
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
static bool names_date(const struct numbers *n, int64_t date_utc)
{
	bool year = false, day = false, minute = false;

	for (int shift = -1; shift <= 1; shift++) {
		time_t t = (time_t)(date_utc + shift * 86400);
		struct tm tm;

		if (!gmtime_r(&t, &tm))
			return false;
		for (size_t i = 0; i < n->count; i++) {
			year = year || n->value[i] == (unsigned)tm.tm_year + 1900 ||
			       (n->digits[i] == 2 && n->value[i] == (unsigned)tm.tm_year % 100);
			day = day || (n->digits[i] <= 2 && n->value[i] == (unsigned)tm.tm_mday);
			minute = minute ||
			         (n->digits[i] == 2 && n->value[i] == (unsigned)tm.tm_min);
		}
	}
	return year && day && minute;
}

/* "@example.org": what stands before it may carry a reply token. */
static struct span our_domain(const struct marker *m)
{
	struct span address = m->origin.address;

	return span_slice(address, span_find_char(address, '@'), address.len);
}

static struct look look_at(const struct marker *m, size_t at)
{
	static const char wide[] = "：";
	struct span line = m->lines[at].plain;
	struct numbers n = read_numbers(line);
	size_t colon = span_find_char(line, ':'), wide_colon = span_find(line, span_of(wide)),
	       words = text_count_words(line);
	struct look l = {.colon = line.ptr[line.len - 1] == ':' ||
	                          wide_colon + sizeof(wide) - 1 == line.len,
	                 .address = span_find_char(line, '@') < line.len ||
	                            span_find_char(line, '<') < line.len};
	bool year = false;

	for (size_t i = 0; i < n.count; i++)
		year = year || (n.digits[i] == 4 && n.value[i] >= 1990 && n.value[i] < 2200);
	if (wide_colon < colon)
		colon = wide_colon;
	char behind = colon + 1 < line.len ? line.ptr[colon + 1] : ' ';
	l.label = colon > 0 && colon < line.len && !ascii_is_digit(behind) && behind != '/' &&
	          text_count_words(span_slice(line, 0, colon)) <= LABEL_WORDS;
	l.day = year || n.time;
	l.date = (year && n.count >= 3) || (n.time && n.count >= 5);
	l.little = words <= LITTLE_WORDS && n.count == 0;
	for (size_t i = 0; i < m->origin.nmails && !l.names; i++) {
		const struct answered_mail *mail = &m->origin.mails[i];

		l.names = (l.address && has_words(line, our_domain(m))) ||
		          ((l.label || words <= LABEL_WORDS) && has_words(line, mail->to)) ||
		          names_subject(line, mail->subject) || names_date(&n, mail->date_utc);
	}
	return l;
}

/* "____________", "-----Original Message-----" */
static bool is_rule(struct span line)
{
	size_t front = 0;

	while (front < line.len && (line.ptr[front] == '_' || line.ptr[front] == '-'))
		front++;
	return front >= RULE_SIGNS && (front == line.len || line.ptr[line.len - 1] == '-');
}

/* ---- what a program writes above ---- */

/* The line before with something in it, or i. */
static size_t line_above(const struct marker *m, size_t i)
{
	size_t k = i;

	while (k > 0 && m->lines[k - 1].blank)
		k--;
	return k > 0 ? k - 1 : i;
}

static struct span first_word(struct span line)
{
	struct span word = SPAN_EMPTY;

	(void)span_next_word(&line, ":", &word);
	return word;
}

/*
 * A header of a mail that neither the server nor the writer has sent: so says the first
 * line of it with an address, or no line has one, nor our name; nor is a date above that of
 * a mail of ours. False where it is not known who we are.
 */
static bool is_anothers(const struct marker *m, size_t top, size_t last)
{
	bool named = m->origin.address.len == 0;

	for (size_t i = top; i <= last; i++) {
		struct span line = m->lines[i].plain;
		struct numbers n = read_numbers(line);

		/* Who has us in an address book under another name. */
		for (size_t k = 0; k < m->origin.nmails; k++)
			named = named || names_date(&n, m->origin.mails[k].date_utc);
		if (span_find_char(line, '@') < line.len)
			return !named && !has_words(line, our_domain(m)) &&
			       !has_words(line, m->origin.writer);
		named = named || has_words(line, m->origin.name);
	}
	return !named;
}

/* Beside web addresses. Orders have some: whoever knows them judges such a line. */
static bool has_number(struct span line)
{
	struct span word;
	bool has = false;

	while (!has && span_next_word(&line, "", &word))
		has = span_find(word, SPAN_LIT("://")) == word.len &&
		      read_numbers(word).count > 0;
	return has;
}

/*
 * What a program has written down to line `last`: every line is a field, or says something
 * of the mail, and the first says something. Directly above what is quoted (`above`) that
 * is enough; elsewhere it must be a whole header: a field or rule with the mail answered,
 * or three fields with an address or a date, or a line that ends with a colon and has a
 * date with its time, or an address and numbers. Returns its first line; last + 1 = there
 * is none.
 */
static size_t mark_block(struct marker *m, size_t last, bool above)
{
	size_t top = last + 1, k = last;
	bool named = false, address = false, date = false, sure = false, crossed = false,
	     day = false, colon = false;
	unsigned fields = 0, lines = 0;

	bool ends = last + 1 == m->n || m->lines[last + 1].blank;

	for (; lines < HEADER_LINES && !m->lines[k].blank && !m->lines[k].quoted; lines++) {
		struct look l = look_at(m, k);

		colon = colon || (k == last && l.colon);
		bool says = l.names ||
		            ((l.address || l.day) && !crossed && (l.label || l.colon || colon));
		if (!says && !l.label && (k == last || !(l.colon || l.little || l.date)))
			break;
		if (says) {
			top = k;
			named = named || l.names;
			sure = sure || (l.names && (l.label || (l.date && ends)));
			address = address || l.address;
			day = day || l.day;
		}
		date = date || l.date;
		fields += l.label && !l.colon;
		size_t next = above ? line_above(m, k) : k - (k > 0);
		if (next == k)
			break;
		crossed = crossed || next + 1 < k;
		k = next;
	}
	size_t rule = line_above(m, top);
	bool ruled = rule < top && !m->lines[rule].quoted && is_rule(m->lines[rule].plain);
	if (top > last || !(above || sure || (ruled && named && last - top >= FIELDS_LEAST) ||
	                    (fields >= FIELDS_LEAST && (address || date)) ||
	                    (colon && (date || (address && day)))))
		return last + 1;
	/* "Hello, Molepost.": some programs greet whom they quote. */
	bool greets = rule < top && !m->lines[rule].quoted && m->origin.nmails > 0 &&
	              text_count_words(m->lines[rule].plain) <= LABEL_WORDS &&
	              has_words(m->lines[rule].plain, m->origin.name);
	if (ruled || greets)
		top = rule;
	for (size_t i = top; i <= last; i++) {
		struct line *l = &m->lines[i];

		if (l->blank)
			continue;
		struct look look = look_at(m, i);
		if (look.label && look.day && m->ndated < DATED_MOST)
			m->dated[m->ndated++] = first_word(l->plain);
		l->quoted = true;
	}
	size_t first = top;
	while (first > 0 && top - first < HEADER_LINES && !m->lines[first - 1].blank &&
	       !m->lines[first - 1].quoted && look_at(m, first - 1).label)
		first--;
	/* "From: Moles", as the reader's address book calls us: a field of that header, and no order. */
	while (top > first && fields >= FIELDS_LEAST && !has_number(m->lines[top - 1].plain))
		m->lines[--top].quoted = true;
	if (!above && fields > 0)
		m->header = (unsigned)top + 1;
	if (above || fields + (top - first) < FIELDS_LEAST || !is_anothers(m, first, last))
		return top;
	rule = line_above(m, first);
	if (rule < first && is_rule(m->lines[rule].plain))
		first = rule;
	for (size_t i = first; i < m->n; i++)
		m->lines[i].quoted = !m->lines[i].blank;
	return first;
}

/* "iPhone" is the name of a program, "mail" is a word. */
static bool is_name(struct span program)
{
	size_t i = 0;

	while (i < program.len && (program.ptr[i] < 'A' || program.ptr[i] > 'Z'))
		i++;
	return program.len >= PROGRAM_LEAST && i < program.len;
}

/*
 * What a program puts below the text: "Verzonden vanuit Mail", as a field of the header
 * begins that it writes above a quotation ("Verzonden: maandag"); "iPhone'umdan", named as
 * in X-Mailer; words with a web address. In whatever language.
 */
static bool is_advertisement(const struct marker *m, size_t at)
{
	struct span line = m->lines[at].plain, rest = line, word = SPAN_EMPTY,
		    first = first_word(line), program = m->origin.program;
	size_t link = span_find(line, SPAN_LIT("://"));
	/* In a paragraph behind other words: a link alone is what the mail is about. */
	bool is = link < line.len && text_count_words(span_slice(line, 0, link)) > 1 &&
	          at > 0 && (m->lines[at - 1].blank || m->lines[at - 1].quoted);

	if (at <= m->first_own || has_number(line))
		return false;
	for (size_t i = 0; i < m->ndated && !is; i++)
		is = text_count_words(line) > LITTLE_WORDS && span_alike(m->dated[i], first);
	while (!is && is_name(program) && span_next_word(&rest, "", &word))
		is = word.len >= program.len &&
		     span_eq(span_slice(word, 0, program.len), program);
	return is;
}

/*
 * Where a paragraph begins that another program has broken than wrote the text: all its
 * lines are as full as one width makes them, and `widest` is far beyond that. A firm's
 * server adds such. last + 1 = it is none.
 */
static size_t broken_by_another(const struct marker *m, size_t last, size_t widest)
{
	size_t first = last, full = m->lines[last].plain.len, most = widest - OTHER_WIDTH;
	bool numbers = has_number(m->lines[last].plain);

	while (first > 0 && !m->lines[first - 1].blank && !m->lines[first - 1].quoted) {
		struct span below = m->lines[first].plain, line = m->lines[--first].plain;

		numbers = numbers || has_number(line);
		full = line.len > full ? line.len : full;
		line.len += 1 + first_word(below).len;
		most = line.len < most ? line.len : most;
	}
	return last - first >= 2 && full >= NARROW && full < most && !numbers &&
	               first > m->first_own
	           ? first
	           : last + 1;
}

/* Above what is quoted, and at the end. */
static void mark_advertisements(struct marker *m)
{
	bool ends = true; /* so do the writer's words here */
	size_t widest = OTHER_WIDTH;

	for (size_t i = 0; i < m->n; i++) {
		const struct line *l = &m->lines[i];

		if (m->first_own == i && (l->blank || l->quoted))
			m->first_own++;
		if (l->plain.len > widest && l->raw.ptr[0] != '>' &&
		    text_count_words(l->plain) >= LONG_WORDS)
			widest = l->plain.len;
	}
	for (size_t i = m->n; i-- > 0;) {
		struct line *l = &m->lines[i];
		size_t first = l->blank || l->quoted || !ends ? i + 1
		               : is_advertisement(m, i)       ? i
		                                              : broken_by_another(m, i, widest);

		for (size_t k = first; k <= i; k++)
			m->lines[k].quoted = m->lines[k].added = true;
		ends = l->blank ? ends : l->quoted;
	}
}

static void mark_above(struct marker *m)
{
	bool above = false; /* the next line with something in it is quoted */

	for (size_t i = m->n; i-- > 0;) {
		struct line *l = &m->lines[i];

		if (l->blank)
			continue;
		/*
		 * Rows of dots and rules; but "?" is HELP, and what is below a quotation
		 * may have a signature.
		 */
		if (!l->quoted && m->origin.nmails > 0 && l->first == l->end &&
		    span_find_char(l->plain, '?') == l->plain.len)
			l->quoted = above ||
			            (i > 0 && m->lines[i - 1].quoted && !is_signature(l->raw));
		if (!l->quoted) {
			size_t top = mark_block(m, i, above);

			i = top < i ? top : i;
		}
		above = l->quoted;
	}
}

/* ---- words of ours ---- */

/*
 * Where a line has words of ours and others: it is quoted, or cut to what was typed, or
 * left.
 */
static void judge_line(const struct text_words *words, struct line *l)
{
	/*
	 * Behind addresses and pictures, and letters lost on the way: nobody has typed
	 * these.
	 */
	static const char *const debris[] = {"<", "://", "@", "[cid:", "?", "\xef\xbf\xbd"};
	const struct text_word *w = words->items;
	size_t same = 0, first = NO_WORD, end = 0;

	for (size_t i = l->first; i < l->end; i++) {
		bool typed = !w[i].same;

		same += w[i].same;
		for (size_t k = 0; typed && k < sizeof debris / sizeof *debris; k++)
			typed = span_find(w[i].text, span_of(debris[k])) == w[i].text.len;
		if (!typed)
			continue;
		first = first == NO_WORD ? i : first;
		end = i + 1;
	}
	l->quoted = same > 0 && first == NO_WORD;
	if (same == 0 || first == NO_WORD)
		return;
	while (end < l->end && !w[end].same)
		end++;
	while (first > l->first && !w[first - 1].same)
		first--;
	if (first > 0 && w[first - 1].same && end < words->count && w[end].same &&
	    w[end].at > w[first - 1].at + 1 && w[end].at - w[first - 1].at <= REPLACED_MOST + 1)
		return; /* they took the place of others */
	const char *from = first > l->first ? w[first - 1].text.ptr + w[first - 1].text.len
	                                    : l->plain.ptr,
		   *to = end < l->end ? w[end].text.ptr : l->plain.ptr + l->plain.len;
	l->plain = span_trim((struct span){from, (size_t)(to - from)});
	l->cut = true;
}

static void mark_words(struct marker *m, size_t bytes)
{
	struct span *texts = arena_calloc(m->arena, m->origin.nmails, sizeof(*texts));

	m->words.items = arena_calloc(m->arena, bytes / 2 + m->n + 1, sizeof(*m->words.items));
	for (size_t i = 0; i < m->n; i++) {
		m->lines[i].first = m->words.count;
		text_words_add(&m->words, m->lines[i].plain, (unsigned)i);
		m->lines[i].end = m->words.count;
	}
	for (size_t i = 0; i < m->origin.nmails; i++)
		texts[i] = m->origin.mails[i].text;
	same_runs_find(&m->words, texts, m->origin.nmails, m->arena);
	for (size_t i = 0; i < m->n; i++)
		if (!m->lines[i].quoted)
			judge_line(&m->words, &m->lines[i]);
	/* What has no words is quoted below such a line behind "Ann>", and between two. */
	for (size_t i = 1; i < m->n; i++) {
		struct line *l = &m->lines[i];
		struct span rest = l->plain, mark;

		if (l->first == l->end && span_next_word(&rest, "", &mark) && l[-1].quoted)
			l->quoted = l->quoted || mark.ptr[mark.len - 1] == '>' ||
			            (i + 1 < m->n && l[1].quoted);
	}
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
			strbuf_adds(&out, l->added ? QUOTED_ADDED : "> ");
		strbuf_add_span(&out, l->cut && (!l->quoted || l->added) ? l->plain : l->raw);
		strbuf_addc(&out, '\n');
	}
	strbuf_add_span(&out, below);
	return arena_take(m->arena, &out);
}

struct span quoted_lines_mark(struct span text, const struct text_origin *origin,
                              struct arena *arena, unsigned *header)
{
	struct marker m = {.arena = arena,
	                   .origin = origin ? *origin : (struct text_origin){0}};
	size_t n = m.origin.nmails;
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
	/* What a picture of ours says (report_alt_begin in reports/report.h), written out. */
	for (size_t i = 0, from = m.n; i < m.n; i++) {
		if (from == m.n && has_words(m.lines[i].plain, SPAN_LIT("The board in words:")))
			from = i;
		if (from == m.n ||
		    !has_words(m.lines[i].plain, SPAN_LIT("(End of the board.)")))
			continue;
		for (; from <= i; from++)
			m.lines[from].quoted = !m.lines[from].blank;
		from = m.n;
	}
	for (size_t k = 0; k < n; k++) {
		const struct line_hashes *hashes = &m.origin.mails[k].lines;

		if (hashes->count == 0)
			continue;
		bool *same = arena_calloc(arena, m.n, sizeof(*same));
		struct span *plain = arena_calloc(arena, m.n, sizeof(*plain));

		for (size_t i = 0; i < m.n; i++)
			plain[i] = m.lines[i].plain;
		line_hashes_find(hashes, plain, m.n, same, arena);
		for (size_t i = 0; i < m.n; i++)
			m.lines[i].quoted = m.lines[i].quoted || same[i];
	}
	if (n > 0)
		mark_words(&m, bytes);
	mark_above(&m);
	mark_advertisements(&m);
	if (header)
		*header = m.header;
	return write_lines(&m, text, rest);
}

bool quoted_lines_may_repeat(struct span text, struct arena *arena)
{
	struct span rest = quoted_lines_mark(text, NULL, arena, NULL), line;
	unsigned words = 0;

	while (words < SAME_RUNS_LEAST && span_next_line(&rest, &line))
		if (line.len > 0 && line.ptr[0] != '>')
			words += text_count_words(line);
	return words >= SAME_RUNS_LEAST;
}
