/*
 * waiting_list.h - people who wait for a game of a kind and would rather not open one themselves.
 *
 * JOIN kind WAIT puts somebody at the end of the queue of that kind when there is no open game for
 * them. In each run, behind the mail that has come, whoever is longest in the queue gets a seat in
 * the oldest open game that takes them; and when as many wait as games of that kind usually have
 * seats, one is made for them. A place is kept for WAITING_LIST_KEPT_S, and who
 * has it no more is told. Who is blocked, or whom mail does
 * not reach, is passed over.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_WAITING_LIST_H
#define MOLEPOST_PROCESSOR_REQUEST_WAITING_LIST_H

#include "processor/request/request.h"

enum { WAITING_LIST_KEPT_S = 30 * 24 * 3600 };

/* JOIN kind WAIT, when no game is open; JOIN kind NOWAIT. */
enum err waiting_list_enter(struct request *req, const struct command *item) MUST_CHECK;
enum err waiting_list_leave(struct request *req, const struct command *item) MUST_CHECK;
/* A step of the run: seats for those who wait. */
enum err waiting_list_serve(struct server *srv) MUST_CHECK;

#endif
