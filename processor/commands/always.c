/*
 * always.c - ALWAYS and SET FALLBACK: what is done in every turn in which nothing else comes.
 */
#include "processor/commands/commands.h"
#include "processor/commands/standing_text.h"

#include "processor/base/banned.h"

/* ---- standing orders ---- */

/* As the mail found it. */
static bool standing_in_force(const struct sitting *s)
{
	return s->before.ptr && s->set.seats[s->seat->seat].origin == ORDER_STANDING;
}

/* What was laid down when the deadline came counts for that turn, whatever is changed now. */
static enum err settle_what_stepped_in(struct dealing *d, struct sitting *s)
{
	struct stand_in in;

	if (s->hand.turn.state != TURN_OPEN || !sitting_is_late(d, s) || s->before.ptr ||
	    !seat_in((struct seat_set){s->hand.turn.covered}, s->seat->seat))
		return ERR_NONE;
	TRY(stand_in_find(d->srv, &s->hand, &s->laid, s->seat->seat, &in));
	if (!stand_in_covers(&in))
		return ERR_NONE;
	s->before = in.canonical;
	return sitting_store(d, s,
	                     &(struct order_revision){.origin = (int)in.origin,
	                                              .received_utc = in.received_utc,
	                                              .mail = in.mail,
	                                              .canonical = in.canonical});
}

/* Now, perhaps by this very mail. */
static bool in_force_now(const struct sitting *s)
{
	return s->set.seats[s->seat->seat].revision > 0 &&
	       s->set.seats[s->seat->seat].origin == ORDER_STANDING;
}

/* The deadline has passed: what they mean for the turn in hand all the same. */
static const char *standing_late(const struct sitting *s, bool grace)
{
	if (s->before.ptr)
		return "has passed: what had come from you before counts there.";
	return grace ? "has passed: there they are used when the grace ends, and count as late."
	             : "has passed: they are used from the next turn on.";
}

/* What they mean for the turn that is open. */
static const char *standing_now(struct dealing *d, const struct sitting *s,
                                const struct laid_text *t)
{
	const char *reads = laid_text_as_it_stands(s, t);
	int64_t grace_utc = s->hand.turn.grace_utc;

	if (sitting_is_late(d, s))
		return arena_printf(
		    d->arena, "%s The deadline of %.*s %s", reads,
		    SPAN_ARGS(s->hand.turn.label),
		    standing_late(s,
		                  grace_utc != 0 &&
		                      !hand_came_after(&s->hand, d->arrived_utc, grace_utc)));
	if (in_force_now(s))
		return arena_printf(d->arena, "%s For %.*s they are your orders #%u.", reads,
		                    SPAN_ARGS(s->hand.turn.label),
		                    s->set.seats[s->seat->seat].revision);
	if (s->before.ptr && !standing_in_force(s))
		return arena_printf(d->arena, "%s For %.*s the orders you have sent count.",
		                    reads, SPAN_ARGS(s->hand.turn.label));
	return reads;
}

/* Earlier ones no longer stand for the open turn; new ones do at once if they are not to wait. */
static enum err change_open_turn(struct dealing *d, struct sitting *s, bool nowait)
{
	struct stand_in in;
	bool was = standing_in_force(s);

	if (!sitting_in_time(d, s) || (s->before.ptr && !was))
		return ERR_NONE;
	if (was)
		TRY(sitting_store(d, s,
		                  &(struct order_revision){.origin = ORDER_SENT,
		                                           .cleared = true,
		                                           .received_utc = d->arrived_utc,
		                                           .mail = d->inbox_id}));
	TRY(stand_in_find(d->srv, &s->hand, &s->laid, s->seat->seat, &in));
	if (!nowait || in.origin != ORDER_STANDING ||
	    !seat_in((struct seat_set){s->hand.turn.owes}, s->seat->seat))
		return ERR_NONE;
	return sitting_store(d, s,
	                     &(struct order_revision){.origin = ORDER_STANDING,
	                                              .received_utc = d->arrived_utc,
	                                              .mail = d->inbox_id,
	                                              .canonical = in.canonical});
}

