/*
 * request.c - answers to the mail in hand, and the game it is about.
 */
#include "processor/request/request.h"

#include <stdio.h>
#include <string.h>

#include "processor/games/registry.h"
#include "processor/request/answered_mails.h"
#include "processor/request/master.h"
#include "processor/server/reply_address.h"

enum { DAY_S = 24 * 3600, BEGINNING = 60 /* letters */ };

void request_verdict(struct request *req, const char *verdict, const char *fmt, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	req->answer.row.verdict = span_of(arena_strdup(req->arena, verdict));
	req->answer.row.detail = arena_take(req->arena, &text);
}

void request_add_detail(struct request *req, const char *fmt, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	strbuf_addf(&text, "%.*s; ", SPAN_ARGS(req->answer.row.detail));
	va_start(ap, fmt);
	strbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	req->answer.row.detail = arena_take(req->arena, &text);
}

void request_begin_answer(struct request *req, const struct inbox_mail *row)
{
	req->answer = (struct answer){.row = *row};
}

void request_note_game(struct request *req, int64_t game)
{
	req->answer.row.game = game;
}

void request_note_seat(struct request *req, unsigned seat)
{
	req->answer.row.seat = seat;
}

void request_note_serial(struct request *req, unsigned serial)
{
	req->answer.row.serial = serial;
}

void request_understood(struct request *req)
{
	req->answer.understood = true;
}

void request_not_understood(struct request *req)
{
	req->answer.understood = false;
}

void request_note_answer(struct request *req, enum answer_note note)
{
	req->answer.seat_confirmed = req->answer.seat_confirmed || note == ANSWER_CONFIRMS_SEAT;
	req->answer.asked = req->answer.asked || note == ANSWER_ASKS;
	req->answer.diags_told = req->answer.diags_told || note == ANSWER_TELLS_DIAGS;
}

void request_allow_answers(struct request *req, bool yes)
{
	req->answer.allowed = yes;
}

const char *request_next_key(struct request *req)
{
	return arena_printf(req->arena, "inbox %lld %u", (long long)req->inbox_id,
	                    ++req->answer.count);
}

struct proof_mail request_proof_mail(const struct request *req)
{
	struct proof_mail mail = {.id = req->mail->message_id, .date = req->mail->date};

	mail_body_hash(req->mail->raw, mail.body.bytes);
	return mail;
}

enum err request_contribution(struct request *req, struct match *match, unsigned seat,
                              struct hash *out)
{
	struct proof_mail mail = request_proof_mail(req);

	*out = (struct hash){{0}};
	if (match->game.record_version == 1)
		return ERR_NONE;
	TRY(match_secret(req->srv, match));
	*out = proof_contribution(&mail, &match->secret, seat);
	return ERR_NONE;
}

static struct span joined_references(struct request *req)
{
	struct strbuf all = STRBUF_INIT;

	for (size_t i = 0; i < req->mail->references.count; i++) {
		strbuf_add_span(&all, req->mail->references.items[i]);
		strbuf_addc(&all, ' ');
	}
	struct span copy = arena_dup(req->arena, span_trim(strbuf_span(&all)));
	strbuf_release(&all);
	return copy;
}

/* ---- the valve ---- */

/* How many of a kind are sent, and what they are counted by. */
enum answer_class {
	ANSWER_OBJECTS, /* nothing was carried out: few, and fewer in the same words */
	ANSWER_SHOWS,   /* what was asked for; a proven sender may ask all day */
	ANSWER_RECEIPTS /* what was done or not done with orders: many, for each seat */
};

static enum answer_class class_of(const struct request *req, const struct match *match,
                                  const struct seat *seat, const char *kind)
{
	static const char *const receipts[] = {"receipt", "welcome", "token", "late", "early"};

	if (is_stranger(req) || req->who.player.id == 0 || strcmp(kind, "guide") == 0 ||
	    strcmp(kind, "notice") == 0)
		return ANSWER_OBJECTS;
	for (size_t i = 0; match && seat && i < sizeof(receipts) / sizeof(receipts[0]); i++)
		if (strcmp(kind, receipts[i]) == 0)
			return ANSWER_RECEIPTS;
	return ANSWER_SHOWS;
}

/* The text as the reader sees it, without the line that numbers it. */
static const char *words_of(struct request *req, const struct report_out *report)
{
	struct strbuf words = STRBUF_INIT;
	struct span rest = strbuf_span(&report->body), line;

	strbuf_addf(&words, "%s\n", report->subject.ptr);
	while (span_next_line(&rest, &line))
		if (!span_starts(line, "Mail "))
			strbuf_addf(&words, "%.*s\n", SPAN_ARGS(line));
	struct hash hash = hash_of(strbuf_span(&words));
	strbuf_clear(&words);
	strbuf_addf(&words, "%.*s\n", SPAN_ARGS(req->who.player.address));
	strbuf_add_hex(&words, hash.bytes, HASH_LEN);
	return arena_take(req->arena, &words).ptr;
}

