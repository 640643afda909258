/*
 * order_entry.c - may this mail order for this turn?
 */
#include "processor/request/order_entry.h"
#include "processor/request/which_game.h"
#include "store/digests.h"

#include "processor/base/banned.h"

void sitting_release(struct sitting *s)
{
	hand_release(&s->hand);
}

static enum err not_now(struct dealing *d, struct sitting *s, const char *verdict,
                        const char *subject, const char *text)
{
	dealing_verdict(d, verdict, "%s", subject);
	return dealing_notice(d, &s->hand, s->seat, subject, "", "%s", text);
}

/* Why this seat cannot order now, whatever the turn; NULL when it can. */
static const char *cannot_order(const struct sitting *s)
{
	switch (s->hand.game.status) {
	case GAME_GATHERING:
		if (s->seat && !s->seat->confirmed)
			return "This game has not begun: it waits for your confirmation. "
			       "Please answer "
			       "the mail that asks for it with YES.";
		return "This game has not begun: it waits for players. You will get a report "
		       "when "
		       "turn 1 opens; answer that one with your orders.";
	case GAME_OVER:
	case GAME_CANCELLED:
	case GAME_ABANDONED:
		return "This game has ended, so your orders were not used.";
	case GAME_PAUSED:
	case GAME_RUNNING:
		break;
	}
	if (!s->seat)
		return "You have no seat in this game, so nothing was carried out.";
	if (s->seat->resigned)
		return "You have left this game, so nothing was carried out.";
	return NULL;
}

/* "Turn 5": labels are written as within a sentence. */
static const char *label_at_start(struct dealing *d, struct span label)
{
	char *text = arena_cstr(d->arena, label);

	if (text[0] >= 'a' && text[0] <= 'z')
		text[0] = (char)(text[0] - 'a' + 'A');
	return text;
}

bool sitting_is_late(const struct dealing *d, const struct sitting *s)
{
	return hand_came_after(&s->hand, d->arrived_utc, s->hand.turn.deadline_utc);
}

bool sitting_in_time(const struct dealing *d, const struct sitting *s)
{
	return s->hand.turn.state == TURN_OPEN && !sitting_is_late(d, s);
}

/* Behind the deadline and the grace, if there is any. */
static bool turn_has_passed(const struct dealing *d, const struct sitting *s)
{
	const struct turn *t = &s->hand.turn;

	return sitting_is_late(d, s) &&
	       (t->grace_utc == 0 || hand_came_after(&s->hand, d->arrived_utc, t->grace_utc));
}

/* RESIGN and the like: it is for him to say whether he still means it. */
static enum err command_set_aside(struct dealing *d, struct sitting *s,
                                  const struct letter_item *item, const char *verdict)
{
	struct letter_out out = LETTER_OUT_INIT;
	struct report_game game = brief_game(d->srv, &s->hand, s->seat, &d->player);
	const char *line = arena_cstr(d->arena, item->text);

	report_notice(
	    &(struct report_notice){
		.game = &game,
		.subject = "not carried out: another turn is open",
		.paragraphs = (const char *const[]){arena_printf(
		    d->arena,
		    "Your line \"%s\" is about one turn, and your mail answers another than "
		    "the "
		    "one that is open now, so it was not carried out. If you still mean it, "
		    "answer this mail with it:",
		    line)},
		.nparagraphs = 1,
		.examples = &line,
		.nexamples = 1,
	    },
	    &out);
	dealing_verdict(d, verdict, "a command about another turn; not carried out");
	enum err rc = dealing_answer(d, &s->hand, s->seat, verdict, &out);
	letter_out_release(&out);
	return rc;
}

/* Orders for another turn than the open one: why they are not used, and what to do now. */
static enum err set_aside(struct dealing *d, struct sitting *s, const char *verdict,
                          const char *subject, const char *why)
{
	struct letter_out out = LETTER_OUT_INIT;
	struct report_game game = brief_game(d->srv, &s->hand, s->seat, &d->player);
	const struct doc *examples = brief_examples(&s->hand, s->seat->seat);
	const char *lines[4];
	size_t n = 0;
	bool can_play = s->hand.turn.state == TURN_OPEN && !turn_has_passed(d, s);

	for (const struct doc_block *b = examples->first; b && n < 2; b = b->next)
		if (b->kind == DOC_EXAMPLE)
			lines[n++] = b->text;
	const char *open =
	    can_play ? arena_printf(d->arena,
	                            "%s is open now. To play it, answer this mail with "
	                            "orders for it, for instance:",
	                            label_at_start(d, s->hand.turn.label))
		     : "The next report will come shortly; answer that one.";
	report_notice(
	    &(struct report_notice){
		.game = &game,
		.subject = subject,
		.paragraphs = (const char *const[]){why, open},
		.nparagraphs = 2,
		.examples = lines,
		.nexamples = can_play ? n : 0,
	    },
	    &out);
	dealing_verdict(d, verdict, "%s; not used", subject);
	enum err rc = dealing_answer(d, &s->hand, s->seat, verdict, &out);
	letter_out_release(&out);
	return rc;
}

