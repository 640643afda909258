/*
 * order_entry.c - may this mail order for this turn, and what has a receipt to add?
 */
#include "processor/request/order_entry.h"

#include "processor/base/paper_words.h"
#include "processor/games/repair.h"
#include "processor/request/which_game.h"
#include "processor/server/zones.h"
#include "store/digests.h"
#include "store/inbox.h"

static enum err not_now(struct request *req, struct order_entry *s, const char *text)
{
	static const char subject[] = "your orders were not used";

	request_verdict(req, "refused", "%s", subject);
	return request_notice(req, s->match, s->seat, subject, "", "%s", text);
}

/* Why this seat cannot order now, whatever the turn; NULL when it can. */
static const char *cannot_order(const struct order_entry *s)
{
	switch (s->match->game.status) {
	case GAME_GATHERING:
		if (s->seat && !s->seat->confirmed)
			return "This game has not begun: it waits for your confirmation. "
			       "Please answer "
			       "the mail that asks for it with YES.";
		return "This game has not begun: it waits for players. You will get a report "
		       "when turn 1 opens; answer that one with your orders.";
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

bool order_entry_is_late(const struct request *req, const struct order_entry *s)
{
	return match_came_after(s->match, req->arrived_utc, s->match->turn.deadline_utc);
}

bool order_entry_in_time(const struct request *req, const struct order_entry *s)
{
	return s->match->turn.state == TURN_OPEN && !order_entry_is_late(req, s);
}

/* Behind the deadline and the grace, if there is any. */
static bool turn_has_passed(const struct request *req, const struct order_entry *s)
{
	const struct turn *t = &s->match->turn;

	return order_entry_is_late(req, s) &&
	       (t->grace_utc == 0 ||
	        match_came_after(s->match, req->arrived_utc, t->grace_utc));
}

/* RESIGN and the like: it is for them to say whether they still mean it. */
static enum err command_set_aside(struct request *req, struct order_entry *s,
                                  const struct command *item, const char *verdict)
{
	const char *line = arena_cstr(req->arena, item->text);

	request_verdict(req, verdict, "a command about another turn; not carried out");
	return request_answer_notice(
	    req, s->match, s->seat, verdict,
	    &(struct report_notice){
		.subject = "not carried out: another turn is open",
		.paragraphs = TEXTS(arena_printf(
		    req->arena,
		    "Your line \"%s\" was not carried out: your mail answers another turn than "
		    "the one that is open now. If you still mean it, reply with it:",
		    line)),
		.examples = TEXTS(line),
	    });
}

/* Orders for another turn than the open one: why they are not used, and what to do now. */
static enum err set_aside(struct request *req, struct order_entry *s, const char *verdict,
                          const char *subject, const char *why)
{
	const struct doc *examples = report_values_examples(s->match, s->seat->seat);
	const char *lines[4] = {NULL};
	size_t n = 0;
	bool can_play = s->match->turn.state == TURN_OPEN && !turn_has_passed(req, s);

	for (const struct doc_block *b = examples->first; b && n < 2; b = b->next)
		if (b->kind == DOC_EXAMPLE)
			lines[n++] = b->text;
	/* "Turn 5": labels are written as within a sentence. */
	char *label = arena_cstr(req->arena, s->match->turn.label);
	if (label[0] >= 'a' && label[0] <= 'z')
		label[0] = (char)(label[0] - 'a' + 'A');
	const char *open = can_play
	                       ? arena_printf(req->arena,
	                                      "%s is open now. To play it, reply with orders, "
	                                      "for example:",
	                                      label)
	                       : "The next report is on its way; reply to that one.";
	request_verdict(req, verdict, "%s; not used", subject);
	return request_answer_notice(req, s->match, s->seat, verdict,
	                             &(struct report_notice){
					 .subject = subject,
					 .paragraphs = TEXTS(why, open),
					 .examples = can_play ? lines : NULL,
				     });
}

static enum err late(struct request *req, struct order_entry *s, const char *why)
{
	return set_aside(req, s, "late", "orders came too late", why);
}

/* Which turn the mail answers, 0 = none: a digest has shown one of each of the player's games. */
static enum err turn_named(struct request *req, const struct order_entry *s, unsigned *serial)
{
	*serial = req->about.has_serial && req->about.game == s->match->game.id
	              ? req->about.serial
	              : 0;
	if (*serial != 0 || req->about.digest == 0)
		return ERR_NONE;
	return digest_turn(req->srv->store, req->who.player.id, req->about.digest,
	                   s->match->game.id, serial);
}

/* Whether this mail is for the turn that is open; otherwise the sender has been told. */
static enum err turn_fits(struct request *req, struct order_entry *s,
                          const struct command *item, bool *fits)
{
	const struct turn *t = &s->match->turn;
	unsigned serial;
	TRY(turn_named(req, s, &serial));
	bool names_turn = serial != 0;
	bool can_repeat = item->verb != CMD_ORDERS && item->orders.len == 0 &&
	                  item->line != 0 && t->state == TURN_OPEN &&
	                  !order_entry_is_late(req, s);

	*fits = false;
	if (can_repeat && names_turn && serial != t->serial)
		return command_set_aside(req, s, item, serial > t->serial ? "early" : "late");
	if (names_turn && serial > t->serial)
		return set_aside(
		    req, s, "early", "orders for a later turn",
		    "Your orders belong to a turn that is not open yet. They were not used, and "
		    "they are not kept for it.");
	if (names_turn && serial != t->serial && serial > t->parent &&
	    t->parent + 1 < t->serial)
		return late(req, s,
		            "Your orders belong to a turn that the game master has rolled "
		            "back. They were not "
		            "used, and they were not moved to another turn.");
	if (names_turn && serial != t->serial)
		return late(
		    req, s,
		    "Your orders belong to an earlier turn, which is over. They were not used, "
		    "and they were not moved to another turn.");
	if (!names_turn && req->arrived_utc < t->opened_utc)
		return late(
		    req, s,
		    "Your orders were sent before the present turn opened, so they cannot be "
		    "meant for it. They were not used.");
	if (t->state != TURN_OPEN)
		return late(req, s,
		            "Your orders came after the turn was closed. They were not used.");
	if (turn_has_passed(req, s))
		return late(
		    req, s,
		    "Your orders came after the deadline of the turn they belong to. They were "
		    "not used; what you had sent before, or else the default, counts.");
	*fits = true;
	return ERR_NONE;
}

/*
 * In the grace only those may order who had nothing at the deadline: whoever was in time must
 * gain nothing by waiting to see who is late.
 */
static enum err is_locked(struct request *req, struct order_entry *s, bool *locked)
{
	const struct seat_entry *e = &s->set.seats[s->seat->seat];
	bool covered = !s->before.ptr &&
	               seat_in((struct seat_set){s->match->turn.covered}, s->seat->seat);

	*locked =
	    order_entry_is_late(req, s) &&
	    (covered || (s->before.ptr && e->received_utc <= s->match->turn.deadline_utc));
	if (!*locked)
		return ERR_NONE;
	request_verdict(req, "locked",
	                "orders were in time and cannot be changed in the grace");
	return request_notice(
	    req, s->match, s->seat, "your orders are fixed",
	    arena_printf(req->arena, "status %s", s->match->id),
	    covered
		? "Your mail came after the deadline. The orders you had prepared are used, so "
		  "nothing in this mail was carried out: the grace is only for those who "
		  "have sent none. The report follows when it is over. To see what is stored "
		  "for you, send:"
		: "Your mail came after the deadline. Your orders had come in time, so they "
		  "count and nothing in this mail was carried out: the grace is only for "
		  "those who have sent none. The report follows when it is over. To see what "
		  "is stored for you, send:");
}

enum err order_entry_open_seat(struct request *req, const struct command *item,
                               struct order_entry *s, bool *ready)
{
	bool found;

	*s = (struct order_entry){0};
	*ready = false;
	TRY(request_game(req, item, &s->match, &s->seat, &found));
	if (!found)
		return ERR_NONE;
	const char *why = cannot_order(s);
	if (why)
		return not_now(req, s, why);
	TRY(match_position_to_read(req->srv, s->match));
	if (s->match->turn.serial == 0)
		return not_now(req, s,
		               "The game is just being set up. Answer the report of turn 1, "
		               "which follows.");
	*ready = true;
	TRY(order_set_load_sent(req->srv, s->match, &s->set));
	for (size_t i = 0; i < s->set.nrevisions; i++)
		if (s->set.revisions[i].seat == s->seat->seat)
			s->last = s->set.revisions[i].revision;
	const struct seat_entry *e = &s->set.seats[s->seat->seat];
	if (e->acts && e->revision > 0)
		s->before = e->canonical;
	return standing_orders_load(req->srv, s->match, &s->standing);
}

enum err order_entry_open(struct request *req, const struct command *item,
                          struct order_entry *s, bool *ready)
{
	bool locked;

	TRY(order_entry_open_seat(req, item, s, ready));
	if (*ready)
		TRY(turn_fits(req, s, item, ready));
	if (!*ready)
		return ERR_NONE;
	TRY(is_locked(req, s, &locked));
	*ready = !locked;
	return ERR_NONE;
}

/* ---- what is stored for the seat ---- */

/* At the deadline it is settled what steps in; before that the newest word counts. */
static enum err see_cover(struct request *req, struct order_entry *s)
{
	struct turn *t = &s->match->turn;
	struct seat_set covered = {t->covered};
	struct substitute in;

	if (!order_entry_in_time(req, s) || !seat_in((struct seat_set){t->owes}, s->seat->seat))
		return ERR_NONE;
	TRY(substitute_find(req->srv, s->match, &s->standing, s->seat->seat, false, &in));
	bool now = substitute_covers(in.origin);
	if (now == seat_in(covered, s->seat->seat))
		return ERR_NONE;
	covered = now ? seat_with(covered, s->seat->seat)
	              : seat_without(covered, s->seat->seat);
	t->covered = covered.bits;
	return turn_set_covered(req->srv->store, t->game, t->serial, s->seat->seat, now);
}

/* The same when something has been stored or taken back. */
static enum err renew_cover(struct request *req, struct order_entry *s)
{
	TRY(standing_orders_load(req->srv, s->match, &s->standing));
	return see_cover(req, s);
}

enum err order_entry_store_standing(struct request *req, struct order_entry *s,
                                    const struct standing_order *p)
{
	struct standing_order row = *p;

	row.game = s->match->game.id;
	row.seat = s->seat->seat;
	row.received_utc = req->arrived_utc;
	row.mail = req->inbox_id;
	TRY(request_contribution(req, s->match, row.seat, &row.contribution));
	TRY(standing_order_set(req->srv->store, &row));
	return renew_cover(req, s);
}

struct span order_entry_draft(const struct order_entry *s)
{
	const struct standing_order *p = standing_order_of(
	    &s->standing, s->seat->seat, STANDING_DRAFT, s->match->turn.serial);

	return p ? p->text : (struct span){NULL, 0};
}

enum err order_entry_store_draft(struct request *req, struct order_entry *s,
                                 struct span canonical)
{
	struct span text = arena_dup(req->arena, canonical); /* it may be what was in force */

	if (s->before.ptr)
		TRY(order_entry_store(req, s,
		                      &(struct order_revision){.origin = ORDER_SENT,
		                                               .cleared = true,
		                                               .mail = req->inbox_id,
		                                               .received_utc = req->arrived_utc,
		                                               .canonical = SPAN_EMPTY}));
	s->before = (struct span){NULL, 0};
	return order_entry_store_standing(
	    req, s,
	    &(struct standing_order){
		.kind = STANDING_DRAFT, .number = s->match->turn.serial, .text = text});
}

enum err order_entry_drop_standing(struct request *req, struct order_entry *s,
                                   enum standing_order_kind kind, unsigned number)
{
	TRY(standing_order_drop(req->srv->store, s->match->game.id, s->seat->seat, kind,
	                        number));
	return renew_cover(req, s);
}

/* ---- where the mail came from ---- */

/* Letters in lower case, and one '-' for whatever is between them and at both ends. */
static void add_letters(struct strbuf *out, struct span text)
{
	strbuf_addc(out, '-');
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		if (c >= 'a' && c <= 'z')
			strbuf_addc(out, c);
		else if (out->ptr[out->len - 1] != '-')
			strbuf_addc(out, '-');
	}
	if (out->ptr[out->len - 1] != '-')
		strbuf_addc(out, '-');
}

/* However they were quoted, broken into lines or typed. */
static bool has_words(struct span text, const struct strbuf *words)
{
	struct strbuf letters = STRBUF_INIT;
	bool has;

	add_letters(&letters, text);
	has = span_find(strbuf_span(&letters), strbuf_span(words)) < letters.len;
	strbuf_release(&letters);
	return has;
}

static bool quotes_head(const struct mail_in *mail, const struct hash *head)
{
	struct strbuf words = STRBUF_INIT;
	bool quotes = false;

	strbuf_addc(&words, '-');
	paper_words_add_four(head, &words);
	strbuf_addc(&words, '-');
	for (size_t i = 0; i < mail->ntexts && !quotes; i++)
		quotes = has_words(mail->texts[i].text, &words);
	for (size_t i = 0; i < mail->enclosed.count && !quotes; i++)
		quotes = has_words(mail->enclosed.items[i], &words);
	strbuf_release(&words);
	return quotes;
}

/*
 * What the record says of the mail that brought orders, besides these: that it quoted the four words of the last
 * report, and which signature its sender's mail server put on it: the lines "answered" and "dkim" of
 * molepost-archive(5). Nothing in games whose record has no such lines.
 */
static void provenance_note(struct request *req, const struct match *match,
                            struct order_revision *row)
{
	const struct mail_dkim *dkim = &req->mail->dkim;
	const struct config *cfg = &req->srv->cfg;

	if (match->game.record_version == 1)
		return;
	row->quotes_head = quotes_head(req->whole, &match->game.record_head);
	if (dkim->domain.len == 0)
		return;
	row->dkim = proof_dkim(dkim->domain, dkim->selector, dkim->signature);
	row->dkim_verified = cfg->authserv_id && cfg->authentication != AUTHENTICATION_IGNORE &&
	                     auth_results_verified(req->mail->auth_results,
	                                           span_of(cfg->authserv_id), dkim, req->arena);
}

enum err order_entry_store(struct request *req, struct order_entry *s,
                           const struct order_revision *r)
{
	struct order_revision row = *r;
	struct turn *t = &s->match->turn;
	struct seat_set have = {t->have};

	row.game = s->match->game.id;
	row.serial = t->serial;
	row.seat = s->seat->seat;
	row.revision = s->last + 1;
	row.canonical = arena_dup(req->arena, r->canonical);
	row.by_operator = s->seat->is_operator;
	if (row.mail == req->inbox_id) {
		TRY(request_contribution(req, s->match, row.seat, &row.contribution));
		provenance_note(req, s->match, &row);
		TRY(match_drop_copied_signature(req->srv, s->match, &row));
	}
	TRY(orders_append(req->srv->store, &row));
	/* Time for second thoughts counts from the last orders; it is for the others too. */
	if (s->match->calendar.delay_s != 0) {
		t->settle_utc = req->sure_utc + s->match->calendar.delay_s;
		TRY(turn_set_settle(req->srv->store, t->game, t->serial, t->settle_utc));
	}
	order_set_put_unproven(&s->set, &row);
	have = row.cleared ? seat_without(have, row.seat) : seat_with(have, row.seat);
	t->have = have.bits;
	s->last = row.revision;
	if (standing_order_of(&s->standing, row.seat, STANDING_DRAFT, row.serial))
		return order_entry_drop_standing(req, s, STANDING_DRAFT, row.serial);
	return see_cover(req, s);
}

void order_entry_repair(const struct order_entry *s, struct span before, struct span lines,
                        bool ok, struct diags *diags)
{
	orders_repair_examples(&(struct order_attempt){.rules = s->match->rules,
	                                               .state = s->match->state,
	                                               .seat = s->seat->seat,
	                                               .before = before,
	                                               .tables = s->match->tables,
	                                               .text = lines,
	                                               .ok = ok},
	                       diags);
}

/* ---- what a receipt adds about the mail it answers ---- */

static const char *when(struct request *req, int64_t t_utc)
{
	return zone_human(zone_of_reader(req->srv, &req->who.player), t_utc, req->arena);
}

static const char *how_it_came(struct request *req, const struct order_revision *r,
                               int64_t sent)
{
	if (req->who.settled)
		return arena_printf(req->arena,
		                    r->cleared
		                        ? "The mail you have said yes to is older than the one "
		                          "that withdrew your "
		                          "orders as #%u: it came %s. Your yes came last."
		                        : "The mail you have said yes to is older than the one "
		                          "that brought your "
		                          "orders #%u: it came %s. Your yes came last.",
		                    r->revision, when(req, req->arrived_utc));
	return arena_printf(
	    req->arena,
	    r->cleared
		? "An older mail has come after a newer one: this mail is dated %s, and the "
		  "one that withdrew your orders as #%u is dated %s. Mails count in the order "
		  "in "
		  "which they arrive."
		: "An older mail has come after a newer one: this mail is dated %s, and the "
		  "one that brought your orders #%u is dated %s. Mails count in the order in "
		  "which they arrive.",
	    when(req, req->sent_utc), r->revision, when(req, sent));
}

enum err receipt_note_overtaken(struct request *req, const struct order_entry *s, bool clears,
                                const char **out)
{
	const struct order_revision *last = NULL; /* of this seat */
	int64_t sent = 0;                         /* the Date of its mail */

	*out = NULL;
	for (size_t i = 0; i < s->set.nrevisions; i++)
		if (s->set.revisions[i].seat == s->seat->seat)
			last = &s->set.revisions[i];
	if (!last || last->mail == 0 || (clears && last->cleared))
		return ERR_NONE;
	if (last->mail ==
	    req->inbox_id) /* what another had sent, withdrawn with the TAKEOVER */
		return ERR_NONE;
	enum err rc = inbox_sent(req->srv->store, last->mail, &sent);
	if (rc != ERR_NONE && rc != ERR_NOT_FOUND)
		return rc;
	if (req->who.settled ? req->arrived_utc >= last->received_utc
	                     : req->sent_utc == 0 || req->sent_utc >= sent)
		return ERR_NONE;
	const char *what = arena_printf(req->arena,
	                                clears ? "%s Your orders are withdrawn now."
	                                       : "%s The orders above count now.",
	                                how_it_came(req, last, sent));
	*out =
	    last->cleared
		? arena_printf(req->arena, "%s To withdraw them, reply with \"CLEAR\".", what)
		: arena_printf(req->arena,
	                       "%s If you want the orders of the newer mail, which are in the "
	                       "receipt #%u, please send them once more.",
	                       what, last->revision);
	return ERR_NONE;
}
