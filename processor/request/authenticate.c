/*
 * authenticate.c - mail whose sender may not be who he seems.
 */
#include "processor/request/authenticate.h"

#include "processor/request/seats.h"
#include "processor/request/which_game.h"

#include "processor/base/utf8.h"
#include "processor/request/master.h"

#include "processor/base/banned.h"

enum { SHOWN_LINES = 60, SHOWN_COLS = 400 };

/* ---- what the mail server found out ---- */

void speaker_judge(struct dealing *d)
{
	const struct config *cfg = &d->srv->cfg;

	if (!cfg->authserv_id || cfg->authentication == AUTHENTICATION_IGNORE)
		return;
	d->auth = auth_results_judge(d->mail->auth_results, span_of(cfg->authserv_id),
	                             d->mail->from, d->arena);
	d->doubtful = cfg->authentication == AUTHENTICATION_REQUIRE &&
	              d->auth.state != AUTH_PASSED;
}

const char *speaker_remark(struct dealing *d)
{
	if (!d->auth.why || d->auth.state != AUTH_FAILED || d->settled)
		return NULL;
	return arena_printf(
	    d->arena,
	    "Our mail server could not make sure that this mail comes from where it says (%s). "
	    "If you did not write it, answer with \"TOKEN NEW\" and then with your own orders.",
	    d->auth.why);
}

void speaker_note_results(struct dealing *d)
{
	static const char *const said[] = {
	    [AUTH_UNSAID] = "unsaid", [AUTH_FAILED] = "failed", [AUTH_PASSED] = "passed"};
	const char *detail;

	if (!d->auth.why)
		return;
	detail = arena_printf(d->arena, "%.*s; sender %s: %s", SPAN_ARGS(d->row.detail),
	                      said[d->auth.state], d->auth.why);
	d->row.detail = span_of(detail);
}

/* ---- whether to ask ---- */

static bool has_verb(const struct letter *l, enum letter_verb verb)
{
	for (size_t i = 0; i < l->nitems; i++)
		if (l->items[i].verb == verb)
			return true;
	return false;
}

static bool founds_or_joins(enum letter_verb verb)
{
	return verb == CMD_JOIN || verb == CMD_CREATE || verb == CMD_FORK ||
	       verb == CMD_REMATCH;
}

static bool watches(enum letter_verb verb)
{
	return verb == CMD_OBSERVE || verb == CMD_MONITOR;
}

static bool votes(enum letter_verb verb)
{
	return verb == CMD_SET_DRAW || verb == CMD_SET_NODRAW || verb == CMD_SET_CONCEDE ||
	       verb == CMD_SET_NOCONCEDE || verb == CMD_VOTE;
}

/* Commands that change what is stored. What confirms itself by mail, and what shows, is not. */
static bool is_a_change(const struct dealing *d, enum letter_verb verb)
{
	if (founds_or_joins(verb) || watches(verb))
		return d->doubtful;
	if (verb == CMD_SALT) /* with a JOIN it is part of that */
		return !has_verb(d->letter, CMD_JOIN);
	if (votes(verb))
		return true;
	return verb == CMD_RESIGN || verb == CMD_CLEAR || verb == CMD_SET_WAIT ||
	       verb == CMD_SET_NOWAIT || verb == CMD_TOKEN_NEW || verb == CMD_PRESS ||
	       verb == CMD_BROADCAST || verb == CMD_DIARY || verb == CMD_ALWAYS ||
	       verb == CMD_ALWAYS_OFF || verb == CMD_QUEUE || verb == CMD_QUEUE_OFF ||
	       verb == CMD_SET_FALLBACK;
}

/*
 * The games an item can be about, `about` alone if that is not 0; without any it changes
 * nothing.
 */
