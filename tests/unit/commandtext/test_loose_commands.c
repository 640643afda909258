/*
 * test_loose_commands.c - every phrase that may ask for a command, alone and beside what commands take, from who
 * plays, who is the master and who is new: what comes out is a command the grammar takes whole, or nothing.
 */
#include <criterion/criterion.h>

#include "processor/base/arena.h"
#include "processor/commandtext/grammar.h"
#include "processor/commandtext/loose_commands.h"

static const char *const phrases[] = {
#define INTENT(name, command, list) list,
#define WORD_FOR(verb, word, list) list,
#include "processor/commandtext/command_words.inc"
#undef WORD_FOR
#undef INTENT
};

static const struct seat_names names = {.count = 3, .names = {"", "Ann", "Bob", "Cy"}};

static const struct loose_facts writers[] = {
    {.game = "W1",
     .plays = true,
     .today = 20524 /* 2026-03-12 */,
     .turn = 4,
     .names = &names,
     .seat = 1},
    {.game = "W1", .plays = true, .presides = true, .turn = 4, .names = &names, .seat = 1},
    {.game = "W1", .plays = true, .gathering = true, .presides = true, .names = &names},
    {.newcomer = true},
    {.unknown = true},
};

static unsigned try_sentence(const char *sentence, const struct loose_facts *who)
{
	struct arena *arena = arena_new();
	struct command_text text, again;

	command_text_read(span_of(sentence), SPAN_EMPTY, 10, arena, &text);
	struct loose_command found = loose_command_find(&text, SPAN_EMPTY, who, arena);
	unsigned n = found.line && *found.line;
	if (n > 0) {
		command_text_read(span_of(found.line), SPAN_EMPTY, 10, arena, &again);
		cr_expect(again.nitems == 1 && !diags_has_errors(&again.diags), "%s -> %s",
		          sentence, found.line);
		command_text_release(&again);
	}
	command_text_release(&text);
	arena_free(arena);
	return n;
}

Test(loose_commands, each_phrase_comes_to_a_whole_command_or_nothing)
{
	static const char *const around[][2] = {
	    {"", ""},
	    {"Please ", "!"},
	    {"", ": see you on Monday"},
	    {"Can you ", " W2 for Bob, 3 or 4 days?"},
	    {"", " cy@example.org from 9 to 16 July between 22:00 and 7:00"}};
	unsigned found = 0;

	for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
		struct span list = span_of(phrases[i]), phrase;

		while (next_phrase(&list, &phrase))
			for (size_t f = 0; f < sizeof around / sizeof *around; f++)
				for (size_t w = 0; w < sizeof writers / sizeof *writers; w++) {
					struct strbuf sentence = STRBUF_INIT;

					strbuf_addf(&sentence, "%s%.*s%s", around[f][0],
					            SPAN_ARGS(phrase), around[f][1]);
					found += try_sentence(sentence.ptr, &writers[w]);
					strbuf_release(&sentence);
				}
	}
	cr_expect_gt(found, 1000);
}

Test(loose_commands, are_what_is_meant_and_nothing_of_another_sentence)
{
	static const char *const rows[][2] = {
	    {"Ich bin bis Freitag, den 20. März, verreist", "SET ABSENCE TO 20 Mar"},
	    {"I'm away on Friday the 20th", "SET ABSENCE 20 Mar"},
	    {"Away 27 March, no wait, 28 to 30 March", "SET ABSENCE 28 March TO 30 March"},
	    {"Away from 20 to 27 March, sorry, only until the 25th",
	     "SET ABSENCE 20 March TO 25 March"},
	    {"I'm away on Saturday. Could we have two more days?", "SET ABSENCE 14 Mar"},
	    {"Ich brauche noch zwei Tage", "ASK FOR 2 DAYS W1"},
	    {"I resign, nothing personal.", "RESIGN W1"},
	    {"Schönen Tag noch!", ""},
	    {"Danke, und noch einen schönen Tag!", ""},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena *arena = arena_new();
		struct command_text text;

		command_text_read(span_of(rows[i][0]), SPAN_EMPTY, 10, arena, &text);
		struct loose_command found =
		    loose_command_find(&text, SPAN_EMPTY, &writers[0], arena);
		cr_expect_str_eq(found.line ? found.line : "", rows[i][1], "%s", rows[i][0]);
		command_text_release(&text);
		arena_free(arena);
	}
}
