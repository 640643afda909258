/*
 * guard.c - words that must not begin a line.
 *
 * Mails come back: whole, unquoted, cut up by a client. What we write is
 * wrapped so that no line could be carried out when that happens. The words
 * here are those of the mail language (molepost-orders(7)) with their other
 * names, and what we write that looks like a misspelt one ("none" is nearly
 * "note"); which words the games know is not known here, so anything that looks
 * like an order of some game is kept off as well. Being too careful costs
 * nothing: the line is broken one word earlier.
 */
#include "reports/layout.h"

#include "processor/base/utf8.h"

static const char *const verbs[] = {
    "always",    "archive",      "become",  "broadcast", "cancel",     "challenge",
    "chat",      "check",        "clear",   "create",    "diary",      "eject",
    "end",       "endbroadcast", "endchat", "enddiary",  "endmessage", "endnote",
    "endpress",  "export",       "force",   "fork",      "games",      "get",
    "help",      "history",      "holiday", "i",         "info",       "join",
    "list",      "login",        "map",     "message",   "monitor",    "new",
    "no",        "none",         "note",    "observe",   "official",   "orders",
    "pause",     "phase",        "predict", "press",     "preview",    "process",
    "promote",   "queue",        "ratings", "rematch",   "repeat",     "replace",
    "report",    "resend",       "resign",  "resume",    "rollback",   "round",
    "salt",      "set",          "show",    "showas",    "signoff",    "signon",
    "standings", "status",       "summary", "stop",      "suspend",    "take",
    "takeover",  "terminate",    "test",    "token",     "unobserve",  "unsubscribe",
    "vacation",  "verify",       "vote",    "watch",     "who",        "withdraw",
    "yes",
};

static size_t skip_marks(struct span text, size_t at)
{
	while (at < text.len && !ascii_is_letter(text.ptr[at]) &&
	       !ascii_is_digit(text.ptr[at]) && (unsigned char)text.ptr[at] < 0x80)
		at++;
	return at;
}

/* "3. " or "3) " of a numbered list. */
static size_t skip_number(struct span text, size_t at)
{
	size_t end = at;
	while (end < text.len && ascii_is_digit(text.ptr[end]))
		end++;
	bool numbered = end > at && end < text.len &&
	                (text.ptr[end] == '.' || text.ptr[end] == ')');
	return numbered ? end : at;
}

static size_t skip_to_word(struct span text)
{
	return skip_marks(text, skip_number(text, skip_marks(text, 0)));
}

/* The first run of letters, past quotes, bullets and stars that a reader may strip. */
static struct span first_word(struct span text)
{
	size_t from = skip_to_word(text);
	size_t to = from;
	while (to < text.len && ascii_is_letter(text.ptr[to]))
		to++;
	return (struct span){text.ptr + from, to - from};
}

static bool is_verb(struct span word)
{
	if (word.len == 0 || word.len > 12)
		return false;
	char initial = (char)(word.ptr[0] | 0x20);
	/* They stand in the order of the alphabet. */
	for (size_t i = 0; i < sizeof verbs / sizeof verbs[0] && verbs[i][0] <= initial; i++)
		if (verbs[i][0] == initial && span_eq_nocase(word, verbs[i]))
			return true;
	return false;
}

static bool is_shouted(struct span word)
{
	for (size_t i = 0; i < word.len; i++)
		if (word.ptr[i] < 'A' || word.ptr[i] > 'Z')
			return false;
	return word.len >= 2;
}

/* "whack 5": some game may know the word. */
static bool has_number_next(struct span text, struct span word)
{
	const char *at = word.ptr + word.len, *end = text.ptr + text.len;
	if (word.len == 0 || at == end || *at != ' ')
		return false;
	while (at < end && *at == ' ')
		at++;
	return at < end && ascii_is_digit(*at);
}

/* "discards: CV N4", a cell of a table that is told as a list. */
static bool has_colon_next(struct span text, struct span word)
{
	const char *at = word.ptr + word.len, *end = text.ptr + text.len;

	return word.len > 0 && at + 1 < end && *at == ':' && at[1] == ' ';
}

/*
 * Too few words in what is sure to stand on the first line to be a sentence. No
 * command in small letters has as many, and no order does.
 */
static bool is_terse(struct span text, size_t cols)
{
	enum { UNSURE_BYTES = 12, SENTENCE_WORDS = 10 };
	struct span word;
	text = span_slice(text, 0, cols - UNSURE_BYTES);
	for (size_t n = 0; n < SENTENCE_WORDS; n++)
		if (!span_next_word(&text, "\n", &word))
			return true;
	return false;
}

/*
 * The beginning as the reader of mails sees it: smart quotes, odd bullets and full-width
 * letters made plain. Text that begins in ASCII is seen as it is.
 */
static struct span as_read(struct span text, struct strbuf *copy)
{
	enum { LOOK_BYTES = 24, COPY_BYTES = 96 };
	for (size_t i = 0; i < text.len && i < LOOK_BYTES; i++)
		if ((unsigned char)text.ptr[i] >= 0x80) {
			utf8_add_plain(copy, span_slice(text, 0, COPY_BYTES));
			return strbuf_span(copy);
		}
	return text;
}

bool guard_has_word(struct span text)
{
	struct strbuf copy = STRBUF_INIT;
	text = as_read(text, &copy);
	bool has = skip_to_word(text) < text.len;
	strbuf_release(&copy);
	return has;
}

bool guard_drawn_line(struct span text)
{
	struct strbuf copy = STRBUF_INIT;
	bool guarded = is_verb(first_word(as_read(text, &copy)));
	strbuf_release(&copy);
	return guarded;
}

bool guard_paragraph_start(struct span text, size_t cols)
{
	struct strbuf copy = STRBUF_INIT;
	text = as_read(text, &copy);
	struct span word = first_word(text);
	bool guarded = is_shouted(word) || span_starts(text, "--") ||
	               (is_verb(word) && is_terse(text, cols));
	strbuf_release(&copy);
	return guarded;
}

bool guard_line_start(struct span text)
{
	struct strbuf copy = STRBUF_INIT;
	text = as_read(text, &copy);
	struct span word = first_word(text);
	bool guarded = is_shouted(word) || is_verb(word) || span_starts(text, "--") ||
	               has_number_next(text, word) || has_colon_next(text, word);
	strbuf_release(&copy);
	return guarded;
}
