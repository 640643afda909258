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

/* The first command of a stranger that was nearly right; NULL if none. */
static const struct diag *nearly_right(const struct dealing *d)
{
	if (d->player.id != 0 || !d->letter)
		return NULL;
	for (size_t i = 0; i < d->letter->diags.count; i++)
		if (d->letter->diags.items[i].level == DIAG_ERROR)
			return &d->letter->diags.items[i];
	return NULL;
}

/*
 * His line is not shown to him: it may be somebody else's, who gets this mail. That holds since no
 * message of the letter has words of the line in it.
 */
static const char *why_wrong(const struct dealing *d, const struct diag *near)
{
	if (near->line == 0)
		return arena_printf(d->arena,
		                    "The subject of your mail was not carried out. %s",
		                    near->message);
	return arena_printf(d->arena, "Line %u of your mail was not carried out. %s",
	                    near->line, near->message);
}

enum err dealing_guide(struct dealing *d, const char *reason)
{
	const struct diag *near = reason ? NULL : nearly_right(d);
	struct letter_out out = LETTER_OUT_INIT;
	struct strbuf table = STRBUF_INIT, unread = STRBUF_INIT;
	const char *example = NULL;
	bool allowed = true;
	enum err rc = ERR_NONE;

	dealing_verdict(d, d->player.id ? "not-understood" : "stranger",
	                "no line was understood");
	if (!d->may_answer)
		return ERR_NONE;
	if (d->player.id == 0)
		TRY(stranger_allow(d->srv->store, d->player.address, "guide",
		                   d->srv->now_utc - WEEK_S, 1, d->srv->now_utc, &allowed));
	if (!allowed) {
		dealing_verdict(d, "stranger",
		                "no line was understood; this address was sent "
		                "the guide less than a week ago");
		return ERR_NONE;
	}
	if (near)
		TRY(dealing_example(d, near->example, &example));
	letter_add_table(&table);
	for (size_t i = 0; d->player.id && d->letter && i < d->letter->nlines && i < 5; i++)
		if (d->letter->lines[i].text.len > 0)
			strbuf_addf(&unread, "%.*s\n", SPAN_ARGS(d->letter->lines[i].text));
	report_guide(&(struct report_guide){.topic = GUIDE_SHORT,
	                                    .command_table = strbuf_span(&table),
	                                    .unread = strbuf_span(&unread),
	                                    .reason = near ? why_wrong(d, near) : reason,
	                                    .example = example,
	                                    .address = d->srv->cfg.address},
	             &out);
	rc = dealing_answer(d, NULL, NULL, "guide", &out);
	letter_out_release(&out);
	strbuf_release(&table);
	strbuf_release(&unread);
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

static enum err which_game(struct dealing *d, const struct game *games, size_t n)
{
	struct strbuf names = STRBUF_INIT;

