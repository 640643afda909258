/*
 * not_understood.h - what is said when nothing, or nothing more, was made of a mail.
 *
 * In the thread of the game, with what is stored, until when, and what would work now; the general
 * guide is for who plays nowhere.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_NOT_UNDERSTOOD_H
#define MOLEPOST_PROCESSOR_REQUEST_NOT_UNDERSTOOD_H

#include "processor/request/request.h"

/* Lines that were nearly commands and that no receipt has spoken of. */
enum err tell_near_commands(struct request *req) MUST_CHECK;
/* The mail answers one of a game, and nothing was made of it: how to go on there. */
enum err tell_not_understood_in_game(struct request *req, bool *done) MUST_CHECK;

#endif
