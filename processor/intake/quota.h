/*
 * quota.h - how many mails of one sender are dealt with on one day.
 *
 * Days are those of UTC, by the arrival of the mails. A mail that proves a seat (request.h) is
 * counted apart from one that merely says whom it is from: else anybody could use up what a player
 * may send.
 */
#ifndef MOLEPOST_PROCESSOR_INTAKE_QUOTA_H
#define MOLEPOST_PROCESSOR_INTAKE_QUOTA_H

#include "processor/request/request.h"

/* Asks ahead (store_ask_ahead) for what quota_check reads, of a mail that proves a seat. */
void quota_ask_ahead(struct request *req);
/* *done: this mail is one too many; it has been judged, and answered if it is the first. */
enum err quota_check(struct request *req, bool *done) MUST_CHECK;
/* Counts the mail that was checked, if one was: at the end, so that what was asked ahead still holds. */
enum err quota_count(struct request *req) MUST_CHECK;

#endif
