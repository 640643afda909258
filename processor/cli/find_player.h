/*
 * find_player.h - the player an operator names.
 */
#ifndef MOLEPOST_PROCESSOR_CLI_FIND_PLAYER_H
#define MOLEPOST_PROCESSOR_CLI_FIND_PLAYER_H

#include "processor/server/server.h"
#include "store/players.h"

/* By number or by any address. ERR_NOT_FOUND with a sentence in srv->fail. */
enum err find_player(struct server *srv, const char *who, struct player *out) MUST_CHECK;

#endif
