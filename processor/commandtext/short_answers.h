/*
 * short_answers.h - "yep", "Ja, bitte!", "Nein, danke": a yes or no that is a whole line; and what people
 * say when they are asked whether they want to play.
 */
#ifndef MOLEPOST_PROCESSOR_COMMANDTEXT_SHORT_ANSWERS_H
#define MOLEPOST_PROCESSOR_COMMANDTEXT_SHORT_ANSWERS_H

#include <stdbool.h>

#include "processor/base/arena.h"
#include "processor/base/span.h"

enum short_answer { ANSWER_NONE, ANSWER_YES, ANSWER_NO };

/* Of a line in which nothing stands besides but courtesies. In `arena` are only words in between. */
enum short_answer short_answer(struct span line, struct arena *arena);
/* Whether the line begins with such a word, or with YES or NO: few others do. */
bool begins_as_answer(struct span line);

/* What a mail says to "Do you want to play?", put together line by line. Zeroed before use. */
struct willingness {
	bool agrees, declines;
	bool turned;    /* some sentence may say otherwise: "Sure. But not before June." */
	bool says_more; /* some sentence says something else, too */
	struct span
	    name; /* what they want to be called, in the arena; empty: they do not say */
};
/*
 * Adds one line, in seven languages: "Sure, sounds fun!", "Leider keine Zeit". A sentence says something
 * only when nothing stands in it but what answer_words.inc has, courtesies and somebody's name.
 */
void willingness_add(struct willingness *w, struct span line, struct arena *arena);

#endif
