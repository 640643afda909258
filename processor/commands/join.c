/*
 * join.c - JOIN.
 */
#include "processor/base/utf8.h"
#include "processor/commands/commands.h"
#include "processor/match/fork.h"
#include "processor/request/admission.h"
#include "processor/request/seats.h"
#include "processor/request/waiting_list.h"
#include "processor/request/welcome.h"
#include "processor/request/which_game.h"
#include "store/rematches.h"

#include "processor/base/banned.h"

static struct span join_salt(const struct dealing *d)
{
	for (size_t i = 0; i < d->letter->nitems; i++)
		if (d->letter->items[i].verb == CMD_SALT)
			return d->letter->items[i].name;
	return SPAN_EMPTY;
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
		return arena_printf(d->arena,
		                    "%s has begun, but a seat is vacant: \"TAKEOVER %s\" takes "
		                    "it. Open games are shown by:",
		                    h->id, h->id);
	if (h->game.status != GAME_GATHERING)
		return arena_printf(
		    d->arena,
		    "%s has %s, so nobody can join it now. Open games are shown by:", h->id,
		    h->game.status == GAME_RUNNING ? "begun" : "ended");
	if (!asked && !game_key_fits(d->srv, &h->game, item->key))
		return arena_printf(
		    d->arena,
		    "%s is private: joining needs the key that its creator was given, as in "
		    "\"JOIN %s KEY word\". Open games are shown by:",
		    h->id, h->id);
	if (!d->srv->cfg.shared_address && d->player.id != 0)
		for (size_t i = 0; i < h->nseats; i++)
			if (h->seats[i].player == d->player.id)
				return arena_printf(
				    d->arena,
				    "You are in %s already, on seat %zu as %s. To leave it "
				    "write \"RESIGN %s\". Open games are shown by:",
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

	enum err rc = queue_forget(d, h->game.kind);
	if (rc == ERR_NONE)
		rc = joining_take_seat(d->srv, h, number, &d->player, name, join_salt(d));
	if (rc == ERR_NONE)
		rc = hand_load(d->srv, game, d->arena, &fresh);
	if (rc == ERR_NONE)
		rc = welcome_send(d, &fresh, hand_seat(&fresh, number), false, "", note);
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
		if (joining_seat_is_free(d->srv, h, s) &&
		    utf8_eq_folded(h->seats[s - 1].name, asked))
			*number = s;
	if (asked.len > 0)
		return ERR_NONE;
	*number = joining_free_seat(d->srv, h);
	if (d->player.id == 0)
		return ERR_NONE;
	TRY(hand_fork(d->srv, h, &f, NULL));
	TRY(seat_list(d->srv->store, f.source_game, d->arena, &old, &nold));
	for (size_t i = 0; i < nold && i < h->nseats; i++)
		if (seat_was_of(&old[i], d->player.id) &&
		    joining_seat_is_free(d->srv, h, old[i].seat))
			*number = old[i].seat;
	return ERR_NONE;
}

static enum err refuse_name_in_fork(struct dealing *d, const struct hand *h)
{
	struct strbuf free_names = STRBUF_INIT;
	const char *first = NULL;

	for (unsigned s = 1; s <= h->nseats; s++) {
		if (!joining_seat_is_free(d->srv, h, s))
			continue;
		strbuf_addf(&free_names, "%s%s", first ? ", " : "", h->names.names[s]);
		first = first ? first : h->names.names[s];
	}
	enum err rc = joining_refuse(
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
	const char *story, *salt = salt_note(d);
	unsigned number;

	TRY(seat_in_fork(d, h, item->name, &number));
	if (number == 0)
		return refuse_name_in_fork(d, h);
	TRY(fork_story(d->srv, h, &story));
	TRY(joining_make_known(d));
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
		rc = joining_refuse(d, arena_printf(d->arena, "join %s as Cleo", h->id),
		                    why.ptr);
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
	return why ? joining_refuse(d, "list", why) : join_open(d, item, h);
}

enum err joining_join(struct dealing *d, const struct letter_item *item, int64_t game)
{
	struct hand h;
	enum err rc = hand_load(d->srv, game, d->arena, &h);

	if (rc == ERR_NOT_FOUND || (rc == ERR_NONE && !letter_fits(item, &h.game)))
		rc = joining_refuse(d, "list",
		                    "There is no such game. Open games are shown by:");
	else if (rc == ERR_NONE)
		rc = judge_join(d, item, &h);
	hand_release(&h);
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
		                                 : joining_create_usual(d, item);
	TRY(rc);
	return joining_join(d, item, open.id);
}