bool request_is_sure(const struct request *req)
{
	return req->who.proven || req->who.settled || req->who.auth.state == AUTH_PASSED;
}

static enum err also(struct request *req, enum budget b, struct span who, enum valve *out)
{
	enum valve valve;

	if (*out == VALVE_SHUT)
		return ERR_NONE;
	TRY(budget_take(req->srv, b, who, &valve));
	if (valve != VALVE_OPEN) /* the narrower of the two */
		*out = valve;
	return ERR_NONE;
}

static bool was_not_understood(const struct request *req)
{
	static const char *const verdicts[] = {"not-understood", "asked", "closed-question",
	                                       "dead-token", "stranger"};

	for (size_t i = 0; i < sizeof(verdicts) / sizeof(verdicts[0]); i++)
		if (span_eq_str(req->answer.row.verdict, verdicts[i]))
			return true;
	return false;
}

/* Programs that answer every mail are never understood; whoever is understood begins anew. */
enum err request_may_say_not_understood(struct request *req, enum valve *out)
{
	struct span text = req->whole->ntexts > 0 ? req->whole->texts[0].text : SPAN_EMPTY;
	struct player *p = &req->who.player;
	bool sure = request_is_sure(req);
	struct strbuf begin =
	    STRBUF_INIT; /* quoted or not: a program writes the same every time */

	if (p->id == 0)
		return ERR_NONE;
	strbuf_addf(&begin, "%.*s\n", SPAN_ARGS(p->address));
	for (size_t i = 0; i < text.len && begin.len < p->address.len + BEGINNING; i++)
		if ((unsigned char)text.ptr[i] > ' ')
			strbuf_addc(&begin, text.ptr[i]);
	struct span alike = arena_take(req->arena, &begin);
	if (!sure) {
		struct outbox_mail row;

		/* It may name a mail that nobody else has had, as an answer to HELP, about no seat. */
		TRY(mail_of_ours(req, req->mail->in_reply_to, &row, &sure));
		sure = sure && row.player == p->id;
	}
	if (p->unheard >= UNHEARD_MOST)
		*out = VALVE_SHUT;
	TRY(also(req, BUDGET_SAME_MAIL, alike, out));
	TRY(also(req, sure ? BUDGET_NOT_UNDERSTOOD : BUDGET_CLAIMED_NOT_UNDERSTOOD, p->address,
	         out));
	if (*out == VALVE_SHUT || !sure)
		return ERR_NONE;
	if (++p->unheard == UNHEARD_MOST)
		*out = VALVE_LAST;
	return player_set_unheard(req->srv->store, p->id, p->unheard);
}

/*
 * What was not carried out, and all that goes to strangers. Whoever sends CREATE and JOIN in a stranger's name must not
 * fill the stranger's mailbox.
 */
static enum err may_object(struct request *req, const char *kind,
                           const struct report_out *report, enum valve *out)
{
	struct server *srv = req->srv;
	bool unasked = strcmp(kind, "welcome") == 0 || strcmp(kind, "notice") == 0;
	bool may = true, sure = request_is_sure(req), spent;
	struct span words = span_of(
	    arena_printf(req->arena, "%s%s", sure ? "" : "claimed\n", words_of(req, report)));

	if (sure && store_ask_ahead(srv->store)) {
		store_only_asked(budget_is_spent(srv, BUDGET_SAME, words, &spent));
		store_only_asked(
		    budget_is_spent(srv, BUDGET_REFUSED, req->who.player.address, &spent));
		store_asked_ahead(srv->store);
	}
	TRY(also(req, BUDGET_SAME, words, out));
	if (sure)
		TRY(also(req, BUDGET_REFUSED, req->who.player.address, out));
	if (is_stranger(req) && unasked && req->srv->cfg.unknown_senders == UNKNOWN_CONFIRM)
		TRY(also(req, BUDGET_UNASKED, req->who.player.address, out));
	if (*out != VALVE_SHUT && is_stranger(req))
		TRY(strangers_may_be_answered(req, &may));
	if (!may)
		*out = VALVE_SHUT;
	return ERR_NONE;
}

static enum err nth_is_of_today(struct request *req, const struct match *match,
                                const struct seat *seat, const char *kind, unsigned n,
                                bool *yes)
{
	int64_t written;

	*yes = true;
	if (n == 0)
		return ERR_NONE;
	TRY(outbox_nth_answer(req->srv->store, match->game.id, seat->seat, kind, n, &written));
	*yes = written > req->srv->now_utc - DAY_S;
	return ERR_NONE;
}

