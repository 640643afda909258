/*
 * crowd_parts.h - what the crowd*.c files share.
 */
#ifndef MOLEPOST_TESTS_CROWD_PARTS_H
#define MOLEPOST_TESTS_CROWD_PARTS_H

#include "processor/server/server.h"

enum { CROWD_SEATS = 3 };

/* A testbed's folder and time, as in struct testbed. */
struct crowd_place {
	const char *dir;
	int64_t now_utc;
};

/* Close with server_close. */
void crowd_open(const struct crowd_place *p, struct log *log, struct server *srv);
/* Aborts with the sentence that belongs to an error. */
void crowd_must(struct server *srv, enum err rc);
/* Games with sealed set-ups; orders of all seats of the first games. */
void crowd_add_games(const struct crowd_place *p, unsigned n);
/* A player each, and a report of 3,000 bytes to him that waits in the outbox. */
void crowd_add_reports(const struct crowd_place *p, unsigned n);
void crowd_add_all_orders(const struct crowd_place *p, unsigned games, unsigned step);
/* Orders of turn 1 as a person writes them, good for any seat; a few hundred different ones. */
void crowd_add_orders(struct strbuf *out, unsigned variant);

#endif
