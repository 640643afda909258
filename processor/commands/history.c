/*
 * history.c - HISTORY, SUMMARY, ARCHIVE: the turns of a game that are over.
 */
#include <stdio.h>

#include "processor/commands/commands.h"
#include "processor/match/match_record.h"
#include "processor/match/report_values.h"
#include "processor/request/request.h"
#include "processor/request/which_game.h"

static bool is_in(const int64_t *line, size_t n, unsigned serial)
{
	for (size_t i = 0; i < n; i++)
		if (line[i] == serial)
			return true;
	return false;
}

/* The reports of turns from..to as this reader may see them, drawn anew from the positions. */
static enum err history_text(struct request *req, struct match *match, const struct seat *seat,
                             unsigned from, unsigned to, struct strbuf *out)
{
	struct turn *turns;
	int64_t *line;
	size_t n, nline;

	TRY(turn_list(req->srv->store, match->game.id, match->arena, &turns, &n));
	TRY(lineage_load(req->srv, match, &line, &nline));
	for (size_t i = 0; i < n; i++) {
		struct game_state *state = NULL;
		unsigned number = turns[i].serial == 0 ? 0 : match_turn_number(turns[i].label);
		if (number < from || (to != 0 && number > to) ||
		    turns[i].state != TURN_REPORTED)
			continue;
		TRY(match_result(req->srv, match, turns[i].serial, &state));
		if (turns[i].serial == 0)
			strbuf_adds(out, "== At the start ==\n\n");
		else
			strbuf_addf(out,
			            is_in(line, nline, turns[i].serial)
			                ? "== After %.*s ==\n\n"
			                : "== After %.*s (taken back) ==\n\n",
			            SPAN_ARGS(turns[i].label));
		report_text_for(report_values_view(match, state,
		                                   seat ? seat->seat : SEAT_PUBLIC,
		                                   &req->who.player.form),
		                report_form_of(&req->who.player.form), out);
		strbuf_addc(out, '\n');
		match->rules->free_state(state);
	}
	return ERR_NONE;
}

static enum err send_attachment(struct request *req, struct match *match, struct seat *seat,
                                const char *subject, const char *paragraph, struct span text)
{
	return request_answer_notice(req, match, seat, "record",
	                             &(struct report_notice){.subject = subject,
	                                                     .paragraphs = TEXTS(paragraph),
	                                                     .attachment = text});
}

enum err do_history(struct request *req, const struct command *item, struct match *match,
                    struct seat *seat)
{
	struct strbuf text = STRBUF_INIT;
	enum err rc = history_text(req, match, seat, item->from, item->to, &text);

	if (rc == ERR_NONE && text.len == 0)
		rc = request_notice(req, match, seat, "no history yet", "",
		                    "No turn of %s in that range has been played yet.",
		                    match->id);
	else if (rc == ERR_NONE)
		rc = send_attachment(
		    req, match, seat, "the turns played so far",
		    "The positions after each turn, as you may see them:", strbuf_span(&text));
	strbuf_release(&text);
	return rc;
}

static const char *const *score_texts(struct match *match, const struct game_state *state)
{
	struct game_result result;
	const char **texts = arena_calloc(match->arena, match->nseats + 1, sizeof(*texts));

	match->rules->result(state, &result);
	for (unsigned s = 1; s <= match->nseats; s++)
		texts[s] = arena_printf(match->arena, "%lld", (long long)result.scores[s]);
	return texts;
}

static unsigned missed_in(const struct order_set *set, size_t nseats)
{
	unsigned n = 0;

	for (unsigned s = 1; s <= nseats; s++)
		n += set->seats[s].acts && set->seats[s].revision == 0;
	return n;
}

static enum err summary_row(struct request *req, struct match *match, const struct turn *turn,
                            struct report_summary_row *row)
{
	struct game_state *state = NULL;
	struct order_set set;
	struct match at = *match;

	TRY(match_result(req->srv, match, turn->serial, &state));
	at.turn = *turn;
	at.state = NULL;
	enum err rc = order_set_load(req->srv, &at, &set);
	if (rc == ERR_NONE)
		*row =
		    (struct report_summary_row){.label = arena_cstr(match->arena, turn->label),
		                                .sealed_utc = turn->sealed_utc,
		                                .scores = score_texts(match, state),
		                                .missed = missed_in(&set, match->nseats)};
	match_release(&at);
	match->rules->free_state(state);
	return rc;
}

enum err do_summary(struct request *req, const struct command *item, struct match *match,
                    struct seat *seat)
{
	struct report_out out = REPORT_OUT_TO_SENDER(req);
	struct turn *turns;
	int64_t *line;
	size_t n, nline, nrows = 0;

	(void)item;
	TRY(turn_list(req->srv->store, match->game.id, match->arena, &turns, &n));
	TRY(lineage_load(req->srv, match, &line,
	                 &nline)); /* what was taken back is passed over */
	struct report_summary_row *rows = arena_calloc(match->arena, n + 1, sizeof(*rows));
	for (size_t i = 0; i < n; i++)
		if (turns[i].state == TURN_REPORTED && turns[i].serial > 0 &&
		    is_in(line, nline, turns[i].serial))
			TRY(summary_row(req, match, &turns[i], &rows[nrows++]));
	report_summary(
	    &(struct report_summary){
		.game = report_values_game(req->srv, match, seat, &req->who.player),
		.names = report_values_names(match, seat ? seat->seat : 0),
		.rows = rows,
		.nrows = nrows},
	    &out);
	return request_answer(req, match, seat, "summary", &out);
}

enum err do_archive(struct request *req, const struct command *item, struct match *match,
                    struct seat *seat)
{
	struct strbuf text = STRBUF_INIT;
	enum err rc = record_text(req->srv, match, &text);
	bool ended = match->game.ended_utc != 0;

	(void)item;
	if (rc == ERR_NONE)
		rc = send_attachment(
		    req, match, seat, ended ? "the record" : "the record so far",
		    ended ? "This is the record of the game. Save the part between "
			    "the two lines of dashes, with them; anybody who has "
			    "this program can replay and check it."
			  : "This is the record of the game as far as it has been "
			    "played. Save the part between the two lines of "
			    "dashes, with them; anybody who has this program can "
			    "replay and check it.",
		    strbuf_span(&text));
	strbuf_release(&text);
	return rc;
}
