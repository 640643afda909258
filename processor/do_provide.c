/*
 * do_provide.c - ALWAYS, QUEUE, SET FALLBACK: orders for turns in which nothing else comes.
 *
 * They are kept as they were written and read anew when they are needed (standin.h). Here a game only
 * says what it makes of them as it stands now: nobody knows what it will look like then.
 */
#include "processor/sitting.h"

#include "processor/base/banned.h"

enum { TEXT_MOST = 4000, QUEUE_MOST = 30 };

static enum err tell(struct dealing *d, struct sitting *s, const struct report_notice *n)
{
	struct letter_out out = LETTER_OUT_INIT;
	struct report_game game = brief_game(d->srv, &s->hand, s->seat, &d->player);
	struct report_notice notice = *n;

	notice.game = &game;
	report_notice(&notice, &out);
	enum err rc = dealing_answer(d, &s->hand, s->seat, "receipt", &out);
	letter_out_release(&out);
	return rc;
}

static enum err refuse(struct dealing *d, struct sitting *s, const char *subject,
                       const char *example, const char *why)
{
	dealing_verdict(d, "refused", "%s", subject);
	return dealing_notice(d, &s->hand, s->seat, subject, example, "%s", why);
}

/* ---- what the game makes of the text ---- */

struct laid_text {
	struct span text; /* what is kept */
	bool reads;       /* in the position as it is now, of which orders are wanted */
	struct diags diags;
};

static enum reading read_part(const struct sitting *s, const struct game_state *state,
                              struct span text)
{
	struct strbuf canonical = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;
	enum reading r = READING_TALK;

	if (s->hand.rules->read_orders(state, s->seat->seat, SPAN_EMPTY, s->hand.tables, text,
	                               &canonical, &diags))
		r = READING_GOOD;
	else if (diags_has_errors(&diags))
		r = READING_WRONG;
	strbuf_release(&canonical);
	diags_release(&diags);
	return r;
}

static bool means_orders(const struct sitting *s, const struct game_state *state,
                         struct span lines)
{
	struct span line;

	if (read_part(s, state, lines) != READING_TALK)
		return true;
	while (span_next_line(&lines, &line))
		if (read_part(s, state, line) != READING_TALK)
			return true;
	return false;
}

/* Whether a game may take any of it for orders, now or at another time. */
static bool has_orders(const struct sitting *s, struct span lines)
{
	struct game_state *trial = hand_trial_position(&s->hand);
	bool yes = means_orders(s, s->hand.state, lines) ||
	           (trial && means_orders(s, trial, lines));

	if (trial)
		s->hand.rules->free_state(trial);
	return yes;
}

/* Every line as it was written, for what is talk to this position may be orders to another. */
static struct span tidy(struct dealing *d, struct span lines)
{
	struct strbuf kept = STRBUF_INIT;
	struct span line;

	while (span_next_line(&lines, &line)) {
		if (span_trim(line).len == 0)
			continue;
		strbuf_adds(&kept, kept.len > 0 ? "\n" : "");
		strbuf_add_span(&kept, span_trim(line));
	}
	struct span text = arena_dup(d->arena, strbuf_span(&kept));
	strbuf_release(&kept);
	return text;
}

static struct laid_text read_text(struct dealing *d, const struct sitting *s, struct span lines)
{
	struct laid_text t = {.diags = DIAGS_INIT};
	struct strbuf canonical = STRBUF_INIT;

	t.text = tidy(d, lines);
	if (!has_orders(s, t.text))
		t.text = SPAN_EMPTY;
	struct provision p = {.seat = s->seat->seat, .text = t.text};
	if (t.text.len > 0 && seat_in((struct seat_set){s->hand.turn.owes}, p.seat))
		t.reads = provision_reads(&s->hand, &p, &canonical, &t.diags);
	strbuf_release(&canonical);
	return t;
}

static const char *example_of(const struct sitting *s)
{
	const struct doc *examples = brief_examples(&s->hand, s->seat->seat);

	for (const struct doc_block *b = examples->first; b; b = b->next)
		if (b->kind == DOC_EXAMPLE)
			return b->text;
	return NULL;
}

