/*
 * text_line.c - one line of a mail, made readable: characters, bullets, bold, subject
 * prefixes.
 *
 * Trusts nothing: any bytes come in, valid UTF-8 without control characters goes out.
 */
#include "processor/quotes/text_line.h"

#include "processor/base/strbuf.h"
#include "processor/base/utf8.h"

const char text_marker[] = "#####";

/* Nearly every line. */
static bool is_ascii_text(struct span line)
{
	return span_printable(line) == line.len;
}

struct span text_clean_line(struct span raw, struct arena *arena)
{
	struct strbuf out = STRBUF_INIT;
	struct span result;
	uint32_t cp;

	if (is_ascii_text(raw))
		return arena_dup(arena, span_trim(raw));
	strbuf_grow(&out, raw.len);
	while (utf8_next(&raw, &cp)) {
		if (cp == '\t' || cp == '\f' || cp == '\v' || cp == 0x2028 || cp == 0x2029)
			utf8_add(&out, ' ');
		else if (!(cp < 0x20 || (cp >= 0x7f && cp < 0xa0)))
			utf8_add(&out, cp);
	}
	result = arena_dup(arena, span_trim(strbuf_span(&out)));
	strbuf_release(&out);
	return result;
}

struct span text_plain(struct span clean, struct arena *arena)
{
	struct strbuf out = STRBUF_INIT;
	struct span result;

	if (is_ascii_text(clean) && span_find(clean, SPAN_LIT("  ")) == clean.len)
		return clean;
	utf8_add_plain(&out, clean);
	result = arena_dup(arena, span_trim(strbuf_span(&out)));
	strbuf_release(&out);
	return result;
}

static size_t bullet_len(struct span s)
{
	static const char *const marks[] = {
	    "* ", "- ", "+ ", "\xe2\x80\xa2 ", "\xc2\xb7 ", "\xe2\x97\xa6 ", "\xe2\x96\xaa "};
	size_t n = 0;

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (span_starts(s, marks[i]))
			return span_of(marks[i]).len;
	while (n < 2 && n < s.len && ascii_is_digit(s.ptr[n]))
		n++;
	/* "3. whack" is a list; "3. 5" could be an order. */
	if (n > 0 && n + 2 < s.len && (s.ptr[n] == '.' || s.ptr[n] == ')') &&
	    s.ptr[n + 1] == ' ' && ascii_is_letter(s.ptr[n + 2]))
		return n + 2;
	return 0;
}

static bool is_mark(char c)
{
	return c == '*' || c == '_';
}

/* Whether a mark at `i` opens (or closes) a stretch: blank outside, text inside. */
static bool opens_at(struct span s, size_t i)
{
	return (i == 0 || s.ptr[i - 1] == ' ' || is_mark(s.ptr[i - 1])) && i + 1 < s.len &&
	       s.ptr[i + 1] != ' ';
}

static bool closes_at(struct span s, size_t i)
{
	char next = i + 1 < s.len ? s.ptr[i + 1] : ' ';

	return i > 0 && s.ptr[i - 1] != ' ' &&
	       (next == ' ' || next == '.' || next == ',' || next == ';' || next == ':' ||
	        is_mark(next));
}

static size_t count_marks(struct span s, char mark, bool (*at)(struct span, size_t))
{
	size_t n = 0;

	for (size_t i = 0; i < s.len; i++)
		n += s.ptr[i] == mark && at(s, i);
	return n;
}

static struct span without_marks(struct span s, char mark, struct arena *arena)
{
	struct strbuf out = STRBUF_INIT;
	size_t n = count_marks(s, mark, opens_at);

	if (n == 0 || n != count_marks(s, mark, closes_at))
		return s;
	for (size_t i = 0; i < s.len; i++)
		if (s.ptr[i] != mark || (!opens_at(s, i) && !closes_at(s, i)))
			strbuf_addc(&out, s.ptr[i]);
	return span_trim(arena_take(arena, &out));
}

struct span text_bare(struct span plain, struct arena *arena)
{
	struct span s = plain;

	s = span_trim(span_slice(s, bullet_len(s), s.len));
	s = without_marks(s, '*', arena);
	s = without_marks(s, '_', arena);
	if (s.len > 1 && s.ptr[s.len - 1] == '.' && s.ptr[s.len - 2] != '.')
		s = span_trim(span_slice(s, 0, s.len - 1));
	return s;
}

bool is_signature(struct span raw)
{
	if (raw.len > 0 && raw.ptr[raw.len - 1] == '\r')
		raw.len--;
	/* The second: what some converters from HTML make of the blank. */
	return span_eq_str(raw, "-- ") || span_eq_str(raw, "--\xc2\xa0");
}

unsigned text_count_words(struct span line)
{
	struct span word;
	unsigned n = 0;

	while (span_next_word(&line, "", &word))
		n++;
	return n;
}

bool is_program_line(struct span line)
{
	static const char beginnings[] =
	    "sent from my |sent from mail for |sent from yahoo|sent from outlook|sent via |"
	    "sent with |get outlook for |von meinem |gesendet von |gesendet mit |"
	    "diese nachricht wurde von meinem |envoyé de |envoyé depuis |enviado desde |"
	    "enviado do |inviato da |verzonden vanaf |verstuurd vanaf |wysłane z |wysłano z |"
	    "skickat från |sendt fra |lähetetty |odesláno z |obtener outlook|"
	    "holen sie sich outlook|outlook für ";

	struct span rest = span_of(beginnings), beginning;

	while (span_next_field(&rest, '|', &beginning))
		if (line.len >= beginning.len &&
		    span_alike(span_slice(line, 0, beginning.len), beginning))
			return true;
	return false;
}
