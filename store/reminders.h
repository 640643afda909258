/*
 * reminders.h - which reminders have been sent, and when to look for more.
 */
#ifndef MOLEPOST_STORE_REMINDERS_H
#define MOLEPOST_STORE_REMINDERS_H

#include "store/turns.h"

struct reminder_sent {
	int64_t game;
	unsigned serial, seat;
	int64_t deadline_utc; /* of which it reminded */
	int64_t before_s;     /* how long before it it was meant to come */
	int64_t sent_utc;
};

/* ERR_EXISTS when it was sent before. */
enum err reminder_add(struct store *s, const struct reminder_sent *r) MUST_CHECK;
/*
 * The shortest before_s of the reminders this seat has had of this deadline; ERR_NOT_FOUND when it
 * has had none.
 */
enum err reminder_last(struct store *s, int64_t game, unsigned serial, unsigned seat,
                       int64_t deadline_utc, int64_t *before_s) MUST_CHECK;
/* The same of all deadlines the turn has had. */
enum err reminder_of_turn(struct store *s, int64_t game, unsigned serial, unsigned seat,
                          int64_t *before_s) MUST_CHECK;
/*
 * Open turns of games that do not stand, whose remind_utc is not after `through_utc`: at most `max`
 * behind `after`, in order of that time, which is given in due_utc.
 */
enum err reminder_due_list(struct store *s, int64_t through_utc, struct turn_id after,
                           size_t max, struct turn_id *out, size_t *n) MUST_CHECK;

/* Somebody has asked that those be reminded whom the game waits for; the newest counts. */
struct nudge {
	int64_t game;
	unsigned serial, seat; /* the turn, and who has asked */
	int64_t at_utc;
};
enum err nudge_put(struct store *s, const struct nudge *n) MUST_CHECK;
/* The one of this turn; at_utc 0: there is none. */
enum err nudge_get(struct store *s, int64_t game, unsigned serial,
                   struct nudge *out) MUST_CHECK;

#endif
