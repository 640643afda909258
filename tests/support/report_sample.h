/*
 * report_sample.h - a game to write mails about: W17, Whakka Mole, three seats, turn 4.
 *
 * All values are made up by hand, so that the tests of reports/ need no game.
 */
#ifndef MOLEPOST_TESTS_REPORT_SAMPLE_H
#define MOLEPOST_TESTS_REPORT_SAMPLE_H

#include "reports/report.h"

enum { SAMPLE_NOW = 1773338520 }; /* Thu 12 Mar 2026 18:02 UTC */

extern const char *const sample_names[]; /* "", "Ann", "Bob", "Cid" */

/* Bob's mail number 7 about turn 4. */
struct report_game sample_game(void);
/* Waiting for `awaited` of "Bob", "Cid" (0 to 2), until Fri 20:00. */
struct report_clock sample_clock(size_t awaited);
/* A digest that depends on n. */
struct hash sample_hash(unsigned n);
/* Two orders that are legal. */
void sample_examples(struct doc *d, struct arena *a);
/* What happened in turn 4, the board, the scores, Bob's own lines. */
void sample_view(struct doc *d, struct arena *a);
struct span sample_receipt_proof(void);

#endif
