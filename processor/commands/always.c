/*
 * always.c - ALWAYS and SET FALLBACK: what is done in every turn in which nothing else comes.
 */
#include "processor/commands/commands.h"
#include "processor/commands/standing_text.h"

/* ---- standing orders ---- */

/* As the mail found it. */
static bool standing_in_force(const struct order_entry *s)
{
	return s->before.ptr && s->set.seats[s->seat->seat].origin == ORDER_STANDING;
}

/* What was stored when the deadline came counts for that turn, whatever is changed now. */
static enum err settle_what_stepped_in(struct request *req, struct order_entry *s)
{
	struct substitute in;

	if (s->match->turn.state != TURN_OPEN || !order_entry_is_late(req, s) ||
	    s->before.ptr || !seat_in((struct seat_set){s->match->turn.covered}, s->seat->seat))
		return ERR_NONE;
	TRY(substitute_find(req->srv, s->match, &s->standing, s->seat->seat, &in));
	if (!substitute_covers(&in))
		return ERR_NONE;
	s->before = in.canonical;
	return order_entry_store(req, s,
	                         &(struct order_revision){.origin = (int)in.origin,
	                                                  .received_utc = in.received_utc,
	                                                  .mail = in.mail,
	                                                  .contribution = in.contribution,
	                                                  .canonical = in.canonical});
}

/* Now, perhaps by this very mail. */
static bool in_force_now(const struct order_entry *s)
{
	return s->set.seats[s->seat->seat].revision > 0 &&
	       s->set.seats[s->seat->seat].origin == ORDER_STANDING;
}

/* The deadline has passed: what they mean for the turn in hand all the same. */
static const char *standing_late(struct request *req, const struct order_entry *s,
                                 const char *reads)
{
	struct span turn = s->match->turn.label;
	int64_t grace_utc = s->match->turn.grace_utc;

	if (s->before.ptr)
		return arena_printf(
		    req->arena,
		    "%s The deadline of %.*s has passed: what had come from you "
		    "before counts there.",
		    reads, SPAN_ARGS(turn));
	if (grace_utc != 0 && !match_came_after(s->match, req->arrived_utc, grace_utc))
		return arena_printf(req->arena,
		                    "%s The deadline of %.*s has passed: there they are used "
		                    "when the grace ends, and count as late.",
		                    reads, SPAN_ARGS(turn));
	return arena_printf(
	    req->arena,
	    "%s The deadline of %.*s has passed: they are used from the next turn on.", reads,
	    SPAN_ARGS(turn));
}

/* What they mean for the turn that is open. */
static const char *standing_now(struct request *req, const struct order_entry *s,
                                const struct standing_text *t)
{
	const char *reads = standing_text_as_it_stands(s, t);

	if (order_entry_is_late(req, s))
		return standing_late(req, s, reads);
	if (in_force_now(s))
		return arena_printf(req->arena, "%s For %.*s they are your orders #%u.", reads,
		                    SPAN_ARGS(s->match->turn.label),
		                    s->set.seats[s->seat->seat].revision);
	if (s->before.ptr && !standing_in_force(s))
		return arena_printf(req->arena, "%s For %.*s the orders you have sent count.",
		                    reads, SPAN_ARGS(s->match->turn.label));
	return reads;
}

/* Earlier ones no longer stand for the open turn; new ones do at once if they are not to wait. */
static enum err change_open_turn(struct request *req, struct order_entry *s, bool nowait)
{
	struct substitute in;
	bool was = standing_in_force(s);

	if (!order_entry_in_time(req, s) || (s->before.ptr && !was))
		return ERR_NONE;
	if (was)
		TRY(order_entry_store(req, s,
		                      &(struct order_revision){.origin = ORDER_SENT,
		                                               .cleared = true,
		                                               .received_utc = req->arrived_utc,
		                                               .mail = req->inbox_id}));
	TRY(substitute_find(req->srv, s->match, &s->standing, s->seat->seat, &in));
	if (!nowait || in.origin != ORDER_STANDING ||
	    !seat_in((struct seat_set){s->match->turn.owes}, s->seat->seat))
		return ERR_NONE;
	return order_entry_store(req, s,
	                         &(struct order_revision){.origin = ORDER_STANDING,
	                                                  .received_utc = req->arrived_utc,
	                                                  .mail = req->inbox_id,
	                                                  .canonical = in.canonical});
}

