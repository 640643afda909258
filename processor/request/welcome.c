/*
 * welcome.c - the mail to who has a seat in a game that has not begun.
 */
#include "processor/request/welcome.h"

#include "processor/bots/bots.h"
#include "processor/match/fork.h"
#include "processor/match/match_clock.h"
#include "processor/match/press.h"
#include "processor/request/join_rules.h"
#include "processor/turns/ready.h"

/* Examples of orders in a game that has not begun. */
static const struct doc *trial_examples(const struct match *match)
{
	struct doc *doc = arena_alloc(match->arena, sizeof(*doc));
	struct game_state *state = match_trial_position(match);

	doc_init(doc, match->arena);
	doc->tables = match->tables;
	if (state) {
		bot_examples(match->rules, state, 1, doc);
		match->rules->free_state(state);
	}
	return doc;
}

static const struct doc *basic_rules(const struct match *match)
{
	struct doc *doc = arena_alloc(match->arena, sizeof(*doc));

	doc_init(doc, match->arena);
	match->rules->basics(&match->options, doc);
	return doc;
}

enum err welcome_write(struct server *srv, struct match *match, const struct seat *seat,
                       const struct player *reader, bool created, const char *key,
                       const char *note, struct report_out *out)
{
	struct strbuf options = STRBUF_INIT, proof = STRBUF_INIT;
	struct press_rules press;
	const char *alone, *notes[1];
	int64_t kept;
	bool others;
	size_t n = 0;

	TRY(fork_against_bots(srv, match, &alone));
	if (note)
		notes[n++] = note;
	TRY(press_rules_get(srv->store, match->game.id, &press));
	TRY(join_rules_kept_until(srv, match->game.id, &kept));
	TRY(ready_is_asked_for(srv, match, &others));
	TRY(join_rules_add_options(srv, &match->game, &options));
	strbuf_addc(&options, ' ');
	options_format(&match->options, OPTIONS_SHOWN, &options);
	press_add_options(&press, &options);
	if (seat)
		match_add_seat_proof(match, seat, match_keys(srv, match), &proof);
	report_welcome(
	    &(struct report_welcome){
		.game = report_values_game(srv, match, seat, reader),
		.created = created,
		.seats_are_kept = kept != 0,
		.others_are_asked = others,
		.waiting_confirmation = seat && !seat->confirmed,
		.seats_taken = match_taken(match),
		.bots = bots_sentence(match),
		.names = report_values_table(match, seat ? seat->seat : 0),
		.master_is_apart = match->game.master != 0 && !master_seat(match),
		.options = arena_cstr(match->arena, span_trim(strbuf_span(&options))),
		.next = report_values_interval(match->arena, match->game.next_s),
		.pace = match_clock_words(srv, match),
		.start_utc = match->game.start_utc > srv->now_utc ? match->game.start_utc : 0,
		.now_utc = srv->now_utc,
		.is_private = match->game.is_private,
		.join_key = created && match->game.is_private ? key : NULL,
		.starts = match_has_master(match, reader->id),
		.alone = alone,
		.fair = {match->game.secret_hash, keyring_public_key(match_keys(srv, match))},
		.about = match->rules->about,
		.basics = basic_rules(match),
		.examples = trial_examples(match),
		.notes = notes,
		.nnotes = n,
		.seat_proof = strbuf_span(&proof),
	    },
	    out);
	strbuf_release(&options);
	strbuf_release(&proof);
	return ERR_NONE;
}

enum err welcome_send(struct request *req, struct match *match, struct seat *seat, bool created,
                      const char *key, const char *note)
{
	struct report_out out = REPORT_OUT_TO_SENDER(req);

	TRY(welcome_write(req->srv, match, seat, &req->who.player, created, key, note, &out));
	return request_answer(req, match, seat, "welcome", &out);
}
