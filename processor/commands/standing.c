/*
 * standing.c - orders that a player lays down for a time when nothing else comes: ALWAYS and SET
 * FALLBACK, in every turn; QUEUE, in one that is still to come. (The queue of people who wait for a
 * game is waiting_list.h.)
 *
 * They are kept as they were written and read anew when they are needed (substitute_orders.h). Here a
 * game only says what it makes of them as it stands now: nobody knows what it will look like then.
 */
#include "processor/commands/commands.h"
#include "processor/request/order_entry.h"

enum { TEXT_MOST = 4000, QUEUE_MOST = 30 };

struct standing_text {
	struct span text; /* what is kept, in the mail's arena; "" = none of it is orders */
	unsigned
	    alternatives; /* divided by bars, "popup 3 | popup 4"; the first that fits counts */
	bool reads;       /* in the position as it is now, of which orders are wanted */
	struct diags diags; /* what the game says to it now; the caller's to release */
};

/* ---- what they have in common ---- */

/* In games whose draws hold no such thing there is none. */
static enum err add_stored_proof(struct request *req, const struct order_entry *s,
                                 enum order_origin origin, struct strbuf *out)
{
	struct seat_proof p = {.version = s->match->game.record_version,
	                       .stored = true,
	                       .stored_as = origin,
	                       .game = s->match->record_id,
	                       .seat = s->seat->seat,
	                       .received_utc = req->arrived_utc};

	TRY(request_contribution(req, s->match, p.seat, &p.contribution));
	if (!hash_is_zero(&p.contribution))
		proof_add_seat(&p, match_keys(req->srv, s->match), out);
	return ERR_NONE;
}

/*
 * Answers with this notice and the signed receipt for what was stored.
 * origin: of the orders that come of it.
 */
static enum err standing_text_answer(struct request *req, struct order_entry *s,
                                     enum order_origin origin, const struct report_notice *n)
{
	struct report_notice notice = *n;
	struct strbuf proof = STRBUF_INIT;
	enum err rc = add_stored_proof(req, s, origin, &proof);

	notice.stored_proof = strbuf_span(&proof);
	if (rc == ERR_NONE)
		rc = request_answer_notice(req, s->match, s->seat, "receipt", &notice);
	strbuf_release(&proof);
	return rc;
}

static enum err standing_text_refuse(struct request *req, struct order_entry *s,
                                     const char *subject, const char *example, const char *why)
{
	request_verdict(req, "refused", "%s", subject);
	return request_notice(req, s->match, s->seat, subject, example, "%s", why);
}

/* ---- what the game makes of it ---- */

static enum tried read_part(const struct order_entry *s, const struct game_state *state,
                            struct span text)
{
	struct strbuf canonical = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;
	enum tried r = TRIED_TALK;

	if (s->match->rules->read_orders(state, s->seat->seat, SPAN_EMPTY, s->match->tables,
	                                 text, &canonical, &diags))
		r = TRIED_GOOD;
	else if (diags_has_errors(&diags))
		r = TRIED_WRONG;
	strbuf_release(&canonical);
	diags_release(&diags);
	return r;
}

static bool means_orders(const struct order_entry *s, const struct game_state *state,
                         struct span lines)
{
	struct span line;

	if (read_part(s, state, lines) != TRIED_TALK)
		return true;
	while (span_next_line(&lines, &line))
		if (read_part(s, state, line) != TRIED_TALK)
			return true;
	return false;
}

/* Whether a game may take any of it for orders, now or at another time. */
static bool has_orders(const struct order_entry *s, struct span lines)
{
	struct game_state *trial = match_trial_position(s->match);
	bool yes = means_orders(s, s->match->state, lines) ||
	           (trial && means_orders(s, trial, lines));

	if (trial)
		s->match->rules->free_state(trial);
	return yes;
}

static struct standing_text standing_text_read(struct request *req, const struct order_entry *s,
                                               struct span lines)
{
	struct standing_text t = {.diags = DIAGS_INIT};
	struct strbuf canonical = STRBUF_INIT;

	/* Every line as it was written, for what is talk to this position may be orders to another. */
	struct strbuf kept = STRBUF_INIT;
	struct span line;

	while (span_next_line(&lines, &line)) {
		if (span_trim(line).len == 0)
			continue;
		strbuf_adds(&kept, kept.len > 0 ? "\n" : "");
		strbuf_add_span(&kept, span_trim(line));
	}
	t.text = arena_dup(req->arena, strbuf_span(&kept));
	strbuf_release(&kept);
	if (!has_orders(s, t.text))
		t.text = SPAN_EMPTY;
	struct standing_order p = {.seat = s->seat->seat, .text = t.text};
	if (t.text.len > 0 && seat_in((struct seat_set){s->match->turn.owes}, p.seat))
		t.reads = standing_order_reads(s->match, &p, &canonical, &t.diags);
	strbuf_release(&canonical);
	for (struct span rest = t.text, one; standing_order_next(&rest, &one);)
		t.alternatives++;
	return t;
}

