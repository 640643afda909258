/*
 * strangers.c - budgets that all who have proved nothing share.
 */
#include "processor/request/strangers.h"

#include "processor/outgoing/budget.h"

bool is_stranger(const struct request *req)
{
	return !req->who.proven && !req->who.settled && !req->who.player.confirmed;
}

static struct span domain_of(const struct request *req)
{
	struct span address = req->who.player.address;

	return span_slice(address, span_find_char(address, '@') + 1, address.len);
}

enum err strangers_may_be_answered(struct request *req, bool *may)
{
	TRY(budget_allows(req->srv, BUDGET_DOMAIN, domain_of(req), may));
	return *may ? budget_allows(req->srv, BUDGET_STRANGERS, SPAN_LIT("all"), may)
	            : ERR_NONE;
}

enum err strangers_are_spent(struct request *req, bool *yes)
{
	TRY(budget_is_spent(req->srv, BUDGET_DOMAIN, domain_of(req), yes));
	return *yes ? ERR_NONE
	            : budget_is_spent(req->srv, BUDGET_STRANGERS, SPAN_LIT("all"), yes);
}
