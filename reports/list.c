/*
 * list.c - LIST: the open games, or one game in full.
 */
#include <string.h>

#include "processor/base/clock.h"
#include "reports/parts.h"

enum { LIST_TITLE_COLS = 40 };

static unsigned free_seats(const struct report_list_row *row)
{
	return row->taken < row->nseats ? row->nseats - row->taken : 0;
}

static void add_what(struct page *p, const struct report_list_row *row)
{
	const char *status = strcmp(row->status, "gathering") != 0 || free_seats(row) > 0
	                         ? phrase_status(row->status)
	                     : row->start_utc > 0 ? "waiting for its time"
	                                          : "waiting for a player's confirmation";
	struct strbuf what = STRBUF_INIT;

	strbuf_addf(&what, "Game %s, %s", row->id, row->kind_title);
	if (row->title && *row->title) {
		strbuf_adds(&what, " \"");
		text_clip(&what, span_of(row->title), LIST_TITLE_COLS);
		strbuf_addc(&what, '"');
	}
	strbuf_adds(&what, row->is_private ? ", private" : "");
	if (row->label && *row->label)
		page_say(p, "%s: %s, %s.", what.ptr, status, row->label);
	else
		page_say(p, "%s: %s.", what.ptr, status);
	strbuf_release(&what);
}

static void add_terms(const struct report_list *r, const struct report_list_row *row,
                      struct arena *arena, struct strbuf *s)
{
	/* "2 of 4 seats taken (Ann, 1 by the server), 2 free." */
	bool names = !r->one && row->there && *row->there;

	strbuf_addf(s, row->nseats == 1 ? "%u of %u seat taken" : "%u of %u seats taken",
	            row->taken - row->vacant, row->nseats);
	if (names && row->bots > 0)
		strbuf_addf(s, " (%s; %u by the server)", row->there, row->bots);
	else if (names)
		strbuf_addf(s, " (%s)", row->there);
	else if (row->bots > 0)
		strbuf_addf(s, " (%u by the server)", row->bots);
	if (free_seats(row) > 0)
		strbuf_addf(
		    s, row->seats_are_kept ? ", %u kept for those who were asked" : ", %u free",
		    free_seats(row));
	if (row->vacant > 0)
		strbuf_addf(s, ", %u vacant", row->vacant);
	strbuf_addc(s, '.');
	if (row->pace && *row->pace)
		strbuf_addf(s, " Deadlines: %s.", row->pace);
	else if (row->next)
		strbuf_addf(s, " At most %s for a turn.", phrase_interval(arena, row->next));
	if (row->deadline_utc > 0)
		strbuf_addf(s, " Deadline: %s.",
		            phrase_deadline(arena, r->zone, r->now_utc, row->deadline_utc));
	if (row->start_utc > 0)
		strbuf_addf(s, " Begins not before %s.",
		            phrase_deadline(arena, r->zone, r->now_utc, row->start_utc));
	if (row->options && *row->options)
		strbuf_addf(s, " Options: %s.", row->options);
}

void report_list_terms(const struct report_list_row *row, struct strbuf *out)
{
	struct report_list_row timeless = *row;
	struct arena *arena = arena_new();

	timeless.deadline_utc = timeless.start_utc = 0;
	add_terms(&(struct report_list){.rows = &timeless}, &timeless, arena, out);
	arena_free(arena);
}

/* What kind of game it is, for the first row of a kind. */
static void add_about(struct page *p, const struct report_list *r,
                      const struct report_list_row *row)
{
	const struct rules *kind = rules_find(span_of(row->kind_title));

	for (const struct report_list_row *above = r->rows; above < row; above++)
		if (strcmp(above->kind_title, row->kind_title) == 0)
			return;
	if (kind)
		page_wrap(p, "  ", "  ", span_of(kind->about));
}

static const struct report_list_row *first_with(const struct report_list *r, bool vacant)
{
	for (size_t i = 0; i < r->nrows; i++) {
		const struct report_list_row *row = &r->rows[i];

		if (!row->readers_own &&
		    (vacant ? row->vacant > 0
		            : free_seats(row) > 0 && !row->seats_are_kept &&
		                  strcmp(row->status, "gathering") == 0))
			return row;
	}
	return NULL;
}

