/*
 * crew.h - several threads that hand over the mails of one batch. Private to mail/.
 *
 * Each worker takes the next mail that may go: one whose lane has nothing in hand. What
 * stands behind a mail that did not get through stays untried. The one who gives out the
 * batch goes on with other work meanwhile; it alone touches the database.
 */
#ifndef MOLEPOST_MAIL_SINK_CREW_H
#define MOLEPOST_MAIL_SINK_CREW_H

#include "mail/sink.h"

/* All functions are called in the worker's thread, never two at a time for one worker. */
struct crew_work {
	/*
	 * Before each mail: connects if need be. An error ends a worker for good; of the
	 * first one (number 0) it is that of the whole sink.
	 */
	enum err (*ready)(void *ctx, unsigned worker, struct failure *e);
	/* One mail gets its outcome. An error is that of the whole sink. */
	enum err (*send)(void *ctx, unsigned worker, struct sink_mail *m, struct failure *e);
	void *ctx;
};

struct crew;

struct crew *crew_new(unsigned workers, const struct crew_work *work);
/* The first worker's ready, here and now. Not while a batch is in hand. */
enum err crew_ready(struct crew *c, struct failure *e) MUST_CHECK;
void crew_start(struct crew *c, struct sink_mail *mails, size_t n);
/* Waits until each mail of the batch is settled; the first error of the sink. */
enum err crew_finish(struct crew *c, struct failure *e) MUST_CHECK;
/* Ends the threads. No batch is in hand. */
void crew_free(struct crew *c);

#endif