static enum err lay_down_standing(struct dealing *d, struct sitting *s, bool nowait,
                                  const struct laid_text *t)
{
	const char *wait =
	    nowait ? "They count as your orders as soon as a turn opens, so that no turn waits "
		     "for you; with orders you send while it is open you change them."
		   : "They are used at the deadline of every turn in which nothing else has "
		     "come from you; until then the turn waits for you. With \"ALWAYS NOWAIT\" "
		     "before them it would not wait.";
	const char *seal =
	    nowait ? "They are " LAID_SEAL
		     "; the others see that your orders are in, not which, and " LAID_COMMIT
		   : "They are " LAID_SEAL
		     ", nobody else learns that there are any, and " LAID_COMMIT;

	TRY(settle_what_stepped_in(d, s));
	TRY(sitting_lay_down(
	    d, s,
	    &(struct provision){.kind = PROVISION_ALWAYS, .nowait = nowait, .text = t->text}));
	TRY(change_open_turn(d, s, nowait));
	dealing_verdict(d, "command", "standing orders in %s", s->hand.id);
	const char *off = "always off";
	const char *paragraphs[] = {"Your standing orders are laid down:", wait,
	                            standing_now(d, s, t), seal, NULL};
	struct report_notice notice = {.subject = "your standing orders",
	                               .paragraphs = paragraphs,
	                               .nparagraphs = 5,
	                               .orders = t->text};
	laid_text_add_way_back(d, t, "They hold until you send others, or", &off, &notice,
	                       &paragraphs[4]);
	return laid_text_answer(d, s, &notice);
}

enum err do_always(struct dealing *d, const struct letter_item *item)
{
	bool ready, nowait = item->number == 1, talk = false;
	struct sitting s;
	enum err rc = sit_at_table(d, item, &s, &ready);

	if (rc == ERR_NONE && ready)
		talk = laid_text_is_talk(&s, item);
	if (rc == ERR_NONE && ready && !talk) {
		struct laid_text t = laid_text_read(d, &s, item->orders);
		const char *why = laid_text_unfit(&t);
		rc = why ? laid_text_refuse(d, &s, "no standing orders were laid down",
		                            laid_text_example(d, &s, "always"), why)
		         : lay_down_standing(d, &s, nowait, &t);
		diags_release(&t.diags);
	}
	sitting_release(&s);
	return talk ? laid_text_as_orders(d, item) : rc;
}

static enum err drop_standing(struct dealing *d, struct sitting *s,
                              const struct letter_item *item)
{
	(void)item;
	if (!provision_of(&s->laid, s->seat->seat, PROVISION_ALWAYS, 0))
		return laid_text_refuse(d, s, "you have no standing orders",
		                        laid_text_example(d, s, "always"),
		                        "You have no standing orders in this game, so nothing "
		                        "has changed. They are laid down with a line such as:");
	TRY(settle_what_stepped_in(d, s));
	TRY(sitting_take_back(d, s, PROVISION_ALWAYS, 0));
	TRY(change_open_turn(d, s, false));
	dealing_verdict(d, "command", "no standing orders in %s", s->hand.id);
	return dealing_notice(d, &s->hand, s->seat, "no standing orders any more",
	                      arena_printf(d->arena, "status %s", s->hand.id),
	                      "Your standing orders are dropped. What is done for you if you "
	                      "send nothing is shown by:");
}

enum err do_always_off(struct dealing *d, const struct letter_item *item)
{
	return sitting_at_table(d, item, drop_standing);
}

/* ---- the fallback ---- */

static enum err choose_fallback(struct dealing *d, struct sitting *s,
                                const struct letter_item *item)
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
		TRY(sitting_take_back(d, s, PROVISION_FALLBACK, 0));
	else
		TRY(sitting_lay_down(d, s,
		                     &(struct provision){.kind = PROVISION_FALLBACK,
		                                         .text = choice == FALLBACK_BOT
		                                                     ? SPAN_LIT("bot")
		                                                     : SPAN_LIT("repeat")}));
	dealing_verdict(d, "command", "fallback %u in %s", choice, s->hand.id);
	return dealing_notice(
	    d, &s->hand, s->seat, "when nothing comes from you",
	    choice == FALLBACK_REPEAT ? "set fallback default" : "set fallback repeat",
	    "%s Such a turn counts as missed all the same. Orders, a draft (CHECK) and "
	    "standing orders (ALWAYS) go before it. It is changed with a line such as:",
	    words[choice]);
}

enum err do_fallback(struct dealing *d, const struct letter_item *item)
{
	return sitting_at_table(d, item, choose_fallback);
}
