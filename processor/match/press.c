/*
 * press.c - the rules of press, and what waits for a report.
 */
#include "processor/match/press.h"

#include "processor/server/reply_address.h"

bool press_after_the_end(const struct match *match, int64_t arrived_utc)
{
	return match->game.ended_utc != 0 &&
	       arrived_utc <= match->game.ended_utc + PRESS_AFTER_S;
}

bool press_is_open(const struct match *match, const struct press_rules *rules,
                   int64_t arrived_utc, const char **why)
{
	const struct turn *t = &match->turn;

	*why = NULL;
	if (rules->mode == PRESS_NONE)
		*why = arena_printf(match->arena,
		                    "%s is played without messages between the players: its "
		                    "creator has chosen that.",
		                    match->id);
	else if (match->game.ended_utc != 0 && !press_after_the_end(match, arrived_utc))
		*why =
		    arena_printf(match->arena,
		                 "%s ended more than two weeks ago, so messages are no longer "
		                 "passed on.",
		                 match->id);
	else if (match->has_turn && t->state == TURN_OPEN && t->grace_utc != 0 &&
	         match_came_after(match, arrived_utc, t->deadline_utc))
		*why = arena_printf(
		    match->arena,
		    "The deadline of %.*s in %s has passed, and in the grace, in which the "
		    "late may still order, no messages are passed on, so that nobody can tell "
		    "them anything. Please send yours again when the report has come.",
		    SPAN_ARGS(t->label), match->id);
	return *why == NULL;
}

struct span press_cleaned(const struct server *srv, struct span text, struct arena *arena)
{
	struct strbuf copy = STRBUF_INIT;

	strbuf_add_span(&copy, text);
	address_redact(srv, &copy);
	address_redact_codes(&copy);
	return arena_take(arena, &copy);
}

static const char *said_of_press(const struct press_rules *rules)
{
	if (rules->mode == PRESS_NONE)
		return "Players cannot write to each other (no press).";
	if (rules->mode == PRESS_WHITE)
		return rules->waits
		           ? "Players may write to each other (press is white: the writer is "
		             "named); messages come with the turn reports."
		           : "Players may write to each other (press is white: the writer is "
		             "named).";
	return rules->waits
	           ? "Players may write to each other (press is grey: the writer may stay "
	             "unnamed); messages come with the turn reports."
	           : "Players may write to each other (press is grey: the writer may stay "
	             "unnamed).";
}

const char *press_phrase(const struct press_rules *rules, struct arena *arena)
{
	const char *said = said_of_press(rules);

	return rules->observers == OBSERVERS_NONE
	           ? arena_printf(arena, "%s Nobody may observe.", said)
	           : said;
}

void press_add_options(const struct press_rules *rules, struct strbuf *out)
{
	static const char *const said[] = {
	    [PRESS_WHITE] = "", [PRESS_GREY] = " press=grey", [PRESS_NONE] = " press=none"};
	static const char *const watch[] = {[OBSERVERS_NOW] = "",
	                                    [OBSERVERS_REPORT] = " observers=report",
	                                    [OBSERVERS_NONE] = " observers=none"};

	strbuf_addf(out, "%s%s%s", said[rules->mode], rules->waits ? " delivery=report" : "",
	            watch[rules->observers]);
}

struct report_message press_message(const struct match *match, const struct press *p)
{
	struct report_message m = {.from = p->unnamed ? NULL : match->names.names[p->seat],
	                           .from_seat = p->unnamed ? 0 : p->seat,
	                           .to_all = p->kind == PRESS_TO_ALL,
	                           .written_utc = p->written_utc,
	                           .text = p->text};

	m.nto = match_seat_names(match, p->seats, &m.to);
	return m;
}

enum err press_due_load(struct server *srv, const struct match *match, bool ended,
                        struct press_due *out)
{
	out->diaries = ended;
	return press_waiting(srv->store, match->game.id, ended, match->arena, &out->items,
	                     &out->n);
}

void press_due_for(const struct match *match, const struct press_due *due, unsigned seat,
                   bool hears, struct report_turn *t)
{
	struct report_message *messages =
	    arena_calloc(match->arena, due->n + 1, sizeof(*messages));
	struct report_message *diaries =
	    arena_calloc(match->arena, due->n + 1, sizeof(*diaries));

	t->messages = messages;
	t->diaries = diaries;
	for (size_t i = 0; i < due->n; i++) {
		const struct press *p = &due->items[i];

		if (p->kind == PRESS_DIARY)
			diaries[t->ndiaries++] = press_message(match, p);
		else if (seat == 0 ? hears && p->kind == PRESS_TO_ALL
		                   : seat_in((struct seat_set){p->seats}, seat))
			messages[t->nmessages++] = press_message(match, p);
	}
}

enum err press_due_done(struct server *srv, const struct match *match,
                        const struct press_due *due)
{
	if (due->n == 0)
		return ERR_NONE;
	return press_delivered(srv->store, match->game.id, due->diaries,
	                       due->items[due->n - 1].id, srv->now_utc);
}
