/*
 * fetch_imap.h - what the two files that speak IMAP share. Private to them.
 */
#ifndef MOLEPOST_MAIL_SOURCE_FETCH_IMAP_H
#define MOLEPOST_MAIL_SOURCE_FETCH_IMAP_H

#include "mail/source/fetch_private.h"
#include "mail/text/uid_set.h"

struct imap_link {
	mailimap *imap;
	enum fetch_folder selected;
	bool is_selected, listed; /* listed: since it was selected */
	bool can_move, has_uidplus;
	char *kept; /* the full name of the folder of handled mail; NULL: not asked yet */
};

static inline struct imap_link *imap_link_of(struct fetch_job *j)
{
	return j->link;
}

/* Of what libetpan's functions return. */
static inline bool imap_worked(int r)
{
	return r == MAILIMAP_NO_ERROR || r == MAILIMAP_NO_ERROR_AUTHENTICATED ||
	       r == MAILIMAP_NO_ERROR_NON_AUTHENTICATED;
}
/* The connection is of no more use. */
static inline bool imap_is_lost(int r)
{
	return r == MAILIMAP_ERROR_STREAM || r == MAILIMAP_ERROR_PARSE ||
	       r == MAILIMAP_ERROR_PROTOCOL || r == MAILIMAP_ERROR_MEMORY;
}
/* What to say of a command that did not work; `refused`: what it means when the server says no. */
enum err imap_failed(struct fetch_job *j, int r, enum err refused, const char *what);
/* ERR_NOT_FOUND: there is no such folder. */
enum err imap_select_folder(struct fetch_job *j, enum fetch_folder folder) MUST_CHECK;
/* fetch_imap_kept.c: where handled mail goes. Asks the server once. Borrowed. */
const char *imap_kept_name(struct fetch_job *j);
/* Of the folder that is selected. */
static inline uint32_t imap_validity(struct fetch_job *j)
{
	return imap_link_of(j)->imap->imap_selection_info->sel_uidvalidity;
}
/* Free with mailimap_set_free. */
struct mailimap_set *imap_set_of(struct fetch_job *j, const struct uid_set *set);

/* As in struct fetch_driver. */
enum err imap_settle(struct fetch_job *j, uint32_t validity, struct span names) MUST_CHECK;
enum err imap_purge(struct fetch_job *j, uint32_t validity, struct span names) MUST_CHECK;

#endif
