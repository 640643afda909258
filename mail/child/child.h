/*
 * child.h - a disposable process that does what must not be done in this one.
 *
 * It is this program started afresh by exec with a hidden command: every descriptor closed but
 * the three standard ones, an empty environment, no database, no key; cell.h has the walls it then
 * puts around itself. `run` starts those that read before it has keys and database itself. Below
 * is what a child does for itself. Private to mail/.
 */
#ifndef MOLEPOST_MAIL_CHILD_CHILD_H
#define MOLEPOST_MAIL_CHILD_CHILD_H

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "mail/child/packet.h"
#include "processor/base/err.h"

struct child {
	pid_t pid; /* 0 = none */
	/*
	 * Our ends of its standard input, a socket, and of its output and errors, pipes; none of them
	 * blocks; -1 = closed.
	 */
	int to, from, errors;
	struct packet_stream answers; /* what has been read of its output */
	struct strbuf last_words;     /* and of its errors, for error texts: what fits */
};
/* clang-format off */
#define CHILD_INIT { 0, -1, -1, -1, { STRBUF_INIT, 0 }, STRBUF_INIT }
/* clang-format on */

/* exe: NULL = this program; argument: NULL = none. Its output holds about 1 MiB. ERR_IO. */
enum err child_start(struct child *c, const char *exe, const char *command,
                     const char *argument, struct failure *e) MUST_CHECK;
/*
 * Closes its input, which makes a sound child leave, and kills it when it has not done so
 * after patience_ms; what was read of it is wiped. Fine when there is none.
 */
void child_end(struct child *c, int patience_ms);
/* Its standard error is read so that it never waits on us. Never waits. */
void child_drain_errors(struct child *c);
/* Appends ": " and its last words to the failure; `e` may be NULL. */
void child_add_last_words(struct child *c, struct failure *e);
/* Appends up to `max` bytes of `fd`: as read(2), restarted after a signal. */
ssize_t child_read(int fd, struct strbuf *to, size_t max);
/* As write(2) to a socket, restarted after a signal; unless `fd` is -1, that descriptor goes with the first byte. */
ssize_t child_send(int socket, struct span bytes, int fd);
/* As read(2) of a socket, restarted after a signal; *fd is what came with the bytes, or -1. */
ssize_t child_receive(int socket, void *to, size_t max, int *fd);

/* ---- in the child ---- */

/* A limit for good, as far as it is not lower already. */
void child_limit(__rlimit_resource_t what, rlim_t most);
/* One that can be moved on later. */
void child_limit_for_now(__rlimit_resource_t what, rlim_t most);
/* Address space and core files. A sanitizer's shadow alone is larger, so there no memory limit. */
void child_limit_memory(rlim_t bytes);

/* A child that does what it is asked for, by packets of packet.h. The program itself asks: that is trusted. */
struct requests_served {
	/* *socket: handed in with this request or one before it, -1 = none; who takes it puts -1 there. */
	void (*answer)(void *ctx, struct span request, int *socket);
	/* Before it is waited for the next. */
	void (*wait)(void *ctx);
	void *ctx;
};
/* Its life, until its parent closes the pipe or dies: limits (of memory, of files, no core file), then requests. */
void requests_serve(const struct requests_served *s);
/* Writes all of it as an answer; without its parent there is nothing left to do, and the process ends. */
void requests_answer(struct span bytes);

#endif
