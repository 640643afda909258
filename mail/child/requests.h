/*
 * requests.h - the inside of a child that does what it is asked for, until its parent closes the pipe or dies.
 *
 * Packets of packet.h come in on standard input, with some a connected socket; answers go out on standard
 * output. What is asked for is trusted, since it comes from the program itself. Private to mail/.
 */
#ifndef MOLEPOST_MAIL_CHILD_REQUESTS_H
#define MOLEPOST_MAIL_CHILD_REQUESTS_H

#include "mail/child/packet.h"

struct requests_served {
	/* *socket: handed in with this request or one before it, -1 = none; who takes it puts -1 there. */
	void (*answer)(void *ctx, struct span request, int *socket);
	/* Before it is waited for the next. */
	void (*wait)(void *ctx);
	void *ctx;
};

/* The child's life: limits (of memory, of files, no core file), then its requests. */
void requests_serve(const struct requests_served *s);
/* Writes all of it as an answer; without its parent there is nothing left to do, and the process ends. */
void requests_answer(struct span bytes);

#endif
