/*
 * operator.h - the operator is told of a trouble once: on standard error, by mail, by a program.
 *
 * A warning of a run is said by the first run that has it, and not again by those after it until a
 * day has passed. Three troubles last and stop clocks: they count as the same whatever their words are,
 * and the operator hears at once when they come and when they are over; if one comes and goes, of its
 * coming once an hour at most. All else goes by mail once an hour at most.
 *
 * What was said is a row in the database (store/operator/troubles.h) until a day after, and so is what has
 * not gone by mail yet: a kill loses nothing. A run that cannot write there says all it has, each time.
 */
#ifndef MOLEPOST_PROCESSOR_OUTGOING_OPERATOR_H
#define MOLEPOST_PROCESSOR_OUTGOING_OPERATOR_H

#include "processor/server/server.h"

enum lasting_trouble { TROUBLE_UNREAD, TROUBLE_UNSENT, TROUBLE_CLOCK };

struct operator_news;

/*
 * From now on, until operator_free, warnings of srv->log that the operator knows are shown as LOG_INFO.
 * To somebody at a terminal (srv->show_progress) nothing is known. *out is to be freed in any case.
 */
enum err operator_new(struct server *srv, struct operator_news **out) MUST_CHECK;
void operator_free(struct operator_news *o);

/* Says it, if it is news. */
void operator_warn(struct operator_news *o, enum lasting_trouble what, const char *line);
/* It does not last any more, if it did. */
void operator_is_over(struct operator_news *o, enum lasting_trouble what);
/*
 * Writes down what has been said since, in a transaction of its own; what is due goes to the alarm program
 * (30 s at most) and into the outbox before.
 */
enum err operator_tell(struct operator_news *o) MUST_CHECK;

#endif
