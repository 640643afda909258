/*
 * prefetch.h - mails that are fetched and parsed ahead of who handles them.
 *
 * Given a list of what the sources have, it brings them in batches: from the source into memory, through
 * the parsing children. Two batches are on their way while the caller handles a third. There is no
 * thread: the children work by themselves, and each call here gives them what fits into their pipes and
 * takes in what they have answered.
 */
#ifndef MOLEPOST_PROCESSOR_INTAKE_PREFETCH_H
#define MOLEPOST_PROCESSOR_INTAKE_PREFETCH_H

#include "mail/mail.h"
#include "mail/source.h"
#include "processor/base/seal.h"
#include "processor/server/server.h"

/* What is to be fetched. */
struct found_mail {
	struct source *source;
	bool *is_out; /* it has failed: nothing more is fetched from it. Set here too. */
	struct source_mail mail;
};

struct arrival {
	struct source *source;
	struct source_mail found;
	struct span raw;
	struct mail_in mail;
	/* NULL, or why it is to be set aside unread. */
	const char *condemned;
};

/* Called from within the functions below. */
struct prefetch_hooks {
	void *ctx;
	/* Lets the sources go on; does not wait. */
	void (*poll)(void *ctx);
	/* This mail could not be fetched: rc of source_fetch, and the reason in words. Once for each. */
	void (*failed)(void *ctx, enum err rc, const char *why);
};

struct prefetch;

/* The limits of *cfg count; it is borrowed. No child is started before there is a list. */
struct prefetch *prefetch_new(const struct config *cfg, const struct prefetch_hooks *hooks);
/* Ends the children; what is on its way is dropped. NULL is fine. */
void prefetch_free(struct prefetch *c);
/* So many mails will come: their children can be loading. */
void prefetch_get_ready(struct prefetch *c, size_t mails);
/*
 * The list to be brought, in this order; borrowed until prefetch_drop. Nothing is on its way (it is new,
 * or after prefetch_drop).
 */
void prefetch_give(struct prefetch *c, const struct found_mail *list, size_t n);
/*
 * The next mails, at most `max`, parsed; good until the next call. None: all have been handed out.
 * With `ahead` the batches after it are begun at once; their size is then `max` too, whatever the
 * next call asks for. Errors of parser_finish.
 */
enum err prefetch_next(struct prefetch *c, size_t max, bool ahead, struct arrival **batch,
                       size_t *n, struct failure *e) MUST_CHECK;
/* There is another batch, and the next call will not wait. One that is being parsed is waited for, up to
   `wait_ms`. */
bool prefetch_is_ready(struct prefetch *c, unsigned wait_ms);
/* Goes on without waiting. Cheap, call it often. */
void prefetch_poll(struct prefetch *c);
/* What has not been handed out is forgotten. Errors of parser_finish. */
enum err prefetch_drop(struct prefetch *c, struct failure *e) MUST_CHECK;

#endif
