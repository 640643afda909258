/*
 * do_join.c - CREATE, JOIN, YES and NO, TOKEN NEW.
 */
#include <stdio.h>

#include "processor/base/utf8.h"
#include "processor/brief.h"
#include "processor/bundle.h"
#include "processor/entry.h"
#include "processor/forking.h"
#include "processor/games/registry.h"
#include "processor/joining.h"
#include "processor/pace.h"
#include "processor/press.h"
#include "processor/question.h"
#include "processor/queue.h"
#include "processor/rematch.h"
#include "store/addresses.h"
#include "store/rematches.h"

#include "processor/base/banned.h"

/* Examples of orders in a game that has not begun. */
static const struct doc *trial_examples(const struct hand *h)
{
	struct doc *doc = arena_alloc(h->arena, sizeof(*doc));
	struct game_state *state = hand_trial_position(h);

	doc_init(doc, h->arena);
	doc_in(doc, DOC_HELP);
	if (state) {
		h->rules->examples(state, 1, doc);
		h->rules->free_state(state);
	}
	return doc;
}

static unsigned bots_in(const struct hand *h)
{
	unsigned n = 0;
	for (size_t i = 0; i < h->nseats; i++)
		n += h->seats[i].bot_level >= 0;
	return n;
}

enum err joining_welcome_letter(struct server *srv, struct hand *h, const struct seat *seat,
                                const struct player *reader, bool created, const char *key,
                                const char *note, struct letter_out *out)
{
	struct strbuf options = STRBUF_INIT;
	struct press_rules press;
	const char *alone, *notes[1];
	int64_t kept;
	size_t n = 0;

	TRY(fork_against_bots(srv, h, &alone));
	if (note)
		notes[n++] = note;
	TRY(press_rules_get(srv->store, h->game.id, &press));
	TRY(entry_kept_until(srv, h->game.id, &kept));
	TRY(entry_add_options(srv, h->game.id, &options));
	strbuf_addc(&options, ' ');
	options_format(&h->options, true, &options);
	press_add_options(&press, &options);
	report_welcome(
	    &(struct report_welcome){
		.game = brief_game(srv, h, seat, reader),
		.created = created,
		.seats_are_kept = kept != 0,
		.waiting_confirmation = seat && !seat->confirmed,
		.seats_taken = hand_taken(h),
		.bots = bots_in(h),
		.names = brief_names(h),
		.options = arena_cstr(h->arena, span_trim(strbuf_span(&options))),
		.next = brief_interval(h->arena, h->game.next_s),
		.pace = pace_words(srv, h),
		.start_utc = h->game.start_utc > srv->now_utc ? h->game.start_utc : 0,
		.now_utc = srv->now_utc,
		.is_private = h->game.is_private,
		.join_key = created && h->game.is_private ? key : NULL,
		.alone = alone,
		.fair = {h->game.secret_digest, keyring_public_key(srv->keys)},
		.examples = trial_examples(h),
		.notes = notes,
		.nnotes = n,
	    },
	    out);
	strbuf_release(&options);
	return ERR_NONE;
}

enum err joining_welcome(struct dealing *d, struct hand *h, struct seat *seat, bool created,
                         const char *key, const char *note)
{
	struct letter_out out = LETTER_OUT_INIT;
	enum err rc =
	    joining_welcome_letter(d->srv, h, seat, &d->player, created, key, note, &out);

	if (rc == ERR_NONE)
		rc = dealing_answer(d, h, seat, "welcome", &out);
	letter_out_release(&out);
	return rc;
}

