/*
 * meant.c - the YES or NO to "did you mean ...?": which question it answers, and whether it says enough.
 */
#include "processor/request/meant.h"

#include <string.h>

#include "processor/request/answered_mails.h"
#include "processor/request/identify.h"
#include "processor/request/unclear.h"
#include "processor/request/which_game.h"

struct said meant_said(struct request *req, const struct confirmation *q)
{
	unsigned most = req->srv->cfg.max_commands;
	struct said said = yes_no_said(req->mail, most, req->arena);

	said.named = yes_no_names(req->mail, confirmation_proposal(q), most, req->arena);
	said.yes = said.yes || said.named;
	return said;
}

bool meant_is_enough(struct request *req, const struct confirmation *q, const struct said *said)
{
	return said->named || !unclear_must_be_named(confirmation_proposal(q), req->arena);
}

/* Without what a program that quotes puts between or breaks anew. */
static void add_letters(struct strbuf *out, struct span text)
{
	for (size_t i = 0; i < text.len; i++)
		if ((unsigned char)text.ptr[i] > ' ' && !strchr(">|*", text.ptr[i]))
			strbuf_addc(out, text.ptr[i]);
}

static bool has_letters_of(struct span text, const char *wanted)
{
	struct strbuf all = STRBUF_INIT, part = STRBUF_INIT;

	add_letters(&all, text);
	add_letters(&part, span_of(wanted));
	bool found = span_find(strbuf_span(&all), strbuf_span(&part)) < all.len;
	strbuf_release(&all);
	strbuf_release(&part);
	return found;
}

/* The question stands below the answer, or in its subject. Between proposal and YES may stand what it leaves out. */
static bool quotes_question(struct request *req, const struct confirmation *q)
{
	struct span proposal = confirmation_proposal(q);
	const char *subject =
	    arena_printf(req->arena, "did you mean %.*s?", SPAN_ARGS(proposal));
	bool found = has_letters_of(req->whole->subject, subject);

	for (size_t i = 0; i < req->whole->ntexts && !found; i++) {
		struct span text = req->whole->texts[i].text;

		found = has_letters_of(text, arena_printf(req->arena, "Did you mean this? %.*s",
		                                          SPAN_ARGS(proposal))) ||
		        has_letters_of(text, arena_printf(req->arena, "%.*s Answer YES",
		                                          SPAN_ARGS(proposal)));
	}
	return found;
}

enum answered { ANSWERS_IT, ANSWERS_ANOTHER, ANSWERS_UNKNOWN };

/* Which mail of ours is answered: by its Message-ID, else by what is quoted of it. */
static enum err what_is_answered(struct request *req, const struct confirmation *q,
                                 enum answered *out)
{
	struct outbox_mail row;
	bool ours;
	int64_t asked;

	TRY(answered_mail(req, &row, &ours));
	if (!ours || row.player != req->who.player.id) {
		*out = quotes_question(req, q) ? ANSWERS_IT : ANSWERS_UNKNOWN;
		return ERR_NONE;
	}
	enum err rc = confirmation_of_mail(req->srv->store, row.id, &asked);
	*out = rc == ERR_NONE && asked == q->id ? ANSWERS_IT : ANSWERS_ANOTHER;
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

/* The question open to this seat, or where the mail is about none, the only one. */
static enum err open_question(struct request *req, const struct confirmation **out)
{
	struct confirmation *open;
	size_t n, found = 0;

	*out = NULL;
	TRY(confirmation_list(req->srv->store, req->who.player.id, req->arena, &open, &n));
	for (size_t i = 0; i < n; i++)
		if (open[i].kind == CONFIRMATION_MEANT &&
		    (req->about.seat == 0 ||
		     (open[i].game == req->about.game && open[i].seat == req->about.seat)) &&
		    open[i].asked_utc + CONFIRMATION_OPEN_S >= req->arrived_utc)
			*out = found++ == 0 ? &open[i] : NULL;
	return ERR_NONE;
}

static enum err show_question(struct request *req, const struct confirmation *q,
                              const char *reason)
{
	struct unclear u = {.reason = reason};

	request_understood(req);
	request_verdict(req, "command", "a yes that does not say what to; nothing was done");
	identify_game(req, q->seat ? q->game : 0, q->seat);
	TRY(unclear_load_answered(req, &u));
	return unclear_ask_again(req, &u, q);
}

enum err meant_ask_to_name(struct request *req, const struct confirmation *q)
{
	return show_question(req, q,
	                     "Nothing has changed, for your YES did not say what to. Did you "
	                     "mean this?");
}

enum err meant_show_again(struct request *req, bool *done)
{
	const struct confirmation *q;
	struct match *match;

	*done = false;
	if (req->who.player.id == 0 || !req->answer.allowed)
		return ERR_NONE;
	TRY(open_question(req, &q));
	if (q == NULL)
		return ERR_NONE;
	if (q->seat != 0 && q->names_turn) { /* what was about a turn that is over is not */
		TRY(request_match(req, q->game, &match));
		if (!match->has_turn || match->turn.serial != q->serial)
			return ERR_NONE;
	}
	*done = true;
	return show_question(req, q,
	                     "Nothing has changed, for your YES was no answer to the mail that "
	                     "asks. Did you mean this?");
}

enum err meant_answer(struct request *req, bool *done, const struct confirmation **use)
{
	struct unclear u = {.match = NULL};
	const struct confirmation *q;
	enum answered answered;

	*done = false;
	*use = NULL;
	if (req->who.player.id == 0 || req->about.seat == 0 || !req->who.proven ||
	    req->who.strange.len > 0 || !yes_no_is_likely(req->mail))
		return ERR_NONE;
	TRY(open_question(req, &q));
	if (q == NULL)
		return ERR_NONE;
	struct said said = meant_said(req, q);
	if (said.yes == said.no)
		return ERR_NONE;
	TRY(what_is_answered(req, q, &answered));
	if (answered == ANSWERS_ANOTHER)
		return ERR_NONE;
	TRY(unclear_load_answered(req, &u));
	if (said.yes && answered == ANSWERS_UNKNOWN && !said.named)
		return u.seat && u.seat->confirmed ? meant_show_again(req, done) : ERR_NONE;
	*done = true;
	if (said.yes && !meant_is_enough(req, q, &said))
		return meant_ask_to_name(req, q);
	TRY(confirmation_drop(req->srv->store, q->id));
	request_understood(req);
	if (said.yes) {
		*use = q;
		return ERR_NONE;
	}
	request_verdict(req, "command", "no to what was proposed");
	return !u.match ? ERR_NONE
	                : request_notice(
			      req, u.match, u.seat, "nothing has changed", "status",
			      "You said no, so nothing has changed. Send what you meant. To "
			      "see what is stored, send:");
}
