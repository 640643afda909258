/*
 * request.c - answers to the mail in hand, and the game it is about.
 */
#include "processor/request/request.h"

#include <stdio.h>
#include <string.h>

#include "processor/games/registry.h"
#include "processor/request/master.h"
#include "processor/server/reply_address.h"

#include "processor/base/banned.h"

enum { DAY_S = 24 * 3600, WEEK_S = 7 * DAY_S, SAME_ANSWERS = 3 };

void dealing_verdict(struct dealing *d, const char *verdict, const char *fmt, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	d->row.verdict = span_of(arena_strdup(d->arena, verdict));
	d->row.detail = arena_dup(d->arena, strbuf_span(&text));
	strbuf_release(&text);
}

static struct span joined_references(struct dealing *d)
{
	struct strbuf all = STRBUF_INIT;

	for (size_t i = 0; i < d->mail->references.count; i++) {
		strbuf_add_span(&all, d->mail->references.items[i]);
		strbuf_addc(&all, ' ');
	}
	struct span copy = arena_dup(d->arena, span_trim(strbuf_span(&all)));
	strbuf_release(&all);
	return copy;
}

/* ---- the valve ---- */

/* How many of a kind are sent, and what they are counted by. */
enum answer_class {
	ANSWER_OBJECTS, /* nothing was carried out: few, and fewer in the same words */
	ANSWER_SHOWS,   /* what was asked for; who proves to be himself may ask all day */
	ANSWER_RECEIPTS /* what was done or not done with orders: many, for each seat */
};

static enum answer_class class_of(const struct dealing *d, const struct hand *h,
                                  const struct seat *seat, const char *kind)
{
	static const char *const receipts[] = {"receipt", "welcome", "token", "late", "early"};

	if (d->player.id == 0 || strcmp(kind, "guide") == 0 || strcmp(kind, "notice") == 0)
		return ANSWER_OBJECTS;
	for (size_t i = 0; h && seat && i < sizeof(receipts) / sizeof(receipts[0]); i++)
		if (strcmp(kind, receipts[i]) == 0)
			return ANSWER_RECEIPTS;
	return ANSWER_SHOWS;
}

/* Counted by address; `what` tells apart what has a limit of its own. */
static enum err count_answer(struct dealing *d, struct span who, const char *what,
                             unsigned limit, enum valve *out)
{
	struct store *s = d->srv->store;
	int64_t now = d->srv->now_utc;
	bool may;

	TRY(stranger_allow(s, who, what, now - DAY_S, limit - 1, now, &may));
	*out = may ? VALVE_OPEN : VALVE_SHUT;
	if (may)
		return ERR_NONE;
	TRY(stranger_allow(s, who, what, now - DAY_S, limit, now, &may));
	*out = may ? VALVE_LAST : VALVE_SHUT;
	return ERR_NONE;
}

/* The letter as the reader sees it, without the line that numbers it. */
static const char *words_of(struct dealing *d, const struct letter_out *letter)
{
	struct strbuf words = STRBUF_INIT;
	struct span rest = strbuf_span(&letter->body), line;

	strbuf_addf(&words, "%s\n", letter->subject.ptr);
	while (span_next_line(&rest, &line))
		if (!span_starts(line, "Mail "))
			strbuf_addf(&words, "%.*s\n", SPAN_ARGS(line));
	struct digest digest = digest_of(strbuf_span(&words));
	strbuf_clear(&words);
	strbuf_addf(&words, "%.*s\n", SPAN_ARGS(d->player.address));
	strbuf_add_hex(&words, digest.bytes, DIGEST_LEN);
	const char *copy = arena_strdup(d->arena, words.ptr);
	strbuf_release(&words);
	return copy;
}

/* Nonsense in a player's name must not use up what he himself is answered. */
static enum err may_object(struct dealing *d, const struct letter_out *letter, enum valve *out)
{
	const char *what = d->player.id == 0 ? "answer"
	                   : d->proven       ? "notice"
	                                     : "claimed-notice";
	enum valve same;

