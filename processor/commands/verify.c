/*
 * verify.c - VERIFY: a receipt, a turn report or a whole record that somebody sends in.
 *
 * Looked for in all of the mail, quoted or not, attached or not, for it is meant to be forwarded. Receipts and
 * heads are judged against the game's record as the server would give it to anybody now; of a
 * turn that is still open that says nothing, so there the seat itself, and nobody else, is
 * told how its orders stand.
 */
#include "processor/archive/evidence.h"
#include "processor/commands/commands.h"
#include "processor/match/match_record.h"
#include "processor/request/request.h"
#include "processor/request/which_game.h"

#include "processor/base/banned.h"

static enum err nothing_found(struct dealing *d)
{
	return dealing_notice(
	    d, NULL, NULL, "nothing to verify", "",
	    "Your mail asks for a check, but holds neither a whole receipt, nor the \"Proof\" "
	    "part of a turn report, nor the record of a game. Forward one of those mails, "
	    "with a line that says just VERIFY above everything else, or attach it; or paste "
	    "its text below that line.");
}

/* Of the open turn the record says nothing yet. */
static enum err add_open_turn(struct dealing *d, struct hand *h, const struct seat *seat,
                              const struct evidence *ev, struct strbuf *out)
{
	struct order_set set;
	const struct seat_entry *e;

	if (!seat || seat->seat != ev->seat || !h->has_turn || h->turn.serial != ev->serial ||
	    h->turn.state != TURN_OPEN)
		return ERR_NONE;
	TRY(order_set_load(d->srv, h, &set));
	e = &set.seats[seat->seat];
	if (e->acts && e->revision == ev->revision)
		strbuf_adds(out, " It is your last word so far: those orders are in force.");
	else if (e->acts && e->revision > ev->revision)
		strbuf_addf(out, " It has been replaced: orders #%u are in force.",
		            e->revision);
	else
		strbuf_adds(out, " Those orders have been taken back since.");
	return ERR_NONE;
}

static const char *subject_of(enum promise_verdict v, bool is_head)
{
	switch (v) {
	case PROMISE_KEPT:
		return is_head ? "the report holds" : "the receipt holds";
	case PROMISE_AHEAD:
		return is_head ? "the report is genuine" : "the receipt is genuine";
	case PROMISE_BROKEN:
		return "a broken promise";
	case PROMISE_FORGED:
	case PROMISE_OTHER:
		break;
	}
	return "not what this server wrote";
}

static enum err answer_promise(struct dealing *d, struct hand *h, struct seat *seat,
                               const struct promise *p, const struct promise_finding *f)
{
	struct letter_out out = LETTER_OUT_INIT;
	struct report_game game = brief_game(d->srv, h, seat, &d->player);
	struct strbuf text = STRBUF_INIT;
	enum err rc = ERR_NONE;

	strbuf_addf(&text, "%s%s%s", f->what.ptr, f->what.len > 0 ? " " : "", f->fate.ptr);
	if (f->verdict == PROMISE_AHEAD && p->what == PROMISE_RECEIPT)
		rc = add_open_turn(d, h, seat, &p->receipt, &text);
	report_notice(
	    &(struct report_notice){
		.game = &game,
		.subject = subject_of(f->verdict, p->what == PROMISE_HEAD),
		.paragraphs =
		    (const char *const[]){
			text.ptr,
			"You need not take our word for it. Save that mail and the record "
			"of the game as files; anybody who has the program finds out with "
			"\"molepost verify --receipt MAIL RECORD\". The record comes with:"},
		.nparagraphs = 2,
		.orders = f->orders,
		.examples = (const char *const[]){arena_printf(d->arena, "archive %s", h->id)},
		.nexamples = 1,
	    },
	    &out);
	if (rc == ERR_NONE)
		rc = dealing_answer(d, h, seat, "verify", &out);
	letter_out_release(&out);
	strbuf_release(&text);
	return rc;
}

static enum err judge(struct dealing *d, struct hand *h, struct seat *seat,
                      const struct promise *p, const struct digest *key)
{
	struct promise_finding f = {.what = STRBUF_INIT, .fate = STRBUF_INIT};
	struct strbuf text = STRBUF_INIT;
	struct archive *a = NULL;
	enum err rc = record_text(d->srv, h, &text);

	if (rc == ERR_NONE)
		rc = archive_open(strbuf_span(&text), &a, &d->srv->fail);
	if (rc == ERR_NONE) {
		promise_judge(p, a, key, &f);
		rc = answer_promise(d, h, seat, p, &f);
	}
	promise_finding_release(&f);
	archive_free(a);
	strbuf_release(&text);
	return rc;
}

/* The game that the receipt names, else the one that the line names or the mail answers. */
static enum err verify_promise(struct dealing *d, const struct letter_item *item,
                               const struct promise *p, const struct digest *key)
{
	struct letter_item about = *item;
	struct hand h;
	struct seat *seat;
	bool found;

	if (*p->game && !letter_parse_game(span_of(p->game), &about.game, &about.game_letter))
		return nothing_found(d);
	TRY(dealing_game(d, &about, &h, &seat, &found));
	enum err rc = found ? judge(d, &h, seat, p, key) : ERR_NONE;
	hand_release(&h);
	return rc;
}

static enum err verify_archive(struct dealing *d, struct span text, const struct digest *key)
{
	struct archive_report r;
	enum err rc;

	archive_verify(text, key, NULL, &r);
	if (r.verdict == ARCHIVE_SIGNED)
		rc = dealing_notice(
		    d, NULL, NULL, "the record holds", "",
		    "The record in your mail is one that this server signed, and nothing in it "
		    "was changed since: %u lines hold, %u of %u turns were resolved again%s.",
		    r.lines, r.turns, r.all_turns,
		    r.ended ? "" : ", and what is still hidden was taken on trust");
	else
		rc = dealing_notice(
		    d, NULL, NULL, "the record does not hold", "",
		    "The record in your mail does not hold: line %u of the text that holds it: "
		    "%s. "
		    "Mail programs may break long lines; send it as an attachment of plain "
		    "text, "
		    "or check it with \"molepost verify\".",
		    r.line, r.why.ptr);
	archive_report_release(&r);
	return rc;
}

enum err do_verify(struct dealing *d, const struct letter_item *item)
{
	struct digest key = keyring_public_key(d->srv->keys);
	struct span archive = archive_in_mail(d->mail);
	struct promise promise;

	d->understood = true;
	if (promise_in_mail(d->mail, &key, d->arena, &promise))
		return verify_promise(d, item, &promise, &key);
	return archive.len > 0 ? verify_archive(d, archive, &key) : nothing_found(d);
}
