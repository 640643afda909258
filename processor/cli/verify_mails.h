/*
 * verify_mails.h - `molepost verify --receipt MAIL...`: mails of one player or of many against a record,
 * and against each other.
 */
#ifndef MOLEPOST_PROCESSOR_CLI_VERIFY_MAILS_H
#define MOLEPOST_PROCESSOR_CLI_VERIFY_MAILS_H

#include "processor/base/seal.h"
#include "processor/base/span.h"
#include "processor/cli/command_line.h"

enum { MOST_MAILS = 1000 };

/*
 * Judges every receipt and head in these files ("-" = standard input) against an archive that holds, or,
 * where `archive` is "", against the key alone; and whether all of them can belong to one history. Prints a
 * verdict for each and one for all. EXIT_DONE, or EXIT_DATA when one is not kept or two contradict each
 * other; another code, with a line in the log, for a file that cannot be read.
 */
int verify_mails(struct cli *cli, const char *const *paths, size_t n, struct span archive,
                 const struct hash *key);
/*
 * The same of the text of one mail, given in the place of an archive. key NULL: then it says that one is
 * needed. False: the text holds nothing of the kind, and nothing was printed.
 */
bool verify_mail_alone(struct cli *cli, struct span text, const struct hash *key, int *code);

#endif
