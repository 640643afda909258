/*
 * queue.c - QUEUE: orders for a turn that is still to come. (The queue of people who wait for a
 * game is waiting_list.h.)
 */
#include "processor/commands/commands.h"
#include "processor/commands/standing_text.h"

#include "processor/base/banned.h"

enum { QUEUE_MOST = 30 };

static unsigned queue_length(const struct sitting *s)
{
	unsigned n = 0;

	for (size_t i = 0; i < s->laid.n; i++)
		n += s->laid.items[i].seat == s->seat->seat &&
		     s->laid.items[i].kind == PROVISION_QUEUED;
	return n;
}

static const char *queue_of(struct dealing *d, const struct sitting *s)
{
	struct strbuf text = STRBUF_INIT;
	unsigned n = queue_length(s), said = 0;

	for (size_t i = 0; i < s->laid.n; i++)
		if (s->laid.items[i].seat == s->seat->seat &&
		    s->laid.items[i].kind == PROVISION_QUEUED) {
			said++;
			strbuf_addf(&text, "%s%u",
			            said == 1   ? ""
			            : said == n ? " and "
			                        : ", ",
			            s->laid.items[i].number);
		}
	const char *words = n == 0 ? "Your queue is empty."
	                           : arena_printf(d->arena,
	                                          "Orders of yours are queued for turn%s %s.",
	                                          n == 1 ? "" : "s", text.ptr);
	strbuf_release(&text);
	return words;
}

static enum err lay_down_queued(struct dealing *d, struct sitting *s, unsigned number,
                                const struct laid_text *t)
{
	TRY(sitting_lay_down(
	    d, s,
	    &(struct provision){.kind = PROVISION_QUEUED, .number = number, .text = t->text}));
	dealing_verdict(d, "command", "orders queued in %s", s->hand.id);
	static const char seal[] =
	    "They are " LAID_SEAL
	    ", nobody else learns that there are any before that turn, and " LAID_COMMIT;
	const char *paragraphs[] = {
	    arena_printf(d->arena, "Your orders for turn %u are queued:", number),
	    arena_printf(d->arena,
	                 "When turn %u opens they become your orders there, if the game takes "
	                 "them then, and nobody waits for you. Otherwise the report of that "
	                 "opening says why, and you can still send others.",
	                 number),
	    laid_text_as_it_stands(s, t), seal, NULL};
	const char *off = arena_printf(d->arena, "queue off %u", number);
	struct report_notice notice = {
	    .subject = arena_printf(d->arena, "queued for turn %u", number),
	    .paragraphs = paragraphs,
	    .nparagraphs = 5,
	    .orders = t->text};
	laid_text_add_way_back(d, t,
	                       arena_printf(d->arena,
	                                    "%s What you queue for turn %u once more replaces "
	                                    "these, and they are dropped by",
	                                    queue_of(d, s), number),
	                       &off, &notice, &paragraphs[4]);
	return laid_text_answer(d, s, &notice);
}

/* Why nothing can be queued for this turn; NULL when it can. */
static const char *no_such_turn(struct dealing *d, const struct sitting *s, unsigned number)
{
	unsigned now = hand_turn_number(s->hand.turn.label);
	unsigned most = s->hand.rules->max_phases(&s->hand.options);

	if (number < now)
		return arena_printf(d->arena,
		                    "Turn %u is over: %.*s is open. Nothing was queued. Orders "
		                    "for a later turn are written so:",
		                    number, SPAN_ARGS(s->hand.turn.label));
	if (number > most)
		return "This game cannot have so many turns, so nothing was queued. Orders for "
		       "a later turn are written so:";
	if (queue_length(s) >= QUEUE_MOST &&
	    !provision_of(&s->laid, s->seat->seat, PROVISION_QUEUED, number))
		return "Your queue is full, so nothing was queued. It is emptied with \"QUEUE "
		       "OFF\"; orders are written so:";
	return NULL;
}

static enum err queue(struct dealing *d, struct sitting *s, const struct letter_item *item)
{
	struct laid_text t = laid_text_read(d, s, item->orders);
	unsigned next = hand_turn_number(s->hand.turn.label) + 1;
	const char *why = no_such_turn(d, s, item->number);

	if (!why)
		why = laid_text_unfit(&t);
	enum err rc =
	    why ? laid_text_refuse(
		      d, s, "nothing was queued",
		      laid_text_example(d, s, arena_printf(d->arena, "queue %u", next)), why)
		: lay_down_queued(d, s, item->number, &t);
	diags_release(&t.diags);
	return rc;
}

/* "Round 4:" above orders for the turn that is open only names it. */
static bool is_about_now(const struct sitting *s, const struct letter_item *item)
{
	return item->number == hand_turn_number(s->hand.turn.label) &&
	       seat_in((struct seat_set){s->hand.turn.owes}, s->seat->seat);
}

enum err do_queue(struct dealing *d, const struct letter_item *item)
{
	struct sitting s;
	bool ready;
	enum err rc = sit_at_table(d, item, &s, &ready);
	bool about_now = rc == ERR_NONE && ready &&
	                 (is_about_now(&s, item) || laid_text_is_talk(&s, item));

	if (rc == ERR_NONE && ready && !about_now)
		rc = queue(d, &s, item);
	sitting_release(&s);
	return about_now ? laid_text_as_orders(d, item) : rc;
}

static enum err drop_queued(struct dealing *d, struct sitting *s,
                            const struct letter_item *item)
{
	struct provisions was = s->laid;
	unsigned n = 0;

	for (size_t i = 0; i < was.n; i++) {
		const struct provision *p = &was.items[i];

		if (p->seat != s->seat->seat || p->kind != PROVISION_QUEUED ||
		    (item->number != 0 && p->number != item->number))
			continue;
		TRY(sitting_take_back(d, s, p->kind, p->number));
		n++;
	}
	dealing_verdict(d, "command", "%u queued sets dropped in %s", n, s->hand.id);
	unsigned next = hand_turn_number(s->hand.turn.label) + 1;
	return dealing_notice(
	    d, &s->hand, s->seat, n > 0 ? "dropped from your queue" : "nothing was queued",
	    laid_text_example(d, s, arena_printf(d->arena, "queue %u", next)),
	    "%s %s Orders for a later turn are written so:",
	    n > 0 ? "Done: what you had queued is dropped."
		  : "Nothing of yours was queued there, so nothing has changed.",
	    queue_of(d, s));
}

enum err do_queue_off(struct dealing *d, const struct letter_item *item)
{
	return sitting_at_table(d, item, drop_queued);
}
