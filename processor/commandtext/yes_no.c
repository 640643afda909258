/*
 * yes_no.c - whether the mail in hand says YES or NO to a question of ours, and what people say
 * when they are asked whether they want to play, in seven languages.
 */
#include "processor/commandtext/yes_no.h"

#include <ctype.h>
#include <string.h>

#include "processor/base/strbuf.h"
#include "processor/base/utf8.h"
#include "processor/games/decoration.h"

enum short_answer { ANSWER_NONE, ANSWER_YES, ANSWER_NO };

enum { YES_WORDS = 20 };

/* Small letters without accents; first what says yes. Polish "tak" is left out: in Danish it says thank you. */
/* clang-format off */
static const char *const short_words[] = {
    "yep", "yeah", "yup", "correct", "exactly", "that's right", "that's it", "that's correct",
    "that is right", "that is correct", "ja", "jawohl", "genau", "ja genau", "stimmt", "oui",
    "c'est ca", "si", "esatto", "exacto", "nope", "nein", "non", "nee", "nie"};
/* clang-format on */
enum { SHORT_WORDS = sizeof short_words / sizeof *short_words };

enum { LINE_MOST = 40 };

/* Of a line in which nothing stands besides but courtesies. In `arena` are only words in between. */
static enum short_answer short_answer(struct span line, struct arena *arena)
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
	return span_in_nocase(said, short_words, YES_WORDS)     ? ANSWER_YES
	       : span_in_nocase(said, short_words, SHORT_WORDS) ? ANSWER_NO
	                                                        : ANSWER_NONE;
}

