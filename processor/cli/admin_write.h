/*
 * admin_write.h - one writing step of the operator's, in one transaction, while no run is at work.
 *
 * A report under way must not miss what the operator does, so the lock of the run is held too.
 */
#ifndef MOLEPOST_PROCESSOR_CLI_ADMIN_WRITE_H
#define MOLEPOST_PROCESSOR_CLI_ADMIN_WRITE_H

#include "processor/server/server.h"

/*
 * ERR_BUSY with a sentence in srv->fail while a run is at work; else what `act` returns, and
 * nothing is written when that is an error.
 */
enum err admin_write(struct server *srv, enum err (*act)(struct server *srv, void *ctx),
                     void *ctx) MUST_CHECK;
/* The same for what has transactions of its own. */
enum err admin_write_alone(struct server *srv, enum err (*act)(struct server *srv, void *ctx),
                           void *ctx) MUST_CHECK;

#endif
