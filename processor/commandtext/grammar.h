/*
 * grammar.h - between the files of this room; nobody else includes this.
 *
 * A row of the table is one command: its words, the slots behind them, and what HELP says about
 * it. A line is a command only if the words and everything behind them fit.
 */
#ifndef MOLEPOST_PROCESSOR_COMMANDTEXT_GRAMMAR_H
#define MOLEPOST_PROCESSOR_COMMANDTEXT_GRAMMAR_H

#include <stdbool.h>

#include "processor/commandtext/command_text.h"
#include "processor/commandtext/slots.h"

enum { NAME_MAX_WORDS = 3, TURN_MAX = 99999 };

enum grammar_row_flag {
	ROW_TAKES_LINES = 1,  /* orders may follow on the line (in item->orders) and below */
	ROW_ENDS_ORDERS = 2,  /* orders above and below it are different sets */
	ROW_WANTS_WORDS = 4,  /* useless alone: one wrong word behind it is an attempt */
	ROW_ENDS_MAIL = 8,    /* what stands below is an exhibit: neither order nor command */
	ROW_TAKES_TEXT = 16,  /* what stands below, up to an end word, is a message */
	ROW_TAKES_COLON = 32, /* a colon may stand behind the words */
	ROW_IS_TALK = 64,     /* people say it anyway: what is nearly it is not explained */
	ROW_IS_SURE =
	    128, /* with its first slots there is no doubt: what does not fit refuses it */
	ROW_SHOWS = 256,    /* it changes nothing */
	ROW_IS_NAMED = 512, /* it ends something: whoever is asked about it must name it */
	ROW_IN_PLACE = 1024 /* it speaks to all or ends something: only where it stands apart */
};

struct grammar_row {
	enum verb verb;
	const char *words;   /* "SET WAIT": also understood when written together */
	const char *aliases; /* "GAMES|SHOW", "" if none */
	const char *meaning;
	const char *example; /* of a message: with its text, on several lines */
	unsigned flags;
	const struct slot *slots; /* up to SLOT_NONE; NULL: nothing may follow */
	/* What no slot alone can know: what is wrong, or NULL. May change the item. */
	const char *(*check)(struct command *item);
	const char *undo; /* the command that takes it back; NULL: none does */
};

size_t grammar_row_count(void);
const struct grammar_row *grammar_row_at(size_t i);
const struct grammar_row *grammar_row_of(enum verb verb);
/* As the example writes them: "SET NOWAIT", though "SET NO WAIT" is understood as well. */
void grammar_add_words(struct strbuf *out, const struct grammar_row *row);

/*
 * Takes the words of `phrase` off *rest, each written in any case, with a blank or nothing
 * where the phrase has a blank. False and *rest untouched when they do not stand there.
 */
bool take_phrase(struct span *rest, struct span phrase);
/* Takes the next of the phrases of a list "GAMES|SHOW" off *list. */
bool next_phrase(struct span *list, struct span *phrase);

/*
 * Tries a plain line against the table. *row is the command whose words stand at its
 * start, or NULL; with FIT_YES *item is filled (verb and arguments; not line and text).
 * *misfit unless NULL. As the line stands only: bullets and bold have been taken off.
 */
enum fit grammar_fit_line(struct span line, struct arena *arena, struct command *item,
                          const struct grammar_row **row, struct misfit *misfit);

/*
 * Words by which English and German people talk to each other and which stand in no order:
 * one of them, or punctuation of sentences, makes a line prose. Never used to choose what
 * is carried out except to say no.
 */
bool is_prose(struct span line);
bool is_prose_word(struct span word);

/*
 * Adds a diagnostic when `line`, which is no command, looks as if one was meant: the words
 * of `row` stand at its start, or with one typing error mended it would be
 * one. `echo` is what is quoted.
 */
void grammar_explain(struct span line, const struct grammar_row *row,
                     const struct misfit *misfit, unsigned number, struct span echo,
                     struct arena *arena, struct diags *diags);
/* Without a reason a sentence: "CREATE is written: CREATE kind ...". */
void args_refuse(struct span line, const struct grammar_row *row, const struct misfit *misfit,
                 unsigned number, struct span echo, struct arena *arena, struct diags *diags);

/*
 * A plain subject without "Re:" and "[tags]". Empty when a tag is one of ours: then the
 * mail answers a mail of ours and its subject says nothing new.
 */
struct span text_subject(struct span plain);

#endif