static bool read_create(struct dealing *d, const struct letter_create *c, struct new_game *n,
                        struct strbuf *why)
{
	*n = (struct new_game){.rules = c->kind,
	                       .title = c->title,
	                       .bots = c->bots,
	                       .bot_level = c->bot_level,
	                       .is_private = c->is_private || c->key.len > 0,
	                       .press = game_press(d->srv, c),
	                       .presides = c->presides,
	                       .reliability = c->reliability,
	                       .key = c->key};
	if (c->presides && !d->srv->cfg.has_masters) {
		strbuf_adds(why, "Games on this server have no masters; leave out MASTER.");
		return false;
	}
	n->players = c->players;
	if (n->players == 0)
		n->players = c->bots + 1 > c->kind->usual_seats ? c->bots + 1
		                                                : c->kind->usual_seats;
	if (n->players < c->kind->min_seats)
		n->players = c->kind->min_seats;
	return game_calendar(d->srv, c, &d->player, d->arena, &n->calendar, why) &&
	       game_options(d->srv, c->kind, c->options, d->arena, &n->options, why);
}

static enum err refuse_create(struct dealing *d, const char *why)
{
	dealing_verdict(d, "refused", "CREATE: %s", why);
	return dealing_notice(
	    d, NULL, NULL, "no game was created",
	    "create " EXAMPLE_KIND " players 3 bots 1 next 2D",
	    "%s No game was created. A line that works is, for example:", why);
}

static const char master_note[] =
    "You are the master of this game and have no seat in it. You get a report of each turn, "
    "with "
    "what everybody may see. \"HELP MASTER\" tells what you can do.";

/* Founds the game and welcomes its creator in seat 1, or as its master. */
enum err joining_create(struct dealing *d, struct new_game *n, struct span name,
                        const char *note, int64_t *made)
{
	struct strbuf why = STRBUF_INIT;
	struct hand h = {0};
	const char *key;
	int64_t game;

	*made = 0;
	n->creator = &d->player;
	n->creator_name = name;
	if (!game_can_be(n, &why)) {
		enum err refused = refuse_create(d, why.ptr);
		strbuf_release(&why);
		return refused;
	}
	TRY(joining_register(d, name));
	TRY(queue_forget(d, span_of(n->rules->name)));
	enum err rc = game_found(d->srv, n, d->arena, &game, &key, &why);
	if (rc == ERR_INVALID) {
		rc = refuse_create(d, why.ptr);
		goto out;
	}
	if (rc == ERR_NONE)
		rc = hand_load(d->srv, game, d->arena, &h);
	if (rc == ERR_NONE)
		rc = joining_welcome(d, &h, n->presides ? NULL : hand_seat(&h, 1), true, key,
		                     n->presides ? master_note : note);
	if (rc == ERR_NONE)
		rc = game_start_if_full(d->srv, &h);
	if (rc == ERR_NONE) {
		d->row.game = game;
		d->row.seat = n->presides ? 0 : 1;
		*made = game;
		dealing_verdict(d, "command", "created %s", h.id);
	}
out:
	hand_release(&h);
	strbuf_release(&why);
	return rc;
}

enum err do_create(struct dealing *d, const struct letter_item *item)
{
	struct new_game n;
	struct strbuf why = STRBUF_INIT;
	struct span name;
	int64_t game;
	enum err rc;

	d->understood = true;
	if (!read_create(d, &item->create, &n, &why) ||
	    !joining_name(d, NULL, item->name, &name, &why))
		rc = refuse_create(d, why.ptr);
	else
		rc = joining_create(d, &n, name, NULL, &game);
	strbuf_release(&why);
	return rc;
}

static enum err refuse_join(struct dealing *d, const char *example, const char *why)
{
	dealing_verdict(d, "refused", "JOIN: %s", why);
	return dealing_notice(d, NULL, NULL, "you have not joined", example, "%s", why);
}

static bool seat_has_lapsed(const struct server *srv, const struct seat *s)
{
	return !s->confirmed && s->bot_level < 0 && s->player != 0 &&
	       s->joined_utc + SEAT_HELD_S < srv->now_utc;
}

static bool is_free(const struct server *srv, const struct hand *h, unsigned seat)
{
	const struct seat *s = &h->seats[seat - 1];

	return !seat_is_taken(s) || seat_has_lapsed(srv, s);
}

