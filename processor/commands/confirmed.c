/*
 * confirmed.c - the answers to our questions: YES, NO, or neither.
 */
#include "processor/commands/confirmed.h"

#include <ctype.h>

#include "processor/base/utf8.h"
#include "processor/commands/commands.h"
#include "processor/commands/mail.h"
#include "processor/outgoing/digest.h"
#include "processor/request/bounces.h"
#include "processor/request/which_game.h"
#include "store/addresses.h"
#include "store/bounces.h"

#include "processor/base/banned.h"

/* What an answer says. A text with a yes and a no says nothing. */
struct said {
	bool yes, no;
	const struct letter_item *help; /* asked for instead of either */
};

enum {
	ANSWER_WORDS = 4, /* "Yes, that was really me." */
	GREETING_COLS = 20
};

/* A command behind the word was not meant for a question. */
static bool has_command(struct dealing *d, struct span text)
{
	struct letter l;
	bool found = false;

	letter_read(text, SPAN_EMPTY, d->srv->cfg.max_commands, d->arena, &l);
	for (size_t i = 0; i < l.nitems; i++)
		found = found || l.items[i].verb != CMD_ORDERS;
	letter_release(&l);
	return found;
}

/* Letters and apostrophes alone: neither an order nor a question has only these. */
static bool is_plain_word(struct span word)
{
	for (size_t i = 0; i < word.len; i++) {
		unsigned char c = (unsigned char)word.ptr[i];
		if (!isalpha(c) && c < 0x80 && c != '\'')
			return false;
	}
	return true;
}

/* "didn't", also with a typographic apostrophe. */
static bool is_negated(struct span word)
{
	char before = word.len > 2 ? word.ptr[word.len - 2] : 'x';

	return (before == '\'' || (unsigned char)before >= 0x80) &&
	       (word.ptr[word.len - 1] == 't' || word.ptr[word.len - 1] == 'T');
}

/* After such a word a yes or a no means something else. */
static bool turns_it(struct span word, bool yes)
{
	static const char *const against_yes[] = {"no",     "not",     "never", "but",
	                                          "nobody", "nothing", NULL};
	static const char *const against_no[] = {"yes",   "problem", "idea",
	                                         "virus", "reply",   NULL};
	bool found = yes && is_negated(word);

	for (const char *const *w = yes ? against_yes : against_no; *w; w++)
		found = found || span_eq_nocase(word, *w);
	return found;
}

/* Not within running text: that may be our own question, quoted and its lines broken anew. */
static bool begins_a_sentence(const struct letter *l, size_t i)
{
	return i == 0 || l->lines[i].line > l->lines[i - 1].line + 1 ||
	       l->lines[i - 1].text.len <= GREETING_COLS;
}

/* "yes", "yes please", "No, thanks." */
static bool is_answer(struct dealing *d, const struct letter *l, size_t i, bool yes)
{
	static const char separators[] = " \t,.!";
	struct span rest = l->lines[i].text, word;
	unsigned n = 0;

	if (!span_next_word(&rest, separators, &word) ||
	    !span_eq_nocase(word, yes ? "yes" : "no"))
		return false;
	struct span behind = rest;
	while (span_next_word(&rest, separators, &word))
		if (++n > ANSWER_WORDS || !is_plain_word(word) || turns_it(word, yes))
			return false;
	return n == 0 || (begins_a_sentence(l, i) && !has_command(d, behind));
}

static void look_for_answer(struct dealing *d, const struct letter *l, struct said *said)
{
	for (size_t i = 0; i < l->nitems; i++) {
		said->yes = said->yes || l->items[i].verb == CMD_YES;
		said->no = said->no || l->items[i].verb == CMD_NO;
		if (l->items[i].verb == CMD_HELP && !said->help)
			said->help = &l->items[i];
	}
	for (size_t i = 0; i < l->nlines; i++) {
		said->yes = said->yes || is_answer(d, l, i, true);
		said->no = said->no || is_answer(d, l, i, false);
	}
}

