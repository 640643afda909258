/*
 * queue.c - QUEUE: orders for a turn that is still to come. (The queue of people who wait for a
 * game is waiting_list.h.)
 */
#include "processor/commands/commands.h"
#include "processor/commands/standing_text.h"

enum { QUEUE_MOST = 30 };

static unsigned queue_length(const struct order_entry *s)
{
	unsigned n = 0;

	for (size_t i = 0; i < s->standing.n; i++)
		n += s->standing.items[i].seat == s->seat->seat &&
		     s->standing.items[i].kind == STANDING_QUEUED;
	return n;
}

static const char *queue_of(struct request *req, const struct order_entry *s)
{
	struct strbuf text = STRBUF_INIT;
	unsigned n = queue_length(s), said = 0;

	for (size_t i = 0; i < s->standing.n; i++)
		if (s->standing.items[i].seat == s->seat->seat &&
		    s->standing.items[i].kind == STANDING_QUEUED) {
			strbuf_add_sep(&text, said++, n, " and ");
			strbuf_addf(&text, "%u", s->standing.items[i].number);
		}
	const char *words =
	    n == 0 ? "Your queue is empty."
		   : arena_printf(req->arena,
	                          n == 1 ? "Orders of yours are queued for turn %s."
	                                 : "Orders of yours are queued for turns %s.",
	                          text.ptr);
	strbuf_release(&text);
	return words;
}

static enum err store_queued(struct request *req, struct order_entry *s, unsigned number,
                             const struct standing_text *t)
{
	TRY(order_entry_store_standing(req, s,
	                               &(struct standing_order){.kind = STANDING_QUEUED,
	                                                        .number = number,
	                                                        .text = t->text}));
	request_verdict(req, "command", "orders queued in %s", s->match->id);
	static const char seal[] =
	    "They are " STANDING_SEAL
	    ", nobody else learns that there are any before that turn, and " STANDING_COMMIT;
	const char *paragraphs[] = {
	    arena_printf(req->arena, "Your orders for turn %u are queued:", number),
	    arena_printf(req->arena,
	                 "When turn %u opens they become your orders there, if the game takes "
	                 "them then, and nobody waits for you. Otherwise the report of that "
	                 "opening says why, and you can still send others.",
	                 number),
	    standing_text_as_it_stands(s, t), seal, NULL};
	const char *off = arena_printf(req->arena, "queue off %u", number);
	struct report_notice notice = {
	    .subject = arena_printf(req->arena, "queued for turn %u", number),
	    .paragraphs = paragraphs,
	    .nparagraphs = 5,
	    .orders = t->text};
	standing_text_add_way_back(
	    req, t,
	    arena_printf(
		req->arena,
		"%s What you queue for turn %u once more replaces these. To drop them, send",
		queue_of(req, s), number),
	    &off, &notice, &paragraphs[4]);
	return standing_text_answer(req, s, ORDER_QUEUED, &notice);
}

/* Why nothing can be queued for this turn; NULL when it can. */
static const char *no_such_turn(struct request *req, const struct order_entry *s,
                                unsigned number)
{
	unsigned now = match_turn_number(s->match->turn.label);
	unsigned most = s->match->rules->max_phases(&s->match->options);

	if (number < now)
		return arena_printf(req->arena,
		                    "Turn %u is over: %.*s is open. Nothing was queued. To "
		                    "queue orders for a later turn, for example:",
		                    number, SPAN_ARGS(s->match->turn.label));
	if (number > most)
		return "This game cannot have so many turns, so nothing was queued. To queue "
		       "orders for a later turn, for example:";
	if (queue_length(s) >= QUEUE_MOST &&
	    !standing_order_of(&s->standing, s->seat->seat, STANDING_QUEUED, number))
		return "Your queue is full, so nothing was queued. \"QUEUE OFF\" empties "
		       "it. To queue orders, for example:";
	return NULL;
}

static enum err queue(struct request *req, struct order_entry *s, const struct command *item)
{
	struct standing_text t = standing_text_read(req, s, item->orders);
	unsigned next = match_turn_number(s->match->turn.label) + 1;
	const char *why = no_such_turn(req, s, item->number);

	if (!why)
		why = standing_text_unfit(&t);
	enum err rc =
	    why ? standing_text_refuse(
		      req, s, "nothing was queued",
		      standing_text_example(req, s, arena_printf(req->arena, "queue %u", next)),
		      why)
		: store_queued(req, s, item->number, &t);
	diags_release(&t.diags);
	return rc;
}

/* "Round 4:" above orders for the turn that is open only names it. */
static bool is_about_now(const struct order_entry *s, const struct command *item)
{
	return item->number == match_turn_number(s->match->turn.label) &&
	       seat_in((struct seat_set){s->match->turn.owes}, s->seat->seat);
}

enum err do_queue(struct request *req, const struct command *item)
{
	struct order_entry s;
	bool ready;
	enum err rc = order_entry_open_seat(req, item, &s, &ready);
	bool about_now = rc == ERR_NONE && ready &&
	                 (is_about_now(&s, item) || standing_text_is_talk(&s, item));

	if (rc == ERR_NONE && ready && !about_now)
		rc = queue(req, &s, item);
	return about_now ? standing_text_as_orders(req, item) : rc;
}

static enum err drop_queued(struct request *req, struct order_entry *s,
                            const struct command *item)
{
	struct standing_orders was = s->standing;
	unsigned n = 0;

	for (size_t i = 0; i < was.n; i++) {
		const struct standing_order *p = &was.items[i];

		if (p->seat != s->seat->seat || p->kind != STANDING_QUEUED ||
		    (item->number != 0 && p->number != item->number))
			continue;
		TRY(order_entry_drop_standing(req, s, p->kind, p->number));
		n++;
	}
	request_verdict(req, "command", "%u queued sets dropped in %s", n, s->match->id);
	unsigned next = match_turn_number(s->match->turn.label) + 1;
	return request_notice(
	    req, s->match, s->seat, n > 0 ? "dropped from your queue" : "nothing was queued",
	    standing_text_example(req, s, arena_printf(req->arena, "queue %u", next)),
	    "%s %s To queue orders for a later turn, for example:",
	    n > 0 ? "Done: what you had queued is dropped."
		  : "Nothing of yours was queued there, so nothing has changed.",
	    queue_of(req, s));
}

enum err do_queue_off(struct request *req, const struct command *item)
{
	return open_seat(req, item, drop_queued);
}