/* An order that would do now behind the command, else the command alone. */
static const char *example_with(struct dealing *d, const struct sitting *s, const char *command)
{
	const char *orders = example_of(s);

	return orders ? arena_printf(d->arena, "%s %s", command, orders) : command;
}

/* Why it cannot be kept at all; NULL when it can. */
static const char *unfit(const struct laid_text *t)
{
	struct span rest = t->text, line;

	if (t->text.len == 0)
		return "There are no orders behind that word or on the lines below it, so "
		       "nothing "
		       "was laid down and nothing has changed. Write for example:";
	if (t->text.len > TEXT_MOST)
		return "That is too long to be laid down, so nothing has changed. A shorter "
		       "example:";
	while (span_next_line(&rest, &line))
		if (span_eq_nocase(span_trim(line), ORDER_RESIGN_TEXT))
			return "To leave a game cannot be laid down for later, so nothing has "
			       "changed. Orders can, for example:";
	return NULL;
}

static const char *as_it_stands(const struct sitting *s, const struct laid_text *t)
{
	if (!seat_in((struct seat_set){s->hand.turn.owes}, s->seat->seat))
		return "Whether the game takes them is seen when orders are wanted from you.";
	if (!t->reads)
		return "In the position as it is now the game would not take them; see below. "
		       "They are kept all the same, since it will be another one.";
	return diags_has_errors(&t->diags)
	           ? "In the position as it is now the game would not take all of them; see "
	             "below."
	           : "In the position as it is now the game would take them.";
}

/* The last paragraph, and the line that undoes it all. */
static void add_way_back(struct dealing *d, const struct laid_text *t, const char *until,
                         const char *const *line, struct report_notice *n, const char **last)
{
	bool objections = !t->reads && t->diags.count > 0;

	*last = objections ? arena_printf(d->arena, "%s \"%s\".", until, *line)
	                   : arena_printf(d->arena, "%s this line:", until);
	n->diags = t->reads && !diags_has_errors(&t->diags) ? NULL : &t->diags;
	n->examples = line;
	n->nexamples = objections ? 0 : 1;
}

#define SEAL_ "kept under the same seal as orders that are sent"
#define COMMIT_ "they get their commit number when they become the orders of a turn."

/* ---- standing orders ---- */

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
	const char *reads = as_it_stands(s, t);
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
	    nowait
		? "They count as your orders as soon as a turn opens, so that no turn waits "
		  "for you; with orders you send while it is open you change them."
		: "They are used at the deadline of every turn in which nothing else has come "
		  "from you; until then the turn waits for you. With \"ALWAYS NOWAIT\" "
		  "before them it would not wait.";
	const char *seal = nowait
	                       ? "They are " SEAL_ "; the others see that your orders are in, "
	                         "not which, and " COMMIT_
	                       : "They are " SEAL_ ", nobody else learns that there are any, "
	                         "and " COMMIT_;

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
	add_way_back(d, t, "They hold until you send others, or", &off, &notice,
	             &paragraphs[4]);
	return tell(d, s, &notice);
}

/* "Always a pleasure!": the words behind it are none of an order, so it is talk above orders for now. */
static bool is_talk(const struct sitting *s, const struct letter_item *item)
{
	struct span own = letter_own_line(item);

	return own.len > 0 && !has_orders(s, own);
}

static enum err as_orders(struct dealing *d, const struct letter_item *item)
{
	struct letter_item now = *item;

	now.verb = CMD_ORDERS;
	now.number = 0;
	return do_orders(d, &now);
}

enum err do_always(struct dealing *d, const struct letter_item *item)
{
	bool ready, nowait = item->number == 1, talk = false;
	struct sitting s;
	enum err rc = sit_at_table(d, item, &s, &ready);

	if (rc == ERR_NONE && ready)
		talk = is_talk(&s, item);
	if (rc == ERR_NONE && ready && !talk) {
		struct laid_text t = read_text(d, &s, item->orders);
		const char *why = unfit(&t);
		rc = why ? refuse(d, &s, "no standing orders were laid down",
		                  example_with(d, &s, "always"), why)
		         : lay_down_standing(d, &s, nowait, &t);
		diags_release(&t.diags);
	}
	sitting_release(&s);
	return talk ? as_orders(d, item) : rc;
}

