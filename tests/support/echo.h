/*
 * echo.h - what becomes of our own mails when they come back.
 */
#ifndef MOLEPOST_TESTS_ECHO_H
#define MOLEPOST_TESTS_ECHO_H

#include "tests/support/testbed.h"

/*
 * Sends every text that came out so far back from the person who got it, to the newest reply
 * address of the seat it is about: as it stands, behind "> ", the way Outlook quotes, and wrapped in HTML. Fails
 * the test when any of them did something. The testbed is used up.
 */
void echo_does_nothing(struct testbed *s, const char *name);

#endif
