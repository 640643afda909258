/*
 * uid_set.h - sets of message numbers, as ranges in order.
 *
 * The text form is IMAP's: "1:5,7,9:12". Private to mail/.
 */
#ifndef MOLEPOST_MAIL_TEXT_UID_SET_H
#define MOLEPOST_MAIL_TEXT_UID_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "processor/base/span.h"
#include "processor/base/strbuf.h"

enum { UID_SET_END = 0 }; /* as the last of a range: "*", for whoever sends it */

struct uid_range {
	uint32_t first, last;
};
/* Ranges never touch or overlap. */
struct uid_set {
	struct uid_range *items;
	size_t n, cap;
};
/* clang-format off */
#define UID_SET_INIT { NULL, 0, 0 }
/* clang-format on */

void uid_set_release(struct uid_set *s);
void uid_set_clear(struct uid_set *s);
/* `last` UID_SET_END: such a set can only be sent, not added to. */
void uid_set_add_range(struct uid_set *s, uint32_t first, uint32_t last);
void uid_set_add(struct uid_set *s, uint32_t uid);
void uid_set_add_set(struct uid_set *s, const struct uid_set *other);
void uid_set_remove(struct uid_set *s, uint32_t uid);
void uid_set_remove_set(struct uid_set *s, const struct uid_set *other);
/* The smallest one after `uid`; 0 when there is none. */
uint32_t uid_set_next(const struct uid_set *s, uint32_t uid);
bool uid_set_has(const struct uid_set *s, uint32_t uid);
uint64_t uid_set_count(const struct uid_set *s);
void uid_set_write(const struct uid_set *s, struct strbuf *out);
/* Adds what the text names; "" adds nothing. False, with nothing promised, for anything else. */
bool uid_set_read(struct uid_set *s, struct span text);

#endif