/* Whether the line begins with such a word, or with YES or NO: few others do. */
static bool begins_as_answer(struct span line)
{
	size_t n = 0;

	while (n < line.len && (isalpha((unsigned char)line.ptr[n]) || (line.ptr[n] & 0x80)))
		n++;
	if (n == 0) /* most are quoted */
		return false;
	struct span first = span_slice(line, 0, n), word;
	bool found = span_eq_nocase(first, "yes") || span_eq_nocase(first, "no") ||
	             (n == 3 && (first.ptr[1] & 0x80)); /* "sì" */
	for (size_t i = 0; !found && i < SHORT_WORDS; i++) {
		struct span rest = span_of(short_words[i]);

		found = span_next_word(&rest, " '", &word) && utf8_eq_folded(first, word);
	}
	return found;
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
	w->says_more = w->says_more ||
	               (!whole && !(s.n > 0 && s.n <= NAMES_MOST && is_capital(s.written[0]) &&
	                            is_capital(s.written[s.n - 1])));
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

enum {
	ANSWER_WORDS = 4, /* "Yes, that was really me." */
	GREETING_COLS = 20
};

/* A command behind the word was not meant for a question. */
static bool has_command(struct span text, unsigned most, struct arena *arena)
{
	struct command_text l;
	bool found = false;

	command_text_read(text, SPAN_EMPTY, most, arena, &l);
	for (size_t i = 0; i < l.nitems; i++)
		found = found || l.items[i].verb != CMD_ORDERS;
	command_text_release(&l);
	return found;
}

/* Letters and apostrophes alone: neither an order nor a question has only these. */
static bool is_plain_word(struct span word)
{
	for (size_t i = 0; i < word.len; i++) {
		unsigned char c = (unsigned char)word.ptr[i];
		if (!isalpha(c) && c < 0x80 && c != '\'')
			return false;
	}
	return true;
}

/* "didn't", also with a typographic apostrophe. */
static bool is_negated(struct span word)
{
	char before = word.len > 2 ? word.ptr[word.len - 2] : 'x';

	return (before == '\'' || (unsigned char)before >= 0x80) &&
	       (word.ptr[word.len - 1] == 't' || word.ptr[word.len - 1] == 'T');
}

/* After such a word a yes or a no means something else. */
static bool turns_it(struct span word, bool yes)
{
	static const char *const against_yes[] = {"no",     "not",     "never", "but",
	                                          "nobody", "nothing", NULL};
	static const char *const against_no[] = {"yes",   "problem", "idea",
	                                         "virus", "reply",   NULL};
	bool found = yes && is_negated(word);

	for (const char *const *w = yes ? against_yes : against_no; *w; w++)
		found = found || span_eq_nocase(word, *w);
	return found;
}

/* "yes", "yes please", "No, thanks." */
static bool is_answer(const struct command_text *l, size_t i, bool yes, unsigned most,
                      struct arena *arena)
{
	static const char separators[] = " \t,.!";
	struct span rest = l->lines[i].text, word;
	unsigned n = 0;

	if (!span_next_word(&rest, separators, &word) ||
	    !span_eq_nocase(word, yes ? "yes" : "no"))
		return false;
	struct span behind = rest;
	while (span_next_word(&rest, separators, &word))
		if (++n > ANSWER_WORDS || !is_plain_word(word) || turns_it(word, yes))
			return false;
	return n == 0 || ((i == 0 || l->lines[i].line > l->lines[i - 1].line + 1 ||
	                   l->lines[i - 1].text.len <= GREETING_COLS) &&
	                  !has_command(behind, most, arena));
}

static void look_for_answer(const struct command_text *l, unsigned most, struct arena *arena,
                            struct said *said)
{
	for (size_t i = 0; i < l->nitems; i++) {
		said->yes = said->yes || l->items[i].verb == CMD_YES;
		said->no = said->no || l->items[i].verb == CMD_NO;
		if (l->items[i].verb == CMD_HELP && !said->help)
			said->help = &l->items[i];
	}
	for (size_t i = 0; i < l->nlines; i++) {
		enum short_answer a = short_answer(l->lines[i].text, arena);

		said->yes = said->yes || a == ANSWER_YES || is_answer(l, i, true, most, arena);
		said->no = said->no || a == ANSWER_NO || is_answer(l, i, false, most, arena);
	}
}

struct said yes_no_said(const struct mail_in *mail, unsigned most, struct arena *arena)
{
	struct said said = {0};
	struct command_text l;

	for (size_t i = 0; i < mail->ntexts && !said.yes && !said.no && !said.help; i++) {
		command_text_read(mail->texts[i].text, mail->subject, most, arena, &l);
		look_for_answer(&l, most, arena, &said);
		command_text_release(&l);
	}
	return said;
}

struct said yes_no_to_invitation(const struct mail_in *mail, unsigned most, struct arena *arena)
{
	struct said said = yes_no_said(mail, most, arena);
	struct willingness w = {0};
	struct command_text l;

	for (size_t i = 0; i < mail->ntexts; i++) {
		command_text_read(mail->texts[i].text, mail->subject, most, arena, &l);
		for (size_t k = 0; k < l.nlines; k++)
			willingness_add(&w, l.lines[k].text, arena);
		command_text_release(&l);
	}
	if (!said.yes && !said.no && !w.turned) {
		said.yes = w.agrees;
		said.no = w.declines;
	}
	said.name = w.name;
	return said;
}

/* Word by word, whatever stands between; the game may be left out, courtesies may follow. */
static bool says_again(struct span rest, struct span proposal)
{
	static const char separators[] = " \t,;.!:\"";
	struct span word, wanted;
	int64_t game;
	char letter;

	while (span_next_word(&proposal, separators, &wanted)) {
		if (!span_next_word(&rest, separators, &word))
			return span_trim(proposal).len == 0 &&
			       parse_game_id(wanted, &game, &letter) && letter != 0;
		if (!utf8_eq_folded(word, wanted))
			return false;
	}
	while (span_next_word(&rest, separators, &word))
		if (!is_courtesy(word))
			return false;
	return true;
}

bool yes_no_names(const struct mail_in *mail, struct span proposal, unsigned most,
                  struct arena *arena)
{
	struct command_text l;
	bool found = false;

	for (size_t i = 0; i < mail->ntexts && !found; i++) {
		command_text_read(mail->texts[i].text, SPAN_EMPTY, most, arena, &l);
		for (size_t k = 0; k < l.nlines && !found; k++) {
			struct span rest = l.lines[k].text, word;

			found = span_next_word(&rest, " \t,.!:", &word) &&
			        (span_eq_nocase(word, "yes") ||
			         short_answer(word, arena) == ANSWER_YES) &&
			        says_again(rest, proposal);
		}
		command_text_release(&l);
	}
	return found;
}

bool yes_no_is_likely(const struct mail_in *mail)
{
	for (size_t i = 0; i < mail->ntexts; i++) {
		struct span rest = mail->texts[i].text, line;

		while (span_next_line(&rest, &line)) {
			while (line.len > 0 && !isalpha((unsigned char)*line.ptr) &&
			       *line.ptr != '>')
				line = span_slice(line, 1, line.len);
			if (begins_as_answer(line))
				return true;
		}
	}
	return begins_as_answer(mail->subject);
}