static enum err late(struct dealing *d, struct sitting *s, const char *why)
{
	return set_aside(d, s, "late", "orders came too late", why);
}

/* Whoever answers a report from before the server was set back to a copy names such a turn. */
static enum err early(struct dealing *d, struct sitting *s)
{
	return set_aside(
	    d, s, "early", "orders for a later turn",
	    "Your orders belong to a turn that is not open yet. They were not used, and "
	    "they are not kept for it.");
}

/* Which turn the mail answers, 0 = none: a digest has shown one of each of the player's games. */
static enum err turn_named(struct dealing *d, const struct sitting *s, unsigned *serial)
{
	*serial = d->has_serial && d->game == s->hand.game.id ? d->serial : 0;
	if (*serial != 0 || d->bundle == 0)
		return ERR_NONE;
	return bundle_turn(d->srv->store, d->player.id, d->bundle, s->hand.game.id, serial);
}

/* Whether this mail is for the turn that is open; otherwise the sender has been told. */
static enum err turn_fits(struct dealing *d, struct sitting *s, const struct letter_item *item,
                          bool *fits)
{
	const struct turn *t = &s->hand.turn;
	unsigned serial;
	TRY(turn_named(d, s, &serial));
	bool names_turn = serial != 0;
	bool can_repeat = item->verb != CMD_ORDERS && item->orders.len == 0 &&
	                  item->line != 0 && t->state == TURN_OPEN && !sitting_is_late(d, s);

	*fits = false;
	if (can_repeat && names_turn && serial != t->serial)
		return command_set_aside(d, s, item, serial > t->serial ? "early" : "late");
	if (names_turn && serial > t->serial)
		return early(d, s);
	if (names_turn && serial != t->serial && serial > t->parent &&
	    t->parent + 1 < t->serial)
		return late(
		    d, s,
		    "Your orders belong to a turn that was taken back by the master of the "
		    "game. They were not used, and they were not moved to another turn.");
	if (names_turn && serial != t->serial)
		return late(
		    d, s,
		    "Your orders belong to an earlier turn, which is over. They were not used, "
		    "and they were not moved to another turn.");
	if (!names_turn && d->arrived_utc < t->opened_utc)
		return late(
		    d, s,
		    "Your orders were sent before the present turn opened, so they cannot be "
		    "meant for it. They were not used.");
	if (t->state != TURN_OPEN)
		return late(d, s,
		            "Your orders came after the turn was closed. They were not used.");
	if (turn_has_passed(d, s))
		return late(
		    d, s,
		    "Your orders came after the deadline of the turn they belong to. They were "
		    "not used; what you had sent before, or else the default, counts.");
	*fits = true;
	return ERR_NONE;
}

static enum err load_orders(struct dealing *d, struct sitting *s)
{
	TRY(order_set_load_sent(d->srv, &s->hand, &s->set));
	for (size_t i = 0; i < s->set.nrevisions; i++)
		if (s->set.revisions[i].seat == s->seat->seat)
			s->last = s->set.revisions[i].revision;
	const struct seat_entry *e = &s->set.seats[s->seat->seat];
	if (e->acts && e->revision > 0)
		s->before = e->canonical;
	return provisions_load(d->srv, &s->hand, &s->laid);
}

/* A draft or standing orders have stepped in for the seat at the deadline. */
static bool is_covered(const struct sitting *s)
{
	return !s->before.ptr &&
	       seat_in((struct seat_set){s->hand.turn.covered}, s->seat->seat);
}

/*
 * In the grace only those may order who had nothing at the deadline: whoever was in time must
 * gain nothing by waiting to see who is late.
 */
static enum err is_locked(struct dealing *d, struct sitting *s, bool *locked)
{
	const struct seat_entry *e = &s->set.seats[s->seat->seat];
	bool covered = is_covered(s);

	*locked = sitting_is_late(d, s) &&
	          (covered || (s->before.ptr && e->received_utc <= s->hand.turn.deadline_utc));
	if (!*locked)
		return ERR_NONE;
	dealing_verdict(d, "locked", "orders were in time and cannot be changed in the grace");
	return dealing_notice(
	    d, &s->hand, s->seat, "your orders are fixed",
	    arena_printf(d->arena, "status %s", s->hand.id),
	    "Your mail came after the deadline. %s, so they count "
	    "and "
	    "nothing in this mail was carried out: the grace is only for those who have sent "
	    "none. The report follows when it is over. What is stored for you is shown by:",
	    covered ? "The orders you had laid down before have stepped in for you"
		    : "Your orders had come in time");
}