/* In the first text that has any. */
static struct said what_was_said(struct dealing *d)
{
	struct said said = {0};
	struct letter l;

	for (size_t i = 0; i < d->mail->ntexts && !said.yes && !said.no && !said.help; i++) {
		letter_read(d->mail->texts[i].text, d->mail->subject, d->srv->cfg.max_commands,
		            d->arena, &l);
		look_for_answer(d, &l, &said);
		letter_release(&l);
	}
	return said;
}

/* What follows goes to this address of the player. */
static enum err speak_to(struct dealing *d, int64_t player, struct span address)
{
	TRY(player_get(d->srv->store, player, d->arena, &d->player));
	if (address.len > 0)
		d->player.address = address;
	return ERR_NONE;
}

static enum err closed(struct dealing *d)
{
	dealing_verdict(d, "closed-question", "answers a question that is no longer open");
	if (d->player.id == 0)
		return ERR_NONE;
	return dealing_notice(
	    d, NULL, NULL, "that question is no longer open", "",
	    "The question you answered is no longer open: it has been answered, a newer one "
	    "has taken its place, or more than two days have gone by. Nothing was changed by "
	    "your answer. If it was about orders and their turn still runs, please send them "
	    "once more as an answer to the newest report of the game; if it was about an "
	    "address, ask anew.");
}

static enum err from_elsewhere(struct dealing *d, const struct question *q,
                               enum question_end end)
{
	bool allowed;

	dealing_verdict(d, "strange-address",
	                "an answer from another address than the one that was asked");
	TRY(speak_to(d, q->player, end == QUESTION_TO_ADDRESS ? q->address : SPAN_EMPTY));
	TRY(question_allowed(d, q->kind, d->player.address, &allowed));
	if (!allowed)
		return ERR_NONE;
	return dealing_notice(
	    d, NULL, NULL, "please answer from this address", "",
	    "An answer to our question came from another address than the one the question "
	    "went to, so it does not count. If it was you, please answer the question once "
	    "more, from here. If it was not, do nothing.");
}

static enum err neither(struct dealing *d, const struct question *q, enum question_end end)
{
	struct letter_out out = LETTER_OUT_INIT;

	dealing_verdict(d, "not-understood", "neither yes nor no to our question");
	report_notice(
	    &(struct report_notice){
		.subject = "yes or no?",
		.paragraphs =
		    (const char *const[]){
			"Your mail answers a question of ours, but neither a YES nor a NO was "
			"found in it, so nothing has changed. Nothing else is read of such an "
			"answer; orders go into an answer to a report. Please answer with one "
			"of these lines:"},
		.nparagraphs = 1,
		.examples = (const char *const[]){"yes", "no"},
		.nexamples = 2,
	    },
	    &out);
	bool allowed;
	enum err rc = question_allowed(d, q->kind, d->player.address, &allowed);
	if (rc == ERR_NONE && allowed)
		rc = question_post(d, NULL, NULL, q, end, &out);
	letter_out_release(&out);
	return rc;
}

/* ---- a held mail ---- */

static enum err new_reply_address(struct dealing *d, const struct question *q)
{
	struct hand h;
	enum err rc = hand_load(d->srv, q->game, d->arena, &h);
	struct seat *seat = rc == ERR_NONE ? hand_seat(&h, q->seat) : NULL;

	if (seat && seat->player == d->player.id)
		rc = seat_new_reply_address(d, &h, seat, "thrown away; your new reply address",
		                            "The mail has been thrown away. ");
	hand_release(&h);
	return rc;
}

static enum err about_mail(struct dealing *d, const struct question *q, bool yes,
                           const struct question **use)
{
	TRY(question_drop(d->srv->store, q->id));
	if (yes) {
		*use = q;
		return ERR_NONE;
	}
	dealing_verdict(d, "command", "no to mail %lld: thrown away%s", (long long)q->mail,
	                q->seat > 0 || question_is_of_digest(q) ? ", new reply address" : "");
	if (q->seat > 0)
		return new_reply_address(d, q);
	if (question_is_of_digest(q)) {
		d->bundle = q->serial;
		d->proven = true;
		return bundle_new_token(d, "The mail has been thrown away. ");
	}
	return dealing_notice(d, NULL, NULL, "thrown away", "",
	                      "The mail has been thrown away. Nothing of it was carried out.");
}

