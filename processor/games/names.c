/*
 * names.c - who may be called what at a table.
 *
 * A seat's name is written into orders ("FAVOUR Ann Bob"), states and
 * archives, so it must never read as a number or a verb, never differ from
 * another only in case or in invisible marks, and never break a line.
 *
 * Trusts nothing: a name comes out of a stranger's JOIN. After seat_name_ok later code
 * may rely on valid UTF-8 in NFC without control characters, at most SEAT_NAME_COLS
 * columns and SEAT_NAME_BYTES bytes.
 */
#include <string.h>

#include "processor/base/num.h"
#include "processor/base/utf8.h"
#include "processor/games/rules.h"

/*
 * The words orders and commands are made of, of all games and of the mail language, in
 * alphabetical order: every position that is loaded has its names looked up here.
 */
static const char *const keywords[] = {
    "actions",   "all",     "always",    "and",          "any",      "archive",   "auto",
    "base",      "breed",   "broadcast", "call",         "candy",    "cavein",    "ccw",
    "check",     "clear",   "concede",   "convert",      "create",   "crown",     "cw",
    "diary",     "discard", "end",       "endbroadcast", "endpress", "everybody", "everyone",
    "favour",    "flick",   "fork",      "from",         "furry",    "glove",     "heads",
    "help",      "high",    "history",   "holes",        "home",     "if",        "inflation",
    "join",      "key",     "kings",     "list",         "low",      "mallet",    "master",
    "move",      "nasdaq",  "no",        "nobody",       "none",     "null",      "observe",
    "off",       "on",      "orders",    "pan",          "pass",     "pause",     "place",
    "play",      "plus",    "popup",     "press",        "preview",  "private",   "prize",
    "prizes",    "public",  "queue",     "random",       "range",    "ratings",   "rematch",
    "resend",    "resign",  "resume",    "roll",         "rollback", "salt",      "seat",
    "server",    "set",     "signoff",   "signon",       "spell",    "stack",     "standings",
    "status",    "steal",   "style",     "summary",      "tails",    "takeover",  "taupiniere",
    "terminate", "test",    "tiles",     "to",           "token",    "toys",      "vacant",
    "verify",    "vote",    "whack",     "who",          "with",     "yes"};

static int order_nocase(struct span word, const char *keyword)
{
	size_t i = 0;

	for (; i < word.len && keyword[i] != '\0'; i++) {
		char c = word.ptr[i];
		int order = (c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) - keyword[i];

		if (order != 0)
			return order;
	}
	return (i < word.len) - (keyword[i] != '\0');
}

static bool is_keyword(struct span word)
{
	size_t low = 0, high = sizeof keywords / sizeof *keywords;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = order_nocase(word, keywords[middle]);

		if (order == 0)
			return true;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return false;
}

static bool is_number(struct span word)
{
	unsigned n;

	for (size_t i = 0; i < word.len; i++)
		if (word.ptr[i] < '0' || word.ptr[i] > '9')
			return num_parse_word(word, 0, 1000, &n);
	return true;
}

/* Letters and digits may stand anywhere; of the rest of ASCII only what names are made of. */
static bool may_start(uint32_t cp)
{
	return (cp >= '0' && cp <= '9') || (cp >= 'A' && cp <= 'Z') ||
	       (cp >= 'a' && cp <= 'z') || cp >= 0xa0;
}

static bool characters_ok(struct span name)
{
	struct span rest = name;
	uint32_t cp;
	bool first = true;

	while (utf8_next(&rest, &cp)) {
		if (first ? !may_start(cp)
		          : !(may_start(cp) || cp == '-' || cp == '\'' || cp == '.' ||
		              cp == '_' || cp == ' '))
			return false;
		first = false;
	}
	return true;
}

/* Whether typing the name in an order would give these bytes again. */
static bool is_plain(struct span name)
{
	struct strbuf plain = STRBUF_INIT;
	struct strbuf composed = STRBUF_INIT;
	bool same;

	if (span_printable(name) == name.len) {
		bool blank = true;

		for (size_t i = 0; i < name.len; i++) {
			if (blank && name.ptr[i] == ' ')
				return false;
			blank = name.ptr[i] == ' ';
		}
		return !blank;
	}
	utf8_add_plain(&plain, name);
	utf8_add_nfc(&composed, name);
	same = span_eq(strbuf_span(&plain), name) && span_eq(strbuf_span(&composed), name);
	strbuf_release(&plain);
	strbuf_release(&composed);
	return same;
}

bool seat_name_ok(struct span name, struct strbuf *why)
{
	struct span rest = name;
	struct span word;

	if (name.len == 0 || name.len > SEAT_NAME_BYTES || !utf8_valid(name) ||
	    utf8_width(name) == 0 || utf8_width(name) > SEAT_NAME_COLS) {
		strbuf_addf(why, "A name has 1 to %d letters.", SEAT_NAME_COLS);
		return false;
	}
	if (!characters_ok(name) || !is_plain(name)) {
		strbuf_adds(why,
		            "A name is made of letters, digits, - ' . _ and single blanks, "
		            "and starts with a letter or digit.");
		return false;
	}
	while (span_next_word(&rest, "", &word)) {
		if (is_number(word) || is_keyword(word)) {
			strbuf_addf(why,
			            "\"%.*s\" cannot be part of a name, because orders use it.",
			            SPAN_ARGS(word));
			return false;
		}
	}
	return true;
}

bool seat_names_ok(const struct seat_names *n, struct strbuf *why)
{
	for (unsigned i = 1; i <= n->count; i++) {
		if (!seat_name_ok(span_of(n->names[i]), why))
			return false;
		for (unsigned j = 1; j < i; j++) {
			if (!utf8_eq_folded(span_of(n->names[i]), span_of(n->names[j])))
				continue;
			strbuf_addf(why, "Two players cannot both be called \"%s\".",
			            n->names[i]);
			return false;
		}
	}
	return true;
}

bool seats_fit(const struct rules *r, const struct seat_names *n, struct strbuf *why)
{
	if (n->count >= r->min_seats && n->count <= r->max_seats)
		return seat_names_ok(n, why);
	if (r->min_seats == r->max_seats)
		strbuf_addf(why, "%s is for %u players.", r->title, r->min_seats);
	else
		strbuf_addf(why, "%s is for %u to %u players.", r->title, r->min_seats,
		            r->max_seats);
	return false;
}
