/*
 * listing.h - the oldest entries of a folder, in bounded memory.
 *
 * Entries are offered in any order; the listing holds twice LISTING_MAX of them at most, and keeps
 * the oldest LISTING_MAX, so that memory does not grow with the folder. Private to mail/.
 */
#ifndef MOLEPOST_MAIL_TEXT_LISTING_H
#define MOLEPOST_MAIL_TEXT_LISTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LISTING_MAX = 32768 };

struct listing_entry {
	int64_t mtime_utc, mtime_ns;
	size_t size;
	bool handled; /* it lies in cur/ */
	bool gone;    /* dealt with since it was listed */
	char *name;   /* as in the folder, owned by the listing */
};

struct listing {
	struct listing_entry *items;
	size_t count, cap;
	bool overflowed; /* younger ones were left out: the first LISTING_MAX are in order */
	size_t left;     /* entries not gone; good after listing_sort */
	size_t first;    /* no entry before this one is left */
};
/* clang-format off */
#define LISTING_INIT { NULL, 0, 0, false, 0, 0 }
/* clang-format on */

void listing_release(struct listing *l);
void listing_clear(struct listing *l);
/* Keeps a copy of the entry if it is among the oldest. */
void listing_offer(struct listing *l, const struct listing_entry *entry);
/* Oldest first; nothing may be offered after this. */
void listing_sort(struct listing *l);
/* The next entry that is left at or after items[*at], which moves behind it; NULL when none. */
const struct listing_entry *listing_next(const struct listing *l, size_t *at);
/* Marks the entry with this time and name as gone; fine when there is none. */
void listing_mark_gone(struct listing *l, const struct listing_entry *key);
/* <0, 0, >0: by time, then by name up to its ':'. */
int listing_cmp(const struct listing_entry *a, const struct listing_entry *b);
/* The name up to ':', which is where flags begin. */
size_t listing_base_len(const char *name);

#endif
