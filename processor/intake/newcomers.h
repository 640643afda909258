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

#endif
