/*
 * quota.c - max_mails_per_day.
 */
#include "processor/intake/quota.h"

#include "processor/request/strangers.h"
#include "store/sender_counts.h"

enum { DAY_S = 86400 };

/* Told once a day; the other mails beyond the limit are recorded, no more. */
static enum err too_many(struct request *req, const struct sender_day *day, int64_t today)
{
	unsigned most = req->srv->cfg.max_mails_per_day;

	request_verdict(req, "too-many", "more than %u mails from this address on one day",
	                most);
	if (day->told || !req->answer.allowed || is_stranger(req) || req->who.strange.len > 0)
		return ERR_NONE;
	TRY(sender_mark_told(req->srv->store, req->mail->from, req->who.proven, today));
	return request_notice(
	    req, NULL, NULL, "too many mails today", "status",
	    req->who.proven
		? "You have answered our mails more than %u times today. This mail was not "
		  "carried out, and no other answer will be today; you hear no more of that "
		  "today. What you sent before still counts. The day ends at 00:00 UTC. After "
		  "that write again, for instance to see what is stored:"
		: "More than %u mails have come from your address today. This mail was not "
		  "carried out, and no other will be today; you hear no more of that today. "
		  "Answers to our mails are still carried out, and what you sent before still "
		  "counts. The day ends at 00:00 UTC. After that write again, for instance to "
		  "see what is stored:",
	    most);
}

void quota_ask_ahead(struct request *req)
{
	struct sender_day day;

	store_only_asked(sender_day_get(req->srv->store, req->mail->from, true,
	                                req->arrived_utc / DAY_S, &day));
}

enum err quota_check(struct request *req, bool *done)
{
	unsigned most = req->srv->cfg.max_mails_per_day;

	req->quota.day = req->arrived_utc / DAY_S;
	req->quota.from = req->mail->from;
	req->quota.proven = req->who.proven;
	TRY(sender_day_get(req->srv->store, req->mail->from, req->who.proven, req->quota.day,
	                   &req->quota.before));
	req->quota.counts = true;
	*done = req->quota.before.mails >= most;
	if (!*done)
		return ERR_NONE;
	TRY(quota_count(req));
	return too_many(req, &req->quota.before, req->quota.day);
}

enum err quota_count(struct request *req)
{
	if (!req->quota.counts)
		return ERR_NONE;
	req->quota.counts = false;
	return sender_count(req->srv->store, req->quota.from, req->quota.proven, req->quota.day,
	                    &req->quota.before);
}
