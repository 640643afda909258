/*
 * letter_suggest.c - telling talk from commands that went wrong, and explaining the latter.
 *
 * Nothing here makes a line be carried out; it only decides what is said about one that is not.
 */
#include "processor/letter_table.h"

#include "processor/nearest.h"

#include "processor/base/banned.h"

enum { ATTEMPT_WORDS = 6 }; /* a longer line is talk, not a command */

/* Words of talk. None may be a word of any command or order. */
static const char *const talk[] = {
	"about", "after", "again", "all", "also", "am", "an", "and", "are", "as", "at", "be",
	"because", "been", "before", "but", "by", "can", "could", "dear", "did", "do", "does",
	"dont", "down", "everybody", "everyone", "for", "friend", "friends", "fun", "game", "games",
	"good", "great", "guys", "had", "has", "have", "he", "hello", "her", "here", "hey", "hi",
	"him", "his", "how", "i", "i'll", "i'm", "idea", "ideas", "in", "is", "it", "it's", "its",
	"just", "know", "later", "let", "let's", "like", "look", "me", "mine", "more", "much",
	"must", "my", "need", "not", "now", "of", "off", "or", "our", "out", "over", "please",
	"really", "send", "sent", "she", "should", "so", "some", "soon", "sorry", "than", "thank",
	"thanks", "that", "the", "their", "them", "then", "there", "these", "they", "things",
	"think", "this", "those", "today", "tomorrow", "tonight", "too", "up", "us", "very", "want",
	"was", "we", "week", "well", "were", "what", "when", "where", "which", "who", "why",
	"will", "with", "would", "yesterday", "you", "your", "yours",
	"aber", "als", "am", "auch", "auf", "aus", "bei", "bin", "bis", "bitte", "da", "danke",
	"das", "dass", "dein", "dem", "den", "der", "dich", "die", "dir", "doch", "du", "ein",
	"eine", "einen", "er", "es", "euch", "ganz", "gerne", "habe", "hallo", "hast", "hat",
	"heute", "ich", "ihr", "im", "ist", "ja", "jetzt", "kann", "kein", "liebe", "mal", "man",
	"mein", "mich", "mir", "mit", "morgen", "nach", "nicht", "noch", "nur", "oder", "schon",
	"sich", "sie", "sind", "spiel", "uns", "und", "viele", "von", "vor", "war", "was", "wenn",
	"wer", "wie", "wir", "wird", "wo", "zu", "zum", "zur"
};

bool letter_is_prose_word(struct span word)
{
	while (word.len > 0 && (word.ptr[word.len - 1] == ',' || word.ptr[word.len - 1] == '.' ||
	                        word.ptr[word.len - 1] == ':'))
		word = span_slice(word, 0, word.len - 1);
	for (size_t i = 0; i < sizeof(talk) / sizeof(talk[0]); i++)
		if (span_eq_nocase(word, talk[i]))
			return true;
	return false;
}

bool letter_is_prose(struct span line)
{
	struct span word;
	size_t end = line.len;

	if (end > 0 && (line.ptr[end - 1] == '?' || line.ptr[end - 1] == '!'))
		return true;
	while (span_next_word(&line, "", &word))
		if (letter_is_prose_word(word))
			return true;
	return false;
}

static size_t word_count(struct span line)
{
	struct span word;
	size_t n = 0;

	while (span_next_word(&line, "", &word))
		n++;
	return n;
}

void letter_refuse(const struct letter_row *row, const char *why, unsigned number,
                   struct span echo, struct diags *diags)
{
	if (why)
		diags_add(diags, DIAG_ERROR, number, 0, echo, row->example, "%s", why);
	else
		diags_add(diags, DIAG_ERROR, number, 0, echo, row->example, "%s is written: %s %s.",
		          row->words, row->words, row->grammar);
}

/* The one-word command nearest to `word`, or NULL. */
static const char *nearest_words(struct span word)
{
	unsigned best = typing_errors_allowed(word.len) + 1;
	const char *found = NULL;

	for (size_t i = 0; i < letter_row_count(); i++) {
		const char *words = letter_row_at(i)->words;
		unsigned d = typing_errors(word, span_of(words), best);
		if (d > 0 && d < best) {
			best = d;
			found = words;
		}
	}
	return found;
}

const char *letter_suggest(struct span word)
{
	return nearest_words(word);
}

/* "JION W17" -> "JOIN W17", when that would be understood. */
static const char *mended(struct span line, struct arena *arena)
{
	struct span rest = line, word;
	struct letter_item item;
	const struct letter_row *row;
	const char *why;

	if (!span_next_word(&rest, "", &word))
		return NULL;
	const char *words = nearest_words(word);
	if (!words)
		return NULL;
	rest = span_trim(rest);
	const char *text = rest.len ? arena_printf(arena, "%s %.*s", words, SPAN_ARGS(rest))
	                            : arena_strdup(arena, words);
	return letter_fit_line(span_of(text), arena, &item, &row, &why) == FIT_YES ? text : NULL;
}

void letter_explain(struct span line, const struct letter_row *row, const char *why,
                    unsigned number, struct span echo, struct arena *arena,
                    struct diags *diags)
{
	if (word_count(line) > ATTEMPT_WORDS || letter_is_prose(line))
		return;
	if (row) {
		letter_refuse(row, why, number, echo, diags);
		return;
	}
	const char *text = mended(line, arena);
	if (text)
		diags_add(diags, DIAG_ERROR, number, 0, echo, text,
		          "This was not carried out. Did you mean \"%s\"?", text);
}
