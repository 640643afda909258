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
#include "processor/commandtext/create_settings.h"
#include "processor/games/decoration.h"
#include "processor/quotes/text_line.h"

enum {
	ATTEMPT_MAX_WORDS = 8,
	SET_WORDS = 4,
	LONE_WORDS = 2,
	PHRASE_MAX_WORDS = 3,
	JOINED_MAX = 40,
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

/*
 * What of a line that does not fit would: a setting with another value or left out, a title that stands behind
 * settings in its place. NULL: none can be told. *strange: the word that was not understood, or its end.
 */
static const char *mended_settings(const struct grammar_row *row, struct span line,
                                   const struct misfit *misfit, struct arena *arena,
                                   struct span *strange)
{
	struct span rest = misfit->left, kept = {line.ptr, (size_t)(rest.ptr - line.ptr)};
	struct command item = {.verb = row->verb};
	struct args args = {.rest = rest, .arena = arena, .row = row, .item = &item};
	const struct slot *slot = row->slots;
	const char *tried[3];
	size_t n = 0;

	while (slot->type != SLOT_NONE &&
	       (!slot->keyword || !args_take_keyword(&rest, slot->keyword)))
		slot++;
	const struct span value = rest;
	*strange = (struct span){rest.ptr, 0};
	(void)args_take_word(&rest, strange);
	if (!misfit->is_strange)
		*strange = (struct span){rest.ptr + rest.len, 0};
	if (slot->type != SLOT_NONE) {
		const char *shown = slot_shown(slot);
		struct span word;

		while (!args_another_begins(&args, slot, rest) && args_take_word(&rest, &word))
			;
		if (slot->type == SLOT_SECONDS || slot->take == create_take_calendar)
			tried[n++] = arena_printf(
			    arena, "%.*s%s%s %.*s", (int)(value.ptr - line.ptr), line.ptr,
			    value.len == 0 ? " " : "", *shown ? shown : "?", SPAN_ARGS(rest));
		tried[n++] = arena_printf(arena, "%.*s%.*s", SPAN_ARGS(kept), SPAN_ARGS(rest));
	} else if (misfit->title && create_take_title(&args, NULL) == FIT_YES &&
	           item.create.title.len > 0) {
		tried[n++] = arena_printf(
		    arena, "%.*s%.*s %.*s%.*s", (int)(misfit->title - line.ptr), line.ptr,
		    SPAN_ARGS(item.create.title), (int)(misfit->left.ptr - misfit->title),
		    misfit->title, SPAN_ARGS(args.rest));
	}
	tried[n++] = arena_cstr(arena, kept);
	for (size_t i = 0; i < n; i++) {
		struct span whole = span_trim(span_of(tried[i]));

		if (grammar_fit_line(whole, arena, &item, &row, NULL) == FIT_YES)
			return arena_cstr(arena, whole);
	}
	return NULL;
}

void args_refuse(struct span line, const struct grammar_row *row, const struct misfit *misfit,
                 unsigned number, struct span echo, struct arena *arena, struct diags *diags)
{
	struct strbuf usage = STRBUF_INIT;
	const char *why = misfit->why, *example = row->example, *own = NULL;
	size_t at = misfit->left.len > 0 ? span_find(echo, misfit->left) : echo.len;
	struct span strange = SPAN_EMPTY;
	unsigned column = 0;

	if ((row->flags & ROW_IS_SURE) != 0 && at < echo.len)
		own = mended_settings(row, line, misfit, arena, &strange);
	if (own) {
		example = own;
		column = (unsigned)(at + (size_t)(strange.ptr - misfit->left.ptr)) + 1;
	}
	strbuf_addf(&usage, "%s is written: %s", row->words, row->words);
	slots_add_usage(&usage, row->slots);
	if (why == NULL && row->slots == NULL)
		diags_add(
		    diags, DIAG_ERROR, number, 0, echo, example,
		    (row->flags & ROW_TAKES_TEXT) == 0
			? "%s stands alone on its line."
			: "%s stands alone on its line; the text goes on the lines below.",
		    row->words);
	else
		diags_add(diags, DIAG_ERROR, number, column, echo, example, why ? "%s" : "%s.",
		          why ? why : usage.ptr);
	strbuf_release(&usage);
}

/* Words of a line or of a command, and what two of these have in common is soon seen from. */
struct joined {
	char text[JOINED_MAX]; /* without the blanks between them, "SETNOWAIT" */
	size_t len, words;
	uint32_t letters; /* a bit for each that occurs, whatever its case */
	struct span
	    phrase;       /* of a command: as it is written; of a line: what stands behind it */
	bool takes_lines; /* its row */
};

/* False when there is no room for the word. */
static bool joined_add(struct joined *j, struct span word)
{
	if (word.len > JOINED_MAX - j->len)
		return false;
	memcpy(j->text + j->len, word.ptr, word.len);
	j->len += word.len;
	j->words++;
	for (size_t i = 0; i < word.len; i++)
		j->letters |= 1u << ((unsigned char)word.ptr[i] & 31);
	return true;
}

/* Whether these words of a line are the command's but for some errors, each of which changes two letters at most. */
static bool is_like(const struct joined *have, const struct joined *want)
{
	unsigned allowed = typing_errors_allowed(want->len), n = 0;
	struct span words = {have->text, have->len};

	if (allowed == 0 || have->len > want->len + allowed || want->len > have->len + allowed)
		return false;
	for (uint32_t others = have->letters ^ want->letters; others != 0; others &= others - 1)
		if (++n > 2 * allowed)
			return false;
	/* "Subscribe" is the opposite. */
	if (span_starts_nocase(want->phrase, "UN") && !span_starts_nocase(words, "UN"))
		return false;
	return typing_errors(words, (struct span){want->text, want->len}, allowed) <= allowed;
}

/* All words of the table, in its order: nearly every line is held against them. */
static struct joined phrases[PHRASES_MAX];
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
			struct joined *j = &phrases[nphrases++];
			struct span rest = phrase, word;

