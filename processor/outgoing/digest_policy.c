/*
 * digest_policy.c - which mail a player gets at once, and which waits for another.
 */
#include "processor/outgoing/digest_policy.h"

#include "processor/calendar/date_range.h"
#include "processor/server/reply_address.h"
#include "processor/server/zones.h"
#include "store/digests.h"

enum { MINUTE_S = 60, DAY_S = 24 * 3600, DAYS_LOOKED_AT = 4, LEFT_AFTER_QUIET_S = 4 * 3600 };

static struct quiet quiet_of(struct server *srv, const struct player *p)
{
	return (struct quiet){zone_of_reader(srv, p), p->quiet_from, p->quiet_to};
}

/* The hour of the day that begins `day` days from now, moved out of the quiet hours. */
static int64_t digest_of_day(const struct quiet *q, int minute, int64_t now_utc, int day)
{
	int64_t midnight = (day_of(q->zone, now_utc) + day) * DAY_S;
	int64_t t = zone_moment(q->zone, midnight + minute * (int64_t)MINUTE_S), ends;

	return quiet_is_on(q) && quiet_holds(q, t, &ends) ? ends : t;
}

int64_t digest_policy_next(struct server *srv, const struct player *p)
{
	struct quiet q = quiet_of(srv, p);
	int64_t t = srv->now_utc + DAY_S;

	for (int day = -1; day < DAYS_LOOKED_AT; day++) {
		t = digest_of_day(&q, p->digest_min, srv->now_utc, day);
		if (t > srv->now_utc)
			break;
	}
	return t;
}

/* Not before the quiet hours end, if that leaves time to answer. */
static int64_t at_once(struct server *srv, const struct player *p, int64_t orders_utc)
{
	struct quiet q = quiet_of(srv, p);
	int64_t ends;

	if (quiet_is_on(&q) && quiet_holds(&q, srv->now_utc, &ends) &&
	    ends + LEFT_AFTER_QUIET_S <= orders_utc)
		return ends;
	return srv->now_utc;
}

static int64_t report_due(struct server *srv, const struct player *p, int64_t orders_utc)
{
	int64_t next = digest_policy_next(srv, p), soon;

	if (orders_utc == 0 || orders_utc >= next + DIGEST_LEAST_S)
		return next;
	soon = at_once(srv, p, orders_utc);
	return soon < next ? soon : next;
}

enum err digest_policy_hurry(struct server *srv, const struct player *p, int64_t orders_utc)
{
	unsigned waiting;

	if (p->mail_mode != MAIL_DIGEST)
		return ERR_NONE;
	return digest_queue_hurry(srv->store, p->id, report_due(srv, p, orders_utc), &waiting);
}

struct digest_policy digest_policy_of(struct server *srv, const struct player *reader,
                                      enum outgoing_sort sort, int64_t orders_utc)
{
	struct digest_policy k = {.due_utc = srv->now_utc + DIGEST_LONGEST_S};
	bool hash = reader->mail_mode == MAIL_DIGEST;

	switch (sort) {
	case OUTGOING_REPORT:
		k.waits = hash;
		k.due_utc = report_due(srv, reader, orders_utc);
		break;
	case OUTGOING_REMINDER: /* they keep out of quiet hours themselves */
		k.waits = hash;
		k.due_utc = srv->now_utc;
		break;
	case OUTGOING_MESSAGE:
		k.waits = reader->mail_mode != MAIL_ALL;
		if (hash)
			k.due_utc = digest_policy_next(srv, reader);
		break;
	case OUTGOING_RECEIPT:
		k.waits = reader->mail_mode != MAIL_ALL;
		break;
	}
	return k;
}

void digest_policy_prepare(const struct server *srv, const struct digest_policy *keep,
                           const struct report_out *carried, struct arena *arena,
                           struct outbox_mail *out)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_add_span(&text, strbuf_span(&carried->body));
	if (carried->proof.len > 0)
		strbuf_addf(&text, "-- \n%s", carried->proof.ptr);
	address_redact(srv, &text);
	out->enclosed = true;
	out->due_utc = keep->due_utc;
	out->digest_text = arena_take(arena, &text);
}

void digest_policy_carry(struct report_game *game, struct report_clock *clock)
{
	game->carried = true;
	if (clock)
		clock->undated = true;
}
