/*
 * remind.c - mails to those who have sent nothing while the deadline comes near.
 */
#include "processor/turns/remind.h"

#include "processor/base/clock.h"
#include "processor/match/match_clock.h"
#include "processor/match/report_values.h"
#include "processor/match/substitute_orders.h"
#include "processor/outgoing/outgoing.h"
#include "processor/outgoing/unreachable.h"
#include "processor/server/zones.h"
#include "processor/turns/batch.h"
#include "store/reminders.h"

/* One turn that is looked at. */
struct looking {
	struct server *srv;
	struct match *match;
	struct standing_orders standing;
	int64_t through_utc; /* what was meant to come up to then is due */
	int64_t next_utc;    /* the next look */
	struct nudge nudge;  /* at_utc 0: none */
	unsigned mails;
};

static bool in_seats(uint32_t seats, const struct seat *seat)
{
	return seat_in((struct seat_set){seats}, seat->seat);
}

static bool may_be_reminded(const struct match *match, const struct seat *seat)
{
	return seat->player != 0 && !seat->resigned && in_seats(match->turn.owes, seat);
}

static void write_report(const struct looking *l, struct seat *seat, const struct player *p,
                         const struct silence *silence, const struct reminder *due,
                         bool carried, struct report_out *out)
{
	struct match *match = l->match;
	bool late = match->turn.deadline_utc <= l->srv->now_utc;
	struct strbuf left = STRBUF_INIT;

	duration_format_human(&left, (late ? match->turn.grace_utc : match->turn.deadline_utc) -
	                                 l->srv->now_utc);
	const char *lead =
	    late
		? arena_printf(match->arena,
	                       "The deadline has passed and nothing has come from you. You can "
	                       "still send orders until %s; the turn counts as late.",
	                       zone_human(zone_of_reader(l->srv, p), match->turn.grace_utc,
	                                  match->arena))
	    : due->nudged
		? arena_printf(
		      match->arena,
		      "%s is waiting for you and sends you this friendly reminder: nothing "
		      "has come from you for this turn so far. If you are about to write "
		      "anyway, forget this mail.",
		      match->names.names[l->nudge.seat])
		: "This is a reminder: nothing has come from you for this turn so far. If you "
		  "are about to write anyway, forget this mail.";
	struct report_status s = {
	    .game = report_values_game(l->srv, match, seat, p),
	    .clock = report_values_clock(l->srv, match, seat),
	    .subject = arena_printf(
		match->arena,
		late ? "you are late, the grace ends %s" : "your orders are due %s", left.ptr),
	    .lead = &lead,
	    .nlead = 1,
	    .last_chance = report_values_last_chance(match, seat) &&
	                   !substitute_covers(silence->origin),
	    .status = game_status_name(match->game.status),
	    .reader_owes = true,
	    .names = report_values_table(match, seat->seat),
	    .view = report_values_view(match, match->state, seat->seat, &p->form),
	    .examples = report_values_examples(match, seat->seat),
	    .silence = silence->lead,
	    .default_orders = silence->orders,
	};

	if (carried)
		digest_policy_carry(&s.game, &s.clock);
	report_status(&s, out);
	strbuf_release(&left);
}

