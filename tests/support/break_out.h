/*
 * break_out.h - what code that took a child over would try, for the tests of the cell.
 */
#ifndef MOLEPOST_TESTS_BREAK_OUT_H
#define MOLEPOST_TESTS_BREAK_OUT_H

#include "processor/base/span.h"

/*
 * `where`: five words: a key file, a database, a folder, a TCP port that somebody listens on, the
 * process to attack; and a sixth in a parsing child, its starter. Tries everything once; says on standard error "tried N, got through:" and the
 * names of what worked, and leaves.
 */
void break_out(struct span where) __attribute__((noreturn));

/*
 * For mails that hold "secret-of-mail-" and a number of four digits; `own` is the number of this one.
 * Looks for that of another, in memory, in other processes and behind every descriptor; then writes the
 * body of `raw` three times, as the answer of this child and those behind it, with the number in place of
 * "----" if it has found one; and leaves.
 */
void break_in(struct span raw, const char *own) __attribute__((noreturn));

#endif
