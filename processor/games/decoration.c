/*
 * decoration.c - what people write around an order and that is no part of it.
 */
#include "processor/games/decoration.h"

#include <stdint.h>
#include <string.h>

#include "processor/base/num.h"
#include "processor/base/utf8.h"

/* clang-format off */
static const char *const courtesies[] = {
	/* English */
	"please", "pls", "plz", "thanks", "thank", "thankyou", "thx", "ty", "tia", "cheers", "sorry", "sry",
	"apologies", "pardon", "ok", "okay", "hi", "hello", "hey", "regards", "greetings", "greets",
	"lol", "haha", "hehe", "gl", "hf", "glhf", "bye", "ciao", "oops", "ups", "hmm", "yay", "wow",
	"xd", "rofl", "luck", "bravo", "many", "good", "best", "kind", "happy", "nice",
	"great", "wishes",
	/* German */
	"bitte", "danke", "dankeschön", "entschuldigung", "sorry", "verzeihung", "hallo",
	"moin", "servus", "gruß", "gruss", "grüße", "grüsse", "lg", "vg", "mfg",
	"vielen", "viele", "liebe", "beste", "besten", "freundliche", "tschüss",
	/* French */
	"merci", "svp", "stp", "désolé", "desole", "bonjour", "salut", "bonsoir", "cordialement",
	"bises",
	/* Spanish */
	"gracias", "favor", "por", "perdón", "perdon", "disculpa", "hola", "saludos",
	/* Italian */
	"grazie", "prego", "scusa", "scusate", "saluti",
	/* Portuguese */
	"obrigado", "obrigada", "desculpa", "desculpe", "abraços",
	/* Dutch */
	"alstublieft", "alsjeblieft", "aub", "bedankt", "dank", "dankjewel", "hoi", "groeten",
	"groetjes", "mvg",
	/* Polish */
	"proszę", "prosze", "dzięki", "dzieki", "dziękuję", "dziekuje", "przepraszam",
	"cześć", "czesc", "pozdrawiam",
	/* Swedish, Danish, Norwegian */
	"tack", "tak", "takk", "förlåt", "undskyld", "beklager", "hej", "hälsningar", "hilsen",
	/* Czech, Finnish */
	"prosím", "prosim", "díky", "diky", "děkuji", "dekuji", "promiň", "ahoj", "kiitos",
	"anteeksi", "terveisin",
};

/* Short ones of other languages are left out: what they part has a number or a word of the game. */
static const char *const turning[] = {
	"not", "no", "don't", "dont", "never", "but", "except", "instead", "rather", "or", "unless",
	"if", "cancel", "ignore", "forget", "wait", "without", "none", "nothing", "change", "changed",
	"wrong", "correction", "meant", "mean", "same", "illegal", "invalid", "refused", "rejected",
	"nicht", "kein", "keine", "keinen", "oder", "sondern", "statt", "stattdessen", "ohne", "nein",
	"wenn", "falls", "aber", "nur", "warte",
	"pas", "non", "sauf", "mais", "sans", "plutôt",
	"sino", "pero", "sin", "nunca",
	"oppure", "senza", "invece",
	"niet", "geen", "nee", "maar", "zonder", "tenzij",
	"nie", "lub", "albo", "ale", "bez", "jeśli", "jesli", "zamiast",
};
/* clang-format on */

bool is_courtesy(struct span word)
{
	return span_in_nocase(word, courtesies, sizeof courtesies / sizeof *courtesies);
}

bool turns_meaning(struct span word)
{
	return span_in_nocase(word, turning, sizeof turning / sizeof *turning);
}

/* ---- Single words ---- */

/* Arrows, emoji and their parts; not a number in a circle, which says something. */
static bool is_symbol(uint32_t cp)
{
	bool circled = (cp >= 0x2460 && cp <= 0x24ff) || (cp >= 0x2776 && cp <= 0x2793);

	return !circled &&
	       ((cp >= 0x2190 && cp <= 0x2bff) || (cp >= 0x1f000 && cp <= 0x1faff) ||
	        (cp >= 0xfe00 && cp <= 0xfe0f) || cp == 0x20e3 || cp == 0x200d ||
	        (cp >= 0xe0000 && cp <= 0xe007f) || cp == 0x2022 || cp == 0xb7);
}

static bool is_word_char(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (unsigned char)c >= 0x80;
}

static bool is_all_symbols(struct span word)
{
	uint32_t cp;

	while (utf8_next(&word, &cp))
		if (!is_symbol(cp))
			return false;
	return true;
}

