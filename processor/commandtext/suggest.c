/*
 * suggest.c - lines that are no command but were meant as one.
 *
 * A wrong guess costs a player a line of a receipt, a missing one costs them the turn; but
 * mail is full of lines that begin with a verb by accident, so a guess needs more than
 * that: capitals, an argument that belongs to the language, or a line that would be right
 * with one word mended.
 */
#include "processor/commandtext/grammar.h"

#include <pthread.h>
#include <string.h>

#include "processor/base/nearest.h"
#include "processor/games/decoration.h"
#include "processor/quotes/text_line.h"

enum {
	ATTEMPT_MAX_WORDS = 8,
	SET_WORDS = 4,
	LONE_WORDS = 2,
	PHRASE_MAX_WORDS = 3,
	JOINED_MAX = 40,
	LENGTHS_MAX = 64,
	PHRASES_MAX = 512
};

const char *suggest(struct span word)
{
	const char *found = NULL;
	unsigned best = 3;

	for (size_t i = 0; i < grammar_row_count(); i++) {
		const char *words = grammar_row_at(i)->words;
		unsigned d = typing_errors(word, span_of(words), 2);

		/*
		 * Two errors in a word of three letters leave nothing of it, nor does one in
		 * two.
		 */
		if (d < best && d + 1 < span_of(words).len && d + 1 < word.len) {
			best = d;
			found = words;
		}
	}
	return found;
}

static bool in_capitals(struct span word)
{
	bool any = false;

	for (size_t i = 0; i < word.len; i++) {
		if (word.ptr[i] >= 'a' && word.ptr[i] <= 'z')
			return false;
		any = any || (word.ptr[i] >= 'A' && word.ptr[i] <= 'Z');
	}
	return any && word.len > 1;
}

/* A word that belongs to the language of commands: an id, a number, a keyword, an option. */
static bool is_argument(struct span word)
{
	static const char *const known[] = {"players", "bots", "next",  "private", "key",
	                                    "from",    "days", "grace", "game",    NULL};
	int64_t game;
	char letter;

	if (parse_game_id(word, &game, &letter))
		return true;
	if (span_find_char(word, '=') < word.len)
		return true;
	for (size_t i = 0; known[i] != NULL; i++)
		if (span_eq_nocase(word, known[i]))
			return true;
	return false;
}

/* Whether a line that begins with a command's words is more than an accident. */
static bool is_attempt(struct span line, const struct grammar_row *row)
{
	struct span rest = line, verb, word;
	unsigned n = text_count_words(line);

	if (n > ATTEMPT_MAX_WORDS || !span_next_word(&rest, "", &verb))
		return false;
	if (in_capitals(verb))
		return true;
	/* Nobody says "set deadline soon" to a friend. */
	if (n <= SET_WORDS && (row->flags & ROW_WANTS_WORDS) != 0 &&
	    span_starts(span_of(row->words), "SET ") && take_phrase(&line, span_of(row->words)))
		return true;
	if (is_prose(rest))
		return false;
	if ((row->flags & ROW_WANTS_WORDS) != 0 && n <= LONE_WORDS)
		return true;
	while (span_next_word(&rest, "", &word))
		if (is_argument(word))
			return true;
	return false;
}

void args_refuse(const struct grammar_row *row, const char *why, unsigned number,
                 struct span echo, struct diags *diags)
{
	struct strbuf usage = STRBUF_INIT;

	strbuf_addf(&usage, "%s is written: %s", row->words, row->words);
	slots_add_usage(&usage, row->slots);
	if (why == NULL && row->slots == NULL)
		diags_add(
		    diags, DIAG_ERROR, number, 0, echo, row->example,
		    (row->flags & ROW_TAKES_TEXT) == 0
			? "%s stands alone on its line."
			: "%s stands alone on its line; the text goes on the lines below.",
		    row->words);
	else
		diags_add(diags, DIAG_ERROR, number, 0, echo, row->example, why ? "%s" : "%s.",
		          why ? why : usage.ptr);
	strbuf_release(&usage);
}

/* Words without the blanks between them, "SETNOWAIT". */
struct joined {
	char text[JOINED_MAX];
	size_t len;
};

/* False when there is no room for the word. */
static bool joined_add(struct joined *j, struct span word)
{
	if (word.len > JOINED_MAX - j->len)
		return false;
	memcpy(j->text + j->len, word.ptr, word.len);
	j->len += word.len;
	return true;
}

static struct span joined_span(const struct joined *j)
{
	return (struct span){j->text, j->len};
}

/* What two words have in common is soon seen from this. */
struct sketch {
	size_t len;       /* without blanks */
	size_t words;     /* at least one */
	uint32_t letters; /* a bit for each that occurs, whatever its case */
};

static struct sketch sketch_of(struct span phrase)
{
	struct sketch s = {.words = 1};

	for (size_t i = 0; i < phrase.len; i++) {
		if (phrase.ptr[i] == ' ') {
			s.words++;
			continue;
		}
		s.len++;
		s.letters |= 1u << ((unsigned char)phrase.ptr[i] & 31);
	}
	return s;
}

/* False only if they are surely more than so many errors apart: one changes two letters at most. */
static bool may_be_like(const struct sketch *a, const struct sketch *b, unsigned errors)
{
	uint32_t others = a->letters ^ b->letters;
	unsigned n = 0;

	if (a->len > b->len + errors || b->len > a->len + errors)
		return false;
	for (; others != 0 && n <= 2 * errors; n++)
		others &= others - 1;
	return n <= 2 * errors;
}