static enum err games_meant(struct dealing *d, int64_t about, struct game **games, size_t *n)
{
	if (about == 0)
		return dealing_games(d, games, n);
	*games = arena_calloc(d->arena, 1, sizeof(**games));
	enum err rc = game_get(d->srv->store, about, d->arena, *games);
	*n = rc == ERR_NONE;
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

/* With several games and none named the mail only leads to the question which is meant. */
static bool names_a_game(const struct dealing *d, const struct letter_item *item, size_t ngames)
{
	return ngames == 1 || item->game != 0 || has_verb(d->letter, CMD_SIGNON);
}

static enum err changes(struct dealing *d, const struct letter_item *item, int64_t about,
                        bool *yes)
{
	struct game *games;
	size_t n;
	enum reading r;

	*yes = false;
	if (item->verb == CMD_TAKEOVER || item->verb == CMD_SET_ABSENCE ||
	    item->verb == CMD_SET_NOABSENCE) {
		*yes = true;
		return ERR_NONE;
	}
	if (founds_or_joins(item->verb) || watches(item->verb)) {
		*yes = is_a_change(d, item->verb);
		return ERR_NONE;
	}
	if (item->verb != CMD_ORDERS && !is_a_change(d, item->verb))
		return ERR_NONE;
	TRY(games_meant(d, about, &games, &n));
	if (!names_a_game(d, item, n))
		return ERR_NONE;
	*yes = item->verb != CMD_ORDERS && (n > 0 || item->game != 0);
	for (size_t i = 0; i < n && item->verb == CMD_ORDERS && !*yes; i++) {
		TRY(orders_try(d, games[i].id, item->orders, &r));
		*yes = r == READING_GOOD;
	}
	return ERR_NONE;
}

/* A reply address of a game speaks for that one, one of a digest for all of the player's. */
static bool is_proven_for(const struct dealing *d, int64_t about)
{
	return d->proven && (d->bundle != 0 || about == d->game);
}

/* Whether a From address alone speaks for what is about this game, and is not enough. */
static bool is_bare(const struct dealing *d, int64_t about)
{
	return d->srv->cfg.known_senders == KNOWN_CONFIRM && !is_proven_for(d, about);
}

bool speaker_is_sure(const struct dealing *d, int64_t about)
{
	return d->settled || (!is_bare(d, about) && !d->doubtful && d->strange.len == 0);
}

static enum err must_ask_about(struct dealing *d, const struct letter_item *item, int64_t about,
                               bool *yes)
{
	/* What a master does concerns everybody, and is never done on the word of an address. */
	if (!is_proven_for(d, about) || d->doubtful)
		TRY(master_is_meant(d, item, about, yes));
	if (*yes)
		return ERR_NONE;
	if (speaker_is_sure(d, about))
		return ERR_NONE;
	if (d->strange.len == 0 || item->verb == CMD_ORDERS)
		return changes(d, item, about, yes);
	*yes = true;
	return ERR_NONE;
}

/*
 * TAKEOVER shows at once what is hidden from others: unlike with JOIN nobody can have the seat
 * first and confirm later.
 */
static bool must_prove_himself(const struct dealing *d)
{
	return has_verb(d->letter, CMD_TAKEOVER) && !d->player.confirmed && !d->proven &&
	       d->strange.len == 0 &&
	       (d->srv->cfg.unknown_senders != UNKNOWN_ACCEPT || d->doubtful);
}

enum err speaker_must_ask(struct dealing *d, bool *yes)
{
	int64_t game = d->game; /* as SIGNON lines change it when they are carried out */

	*yes = false;
	if (d->settled)
		return ERR_NONE;
	if (must_prove_himself(d)) {
		*yes = true;
		return joining_make_known(d);
	}
	if (d->player.id == 0)
		return ERR_NONE;
	for (size_t i = 0; i < d->letter->nitems && !*yes; i++) {
		const struct letter_item *item = &d->letter->items[i];
		if (item->verb == CMD_SIGNON)
			game = item->game;
		TRY(must_ask_about(d, item, item->game != 0 ? item->game : game, yes));
	}
	return ERR_NONE;
}

/* ---- asking ---- */

/* One line with single blanks, so that nothing stands far to the right. True if it is cut. */
static bool add_shown(struct strbuf *out, const char *lead, struct span line)
{
	struct strbuf plain = STRBUF_INIT;
	struct span rest = line, word;

	while (span_next_word(&rest, " \t", &word))
		strbuf_addf(&plain, "%s%.*s", plain.len > 0 ? " " : "", SPAN_ARGS(word));
	struct span shown = utf8_clip(strbuf_span(&plain), SHOWN_COLS);
	bool cut = shown.len < plain.len;
	strbuf_addf(out, "%s%.*s%s\n", lead, SPAN_ARGS(shown), cut ? " ..." : "");
	strbuf_release(&plain);
	return cut;
}

/* What was read of the mail, for the player to recognise; when it is not all he is told. */
static struct span shown_lines(struct dealing *d)
{
	const struct letter *l = d->letter;
	struct strbuf text = STRBUF_INIT;
	size_t shown = 0, more = 0;
	bool cut = false;

