/*
 * silence.c - the last mail for now, and the pause behind it.
 */
#include "processor/outgoing/silence.h"

#include "processor/base/step.h"
#include "processor/match/report_values.h"
#include "processor/outgoing/budget.h"
#include "processor/outgoing/outgoing.h"
#include "store/bounces.h"

static enum err post_last(struct server *srv, const struct player *p, unsigned most)
{
	static const char *const example = "status";
	struct report_out out = REPORT_OUT_INIT;
	const char *paragraphs[] = {
	    arena_printf(srv->arena,
	                 "We have sent you %u mails and heard nothing from you, so this is the "
	                 "last one for now. Your games go on: standing orders count, and what "
	                 "is for your seats waits here.",
	                 most),
	    "To go on getting mail, answer this one with any line, for "
	    "example:"};

	out.form = report_form_of(&p->form);
	report_notice(&(struct report_notice){.subject = "nothing more until you write",
	                                      .paragraphs = paragraphs,
	                                      .nparagraphs = 2,
	                                      .examples = &example,
	                                      .nexamples = 1},
	              &out);
	enum err rc = outgoing_add(
	    srv,
	    &(struct outgoing){.kind = "silence",
	                       .key = arena_printf(srv->arena, "%lld %lld", (long long)p->id,
	                                           (long long)srv->now_utc),
	                       .player = p->id,
	                       .address = p->address,
	                       .form = p->form,
	                       .report = &out},
	    srv->arena);
	report_out_release(&out);
	return rc;
}

static enum err end_mail(struct server *srv, const struct silent_player *s, unsigned most)
{
	struct player p;

	TRY(player_get(srv->store, s->player, srv->arena, &p));
	if (p.forgotten || p.address.len == 0)
		return ERR_NONE;
	if (s->reached)
		return bounce_hush(srv->store, p.address, p.id, srv->now_utc);
	return s->told ? ERR_NONE : post_last(srv, &p, most);
}

enum err silence_look(struct server *srv)
{
	unsigned most = budget_limit(srv, BUDGET_SILENCE);
	struct silent_player *list;
	size_t n;

	TRY(silent_players(srv->store, most, srv->arena, &list, &n));
	if (n == 0)
		return ERR_NONE;
	TRY(store_begin(srv->store));
	enum err rc = ERR_NONE;
	for (size_t i = 0; i < n && rc == ERR_NONE; i++)
		rc = end_mail(srv, &list[i], most);
	if (rc == ERR_NONE)
		rc = store_commit(srv->store);
	store_rollback(srv->store);
	if (rc == ERR_NONE)
		step("silence noted");
	return rc;
}
