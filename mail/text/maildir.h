/*
 * maildir.h - the folder format that source, sink and `receive` share.
 *
 * tmp/ is where a mail is written, new/ where it appears in one act when it is
 * durable, cur/ where it goes when it has been handled. Private to mail/; what others may call
 * stands in source.h.
 */
#ifndef MOLEPOST_MAIL_TEXT_MAILDIR_H
#define MOLEPOST_MAIL_TEXT_MAILDIR_H

#include "processor/base/err.h"
#include "processor/base/span.h"

/* Descriptors of the three folders; -1 = not open. */
struct maildir {
	int tmp, new, cur;
};
/* clang-format off */
#define MAILDIR_INIT { -1, -1, -1 }
/* clang-format on */

/*
 * Of `url`, whose part behind the scheme is `rest`; relative paths start at `base`. ERR_CONFIG
 * too.
 */
enum err maildir_open_url(const char *url, const char *base, const char *rest,
                          struct maildir *out, struct failure *e) MUST_CHECK;
void maildir_close(struct maildir *m);

/* Writes tmp/name, whatever was left there, and fsyncs it. */
enum err maildir_write(const struct maildir *m, const char *name, struct span bytes,
                       struct failure *e) MUST_CHECK;
/* tmp/name becomes new/name, or ERR_EXISTS. Durable after an fsync of new/. */
enum err maildir_publish(const struct maildir *m, const char *name,
                         struct failure *e) MUST_CHECK;

#endif
