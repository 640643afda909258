/*
 * after_game.h - the program that hears of every game which has ended (after_game in molepost.conf).
 */
#ifndef MOLEPOST_PROCESSOR_CLI_AFTER_GAME_H
#define MOLEPOST_PROCESSOR_CLI_AFTER_GAME_H

#include "processor/server/server.h"

/*
 * Runs it for each game that it has not heard of, the oldest end first, with the game's name as its only argument
 * and its record on standard input, 30 s at most. One that ends with 0 is written down after it, so that after a
 * kill it hears the same again. The first that ends otherwise is a warning (*failed), and it and those behind it
 * wait for the next run. Without such a program games that end are marked all the same, so that one that is
 * configured later hears of those to come. No transaction is open.
 */
enum err after_games(struct server *srv, bool *failed) MUST_CHECK;

#endif
