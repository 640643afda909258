/*
 * prefetch.h - mails that are fetched, parsed and read ahead of who deals with them.
 *
 * Given a list of what the sources have, the courier brings it in batches: from the source into
 * memory, through the parsing children, to the lector. Two batches are on their way while the caller
 * has a third in hand. Mails of a list that fills more than one batch, if all of them lie in folders
 * of this machine, are brought by a thread, which takes a tenth of the caller's work off him and
 * never lets the children wait; else the caller does it himself, in prefetch_poll and while he waits.
 * The same mails come in the same order either way.
 *
 * Everything here is called by one thread, that of the intake.
 */
#ifndef MOLEPOST_PROCESSOR_INTAKE_PREFETCH_H
#define MOLEPOST_PROCESSOR_INTAKE_PREFETCH_H

#include <stdatomic.h>

#include "mail/mail.h"
#include "mail/source.h"
#include "processor/base/seal.h"
#include "processor/server/server.h"

/* What is to be fetched. */
struct found_mail {
	struct source *source;
	/* It has failed: nothing more is fetched from it. Set by the courier too. */
	atomic_bool *is_out;
	struct source_mail mail;
};

struct arrival {
	struct source *source;
	struct source_mail found;
	struct span raw;
	struct mail_in mail;
	struct hash content; /* zero when the mail has no identity of its own */
	/* NULL, or why it is to be set aside unread. */
	const char *condemned;
};

/* For the courier's employer; called from within the functions below. */
struct prefetch_hooks {
	void *ctx;
	/* Lets the sources go on; does not wait. Not called while the thread is at work. */
	void (*poll)(void *ctx);
	/* This mail could not be fetched: rc of source_fetch, and the reason in words. Once for each. */
	void (*failed)(void *ctx, enum err rc, const char *why);
};

struct prefetch;

/* The limits of *cfg count; it is borrowed. No child and no thread is begun before there is a list. */
struct prefetch *prefetch_new(const struct config *cfg, const struct prefetch_hooks *hooks);
/* Ends thread and children; what is on its way is dropped. NULL is fine. */
void prefetch_free(struct prefetch *c);
/* So many mails will come: their children can be loading. */
void prefetch_get_ready(struct prefetch *c, size_t mails);
/*
 * The list to be brought, in this order; borrowed until prefetch_drop. Nothing is on its way (a new
 * courier, or after prefetch_drop). `is_local`: its sources are all folders of this machine.
 */
void prefetch_give(struct prefetch *c, const struct found_mail *list, size_t n, bool is_local);
/*
 * The next mails, at most `max`, parsed; good until the next call. None: all have been handed out.
 * With `ahead` the batches after it are begun at once; their size is then `max` too, whatever the
 * next call asks for. Errors of parser_finish.
 */
enum err prefetch_next(struct prefetch *c, size_t max, bool ahead, struct arrival **batch,
                       size_t *n, struct failure *e) MUST_CHECK;
/*
 * There is another batch, and the next call will not wait. For one that the thread has in hand it
 * waits up to `wait_ms`.
 */
bool prefetch_is_ready(struct prefetch *c, unsigned wait_ms);
/* All of the list has been fetched: what is not handed out yet is being parsed, or ready. */
bool prefetch_is_at_end(struct prefetch *c);
/* Goes on without waiting, if there is no thread that does. Cheap, call it often. */
void prefetch_poll(struct prefetch *c);
/* What has not been handed out is forgotten. Errors of parser_finish. */
enum err prefetch_drop(struct prefetch *c, struct failure *e) MUST_CHECK;

#endif