	if (l->nitems > 0 && l->items[0].line == 0)
		cut = add_shown(&text, "Subject: ", l->items[0].text);
	for (size_t i = 0; i < l->nlines; i++) {
		if (l->lines[i].text.len == 0)
			continue;
		if (shown++ < SHOWN_LINES)
			cut |= add_shown(&text, "", l->lines[i].text);
		else
			more++;
	}
	if (more > 0)
		strbuf_addf(&text, "(and %zu more line%s)\n", more, more == 1 ? "" : "s");
	if (more > 0 || cut)
		strbuf_adds(&text,
		            "(That is not all of it; a YES carries out the rest too.)\n");
	struct span copy = arena_dup(d->arena, strbuf_span(&text));
	strbuf_release(&text);
	return copy;
}

static const char *why_asked(struct dealing *d)
{
	bool codes = d->srv->cfg.plus_address;

	if (d->strange.len > 0)
		return arena_printf(
		    d->arena,
		    "%s came from another address, %.*s. This is what was read of it:",
		    codes ? "A mail to your reply address"
			  : "An answer to a mail that was sent to you",
		    SPAN_ARGS(d->strange));
	if (d->doubtful)
		return arena_printf(
		    d->arena,
		    "A mail came with your address as its sender, but our mail server could "
		    "not make sure that it is from there (%s). This is what was read of it:",
		    d->auth.why);
	if (d->proven)
		return codes ? "A mail to your reply address for one game has lines about "
		               "another game of yours, for which that address does not speak. "
		               "This is what was read of it:"
		             : "An answer to a mail about one game has lines about another "
		               "game of yours, of which that mail proves nothing. This is what "
		               "was read of it:";
	if (d->seat != 0)
		return "A mail came with your address as its sender. It answers a mail from "
		       "before your reply address was changed, which anybody may have seen. "
		       "This is what was read of it:";
	return "A mail came with your address as its sender. It was neither sent to a reply "
	       "address of yours nor an answer to a mail of ours, and anybody can write a "
	       "sender's address. This is what was read of it:";
}

/* d->sure_utc is the yes then: what takes effect for others too, and may come too late. */
static const char *what_yes_does(const struct dealing *d)
{
	for (size_t i = 0; i < d->letter->nitems; i++) {
		enum letter_verb verb = d->letter->items[i].verb;

		if (verb == CMD_TAKEOVER || verb == CMD_PRESS || verb == CMD_BROADCAST ||
		    votes(verb) || master_needs(verb) != 0)
			return "carried out then; orders in it count as if they had come from "
			       "you when the mail arrived";
	}
	return "carried out as if it had come from you when it arrived";
}

static const char *what_no_does(struct dealing *d, const struct question *q)
{
	const char *also = q->seat == 0 && !question_is_of_digest(q) ? ""
	                   : d->srv->cfg.plus_address
	                       ? " and you get a new reply address, because somebody else "
	                         "seems to have this one"
	                       : " and answers to the mails you have had so far are no longer "
	                         "taken, because somebody else seems to have seen them";

	return arena_printf(d->arena,
	                    "Nothing of it has been carried out. If you answer with YES, it is "
	                    "%s. If you answer with NO, it is thrown away%s.",
	                    what_yes_does(d), also);
}

static enum err send_question(struct dealing *d, struct hand *h, struct seat *seat,
                              const struct question *q)
{
	struct letter_out out = LETTER_OUT_INIT;
	struct report_game game;

	if (h)
		game = brief_game(d->srv, h, seat, &d->player);
	report_notice(
	    &(struct report_notice){
		.game = h ? &game : NULL,
		.subject = "is this mail from you?",
		.paragraphs =
		    (const char *const[]){
			why_asked(d), what_no_does(d, q),
			"Without an answer it is thrown away after two days. The turn does not "
			"wait for your answer. Answer this very mail, with the first of these "
			"lines or the second:"},
		.nparagraphs = 3,
		.orders = shown_lines(d),
		.examples = (const char *const[]){"yes", "no"},
		.nexamples = 2,
	    },
	    &out);
	enum err rc = question_post(d, h, seat, q, QUESTION_TO_PLAYER, &out);
	letter_out_release(&out);
	return rc;
}

/*
 * The game the question is about: the one answered, none with a digest, else the player's only
 * one.
 */
static enum err game_in_question(struct dealing *d, int64_t *game)
{
	struct game *games;
	size_t n;

	*game = d->game;
	if (*game != 0 || d->bundle != 0)
		return ERR_NONE;
	TRY(dealing_games(d, &games, &n));
	*game = n == 1 ? games[0].id : 0;
	return ERR_NONE;
}

static enum err keep_and_ask(struct dealing *d, struct question *q)
{
	struct hand h = {0};
	struct seat *seat = NULL;
	enum err rc;

