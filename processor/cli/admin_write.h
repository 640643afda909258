/*
 * admin_write.h - one writing step of the operator's, in one transaction, while no run is at work.
 *
 * A report under way must not miss what the operator does, so the lock of the run is held too.
 */
#ifndef MOLEPOST_PROCESSOR_CLI_ADMIN_WRITE_H
#define MOLEPOST_PROCESSOR_CLI_ADMIN_WRITE_H

#include "processor/server/server.h"
#include "store/players.h"

/*
 * ERR_BUSY with a sentence in srv->fail while a run is at work; else what `act` returns, and
 * nothing is written when that is an error.
 */
enum err admin_write(struct server *srv, enum err (*act)(struct server *srv, void *ctx),
                     void *ctx) MUST_CHECK;
/* The same for what has transactions of its own. */
enum err admin_write_alone(struct server *srv, enum err (*act)(struct server *srv, void *ctx),
                           void *ctx) MUST_CHECK;

/*
 * cmd_player.c: the player an operator names by number or by any address. ERR_NOT_FOUND with a
 * sentence in srv->fail.
 */
enum err find_player(struct server *srv, const char *who, struct player *out) MUST_CHECK;

#endif