/* The beginnings of a line that could be the words of a command. */
struct beginnings {
	struct beginning {
		struct joined words;
		struct sketch sketch; /* of these words */
		struct span rest;     /* of the line, trimmed */
	} of[PHRASE_MAX_WORDS];       /* index = words - 1 */
	size_t count;                 /* so many there are, short enough for a command */
	uint64_t lengths;             /* bit n: a phrase of n bytes may be like one of them */
};

static struct beginnings beginnings_of(struct span line)
{
	struct beginnings b = {.count = 0};
	struct joined so_far = {.len = 0};
	struct span word;

	while (b.count < PHRASE_MAX_WORDS && args_take_word(&line, &word) &&
	       joined_add(&so_far, word)) {
		/* The phrase has a blank between its words. */
		size_t len = so_far.len + b.count;
		unsigned errors = typing_errors_allowed(LENGTHS_MAX);
		uint64_t lengths = 0;

		for (size_t n = len > errors ? len - errors : 0;
		     n <= len + errors && n < LENGTHS_MAX; n++)
			lengths |= UINT64_C(1) << n;
		b.lengths |= lengths;
		b.of[b.count++] =
		    (struct beginning){so_far, sketch_of(joined_span(&so_far)), line};
	}
	return b;
}

static bool is_like(const struct beginning *have, struct span phrase,
                    const struct sketch *sketch)
{
	unsigned allowed = typing_errors_allowed(sketch->len);
	struct joined want;

	if (allowed == 0 || !may_be_like(&have->sketch, sketch, allowed))
		return false;
	/* "Subscribe" is the opposite. */
	if (span_starts_nocase(phrase, "UN") &&
	    !span_starts_nocase(joined_span(&have->words), "UN"))
		return false;
	struct joined out = {.len = 0};

	ENSURE(phrase.len <= JOINED_MAX);
	for (size_t i = 0; i < phrase.len; i++)
		if (phrase.ptr[i] != ' ')
			out.text[out.len++] = phrase.ptr[i];
	want = out;
	return typing_errors(joined_span(&have->words), joined_span(&want), allowed) <= allowed;
}

/* All words of the table with their sketches, in its order: nearly every line is held against them. */
static struct known {
	struct span phrase;
	struct sketch sketch;
	bool takes_lines; /* its row */
} phrases[PHRASES_MAX];
static size_t nphrases;
static pthread_once_t phrases_once = PTHREAD_ONCE_INIT;

static void make_phrases(void)
{
	for (size_t i = 0; i < grammar_row_count(); i++) {
		const struct grammar_row *row = grammar_row_at(i);
		struct span aliases = span_of(row->aliases), phrase = span_of(row->words);

		if ((row->flags & ROW_IS_TALK) != 0)
			continue;
		do {
			ENSURE(nphrases < PHRASES_MAX && phrase.len < LENGTHS_MAX);
			phrases[nphrases++] = (struct known){
			    phrase, sketch_of(phrase), (row->flags & ROW_TAKES_LINES) != 0};
		} while (next_phrase(&aliases, &phrase));
	}
}

/* The line with the phrase in place of the words that are like it, if it is a command then. */
static char *mend_with(const struct beginnings *b, const struct known *want,
                       struct arena *arena)
{
	const struct grammar_row *row;
	struct command item;
	struct span phrase = want->phrase, rest;
	const char *why;
	char *mended;

	if (want->sketch.words > b->count ||
	    !is_like(&b->of[want->sketch.words - 1], phrase, &want->sketch))
		return NULL;
	rest = b->of[want->sketch.words - 1].rest;
	mended = arena_printf(arena, "%.*s%s%.*s", SPAN_ARGS(phrase), rest.len > 0 ? " " : "",
	                      SPAN_ARGS(rest));
	if (grammar_fit_line(span_of(mended), arena, &item, &row, &why) != FIT_YES)
		return NULL;
	return mended;
}

static char *mend(struct span line, struct arena *arena)
{
	const struct beginnings b = beginnings_of(line);

	ENSURE(pthread_once(&phrases_once, make_phrases) == 0);
	for (size_t i = 0; i < nphrases; i++) {
		char *mended = NULL;

		/* Orders behind a command could be anything, so nearly everything would fit. */
		if ((b.lengths >> phrases[i].phrase.len & 1) != 0 &&
		    !(phrases[i].takes_lines && b.count > 1))
			mended = mend_with(&b, &phrases[i], arena);
		if (mended != NULL)
			return mended;
	}
	return NULL;
}

/* "Best" in a line of its own is no TEST. */
static bool is_only_courtesy(struct span line)
{
	struct span word;

	while (span_next_word(&line, " \t,.!", &word))
		if (!is_courtesy(word))
			return false;
	return true;
}

const char misspelt_message[] = "There is no such command, so nothing was done.";

void grammar_explain(struct span line, const struct grammar_row *row, const char *why,
                     unsigned number, struct span echo, struct arena *arena,
                     struct diags *diags)
{
	char *mended;

	if (row != NULL) {
		if (is_attempt(line, row) && (row->flags & ROW_IS_TALK) == 0)
			args_refuse(row, why, number, echo, diags);
		return;
	}
	mended = text_count_words(line) <= ATTEMPT_MAX_WORDS && !is_only_courtesy(line)
	             ? mend(line, arena)
	             : NULL;
	if (mended != NULL)
		diags_add(diags, DIAG_ERROR, number, 0, echo, mended, "%s", misspelt_message);
}
