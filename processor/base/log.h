/*
 * log.h - lines for the operator.
 *
 * `molepost run` prints nothing unless an operator must act, since cron mails
 * what it prints. log_warn adds the text of errno, log_warnx does not. No
 * order text, token, key or player's secret may ever stand in a log line:
 * objects are named by id.
 */
#ifndef MOLEPOST_BASE_LOG_H
#define MOLEPOST_BASE_LOG_H

#include <stdbool.h>
#include <stdio.h>

#include "processor/base/span.h"

enum log_level { LOG_WARN, LOG_INFO, LOG_DEBUG };

struct log {
	FILE *out;           /* borrowed; usually stderr */
	enum log_level show; /* levels above this are dropped */
	unsigned warnings;   /* how many LOG_WARN lines were written */
	/*
	 * Hears every warning first, and whether it is of an event. True: the operator knows it, and it
	 * counts as LOG_INFO; never of an event. NULL: none is known.
	 */
	bool (*is_known)(void *ctx, struct span line, bool event);
	void *ctx;
};

void log_warn(struct log *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void log_warnx(struct log *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A warning of something that has happened, not of a state that may last: the same again is news. */
void log_event(struct log *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void log_info(struct log *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void log_debug(struct log *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