	for (size_t i = 0; i < n; i++)
		strbuf_addf(&names, "%s%s",
		            i == 0       ? ""
		            : i + 1 == n ? " and "
		                         : ", ",
		            game_id_text(&games[i], d->arena));
	enum err rc = dealing_notice(
	    d, NULL, NULL, "which game?",
	    arena_printf(d->arena, "signon %s", game_id_text(&games[0], d->arena)),
	    "You play in %s, and your mail does not say which of them it is "
	    "about, so nothing was carried out. Answer the newest report of that "
	    "game, or put a line with its number above the others, such as:",
	    names.ptr);
	strbuf_release(&names);
	return rc;
}

static enum err no_game(struct dealing *d, const struct letter_item *item,
                        const struct game *games, size_t playing)
{
	if (d->player.id == 0 && item->game == 0)
		return dealing_guide(d, "You have no game here yet, so your mail was not "
		                        "carried out.");
	if (item->game != 0)
		return dealing_notice(
		    d, NULL, NULL, "no such game", "list",
		    "There is no game %.*s%lld here. Ask for the open games with:",
		    item->game_letter ? 1 : 0, &item->game_letter, (long long)item->game);
	if (playing == 0)
		return dealing_notice(
		    d, NULL, NULL, "which game?", "join " EXAMPLE_KIND,
		    "You have no seat in a running game, so \"%.*s\" could not be carried "
		    "out. Take a seat with a line such as:",
		    SPAN_ARGS(item->text));
	return which_game(d, games, playing);
}

static enum err private_game(struct dealing *d, const struct hand *h)
{
	return dealing_notice(
	    d, NULL, NULL, "a private game", "list",
	    "%s is private and can be seen only by those who sit in it. To take a "
	    "seat you need the key that its creator was given. Open games are shown "
	    "by:",
	    h->id);
}

static enum err own_seat(struct dealing *d, struct hand *h, struct seat **seat)
{
	*seat = NULL;
	if (h->game.id == d->game && d->seat != 0) {
		*seat = hand_seat(h, d->seat);
		return ERR_NONE;
	}
	for (size_t i = 0; i < h->nseats && !*seat; i++)
		if (h->seats[i].player != 0 && h->seats[i].player == d->player.id)
			*seat = &h->seats[i];
	return ERR_NONE;
}

bool letter_fits(const struct letter_item *item, const struct game *game)
{
	return item->game == 0 || game_has_letter(game, item->game_letter);
}

void tried_orders_clear(struct tried_orders *t)
{
	diags_release(&t->diags);
	*t = (struct tried_orders){0};
}

enum err dealing_hand(struct dealing *d, int64_t game, struct hand *h)
{
	if (d->kept.game.id != game || game == 0) {
		tried_orders_clear(&d->tried);
		return hand_load_to_read(d->srv, game, d->arena, h);
	}
	*h = d->kept;
	d->kept = (struct hand){0};
	return ERR_NONE;
}

void dealing_keep(struct dealing *d, struct hand *h)
{
	hand_release(&d->kept);
	d->kept = *h;
	*h = (struct hand){.arena = d->arena};
}

void dealing_forget(struct dealing *d)
{
	tried_orders_clear(&d->tried);
	hand_release(&d->kept);
	d->kept = (struct hand){0};
}

enum err dealing_game(struct dealing *d, const struct letter_item *item, struct hand *h,
                      struct seat **seat, bool *found)
{
	int64_t game = item->game ? item->game : d->game;
	struct game *games = NULL;
	size_t playing = 0;

	*h = (struct hand){.arena = d->arena};
	*seat = NULL;
	*found = false;
	d->understood = true;
	if (game == 0)
		TRY(dealing_games(d, &games, &playing));
	if (game == 0)
		TRY(dealing_observed_answered(d, &game));
	if (game == 0 && playing == 1)
		game = games[0].id;
	if (game == 0 && playing == 0)
		TRY(dealing_observed_only(d, &game));
	if (game == 0)
		return no_game(d, item, games, playing);
	enum err rc = dealing_hand(d, game, h);
	if (rc == ERR_NOT_FOUND || (rc == ERR_NONE && !letter_fits(item, &h->game)))
		return no_game(d, item, games, playing);
	TRY(rc);
	TRY(own_seat(d, h, seat));
	if (h->game.is_private && !*seat && !brief_observes(d->srv, h, &d->player) &&
	    (d->player.id == 0 || h->game.master != d->player.id))
		return private_game(d, h);
	*found = true;
	d->row.game = game;
	if (*seat)
		d->row.seat = (*seat)->seat;
	d->row.serial = h->has_turn ? h->turn.serial : 0;
	return ERR_NONE;
}

enum err dealing_with_game(struct dealing *d, const struct letter_item *item,
                           enum err (*act)(struct dealing *d, const struct letter_item *item,
                                           struct hand *h, struct seat *seat))
{
	struct hand h;
	struct seat *seat;
	bool found;
	enum err rc = dealing_game(d, item, &h, &seat, &found);

	if (rc == ERR_NONE && found)
		rc = act(d, item, &h, seat);
	hand_release(&h);
	return rc;
}
