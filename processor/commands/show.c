/*
 * show.c - HELP, STATUS, MY GAMES: what is there.
 */
#include <stdio.h>

#include "processor/commands/commands.h"
#include "processor/match/match_clock.h"
#include "processor/match/report_values.h"
#include "processor/match/substitute_orders.h"
#include "processor/match/votes.h"
#include "processor/outgoing/digest.h"
#include "processor/request/confirmation.h"
#include "processor/request/identify.h"
#include "processor/request/master.h"
#include "processor/request/request.h"
#include "processor/request/unclear.h"
#include "processor/request/which_game.h"

/* In reply to a mail of a game that the reader plays it stays in that game: so do their next words. */
static enum err send_guide(struct request *req, const struct report_guide *asked)
{
	struct report_guide guide = *asked;
	struct report_out out = REPORT_OUT_TO_SENDER(req);
	struct unclear u = {.match = NULL};
	struct report_game game;
	struct report_clock clock;
	enum err rc = unclear_load_answered(req, &u);

	if (rc != ERR_NONE && !server_blames_game(rc))
		return rc;
	if (rc == ERR_NONE && u.match) {
		bool open = u.match->has_turn && u.match->turn.state == TURN_OPEN;

		game = report_values_game(req->srv, u.match, u.seat, &req->who.player);
		clock = report_values_clock(req->srv, u.match, u.seat);
		guide.game = &game;
		guide.clock = open ? &clock : NULL;
		if (!guide.kind)
			guide.kind = u.match->rules;
		if (open && guide.kind == u.match->rules)
			guide.orders = example_orders(u.match, u.seat->seat);
	}
	guide.address = req->srv->cfg.address;
	report_guide(&guide, &out);
	return request_answer(req, guide.game ? u.match : NULL, guide.game ? u.seat : NULL,
	                      "help", &out);
}

static enum err help_kind(struct request *req, const struct rules *kind)
{
	struct options options;
	struct match *match;
	struct doc doc;

	options_init(&options, kind);
	if (req->about.game != 0) {
		enum err rc = request_match(req, req->about.game, &match);

		if (rc == ERR_NONE && match->rules == kind)
			options = match->options;
		else if (rc != ERR_NONE && !server_blames_game(rc))
			return rc;
	}
	doc_init(&doc, req->arena);
	if (req->who.player.form.cols > 0)
		doc.cols = req->who.player.form.cols;
	kind->guide(&options, &doc);
	return send_guide(
	    req, &(struct report_guide){.topic = GUIDE_KIND, .kind = kind, .kind_doc = &doc});
}

/* The newest position there is: that of the open turn, or the final one. */
static enum err newest_position(struct server *srv, struct match *match)
{
	if (!match->has_turn || match->state)
		return ERR_NONE;
	if (match->turn.state == TURN_DROPPED)
		return match_result(srv, match, match->turn.parent, &match->state);
	if (match->turn.state == TURN_REPORTED)
		return match_result(srv, match, match->turn.serial, &match->state);
	return match_position(srv, match);
}

enum err status_of(struct request *req, struct match *match, struct seat *seat,
                   struct report_status *out)
{
	struct order_set set = {0};
	struct report_commitment *commitments = NULL;
	bool open = match->has_turn && match->turn.serial > 0 && match->turn.state == TURN_OPEN;

	TRY(newest_position(req->srv, match));
	if (open)
		TRY(order_set_load(req->srv, match, &set));
	*out = (struct report_status){
	    .game = report_values_game(req->srv, match, seat, &req->who.player),
	    .clock = report_values_clock(req->srv, match, seat),
	    .status = game_status_name(match->game.status),
	    .reader_owes = open && seat &&
	                   seat_in((struct seat_set){match->turn.owes}, seat->seat),
	    .names = report_values_table(match, seat ? seat->seat : 0),
	    .pace = match_clock_words(req->srv, match),
	    .last_chance = seat && report_values_last_chance(match, seat),
	    .stepped_in = report_values_stepped_in(req->srv, match, seat),
	};
	const struct seat_entry *e = seat ? &set.seats[seat->seat] : NULL;
	if (e && e->acts && e->revision != 0) {
		out->canonical = e->canonical;
		out->revision = e->revision;
		out->received_utc = e->received_utc;
	}
	out->ncommitments =
	    report_values_commitments_so_far(match, &set, seat ? seat->seat : 0, &commitments);
	out->commitments = commitments;
	if (open && seat && req->who.player.id == seat->player) {
		struct report_standing_order *standing;
		struct standing_orders all;
		struct silence silence;
		enum { STANDING_ABSENCES = 4 };

		TRY(standing_orders_load(req->srv, match, &all));
		TRY(substitute_silence(req->srv, match, &all, seat->seat, &silence));
		out->silence = silence.lead;
		out->default_orders = silence.orders;
		out->last_chance = out->last_chance && !substitute_covers(silence.origin);
		out->nstanding = standing_orders_words(match, &all, seat->seat,
		                                       STANDING_ABSENCES, &standing);
		out->standing = standing;
		TRY(absence_words(req, standing, out->nstanding + STANDING_ABSENCES,
		                  &out->nstanding));
	}
	if (match->state) {
		out->view = report_values_view(match, match->state,
		                               seat ? seat->seat : SEAT_PUBLIC,
		                               &req->who.player.form);
		out->examples = report_values_examples(match, seat ? seat->seat : 0);
	}
	if (open) {
		int64_t *line;
		size_t n;
		TRY(lineage_load(req->srv, match, &line, &n));
		out->turn_number = (unsigned)n - 1;
		TRY(votes_now(req->srv, match, seat ? seat->seat : 0, &out->votes,
		              &out->nvotes));
	}
	out->master = master_words(match);
	out->unrated = match->game.unrated;
	out->reader_is_master = match_has_master(match, req->who.player.id);
	out->reader_is_co_master = out->reader_is_master &&
	                           match->game.master != req->who.player.id;
	return ERR_NONE;
}