unsigned joining_free_seat(const struct server *srv, const struct hand *h)
{
	for (size_t i = 0; i < h->nseats; i++)
		if (is_free(srv, h, (unsigned)i + 1))
			return (unsigned)i + 1;
	return h->nseats < h->game.nseats ? (unsigned)h->nseats + 1 : 0;
}

static struct span join_salt(const struct dealing *d)
{
	for (size_t i = 0; i < d->letter->nitems; i++)
		if (d->letter->items[i].verb == CMD_SALT)
			return d->letter->items[i].name;
	return SPAN_EMPTY;
}

static enum err take_seat(struct dealing *d, struct hand *h, unsigned number, struct span name)
{
	struct seat *old = hand_seat(h, number);
	struct seat s = {.game = h->game.id,
	                 .seat = number,
	                 .player = d->player.id,
	                 .bot_level = -1,
	                 .name = name,
	                 .salt = join_salt(d),
	                 .joined_utc = d->srv->now_utc,
	                 .confirmed = d->player.confirmed,
	                 .token_generation = old ? old->token_generation + 1 : 0,
	                 .mails = old ? old->mails : 0}; /* numbers of mails are the seat's */

	return old ? seat_update(d->srv->store, &s) : seat_add(d->srv->store, &s);
}

static bool has_vacant_seat(const struct hand *h)
{
	for (size_t i = 0; i < h->nseats; i++)
		if (h->seats[i].vacated_utc != 0)
			return true;
	return false;
}

/* Why nobody, or not this speaker, can join this game; NULL when nothing speaks against it. */
static const char *join_objection(struct dealing *d, const struct hand *h,
                                  const struct letter_item *item, bool asked)
{
	if (h->game.status == GAME_RUNNING && has_vacant_seat(h))
		return arena_printf(
		    d->arena,
		    "%s has begun, but a seat is vacant: \"TAKEOVER %s\" takes it. "
		    "Open games are shown by:",
		    h->id, h->id);
	if (h->game.status != GAME_GATHERING)
		return arena_printf(
		    d->arena,
		    "%s has %s, so nobody can join it now. Open games are shown by:", h->id,
		    h->game.status == GAME_RUNNING ? "begun" : "ended");
	if (!asked && !joining_key_fits(d->srv, &h->game, item->key))
		return arena_printf(
		    d->arena,
		    "%s is private: joining needs the key that its creator was "
		    "given, as in \"JOIN %s KEY word\". Open games are shown by:",
		    h->id, h->id);
	if (!d->srv->cfg.shared_address && d->player.id != 0)
		for (size_t i = 0; i < h->nseats; i++)
			if (h->seats[i].player == d->player.id)
				return arena_printf(
				    d->arena,
				    "You are in %s already, on seat %zu as %s. To leave "
				    "it write \"RESIGN %s\". Open games are shown by:",
				    h->id, i + 1, h->names.names[i + 1], h->id);
	if (joining_free_seat(d->srv, h) == 0)
		return arena_printf(
		    d->arena,
		    "%s is full: all its %u seats are taken. Open games are shown by:", h->id,
		    h->game.nseats);
	return NULL;
}

static const char *salt_note(const struct dealing *d)
{
	struct span salt = join_salt(d);

	return salt.len == 0
	           ? NULL
	           : arena_printf(d->arena,
	                          "Your salt \"%.*s\" goes into the chance of the set-up.",
	                          SPAN_ARGS(salt));
}

static enum err join_with_name(struct dealing *d, struct hand *h, unsigned number,
                               struct span name, const char *note)
{
	struct hand fresh = {0};
	int64_t game = h->game.id;