	TRY(count_answer(d, span_of(words_of(d, letter)), d->proven ? "same" : "claimed-same",
	                 SAME_ANSWERS, &same));
	*out = same;
	if (same == VALVE_SHUT)
		return ERR_NONE;
	TRY(count_answer(d, d->player.address, what, d->srv->cfg.answers_per_day, out));
	if (*out == VALVE_OPEN)
		*out = same;
	return ERR_NONE;
}

static enum err nth_is_of_today(struct dealing *d, const struct hand *h,
                                const struct seat *seat, const char *kind, unsigned n,
                                bool *yes)
{
	int64_t written;

	*yes = n == 0;
	if (n == 0)
		return ERR_NONE;
	TRY(outbox_nth_answer(d->srv->store, h->game.id, seat->seat, kind, n, &written));
	*yes = written > d->srv->now_utc - DAY_S;
	return ERR_NONE;
}

/*
 * Receipts are many, and a note for each would cost more than the receipt: the mails of the
 * seat are looked at, and only when there are so many that they could be too many.
 */
static enum err may_receipt(struct dealing *d, const struct hand *h, const struct seat *seat,
                            const char *kind, enum valve *out)
{
	unsigned limit = d->srv->cfg.receipts_per_day;
	bool last = false, full = false;

	if (seat->mails + 1 >= limit)
		TRY(nth_is_of_today(d, h, seat, kind, limit - 1, &last));
	if (last)
		TRY(nth_is_of_today(d, h, seat, kind, limit, &full));
	*out = full ? VALVE_SHUT : last ? VALVE_LAST : VALVE_OPEN;
	return ERR_NONE;
}

enum err dealing_may_send(struct dealing *d, const struct hand *h, const struct seat *seat,
                          const char *kind, const struct letter_out *letter, enum valve *out)
{
	enum err rc = ERR_NONE;

	*out = VALVE_OPEN;
	switch (class_of(d, h, seat, kind)) {
	case ANSWER_OBJECTS:
		ENSURE(letter);
		rc = may_object(d, letter, out);
		break;
	case ANSWER_RECEIPTS:
		rc = may_receipt(d, h, seat, kind, out);
		break;
	case ANSWER_SHOWS:
		if (!d->proven)
			rc = count_answer(d, d->player.address, "request",
			                  d->srv->cfg.receipts_per_day, out);
		break;
	}
	d->silenced = d->silenced || (rc == ERR_NONE && *out == VALVE_SHUT);
	return rc;
}

const char *dealing_last_words(enum valve valve)
{
	return valve != VALVE_LAST
	           ? NULL
	           : "\nThis is the last answer of its kind that you get for a day. What you\n"
	             "send is still read, and orders that are understood are stored.\n";
}

void dealing_note_silence(struct dealing *d)
{
	if (d->silenced)
		d->row.detail = span_of(arena_printf(
		    d->arena, "%.*s; the answer was left out, for enough have gone there today",
		    SPAN_ARGS(d->row.detail)));
}

bool dealing_can_answer(const struct dealing *d)
{
	return d->may_answer && !(d->mail->flags & MAIL_NULL_PATH);
}

/* Where an answer to it goes: a seat's own address, or to the digest that is being answered. */
static const char *reply_to_bundle(struct dealing *d, const struct seat *seat)
{
	struct strbuf reply = STRBUF_INIT;

	if (seat || d->bundle == 0 || !d->proven || !d->srv->cfg.plus_address)
		return NULL;
	address_add_bundle(d->srv, &d->player, d->bundle, &reply);
	const char *copy = arena_strdup(d->arena, reply.ptr);
	strbuf_release(&reply);
	return copy;
}

/* What is an answer to the mail in hand; the rest is in `what`. */
static enum err post_answer(struct dealing *d, const struct hand *h, struct seat *seat,
                            const struct post *what)
{
	char key[64];

	snprintf(key, sizeof(key), "inbox %lld %u", (long long)d->inbox_id, ++d->item);
	struct post post = {
	    .kind = what->kind,
	    .key = key,
	    .game = h ? &h->game : NULL,
	    .seat = seat,
	    .serial = h && h->has_turn ? h->turn.serial : 0,
	    .player = d->player.id,
	    .address = d->player.address,
	    .ascii = d->player.ascii,
	    .letter = what->letter,
	    .writer = what->writer,
	    .postscript = what->postscript,
	    .cause = d->inbox_id,
	    .in_reply_to = d->mail->message_id,
	    .references = joined_references(d),
	    .reply_to = reply_to_bundle(d, seat),
	    .replied = true,
	    .keep = what->keep,
	    .carried = what->carried,
	};
	return post_add(d->srv, &post, d->arena);
}

