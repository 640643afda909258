/*
 * analyse.c - ANALYSE: who was how near to winning, of a game that has ended.
 */
#include "processor/commands/commands.h"
#include "processor/match/match_record.h"
#include "processor/match/report_values.h"
#include "processor/replay/analysis.h"
#include "processor/request/which_game.h"
#include "processor/server/word_lists.h"

/* So that no flood of such mails keeps a run from its work. */
enum { MOST_IN_A_RUN = 10 };

static enum err refuse(struct request *req, struct match *match, struct seat *seat,
                       const char *example, const char *why)
{
	request_verdict(req, "refused", "ANALYSE: %s", why);
	return request_notice(req, match, seat, "not analysed",
	                      arena_printf(req->arena, "%s %s", example, match->id), "%s", why);
}

/* The reader's own seat; else the first winner's. */
static unsigned subject(const struct seat *seat, struct archive *a, const struct analysis *all)
{
	struct game_result result;

	if (seat)
		return seat->seat;
	archive_rules(a)->result(archive_state(a, all->turns[all->nturns - 1].index, NULL),
	                         &result);
	for (unsigned s = 1; s <= result.nseats; s++)
		if (seat_in(result.winners, s))
			return s;
	return 1;
}

static enum err send_analysis(struct request *req, struct match *match, struct seat *seat,
                              struct archive *a, const struct analysis *all)
{
	struct report_out out = REPORT_OUT_TO_SENDER(req);
	struct analysis_moment found[ANALYSIS_MOMENTS];
	struct report_moment moments[ANALYSIS_MOMENTS];
	struct report_analysis_turn *turns =
	    arena_calloc(req->arena, all->nturns, sizeof *turns);
	unsigned about = subject(seat, a, all);
	size_t n = analysis_moments(a, all, about, server_tables(req->srv, &match->options),
	                            req->arena, found);

	for (size_t i = 0; i < all->nturns; i++)
		turns[i] = (struct report_analysis_turn){
		    all->turns[i].number, all->turns[i].label, all->turns[i].chance};
	for (size_t i = 0; i < n; i++) {
		const struct analysis_turn *t = found[i].turn;

		moments[i] = (struct report_moment){.label = t->label,
		                                    .by_orders = t->by_orders[about],
		                                    .by_luck = t->by_luck[about],
		                                    .ordered = found[i].ordered,
		                                    .advised = found[i].advised,
		                                    .gain = found[i].gain,
		                                    .error = found[i].error,
		                                    .wins = found[i].wins,
		                                    .number = t->number - 1};
	}
	report_analysis(
	    &(struct report_analysis){
		.game = report_values_game(req->srv, match, seat, &req->who.player),
		.names = report_values_names(match, seat ? seat->seat : 0),
		.subject = about,
		.games = all->games,
		.margin = all->margin,
		.whole = all->turns[0].number == 0,
		.luck = (match->rules->facts & FACT_CHANCE) != 0,
		.wordless = rules_use_tables(match->rules),
		.turns = turns,
		.nturns = all->nturns,
		.moments = moments,
		.nmoments = n},
	    &out);
	return request_answer(req, match, seat, "analysis", &out);
}

enum err do_analyse(struct request *req, const struct command *item, struct match *match,
                    struct seat *seat)
{
	struct strbuf text = STRBUF_INIT, why = STRBUF_INIT;
	struct failure e = ERR_INIT;
	struct archive *a = NULL;
	struct analysis all;
	enum err rc;

	(void)item;
	if (match->game.ended_utc == 0)
		return refuse(
		    req, match, seat, "status",
		    arena_printf(req->arena,
		                 "%s has not ended yet: what its turns were worth can be told "
		                 "then. To see how it stands, send:",
		                 match->id));
	if (req->srv->analysed >= MOST_IN_A_RUN)
		return refuse(
		    req, match, seat, "analyse",
		    "So many games were to be analysed at once that this one was left out. "
		    "Please ask again in an hour:");
	req->srv->analysed++;
	rc = record_text(req->srv, match, &text);
	if (rc == ERR_NONE && archive_open(strbuf_span(&text), &a, &e) != ERR_NONE)
		rc = refuse(
		    req, match, seat, "archive",
		    arena_printf(req->arena,
		                 "This server cannot replay the record of %s: %s. To get "
		                 "it, send:",
		                 match->id, e.text.ptr));
	else if (rc == ERR_NONE && !analysis_make(a, false, req->arena, &all, &why))
		rc = refuse(req, match, seat, "archive",
		            arena_printf(req->arena, "%s To get its record, send:", why.ptr));
	else if (rc == ERR_NONE)
		rc = send_analysis(req, match, seat, a, &all);
	archive_free(a);
	err_release(&e);
	strbuf_release(&text);
	strbuf_release(&why);
	return rc;
}
