/*
 * clauses.h - the clauses of what somebody wrote, and what each is for.
 *
 * People who write orders also correct themselves ("a4 to b4, no wait, to c4"), set conditions ("unless
 * Cy goes for the crown"), ask, and tell what they did or would have done. A number of such a clause is
 * no order. What a clause is shows in few words of a language, whatever is spoken of: the list is
 * structure_words.inc, English and German in full, five more for corrections, conditions and questions.
 *
 * Pure; knows no game and no command. Takes any bytes.
 */
#ifndef MOLEPOST_CLAUSES_CLAUSES_H
#define MOLEPOST_CLAUSES_CLAUSES_H

#include <stdbool.h>

#include "processor/base/arena.h"
#include "processor/base/span.h"

enum clause_kind {
	CLAUSE_PLAIN,
	CLAUSE_REPAIR, /* corrects what stands before it: "no wait, 4", "I mean c4", "6 instead" */
	CLAUSE_RETRACT,   /* takes all before it back: "scratch that", "forget what I wrote" */
	CLAUSE_REJECT,    /* names what is not meant: "c3 rather than c4", "leave out the 8" */
	CLAUSE_REFERENCE, /* means what was ordered before: "same as last turn" */
	CLAUSE_CONDITION, /* "unless Cy goes for the crown" */
	CLAUSE_QUESTION,  /* "what did Bob do?", also without its mark */
	CLAUSE_UNREAL /* another time, or never: "I would have hit 5", "last turn you hit 4" */
};

struct clause {
	enum clause_kind kind;
	struct span
	    text; /* in the text given, with the words that show what it is, without marks around it */
	struct span
	    marker; /* in `text`: those words; empty: it is plain, or its question mark shows it */
	bool
	    asks; /* a question mark stands behind it, also where it is a request: "can I have 3?" */
	bool otherwise; /* "else the pan": meant where the condition before it does not hold */
	bool ends_sentence; /* it is the last of one: a full stop, an empty line, the end */
};

/*
 * Splits at marks of punctuation, at ends of lines and before words that begin another kind of clause.
 * `text`: lines. *n: how many; in the arena, as are the words looked at on the way. Of more than 200
 * the rest is left out.
 */
struct clause *clauses_split(struct span text, struct arena *arena, size_t *n);
/* "But": a clause begins there. */
bool clauses_begin_at(struct span word);
/* "Turn", "game": what such a number is of. */
bool clauses_is_turn_word(struct span word);
/* Whether one of them is of this kind. */
bool clauses_have(struct span text, enum clause_kind kind);

#endif
