/*
 * troubles.h - what the operator has been told of; why and how often, operator.h says.
 */
#ifndef MOLEPOST_STORE_OPERATOR_TROUBLES_H
#define MOLEPOST_STORE_OPERATOR_TROUBLES_H

#include "store/engine/store.h"

struct trouble {
	struct span name;  /* unique: "unread", "unsent", "clock", or the line itself */
	struct span line;  /* as it was last said */
	int64_t since_utc; /* the first run that said it */
	int64_t told_utc;  /* when it was last said, or said to be over */
	int64_t sent_utc;  /* when that went to the address and the alarm; 0 = not yet */
	bool is_over;
};

/* All of them, oldest first, in `arena`. */
enum err trouble_list(struct store *s, struct arena *arena, struct trouble **out,
                      size_t *n) MUST_CHECK;
/* Writes the row with this name. */
enum err trouble_put(struct store *s, const struct trouble *t) MUST_CHECK;
/* No such row is no error. */
enum err trouble_drop(struct store *s, struct span name) MUST_CHECK;

#endif
