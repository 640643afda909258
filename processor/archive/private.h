/*
 * private.h - what the writer, the reader and the verifier of archives share.
 *
 * Private to processor/archive and its tests. The words of the format stand in
 * molepost-archive(5).
 */
#ifndef MOLEPOST_PROCESSOR_ARCHIVE_PRIVATE_H
#define MOLEPOST_PROCESSOR_ARCHIVE_PRIVATE_H

#include "processor/archive/parsed.h"
#include "processor/archive/proof.h"

/* field_text.c: fields and folding. */

/* A text field, and a word field, in which blanks are written as escapes too. */
void archive_add_text(struct strbuf *out, struct span text);
void archive_add_word(struct strbuf *out, struct span text);
/* The text behind a field; false when the field is not in its one form. */
bool archive_read_text(struct span field, struct arena *arena, struct span *out);
bool archive_read_word(struct span field, struct arena *arena, struct span *out);
/* Appends a whole line as printed: in pieces of at most 160 bytes, with its line ends. */
void archive_add_folded(struct strbuf *out, struct span line);

/* Which facts make a line hidden while the game runs; FACT_ALWAYS: whatever the facts. */
enum { FACT_ALWAYS = 1 << 30 };
bool archive_is_hidden(unsigned facts, unsigned hidden_by);
/* "simultaneous hidden", "-" for none; and back. */
void archive_add_facts(struct strbuf *out, unsigned facts);
bool archive_parse_facts(struct span text, unsigned *facts);

/* leaf and chain of molepost-archive(5), The chain. `secret` for hidden lines. */
struct hash archive_leaf(struct span line);
struct hash archive_hidden_leaf(const struct hash *secret, const char *game, unsigned count,
                                struct span line);
struct hash archive_chain(const struct hash *before, const struct hash *leaf);

/* record.c. */

/* The leaf of line i, which may still be hidden. */
struct hash archive_line_leaf(const struct archive *a, size_t i);

bool record_turn_uses(const struct record_turn *t, const struct record_order *o);
/* Index of the revision with o's seat and number, from `from` on; or nrevisions. */
size_t record_find_revision(const struct record_turn *t, size_t from,
                            const struct record_order *o);
bool record_order_is_late(const struct record_turn *t, const struct record_order *o);

/* lines.c: any bytes to lines. read.c: lines to values. */

/* Lines of a fork: game, key, parent, orders, state, position. */
enum { FORK_STATE_LINE = 4, FORK_POSITION_LINE = 5 };

/* Where rules come from: rules_find_version but in tests. */
typedef const struct rules *archive_find(struct span name, unsigned version);

struct archive *archive_new(void);
/* Fills a from any bytes. False with a->bad_line and a->why. Does not look for rules. */
bool archive_parse(struct archive *a, struct span file);
/* The first half of it: lines, chain and signature. */
bool archive_split(struct archive *a, struct span file);
/* Where chained line i stands in the file; behind the last one, the chain line. */
unsigned archive_line_number(const struct archive *a, size_t i);
/* Decimal in its only form: no plus sign, no leading zeros, no "-0". */
bool archive_parse_number(struct span text, int64_t min, int64_t max, int64_t *out);
/* Notes what does not hold, unless something was noted before; always false. */
bool archive_fault(struct archive *a, unsigned file_line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* replay.c: rules, first state, resolving. */

/* Index of the turn whose outcome was the last position of the game; there must be turns. */
size_t archive_last_outcome(const struct archive *a);

/* Sets record.rules and checks that facts, options and names go with them. */
bool archive_find_rules(struct archive *a, archive_find *find);
/*
 * Resolves turn i from its parent's result with the draws listed. False with a fault, also when
 * something it needs is still hidden.
 */
bool archive_resolve(struct archive *a, size_t i);
/* The draws that secret and orders digest give for turn i, as chance_add_record. */
bool archive_derive_draws(struct archive *a, size_t i, struct strbuf *out);

void archive_verify_with(archive_find *find, const struct tables *tables, struct span file,
                         const struct hash *expect_key, const struct hash *expect_head,
                         struct archive_report *out);
enum err archive_open_with(archive_find *find, struct span file, struct archive **out,
                           struct failure *e) MUST_CHECK;

#endif