/*
 * Receipts are many, and a note for each would cost more than the receipt: the mails of the
 * seat are looked at, and only when there are so many that they could be too many.
 */
static enum err may_receipt(struct request *req, const struct match *match,
                            const struct seat *seat, const char *kind, enum valve *out)
{
	unsigned limit = budget_limit(req->srv, BUDGET_RECEIPTS);
	bool last = false, full = false;

	if (seat->mails + 1 >= limit)
		TRY(nth_is_of_today(req, match, seat, kind, limit - 1, &last));
	if (last)
		TRY(nth_is_of_today(req, match, seat, kind, limit, &full));
	*out = full ? VALVE_SHUT : last ? VALVE_LAST : VALVE_OPEN;
	return ERR_NONE;
}

enum err request_may_send(struct request *req, const struct match *match,
                          const struct seat *seat, const char *kind,
                          const struct report_out *report, enum valve *out)
{
	enum answer_class class = class_of(req, match, seat, kind);
	enum err rc = ERR_NONE;

	*out = VALVE_OPEN;
	if (class == ANSWER_RECEIPTS)
		rc = may_receipt(req, match, seat, kind, out);
	if (rc == ERR_NONE && class == ANSWER_OBJECTS) {
		ENSURE(report);
		rc = may_object(req, kind, report, out);
	}
	if (rc == ERR_NONE && was_not_understood(req))
		rc = request_may_say_not_understood(req, out);
	if (rc == ERR_NONE && !request_is_sure(req))
		rc = also(req, BUDGET_UNPROVEN, req->who.player.address, out);
	req->answer.silenced = req->answer.silenced || (rc == ERR_NONE && *out == VALVE_SHUT);
	return rc;
}

const char *request_last_words(enum valve valve)
{
	return valve != VALVE_LAST
	           ? NULL
	           : "\nThis is the last answer of its kind \nfor now. What you send is still read, "
	             "\nand orders that are understood are \nstored.\n";
}

void request_hold_back(struct request *req)
{
	req->answer.silenced = true;
}

enum err request_note_silence(struct request *req)
{
	struct player *p = &req->who.player;
	if (req->answer.silenced) {
		request_add_detail(req,
		                   "the answer was left out, for enough have gone there today");
		TRY(budget_note_held(req->srv));
	}
	if (p->unheard == 0 || was_not_understood(req) || !request_is_sure(req))
		return ERR_NONE;
	return player_set_unheard(req->srv->store, p->id, 0);
}

bool request_can_answer(const struct request *req)
{
	return req->answer.allowed && !(req->mail->flags & MAIL_NULL_PATH);
}

/* Where an answer to it goes: a seat's own address, or to the digest that is being answered. */
static const char *reply_to_digest(struct request *req, const struct seat *seat)
{
	struct strbuf reply = STRBUF_INIT;

	if (seat || req->about.digest == 0 || !req->who.proven || !req->srv->cfg.plus_address)
		return NULL;
	address_add_digest(req->srv, &req->who.player, req->about.digest, &reply);
	return arena_take(req->arena, &reply).ptr;
}

/* What is an answer to the mail in hand; the rest is in `what`. */
static enum err post_answer(struct request *req, const struct match *match, struct seat *seat,
                            const struct outgoing *what)
{
	struct outgoing outgoing = {
	    .kind = what->kind,
	    .key = request_next_key(req),
	    .game = match ? &match->game : NULL,
	    .seat = seat,
	    .serial = match && match->has_turn ? match->turn.serial : 0,
	    .player = req->who.player.id,
	    .address = req->who.player.address,
	    .form = req->who.player.form,
	    .report = what->report,
	    .writer = what->writer,
	    .postscript = what->postscript,
	    .cause = req->inbox_id,
	    .in_reply_to = req->mail->message_id,
	    .references = joined_references(req),
	    .reply_to = reply_to_digest(req, seat),
	    .replied = true,
	    .keep = what->keep,
	    .carried = what->carried,
	    .confirmation = what->confirmation,
	};
	return outgoing_add(req->srv, &outgoing, req->arena);
}

enum err request_answer(struct request *req, const struct match *match, struct seat *seat,
                        const char *kind, struct report_out *report)
{
	static const struct digest_policy at_once = {0};
	enum err rc = request_answer_later(req, match, seat, kind, report, &at_once, NULL);

	report_out_release(report);
	return rc;
}

enum err request_answer_notice(struct request *req, const struct match *match,
                               struct seat *seat, const char *kind,
                               const struct report_notice *notice)
{
	struct report_out out = REPORT_OUT_TO_SENDER(req);
	struct report_notice whole = *notice;
	struct report_game game;

	if (match) {
		game = report_values_game(req->srv, match, seat, &req->who.player);
		whole.game = &game;
	}
	report_notice(&whole, &out);
	return request_answer(req, match, seat, kind, &out);
}

