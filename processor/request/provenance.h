/*
 * provenance.h - what the record says of the mail that brought orders, besides these.
 *
 * That it quoted the four words of the last report, and which signature its sender's mail server put on it:
 * the lines "answered" and "dkim" of molepost-archive(5). Both tie the record to mails that the server
 * of the game did not make.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_PROVENANCE_H
#define MOLEPOST_PROCESSOR_REQUEST_PROVENANCE_H

#include "processor/request/request.h"
#include "store/orders.h"

/* Fills that in, from the mail in hand; nothing in games whose record has no such lines. */
void provenance_note(struct request *req, const struct match *match,
                     struct order_revision *row);

#endif
