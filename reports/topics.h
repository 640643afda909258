/*
 * topics.h - what HELP says about each command.
 *
 * Not seen outside reports/.
 */
#ifndef MOLEPOST_REPORTS_TOPICS_H
#define MOLEPOST_REPORTS_TOPICS_H

#include "processor/base/span.h"

struct topic {
	const char *word;     /* "JOIN" */
	const char *aliases;  /* "GAMES, SHOW": other words for it, "" if none */
	const char *asked_as; /* "LEAVE, QUIT": words people look it up by, "" if none */
	const char *text;     /* a paragraph to a line; each begins with a harmless word */
	/* Lines separated by LF; {kind}, {game}, {orders}, {option} stand for those of a game, {other} for another's number. */
	const char *examples;
};

/* By its word or another name, any case; NULL when there is none. */
const struct topic *topic_find(struct span word);
const struct topic *topic_at(size_t i); /* NULL after the last */

#endif