			ENSURE(nphrases < PHRASES_MAX);
			*j =
			    (struct joined){.phrase = phrase,
			                    .takes_lines = (row->flags & ROW_TAKES_LINES) != 0};
			while (span_next_word(&rest, " ", &word))
				ENSURE(joined_add(j, word));
		} while (next_phrase(&aliases, &phrase));
	}
}

/* The line with a command's words in place of those that are like them, if it is a command then. */
static char *mend(struct span line, struct arena *arena)
{
	struct joined begins[PHRASE_MAX_WORDS] = {{.len = 0}}; /* so many words and one */
	const struct grammar_row *row;
	struct command item;
	struct span word;
	size_t n = 0;

	ENSURE(pthread_once(&phrases_once, make_phrases) == 0);
	for (; n < PHRASE_MAX_WORDS && args_take_word(&line, &word); n++) {
		begins[n] = n > 0 ? begins[n - 1] : begins[n];
		if (!joined_add(&begins[n], word))
			break;
		begins[n].phrase = line;
	}
	for (size_t i = 0; i < nphrases; i++) {
		const struct joined *want = &phrases[i], *have = &begins[want->words - 1];

		/* Orders behind a command could be anything, so nearly everything would fit. */
		if (want->words > n || (want->takes_lines && n > 1) || !is_like(have, want))
			continue;
		char *mended = arena_printf(arena, "%.*s%s%.*s", SPAN_ARGS(want->phrase),
		                            have->phrase.len > 0 ? " " : "",
		                            SPAN_ARGS(have->phrase));
		if (grammar_fit_line(span_of(mended), arena, &item, &row, NULL) == FIT_YES)
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

void grammar_explain(struct span line, const struct grammar_row *row,
                     const struct misfit *misfit, unsigned number, struct span echo,
                     struct arena *arena, struct diags *diags)
{
	char *mended;

	if (row != NULL) {
		if (is_attempt(line, row) && (row->flags & ROW_IS_TALK) == 0)
			args_refuse(line, row, misfit, number, echo, arena, diags);
		return;
	}
	mended = text_count_words(line) <= ATTEMPT_MAX_WORDS && !is_only_courtesy(line)
	             ? mend(line, arena)
	             : NULL;
	if (mended != NULL)
		diags_add(diags, DIAG_ERROR, number, 0, echo, mended, "%s", misspelt_message);
}
