/*
 * create.c - CREATE, and the game that is made for a JOIN when none is open.
 */
#include "processor/commands/commands.h"
#include "processor/commandtext/loose_commands.h"
#include "processor/games/registry.h"
#include "processor/request/join_rules.h"
#include "processor/request/seats.h"
#include "processor/request/welcome.h"
#include "processor/turns/option_text.h"
#include "store/rematches.h"

static bool read_create(struct request *req, const struct create_arguments *c,
                        struct new_game *n, struct strbuf *why)
{
	*n = (struct new_game){.rules = c->kind,
	                       .title = c->title,
	                       .bots = c->bots,
	                       .bot_level = c->bot_level,
	                       .is_private = c->is_private || c->key.len > 0 ||
	                                     c->guests.len > 0,
	                       .press = game_press(req->srv, c),
	                       .presides = c->presides,
	                       .terms = {c->reliability, c->without_operator, c->ready},
	                       .key = c->key};
	if (c->presides && !req->srv->cfg.has_masters) {
		strbuf_adds(why, "Games on this server have no masters; leave out MASTER.");
		return false;
	}
	const char *refused = join_rules_terms_refused(req->srv, &n->terms);
	if (refused) {
		strbuf_adds(why, refused);
		return false;
	}
	if (c->without_operator &&
	    config_shows_operator(&req->srv->cfg, req->who.player.address)) {
		strbuf_adds(why,
		            "You run this server: a game without you is for somebody else to "
		            "open. Leave out WITHOUT OPERATOR.");
		return false;
	}
	n->players = c->players;
	if (n->players == 0)
		n->players = c->bots + 1 > c->kind->usual_seats ? c->bots + 1
		                                                : c->kind->usual_seats;
	if (n->players < c->kind->min_seats)
		n->players = c->kind->min_seats;
	if (req->srv->cfg.strangers_are_asked && !n->is_private && n->players >= n->bots + 3)
		n->terms.ready = true;
	return game_calendar(req->srv, c, &req->who.player, req->arena, &n->calendar, why) &&
	       game_options(req->srv, c->kind, c->options, req->arena, &n->options, why);
}

static const char usual_example[] = "create " EXAMPLE_KIND " players 3 bots 1 next 2D";

static enum err refuse_create(struct request *req, const char *example, const char *why)
{
	request_verdict(req, "refused", "CREATE: %s", why);
	return request_notice(
	    req, NULL, NULL, "no game was created", example,
	    "%s No game was created. A line that works is, for example:", why);
}

/* What a text that came with the mail is called from now on; NULL if none did. */
static const char *text_note(struct request *req, const struct new_game *n)
{
	for (size_t i = 0; i < n->rules->noptions; i++) {
		struct strbuf name = STRBUF_INIT;
		const char *note;

		if (!options_has_text(&n->options, i))
			continue;
		options_text_name(span_of(n->options.values[i]), &name);
		note = arena_printf(req->arena,
		                    "Whoever likes your %s can open another game with it: "
		                    "%s=%s behind CREATE means this one.",
		                    n->rules->options[i].name, n->rules->options[i].name,
		                    name.ptr);
		strbuf_release(&name);
		return note;
	}
	return NULL;
}

static const char master_note[] =
    "You are the master of this game and have no seat in it. You get a report of each turn, "
    "with what everybody may see. \"HELP MASTER\" tells what you can do.";

static const char *welcome_note(struct request *req, const struct new_game *n,
                                const struct command *item)
{
	/* Who is asked into the new game is asked at once, or when the seat is confirmed. */
	bool later = item->create.guests.len > 0 && !item->create.presides &&
	             seats_wait_for_yes(req);
	const char *guests =
	    later ? "As soon as your seat is confirmed, your guests are asked whether they "
		    "want to play."
		  : NULL;
	const char *text = text_note(req, n);

	return guests && text ? arena_printf(req->arena, "%s %s", guests, text)
	       : guests       ? guests
	                      : text;
}

/* Alone in the game that a first wish to play comes to, and it begins now: one mail, that of its first turn. */
static enum err begins_first_game(struct request *req, const struct new_game *n, bool *yes)
{
	struct strbuf options = STRBUF_INIT;
	bool played;

	TRY(request_has_played(req, &played));
	options_format(&n->options, OPTIONS_SHOWN, &options);
	*yes = !played && !n->presides && n->bots == FIRST_GAME_BOTS &&
	       n->players == n->bots + 1 && options.len == 0 &&
	       n->rules == rules_find(SPAN_LIT(EXAMPLE_KIND)) && !seats_wait_for_yes(req);
	strbuf_release(&options);
	return ERR_NONE;
}

/* In a game that begins at once: nothing but the note and the proof, which wait for its first report. */
static enum err welcome_to_first(struct request *req, struct match *match)
{
	enum { THIS_ONE_AND_ANOTHER = 2 };
	const char *others = "";
	struct game *open;
	size_t n;

	TRY(game_list_open(req->srv->store, THIS_ONE_AND_ANOTHER, req->arena, &open, &n));
	for (size_t i = 0; i < n; i++)
		if (open[i].id != match->game.id)
			others = arena_printf(req->arena,
			                      " To play with people, reply JOIN %s.",
			                      game_id_text(&open[i], req->arena));
	struct digest_policy keep = {true, req->srv->now_utc + DIGEST_LONGEST_S};
	struct report_out out = REPORT_OUT_TO_SENDER(req), carried = REPORT_OUT_TO_SENDER(req);
	struct seat *seat = match_seat(match, 1);
	enum err rc =
	    welcome_write(req->srv, match, seat, &req->who.player, true, "", NULL, &out);