static enum err send_answer(struct request *req, const struct match *match, struct seat *seat,
                            struct outgoing what)
{
	enum valve valve;

	if (!request_can_answer(req))
		return ERR_NONE;
	TRY(request_may_send(req, match, seat, what.kind, what.report, &valve));
	if (valve == VALVE_SHUT)
		return ERR_NONE;
	what.postscript = request_last_words(valve);
	if (valve == VALVE_LAST)
		what.keep.waits = false; /* it is to be noticed */
	return post_answer(req, match, seat, &what);
}

enum err request_ask(struct request *req, const struct match *match, struct seat *seat,
                     const char *kind, int64_t confirmation, const struct report_out *report)
{
	return send_answer(
	    req, match, seat,
	    (struct outgoing){.kind = kind, .report = report, .confirmation = confirmation});
}

enum err request_answer_later(struct request *req, const struct match *match, struct seat *seat,
                              const char *kind, const struct report_out *report,
                              const struct digest_policy *keep,
                              const struct report_out *carried)
{
	return send_answer(
	    req, match, seat,
	    (struct outgoing){
		.kind = kind, .report = report, .keep = *keep, .carried = carried});
}

enum err request_answer_written(struct request *req, const struct match *match,
                                struct seat *seat, const char *kind,
                                const struct outgoing_writer *writer)
{
	enum valve valve = VALVE_SHUT;
	enum err rc = ERR_NONE;

	if (class_of(req, match, seat, kind) == ANSWER_OBJECTS) {
		struct report_out out = REPORT_OUT_TO_SENDER(req);

		if (request_can_answer(req)) {
			writer->write(writer->ctx, &out);
			rc = request_answer(req, match, seat, kind, &out);
		}
	} else if (request_can_answer(req)) {
		rc = request_may_send(req, match, seat, kind, NULL, &valve);
	}
	if (rc == ERR_NONE && valve != VALVE_SHUT)
		return post_answer(req, match, seat,
		                   &(struct outgoing){.kind = kind,
		                                      .writer = *writer,
		                                      .postscript = request_last_words(valve)});
	if (writer->release)
		writer->release(writer->ctx);
	return rc;
}

enum err request_notice(struct request *req, const struct match *match, struct seat *seat,
                        const char *subject, const char *example, const char *fmt, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	enum err rc = request_answer_notice(
	    req, match, seat, "notice",
	    &(struct report_notice){.subject = subject,
	                            .paragraphs = TEXTS(text.ptr),
	                            .examples = TEXTS(*example ? example : NULL)});
	strbuf_release(&text);
	return rc;
}

enum err request_games(struct request *req, struct game **games, size_t *n)
{
	*n = 0;
	if (req->who.player.id == 0)
		return ERR_NONE;
	return game_list_of_player(req->srv->store, req->who.player.id, GAMES_LIVE, req->arena,
	                           games, n);
}

enum err request_has_played(struct request *req, bool *yes)
{
	struct game *games;
	size_t n = 0;

	if (req->who.player.id != 0)
		TRY(game_list_of_player(req->srv->store, req->who.player.id, ~0u, req->arena,
		                        &games, &n));
	*yes = n > 0;
	return ERR_NONE;
}

const struct command *request_item(const struct request *req, enum verb verb)
{
	for (size_t i = 0; i < req->text->nitems; i++)
		if (req->text->items[i].verb == verb)
			return &req->text->items[i];
	return NULL;
}

struct span request_salt(const struct request *req)
{
	const struct command *salt = request_item(req, CMD_SALT);

	return salt ? salt->name : SPAN_EMPTY;
}

/* ---- budgets that all who have proved nothing share ---- */

bool is_stranger(const struct request *req)
{
	return !req->who.proven && !req->who.settled && !req->who.player.confirmed;
}

static struct span domain_of(const struct request *req)
{
	struct span address = req->who.player.address;

	return span_slice(address, span_find_char(address, '@') + 1, address.len);
}

enum err strangers_may_be_answered(struct request *req, bool *may)
{
	TRY(budget_allows(req->srv, BUDGET_DOMAIN, domain_of(req), may));
	return *may ? budget_allows(req->srv, BUDGET_STRANGERS, SPAN_LIT("all"), may)
	            : ERR_NONE;
}

enum err strangers_are_spent(struct request *req, bool *yes)
{
	TRY(budget_is_spent(req->srv, BUDGET_DOMAIN, domain_of(req), yes));
	return *yes ? ERR_NONE
	            : budget_is_spent(req->srv, BUDGET_STRANGERS, SPAN_LIT("all"), yes);
}