static enum err send(struct looking *l, struct seat *seat, const struct player *p,
                     const struct silence *silence, const struct reminder *due)
{
	struct match *match = l->match;
	struct report_form form = report_form_of(&p->form);
	struct report_out out = REPORT_OUT_FOR(form), carried = REPORT_OUT_FOR(form);
	struct outgoing outgoing = {.kind = "reminder",
	                            .key = arena_printf(match->arena, "deadline %lld less %lld",
	                                                (long long)match->turn.deadline_utc,
	                                                (long long)due->before_s),
	                            .game = &match->game,
	                            .seat = seat,
	                            .serial = match->turn.serial,
	                            .player = p->id,
	                            .address = p->address,
	                            .form = p->form,
	                            .unsubscribe = "set reminders off",
	                            .keep = digest_policy_of(l->srv, p, OUTGOING_REMINDER, 0),
	                            .report = &out,
	                            .carried = &carried};

	if (p->no_reminders)
		return ERR_NONE;
	write_report(l, seat, p, silence, due, false, &out);
	if (outgoing.keep.waits)
		write_report(l, seat, p, silence, due, true, &carried);
	enum err rc = outgoing_add(l->srv, &outgoing, match->arena);
	report_out_release(&out);
	report_out_release(&carried);
	if (rc == ERR_NONE)
		rc = reminder_add(l->srv->store, &(struct reminder_sent){
						     .game = match->game.id,
						     .serial = match->turn.serial,
						     .seat = seat->seat,
						     .deadline_utc = match->turn.deadline_utc,
						     .before_s = due->before_s,
						     .sent_utc = l->srv->now_utc});
	l->mails++;
	return rc;
}

static void look_again(struct looking *l, int64_t at_utc)
{
	if (l->next_utc == TURN_NO_REMINDER || at_utc < l->next_utc)
		l->next_utc = at_utc;
}

