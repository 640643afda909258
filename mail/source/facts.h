/*
 * facts.h - what a source remembers of single mails from run to run, by their names. Private to mail/source.
 *
 * A mail that cannot be had is tried in SOURCE_MOST_TRIES runs and then given up; one that has been dealt with but
 * cannot be moved away is left out of the list from then on. So neither keeps the other mails, and with them all
 * deadlines, waiting for good.
 */
#ifndef MOLEPOST_MAIL_SOURCE_FACTS_H
#define MOLEPOST_MAIL_SOURCE_FACTS_H

#include <stdbool.h>

#include "mail/source.h"

struct fact {
	char *name;
	int64_t first_utc; /* when it was first seen; 0 = not needed */
	unsigned tries;    /* runs in which it could not be had ... */
	bool counted;      /* ... and this is one of them */
	bool is_stuck;     /* it could not be moved */
};

struct facts {
	struct fact *items;
	size_t n, cap;
};

void facts_release(struct facts *f);
/* NULL: nothing is known. */
struct fact *facts_find(const struct facts *f, struct span name);
/* Makes an empty one where there is none; good until the next is made. */
struct fact *facts_need(struct facts *f, struct span name);
/* It makes no trouble any more; fine when nothing is known. */
void facts_drop(struct facts *f, struct span name);
/* It could not be had: in how many runs by now. */
unsigned facts_count_try(struct facts *f, struct span name);
/* Whether it is of one of these mails. */
bool fact_is_of(const struct fact *f, const struct source_mail *const *done, size_t n);

#endif