/*
 * "Always a pleasure!": the words behind the command are none of an order, so it is talk above
 * orders for now; they are carried out as if the command were not there.
 */
static bool standing_text_is_talk(const struct order_entry *s, const struct command *item)
{
	struct span own = grammar_own_line(item);

	return own.len > 0 && !has_orders(s, own);
}

static enum err standing_text_as_orders(struct request *req, const struct command *item,
                                        bool understood)
{
	struct command now = *item;

	now.verb = CMD_ORDERS;
	now.number = 0;
	if (!understood)
		request_not_understood(req); /* to look for the game has said so */
	return do_orders(req, &now);
}

/* ---- what is said of it ---- */

/* An order that would do now behind the command, else the command alone. */
static const char *standing_text_example(struct request *req, const struct order_entry *s,
                                         const char *command)
{
	const char *orders = example_orders(s->match, s->seat->seat);

	return orders ? arena_printf(req->arena, "%s %s", command, orders) : command;
}

/* Why it cannot be kept at all, a sentence before an example; NULL when it can. */
static const char *standing_text_unfit(const struct standing_text *t)
{
	struct span rest = t->text, line;

	if (t->text.len == 0)
		return "There are no orders behind that word or on the lines below it, so "
		       "nothing was stored and nothing has changed. Write for example:";
	if (t->text.len > TEXT_MOST)
		return "That is too long to be stored, so nothing has changed. A shorter "
		       "example:";
	for (struct span one; standing_order_next(&rest, &one);)
		while (span_next_line(&one, &line))
			if (span_eq_nocase(span_trim(line), ORDER_RESIGN_TEXT))
				return "Leaving a game cannot be stored for later, so nothing "
				       "has "
				       "changed. Orders can, for example:";
	return NULL;
}

/* A sentence on whether the game would take it in the position as it is now. */
static const char *standing_text_as_it_stands(const struct order_entry *s,
                                              const struct standing_text *t)
{
	if (!seat_in((struct seat_set){s->match->turn.owes}, s->seat->seat))
		return "They are checked when your turn comes.";
	if (!t->reads)
		return "The game would not accept them in the current position; see below. "
		       "They are kept all the same, since the position will change.";
	if (t->alternatives > 1)
		return "The game would accept one of your alternatives in the current "
		       "position: the first that it takes when the time comes is used.";
	return diags_has_errors(&t->diags)
	           ? "The game would not accept all of them in the current position; see "
	             "below."
	           : "The game would accept them in the current position.";
}

/*
 * *last: the last paragraph, `until` and the line that undoes it all; that line and what the
 * game objects to go into the notice.
 */
static void standing_text_add_way_back(struct request *req, const struct standing_text *t,
                                       const char *until, const char *const *line,
                                       struct report_notice *n, const char **last)
{
	bool objections = !t->reads && t->diags.count > 0;

	*last = objections ? arena_printf(req->arena, "%s \"%s\".", until, *line)
	                   : arena_printf(req->arena, "%s this line:", until);
	n->diags = t->reads && !diags_has_errors(&t->diags) ? NULL : &t->diags;
	n->examples = objections ? NULL : line;
}

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
	TRY(substitute_find(req->srv, s->match, &s->standing, s->seat->seat, false, &in));
	if (!substitute_covers(in.origin))
		return ERR_NONE;
	s->before = in.canonical;
	return order_entry_store(req, s,
	                         &(struct order_revision){.origin = (int)in.origin,
	                                                  .received_utc = in.received_utc,
	                                                  .mail = in.mail,
	                                                  .contribution = in.contribution,
	                                                  .canonical = in.canonical});
}

/* What they mean for the turn that is open. */
static const char *standing_now(struct request *req, const struct order_entry *s,
                                const struct standing_text *t)
{
	const char *reads = standing_text_as_it_stands(s, t);

	if (order_entry_is_late(req, s)) {
		/* The deadline has passed: what they mean for the turn in hand all the same. */
		struct span turn = s->match->turn.label;
		int64_t grace_utc = s->match->turn.grace_utc;

		if (s->before.ptr)
			return arena_printf(
			    req->arena,
			    "%s The deadline of %.*s has passed: what had come from you "
			    "before counts there.",
			    reads, SPAN_ARGS(turn));
		if (grace_utc != 0 && !match_came_after(s->match, req->arrived_utc, grace_utc))
			return arena_printf(
			    req->arena,
			    "%s The deadline of %.*s has passed: there they are used "
			    "when the grace ends, and count as late.",
			    reads, SPAN_ARGS(turn));
		return arena_printf(
		    req->arena,
		    "%s The deadline of %.*s has passed: they are used from the next turn on.",
		    reads, SPAN_ARGS(turn));
	}
	/* Now, perhaps by this very mail. */
	if (s->set.seats[s->seat->seat].revision > 0 &&
	    s->set.seats[s->seat->seat].origin == ORDER_STANDING)
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
	TRY(substitute_find(req->srv, s->match, &s->standing, s->seat->seat, false, &in));
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
		     "for you; with orders you send while it is open you change them. The "
		     "others see that your orders are in, not which."
		   : "They are used at the deadline of every turn in which nothing else has "
		     "come from you; until then the turn waits for you. With \"ALWAYS NOWAIT\" "
		     "before them it would not wait. Nobody else learns that there are any.";

	TRY(settle_what_stepped_in(req, s));
	TRY(order_entry_store_standing(req, s,
	                               &(struct standing_order){.kind = STANDING_ALWAYS,
	                                                        .nowait = nowait,
	                                                        .text = t->text}));
	TRY(change_open_turn(req, s, nowait));
	request_verdict(req, "command", "standing orders in %s", s->match->id);
	const char *off[] = {"always off", NULL};
	const char *paragraphs[] = {"Your standing orders are stored:", wait,
	                            standing_now(req, s, t), NULL, NULL};
	struct report_notice notice = {
	    .subject = "your standing orders", .paragraphs = paragraphs, .orders = t->text};
	standing_text_add_way_back(req, t, "They stay until you replace them or send", off,
	                           &notice, &paragraphs[3]);
	return standing_text_answer(req, s, ORDER_STANDING, &notice);
}

