/*
 * echo.h - what becomes of our own mails when they come back.
 */
#ifndef MOLEPOST_TESTS_ECHO_H
#define MOLEPOST_TESTS_ECHO_H

#include "tests/support/server.h"

/*
 * Sends every text that came out so far back from the person who got it, to the newest reply
 * address of the seat it is about: as it stands, behind "> ", the way Outlook quotes, and wrapped in HTML. Fails
 * the test when any of them did something. The site is used up.
 */
void echo_does_nothing(struct site *s, const char *name);

#endif