/* Only punctuation and symbols: "!!", ":-)", "=>". Who asks, or breaks off with "...", means something. */
static bool is_all_marks(struct span word)
{
	uint32_t cp;

	if (span_find_char(word, '?') < word.len || span_eq_str(word, ";") ||
	    (word.len && strchr(".,", *word.ptr)))
		return false;
	while (utf8_next(&word, &cp))
		if (!is_symbol(cp) && (cp >= 0x80 || is_word_char((char)cp)))
			return false;
	return true;
}

/* Those with a letter or a digit in them. */
static bool is_emoticon(struct span word)
{
	static const char *const faces[] = {":D", ":-D", ";D", "=D",   "xD",  ":P", ":-P",
	                                    ";P", "<3",  ":o", ":O",   ":3",  "8)", "8-)",
	                                    "^^", "^_^", "o/", "\\o/", ":'D", ":x", ":S"};

	for (size_t i = 0; i < sizeof faces / sizeof *faces; i++)
		if (span_eq_str(word, faces[i]))
			return true;
	return false;
}

static struct span without_marks_around(struct span word)
{
	while (span_starts(word, "¡") || span_starts(word, "¿"))
		word = span_slice(word, 2, word.len); /* "¡gracias!" */
	while (word.len && !is_word_char(word.ptr[word.len - 1]))
		word.len--;
	while (word.len && !is_word_char(*word.ptr))
		word = span_slice(word, 1, word.len);
	return word;
}

static bool is_link(struct span word)
{
	while (word.len && strchr("(<[", *word.ptr))
		word = span_slice(word, 1, word.len);
	return span_starts(word, "http://") || span_starts(word, "https://") ||
	       span_starts(word, "www.");
}

/* "Pass hello would be ..." is talk: a greeting does not begin a remark, it only ends one. */
static bool is_greeting(struct span word)
{
	static const char *const greetings[] = {"hello",   "hi",      "hey",  "hallo",  "hola",
	                                        "hej",     "ahoj",    "moin", "servus", "salut",
	                                        "bonjour", "bonsoir", "hoi"};

	return span_in_nocase(word, greetings, sizeof greetings / sizeof *greetings);
}

/* Words that go with courtesies, but begin sentences too. */
static bool goes_with_courtesy(struct span word)
{
	static const char *const words[] = {"you",      "very",  "much", "lot",  "everybody",
	                                    "everyone", "there", "mate", "mates"};

	return span_in_nocase(word, words, sizeof words / sizeof *words);
}

static bool says_nothing(const struct decoration_words *d, struct span word)
{
	struct span bare = without_marks_around(word);

	return is_all_marks(word) || is_emoticon(word) || is_link(word) ||
	       (is_courtesy(bare) && !d->is_name(d->ctx, bare));
}

/* ---- Lines ---- */

enum { WORDS_LOOKED_AT = 64 }; /* a longer line is no order with a remark */

struct words {
	struct span at[WORDS_LOOKED_AT];
	size_t n;
};

static bool has_digit(struct span word)
{
	for (size_t i = 0; i < word.len; i++)
		if (word.ptr[i] >= '0' && word.ptr[i] <= '9')
			return true;
	return false;
}

static bool may_mean(const struct decoration_words *d, struct span word)
{
	struct span bare = without_marks_around(word);
	size_t split = span_find_char(bare, '\'');
	unsigned n;

	if (bare.len == 0 || is_link(word) || is_emoticon(word))
		return false;
	return span_find_char(word, '?') < word.len || has_digit(bare) || turns_meaning(bare) ||
	       num_parse_word(bare, 0, 1000, &n) ||
	       (split < bare.len && turns_meaning(span_slice(bare, 0, split))) ||
	       (bare.len > 3 &&
	        span_eq_nocase(span_slice(bare, bare.len - 3, bare.len), "n't")) ||
	       d->means(d->ctx, bare);
}

/* Where a remark may begin: a dash, a bracket, a courtesy, a link, a face; other marks only stand at the end. */
static bool begins_remark(const struct decoration_words *d, struct span word, bool at_end)
{
	bool marks = is_all_marks(word) && !is_all_symbols(word) && !is_emoticon(word);

	return word.ptr[0] == '(' || word.ptr[0] == '[' || word.ptr[0] == '#' ||
	       span_eq_str(word, "-") || span_eq_str(word, "--") || span_eq_str(word, "//") ||
	       (says_nothing(d, word) &&
	        (at_end || (!marks && !is_greeting(without_marks_around(word)))));
}

