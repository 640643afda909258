/*
 * event_text.h - an event of store/operator/event_log.h in words, without its time.
 */
#ifndef MOLEPOST_PROCESSOR_CLI_EVENT_TEXT_H
#define MOLEPOST_PROCESSOR_CLI_EVENT_TEXT_H

#include "processor/server/server.h"
#include "store/operator/event_log.h"

/* "in", "note", "turn", "out", "fail", "told", "run". */
const char *event_kind_name(enum event_kind kind);
/* "W1", in the server's arena. */
const char *event_game_name(struct server *srv, int64_t game);
/* "in    mail 3 of player 1, W1 seat 1: orders". */
void event_add_text(struct server *srv, const struct event *e, struct strbuf *out);

#endif
