/*
 * budget.c - the table.
 */
#include "processor/outgoing/budget.h"

#include "store/players.h"
#include "store/sender_counts.h"

enum { DAY_S = 24 * 3600, WEEK_S = 7 * DAY_S, YEAR_S = 366 * DAY_S, TRUSTING = 20 };

/* `percent`: of answers_per_day, at least 1. The names are stored. */
static const struct {
	const char *name;
	unsigned most;
	bool percent;
	int64_t within_s;
} rows[BUDGETS] = {
    [BUDGET_UNPROVEN] = {"unproven", 10, true, DAY_S},
    [BUDGET_REFUSED] = {"notice", 10, true, DAY_S},
    [BUDGET_NOT_UNDERSTOOD] = {"not understood", 10, true, DAY_S},
    [BUDGET_CLAIMED_NOT_UNDERSTOOD] = {"claimed not understood", 3, true, DAY_S},
    [BUDGET_SAME_MAIL] = {"same mail", 3, false, DAY_S},
    [BUDGET_SAME] = {"same", 3, false, DAY_S},
    [BUDGET_UNASKED] = {"unasked", 3, false, DAY_S},
    [BUDGET_GUIDE] = {"guide", 3, false, WEEK_S},
    [BUDGET_SAME_GUIDE] = {"same guide", 1, false, WEEK_S},
    [BUDGET_SHOWN] = {"shown", 1, false, WEEK_S},
    [BUDGET_RECEIPTS] = {"receipts", 100, true, DAY_S},
    [BUDGET_DOMAIN] = {"domain", 50, true, DAY_S},
    [BUDGET_STRANGERS] = {"all strangers", 300, true, DAY_S},
    [BUDGET_ASK_MAIL] = {"question-mail", 6, false, DAY_S},
    [BUDGET_ASK_MEANT] = {"question-meant", 6, false, DAY_S},
    [BUDGET_ASK_ADDRESS] = {"question-address", 6, false, DAY_S},
    [BUDGET_ASKED_ADDRESS] = {"asked-address", 2, false, WEEK_S},
    [BUDGET_SEATS_UNPROVEN] = {"claimed seats", 3, false, DAY_S},
    [BUDGET_SEATS] = {"seats", 60, false, DAY_S},
    [BUDGET_SEATS_WAIT] = {"seats wait", 1, false, 2 * DAY_S},
    [BUDGET_INVITES] = {"invites", 0, false, DAY_S}, /* invites_per_day */
    [BUDGET_INVITED] = {"invited", 3, false, WEEK_S},
    [BUDGET_INVITED_AGAIN] = {"invited again", 1, false, WEEK_S},
    [BUDGET_NUDGES] = {"nudge", 1, false, DAY_S},
    [BUDGET_VOTE_NEWS] = {"vote news", 6, false, DAY_S},
    [BUDGET_MASTER_NEWS] = {"master news", 20, false, DAY_S},
    [BUDGET_MORE_TIME] = {"more time", 3, false, YEAR_S},
    [BUDGET_LOOPS] = {"loop", 10, false, DAY_S},
    [BUDGET_SILENCE] = {"silence", 60, false, 0},
};

unsigned budget_limit(const struct server *srv, enum budget b)
{
	unsigned most = rows[b].most;

	if (b == BUDGET_INVITES)
		return srv->cfg.invites_per_day;
	if (!rows[b].percent)
		return most;
	/* Where addresses are taken as they are, only a flood is worth a limit. */
	if ((b == BUDGET_DOMAIN || b == BUDGET_STRANGERS) &&
	    srv->cfg.unknown_senders == UNKNOWN_ACCEPT)
		most *= TRUSTING;
	most = most * srv->cfg.answers_per_day / 100;
	return most > 0 ? most : 1;
}

enum err budget_take(struct server *srv, enum budget b, struct span who, enum valve *out)
{
	unsigned left;

	TRY(stranger_take(srv->store, who, rows[b].name, srv->now_utc - rows[b].within_s,
	                  budget_limit(srv, b), srv->now_utc, &left));
	*out = left == 0 ? VALVE_SHUT : left == 1 ? VALVE_LAST : VALVE_OPEN;
	return ERR_NONE;
}

enum err budget_allows(struct server *srv, enum budget b, struct span who, bool *yes)
{
	enum valve valve;

	TRY(budget_take(srv, b, who, &valve));
	*yes = valve != VALVE_SHUT;
	return ERR_NONE;
}

enum err budget_is_spent(struct server *srv, enum budget b, struct span who, bool *yes)
{
	unsigned n;

	TRY(stranger_count(srv->store, who, rows[b].name, srv->now_utc - rows[b].within_s,
	                   srv->now_utc, &n));
	*yes = n >= budget_limit(srv, b);
	return ERR_NONE;
}

static const char held[] = "held back";

enum err budget_note_held(struct server *srv)
{
	int64_t today = srv->now_utc / DAY_S;
	struct sender_day day;

	srv->held_back++;
	TRY(sender_day_get(srv->store, span_of(held), false, today, &day));
	return sender_count(srv->store, span_of(held), false, today, &day);
}

enum err budget_held(struct server *srv, unsigned *n)
{
	struct sender_day day;

	TRY(sender_day_get(srv->store, span_of(held), false, srv->now_utc / DAY_S, &day));
	*n = day.mails;
	return ERR_NONE;
}
