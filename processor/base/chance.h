/*
 * chance.h - a source of named draws.
 *
 * A game takes all its randomness from the chance it is handed: each draw has
 * a label, unique within the turn ("pan of seat 2"), and the chance records
 * what it gave. That record is what the archive lists. Three ways to make one:
 *
 *   derived   from a key (play: the turn key, molepost-archive(5); tests,
 *             bots, previews: the hash of a seed)
 *   scripted  from a list (golden scenarios, verify), "[label =] outcome";
 *             a labelled line serves that label only, unlabelled lines are
 *             used in order; an outcome that does not fit is an error
 *
 * Derivation: block(label, i) = HMAC-SHA-256(key, label "\n" i "\n"), i in
 * decimal from 0. Blocks are read as 64-bit big-endian words, four each; a
 * number below n takes the first word w < 2^64 - 2^64 mod n and gives w mod n.
 * A label is not empty, holds neither '=' nor a line end, neither begins nor
 * ends with a blank, and is used once only: anything else is a BUG.
 *
 * A shuffle is Fisher-Yates from the last place down: for k = n-1 ... 1,
 * exchange place k with place (number below k+1), the words read one after
 * another from the label's blocks.
 */
#ifndef MOLEPOST_BASE_CHANCE_H
#define MOLEPOST_BASE_CHANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "processor/base/err.h"
#include "processor/base/seal.h"
#include "processor/base/span.h"
#include "processor/base/strbuf.h"

struct chance;

struct chance *chance_from_key(const struct hash *key);
/* key = SHA-256("molepost/1 seed\n" seed "\n" label "\n"), seed in decimal. */
struct chance *chance_from_seed(uint64_t seed, const char *label);
/*
 * Blank lines are skipped. ERR_INVALID names the line that is neither outcome
 * nor "label = outcome".
 */
enum err chance_from_script(struct span script, struct chance **out,
                            struct failure *e) MUST_CHECK;
void chance_free(struct chance *c);

/*
 * The draws. The outcome is recorded as text: die and pick as a number,
 * shuffle as numbers with blanks between, or "-" when there was nothing to
 * shuffle. A scripted chance that has no fitting line or an impossible one
 * marks itself failed and gives the lowest outcome.
 */
/* 1..sides */
unsigned chance_die(struct chance *c, unsigned sides, const char *label_fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* 0..n-1; n > 0 */
unsigned chance_pick(struct chance *c, unsigned n, const char *label_fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Fills order[0..n-1] with a permutation of 0..n-1; recorded from 1 ("2 3 1"). */
void chance_shuffle(struct chance *c, unsigned *order, size_t n, const char *label_fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Scripted only: NULL, or what did not fit (also lines left over), borrowed. */
const char *chance_problem(const struct chance *c);
/* Appends "label = outcome\n" for each draw so far, in order. */
void chance_add_record(const struct chance *c, struct strbuf *out);
/* The draws behind the first `from`, each number with what it lies between: "label = 3 of 0 to 8", LF. */
void chance_add_ranges(const struct chance *c, size_t from, struct strbuf *out);
size_t chance_count(const struct chance *c);

#endif