/* The shortest before_s of what the seat has had of this turn, whatever its deadline was then. */
static enum err shortest_heard(const struct looking *l, const struct seat *seat, bool *any,
                               int64_t *shortest)
{
	enum err rc = reminder_of_turn(l->srv->store, l->match->game.id, l->match->turn.serial,
	                               seat->seat, shortest);

	*any = rc == ERR_NONE;
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

/* Of the first: whether the player has had it of an earlier deadline, or the turn was too short for it. */
static enum err is_old_news(const struct looking *l, const struct seat *seat,
                            const struct reminder *plan, size_t n, bool *yes)
{
	const struct match *match = l->match;
	int64_t shortest = 0, length_s;
	bool any;

	*yes = false;
	if (n < 2 || plan[0].at_utc > match->turn.credited_utc || plan[1].before_s == 0)
		return ERR_NONE;
	TRY(shortest_heard(l, seat, &any, &shortest));
	length_s = calendar_length(&match->calendar, match->turn.label,
	                           match->rules->phase(match->state));
	*yes = (any && shortest <= plan[0].before_s) || length_s <= plan[0].before_s;
	return ERR_NONE;
}

/* Puts it where it belongs in time; not in quiet hours, and not when the deadline is past by then. */
static size_t add_nudge(const struct looking *l, const struct quiet *quiet,
                        struct reminder *plan, size_t n)
{
	int64_t deadline_utc = l->match->turn.deadline_utc, ends;
	struct reminder r = {.at_utc = l->nudge.at_utc,
	                     .before_s = deadline_utc - l->nudge.at_utc,
	                     .nudged = true};
	size_t i = n;

	if (r.at_utc == 0)
		return n;
	if (quiet_holds(quiet, r.at_utc, &ends))
		r.at_utc = ends;
	if (r.at_utc >= deadline_utc)
		return n;
	for (; i > 0 && plan[i - 1].at_utc > r.at_utc; i--)
		plan[i] = plan[i - 1];
	plan[i] = r;
	return n + 1;
}

/* Who is reminded when: of the times that deadline.h plans for a seat the newest that has come. */
static enum err look_at_seat(struct looking *l, struct seat *seat)
{
	const struct turn *t = &l->match->turn;
	struct store *store = l->srv->store;
	int64_t now_utc = l->srv->now_utc, shortest = 0, ends;
	struct reminder all[CALENDAR_REMINDERS + 2], *plan = all;
	struct silence silence;
	struct player p;
	size_t come = 0;
	bool old, lost, heard;

	TRY(player_get(store, seat->player, l->match->arena, &p));
	struct quiet quiet = match_clock_quiet(l->srv, &p);
	size_t n = reminders_plan(&l->match->calendar, &quiet, t->opened_utc, t->deadline_utc,
	                          t->grace_utc, all);
	/*
	 * When a clock goes on that has stood still, everything is planned anew for another deadline. What
	 * would only repeat is left out, as long as another is to come before the deadline.
	 */
	TRY(is_old_news(l, seat, plan, n, &old));
	for (; old; plan++, n--)
		TRY(is_old_news(l, seat, plan + 1, n - 1, &old));
	n = add_nudge(l, &quiet, plan, n);
	while (come < n && plan[come].at_utc <= l->through_utc)
		come++;
	if (come < n)
		look_again(l, plan[come].at_utc);
	if (come == 0)
		return ERR_NONE;
	const struct reminder *due = &plan[come - 1]; /* who missed others gets one mail */
	/* Not who has sent orders; nor behind the moment up to which it helps. */
	if (in_seats(t->have, seat) || p.forgotten || p.address.len == 0 ||
	    now_utc >= (due->before_s > 0 ? t->deadline_utc : t->grace_utc))
		return ERR_NONE;
	enum err rc =
	    reminder_last(store, t->game, t->serial, seat->seat, t->deadline_utc, &shortest);
	bool sent = rc == ERR_NONE && shortest <= due->before_s;
	TRY(rc == ERR_NOT_FOUND ? ERR_NONE : rc);
	TRY(unreachable_now(l->srv, p.id, l->match->arena, &lost));
	if (sent || lost) /* what waits for a dead address would come too late */
		return ERR_NONE;
	/* Whatever steps in at the deadline, nobody is late for whom it does. */
	TRY(substitute_silence(l->srv, l->match, &l->standing, seat->seat, &silence));
	if (due->before_s == 0 && in_seats(t->covered, seat))
		return ERR_NONE;
	/* Who has standing orders for every turn hears of each only once. */
	if (silence.origin == ORDER_STANDING) {
		TRY(shortest_heard(l, seat, &heard, &shortest));
		if (heard)
			return ERR_NONE;
	}
	if (quiet_holds(&quiet, now_utc, &ends)) { /* this run comes too late */
		look_again(l, ends);
		return ERR_NONE;
	}
	return send(l, seat, &p, &silence, due);
}

static void ask_ahead(struct server *srv, const struct match *match)
{
	struct standing_order *standing;
	struct nudge nudge;
	struct player p;
	size_t n;

	store_only_asked(
	    standing_order_list(srv->store, match->game.id, match->arena, &standing, &n));
	store_only_asked(nudge_get(srv->store, match->game.id, match->turn.serial, &nudge));
	for (size_t i = 0; i < match->nseats; i++)
		if (may_be_reminded(match, &match->seats[i]))
			store_only_asked(
			    player_get(srv->store, match->seats[i].player, match->arena, &p));
}

static enum err look(struct server *srv, struct match *match, void *ctx, unsigned *mails)
{
	const int64_t *through_utc = ctx;
	struct looking l = {.srv = srv,
	                    .match = match,
	                    .through_utc = *through_utc,
	                    .next_utc = TURN_NO_REMINDER};

	TRY(standing_orders_load(srv, match, &l.standing));
	TRY(nudge_get(srv->store, match->game.id, match->turn.serial, &l.nudge));
	for (size_t i = 0; i < match->nseats; i++)
		if (may_be_reminded(match, &match->seats[i]))
			TRY(look_at_seat(&l, &match->seats[i]));
	TRY(turn_set_remind(srv->store, match->game.id, match->turn.serial, l.next_utc));
	*mails += l.mails;
	return ERR_NONE;
}

static enum err list(struct store *s, void *ctx, struct turn_id after, size_t max,
                     struct turn_id *out, size_t *n)
{
	const int64_t *through_utc = ctx;

	return reminder_due_list(s, *through_utc, after, max, out, n);
}

enum err remind_all_due(struct server *srv, const struct run_limits *limits, unsigned *mails)
{
	int64_t through = limits->read_through_utc < srv->now_utc ? limits->read_through_utc
	                                                          : srv->now_utc;

	return batch_run_all(
	    srv, limits, &(struct batch_job){"remind", list, true, ask_ahead, look, &through},
	    mails);
}