static enum err drop_standing(struct dealing *d, struct sitting *s)
{
	if (!provision_of(&s->laid, s->seat->seat, PROVISION_ALWAYS, 0))
		return refuse(
		    d, s, "you have no standing orders", example_with(d, s, "always"),
		    "You have no standing orders in this game, so nothing has changed. "
		    "They are laid down with a line such as:");
	TRY(settle_what_stepped_in(d, s));
	TRY(sitting_take_back(d, s, PROVISION_ALWAYS, 0));
	TRY(change_open_turn(d, s, false));
	dealing_verdict(d, "command", "no standing orders in %s", s->hand.id);
	return dealing_notice(
	    d, &s->hand, s->seat, "no standing orders any more",
	    arena_printf(d->arena, "status %s", s->hand.id),
	    "Your standing orders are dropped. What is done for you if you send nothing is "
	    "shown by:");
}

/* Sits down at the table, acts there, gets up. */
static enum err at_table(struct dealing *d, const struct letter_item *item,
                         enum err (*act)(struct dealing *d, struct sitting *s))
{
	struct sitting s;
	bool ready;
	enum err rc = sit_at_table(d, item, &s, &ready);

	if (rc == ERR_NONE && ready)
		rc = act(d, &s);
	sitting_release(&s);
	return rc;
}

enum err do_always_off(struct dealing *d, const struct letter_item *item)
{
	return at_table(d, item, drop_standing);
}

/* ---- the queue ---- */

static const char *queue_of(struct dealing *d, const struct sitting *s)
{
	struct strbuf text = STRBUF_INIT;
	unsigned n = 0;

	for (size_t i = 0; i < s->laid.n; i++)
		if (s->laid.items[i].seat == s->seat->seat &&
		    s->laid.items[i].kind == PROVISION_QUEUED)
			strbuf_addf(&text, "%sturn %u", n++ > 0 ? ", " : "",
			            s->laid.items[i].number);
	const char *words =
	    n > 0 ? arena_printf(d->arena, "Orders of yours are queued for %s.", text.ptr)
		  : "Your queue is empty.";
	strbuf_release(&text);
	return words;
}

static unsigned queue_length(const struct sitting *s)
{
	unsigned n = 0;

	for (size_t i = 0; i < s->laid.n; i++)
		n += s->laid.items[i].seat == s->seat->seat &&
		     s->laid.items[i].kind == PROVISION_QUEUED;
	return n;
}

static enum err lay_down_queued(struct dealing *d, struct sitting *s, unsigned number,
                                const struct laid_text *t)
{
	TRY(sitting_lay_down(
	    d, s,
	    &(struct provision){.kind = PROVISION_QUEUED, .number = number, .text = t->text}));
	dealing_verdict(d, "command", "orders queued in %s", s->hand.id);
	static const char seal[] = "They are " SEAL_
				   ", nobody else learns that there are any before "
				   "that turn, and " COMMIT_;
	const char *paragraphs[] = {
	    arena_printf(d->arena, "Your orders for turn %u are queued:", number),
	    arena_printf(d->arena,
	                 "When turn %u opens they become your orders there, if the game takes "
	                 "them then, and nobody waits for you. Otherwise the report of that "
	                 "opening says why, and you can still send others.",
	                 number),
	    as_it_stands(s, t), seal, NULL};
	const char *off = arena_printf(d->arena, "queue %u off", number);
	struct report_notice notice = {
	    .subject = arena_printf(d->arena, "queued for turn %u", number),
	    .paragraphs = paragraphs,
	    .nparagraphs = 5,
	    .orders = t->text};
	add_way_back(d, t,
	             arena_printf(d->arena,
	                          "%s Another mail with \"QUEUE %u\" replaces these, and they "
	                          "are dropped by",
	                          queue_of(d, s), number),
	             &off, &notice, &paragraphs[4]);
	return tell(d, s, &notice);
}