/* ---- another address ---- */

static enum err tell(struct dealing *d, const struct question *q, enum question_end end,
                     const char *subject, const char *text)
{
	TRY(speak_to(d, q->player, end == QUESTION_TO_ADDRESS ? q->address : SPAN_EMPTY));
	return dealing_notice(d, NULL, NULL, subject, "", "%s", text);
}

static enum question_end other_end(enum question_end end)
{
	return end == QUESTION_TO_PLAYER ? QUESTION_TO_ADDRESS : QUESTION_TO_PLAYER;
}

static enum err first_yes(struct dealing *d, struct question *q, enum question_end end)
{
	TRY(question_update(d->srv->store, q));
	dealing_verdict(d, "command", "yes from one end to '%s'", question_kind_name(q->kind));
	return tell(
	    d, q, end, "one yes is here, one is missing",
	    "Thank you. The other address has been asked as well; as soon as it says yes too, "
	    "the change is made and you hear of it. Until then nothing has changed.");
}

/* The one mail that still goes to where nothing will go from now on. */
static enum err tell_former(struct dealing *d, const struct question *q, struct span former)
{
	TRY(speak_to(d, q->player, former));
	return dealing_notice(d, NULL, NULL, "your mail goes elsewhere now",
	                      arena_printf(d->arena, "set address %.*s", SPAN_ARGS(former)),
	                      "Both addresses have agreed: from now on everything for you is "
	                      "sent to %.*s, and no longer to this address. Mail from here "
	                      "still counts as yours. To change back, write from here:",
	                      SPAN_ARGS(q->address));
}

#define ORDERS_FROM_HERE                                                            \
	"Both addresses have agreed: from now on mail from this address counts as " \
	"yours. Reports and answers go on to the address they have gone to so far."

static enum err both_agree(struct dealing *d, const struct question *q)
{
	struct span former;

	dealing_verdict(d, "command", "yes from both ends to '%s'",
	                question_kind_name(q->kind));
	TRY(speak_to(d, q->player, SPAN_EMPTY));
	former = d->player.address;
	TRY(bounce_forgive(d->srv->store, q->address)); /* its yes shows that it is good */
	if (q->kind == QUESTION_ADDRESS) {
		TRY(address_replace(d->srv->store, q->player, q->address, d->srv->now_utc));
		TRY(tell_former(d, q, former));
		return tell(d, q, QUESTION_TO_PLAYER, "your mail comes here now",
		            "Both addresses have agreed: from now on everything for you is "
		            "sent to this address, and mail from here counts as yours.");
	}
	TRY(address_add(d->srv->store, q->player, q->address, d->srv->now_utc));
	TRY(tell(d, q, QUESTION_TO_PLAYER, "another address of yours",
	         arena_printf(d->arena,
	                      "Both addresses have agreed: from now on mail from %.*s counts "
	                      "as yours. Reports and answers go on to this address.",
	                      SPAN_ARGS(q->address))));
	return tell(d, q, QUESTION_TO_ADDRESS, "your orders from here count",
	            d->srv->cfg.plus_address ? ORDERS_FROM_HERE
	                " To send orders from here, write to the reply address of a report "
	                "that came there."
	                                     : ORDERS_FROM_HERE);
}

/* Somebody else has it by now, or it is one too many. */
static enum err cannot_be(struct dealing *d, const struct question *q)
{
	static const char subject[] = "the address was not changed";
	static const char text[] =
	    "Both addresses have agreed, but the change cannot be made: the new address "
	    "belongs to another player here, or the player has as many addresses as anybody "
	    "may have. Nothing has changed.";

	dealing_verdict(d, "refused", "the address is taken, or one too many");
	TRY(tell(d, q, QUESTION_TO_PLAYER, subject, text));
	return tell(d, q, QUESTION_TO_ADDRESS, subject, text);
}