	TRY(question_drop_old(d->srv->store, d->srv->now_utc - 2 * QUESTION_OPEN_S));
	TRY(question_add(d->srv->store, q));
	if (q->game == 0)
		return send_question(d, NULL, NULL, q);
	rc = hand_load(d->srv, q->game, d->arena, &h);
	for (size_t i = 0; rc == ERR_NONE && i < h.nseats && !seat; i++)
		if (h.seats[i].player == d->player.id &&
		    (q->seat == 0 || h.seats[i].seat == q->seat))
			seat = &h.seats[i];
	if (rc == ERR_NONE)
		rc = send_question(d, &h, seat, q);
	hand_release(&h);
	return rc;
}

enum err speaker_ask(struct dealing *d, struct span text)
{
	bool allowed;
	struct question q = {
	    .kind = QUESTION_MAIL,
	    .player = d->player.id,
	    .address = d->mail->from,
	    .serial = d->bundle != 0 ? d->bundle : d->serial,
	    .seat = d->seat,
	    .names_turn = d->has_serial || d->bundle != 0,
	    .arrived_utc = d->arrived_utc,
	    .asked_utc = d->srv->now_utc,
	    .mail = d->inbox_id,
	    .text = span_of(arena_printf(d->arena, "%.*s\n%.*s", SPAN_ARGS(d->mail->subject),
	                                 SPAN_ARGS(text))),
	};

	dealing_forget(d);
	TRY(game_in_question(d, &q.game));
	TRY(question_allowed(d, QUESTION_MAIL, d->player.address, &allowed));
	dealing_verdict(d, allowed ? "held" : "held-flood",
	                allowed ? "waits for the player's yes"
	                        : "too many such mails today: thrown away, nobody asked");
	return allowed ? keep_and_ask(d, &q) : ERR_NONE;
}

enum err speaker_tell_of_strange(struct dealing *d)
{
	struct hand h;
	bool allowed;

	dealing_verdict(d, "strange-address",
	                "a reply address used from an address that is not its player's");
	if (!d->may_answer)
		return ERR_NONE;
	TRY(question_allowed(d, QUESTION_MAIL, d->player.address, &allowed));
	if (!allowed)
		return ERR_NONE;
	if (d->game == 0)
		return dealing_notice(
		    d, NULL, NULL, "mail from another address", "token new",
		    "A mail to the reply address of your digests came from another address, "
		    "%.*s. Nothing in it was understood, so nothing was carried out. If it was "
		    "not you who wrote it, ask for a new reply address by answering your "
		    "newest digest with the line below.",
		    SPAN_ARGS(d->strange));
	enum err rc = hand_load(d->srv, d->game, d->arena, &h);
	if (rc == ERR_NONE)
		rc = dealing_notice(
		    d, &h, hand_seat(&h, d->seat), "mail from another address", "token new",
		    "A mail to your reply address for this game came from another address, "
		    "%.*s. Nothing in it was understood, so nothing was carried out. If it was "
		    "not you who wrote it, ask for a new reply address by answering with the "
		    "line below.",
		    SPAN_ARGS(d->strange));
	hand_release(&h);
	return rc;
}

/* ---- after the yes ---- */

static enum err still_holds_seat(struct dealing *d, const struct question *q, bool *yes)
{
	struct seat seat;

	*yes = true;
	if (q->seat == 0)
		return ERR_NONE;
	enum err rc = seat_get(d->srv->store, q->game, q->seat, d->arena, &seat);
	*yes = rc == ERR_NONE && seat.player == d->player.id;
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

static void put_in_place(struct dealing *d, const struct question *q)
{
	struct mail_in *held = arena_calloc(d->arena, 1, sizeof(*held));
	size_t end = span_find_char(q->text, '\n');

	*held = *d->mail;
	held->subject = span_slice(q->text, 0, end);
	held->texts = arena_calloc(d->arena, 1, sizeof(*held->texts));
	held->texts[0].text = span_slice(q->text, end + 1, q->text.len);
	held->ntexts = 1;
	held->fault = MAIL_OK;
	d->mail = held;
}

enum err speaker_take_up(struct dealing *d, const struct question *q, bool *fits)
{
	TRY(still_holds_seat(d, q, fits));
	if (!*fits)
		return dealing_notice(
		    d, NULL, NULL, "your seat is no longer yours", "list",
		    "The mail you have said yes to was about a seat that is no longer yours, "
		    "so nothing was carried out. Your games are shown by:");
	put_in_place(d, q);
	d->settled = d->proven = true;
	d->game = q->seat > 0 ? q->game : 0;
	d->seat = q->seat;
	d->bundle = question_is_of_digest(q) ? q->serial : 0;
	d->serial = question_is_of_digest(q) ? 0 : q->serial;
	d->has_serial = q->names_turn && !question_is_of_digest(q);
	d->arrived_utc = q->arrived_utc;
	return ERR_NONE;
}