	enum err rc = joining_stop_watching(d, game);
	if (rc == ERR_NONE)
		rc = queue_forget(d, h->game.kind);
	if (rc == ERR_NONE)
		rc = take_seat(d, h, number, name);
	if (rc == ERR_NONE)
		rc = hand_load(d->srv, game, d->arena, &fresh);
	if (rc == ERR_NONE)
		rc = joining_welcome(d, &fresh, hand_seat(&fresh, number), false, "", note);
	if (rc == ERR_NONE)
		rc = game_start_if_full(d->srv, &fresh);
	d->row.game = game;
	d->row.seat = number;
	dealing_verdict(d, "command", "joined %s as seat %u", fresh.id, number);
	hand_release(&fresh);
	return rc;
}

/* In a fork: the seat that is asked for, else the one this person had, else any. 0 = not free. */
static enum err seat_in_fork(struct dealing *d, const struct hand *h, struct span asked,
                             unsigned *number)
{
	struct fork f;
	struct seat *old;
	size_t nold;

	*number = 0;
	for (unsigned s = 1; s <= h->nseats && asked.len > 0; s++)
		if (is_free(d->srv, h, s) && utf8_eq_folded(h->seats[s - 1].name, asked))
			*number = s;
	if (asked.len > 0)
		return ERR_NONE;
	*number = joining_free_seat(d->srv, h);
	if (d->player.id == 0)
		return ERR_NONE;
	TRY(hand_fork(d->srv, h, &f, NULL));
	TRY(seat_list(d->srv->store, f.source_game, d->arena, &old, &nold));
	for (size_t i = 0; i < nold && i < h->nseats; i++)
		if (seat_was_of(&old[i], d->player.id) && is_free(d->srv, h, old[i].seat))
			*number = old[i].seat;
	return ERR_NONE;
}

static enum err refuse_name_in_fork(struct dealing *d, const struct hand *h)
{
	struct strbuf free_names = STRBUF_INIT;
	const char *first = NULL;

	for (unsigned s = 1; s <= h->nseats; s++) {
		if (!is_free(d->srv, h, s))
			continue;
		strbuf_addf(&free_names, "%s%s", first ? ", " : "", h->names.names[s]);
		first = first ? first : h->names.names[s];
	}
	enum err rc = refuse_join(
	    d, arena_printf(d->arena, "join %s as %s", h->id, first),
	    arena_printf(d->arena,
	                 "%s goes on from another game, and its seats keep the names they had "
	                 "there. Free are: %s. Take one of them, for example:",
	                 h->id, free_names.ptr));
	strbuf_release(&free_names);
	return rc;
}

static enum err join_fork(struct dealing *d, const struct letter_item *item, struct hand *h)
{
	struct strbuf why = STRBUF_INIT;
	struct span own = SPAN_EMPTY;
	const char *story, *salt = salt_note(d);
	unsigned number;

	TRY(seat_in_fork(d, h, item->name, &number));
	if (number == 0)
		return refuse_name_in_fork(d, h);
	TRY(fork_story(d->srv, h, &story));
	(void)joining_name(d, NULL, SPAN_EMPTY, &own, &why);
	strbuf_release(&why);
	TRY(joining_register(d, own));
	return join_with_name(d, h, number, h->seats[number - 1].name,
	                      salt ? arena_printf(d->arena, "%s %s", story, salt) : story);
}

static enum err join_named(struct dealing *d, struct hand *h, struct span name)
{
	TRY(joining_register(d, name));
	return join_with_name(d, h, joining_free_seat(d->srv, h), name, salt_note(d));
}

static enum err join_open(struct dealing *d, const struct letter_item *item, struct hand *h)
{
	struct span name;
	struct strbuf why = STRBUF_INIT;
	enum err rc;

	if (h->game.origin == GAME_FORKED) {
		rc = join_fork(d, item, h);
	} else if (!joining_name(d, h, item->name, &name, &why)) {
		strbuf_adds(&why, " Choose another name, for example:");
		rc = refuse_join(d, arena_printf(d->arena, "join %s as Cleo", h->id), why.ptr);
	} else {
		rc = join_named(d, h, name);
	}
	strbuf_release(&why);
	return rc;
}