	strbuf_addf(&carried.body,
	            "For all that can be sent, reply HELP; to leave, reply RESIGN.%s\n",
	            others);
	strbuf_add_span(&carried.proof, strbuf_span(&out.proof));
	if (rc == ERR_NONE)
		rc = request_answer_later(req, match, seat, "welcome", &out, &keep, &carried);
	report_out_release(&carried);
	report_out_release(&out);
	return rc;
}

/* What match_load of a new game reads, and then the welcome to it. */
static void ask_ahead(struct request *req, int64_t game)
{
	struct server *srv = req->srv;
	struct press_rules press;
	struct entry_terms terms;
	int64_t kept;
	bool spent;

	if (!store_ask_ahead(srv->store))
		return;
	match_ask_ahead(srv, game, 0, false, req->arena);
	store_only_asked(press_rules_get(srv->store, game, &press));
	store_only_asked(join_rules_kept_until(srv, game, &kept));
	store_only_asked(entry_terms_get(srv->store, game, &terms));
	store_only_asked(
	    budget_is_spent(srv, BUDGET_UNPROVEN, req->who.player.address, &spent));
	store_asked_ahead(srv->store);
}

enum err seats_create(struct request *req, struct new_game *n, struct span name,
                      const char *note, int64_t *made)
{
	struct strbuf why = STRBUF_INIT;
	struct match match = {0};
	const char *key;
	int64_t game;
	bool may, first;

	*made = 0;
	TRY(seats_stranger_may_sit(req, &may));
	if (!may)
		return ERR_NONE;
	n->creator = &req->who.player;
	n->creator_name = name;
	n->mail = request_proof_mail(req);
	if (!game_can_be(n, req->arena, &why)) {
		enum err refused = refuse_create(req, usual_example, why.ptr);
		strbuf_release(&why);
		return refused;
	}
	TRY(begins_first_game(req, n, &first));
	TRY(seats_register(req, name));
	TRY(waiting_drop(req->srv->store, span_of(n->rules->name), req->who.player.id, NULL));
	enum err rc = game_create(req->srv, n, req->arena, &game, &key, &why);
	if (rc == ERR_INVALID) {
		rc = refuse_create(req, usual_example, why.ptr);
		goto out;
	}
	if (rc == ERR_NONE) {
		ask_ahead(req, game);
		rc = match_load(req->srv, game, req->arena, &match);
	}
	if (rc == ERR_NONE && first && !note)
		rc = welcome_to_first(req, &match);
	else if (rc == ERR_NONE)
		rc = welcome_send(req, &match, n->presides ? NULL : match_seat(&match, 1), true,
		                  key, n->presides ? master_note : note);
	if (rc == ERR_NONE)
		rc = game_start_if_full(req->srv, &match);
	if (rc == ERR_NONE) {
		request_note_game(req, game);
		request_note_seat(req, n->presides ? 0 : 1);
		*made = game;
		request_verdict(req, "command", "created %s", match.id);
	}
out:
	match_release(&match);
	strbuf_release(&why);
	return rc;
}

enum err do_create(struct request *req, const struct command *item)
{
	struct create_arguments create = item->create;
	struct new_game n;
	struct strbuf why = STRBUF_INIT;
	struct span name;
	int64_t game = 0;

	request_understood(req);
	const char *example = arena_printf(req->arena, "create %s", item->kind->name);
	enum err rc =
	    option_texts_fill(&(struct option_texts){req->srv->store, item->kind, item->message,
	                                             &req->mail->enclosed},
	                      &create.options, req->arena, &why);
	if (rc == ERR_NONE)
		example = usual_example;
	if (rc == ERR_NONE && (!read_create(req, &create, &n, &why) ||
	                       !seats_name(req, NULL, item->name, &name, &why)))
		rc = ERR_INVALID;
	if (rc == ERR_INVALID)
		rc = refuse_create(req, example, why.ptr);
	else if (rc == ERR_NONE)
		rc = seats_create(req, &n, name, welcome_note(req, &n, item), &game);
	strbuf_release(&why);
	if (rc == ERR_NONE && game != 0 && item->create.guests.len > 0)
		rc = invite_guests(req, game, item->create.guests);
	return rc;
}

enum err seats_create_usual(struct request *req, const struct command *item)
{
	struct new_game n;
	struct strbuf why = STRBUF_INIT;
	struct span name;
	int64_t game;
	enum err rc;
	struct create_arguments c = {.kind = item->kind};

	if (!read_create(req, &c, &n, &why)) {
		rc = refuse_create(req, usual_example, why.ptr);
	} else if (!seats_name(req, NULL, item->name, &name, &why)) {
		strbuf_adds(&why, " Choose another name, for example:");
		rc = seats_refuse(req,
		                  arena_printf(req->arena, "join %s as Cleo", item->kind->name),
		                  why.ptr);
	} else {
		rc = seats_create(
		    req, &n, name,
		    "No game of this kind had a free seat for you, so a new one was made.",
		    &game);
	}
	strbuf_release(&why);
	return rc;
}