/* Why nothing can be queued for this turn; NULL when it can. */
static const char *no_such_turn(struct dealing *d, const struct sitting *s, unsigned number)
{
	unsigned now = hand_turn_number(s->hand.turn.label);
	unsigned most = s->hand.rules->max_phases(&s->hand.options);

	if (number < now)
		return arena_printf(
		    d->arena,
		    "Turn %u is over: %.*s is open. Nothing was queued. Orders for "
		    "a later turn are written so:",
		    number, SPAN_ARGS(s->hand.turn.label));
	if (number > most)
		return "This game cannot have so many turns, so nothing was queued. Orders for "
		       "a "
		       "later turn are written so:";
	if (queue_length(s) >= QUEUE_MOST &&
	    !provision_of(&s->laid, s->seat->seat, PROVISION_QUEUED, number))
		return "Your queue is full, so nothing was queued. It is emptied with \"QUEUE "
		       "OFF\"; "
		       "orders are written so:";
	return NULL;
}

static enum err queue(struct dealing *d, struct sitting *s, const struct letter_item *item)
{
	struct laid_text t = read_text(d, s, item->orders);
	unsigned next = hand_turn_number(s->hand.turn.label) + 1;
	const char *why = no_such_turn(d, s, item->number);

	if (!why)
		why = unfit(&t);
	enum err rc = why ? refuse(d, s, "nothing was queued",
	                           example_with(d, s, arena_printf(d->arena, "queue %u", next)),
	                           why)
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
	                 (is_about_now(&s, item) || is_talk(&s, item));

	if (rc == ERR_NONE && ready && !about_now)
		rc = queue(d, &s, item);
	sitting_release(&s);
	return about_now ? as_orders(d, item) : rc;
}

static enum err drop_queued(struct dealing *d, struct sitting *s, unsigned number)
{
	struct provisions was = s->laid;
	unsigned n = 0;

	for (size_t i = 0; i < was.n; i++) {
		const struct provision *p = &was.items[i];

		if (p->seat != s->seat->seat || p->kind != PROVISION_QUEUED ||
		    (number != 0 && p->number != number))
			continue;
		TRY(sitting_take_back(d, s, p->kind, p->number));
		n++;
	}
	dealing_verdict(d, "command", "%u queued sets dropped in %s", n, s->hand.id);
	unsigned next = hand_turn_number(s->hand.turn.label) + 1;
	return dealing_notice(
	    d, &s->hand, s->seat, n > 0 ? "dropped from your queue" : "nothing was queued",
	    example_with(d, s, arena_printf(d->arena, "queue %u", next)),
	    "%s %s Orders for a later turn are written so:",
	    n > 0 ? "Done: what you had queued is dropped."
		  : "Nothing of yours was queued there, so nothing has changed.",
	    queue_of(d, s));
}

enum err do_queue_off(struct dealing *d, const struct letter_item *item)
{
	struct sitting s;
	bool ready;
	enum err rc = sit_at_table(d, item, &s, &ready);

	if (rc == ERR_NONE && ready)
		rc = drop_queued(d, &s, item->number);
	sitting_release(&s);
	return rc;
}

/* ---- the fallback ---- */

static enum err choose_fallback(struct dealing *d, struct sitting *s, unsigned choice)
{
	static const char *const words[] = {
	    [FALLBACK_DEFAULT] =
		"From now on the default orders of the game are used again for a turn in which "
		"nothing at all has come from you.",
	    [FALLBACK_REPEAT] = "From now on your last orders are given once more in a turn in "
				"which nothing at "
				"all has come from you, if the game takes them there; else its "
				"default is used.",
	    [FALLBACK_BOT] = "From now on the server plays a turn for you, from what you may "
			     "know, when nothing "
			     "at all has come from you for it."};

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
	    "standing "
	    "orders (ALWAYS) go before it. It is changed with a line such as:",
	    words[choice]);
}

enum err do_fallback(struct dealing *d, const struct letter_item *item)
{
	struct sitting s;
	bool ready;
	enum err rc = sit_at_table(d, item, &s, &ready);

	if (rc == ERR_NONE && ready)
		rc = choose_fallback(d, &s, item->number);
	sitting_release(&s);
	return rc;
}
