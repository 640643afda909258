/*
 * verify_folder.h - `molepost verify --folder DIR`: many archives at once, on all processors.
 */
#ifndef MOLEPOST_PROCESSOR_CLI_VERIFY_FOLDER_H
#define MOLEPOST_PROCESSOR_CLI_VERIFY_FOLDER_H

#include "processor/base/seal.h"
#include "processor/cli/command_line.h"

/*
 * Verifies every file in the folder, those that begin with a dot left out, in `jobs` processes
 * (0 = as many as there are processors). Prints a line for each that does not hold, in the
 * order of their names, and a last one with the sums. expect_key may be NULL. EXIT_DONE when
 * all hold, else EXIT_DATA; another code, with a line in the log, when the folder or a process
 * failed.
 */
int verify_folder(struct cli *cli, const char *dir, unsigned jobs,
                  const struct hash *expect_key);

#endif
