/*
 * receipt_notes.h - what a receipt adds about the mail it answers.
 *
 * Mails count in the order in which they arrive, whatever their Date says: a clock of the
 * sender's must not decide what stands, and whoever reads a receipt must be able to rely on it.
 * When the mails were written in the other order, the receipt says so and which orders stand, so
 * that the player can put it right with one more mail. Which mail of ours is answered is no sign:
 * people answer old mails with new orders.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_RECEIPT_NOTES_H
#define MOLEPOST_PROCESSOR_REQUEST_RECEIPT_NOTES_H

#include "processor/request/order_entry.h"

/*
 * Before the revision of the mail in hand is stored: a sentence when it was written before the mail
 * of the newest revision, else NULL. `clears`: it withdraws them.
 */
enum err receipt_note_overtaken(struct request *req, const struct order_entry *s, bool clears,
                                const char **out) MUST_CHECK;

#endif
