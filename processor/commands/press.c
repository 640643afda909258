/*
 * press.c - PRESS TO, BROADCAST and DIARY.
 *
 * A message goes to all who are named or to nobody: a name that is not known stops it, so that
 * nobody is left out by a typing error. Who is named but cannot read (a bot, an empty seat) is
 * left out, and the receipt says so.
 */
#include "processor/base/utf8.h"
#include "processor/commands/commands.h"
#include "processor/outgoing/unreachable.h"
#include "processor/request/press_recipients.h"
#include "processor/request/which_game.h"
#include "processor/server/zones.h"

enum { DAY_S = 24 * 3600, DIARY_FACTOR = 16 };

static bool is_diary(const struct press_request *p)
{
	return p->item->verb == CMD_DIARY;
}

/* ---- refusing ---- */

/* Nothing went out: why, and how it would. */
static enum err refuse(struct press_request *p, bool may_try, const char *why)
{
	struct request *req = p->req;
	unsigned reader = 0; /* somebody this writer could write to */

	for (size_t i = p->match->nseats; i > 0 && !is_diary(p); i--) {
		const struct seat *s = &p->match->seats[i - 1];

		if (s != p->seat && s->player != 0 && s->confirmed && !s->resigned)
			reader = s->seat;
	}
	const char *first = reader ? arena_printf(p->req->arena, "press to %u", reader)
	                           : "diary";

	may_try = may_try && p->seat && (reader != 0 || is_diary(p));
	request_verdict(req, "refused", "a message was not sent");
	return request_answer_notice(
	    req, p->match, p->seat, "notice",
	    &(struct report_notice){
		.subject = is_diary(p) ? "not in your diary" : "your message was not sent",
		.paragraphs = TEXTS(
		    arena_printf(p->req->arena, "%s %s", why,
	                         is_diary(p) ? "Nothing was kept." : "It was sent to nobody."),
		    may_try ? "A message is written like this:" : NULL),
		.examples = TEXTS(may_try ? first : NULL, "Your text.", "endpress"),
	    });
}

/* Why this writer cannot write here, whatever it is. */
static const char *writer_objection(const struct press_request *p)
{
	const char *why;

	if (!p->seat)
		return arena_printf(p->req->arena,
		                    "You have no seat in %s, and only its players write there.",
		                    p->match->id);
	if (p->seat->resigned && p->match->game.ended_utc == 0)
		return "You have left this game.";
	if (!p->seat->confirmed)
		return "Your seat is not confirmed yet: first answer the mail that welcomed "
		       "you.";
	if (is_diary(p) && p->match->game.ended_utc != 0)
		return "This game has ended, and its diaries have been opened.";
	if (!is_diary(p) && !press_is_open(p->match, &p->rules, p->req->sure_utc, &why))
		return why;
	return NULL;
}

static const char *text_objection(struct press_request *p)
{
	unsigned most = p->req->srv->cfg.max_press_size;

	if (p->item->unnamed && p->rules.mode == PRESS_WHITE)
		return arena_printf(
		    p->req->arena,
		    "You asked to stay unnamed, but press in %s is white: every message names "
		    "its writer. Leave ANON out if that is all right.",
		    p->match->id);
	if (p->press.text.len == 0)
		return "There is no text: it goes on the lines below the command. Quoted "
		       "lines do not count.";
	if (p->press.text.len > most)
		return arena_printf(
		    p->req->arena,
		    "Your text has %zu bytes, and %u are the most that are taken at once.",
		    p->press.text.len, most);
	return NULL;
}

/* ---- limits ---- */

/* *why NULL: within the limits. */
static enum err check_limits(struct press_request *p, const char **why)
{
	struct request *req = p->req;
	unsigned most = req->srv->cfg.press_per_day;
	int64_t diary_most = (int64_t)DIARY_FACTOR * req->srv->cfg.max_press_size;
	struct press_kept kept;
	int64_t nth;

	*why = NULL;
	TRY(press_nth(req->srv->store, p->match->game.id, p->seat->seat, most, &nth));
	TRY(press_kept_of(req->srv->store, p->match->game.id, p->seat->seat, &kept));
	if (nth > p->press.written_utc - DAY_S)
		*why = arena_printf(p->req->arena,
		                    "You have written %u times in %s within a day, and more "
		                    "is not taken. You may write again after %s.",
		                    most, p->match->id,
		                    zone_human(zone_of_reader(p->req->srv, &p->req->who.player),
		                               nth + DAY_S, p->req->arena));
	else if (!is_diary(p) && kept.messages >= most)
		*why = arena_printf(p->req->arena,
		                    "%u messages of yours wait for the next report of %s, and "
		                    "more are not taken before it.",
		                    most, p->match->id);
	else if (is_diary(p) && kept.diary_size + (int64_t)p->press.text.len > diary_most)
		*why = arena_printf(p->req->arena,
		                    "Your diary is full: it holds up to %lld bytes.",
		                    (long long)diary_most);
	p->entry = kept.diary + 1;
	return ERR_NONE;
}

