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

#include "processor/base/banned.h"

enum { DAY_S = 24 * 3600, DIARY_FACTOR = 16 };

static bool is_diary(const struct pressing *p)
{
	return p->item->verb == CMD_DIARY;
}

/* ---- refusing ---- */

/* Somebody this writer could write to, 0 for nobody. */
static unsigned some_reader(const struct pressing *p)
{
	for (size_t i = 0; i < p->h->nseats; i++) {
		const struct seat *s = &p->h->seats[i];

		if (s != p->seat && s->player != 0 && s->confirmed && !s->resigned)
			return s->seat;
	}
	return 0;
}

/* Nothing went out: why, and how it would. */
static enum err refuse(struct pressing *p, bool may_try, const char *why)
{
	struct dealing *d = p->d;
	unsigned reader = is_diary(p) ? 0 : some_reader(p);
	struct report_game game = brief_game(d->srv, p->h, p->seat, &d->player);
	struct letter_out out = LETTER_OUT_INIT;
	const char *first = reader ? pressing_text(p, "press to %u", reader) : "diary";

	may_try = may_try && p->seat && (reader != 0 || is_diary(p));
	dealing_verdict(d, "refused", "a message was not sent");
	report_notice(
	    &(struct report_notice){
		.game = &game,
		.subject = is_diary(p) ? "not in your diary" : "your message was not sent",
		.paragraphs =
		    (const char *const[]){
			pressing_text(p, "%s %s", why,
	                              is_diary(p) ? "Nothing was kept."
	                                          : "Nobody has been sent anything of it."),
			"A message is written like this:"},
		.nparagraphs = may_try ? 2 : 1,
		.examples = (const char *const[]){first, "Here stands the text.", "endpress"},
		.nexamples = may_try ? 3 : 0,
	    },
	    &out);
	enum err rc = dealing_answer(d, p->h, p->seat, "notice", &out);
	letter_out_release(&out);
	return rc;
}

/* Why this writer cannot write here, whatever it is. */
static const char *writer_objection(const struct pressing *p)
{
	const char *why;

	if (!p->seat)
		return pressing_text(
		    p, "You have no seat in %s, and only its players write there.", p->h->id);
	if (p->seat->resigned)
		return "You have left this game.";
	if (!p->seat->confirmed)
		return "Your seat is not confirmed yet: first answer the mail that welcomed "
		       "you.";
	if (is_diary(p) && p->h->game.ended_utc != 0)
		return "This game has ended, and its diaries have been opened.";
	if (!is_diary(p) && !press_is_open(p->h, &p->rules, p->d->sure_utc, &why))
		return why;
	return NULL;
}

static const char *text_objection(struct pressing *p)
{
	unsigned most = p->d->srv->cfg.max_press_size;

	if (p->item->unnamed && p->rules.mode == PRESS_WHITE)
		return pressing_text(
		    p,
		    "You asked to stay unnamed, but press in %s is white: every message names "
		    "its writer. Leave ANON out if that is all right.",
		    p->h->id);
	if (p->press.text.len == 0)
		return "There is no text: it stands on the lines below the command. Quoted "
		       "lines do not count.";
	if (p->press.text.len > most)
		return pressing_text(
		    p, "Your text has %zu bytes, and %u are the most that are taken at once.",
		    p->press.text.len, most);
	return NULL;
}

/* ---- limits ---- */

static const char *time_text(struct pressing *p, int64_t utc)
{
	return zone_human(zone_of_reader(p->d->srv, &p->d->player), utc, p->d->arena);
}

/* *why NULL: within the limits. */
static enum err check_limits(struct pressing *p, const char **why)
{
	struct dealing *d = p->d;
	unsigned most = d->srv->cfg.press_per_day;
	int64_t diary_most = (int64_t)DIARY_FACTOR * d->srv->cfg.max_press_size;
	struct press_kept kept;
	int64_t nth;

	*why = NULL;
	TRY(press_nth(d->srv->store, p->h->game.id, p->seat->seat, most, &nth));
	TRY(press_kept_of(d->srv->store, p->h->game.id, p->seat->seat, &kept));
	if (nth > p->press.written_utc - DAY_S)
		*why = pressing_text(p,
		                     "You have written %u times in %s within a day, and more "
		                     "is not taken. You may write again after %s.",
		                     most, p->h->id, time_text(p, nth + DAY_S));
	else if (!is_diary(p) && kept.messages >= most)
		*why = pressing_text(p,
		                     "%u messages of yours wait for the next report of %s, and "
		                     "more are not taken before it.",
		                     most, p->h->id);
	else if (is_diary(p) && kept.diary_size + (int64_t)p->press.text.len > diary_most)
		*why = pressing_text(p, "Your diary is full: it holds up to %lld bytes.",
		                     (long long)diary_most);
	p->entry = kept.diary + 1;
	return ERR_NONE;
}

