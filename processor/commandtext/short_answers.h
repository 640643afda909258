/*
 * short_answers.h - "yep", "Ja, bitte!", "Nein, danke": a yes or no that is a whole line.
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

#endif
