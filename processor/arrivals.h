/*
 * arrivals.h - new mail over all sources, oldest first, in parsed batches.
 *
 * While the caller deals with one batch the parsing child works on the next: two batches take
 * turns. Per round:
 *
 *	arrivals_list -> arrivals_next until it gives none -> arrivals_sync
 *
 * with arrivals_settle for each mail after its commit.
 */
#ifndef MOLEPOST_PROCESSOR_ARRIVALS_H
#define MOLEPOST_PROCESSOR_ARRIVALS_H

#include "mail/mail.h"
#include "mail/source.h"
#include "processor/server.h"

enum { ARRIVALS_BATCH = 1000 }; /* mails in a batch, at most */

struct arrival {
	struct source *source;
	struct source_mail found;
	struct span raw;
	struct mail_in mail;
	struct digest content; /* zero when the mail has no identity of its own */
};

struct arrivals;

/* The configured sources and the spool. Close it in any case. ERR_CONFIG, ERR_NOT_FOUND, ERR_IO. */
enum err arrivals_open(struct server *srv, struct arrivals **out) MUST_CHECK;
void arrivals_close(struct arrivals *a); /* NULL is fine */
/* Handled mail that is still kept is listed again. */
enum err arrivals_reread(struct arrivals *a) MUST_CHECK;

/* Looks for mail. *complete: what was found is all there is. *n is how many were found. */
enum err arrivals_list(struct arrivals *a, size_t *n, bool *complete) MUST_CHECK;
/*
 * The next mails found, at most `max`, parsed; good until the next call but one. None: all have been
 * handed out. With `ahead` the batch after it goes to the parser at once; its size is then `max` too,
 * whatever the next call asks for.
 */
enum err arrivals_next(struct arrivals *a, size_t max, bool ahead, struct arrival **batch,
                       size_t *n) MUST_CHECK;
/* Lets the parser go on with the batch after this one; never waits for it. Cheap, call it often. */
void arrivals_poll(struct arrivals *a);
/* Out of the inbox, after the commit. */
enum err arrivals_settle(struct arrivals *a, const struct arrival *mail) MUST_CHECK;
/* Makes all that was settled durable: one fsync per folder. */
enum err arrivals_sync(struct arrivals *a) MUST_CHECK;

#endif