/*
 * Without an end word a message takes the whole mail. If orders stand in it they were hardly
 * meant for the other players: better to ask than to show them.
 */
static enum err check_end(struct pressing *p, const char **why)
{
	struct strbuf plain = STRBUF_INIT;
	struct span rest = p->press.text, line;
	enum reading r;

	*why = NULL;
	if (p->item->ended)
		return ERR_NONE;
	while (span_next_line(&rest, &line)) {
		utf8_add_plain(&plain, line);
		strbuf_addc(&plain, '\n');
	}
	struct span lines = arena_dup(p->d->arena, strbuf_span(&plain));
	strbuf_release(&plain);
	TRY(orders_try(p->d, p->h->game.id, lines, &r));
	dealing_forget(p->d);
	if (r != READING_TALK)
		*why = "The text has no end word, so it goes on to the end of your mail, and "
		       "there seem to be orders in it. To keep them from being shown to "
		       "others, write ENDPRESS between the text and the orders, or below both "
		       "if they belong to the text. Orders in it were not stored either.";
	return ERR_NONE;
}

/* ---- sending ---- */

static const char *nobody_reads(struct pressing *p)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_adds(&text, p->press.kind == PRESS_TO_ALL
	                       ? "There is nobody else in this game who could read it."
	                       : "None of those you named can read it.");
	for (size_t i = 0; i < p->nnotes; i++)
		strbuf_addf(&text, " %s", p->notes[i]);
	const char *copy = arena_strdup(p->d->arena, text.ptr);
	strbuf_release(&text);
	return copy;
}

static void note_later(struct pressing *p, const struct seat *seat, enum mail_mode mode)
{
	size_t before = p->nnotes;

	pressing_note(p, pressing_text(p,
	                               mode == MAIL_ROUND
	                                   ? "%s gets messages with the report of the turn."
	                                   : "%s gets all mail once a day.",
	                               p->h->names.names[seat->seat]));
	p->nlater += p->nnotes - before; /* not more than there is room for */
}

static enum err send_one(struct pressing *p, struct seat *seat, int64_t player, bool *gone)
{
	struct dealing *d = p->d;
	struct letter_out out = LETTER_OUT_INIT, carried = LETTER_OUT_INIT;
	struct player reader;

	TRY(player_get(d->srv->store, player, d->arena, &reader));
	*gone = reader.forgotten || reader.address.len == 0 || (!seat && reader.blocked);
	if (*gone)
		return ERR_NONE;
	struct report_press letter = {
	    .arena = d->arena,
	    .game = brief_game(d->srv, p->h, seat, &reader),
	    .message = press_message(p->h, &p->press),
	    .reader_owes = seat && p->h->has_turn && p->h->turn.state == TURN_OPEN &&
	                   seat_in((struct seat_set){p->h->turn.owes}, seat->seat),
	};
	letter.game.observer = seat == NULL;
	report_press(&letter, &out);
	struct keeping keep = keeping_of(d->srv, &reader, LETTER_MESSAGE, 0);
	if (keep.kept && seat)
		note_later(p, seat, reader.mail_mode);
	keeping_carry(&letter.game, NULL);
	if (keep.kept)
		report_press(&letter, &carried);
	struct post post = {
	    .kind = "press",
	    .key = pressing_text(p, "inbox %lld %u", (long long)d->inbox_id, ++d->item),
	    .game = &p->h->game,
	    .seat = seat,
	    .serial = p->h->has_turn ? p->h->turn.serial : 0,
	    .player = reader.id,
	    .address = reader.address,
	    .ascii = reader.ascii,
	    .letter = &out,
	    .keep = keep,
	    .carried = &carried,
	    .cause = d->inbox_id,
	};
	enum err rc = post_add(d->srv, &post, d->arena);
	letter_out_release(&out);
	letter_out_release(&carried);
	return rc;
}

static enum err note_unreachable(struct pressing *p, const struct seat *seat)
{
	const char *name = p->h->names.names[seat->seat];
	bool lost;

	TRY(unreachable_now(p->d->srv, seat->player, p->d->arena, &lost));
	if (lost)
		pressing_note(p, pressing_text(p,
		                               "Mail to %s comes back to us at present, so it "
		                               "waits until %s writes again.",
		                               name, name));
	return ERR_NONE;
}

static enum err send_to_seats(struct pressing *p)
{
	bool gone;

	for (size_t i = 0; i < p->h->nseats; i++) {
		struct seat *s = &p->h->seats[i];

		if (!seat_in((struct seat_set){p->press.seats}, s->seat))
			continue;
		TRY(note_unreachable(p, s));
		if (p->rules.waits)
			continue;
		TRY(send_one(p, s, s->player, &gone));
		if (gone)
			pressing_note(p, pressing_text(p, "There is no address of %s any more.",
			                               p->h->names.names[s->seat]));
	}
	return ERR_NONE;
}

