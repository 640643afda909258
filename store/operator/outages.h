/*
 * outages.h - when the server was last well, and the time that was lost while it was not.
 *
 * What is an outage is decided in processor/turns/outage.h; here are its rows.
 */
#ifndef MOLEPOST_STORE_OPERATOR_OUTAGES_H
#define MOLEPOST_STORE_OPERATOR_OUTAGES_H

#include "store/turns.h"

struct pulse {
	int64_t run_utc;  /* the last run that is noted; 0 = none ever was */
	int64_t usual_s;  /* between such runs; 0 = not known */
	int64_t lately_s; /* the same, the last one seen ... */
	unsigned alike;   /* ... and how many in a row were about like it */
	int64_t unread_utc,
	    unsent_utc; /* since when mail cannot be read, or sent; 0 = it can */
};

enum err pulse_get(struct store *s, struct pulse *out) MUST_CHECK; /* zero: no run was noted */
enum err pulse_set(struct store *s, const struct pulse *p) MUST_CHECK;

/*
 * The address that mails leave from, where molepost.conf leaves it open: one that names the mail, or that of the server.
 * The second is tried when the sink takes no mail from the first, and the first once more when it has taken one from
 * the second: else a provider that took nothing for a while would be blamed for its rules.
 */
enum sender_form { SENDER_VARIES, SENDER_FIXED_TRIED, SENDER_VARIES_AGAIN, SENDER_FIXED };
/* What is known of the way that mail takes. */
struct mail_way {
	enum sender_form sender;
	/* Of the mail to oneself (outgoing/round_trip.h), 0 = there was none: */
	int64_t sent_utc; /* when the last one was sent ... */
	int64_t back_utc; /* ... and when the last one that came back did */
	struct span said; /* how it came */
};
/* The text in the arena. */
enum err mail_way_get(struct store *s, struct arena *arena, struct mail_way *out) MUST_CHECK;
enum err mail_way_set(struct store *s, const struct mail_way *w) MUST_CHECK;

enum outage_cause { OUTAGE_RUN, OUTAGE_MAIL, OUTAGE_SEND };

struct outage {
	int64_t id;
	enum outage_cause cause;
	int64_t from_utc, to_utc;
};

/* Sets id. */
enum err outage_add(struct store *s, struct outage *o) MUST_CHECK;
/* The oldest whose time has not been given back to all clocks; ERR_NOT_FOUND: there is none. */
enum err outage_open(struct store *s, struct outage *out) MUST_CHECK;
/*
 * When the outage began during which that was, the earliest if several were on; at_utc itself if none.
 * Reads all outages: for somebody who has written, not for every run.
 */
enum err outage_begin_of(struct store *s, int64_t at_utc, int64_t *from_utc) MUST_CHECK;
/* The clock was wrong: none of them has lasted longer than to now, nor has one begun since. */
enum err outages_end_by(struct store *s, int64_t now_utc) MUST_CHECK;
/* All that ended behind this, in their order, in the arena. */
enum err outages_since(struct store *s, int64_t since_utc, struct arena *arena,
                       struct outage **out, size_t *n) MUST_CHECK;
/* Turns that were open by now and whose clocks were given back time that has not come yet: as outage_turns. */
enum err outage_turns_ahead(struct store *s, int64_t now_utc, struct turn_id after, size_t max,
                            struct turn_id *out, size_t *n) MUST_CHECK;
enum err outage_done(struct store *s, int64_t id) MUST_CHECK;
/*
 * Turns whose clocks ran before the end of this outage and have not been seen to since: at most
 * `max`. Those of games that stand are not among them. The order is that of their ends.
 */
enum err outage_turns(struct store *s, const struct outage *o, struct turn_id after, size_t max,
                      struct turn_id *out, size_t *n) MUST_CHECK;

#endif
