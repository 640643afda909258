/*
 * archives.h - what tests of archives share: which games, the other program that reads them.
 */
#ifndef MOLEPOST_TESTS_ARCHIVES_H
#define MOLEPOST_TESTS_ARCHIVES_H

#include "processor/base/strbuf.h"
#include "tests/support/played.h"

/* Seen from the folder in which tests run. */
#define SECOND_OPINION "tests/verify/molepost-verify.py"

/* A game for players: not the null game that test builds have too. */
bool archives_is_played(const struct rules *rules);
/* A number of the environment; aborts when it is none. */
unsigned archives_env(const char *name, unsigned otherwise);

#endif
