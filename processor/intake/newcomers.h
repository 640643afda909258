/*
 * newcomers.h - what people are answered who have been written to and play nowhere yet.
 */
#ifndef MOLEPOST_PROCESSOR_INTAKE_NEWCOMERS_H
#define MOLEPOST_PROCESSOR_INTAKE_NEWCOMERS_H

#include "processor/request/request.h"

/*
 * A mail of who plays in no game, in which no wish was understood (`shows` NULL), or one that only shows
 * something, a line. *done false: it answers no mail of ours (answered_mail_is_theirs), or they have not been shown
 * that within a week; then it is the caller's. Else a way to begin is put to them as a question: an open game,
 * then a game against bots, each time of another kind, so that no mail comes twice.
 */
enum err newcomers_answer(struct request *req, const char *shows, bool *done) MUST_CHECK;

/*
 * A wish to play of who never has. *line: FIRST_GAME, perhaps AS a name; so left where it begins at once (newcomers in
 * molepost.conf(5)), "LIST" where it was proposed to them within a week, for the caller to carry out; NULL: they are
 * asked.
 */
enum err newcomers_first_game(struct request *req, const char **line) MUST_CHECK;

#endif
