/*
 * imap_state.h - what an IMAP source remembers between runs.
 *
 * As text, one fact a line:
 *
 *	mailbox 1795280106 last 5210       UIDVALIDITY; all mails up to this UID have been listed
 *	open 17,19                         of those, still to be dealt with
 *	tries 17 2                         could not be fetched in this many runs
 *	unmoved 5201:5210                  dealt with and still in the mailbox
 *	kept 1795280106 101 1795280107 1 100
 *	                                   100 mails from UID 101 on lie in the folder of kept mail
 *	                                   (its UIDVALIDITY) from UID 1 on
 *
 * Private to mail/.
 */
#ifndef MOLEPOST_MAIL_SOURCE_IMAP_STATE_H
#define MOLEPOST_MAIL_SOURCE_IMAP_STATE_H

#include "mail/text/uid_set.h"

struct imap_place {
	uint32_t validity, uid;
};
/* `n` mails from one place on lie from another on. */
struct imap_kept {
	struct imap_place from, to;
	uint32_t n;
};
struct imap_tries {
	uint32_t uid;
	unsigned n;
};

struct imap_state {
	uint32_t validity; /* 0 = never read */
	uint32_t last;
	struct uid_set open, unmoved;
	struct imap_tries *tries;
	size_t ntries, cap_tries;
	struct imap_kept *kept;
	size_t nkept, cap_kept;
};

void imap_state_release(struct imap_state *s);
/* False, with *s empty, when it is no such text; "" is an empty state. */
bool imap_state_read(struct imap_state *s, struct span text);
void imap_state_write(const struct imap_state *s, struct strbuf *out);
/* The mailbox is not the one it was: its UIDs mean nothing any more. */
void imap_state_restart(struct imap_state *s, uint32_t validity);
/*
 * `uid` has been dealt with or `failed`. Of the mails listed (less those dealt with), the ones
 * before it that have not been dealt with stay open.
 */
void imap_state_done(struct imap_state *s, const struct uid_set *listed, uint32_t uid);
unsigned imap_state_failed(struct imap_state *s, const struct uid_set *listed, uint32_t uid);
/* Mails have gone to the folder of kept mail: both in ascending order. */
void imap_state_moved(struct imap_state *s, struct span from, uint32_t validity,
                      struct span to);
/* Where the mail of that place lies now; false when that is not known. */
bool imap_state_where(const struct imap_state *s, struct imap_place from,
                      struct imap_place *to);
/* Where the mail that lies there came from. */
bool imap_state_origin(const struct imap_state *s, struct imap_place to,
                       struct imap_place *from);
/* It has been removed from there. */
void imap_state_forget(struct imap_state *s, struct imap_place to);

#endif
