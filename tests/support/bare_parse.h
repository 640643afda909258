/*
 * bare_parse.h - libetpan and nothing else: the peer of the ingest bench.
 */
#ifndef MOLEPOST_TESTS_BARE_PARSE_H
#define MOLEPOST_TESTS_BARE_PARSE_H

#include <stddef.h>

/*
 * Reads every file of a folder, parses it, decodes its text parts and converts them to UTF-8, in this
 * process, without any guard. The number of mails that gave at least one part.
 */
size_t bare_parse_folder(const char *folder);

#endif
