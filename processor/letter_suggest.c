/*
 * letter_suggest.c - lines that are no command but were meant as one.
 *
 * A wrong guess costs a player a line of a receipt, a missing one costs him the turn; but
 * mail is full of lines that begin with a verb by accident, so a guess needs more than
 * that: capitals, an argument that belongs to the language, or a line that would be right
 * with one word mended.
 */
#include "processor/letter_table.h"

#include <stdint.h>

#include "processor/base/nearest.h"

#include "processor/base/banned.h"

enum { ATTEMPT_MAX_WORDS = 8, LONE_WORDS = 2, PHRASE_MAX_WORDS = 3 };

const char *letter_suggest(struct span word)
{
	const char *found = NULL;
	unsigned best = 3;

	for (size_t i = 0; i < letter_row_count(); i++) {
		const char *words = letter_row_at(i)->words;
		unsigned d = typing_errors(word, span_of(words), 2);

		/* Two errors in a word of three letters leave nothing of it. */
		if (d < best && d + 1 < span_of(words).len) {
			best = d;
			found = words;
		}
	}
	return found;
}

static unsigned count_words(struct span line)
{
	struct span word;
	unsigned n = 0;

	while (span_next_word(&line, "", &word))
		n++;
	return n;
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

	if (letter_parse_game(word, &game, &letter))
		return true;
	if (span_find_char(word, '=') < word.len)
		return true;
	for (size_t i = 0; known[i] != NULL; i++)
		if (span_eq_nocase(word, known[i]))
			return true;
	return false;
}

/* Whether a line that begins with a command's words is more than an accident. */
static bool is_attempt(struct span line, const struct letter_row *row)
{
	struct span rest = line, verb, word;
	unsigned n = count_words(line);

	if (n > ATTEMPT_MAX_WORDS || !span_next_word(&rest, "", &verb))
		return false;
	if (in_capitals(verb))
		return true;
	if (letter_is_prose(rest))
		return false;
	if ((row->flags & ROW_WANTS_WORDS) != 0 && n <= LONE_WORDS)
		return true;
	while (span_next_word(&rest, "", &word))
		if (is_argument(word))
			return true;
	return false;
}

void letter_refuse(const struct letter_row *row, const char *why, unsigned number,
                   struct span echo, struct diags *diags)
{
	if (why != NULL)
		diags_add(diags, DIAG_ERROR, number, 0, echo, row->example, "%s", why);
	else if (row->grammar[0] == '\0')
		diags_add(diags, DIAG_ERROR, number, 0, echo, row->example,
		          "%s stands alone on its line.", row->words);
	else
		diags_add(diags, DIAG_ERROR, number, 0, echo, row->example,
		          "%s is written: %s %s.", row->words, row->words, row->grammar);
}

/* Takes as many words off *rest as the phrase has, and joins them. */
static bool take_like(struct span *rest, struct span phrase, struct strbuf *joined)
{
	struct span word;

	for (unsigned n = count_words(phrase); n > 0; n--) {
		if (!letter_take_word(rest, &word))
			return false;
		strbuf_add_span(joined, word);
	}
	return true;
}

static void add_joined(struct strbuf *out, struct span phrase)
{
	struct span word;

	while (span_next_word(&phrase, "", &word))
		strbuf_add_span(out, word);
}

/* How many letters the first words of a line have together. */
struct line_words {
	size_t letters[PHRASE_MAX_WORDS + 1]; /* index = words; SIZE_MAX: so many there are not */
};

static struct line_words measure_words(struct span line)
{
	struct line_words w = {{0}};
	struct span word;

	for (size_t n = 1; n <= PHRASE_MAX_WORDS; n++) {
		bool more = w.letters[n - 1] != SIZE_MAX && span_next_word(&line, NULL, &word);

		w.letters[n] = more ? w.letters[n - 1] + word.len : SIZE_MAX;
	}
	return w;
}

/* Most phrases are out of the question by their length alone, which costs next to nothing to see. */
static bool may_be_like(const struct line_words *w, struct span phrase)
{
	size_t words = 1, have, want, allowed;

	for (size_t i = 0; i < phrase.len; i++)
		words += phrase.ptr[i] == ' ';
	have = words <= PHRASE_MAX_WORDS ? w->letters[words] : SIZE_MAX;
	want = phrase.len + 1 - words;
	allowed = typing_errors_allowed(want);
	return allowed > 0 && have != SIZE_MAX &&
	       (have > want ? have - want : want - have) <= allowed;
}

/* The line with `phrase` in place of the words that are like it, if it is a command then. */
static char *mend_with(struct span line, const struct line_words *words, struct span phrase,
                       struct arena *arena)
{
	struct strbuf have = STRBUF_INIT, want = STRBUF_INIT;
	struct span rest = line;
	const struct letter_row *row;
	struct letter_item item;
	const char *why;
	char *mended = NULL;
	unsigned allowed;

	if (!may_be_like(words, phrase))
		return NULL;
	add_joined(&want, phrase);
	allowed = typing_errors_allowed(want.len);
	if (allowed > 0 && take_like(&rest, phrase, &have) &&
	    typing_errors(strbuf_span(&have), strbuf_span(&want), allowed) <= allowed)
		mended = arena_printf(arena, "%.*s%s%.*s", SPAN_ARGS(phrase),
		                      rest.len > 0 ? " " : "", SPAN_ARGS(rest));
	if (mended != NULL &&
	    letter_fit_line(span_of(mended), arena, &item, &row, &why) != FIT_YES)
		mended = NULL;
	strbuf_release(&have);
	strbuf_release(&want);
	return mended;
}

static char *mend(struct span line, struct arena *arena)
{
	const struct line_words words = measure_words(line);

	for (size_t i = 0; i < letter_row_count(); i++) {
		const struct letter_row *row = letter_row_at(i);
		struct span aliases = span_of(row->aliases), phrase = span_of(row->words);

		/* Orders behind a command could be anything, so nearly everything would fit. */
		if ((row->flags & ROW_TAKES_LINES) != 0 && words.letters[2] != SIZE_MAX)
			continue;
		do {
			char *mended = mend_with(line, &words, phrase, arena);

			if (mended != NULL)
				return mended;
		} while (letter_next_phrase(&aliases, &phrase));
	}
	return NULL;
}

void letter_explain(struct span line, const struct letter_row *row, const char *why,
                    unsigned number, struct span echo, struct arena *arena, struct diags *diags)
{
	char *mended;

	if (row != NULL) {
		if (is_attempt(line, row))
			letter_refuse(row, why, number, echo, diags);
		return;
	}
	mended = count_words(line) <= ATTEMPT_MAX_WORDS ? mend(line, arena) : NULL;
	if (mended != NULL)
		diags_add(diags, DIAG_ERROR, number, 0, echo, mended,
		          "No command is spelt like this; nothing was done.");
}
