/*
 * parts.h - pieces that several mails share: subject, clock, commitments, footer.
 *
 * Not seen outside reports/.
 */
#ifndef MOLEPOST_REPORTS_PARTS_H
#define MOLEPOST_REPORTS_PARTS_H

#include "reports/layout.h"
#include "reports/report.h"

/* What stands in a report besides the turn. */
#define MESSAGES_HEADING "Messages"
#define DIARIES_HEADING "Diaries"
#define ENCLOSED_HEADING "Waited for this report"

/* "[W17 turn 4] ..."; "[W17] Whakka Mole" when the game wants one subject for all. */
void part_subject(struct strbuf *subject, const struct report_game *g, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The same without the label of the turn. */
void part_subject_of_game(struct strbuf *subject, const struct report_game *g, const char *fmt,
                          ...) __attribute__((format(printf, 3, 4)));
/* "Game W17, Whakka Mole "Sunday moles", turn 4. You are Ann, seat 1 of 3." */
void part_game(struct page *p, const struct report_game *g);
/*
 * "Waiting for you and Cy.", the deadline, who holds, or why nothing moves; `told`: without what a reader knows who
 * was just asked for orders until the deadline.
 */
void part_clock(struct page *p, const struct report_game *g, const struct report_clock *c,
                bool told);
/* "BRIEF: POPUP 3; WHACK 5" where that is no longer than `most`, else "LEAD:" and the orders below. */
void part_orders(struct page *p, size_t most, const char *brief, const char *lead,
                 struct span orders);
/* All orders are in and nothing is waited for: whoever answered would be too late. */
bool clock_ends_now(const struct report_clock *c);
/* The deadline is over, in a game whose clock runs: what came in time is fixed. */
bool clock_has_passed(const struct report_clock *c);
/* So is the grace: nobody's orders would be in time any more. */
bool clock_is_over(const struct report_clock *c);
/*
 * What is done for a reader who sends nothing: `lead` and the orders, or the game's default
 * (NULL).
 */
void part_silence(struct page *p, const char *lead, struct span orders);
/* Once more without orders, and the seat is gone. */
void part_last_chance(struct page *p, const struct report_game *g);
/*
 * A page for what the mail proves; part_proof puts what is on it where the reader wants it. End it with
 * page_end.
 */
void part_proof_page(struct page *p, struct report_out *out);
/*
 * Where out->proof has something: the line in the body that says so, with the four words (NULL = none), and
 * above the proof which mail of which game it is of (g NULL: it says so itself). Or, for who asked, the proof in the
 * place of the line.
 */
void part_proof(struct page *p, struct report_out *out, const struct report_game *g,
                const char *words);
/* The secret's digest and the server's key. */
void part_fair(struct page *p, const struct report_fair *f);
/* Commitments, and what was revealed of them. */
void part_commitments(struct page *p, const struct report_game *g,
                      const struct report_commitment *list, size_t n);
/*
 * The same in one line and one digest, for a receipt: which revision of which seat is sealed, and the
 * SHA-256 of "SEAT REVISION COMMITMENT\n" for each (molepost-archive(5), RECEIPTS).
 */
void part_seals(struct page *p, const struct report_commitment *list, size_t n);
/* The DOC_EXAMPLE blocks. */
void part_examples(struct page *p, const struct doc *d);
/* The same behind a sentence, or where to read how orders are written. */
void part_sample_orders(struct page *p, const struct report_game *g, const char *lead,
                        const struct doc *examples);
/* What is wrong with which line; then the lines that were passed over. */
void part_problems(struct page *p, const struct diags *d);
void part_ignored(struct page *p, const struct diags *d);
/* What is played here, an item a kind. */
void part_kinds(struct page *p);
/* part_game, "Mail 7 of this game." and the line on help; nothing when it is carried. */
void part_footer(struct page *p, const struct report_game *g);
/* Messages that have waited for a report, and diaries; nothing when there are none. */
void part_messages(struct page *p, const struct report_game *g,
                   const struct report_message *list, size_t n);
void part_diaries(struct page *p, const struct report_game *g,
                  const struct report_message *list, size_t n);
/* Mails that have waited, each under a heading; nothing when there are none. */
void part_enclosed(struct page *p, const struct zone *zone,
                   const struct report_digest_item *list, size_t n);
/* Their proofs. */
void part_enclosed_proofs(struct page *p, const struct report_digest_item *list, size_t n);
/* The blocks of one part of a doc; a heading first if the part brings none. False if empty. */
bool part_doc(struct page *p, const struct doc *d, enum doc_part part, const char *heading);

/* Phrases are in the arena. "Ann, Bob and Cy"; `reader`, if among them, becomes "you". */
const char *phrase_names(struct arena *a, const char *const *names, size_t n,
                         const char *reader);
/* "1 order", "2 orders". */
const char *phrase_count(struct arena *a, size_t n, const char *one, const char *many);
/* Capitals A to Z made small, for examples: "create whakka mole". */
const char *phrase_lower(struct arena *a, const char *text);
/* "3D" as "3 days"; what is not understood stays as it is. */
const char *phrase_interval(struct arena *a, const char *interval);
/* "Thu 12 Mar 2026 18:02 UTC" */
const char *phrase_moment(struct arena *a, const struct zone *zone, int64_t at_utc);
/* The store's word for a game, said so that it fits behind "the game is". */
const char *phrase_status(const char *status);
/*
 * "Fri 13 Mar 20:00 UTC (in 26 hours)", "Fri 13 Mar 21:00 Europe/Berlin (20:00 UTC, in 26 hours)";
 * with its year when that is half a year away.
 */
const char *phrase_deadline(struct arena *a, const struct zone *zone, int64_t now_utc,
                            int64_t deadline_utc);
/* The same of a clock, without the hours where it is undated. */
const char *phrase_clock(struct arena *a, const struct zone *zone, const struct report_clock *c,
                         int64_t at_utc);
/* "Thu 26 Nov" */
const char *phrase_day(struct arena *a, const struct zone *zone, int64_t at_utc);
/* Orders stand on lines or between semicolons. */
size_t count_orders(struct span canonical);
/* Non-empty lines. */
size_t count_lines(struct span text);

#endif
