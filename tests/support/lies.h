/*
 * lies.h - what somebody who holds secret and key might change in an archive afterwards, chain
 * and signature being made anew over it.
 */
#ifndef MOLEPOST_TESTS_LIES_H
#define MOLEPOST_TESTS_LIES_H

#include "tests/support/archives.h"

struct lie {
	const char *what;
	/* Changes the sheet; the index of the line changed, s->n when this game gives no
	   occasion. */
	size_t (*tell)(struct sheet *s);
	const char *evidence; /* words of the fault */
	bool takes_rules;     /* found only by who knows the rules */
	unsigned games;       /* how many of the five give an occasion */
};

extern const struct lie lies[];
size_t lies_count(void);

#endif