/* Looked up before anything is written: a failed write would take the whole mail back. */
static enum err can_be(struct dealing *d, const struct question *q, bool *yes)
{
	struct player owner;
	struct span *others;
	size_t n;
	enum err rc = player_by_address(d->srv->store, q->address, d->arena, &owner);

	*yes = false;
	if (rc == ERR_NONE && (owner.id != q->player || q->kind == QUESTION_ALSO))
		return ERR_NONE;
	if (rc != ERR_NONE && rc != ERR_NOT_FOUND)
		return rc;
	TRY(address_list(d->srv->store, q->player, d->arena, &others, &n));
	*yes = n < PLAYER_ADDRESSES_MAX || rc == ERR_NONE;
	return ERR_NONE;
}

static enum err agree(struct dealing *d, struct question *q, enum question_end end)
{
	bool possible;

	if (end == QUESTION_TO_PLAYER)
		q->player_yes = true;
	else
		q->address_yes = true;
	if (!q->player_yes || !q->address_yes)
		return first_yes(d, q, end);
	TRY(question_drop(d->srv->store, q->id));
	TRY(can_be(d, q, &possible));
	return possible ? both_agree(d, q) : cannot_be(d, q);
}

/* The new address is not written to again unless it spoke itself. */
static enum err disagree(struct dealing *d, const struct question *q, enum question_end end)
{
	TRY(question_drop(d->srv->store, q->id));
	dealing_verdict(d, "command", "no to '%s'", question_kind_name(q->kind));
	TRY(tell(d, q, end, "nothing has changed",
	         "You have said no, so nothing has changed, and the question is closed."));
	if (end == QUESTION_TO_PLAYER && !q->address_yes)
		return ERR_NONE;
	if (end == QUESTION_TO_PLAYER)
		return tell(d, q, other_end(end), "nothing has changed",
		            "You have said yes, but the player has said no: nothing has "
		            "changed, and the question is closed.");
	return tell(d, q, other_end(end), "the other address has said no",
	            "The other address has said no, so nothing has changed, and the question "
	            "is closed.");
}

/* ---- who answers ---- */

static bool is_from(const struct dealing *d, const struct question *q, enum question_end end)
{
	if (end == QUESTION_TO_PLAYER)
		return d->player.id == q->player;
	return utf8_eq_folded(d->mail->from, q->address);
}

static enum err answered(struct dealing *d, struct question *q, enum question_end end,
                         const struct question **use)
{
	struct said said = what_was_said(d);

	if (!is_from(d, q, end))
		return from_elsewhere(d, q, end);
	if (d->arrived_utc > q->asked_utc + QUESTION_OPEN_S)
		return closed(d);
	TRY(speak_to(d, q->player, end == QUESTION_TO_ADDRESS ? q->address : SPAN_EMPTY));
	if (d->player.blocked) {
		dealing_verdict(d, "blocked", "the player who was asked is blocked");
		return ERR_NONE;
	}
	if (end == QUESTION_TO_PLAYER)
		TRY(bounces_forgive(d)); /* only he could have had what he answers */
	if (said.help && !said.yes && !said.no)
		return do_help(d, said.help); /* the question stays open */
	if (said.yes == said.no)
		return neither(d, q, end);
	if (q->kind == QUESTION_MAIL)
		return about_mail(d, q, said.yes, use);
	return said.yes ? agree(d, q, end) : disagree(d, q, end);
}

enum err answering(struct dealing *d, bool *done, const struct question **use)
{
	struct question *q = arena_calloc(d->arena, 1, sizeof(*q));
	enum question_end end = QUESTION_TO_PLAYER;
	enum question_found found;

	*use = NULL;
	TRY(question_find(d, q, &end, &found));
	*done = found != QUESTION_NONE;
	if (!*done)
		return ERR_NONE;
	d->understood = true;
	dealing_forget(d); /* an answer may change the game that has been looked at */
	if (found == QUESTION_CLOSED)
		return closed(d);
	d->may_answer = true;
	return answered(d, q, end, use);
}