static enum err show_status(struct request *req, const struct command *item,
                            struct match *match, struct seat *seat)
{
	struct report_out out = REPORT_OUT_TO_SENDER(req);
	struct report_status s;

	TRY(status_of(req, match, seat, &s));
	const char *lead = arena_printf(
	    req->arena, "%sFor the rules reply HELP %s, for all commands HELP COMMANDS.",
	    s.reader_owes ? "Reply with your orders, as in the examples below. " : "",
	    match->rules->title);
	if (item->verb == CMD_HELP) {
		s.subject = "help";
		s.lead = &lead;
		s.nlead = 1;
	} else if (req->unread) {
		/* Counted with what is not understood: a program may ask without end. */
		request_verdict(req, "not-understood",
		                "a question; answered with how it stands");
		s.lead = &req->unread;
		s.nlead = 1;
	}
	report_status(&s, &out);
	return request_answer(req, match, seat, "status", &out);
}

/* Whoever plays and names nothing gets it for the game in hand, or their only one. */
enum err do_help(struct request *req, const struct command *item)
{
	struct game *games;
	size_t playing;

	request_understood(req);
	if (item->kind)
		return help_kind(req, item->kind);
	TRY(request_games(req, &games, &playing));
	if (item->topic.len == 0 &&
	    (req->about.game ? req->about.seat != 0 : playing == 1 && req->about.digest == 0))
		return request_with_game(req, item, show_status);
	struct strbuf table = STRBUF_INIT;

	grammar_add_table(&table);
	enum err rc = send_guide(
	    req, &(struct report_guide){.topic = item->topic.len == 0 ? GUIDE_SHORT
	                                         : span_eq_nocase(item->topic, "COMMANDS")
	                                             ? GUIDE_COMMANDS
	                                             : GUIDE_TOPIC,
	                                .topic_word = arena_cstr(req->arena, item->topic),
	                                .command_table = strbuf_span(&table)});
	strbuf_release(&table);
	return rc;
}

static enum err no_games(struct request *req)
{
	return request_notice(
	    req, NULL, NULL, "you have no game here", "list",
	    "You have no confirmed seat in a game now. To see the open games, "
	    "send:");
}

/* A digest, written now: its form takes orders for all of them. */
enum err do_my_games(struct request *req, const struct command *item)
{
	enum valve valve;
	bool any;

	(void)item;
	request_understood(req);
	request_verdict(req, "command", "asked for all games");
	if (is_stranger(req) || req->who.player.id == 0)
		return no_games(req);
	if (!request_can_answer(req))
		return ERR_NONE;
	TRY(request_may_send(req, NULL, NULL, "digest", NULL, &valve));
	if (valve == VALVE_SHUT)
		return ERR_NONE;
	TRY(digest_now(req->srv,
	               &(struct digest_asked){.player = req->who.player.id,
	                                      .mail = req->inbox_id,
	                                      .message_id = req->mail->message_id,
	                                      .postscript = request_last_words(valve)},
	               req->arena, &any));
	return any ? ERR_NONE : no_games(req);
}

/* Whoever has several games, and says in no way which is meant, gets them all. */
enum err do_status(struct request *req, const struct command *item)
{
	size_t playing = 0;
	int64_t observed = 0;

	if (item->game == 0 && req->about.game == 0) {
		struct game *games;

		TRY(request_games(req, &games, &playing));
		TRY(request_observed_answered(req, &observed));
	}
	if (playing > 1 && observed == 0)
		return do_my_games(req, item);
	return request_with_game(req, item, show_status);
}