static enum err judge_join(struct dealing *d, const struct letter_item *item, struct hand *h)
{
	const char *why;
	bool asked;

	TRY(invitation_exists(d->srv->store, h->game.id, d->player.id, &asked));
	why = join_objection(d, h, item, asked);
	if (!why)
		TRY(entry_objection(d, h, &why));
	return why ? refuse_join(d, "list", why) : join_open(d, item, h);
}

enum err joining_join(struct dealing *d, const struct letter_item *item, int64_t game)
{
	struct hand h;
	enum err rc = hand_load(d->srv, game, d->arena, &h);

	if (rc == ERR_NOT_FOUND || (rc == ERR_NONE && !letter_fits(item, &h.game)))
		rc = refuse_join(d, "list", "There is no such game. Open games are shown by:");
	else if (rc == ERR_NONE)
		rc = judge_join(d, item, &h);
	hand_release(&h);
	return rc;
}

/* No open game of that kind: a public one with the kind's usual number of seats. */
static enum err join_by_founding(struct dealing *d, const struct letter_item *item)
{
	struct new_game n;
	struct strbuf why = STRBUF_INIT;
	struct span name;
	int64_t game;
	enum err rc;
	struct letter_create c = {.kind = item->kind};

	if (!read_create(d, &c, &n, &why)) {
		rc = refuse_create(d, why.ptr);
	} else if (!joining_name(d, NULL, item->name, &name, &why)) {
		strbuf_adds(&why, " Choose another name, for example:");
		rc = refuse_join(d, arena_printf(d->arena, "join %s as Cleo", item->kind->name),
		                 why.ptr);
	} else {
		rc = joining_create(
		    d, &n, name,
		    "There was no open game of this kind, so a new one was made for you.",
		    &game);
	}
	strbuf_release(&why);
	return rc;
}

enum err do_join(struct dealing *d, const struct letter_item *item)
{
	struct game open;

	d->understood = true;
	if (item->game != 0)
		return joining_join(d, item, item->game);
	if (item->wait == WAIT_NO_MORE)
		return queue_leave(d, item);
	enum err rc = entry_open_game(d, item->kind, &open);
	if (rc == ERR_NOT_FOUND)
		return item->wait == WAIT_FOR_IT ? queue_enter(d, item)
		                                 : join_by_founding(d, item);
	TRY(rc);
	return joining_join(d, item, open.id);
}

static enum err refuse_seat(struct dealing *d, struct hand *h, struct seat *seat)
{
	TRY(dealing_notice(
	    d, h, seat, "the seat is given back", "list",
	    "You answered NO, so your seat in %s is free again and you get no more mail "
	    "about it. If that was not what you wanted, open games are shown by:",
	    h->id));
	seat->player = 0;
	seat->token_generation++;
	TRY(seat_update(d->srv->store, seat));
	return joining_cancel_if_empty(d->srv, h, d->player.id);
}

/* A yes or no in answer to another mail than the one that asks. */
static enum err question_waits(struct dealing *d, struct hand *h, struct seat *seat,
                               bool *waits)
{
	struct question *open;
	size_t n;

	TRY(question_list(d->srv->store, d->player.id, d->arena, &open, &n));
	*waits = n > 0 && open[n - 1].asked_utc + QUESTION_OPEN_S >= d->arrived_utc;
	if (!*waits)
		return ERR_NONE;
	return dealing_notice(
	    d, h, seat, "please answer the mail that asks", "",
	    "A question of ours waits for your answer, but this was an answer to another mail, "
	    "so it does not count. Please answer the very mail that asks. Nothing has "
	    "changed.");
}

static enum err confirm(struct dealing *d, const struct letter_item *item, struct hand *h,
                        struct seat *seat)
{
	bool waits;

