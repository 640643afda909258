/*
 * origin.c - how a seat's orders came to be used, as archives write it.
 */
#include "processor/base/err.h"
#include "processor/games/rules.h"

static const char *const names[] = {
    [ORDER_SENT] = "sent",   [ORDER_DEFAULT] = "default",   [ORDER_STANDING] = "standing",
    [ORDER_BOT] = "bot",     [ORDER_RESIGNED] = "resigned", [ORDER_QUEUED] = "queued",
    [ORDER_DRAFT] = "draft", [ORDER_FALLBACK] = "fallback",
};

enum { ORIGIN_COUNT = sizeof names / sizeof *names };

const char *order_origin_name(enum order_origin o)
{
	ENSURE((unsigned)o < ORIGIN_COUNT);
	return names[o];
}

bool order_origin_parse(struct span text, enum order_origin *out)
{
	for (unsigned i = 0; i < ORIGIN_COUNT; i++) {
		if (span_eq_str(text, names[i])) {
			*out = (enum order_origin)i;
			return true;
		}
	}
	return false;
}
