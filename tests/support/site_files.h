/*
 * site_files.h - a site put back to where it was, again and again, as benches need it.
 */
#ifndef MOLEPOST_TESTS_SITE_FILES_H
#define MOLEPOST_TESTS_SITE_FILES_H

#include "tests/support/server.h"

/* A site of the program as it is shipped, $MOLEPOST_BUILD/molepost, by the real clock. */
struct site *site_files_new_release(void);
/* Keeps the database as it is now; nothing has it open. */
void site_files_keep(struct site *s);
/* Puts the kept database back. */
void site_files_restore(struct site *s);
/* Every mail in mail/cur goes back to mail/new. */
void site_files_unread(struct site *s);
/* Waits until the disk has nothing left to do, so that it is not part of what is timed next. */
void site_files_settle(void);

#endif
