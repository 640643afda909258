/*
 * num.h - the one way from text to numbers.
 *
 * Strict: decimal digits only, the whole span, no sign but '-' where signed,
 * no blanks, no overflow. "007" reads as 7.
 */
#ifndef MOLEPOST_BASE_NUM_H
#define MOLEPOST_BASE_NUM_H

#include <stdbool.h>
#include <stdint.h>

#include "processor/base/span.h"

bool num_parse_u64(struct span text, uint64_t max, uint64_t *out);
bool num_parse_i64(struct span text, int64_t min, int64_t max, int64_t *out);
bool num_parse_uint(struct span text, unsigned min, unsigned max, unsigned *out);
/* Also the words zero..twenty in English, as people write to a robot. */
bool num_parse_word(struct span text, unsigned min, unsigned max, unsigned *out);
/* Lower-case hex of exactly `len` bytes. */
bool num_parse_hex(struct span text, void *out, size_t len);

#endif
