/*
 * yes_no.c - whether the mail in hand says YES or NO to a question of ours.
 */
#include "processor/commandtext/yes_no.h"

#include <ctype.h>

#include "processor/base/utf8.h"
#include "processor/commandtext/short_answers.h"
#include "processor/games/decoration.h"

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

/* Not within running text: that may be our own question, quoted and its lines broken anew. */
static bool begins_a_sentence(const struct command_text *l, size_t i)
{
	return i == 0 || l->lines[i].line > l->lines[i - 1].line + 1 ||
	       l->lines[i - 1].text.len <= GREETING_COLS;
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
	return n == 0 || (begins_a_sentence(l, i) && !has_command(behind, most, arena));
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
