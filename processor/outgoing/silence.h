/*
 * silence.h - players of whom nothing is heard, though mail goes to them.
 *
 * Most silent seats end by missed turns. Who watches, has standing orders or plays where nothing is missed could
 * be written to for ever, at an address that somebody else has by now. After BUDGET_SILENCE mails without a word
 * from their reader one more says so, and once that is delivered the address is paused (store/bounces.h, with
 * no words of the other side): what comes waits, and goes out when they write.
 */
#ifndef MOLEPOST_PROCESSOR_OUTGOING_SILENCE_H
#define MOLEPOST_PROCESSOR_OUTGOING_SILENCE_H

#include "processor/server/server.h"

/* Once a day. In a transaction of its own. */
enum err silence_look(struct server *srv) MUST_CHECK;

#endif