/* What an order may lack: all of a remark, "TREND", or what stands out in it, "please and then TREND". */
static bool means_alone(const struct words *w, size_t begin, const struct decoration_words *d)
{
	struct span only = SPAN_EMPTY, capital = SPAN_EMPTY;
	size_t words = 0, capitals = 0;

	for (size_t i = begin; i < w->n; i++) {
		struct span bare = without_marks_around(w->at[i]);
		size_t big = 0;

		if (bare.len == 0)
			continue;
		only = bare;
		words++;
		while (big < bare.len && bare.ptr[big] >= 'A' && bare.ptr[big] <= 'Z')
			big++;
		if (big > 1 && big == bare.len) {
			capital = bare;
			capitals++;
		}
	}
	return (words == 1 && d->means_alone(d->ctx, only)) ||
	       (capitals == 1 && d->means_alone(d->ctx, capital));
}

/* The first word from which on all is a remark; `from` is the first that may be cut. */
static size_t remark_begin(const struct words *w, size_t from, const struct decoration_words *d)
{
	size_t begin = w->n;
	bool at_end = true;

	for (size_t i = w->n; i-- > from;) {
		if (may_mean(d, w->at[i]) &&
		    !(span_eq_nocase(without_marks_around(w->at[i]), "favor") &&
		      span_eq_nocase(without_marks_around(i > 0 ? w->at[i - 1] : SPAN_EMPTY),
		                     "por")))
			break;
		at_end = at_end && (says_nothing(d, w->at[i]) ||
		                    goes_with_courtesy(without_marks_around(w->at[i])));
		if (begins_remark(d, w->at[i], at_end))
			begin = i;
	}
	return means_alone(w, begin, d) ? w->n : begin;
}

/* The first word that is not protected by an order before it. */
static size_t first_free(const struct words *w, const struct decoration_words *d)
{
	size_t from = 1;

	for (size_t i = 0; i < w->n; i++) {
		size_t any = d->free_words(d->ctx, without_marks_around(w->at[i]));

		if (any > w->n)
			return w->n;
		if (any > 0 && i + any + 1 > from)
			from = i + any + 1;
	}
	return from;
}

static struct span cut_symbols(struct span word)
{
	struct span rest = word;
	size_t end = 0;
	uint32_t cp;

	while (rest.len) {
		if (utf8_next(&rest, &cp) && !is_symbol(cp))
			end = word.len - rest.len;
	}
	return span_slice(word, 0, end);
}

static bool all_is_courtesy(const struct decoration_words *d, const struct words *w,
                            size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (!says_nothing(d, w->at[i]))
			return false;
	return true;
}

struct span without_decoration(struct span line, const struct decoration_words *d)
{
	struct words w = {.n = 0};
	struct span rest = line, word;
	size_t first = 0, end;

	while (w.n < WORDS_LOOKED_AT && span_next_word(&rest, "", &word))
		w.at[w.n++] = word;
	if (w.n == 0 || w.n == WORDS_LOOKED_AT)
		return line;
	end = remark_begin(&w, first_free(&w, d), d);
	/* A plus goes on with a line of an archive. */
	while (first < end && says_nothing(d, w.at[first]) && w.at[first].ptr[0] != '+' &&
	       !d->means(d->ctx, w.at[first]))
		first++;
	if (first == end || all_is_courtesy(d, &w, first, end))
		return line;
	word = w.at[end - 1];
	if (!is_all_symbols(word))
		word = cut_symbols(word);
	line = span_slice(line, (size_t)(w.at[first].ptr - line.ptr),
	                  (size_t)(word.ptr + word.len - line.ptr));
	while (line.len && line.ptr[line.len - 1] == ',')
		line.len--;
	return line;
}

bool adds_meaning(struct span word)
{
	static const char *const words[] = {"also",  "too",        "plus",  "add",    "auch",
	                                    "dazu",  "zusatzlich", "aussi", "encore", "tambien",
	                                    "anche", "ook",        "tez"};

	return span_in_nocase(word, words, sizeof words / sizeof *words);
}

bool leads_to(struct span word)
{
	static const char *const to[] = {"to", "into", "nach",  "auf",  "naar",
	                                 "na", "vers", "hacia", "verso"};

	return span_in_nocase(word, to, sizeof to / sizeof *to);
}
