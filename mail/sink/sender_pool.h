/*
 * sender_pool.h - several threads that hand over the mails of one batch. Private to mail/.
 *
 * Each worker takes the next mail that may go: one whose lane has nothing in hand. What
 * stands behind a mail that did not get through stays untried. The one who gives out the
 * batch goes on with other work meanwhile; it alone touches the database.
 */
#ifndef MOLEPOST_MAIL_SINK_SENDER_POOL_H
#define MOLEPOST_MAIL_SINK_SENDER_POOL_H

#include "mail/sink.h"

/* All functions are called in the worker's thread, never two at a time for one worker. */
struct send_work {
	/*
	 * Before each mail: connects if need be. An error ends a worker for good; of the
	 * first one (number 0) it is that of the whole sink.
	 */
	enum err (*ready)(void *ctx, unsigned worker, struct failure *e);
	/* One mail gets its outcome. An error is that of the whole sink. */
	enum err (*send)(void *ctx, unsigned worker, struct sink_mail *m, struct failure *e);
	void *ctx;
};

struct sender_pool;

struct sender_pool *sender_pool_new(unsigned workers, const struct send_work *work);
/* The first worker's ready, here and now. Not while a batch is in hand. */
enum err sender_pool_ready(struct sender_pool *c, struct failure *e) MUST_CHECK;
void sender_pool_start(struct sender_pool *c, struct sink_mail *mails, size_t n);
/* Waits until each mail of the batch is settled; the first error of the sink. */
enum err sender_pool_finish(struct sender_pool *c, struct failure *e) MUST_CHECK;
/* Ends the threads. No batch is in hand. */
void sender_pool_free(struct sender_pool *c);

#endif