enum err sit_at_table(struct dealing *d, const struct letter_item *item, struct sitting *s,
                      bool *ready)
{
	bool found;

	*s = (struct sitting){0};
	*ready = false;
	TRY(dealing_game(d, item, &s->hand, &s->seat, &found));
	if (!found)
		return ERR_NONE;
	const char *why = cannot_order(s);
	if (why)
		return not_now(d, s, "refused", "your orders were not used", why);
	TRY(hand_position_to_read(d->srv, &s->hand));
	if (s->hand.turn.serial == 0)
		return not_now(d, s, "refused", "your orders were not used",
		               "The game is just being set up. Answer the report of turn 1, "
		               "which follows.");
	*ready = true;
	return load_orders(d, s);
}

enum err sitting_at_table(struct dealing *d, const struct letter_item *item, sitting_act *act)
{
	struct sitting s;
	bool ready;
	enum err rc = sit_at_table(d, item, &s, &ready);

	if (rc == ERR_NONE && ready)
		rc = act(d, &s, item);
	sitting_release(&s);
	return rc;
}

enum err sit_down(struct dealing *d, const struct letter_item *item, struct sitting *s,
                  bool *ready)
{
	bool locked;

	TRY(sit_at_table(d, item, s, ready));
	if (*ready)
		TRY(turn_fits(d, s, item, ready));
	if (!*ready)
		return ERR_NONE;
	TRY(is_locked(d, s, &locked));
	*ready = !locked;
	return ERR_NONE;
}

/* ---- what is stored for the seat ---- */

/* At the deadline it is settled what steps in; before that the newest word counts. */
static enum err see_cover(struct dealing *d, struct sitting *s)
{
	struct turn *t = &s->hand.turn;
	struct seat_set covered = {t->covered};
	struct stand_in in;

	if (!sitting_in_time(d, s) || !seat_in((struct seat_set){t->owes}, s->seat->seat))
		return ERR_NONE;
	TRY(stand_in_find(d->srv, &s->hand, &s->laid, s->seat->seat, &in));
	bool now = stand_in_covers(&in);
	if (now == seat_in(covered, s->seat->seat))
		return ERR_NONE;
	covered = now ? seat_with(covered, s->seat->seat)
	              : seat_without(covered, s->seat->seat);
	t->covered = covered.bits;
	return turn_set_covered(d->srv->store, t->game, t->serial, s->seat->seat, now);
}

/* The same when something has been laid down or taken back. */
static enum err renew_cover(struct dealing *d, struct sitting *s)
{
	TRY(provisions_load(d->srv, &s->hand, &s->laid));
	return see_cover(d, s);
}

enum err sitting_lay_down(struct dealing *d, struct sitting *s, const struct provision *p)
{
	struct provision row = *p;

	row.game = s->hand.game.id;
	row.seat = s->seat->seat;
	row.received_utc = d->arrived_utc;
	row.mail = d->inbox_id;
	TRY(provision_set(d->srv->store, &row));
	return renew_cover(d, s);
}

enum err sitting_take_back(struct dealing *d, struct sitting *s, enum provision_kind kind,
                           unsigned number)
{
	TRY(provision_drop(d->srv->store, s->hand.game.id, s->seat->seat, kind, number));
	return renew_cover(d, s);
}

/* Time for second thoughts counts from the last orders; it is for the others too. */
static enum err settle_later(struct dealing *d, struct sitting *s)
{
	struct turn *t = &s->hand.turn;

	if (s->hand.calendar.delay_s == 0)
		return ERR_NONE;
	t->settle_utc = d->sure_utc + s->hand.calendar.delay_s;
	return turn_set_settle(d->srv->store, t->game, t->serial, t->settle_utc);
}

enum err sitting_store(struct dealing *d, struct sitting *s, const struct order_revision *r)
{
	struct order_revision row = *r;
	struct seat_set have = {s->hand.turn.have};

	row.game = s->hand.game.id;
	row.serial = s->hand.turn.serial;
	row.seat = s->seat->seat;
	row.revision = s->last + 1;
	row.canonical = arena_dup(d->arena, r->canonical);
	TRY(orders_append(d->srv->store, &row));
	TRY(settle_later(d, s));
	order_set_put_unproven(&s->set, &row);
	have = row.cleared ? seat_without(have, row.seat) : seat_with(have, row.seat);
	s->hand.turn.have = have.bits;
	s->last = row.revision;
	if (provision_of(&s->laid, row.seat, PROVISION_DRAFT, row.serial))
		return sitting_take_back(d, s, PROVISION_DRAFT, row.serial);
	return see_cover(d, s);
}
