/*
 * write_back.c - plain answers to what people have read: whom they are for is asked.
 */
#include "processor/intake/write_back.h"

#include "processor/base/utf8.h"
#include "processor/match/press.h"
#include "processor/request/unclear.h"
#include "processor/request/which_game.h"

/* ---- the question ---- */

/* What is asked about: the speaker's own words, in a game in which messages are passed on. text NULL: nothing. */
struct written_back {
	struct unclear u;
	struct press_rules rules;
	const char *text;
};

static enum err load(struct request *req, struct written_back *a)
{
	const char *why;

	*a = (struct written_back){.text = NULL};
	/* What quotes who knows what is passed on to nobody. */
	if (!req->answer.allowed || !req->who.proven || req->mail->in_reply_to.len == 0 ||
	    req->quotes_unknown)
		return ERR_NONE;
	TRY(unclear_load_answered(req, &a->u));
	if (!a->u.match)
		return ERR_NONE;
	TRY(press_rules_get(req->srv->store, a->u.match->game.id, &a->rules));
	if (press_is_open(a->u.match, &a->rules, req->sure_utc, &why)) {
		const struct text_line *lines = req->text->lines;
		size_t n = req->text->nlines;
		struct strbuf text = STRBUF_INIT;

		/* A program's line above a quotation, of a kind that is not known. */
		while (n > 0 && lines[n - 1].text.ptr[lines[n - 1].text.len - 1] == ':')
			n--;
		for (size_t i = 0; i < n; i++)
			strbuf_addf(&text, "%.*s\n", SPAN_ARGS(lines[i].text));
		const char *copy = text.len > 0 ? arena_strdup(req->arena, text.ptr) : NULL;
		bool fits = text.len <=
		            req->srv->cfg.max_press_size; /* else nothing is asked */
		strbuf_release(&text);
		a->text = fits ? copy : NULL;
	}
	return ERR_NONE;
}

static enum err ask(struct request *req, struct written_back *a, bool *done)
{
	a->u.kind = "notice"; /* a program that answers everything soon hears nothing */
	*done = true;
	return unclear_ask(req, &a->u);
}

enum err write_back_after_the_end(struct request *req, bool *done)
{
	struct written_back a;

	*done = false;
	TRY(load(req, &a));
	if (!a.text || a.u.match->game.ended_utc == 0)
		return ERR_NONE;
	a.u.subject = "shall everybody read this?";
	a.u.reason =
	    "The game has ended, so your answer was not taken for orders. Shall it go to "
	    "all who played, as a message of yours?";
	a.u.choice = "Answer YES if it shall. If not, you need not do anything.";
	a.u.proposal = arena_printf(req->arena, "broadcast\n%sendbroadcast", a.text);
	request_verdict(req, "asked", "an answer after the end of %s", a.u.match->id);
	return ask(req, &a, done);
}

/* ---- to a message ---- */

/* The message of a player that is answered; *cause: the mail that brought it. */
static enum err answers_message(struct request *req, bool *yes, int64_t *cause)
{
	struct outbox_mail row;

	*yes = false;
	if (req->about.game == 0 || req->about.seat == 0 || req->mail->in_reply_to.len == 0 ||
	    req->text->nlines == 0)
		return ERR_NONE;
	enum err rc =
	    outbox_by_message_id(req->srv->store, req->mail->in_reply_to, req->arena, &row);
	*yes = rc == ERR_NONE && span_eq_str(row.kind, "press") &&
	       row.player == req->who.player.id;
	*cause = *yes ? row.cause : 0;
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

/* They have written back as one does; who is to read it must be said, though. */
static enum err tell_how_to_write_back(struct request *req)
{
	struct match match;
	enum err rc = match_load(req->srv, req->about.game, req->arena, &match);
	struct seat *seat = rc == ERR_NONE ? match_seat(&match, req->about.seat) : NULL;

	request_verdict(req, "not-understood", "an answer to a message that says not to whom");
	if (seat)
		rc = request_notice(
		    req, &match, seat, "nobody has read your answer",
		    "press to all\nYour text.\nendpress",
		    "You have answered a message of another player, but your text was not passed "
		    "on: it does not say who is to read it, and no orders were found in it either. "
		    "Put it between two lines like these, with a name or the number of a seat in "
		    "the place of ALL if it is not for all:");
	match_release(&match);
	return rc;
}

/* *done false: who wrote the message is not to be known, or reads nothing any more. */
static enum err ask_whether_writer_reads(struct request *req, int64_t cause, bool *done)
{
	struct written_back a;
	unsigned number;
	bool unnamed;

	TRY(load(req, &a));
	if (!a.text)
		return ERR_NONE;
	enum err rc =
	    press_writer(req->srv->store, a.u.match->game.id, cause, &number, &unnamed);
	if (rc != ERR_NONE)
		return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
	const struct seat *writer = match_seat(a.u.match, number);
	if (unnamed || !writer || writer->player == 0 || writer == a.u.seat)
		return ERR_NONE;
	const char *name = a.u.match->names.names[number];
	a.u.subject = arena_printf(req->arena, "shall %s read this?", name);
	a.u.reason = arena_printf(req->arena,
	                          "You have answered a message of %s. There are no orders in "
	                          "your text, and nobody has read it yet. Shall %s read it?",
	                          name, name);
	a.u.choice = "Answer YES if so. If all are to read it, write PRESS TO ALL above your "
		     "text and ENDPRESS below it, and send it again.";
	a.u.proposal = arena_printf(req->arena, "press to %u\n%sendpress", number, a.text);
	request_verdict(req, "asked", "an answer to a message of %s/%u", a.u.match->id, number);
	return ask(req, &a, done);
}

enum err write_back_to_message(struct request *req, bool *done)
{
	bool message;
	int64_t cause;

	*done = false;
	TRY(answers_message(req, &message, &cause));
	if (!message)
		return ERR_NONE;
	TRY(write_back_after_the_end(req, done));
	if (!*done)
		TRY(ask_whether_writer_reads(req, cause, done));
	if (*done)
		return ERR_NONE;
	*done = true;
	return tell_how_to_write_back(req);
}
