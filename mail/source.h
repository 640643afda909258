/*
 * source.h - where mail comes from.
 *
 * A source is read in four steps, and the commit of the caller lies between
 * the third and the fourth:
 *
 *	source_open -> source_resume -> source_next (a batch, oldest first) -> source_fetch each
 *	   -> [commit, with source_note] -> source_settle each -> source_sync -> source_next ...
 *
 * A mail leaves the inbox only in source_settle. Dying anywhere before means
 * that it is seen again; its identity (struct source_mail.id) is then the same.
 *
 * What a source has to remember between runs (how far it has read a mailbox in which mail
 * cannot be moved, say) is a text of its own: the caller keeps it in the database, in the same
 * transaction as the effect of the mails, and gives it back at the next run.
 */
#ifndef MOLEPOST_MAIL_SOURCE_H
#define MOLEPOST_MAIL_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "mail/text/credentials.h"
#include "processor/base/arena.h"
#include "processor/base/err.h"
#include "processor/base/span.h"
#include "processor/base/strbuf.h"

struct source_mail {
	struct span id; /* transport identity, unique and stable in this source: Maildir base
	                   name before ':', "UIDVALIDITY.UID", UIDL */
	int64_t arrived_utc; /* INTERNALDATE, file time, Received; never Date: */
	int64_t arrived_ns;  /* tie-break within the second, 0 if unknown */
	size_t size;         /* bytes, 0 if unknown */
	bool handled;        /* kept since an earlier run; only after source_reread */
};

struct source;

enum { SOURCE_MOST_TRIES = 3 };

/* How one kind of source works; a member is mandatory unless it says what NULL means. */
struct source_driver {
	const char *scheme; /* "maildir" for maildir:DIR */
	enum err (*open)(struct source *s, const char *rest, struct failure *e);
	/* Frees everything, also after a failed open. */
	void (*close)(struct source *s);
	/* As source_start. */
	void (*start)(struct source *s);
	/*
	 * The oldest mails not settled yet, sorted by arrival then id, at most `max`, in
	 * `arena`. *complete: true when these are all there are, looked up in this very
	 * call; it may take one more call, giving nothing, to know that. A mail that is there
	 * but cannot be read counts as an error, never as absent. ERR_IO, ERR_TIMEOUT,
	 * ERR_DENIED.
	 */
	enum err (*next)(struct source *s, size_t max, struct arena *arena,
	                 struct source_mail **out, size_t *n, bool *complete,
	                 struct failure *e);
	/*
	 * Appends the raw message, at most max bytes (ERR_LIMIT: the first max bytes are
	 * appended). ERR_NOT_FOUND: it has gone. ERR_INVALID: this one cannot be had now,
	 * which the source has noted; the others can. ERR_CORRUPT: that has been so in
	 * SOURCE_MOST_TRIES runs, and it should be set aside. Other errors: no use going on.
	 * Of a source that is local: also from another thread while this one settles.
	 */
	enum err (*fetch)(struct source *s, const struct source_mail *m, size_t max,
	                  struct strbuf *raw, struct failure *e);
	/* fetch would not wait for it; NULL: it never waits. */
	bool (*is_here)(struct source *s, const struct source_mail *m);
	/*
	 * After the commit: out of the inbox, kept among the handled mail. Settling twice is
	 * fine. ERR_INVALID: it has to stay in the inbox, which the source has noted; it is not
	 * listed any more.
	 */
	enum err (*settle)(struct source *s, const struct source_mail *m, struct failure *e);
	/* Makes all settles since the last call durable. ERR_INVALID as in settle. */
	enum err (*sync)(struct source *s, struct failure *e);
	/* How many handled mails the last runs could not take out of the inbox; NULL: none ever. */
	size_t (*unmoved)(const struct source *s);
	/* Removes one handled mail, at the latest in sync; fine when it is gone. NULL: none is kept. */
	enum err (*purge)(struct source *s, struct span id, struct failure *e);
	/* While the caller is busy: takes in what comes, asks for more; NULL: nothing to. Never waits. */
	void (*poll)(struct source *s);
	/* What note() gave last, "" if nothing; before the first next(). False: it cannot be read. */
	bool (*resume)(struct source *s, struct span state);
	/*
	 * Appends what has to be remembered once these mails have been dealt with; changes
	 * nothing. Nothing for sources that have no need to.
	 */
	void (*note)(struct source *s, const struct source_mail *const *done, size_t n,
	             struct strbuf *state);
	/* As source_watch; NULL: this kind of source never tells. */
	enum err (*watch)(struct source *s, unsigned most_s, int *fd, bool *mail,
	                  struct failure *e);
	/* Puts all handled mail back into the work list of next() (run --reread); NULL: as purge. */
	void (*reread)(struct source *s);
};

