/*
 * remind.h - mails to those who have sent nothing while the deadline comes near.
 *
 * Who owes orders and has none in force is sent the position and the very orders that will be used
 * for them, at the times of deadline.h; each reminder once. Nobody is reminded of what they have done:
 * only a moment up to which all mail has been read is looked at. Whom standing orders stand in for
 * hears of the turn once; for whom anything steps in at the deadline is not told that they are late.
 */
#ifndef MOLEPOST_PROCESSOR_TURNS_REMIND_H
#define MOLEPOST_PROCESSOR_TURNS_REMIND_H

#include "processor/turns/due_turn.h"

/*
 * After turns_run_all_due, so that turns that have just ended are left alone. Mails, the marks that they
 * were sent and the time of the next look go into one transaction for a batch of turns. A game that
 * cannot be loaded or kills is held, as play.h does. *mails counts.
 */
enum err remind_all_due(struct server *srv, const struct run_limits *limits,
                        unsigned *mails) MUST_CHECK;

#endif
