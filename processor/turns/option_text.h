/*
 * option_text.h - texts as values of options, in the words of who opens a game: "board=below".
 */
#ifndef MOLEPOST_PROCESSOR_TURNS_OPTION_TEXT_H
#define MOLEPOST_PROCESSOR_TURNS_OPTION_TEXT_H

#include "mail/mail.h"
#include "processor/games/rules.h"
#include "store/engine/store.h"

/* Where such texts may come from. All of it borrowed. */
struct option_texts {
	struct store *store; /* those that were brought before, by name */
	const struct rules *kind;
	struct span below; /* the lines under the command */
	const struct span_list *attached;
};

/*
 * Puts the texts into "name=value" words (arena); all other words stay as they are. ERR_INVALID with a
 * sentence in `why`.
 */
enum err option_texts_fill(const struct option_texts *from, struct span *options,
                           struct arena *arena, struct strbuf *why) MUST_CHECK;

#endif