/*
 * Opens "maildir:DIR", "imaps://USER@HOST/MAILBOX", "pop3s://USER@HOST", and to this very
 * machine "imap://" and "pop3://"; molepost.conf(5) has all of their forms. A server is called
 * when something is wanted of it. `access` is borrowed until source_close. ERR_CONFIG (unknown
 * scheme, lists the known ones), ERR_NOT_FOUND, ERR_IO.
 */
enum err source_open(const char *url, const struct mail_settings *settings, struct source **out,
                     struct failure *e) MUST_CHECK;
void source_close(struct source *s);
/*
 * Starts the process through which a server is spoken to, so that it is there before the caller reads
 * its keys. Never fails; what is wrong, source_next says.
 */
void source_start(struct source *s);
const char *source_url(const struct source *s);
/* Whether it is a folder on this machine, so that nothing here waits for a network. */
bool source_is_local(const struct source *s);
/*
 * From within source_start, when something lies in new/ of a folder; from within source_next, when a server has said
 * that mail is waiting and has still to list it, or when a folder turns out to be long: time to get ready. About how
 * many, or that there are at least so many; not every source knows.
 */
typedef void source_waiting_fn(void *ctx, size_t mails);
void source_tell_waiting(struct source *s, source_waiting_fn *fn, void *ctx);
enum err source_next(struct source *s, size_t max, struct arena *arena,
                     struct source_mail **out, size_t *n, bool *complete,
                     struct failure *e) MUST_CHECK;
enum err source_fetch(struct source *s, const struct source_mail *m, size_t max,
                      struct strbuf *raw, struct failure *e) MUST_CHECK;
bool source_is_here(struct source *s, const struct source_mail *m);
size_t source_unmoved(const struct source *s);
enum err source_settle(struct source *s, const struct source_mail *m,
                       struct failure *e) MUST_CHECK;
enum err source_sync(struct source *s, struct failure *e) MUST_CHECK;
enum err source_purge(struct source *s, struct span id, struct failure *e) MUST_CHECK;
void source_poll(struct source *s);
/* ERR_CORRUPT. */
enum err source_resume(struct source *s, struct span state, struct failure *e) MUST_CHECK;
void source_note(struct source *s, const struct source_mail *const *done, size_t n,
                 struct strbuf *state);
void source_reread(struct source *s);

/*
 * For who waits for mail, with a source of its own. Begins to listen, or goes on; never waits but to connect.
 * *fd: what can be read once there is something to hear, and this is to be called again; until source_close.
 * *mail: mail has come since the last call; the first knows of none. A server that says nothing for most_s is asked
 * whether it is still there. ERR_UNSUPPORTED: this source, or server,
 * does not tell of mail. ERR_IO, ERR_TIMEOUT, ERR_DENIED ...: it is to be closed and opened anew.
 */
enum err source_watch(struct source *s, unsigned most_s, int *fd, bool *mail,
                      struct failure *e) MUST_CHECK;

/*
 * Makes the Maildir `dir` with tmp/, new/ and cur/, as far as they are missing; its parent
 * must exist. ERR_IO, ERR_FULL.
 */
enum err maildir_create(const char *dir, struct failure *e) MUST_CHECK;
/*
 * Writes one raw message into the Maildir `dir` (made if missing) durably: tmp, fsync,
 * rename to new/, fsync of the folder. What `molepost receive` does.
 */
enum err maildir_deliver(const char *dir, struct span raw, struct failure *e) MUST_CHECK;

#endif