static enum err store_standing(struct request *req, struct order_entry *s, bool nowait,
                               const struct standing_text *t)
{
	const char *wait =
	    nowait ? "They count as your orders as soon as a turn opens, so that no turn waits "
		     "for you; with orders you send while it is open you change them."
		   : "They are used at the deadline of every turn in which nothing else has "
		     "come from you; until then the turn waits for you. With \"ALWAYS NOWAIT\" "
		     "before them it would not wait.";
	const char *seal =
	    nowait ? "They are " STANDING_SEAL
		     "; the others see that your orders are in, not which, and " STANDING_COMMIT
		   : "They are " STANDING_SEAL
		     ", nobody else learns that there are any, and " STANDING_COMMIT;

	TRY(settle_what_stepped_in(req, s));
	TRY(order_entry_store_standing(req, s,
	                               &(struct standing_order){.kind = STANDING_ALWAYS,
	                                                        .nowait = nowait,
	                                                        .text = t->text}));
	TRY(change_open_turn(req, s, nowait));
	request_verdict(req, "command", "standing orders in %s", s->match->id);
	const char *off = "always off";
	const char *paragraphs[] = {"Your standing orders are stored:", wait,
	                            standing_now(req, s, t), seal, NULL};
	struct report_notice notice = {.subject = "your standing orders",
	                               .paragraphs = paragraphs,
	                               .nparagraphs = 5,
	                               .orders = t->text};
	standing_text_add_way_back(req, t, "They stay until you replace them or send", &off,
	                           &notice, &paragraphs[4]);
	return standing_text_answer(req, s, ORDER_STANDING, &notice);
}

enum err do_always(struct request *req, const struct command *item)
{
	bool ready, nowait = item->number == 1, talk = false;
	struct order_entry s;
	enum err rc = order_entry_open_seat(req, item, &s, &ready);

	if (rc == ERR_NONE && ready)
		talk = standing_text_is_talk(&s, item);
	if (rc == ERR_NONE && ready && !talk) {
		struct standing_text t = standing_text_read(req, &s, item->orders);
		const char *why = standing_text_unfit(&t);
		rc = why ? standing_text_refuse(req, &s, "no standing orders were stored",
		                                standing_text_example(req, &s, "always"), why)
		         : store_standing(req, &s, nowait, &t);
		diags_release(&t.diags);
	}
	return talk ? standing_text_as_orders(req, item) : rc;
}

static enum err drop_standing(struct request *req, struct order_entry *s,
                              const struct command *item)
{
	(void)item;
	if (!standing_order_of(&s->standing, s->seat->seat, STANDING_ALWAYS, 0))
		return standing_text_refuse(req, s, "you have no standing orders",
		                            standing_text_example(req, s, "always"),
		                            "You have no standing orders in this game, so "
		                            "nothing has changed. To store some, for example:");
	TRY(settle_what_stepped_in(req, s));
	TRY(order_entry_drop_standing(req, s, STANDING_ALWAYS, 0));
	TRY(change_open_turn(req, s, false));
	request_verdict(req, "command", "no standing orders in %s", s->match->id);
	return request_notice(req, s->match, s->seat, "no standing orders any more",
	                      arena_printf(req->arena, "status %s", s->match->id),
	                      "Your standing orders are dropped. To see what is used if "
	                      "nothing comes from you, send:");
}

enum err do_always_off(struct request *req, const struct command *item)
{
	return open_seat(req, item, drop_standing);
}

/* ---- the fallback ---- */

static enum err choose_fallback(struct request *req, struct order_entry *s,
                                const struct command *item)
{
	unsigned choice = item->number;
	static const char *const words[] = {
	    [FALLBACK_DEFAULT] = "From now on the default orders of the game are used again "
				 "for a turn in which nothing at all has come from you.",
	    [FALLBACK_REPEAT] = "From now on your last orders are given once more in a turn in "
				"which nothing at all has come from you, if the game takes "
				"them there; else its default is used.",
	    [FALLBACK_BOT] = "From now on the server plays a turn for you, from what you may "
			     "know, when nothing at all has come from you for it."};

	if (choice == FALLBACK_DEFAULT)
		TRY(order_entry_drop_standing(req, s, STANDING_FALLBACK, 0));
	else
		TRY(order_entry_store_standing(
		    req, s,
		    &(struct standing_order){.kind = STANDING_FALLBACK,
		                             .text = choice == FALLBACK_BOT
		                                         ? SPAN_LIT("bot")
		                                         : SPAN_LIT("repeat")}));
	request_verdict(req, "command", "fallback %u in %s", choice, s->match->id);
	static const char subject[] = "when nothing comes from you",
			  rest[] =
			      "%s Such a turn counts as missed all the same. Orders, a "
			      "draft (CHECK) and standing orders (ALWAYS) go before it. To "
			      "change it, for example:";
	if (choice == FALLBACK_DEFAULT)
		return request_notice(req, s->match, s->seat, subject, "set fallback repeat",
		                      rest, words[choice]);
	const char *example = choice == FALLBACK_REPEAT ? "set fallback default"
	                                                : "set fallback repeat";
	const char *paragraph = arena_printf(req->arena, rest, words[choice]);
	return standing_text_answer(req, s, ORDER_FALLBACK,
	                            &(struct report_notice){.subject = subject,
	                                                    .paragraphs = &paragraph,
	                                                    .nparagraphs = 1,
	                                                    .examples = &example,
	                                                    .nexamples = 1});
}

enum err do_fallback(struct request *req, const struct command *item)
{
	return open_seat(req, item, choose_fallback);
}
