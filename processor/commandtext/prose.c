/*
 * prose.c - what people write to each other, as opposed to what they write to a robot.
 *
 * Errs towards prose: a line taken for talk is never carried out, and the receipt still
 * names it.
 */
#include "processor/commandtext/grammar.h"

#include <stdlib.h>

#include "processor/base/utf8.h"

/*
 * None of these may be needed in an order of a game; "a", "all", "and", "at", "by", "from",
 * "in", "no", "none", "on", "to", "up", "with" are missing on purpose.
 */
/* clang-format off */
static const char *const prose_words[] = {
	"aber", "about", "after", "again", "agreed", "alles", "also", "always", "am", "an",
	"any", "anyone", "are", "as", "asap", "attached", "auch", "auf", "aus", "bald",
	"be", "because", "been", "before", "bei", "being", "best", "bin", "bist", "bitte",
	"but", "can", "cheers", "could", "danke", "dann", "das", "dass", "dear", "dein",
	"deine", "dem", "den", "der", "des", "dich", "did", "die", "dir", "discussed",
	"do", "doch", "does", "done", "du", "early", "ein", "eine", "einem", "einen",
	"einer", "else", "email", "er", "es", "etwas", "euch", "ever", "everybody",
	"everyone", "for", "fuer", "für", "gerne", "gestern", "gleich", "good", "great",
	"gruss", "gruß", "grüße", "gut", "habe", "haben", "had", "hallo", "has", "hat",
	"have", "he", "hello", "her", "here", "heute", "hey", "hi", "hier", "him", "his",
	"how", "i", "i'm", "ich", "idea", "ideas", "if", "ihr", "im", "into", "is", "ist",
	"it", "its", "just", "kann", "kannst", "kein", "keine", "later", "leider", "let",
	"like", "mail", "mal", "maybe", "me", "mein", "meine", "mich", "might", "mine",
	"mir", "mit", "more", "morgen", "much", "my", "nice", "nicht", "nichts", "noch",
	"not", "now", "nur", "ob", "oder", "of", "ok", "okay", "only", "or", "our", "ours",
	"out", "over", "planned", "please", "pls", "possible", "problem", "problems",
	"really", "regards", "reply", "schon", "sehr", "she", "should", "sich", "sie",
	"since", "sind", "so", "some", "someone", "soon", "sorry", "still", "than",
	"thank", "thanks", "that", "the", "their", "them", "then", "there", "these",
	"they", "this", "those", "thx", "today", "tomorrow", "tonight", "too", "und",
	"uns", "unser", "unsere", "until", "us", "usual", "very", "vom", "von", "war",
	"warum", "was", "way", "we", "week", "weil", "well", "wenn", "wer", "werden",
	"were", "what", "when", "where", "whether", "which", "who", "why", "wie", "will",
	"wir", "wird", "worries", "would", "yesterday", "yet", "you", "your", "yours",
	"zu", "zum", "zur",
};
/* clang-format on */
enum { NPROSE = sizeof(prose_words) / sizeof(prose_words[0]) };
enum { LINE_MAX_WORDS = 10, LINE_MAX_COLS = 72 };

/* Of a word, whatever its case, and an entry of the list, as bsearch(3) wants it. */
static int compare(const void *sought, const void *entry)
{
	struct span word = *(const struct span *)sought;
	const char *e = *(const char *const *)entry;

	for (size_t i = 0; i < word.len; i++) {
		unsigned char c = (unsigned char)word.ptr[i];

		if (c >= 'A' && c <= 'Z')
			c = (unsigned char)(c + ('a' - 'A'));
		if (c != (unsigned char)e[i])
			return c < (unsigned char)e[i] ? -1 : 1;
	}
	return e[word.len] == '\0' ? 0 : -1;
}

bool is_prose_word(struct span word)
{
	while (word.len > 0 && (word.ptr[word.len - 1] == ',' || word.ptr[word.len - 1] == '.'))
		word.len--;
	return bsearch(&word, prose_words, NPROSE, sizeof *prose_words, compare) != NULL;
}

/* Signs of sentences and links: never of orders. An apostrophe is one inside a word only. */
static bool has_sentence_signs(struct span line)
{
	for (size_t i = 0; i < line.len; i++) {
		char c = line.ptr[i], next = i + 1 < line.len ? line.ptr[i + 1] : ' ';

		if (c == '?' || c == '!' || (c == '.' && next == '.') ||
		    (c == ':' && next == ' ') || (c == '/' && next == '/'))
			return true;
		if (c == '\'' && i > 0 && line.ptr[i - 1] != ' ' && next != ' ')
			return true;
	}
	return false;
}

bool is_prose(struct span line)
{
	struct span rest = line, word;
	unsigned n = 0;

	if (has_sentence_signs(line) || utf8_width(line) > LINE_MAX_COLS)
		return true;
	while (span_next_word(&rest, "", &word))
		if (++n > LINE_MAX_WORDS || is_prose_word(word))
			return true;
	return false;
}
