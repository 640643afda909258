/*
 * short_answers.c - a yes or no that is a whole line, in seven languages.
 */
#include "processor/commandtext/short_answers.h"

#include <ctype.h>

#include "processor/base/strbuf.h"
#include "processor/base/utf8.h"
#include "processor/games/decoration.h"

#include "processor/base/banned.h"

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
	return span_in_nocase(span_slice(line, 0, n), first_words,
	                      sizeof first_words / sizeof *first_words);
}