	if (!seat)
		return ERR_NONE;
	if (seat->confirmed && !d->seat_confirmed) {
		TRY(question_waits(d, h, seat, &waits));
		if (waits)
			return ERR_NONE;
	}
	if (item->verb == CMD_NO && !seat->confirmed && h->game.status == GAME_GATHERING)
		return refuse_seat(d, h, seat);
	if (item->verb == CMD_NO)
		return dealing_notice(
		    d, h, seat, "nothing was waiting for a no", "resign",
		    "Nothing was waiting for your answer, so nothing has changed. To leave "
		    "the game write:");
	if (!seat->confirmed || d->seat_confirmed)
		return dealing_notice(
		    d, h, seat, "thank you", "",
		    "Your address is confirmed and your seat in %s is yours. You hear from "
		    "us when there is something to do.",
		    h->id);
	return dealing_notice(
	    d, h, seat, "nothing was waiting for a yes", "status",
	    "Nothing was waiting for your answer: your seat in %s is confirmed. If a turn is "
	    "open and you have not sent orders yet, answer with them. How the game stands is "
	    "shown by:",
	    h->id);
}

enum err do_confirm(struct dealing *d, const struct letter_item *item)
{
	bool invited;

	TRY(rematch_answer(d, item, &invited));
	if (invited || !d->proven) /* a yes to nothing in particular */
		return ERR_NONE;
	return dealing_with_game(d, item, confirm);
}

enum err seat_renew_token(struct server *srv, struct seat *seat)
{
	seat->token_generation++;
	return reply_revoke(srv->store, seat->game, seat->seat);
}

const char *seat_reply_address_sentence(const struct server *srv, const struct hand *h)
{
	return arena_printf(
	    h->arena,
	    srv->cfg.plus_address
		? "From now on your reply address for %s is the one this mail "
		  "comes with: just answer this mail or any later one. Answers "
		  "to older mails are no longer accepted."
		: "From now on only answers to this mail or to a later one about "
		  "%s are taken as yours. Answers to older mails are no longer "
		  "accepted.",
	    h->id);
}

enum err seat_new_reply_address(struct dealing *d, struct hand *h, struct seat *seat,
                                const char *subject, const char *lead)
{
	struct letter_out out = LETTER_OUT_INIT;
	struct report_game game = brief_game(d->srv, h, seat, &d->player);
	const char *text =
	    arena_printf(d->arena, "%s%s", lead, seat_reply_address_sentence(d->srv, h));
	enum valve valve;

	TRY(dealing_may_send(d, h, seat, "token", NULL, &valve));
	if (!dealing_can_answer(d) || valve == VALVE_SHUT) {
		dealing_verdict(d, "refused", "no new reply address: no mail could bring it");
		return ERR_NONE;
	}
	TRY(seat_renew_token(d->srv, seat));
	report_notice(&(struct report_notice){.game = &game,
	                                      .subject = subject,
	                                      .paragraphs = (const char *const[]){text},
	                                      .nparagraphs = 1},
	              &out);
	enum err rc = dealing_answer(d, h, seat, "token", &out);
	letter_out_release(&out);
	TRY(rc);
	return seat_update(d->srv->store, seat);
}

static enum err new_token(struct dealing *d, const struct letter_item *item, struct hand *h,
                          struct seat *seat)
{
	(void)item;
	if (!seat)
		return dealing_notice(
		    d, h, NULL, "you have no seat there", "list",
		    "A new reply address is made for a seat of yours, and you have none in "
		    "%s. Your games are shown by:",
		    h->id);
	dealing_verdict(d, "command", "a new reply address for %s seat %u", h->id, seat->seat);
	return seat_new_reply_address(d, h, seat, "your new reply address", "");
}

enum err do_token(struct dealing *d, const struct letter_item *item)
{
	if (bundle_is_meant(d, item))
		return bundle_new_token(d, "");
	return dealing_with_game(d, item, new_token);
}
