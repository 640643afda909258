/*
 * yes_no.h - whether the mail in hand says YES or NO to a question of ours.
 */
#ifndef MOLEPOST_PROCESSOR_COMMANDTEXT_YES_NO_H
#define MOLEPOST_PROCESSOR_COMMANDTEXT_YES_NO_H

#include <stdbool.h>

#include "mail/parser.h"
#include "processor/base/arena.h"
#include "processor/base/span.h"
#include "processor/commandtext/command_text.h"

/* What an answer says. A text with a yes and a no says nothing. */
struct said {
	bool yes, no;
	bool named;                 /* and says what to (yes_no_names); not looked for here */
	const struct command *help; /* asked for instead of either */
	/* What they want to be called; empty: they do not say, or it was not looked for. */
	struct span name;
};
/* Whether some line of the mail begins so: nearly no order mail has one, and nothing else need be asked. */
bool yes_no_is_likely(const struct mail_in *mail);
/*
 * By the first text of the mail that has any of it; "ja", "oui" and "yep" stand alone on their line. `most`:
 * commands that are read of a text.
 */
struct said yes_no_said(const struct mail_in *mail, unsigned most, struct arena *arena);
/* Whether some line says yes and repeats this proposal behind it: "YES, RESIGN W1", "yes, resign". */
bool yes_no_names(const struct mail_in *mail, struct span proposal, unsigned most,
                  struct arena *arena);
/* The same to "Do you want to play?", where "Sure, sounds fun!" says yes, too. Looks for a name. */
struct said yes_no_to_invitation(const struct mail_in *mail, unsigned most,
                                 struct arena *arena);

/*
 * "yep", "Ja, bitte!", "Nein, danke": a yes or no that is a whole line; and what people
 * say when they are asked whether they want to play.
 */

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