/*
 * Without an end word a message takes the whole mail. If orders stand in it they were hardly
 * meant for the other players: better to ask than to show them.
 */
static enum err check_end(struct press_request *p, const char **why)
{
	struct strbuf plain = STRBUF_INIT;
	struct span rest = p->press.text, line;
	enum tried r;

	*why = NULL;
	if (p->item->ended)
		return ERR_NONE;
	while (span_next_line(&rest, &line)) {
		utf8_add_plain(&plain, line);
		strbuf_addc(&plain, '\n');
	}
	struct span lines = arena_dup(p->req->arena, strbuf_span(&plain));
	strbuf_release(&plain);
	TRY(orders_try(p->req, p->match->game.id, lines, &r));
	if (r != TRIED_TALK)
		*why = "The text has no end word, so it goes on to the end of your mail, and "
		       "there seem to be orders in it. To keep them from being shown to "
		       "others, write ENDPRESS between the text and the orders, or below both "
		       "if they belong to the text. Orders in it were not stored either.";
	return ERR_NONE;
}

/* ---- sending ---- */

static const char *nobody_reads(struct press_request *p)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_adds(&text, p->press.kind == PRESS_TO_ALL
	                       ? "There is nobody else in this game who could read it."
	                       : "None of those you named can read it.");
	for (size_t i = 0; i < p->nnotes; i++)
		strbuf_addf(&text, " %s", p->notes[i]);
	return arena_take(p->req->arena, &text).ptr;
}

static enum err send_one(struct press_request *p, struct seat *seat, int64_t player, bool *gone)
{
	struct request *req = p->req;
	struct report_out out = REPORT_OUT_INIT, carried = REPORT_OUT_INIT;
	struct player reader;

	TRY(player_get(req->srv->store, player, req->arena, &reader));
	*gone = reader.forgotten || reader.address.len == 0 || (!seat && reader.blocked);
	if (*gone)
		return ERR_NONE;
	out.form = carried.form = report_form_of(&reader.form);
	struct report_press letter = {
	    .arena = req->arena,
	    .game = report_values_game(req->srv, p->match, seat, &reader),
	    .message = press_message(p->match, &p->press),
	    .reader_owes = seat && p->match->has_turn && p->match->turn.state == TURN_OPEN &&
	                   seat_in((struct seat_set){p->match->turn.owes}, seat->seat),
	};
	letter.game.observer = seat == NULL;
	report_press(&letter, &out);
	struct digest_policy keep = {0};
	if (p->match->game.ended_utc == 0)
		keep = digest_policy_of(req->srv, &reader, OUTGOING_MESSAGE, 0);
	if (keep.waits && seat) {
		size_t before = p->nnotes;

		press_add_note(
		    p, arena_printf(p->req->arena,
		                    reader.mail_mode == MAIL_ROUND
		                        ? "%s gets messages with the report of the turn."
		                        : "%s gets all mail once a day.",
		                    p->match->names.names[seat->seat]));
		p->nlater += p->nnotes - before; /* not more than there is room for */
	}
	digest_policy_carry(&letter.game, NULL);
	if (keep.waits)
		report_press(&letter, &carried);
	struct outgoing outgoing = {
	    .kind = "press",
	    .key = request_next_key(req),
	    .game = &p->match->game,
	    .seat = seat,
	    .serial = p->match->has_turn ? p->match->turn.serial : 0,
	    .player = reader.id,
	    .address = reader.address,
	    .form = reader.form,
	    .report = &out,
	    .keep = keep,
	    .carried = &carried,
	    .cause = req->inbox_id,
	    .unsubscribe = seat ? NULL : arena_printf(req->arena, "unobserve %s", p->match->id),
	};
	enum err rc = outgoing_add(req->srv, &outgoing, req->arena);
	report_out_release(&out);
	report_out_release(&carried);
	return rc;
}

static enum err send_to_seats(struct press_request *p)
{
	bool gone;

	for (size_t i = 0; i < p->match->nseats; i++) {
		struct seat *s = &p->match->seats[i];
		bool lost;

		if (!seat_in((struct seat_set){p->press.seats}, s->seat))
			continue;
		const char *name = p->match->names.names[s->seat];
		TRY(unreachable_now(p->req->srv, s->player, p->req->arena, &lost));
		if (lost)
			press_add_note(
			    p, arena_printf(p->req->arena,
			                    "Mail to %s comes back to us at present, so it "
			                    "waits until %s writes again.",
			                    name, name));
		if (p->rules.waits)
			continue;
		TRY(send_one(p, s, s->player, &gone));
		if (gone)
			press_add_note(p, arena_printf(p->req->arena,
			                               "There is no address of %s any more.",
			                               p->match->names.names[s->seat]));
	}
	return ERR_NONE;
}

