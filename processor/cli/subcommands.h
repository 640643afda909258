/*
 * subcommands.h - finding a subcommand by its name.
 */
#ifndef MOLEPOST_PROCESSOR_CLI_SUBCOMMANDS_H
#define MOLEPOST_PROCESSOR_CLI_SUBCOMMANDS_H

#include <stddef.h>

#include "processor/cli/command_line.h"

const struct cli_command *cli_find(const char *name);
/* In the order of the help; NULL behind the last. */
const struct cli_command *cli_at(size_t i);
/* The listed command somebody who typed `name` may have meant, or NULL. */
const char *cli_suggest(const char *name);

#endif
