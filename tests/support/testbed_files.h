/*
 * testbed_files.h - a testbed put back to where it was, again and again, as benches need it.
 */
#ifndef MOLEPOST_TESTS_TESTBED_FILES_H
#define MOLEPOST_TESTS_TESTBED_FILES_H

#include "tests/support/testbed.h"

/* A testbed of the program as it is shipped, $MOLEPOST_BUILD/molepost, by the real clock. */
struct testbed *testbed_files_new_release(void);
/* Keeps the database as it is now; nothing has it open. */
void testbed_files_keep(struct testbed *s);
/* Puts the kept database back. */
void testbed_files_restore(struct testbed *s);
/* Every mail in mail/cur goes back to mail/new. */
void testbed_files_unread(struct testbed *s);
/* Waits until the disk has nothing left to do, so that it is not part of what is timed next. */
void testbed_files_settle(void);

#endif
