/*
 * frames.h - several texts in one stream, for the test- commands and the scenarios.
 *
 *	== options
 *	holes=9
 *	== orders 2
 *	popup 3, whack 5
 *
 * A frame starts with a line "== NAME" or "== NAME SEAT" and runs to the next
 * such line. Names may come more than once. Nothing but blank lines may stand before the
 * first frame.
 */
#ifndef MOLEPOST_PROCESSOR_FRAMES_FRAMES_H
#define MOLEPOST_PROCESSOR_FRAMES_FRAMES_H

#include <stddef.h>

#include "processor/base/err.h"
#include "processor/base/span.h"

struct frame {
	struct span name;
	unsigned seat;    /* 0 = none named */
	struct span text; /* with its line ends */
	unsigned line;    /* of "== NAME", from 1 */
};

/* All spans borrow from the text that was read. */
struct frames {
	struct frame *items;
	size_t count, cap;
};
#define FRAMES_INIT        \
	{                  \
		NULL, 0, 0 \
	}

/* ERR_INVALID names the line. Release in any case. */
enum err frames_read(struct span text, struct frames *out, struct failure *e) MUST_CHECK;
void frames_release(struct frames *f);
/* The last frame of that name, or NULL. */
const struct frame *frames_find(const struct frames *f, const char *name);
/* Its text without blanks around, or the empty span. */
struct span frames_text(const struct frames *f, const char *name);

#endif
