/*
 * break_out.h - what code that took a child over would try, for the tests of the cell.
 */
#ifndef MOLEPOST_TESTS_BREAK_OUT_H
#define MOLEPOST_TESTS_BREAK_OUT_H

#include "processor/base/span.h"

/*
 * `where`: five words: a key file, a database, a folder, a TCP port that somebody listens on, the
 * process to attack. Tries everything once; says on standard error "tried N, got through:" and the
 * names of what worked, and leaves.
 */
void break_out(struct span where) __attribute__((noreturn));

#endif
