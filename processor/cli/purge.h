/*
 * purge.h - deleting handled mail when its time has come (keep_mail).
 */
#ifndef MOLEPOST_PROCESSOR_CLI_PURGE_H
#define MOLEPOST_PROCESSOR_CLI_PURGE_H

#include "processor/server/server.h"

/* Works from the due rows of the inbox alone: a run with none due looks into no folder. */
enum err purge_handled(struct server *srv) MUST_CHECK;

#endif