enum err do_always(struct request *req, const struct command *item)
{
	bool ready, nowait = item->number == 1, talk = false, before = req->answer.understood;
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
	return talk ? standing_text_as_orders(req, item, before) : rc;
}

enum err do_always_off(struct request *req, struct order_entry *s, const struct command *item)
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

/* ---- the fallback ---- */

enum err do_fallback(struct request *req, struct order_entry *s, const struct command *item)
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
	return standing_text_answer(
	    req, s, ORDER_FALLBACK,
	    &(struct report_notice){
		.subject = subject,
		.paragraphs = TEXTS(arena_printf(req->arena, rest, words[choice])),
		.examples = TEXTS(example)});
}

/* ---- in a turn to come ---- */

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
	                          n == 1 ? "Orders of yours are queued for %s %s."
	                                 : "Orders of yours are queued for %ss %s.",
	                          match_turn_unit(s->match->turn.label), text.ptr);
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
	const char *turn =
	    arena_printf(req->arena, "%s %u", match_turn_unit(s->match->turn.label), number);
	/* Where turns go round, or in a round that has begun: substitute_open. */
	struct seat_set owes = {s->match->turn.owes};
	unsigned after = number - match_turn_number(s->match->turn.label);
	bool theirs = after == 0 ||
	              (after == 1 && seat_count(owes) == 1 && !seat_in(owes, s->seat->seat));
	const char *paragraphs[] = {
	    arena_printf(req->arena,
	                 "Your orders for %s are queued:", theirs ? "your next turn" : turn),
	    arena_printf(req->arena,
	                 "When %s opens they become your orders there, if the game takes "
	                 "them then, and nobody waits for you. Otherwise the report of that "
	                 "opening says why, and you can still send others. Nobody else learns "
	                 "of them before.",
	                 theirs ? "it" : turn),
	    standing_text_as_it_stands(s, t), NULL, NULL};
	const char *off[] = {arena_printf(req->arena, "queue off %u", number), NULL};
	struct report_notice notice = {
	    .subject = arena_printf(req->arena, "queued for %s", turn),
	    .paragraphs = paragraphs,
	    .orders = t->text};
	standing_text_add_way_back(
	    req, t,
	    arena_printf(
		req->arena,
		"%s What you queue for %s once more replaces these. To drop them, send",
		queue_of(req, s), turn),
	    off, &notice, &paragraphs[3]);
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

enum err do_queue(struct request *req, const struct command *item)
{
	struct order_entry s;
	bool ready, before = req->answer.understood;
	enum err rc = order_entry_open_seat(req, item, &s, &ready);
	/* "Round 4:" above orders for the turn that is open only names it. */
	bool about_now = rc == ERR_NONE && ready &&
	                 ((item->number == match_turn_number(s.match->turn.label) &&
	                   seat_in((struct seat_set){s.match->turn.owes}, s.seat->seat)) ||
	                  standing_text_is_talk(&s, item));

	if (rc == ERR_NONE && ready && !about_now) {
		struct standing_text t = standing_text_read(req, &s, item->orders);
		unsigned next = match_turn_number(s.match->turn.label) + 1;
		const char *why = no_such_turn(req, &s, item->number);

		if (!why)
			why = standing_text_unfit(&t);
		rc = why ? standing_text_refuse(
			       req, &s, "nothing was queued",
			       standing_text_example(
				   req, &s, arena_printf(req->arena, "queue %u", next)),
			       why)
		         : store_queued(req, &s, item->number, &t);
		diags_release(&t.diags);
	}
	return about_now ? standing_text_as_orders(req, item, before) : rc;
}

enum err do_queue_off(struct request *req, struct order_entry *s, const struct command *item)
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