enum err dealing_answer(struct dealing *d, const struct hand *h, struct seat *seat,
                        const char *kind, const struct letter_out *letter)
{
	static const struct keeping at_once = {0};

	return dealing_answer_later(d, h, seat, kind, letter, &at_once, NULL);
}

enum err dealing_answer_later(struct dealing *d, const struct hand *h, struct seat *seat,
                              const char *kind, const struct letter_out *letter,
                              const struct keeping *keep, const struct letter_out *carried)
{
	struct keeping how = *keep;
	enum valve valve;

	if (!dealing_can_answer(d))
		return ERR_NONE;
	TRY(dealing_may_send(d, h, seat, kind, letter, &valve));
	if (valve == VALVE_SHUT)
		return ERR_NONE;
	if (valve == VALVE_LAST)
		how.kept = false; /* it is to be noticed */
	return post_answer(d, h, seat,
	                   &(struct post){.kind = kind,
	                                  .letter = letter,
	                                  .postscript = dealing_last_words(valve),
	                                  .keep = how,
	                                  .carried = carried});
}

/* What it says is counted by its words, so they are needed at once. */
static enum err answer_in_words(struct dealing *d, const struct hand *h, struct seat *seat,
                                const char *kind, const struct post_writer *writer)
{
	struct letter_out out = LETTER_OUT_INIT;

	writer->write(writer->ctx, &out);
	enum err rc = dealing_answer(d, h, seat, kind, &out);
	letter_out_release(&out);
	return rc;
}

static enum err answer_by_writer(struct dealing *d, const struct hand *h, struct seat *seat,
                                 const char *kind, const struct post_writer *writer,
                                 bool *taken)
{
	enum valve valve;

	if (!dealing_can_answer(d))
		return ERR_NONE;
	if (class_of(d, h, seat, kind) == ANSWER_OBJECTS)
		return answer_in_words(d, h, seat, kind, writer);
	TRY(dealing_may_send(d, h, seat, kind, NULL, &valve));
	if (valve == VALVE_SHUT)
		return ERR_NONE;
	*taken = true;
	return post_answer(d, h, seat,
	                   &(struct post){.kind = kind,
	                                  .writer = *writer,
	                                  .postscript = dealing_last_words(valve)});
}

enum err dealing_answer_written(struct dealing *d, const struct hand *h, struct seat *seat,
                                const char *kind, const struct post_writer *writer)
{
	bool taken = false;
	enum err rc = answer_by_writer(d, h, seat, kind, writer, &taken);

	if (!taken && writer->release)
		writer->release(writer->ctx);
	return rc;
}

enum err dealing_notice(struct dealing *d, const struct hand *h, struct seat *seat,
                        const char *subject, const char *example, const char *fmt, ...)
{
	struct letter_out out = LETTER_OUT_INIT;
	struct strbuf text = STRBUF_INIT;
	struct report_game game;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	if (h)
		game = brief_game(d->srv, h, seat, &d->player);
	report_notice(
	    &(struct report_notice){
		.game = h ? &game : NULL,
		.subject = subject,
		.paragraphs = (const char *const[]){text.ptr},
		.nparagraphs = 1,
		.examples = (const char *const[]){example},
		.nexamples = *example ? 1 : 0,
	    },
	    &out);
	enum err rc = dealing_answer(d, h, seat, "notice", &out);
	letter_out_release(&out);
	strbuf_release(&text);
	return rc;
}

enum err dealing_games(struct dealing *d, struct game **games, size_t *n)
{
	unsigned live = 1u << GAME_RUNNING | 1u << GAME_GATHERING | 1u << GAME_PAUSED;

	*n = 0;
	if (d->player.id == 0)
		return ERR_NONE;
	return game_list_of_player(d->srv->store, d->player.id, live, d->arena, games, n);
}