static enum err send_to_observers(struct pressing *p)
{
	struct observer *list;
	size_t n;
	bool gone;

	if (p->press.kind != PRESS_TO_ALL || p->rules.waits ||
	    p->rules.observers != OBSERVERS_NOW)
		return ERR_NONE;
	TRY(observer_list(p->d->srv->store, p->h->game.id, p->d->arena, &list, &n));
	for (size_t i = 0; i < n; i++) {
		bool lost; /* what he would only watch is not kept for him */

		TRY(unreachable_now(p->d->srv, list[i].player, p->d->arena, &lost));
		if (!lost && list[i].press && !hand_plays(p->h, list[i].player, false))
			TRY(send_one(p, NULL, list[i].player, &gone));
	}
	return ERR_NONE;
}

/* The row: what is still to be brought by a report stays in it. */
static enum err record(struct pressing *p)
{
	struct press row = p->press;
	bool observers_wait = row.kind == PRESS_TO_ALL &&
	                      p->rules.observers == OBSERVERS_REPORT;

	if (!p->rules.waits)
		row.seats = 0;
	if (!p->rules.waits && !observers_wait && row.kind != PRESS_DIARY)
		row.delivered_utc = p->d->srv->now_utc;
	return press_add(p->d->srv->store, &row);
}

static enum err send_receipt(struct pressing *p)
{
	struct dealing *d = p->d;
	struct letter_out out = LETTER_OUT_INIT, carried = LETTER_OUT_INIT;
	struct keeping keep = {0};

	/* Who does not get it is to be known at once. */
	if (p->item->ended && p->nnotes <= p->nlater)
		keep = keeping_of(d->srv, &d->player, LETTER_RECEIPT, 0);
	if (!p->item->ended)
		pressing_note(p, "There was no end word, so all your own lines down to the end "
		                 "of your mail are the text.");
	struct report_press_receipt receipt = {
	    .game = brief_game(d->srv, p->h, p->seat, &d->player),
	    .message = press_message(p->h, &p->press),
	    .waits = p->rules.waits,
	    .entry = is_diary(p) ? p->entry : 0,
	    .notes = p->notes,
	    .nnotes = p->nnotes,
	};
	report_press_receipt(&receipt, &out);
	keeping_carry(&receipt.game, NULL);
	if (keep.kept)
		report_press_receipt(&receipt, &carried);
	enum err rc = dealing_answer_later(d, p->h, p->seat, "receipt", &out, &keep, &carried);
	letter_out_release(&out);
	letter_out_release(&carried);
	return rc;
}

static enum err deliver(struct pressing *p)
{
	TRY(record(p));
	dealing_verdict(p->d, "press", is_diary(p) ? "a diary entry in %s" : "a message in %s",
	                p->h->id);
	TRY(send_to_seats(p));
	TRY(send_to_observers(p));
	return send_receipt(p);
}

static enum err check_all(struct pressing *p, const char **why)
{
	*why = text_objection(p);
	if (!*why)
		TRY(check_end(p, why));
	if (!*why)
		TRY(check_limits(p, why));
	return ERR_NONE;
}

static enum err press(struct dealing *d, const struct letter_item *item, struct hand *h,
                      struct seat *seat)
{
	struct pressing p = {.d = d, .item = item, .h = h, .seat = seat};
	uint32_t named = 0;
	const char *why;

	TRY(press_rules_get(d->srv->store, h->game.id, &p.rules));
	why = writer_objection(&p);
	if (why)
		return refuse(&p, false, why);
	p.press = (struct press){.game = h->game.id,
	                         .serial = h->has_turn ? h->turn.serial : 0,
	                         .seat = seat->seat,
	                         .kind = is_diary(&p)                  ? PRESS_DIARY
	                                 : item->verb == CMD_BROADCAST ? PRESS_TO_ALL
	                                                               : PRESS_TO_SOME,
	                         .unnamed = item->unnamed,
	                         .written_utc = d->arrived_utc,
	                         .mail = d->inbox_id,
	                         .text = press_cleaned(d->srv, item->message, d->arena)};
	TRY(check_all(&p, &why));
	if (!why && !is_diary(&p))
		why = pressing_read_names(&p, &named);
	if (why)
		return refuse(&p, true, why);
	if (!is_diary(&p))
		pressing_choose_readers(&p, named);
	if (!is_diary(&p) && p.press.seats == 0)
		return refuse(&p, true, nobody_reads(&p));
	return deliver(&p);
}

enum err do_press(struct dealing *d, const struct letter_item *item)
{
	return dealing_with_game(d, item, press);
}
