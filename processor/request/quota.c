/*
 * quota.c - max_mails_per_day.
 */
#include "processor/request/quota.h"

#include "store/sender_counts.h"

#include "processor/base/banned.h"

enum { DAY_S = 86400 };

/* Told once a day; the other mails beyond the limit are recorded, no more. */
static enum err too_many(struct dealing *d, const struct sender_day *day, int64_t today)
{
	unsigned most = d->srv->cfg.max_mails_per_day;

	dealing_verdict(d, "too-many", "more than %u mails from this address on one day", most);
	if (day->told || !d->may_answer || d->player.id == 0 || d->strange.len > 0)
		return ERR_NONE;
	TRY(sender_mark_told(d->srv->store, d->mail->from, d->proven, today));
	return dealing_notice(
	    d, NULL, NULL, "too many mails today", "status",
	    "More than %u mails %s today, so this one and all such mails that follow today are "
	    "not carried out; you get no further word of that.%s What you sent before still "
	    "counts. The day ends at 00:00 UTC. After that write again, for instance to see "
	    "what is stored:",
	    most,
	    d->proven ? "have come as answers to ours"
		      : "with your address as sender have come",
	    d->proven ? "" : " Answers to our mails are still carried out.");
}

enum err quota_check(struct dealing *d, bool *done)
{
	int64_t today = d->arrived_utc / DAY_S;
	struct sender_day day;

	TRY(sender_count(d->srv->store, d->mail->from, d->proven, today, &day));
	*done = day.mails > d->srv->cfg.max_mails_per_day;
	return *done ? too_many(d, &day, today) : ERR_NONE;
}
