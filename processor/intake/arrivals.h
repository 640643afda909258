/*
 * arrivals.h - new mail over all sources, oldest first, in parsed batches.
 *
 * arrivals_new opens the sources and starts the children that read them, which is done before the keys
 * and the database are; arrivals_resume tells each source what the database remembers of it.
 *
 * While the caller deals with one batch the next two are fetched and parsed (prefetch.h). Per round:
 *
 *	arrivals_list -> arrivals_next until it gives none -> arrivals_sync
 *
 * with arrivals_note in the transaction that deals with mails, and after its commit
 * arrivals_noted and arrivals_settle for each of them.
 *
 * A source that fails is left out for the rest of the run and the others go on; what went wrong
 * first is kept for arrivals_trouble, what goes wrong later is logged at once.
 */
#ifndef MOLEPOST_PROCESSOR_INTAKE_ARRIVALS_H
#define MOLEPOST_PROCESSOR_INTAKE_ARRIVALS_H

#include "processor/intake/prefetch.h"
#include "processor/server/server.h"

struct arrivals;

/*
 * The configured sources, or those of them that are folders of this machine, and the spool. Needs no more of the
 * server than its configuration. Free it in any case. ERR_CONFIG.
 */
enum err arrivals_new(struct server *srv, bool here_only, struct arrivals **out) MUST_CHECK;
void arrivals_free(struct arrivals *a); /* NULL is fine */
/* Once, before mail is listed. Errors of the store. */
enum err arrivals_resume(struct arrivals *a) MUST_CHECK;
/* Handled mail that is still kept is listed again. */
void arrivals_reread(struct arrivals *a);

/* Looks for mail. *complete: what was found is all there is. *n is how many were found. */
enum err arrivals_list(struct arrivals *a, size_t *n, bool *complete) MUST_CHECK;
/*
 * The next mails found, at most `max`, parsed; good until the next call. None: all have been
 * handed out. With `ahead` the batches after it are begun at once; their size is then `max` too,
 * whatever the next call asks for.
 */
enum err arrivals_next(struct arrivals *a, size_t max, bool ahead, struct arrival **batch,
                       size_t *n) MUST_CHECK;
/* All sources are folders of this machine: to read a mail waits for nobody. */
bool arrivals_are_local(const struct arrivals *a);
/*
 * There is another batch, read ahead, and the next call will not wait for the parser. One that is being
 * parsed is waited for, up to `wait_ms`.
 */
bool arrivals_are_ready(struct arrivals *a, unsigned wait_ms);
/* What was listed or read ahead and not handed out is forgotten; arrivals_list finds it again. */
enum err arrivals_drop(struct arrivals *a) MUST_CHECK;
/* Lets sources and parser go on with the next batches, without waiting. Cheap, call it often. */
void arrivals_poll(struct arrivals *a);
/*
 * Writes what the sources have to remember once these mails have been dealt with, inside the open
 * transaction.
 */
enum err arrivals_note(struct arrivals *a, const struct arrival *mails, size_t n) MUST_CHECK;
/* That transaction has been committed. */
void arrivals_noted(struct arrivals *a);
/* Out of the inbox, after the commit. */
void arrivals_settle(struct arrivals *a, const struct arrival *mail);
/*
 * Makes all that was settled durable, and writes what the sources remember of it in a transaction
 * of its own. Errors of the store.
 */
enum err arrivals_sync(struct arrivals *a) MUST_CHECK;
/*
 * ERR_NONE: every source could be read and every mail found was handed out. Else the first thing
 * that went wrong, with the sentence in srv->fail.
 */
enum err arrivals_trouble(struct arrivals *a) MUST_CHECK;

#endif