static void add_how(struct page *p, const struct report_list *r)
{
	page_gap(p);
	for (int vacant = 0; vacant <= 1; vacant++) {
		const struct report_list_row *row = first_with(r, vacant);

		if (row == NULL)
			continue;
		page_say(p, vacant ? "To take over a vacant seat of a game that is under way:"
		                   : "To take a free seat, send a mail with one line:");
		page_example(
		    p, span_of(arena_printf(p->arena, "%s %s%s", vacant ? "takeover" : "join",
		                            row->id, row->is_private ? " key ..." : "")));
	}
	if (!r->one) {
		const struct rules *kind =
		    r->nrows > 0 ? rules_find(span_of(r->rows[0].kind_title)) : NULL;

		if (kind == NULL)
			kind = rules_at(0);
		page_say(p, "To open a game of your own, with one seat played by the server:");
		page_example(p, span_of(arena_printf(p->arena, "create %s players %u bots 1",
		                                     phrase_lower(p->arena, kind->title),
		                                     kind->usual_seats)));
	}
	if (r->nrows == 0 && !r->one) {
		page_gap(p);
		part_kinds(p);
	}
	page_gap(p);
	page_say(p, "For help, send HELP.");
}

static void add_lead(struct page *p, const struct report_list *r)
{
	size_t nopen = 0;
	for (size_t i = 0; i < r->nrows; i++)
		nopen += free_seats(&r->rows[i]) + r->rows[i].vacant > 0;
	if (r->nrows == 0)
		page_say(p,
		         r->one ? "There is no such game." : "At the moment no game is open.");
	else if (r->one)
		return;
	else if (nopen < r->nrows)
		page_say(p, "These are the open games, and your own:");
	else
		page_say(p, nopen == 1 ? "One game is open:" : "%zu games are open:", nopen);
}

void report_list(const struct report_list *r, struct report_out *out)
{
	struct page p, proof;
	if (r->one && r->nrows > 0)
		strbuf_addf(&out->subject, "[%s] %s", r->rows[0].id, r->rows[0].kind_title);
	else if (r->nrows == 0)
		strbuf_adds(&out->subject, "Open games: none");
	else
		strbuf_addf(&out->subject, "Open games: %zu in the list", r->nrows);
	page_start(&p, &out->body, out->form);
	part_proof_page(&proof, out);
	add_lead(&p, r);
	for (size_t i = 0; i < r->nrows; i++) {
		page_gap(&p);
		add_what(&p, &r->rows[i]);
		add_about(&p, r, &r->rows[i]);
		struct strbuf s = STRBUF_INIT;

		add_terms(r, &r->rows[i], p.arena, &s);
		if (r->rows[i].observers > 0)
			strbuf_addf(
			    &s, r->rows[i].observers == 1 ? " %u observer." : " %u observers.",
			    r->rows[i].observers);
		if (r->rows[i].misses)
			strbuf_addf(&s, " %s", r->rows[i].misses);
		if (r->rows[i].press)
			strbuf_addf(&s, " %s", r->rows[i].press);
		page_wrap(&p, "  ", "  ", strbuf_span(&s));
		if (r->rows[i].from)
			page_wrap(&p, "  ", "  ", span_of(r->rows[i].from));
		strbuf_release(&s);
	}
	if (r->one && r->nrows > 0) {
		page_gap(&p);
		page_say(&p, "At the table:");
		for (unsigned seat = 1; seat <= r->rows[0].nseats; seat++)
			page_item(&p, "seat %u: %s", seat,
			          r->names && r->names[seat] ? r->names[seat] : "free");
		if (r->rows[0].master)
			page_say(&p, "Master of the game: %s.", r->rows[0].master);
	}
	add_how(&p, r);
	if (r->one && r->nrows > 0) {
		/* Who has it before joining knows that the secret was fixed by then. */
		page_say(&proof,
		         "All chance in game %s is drawn from a secret, which is shown when "
		         "the game ends. This is its SHA-256:",
		         r->rows[0].id);
		page_hash(&proof, "sha256", r->rows[0].secret_hash.bytes);
	}
	page_end(&proof);
	part_proof(&p, out, NULL, NULL);
	page_end(&p);
}
