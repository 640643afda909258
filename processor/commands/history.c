/*
 * history.c - HISTORY, SUMMARY, ARCHIVE: the turns of a game that are over.
 */
#include <stdio.h>

#include "processor/commands/commands.h"
#include "processor/match/lineage.h"
#include "processor/match/match_record.h"
#include "processor/match/report_values.h"
#include "processor/request/request.h"
#include "processor/request/which_game.h"

#include "processor/base/banned.h"

static bool is_in(const unsigned *line, size_t n, unsigned serial)
{
	for (size_t i = 0; i < n; i++)
		if (line[i] == serial)
			return true;
	return false;
}

/* The reports of turns from..to as this reader may see them, drawn anew from the positions. */
static enum err history_text(struct dealing *d, struct hand *h, const struct seat *seat,
                             unsigned from, unsigned to, struct strbuf *out)
{
	struct turn *turns;
	unsigned *line;
	size_t n, nline;

	TRY(turn_list(d->srv->store, h->game.id, h->arena, &turns, &n));
	TRY(line_of_play(d->srv, h, &line, &nline));
	for (size_t i = 0; i < n; i++) {
		struct game_state *state = NULL;
		unsigned number = turns[i].serial == 0 ? 0 : hand_turn_number(turns[i].label);
		if (number < from || (to != 0 && number > to) ||
		    turns[i].state != TURN_REPORTED)
			continue;
		TRY(hand_result(d->srv, h, turns[i].serial, &state));
		if (turns[i].serial == 0)
			strbuf_adds(out, "== At the start ==\n\n");
		else
			strbuf_addf(out, "== After %.*s%s ==\n\n", SPAN_ARGS(turns[i].label),
			            is_in(line, nline, turns[i].serial) ? "" : " (taken back)");
		report_text(brief_view(h, state, seat ? seat->seat : SEAT_PUBLIC), out);
		strbuf_addc(out, '\n');
		h->rules->free_state(state);
	}
	return ERR_NONE;
}

static enum err send_attachment(struct dealing *d, struct hand *h, struct seat *seat,
                                const char *subject, const char *paragraph, struct span text)
{
	struct letter_out out = LETTER_OUT_INIT;
	struct report_game game = brief_game(d->srv, h, seat, &d->player);

	report_notice(&(struct report_notice){.game = &game,
	                                      .subject = subject,
	                                      .paragraphs = (const char *const[]){paragraph},
	                                      .nparagraphs = 1,
	                                      .attachment = text},
	              &out);
	enum err rc = dealing_answer(d, h, seat, "record", &out);
	letter_out_release(&out);
	return rc;
}

static enum err show_history(struct dealing *d, const struct letter_item *item, struct hand *h,
                             struct seat *seat)
{
	struct strbuf text = STRBUF_INIT;
	enum err rc = history_text(d, h, seat, item->from, item->to, &text);

	if (rc == ERR_NONE && text.len == 0)
		rc = dealing_notice(d, h, seat, "no history yet", "",
		                    "No turn of %s in that range has been played yet.", h->id);
	else if (rc == ERR_NONE)
		rc = send_attachment(
		    d, h, seat, "the turns played so far",
		    "The positions after each turn, as you may see them:", strbuf_span(&text));
	strbuf_release(&text);
	return rc;
}

enum err do_history(struct dealing *d, const struct letter_item *item)
{
	return dealing_with_game(d, item, show_history);
}

static const char *const *score_texts(struct hand *h, const struct game_state *state)
{
	struct game_result result;
	const char **texts = arena_calloc(h->arena, h->nseats + 2, sizeof(*texts));

	h->rules->result(state, &result);
	for (unsigned s = 1; s <= h->nseats; s++)
		texts[s] = arena_printf(h->arena, "%lld", (long long)result.scores[s]);
	return texts;
}

static unsigned missed_in(const struct order_set *set, size_t nseats)
{
	unsigned n = 0;

	for (unsigned s = 1; s <= nseats; s++)
		n += set->seats[s].acts && set->seats[s].revision == 0;
	return n;
}

static enum err summary_row(struct dealing *d, struct hand *h, const struct turn *turn,
                            struct report_summary_row *row)
{
	struct game_state *state = NULL;
	struct order_set set;
	struct hand at = *h;

	TRY(hand_result(d->srv, h, turn->serial, &state));
	at.turn = *turn;
	at.state = NULL;
	enum err rc = order_set_load(d->srv, &at, &set);
	if (rc == ERR_NONE)
		*row = (struct report_summary_row){.label = arena_cstr(h->arena, turn->label),
		                                   .sealed_utc = turn->sealed_utc,
		                                   .scores = score_texts(h, state),
		                                   .missed = missed_in(&set, h->nseats)};
	hand_release(&at);
	h->rules->free_state(state);
	return rc;
}

static enum err show_summary(struct dealing *d, const struct letter_item *item, struct hand *h,
                             struct seat *seat)
{
	struct letter_out out = LETTER_OUT_INIT;
	struct turn *turns;
	unsigned *line;
	size_t n, nline, nrows = 0;

	(void)item;
	TRY(turn_list(d->srv->store, h->game.id, h->arena, &turns, &n));
	TRY(line_of_play(d->srv, h, &line, &nline)); /* what was taken back is passed over */
	struct report_summary_row *rows = arena_calloc(h->arena, n + 1, sizeof(*rows));
	for (size_t i = 0; i < n; i++)
		if (turns[i].state == TURN_REPORTED && turns[i].serial > 0 &&
		    is_in(line, nline, turns[i].serial))
			TRY(summary_row(d, h, &turns[i], &rows[nrows++]));
	report_summary(&(struct report_summary){.game = brief_game(d->srv, h, seat, &d->player),
	                                        .names = brief_names(h),
	                                        .rows = rows,
	                                        .nrows = nrows},
	               &out);
	enum err rc = dealing_answer(d, h, seat, "summary", &out);
	letter_out_release(&out);
	return rc;
}

enum err do_summary(struct dealing *d, const struct letter_item *item)
{
	return dealing_with_game(d, item, show_summary);
}

static enum err show_archive(struct dealing *d, const struct letter_item *item, struct hand *h,
                             struct seat *seat)
{
	struct strbuf text = STRBUF_INIT;
	enum err rc = record_text(d->srv, h, &text);
	bool ended = h->game.ended_utc != 0;

	(void)item;
	if (rc == ERR_NONE)
		rc = send_attachment(d, h, seat, ended ? "the record" : "the record so far",
		                     arena_printf(d->arena,
		                                  "The record of the game%s. Save the part "
		                                  "between the two lines of dashes, with them; "
		                                  "anybody who has this program can replay and "
		                                  "check it.",
		                                  ended ? "" : " as far as it has been played"),
		                     strbuf_span(&text));
	strbuf_release(&text);
	return rc;
}

enum err do_archive(struct dealing *d, const struct letter_item *item)
{
	return dealing_with_game(d, item, show_archive);
}
