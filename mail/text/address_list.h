/*
 * address_list.h - the mailboxes in From, To and their kin: RFC 5322, 3.4 and 4.4, as real mail has them.
 *
 * Groups, comments, quoted strings, encoded words, routes, empty places in the list, blanks around '.' and
 * '@', bytes beyond ASCII. What has no end - a comment, a quoted string, an encoded word - is not one,
 * and its first character stands for itself; an angle without its end goes on to the next ',', ';' or
 * '<'. A ';' or a second '<' in place of a ',' will do.
 *
 * Pure. Trusts nothing: any bytes. Takes time in proportion to their number and no stack. Whoever must not
 * be deceived counts the mailboxes: where a field can be read in two ways, several are found, or one
 * whose address is none.
 */
#ifndef MOLEPOST_MAIL_TEXT_ADDRESS_LIST_H
#define MOLEPOST_MAIL_TEXT_ADDRESS_LIST_H

#include <stdbool.h>

#include "processor/base/arena.h"
#include "processor/base/span.h"

struct address_list {
	struct span rest; /* not read yet; the others are the reader's */
	const char *no_word_before;
	bool behind_angle, no_quotes, no_comments;
};
/* At the start of a field, which must stay as it is meanwhile. */
static inline struct address_list address_list_of(struct span unfolded)
{
	return (struct address_list){.rest = unfolded, .no_word_before = unfolded.ptr};
}

/* Both in the arena, and either may be empty. */
struct mailbox {
	/*
	 * What stands before "<": its words with one blank between, quotes undone, comments as they are,
	 * encoded words still encoded. Empty for an address without angles.
	 */
	struct span name;
	/*
	 * Without comments, route and angles, and the blanks in them or around '.' and '@'. Without angles
	 * the last word if it alone has an '@', else all. Not checked: see mail_address_ok.
	 */
	struct span address;
};

/* The next mailbox of a list, those of groups included; false at its end. */
bool address_list_next(struct address_list *list, struct arena *arena, struct mailbox *out);

#endif
