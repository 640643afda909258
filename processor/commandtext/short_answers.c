/*
 * short_answers.c - a yes or no that is a whole line, and answers to "Do you want to play?", in seven languages.
 */
#include "processor/commandtext/short_answers.h"

#include <ctype.h>
#include <string.h>

#include "processor/base/strbuf.h"
#include "processor/base/utf8.h"
#include "processor/games/decoration.h"

/* Small letters without accents. Polish "tak" is left out: in Danish it says thank you. */
/* clang-format off */
static const char *const yes[] = {
    "yep", "yeah", "yup", "correct", "exactly", "that's right", "that's it", "that's correct",
    "that is right", "that is correct", "ja", "jawohl", "genau", "ja genau", "stimmt", "oui",
    "c'est ca", "si", "esatto", "exacto"};
static const char *const no[] = {"nope", "nein", "non", "nee", "nie"};
/* As they are typed. */
static const char *const first_words[] = {
    "yes", "no", "yep", "yeah", "yup", "correct", "exactly", "that", "ja", "jawohl", "genau",
    "stimmt", "oui", "c", "si", "s\xc3\xad", "s\xc3\xac", "esatto", "exacto", "nope", "nein", "non",
    "nee", "nie"};
/* clang-format on */

enum { LINE_MOST = 40 };

enum short_answer short_answer(struct span line, struct arena *arena)
{
	struct strbuf plain = STRBUF_INIT, kept = STRBUF_INIT;
	struct span rest, word;

	if (line.len > LINE_MOST)
		return ANSWER_NONE;
	utf8_add_plain(&plain, line);
	rest = strbuf_span(&plain);
	while (span_next_word(&rest, " \t,.!", &word))
		if (!is_courtesy(word))
			strbuf_addf(&kept, "%s%.*s", kept.len ? " " : "", SPAN_ARGS(word));
	struct span said = utf8_dup_ascii(strbuf_span(&kept), arena);
	strbuf_release(&plain);
	strbuf_release(&kept);
	return span_in_nocase(said, yes, sizeof yes / sizeof *yes) ? ANSWER_YES
	       : span_in_nocase(said, no, sizeof no / sizeof *no)  ? ANSWER_NO
	                                                           : ANSWER_NONE;
}

bool begins_as_answer(struct span line)
{
	size_t n = 0;

	while (n < line.len && (isalpha((unsigned char)line.ptr[n]) || (line.ptr[n] & 0x80)))
		n++;
	return n > 0 && span_in_nocase(span_slice(line, 0, n), first_words,
	                               sizeof first_words / sizeof *first_words);
}

/* ---- "Do you want to play?" ---- */

enum said_by { AGREES, DECLINES, NEITHER, NAMES };

static const struct {
	const char *words;
	enum said_by says;
} answers[] = {
#define WORD(words, says) {words, says},
#include "processor/commandtext/answer_words.inc"
#undef WORD
};

enum { SENTENCE_WORDS = 16, NAMES_MOST = 2 };

struct sentence {
	struct span written[SENTENCE_WORDS], plain[SENTENCE_WORDS]; /* plain: small letters */
	size_t n;
};

static bool is_at(const struct sentence *s, size_t at, const char *words, size_t *n)
{
	struct span rest = span_of(words), word;

	for (*n = 0; span_next_word(&rest, " ", &word); (*n)++)
		if (at + *n == s->n || !span_eq(s->plain[at + *n], word))
			return false;
	return true;
}

/* The longest of the list that stands there; how many words, 0 = none. */
static size_t find_answer(const struct sentence *s, size_t at, enum said_by *says)
{
	size_t longest = 0, n;

	for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
		if (is_at(s, at, answers[i].words, &n) && n > longest) {
			longest = n;
			*says = answers[i].says;
		}
	return longest;
}

static bool is_capital(struct span word)
{
	return word.len > 0 &&
	       ((*word.ptr >= 'A' && *word.ptr <= 'Z') || (*word.ptr & 0x80) != 0);
}

/* False: something stands in it that is none of these. */
static bool read_sentence(const struct sentence *s, struct willingness *w)
{
	unsigned names = 0;
	enum said_by says;

	for (size_t at = 0; at < s->n;) {
		size_t n = find_answer(s, at, &says);

		if (n > 0 && says == NAMES) {
			/* "As always" is no name. */
			if (at + n >= s->n || at + n + NAMES_MOST < s->n ||
			    !is_capital(s->written[at + n]))
				return false;
			w->name = (struct span){s->written[at + n].ptr,
			                        (size_t)(s->written[s->n - 1].ptr +
			                                 s->written[s->n - 1].len -
			                                 s->written[at + n].ptr)};
			return true;
		}
		w->agrees = w->agrees || (n > 0 && says == AGREES);
		w->declines = w->declines || (n > 0 && says == DECLINES);
		if (n == 0 && !is_courtesy(s->written[at]) &&
		    (at == 0 || !is_capital(s->written[at]) || turns_meaning(s->plain[at]) ||
		     ++names > NAMES_MOST))
			return false;
		at += n > 0 ? n : 1;
	}
	return true;
}

/* "Ann", "Ann Miller" */
static bool is_signature(const struct sentence *s)
{
	return s->n > 0 && s->n <= NAMES_MOST && is_capital(s->written[0]) &&
	       is_capital(s->written[s->n - 1]);
}

static bool turns(const struct sentence *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (turns_meaning(s->plain[i]))
			return true;
	return false;
}

static void add_sentence(struct willingness *w, struct span text, struct arena *arena)
{
	struct sentence s = {.n = 0};
	struct willingness said = {.name = w->name};
	struct span word;

	while (s.n < SENTENCE_WORDS && span_next_word(&text, " \t,;:()*_\"", &word)) {
		s.written[s.n] = word;
		s.plain[s.n++] = utf8_dup_ascii(word, arena);
	}
	bool whole = text.len == 0 && read_sentence(&s, &said);
	w->turned = w->turned || (!whole && turns(&s));
	w->says_more = w->says_more || (!whole && !is_signature(&s));
	if (!whole)
		return;
	w->agrees = w->agrees || said.agrees;
	w->declines = w->declines || said.declines;
	w->name = said.name;
}

void willingness_add(struct willingness *w, struct span line, struct arena *arena)
{
	struct strbuf plain = STRBUF_INIT;
	struct span rest;

	utf8_add_plain(&plain, line);
	rest = arena_dup(arena, strbuf_span(&plain));
	strbuf_release(&plain);
	while (rest.len > 0) {
		size_t end = 0;

		while (end < rest.len && !strchr(".!?", rest.ptr[end]))
			end++;
		if (end == rest.len || rest.ptr[end] != '?')
			add_sentence(w, span_slice(rest, 0, end), arena);
		else /* what asks does not answer */
			w->says_more = true;
		rest = span_slice(rest, end + 1, rest.len);
	}
}
