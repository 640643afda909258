/*
 * create.c - CREATE, and the game that is made for a JOIN when none is open.
 */
#include "processor/commands/commands.h"
#include "processor/games/registry.h"
#include "processor/request/seats.h"
#include "processor/request/waiting_list.h"
#include "processor/request/welcome.h"

#include "processor/base/banned.h"

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
    "with what everybody may see. \"HELP MASTER\" tells what you can do.";

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
		rc = welcome_send(d, &h, n->presides ? NULL : hand_seat(&h, 1), true, key,
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

enum err joining_create_usual(struct dealing *d, const struct letter_item *item)
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
		rc = joining_refuse(
		    d, arena_printf(d->arena, "join %s as Cleo", item->kind->name), why.ptr);
	} else {
		rc = joining_create(
		    d, &n, name,
		    "No game of this kind had a free seat for you, so a new one was made.",
		    &game);
	}
	strbuf_release(&why);
	return rc;
}