static enum err send_to_observers(struct press_request *p)
{
	struct observer *list;
	size_t n;
	bool gone, lost; /* what they would only watch is not kept for them */

	if (p->press.kind != PRESS_TO_ALL || p->rules.waits ||
	    p->rules.observers != OBSERVERS_NOW)
		return ERR_NONE;
	TRY(observer_list(p->req->srv->store, p->match->game.id, p->req->arena, &list, &n));
	for (size_t i = 0; i < n; i++) {
		TRY(unreachable_now(p->req->srv, list[i].player, p->req->arena, &lost));
		if (!lost && list[i].press && !match_plays(p->match, list[i].player, false))
			TRY(send_one(p, NULL, list[i].player, &gone));
	}
	return ERR_NONE;
}

static enum err send_receipt(struct press_request *p)
{
	struct request *req = p->req;
	struct report_out out = REPORT_OUT_TO_SENDER(req), carried = REPORT_OUT_TO_SENDER(req);
	struct digest_policy keep = {0};

	/* Who does not get it is to be known at once. */
	if (p->item->ended && p->nnotes <= p->nlater && p->match->game.ended_utc == 0)
		keep = digest_policy_of(req->srv, &req->who.player, OUTGOING_RECEIPT, 0);
	if (!p->item->ended)
		press_add_note(p,
		               "There was no end word, so all your own lines down to the end "
		               "of your mail are the text.");
	struct report_press_receipt receipt = {
	    .game = report_values_game(req->srv, p->match, p->seat, &req->who.player),
	    .message = press_message(p->match, &p->press),
	    .waits = p->rules.waits,
	    .entry = is_diary(p) ? p->entry : 0,
	    .notes = p->notes,
	    .nnotes = p->nnotes,
	};
	report_press_receipt(&receipt, &out);
	digest_policy_carry(&receipt.game, NULL);
	if (keep.waits)
		report_press_receipt(&receipt, &carried);
	enum err rc =
	    request_answer_later(req, p->match, p->seat, "receipt", &out, &keep, &carried);
	report_out_release(&out);
	report_out_release(&carried);
	return rc;
}

enum err do_press(struct request *req, const struct command *item, struct match *match,
                  struct seat *seat)
{
	struct press_request p = {.req = req, .item = item, .match = match, .seat = seat};
	uint32_t named = 0;
	const char *why;

	TRY(press_rules_get(req->srv->store, match->game.id, &p.rules));
	if (match->game.ended_utc != 0) { /* no report comes any more that could bring it */
		p.rules.waits = false;
		if (p.rules.observers == OBSERVERS_REPORT)
			p.rules.observers = OBSERVERS_NOW;
	}
	why = writer_objection(&p);
	if (why)
		return refuse(&p, false, why);
	p.press = (struct press){.game = match->game.id,
	                         .serial = match->has_turn ? match->turn.serial : 0,
	                         .seat = seat->seat,
	                         .kind = is_diary(&p)                  ? PRESS_DIARY
	                                 : item->verb == CMD_BROADCAST ? PRESS_TO_ALL
	                                                               : PRESS_TO_SOME,
	                         .unnamed = item->unnamed,
	                         .written_utc = req->arrived_utc,
	                         .mail = req->inbox_id,
	                         .text = press_cleaned(req->srv, item->message, req->arena)};
	why = text_objection(&p);
	if (!why)
		TRY(check_end(&p, &why));
	if (!why)
		TRY(check_limits(&p, &why));
	if (!why && !is_diary(&p))
		why = press_read_names(&p, &named);
	if (why)
		return refuse(&p, true, why);
	if (!is_diary(&p))
		press_choose_readers(&p, named);
	if (!is_diary(&p) && p.press.seats == 0)
		return refuse(&p, true, nobody_reads(&p));
	/* The row: what is still to be brought by a report stays in it. */
	struct press row = p.press;
	bool observers_wait = row.kind == PRESS_TO_ALL && p.rules.observers == OBSERVERS_REPORT;

	if (!p.rules.waits)
		row.seats = 0;
	if (!p.rules.waits && !observers_wait && row.kind != PRESS_DIARY)
		row.delivered_utc = req->srv->now_utc;
	TRY(press_add(req->srv->store, &row));
	request_verdict(req, "press", is_diary(&p) ? "a diary entry in %s" : "a message in %s",
	                match->id);
	TRY(send_to_seats(&p));
	TRY(send_to_observers(&p));
	return send_receipt(&p);
}
