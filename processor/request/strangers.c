/*
 * strangers.c - budgets that all who have proved nothing share.
 */
#include "processor/request/strangers.h"

#include "store/players.h"
#include "store/sender_counts.h"

enum { DAY_S = 24 * 3600 };

static const char by_domain[] = "domain", by_all[] = "all strangers";

bool is_stranger(const struct request *req)
{
	return !req->who.proven && !req->who.settled && !req->who.player.confirmed;
}

static struct span domain_of(const struct request *req)
{
	struct span address = req->who.player.address;

	return span_slice(address, span_find_char(address, '@') + 1, address.len);
}

static enum err allow(struct request *req, struct span who, const char *kind, unsigned limit,
                      bool *may)
{
	int64_t now = req->srv->now_utc;

	return stranger_allow(req->srv->store, who, kind, now - DAY_S, limit, now, may);
}

enum err strangers_may_be_answered(struct request *req, bool *may)
{
	const struct config *cfg = &req->srv->cfg;

	TRY(allow(req, domain_of(req), by_domain, cfg->answers_per_domain, may));
	if (*may)
		TRY(allow(req, SPAN_LIT("all"), by_all, cfg->answers_to_strangers, may));
	return ERR_NONE;
}

static enum err is_spent(struct request *req, struct span who, const char *kind, unsigned limit,
                         bool *yes)
{
	unsigned n;

	TRY(stranger_count(req->srv->store, who, kind, req->srv->now_utc - DAY_S, &n));
	*yes = n >= limit;
	return ERR_NONE;
}

enum err strangers_are_spent(struct request *req, bool *yes)
{
	const struct config *cfg = &req->srv->cfg;

	TRY(is_spent(req, domain_of(req), by_domain, cfg->answers_per_domain, yes));
	if (!*yes)
		TRY(is_spent(req, SPAN_LIT("all"), by_all, cfg->answers_to_strangers, yes));
	return ERR_NONE;
}

enum err strangers_note_silence(struct request *req)
{
	struct sender_day day;

	int64_t today = req->srv->now_utc / DAY_S;

	req->srv->unanswered_strangers++;
	TRY(sender_day_get(req->srv->store, span_of(by_all), false, today, &day));
	return sender_count(req->srv->store, span_of(by_all), false, today, &day);
}

enum err strangers_unanswered(struct server *srv, unsigned *n)
{
	struct sender_day day;

	TRY(sender_day_get(srv->store, span_of(by_all), false, srv->now_utc / DAY_S, &day));
	*n = day.mails;
	return ERR_NONE;
}
