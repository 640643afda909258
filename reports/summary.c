/*
 * summary.c - SUMMARY: one line a turn.
 *
 * The names over the columns may need several lines there, so they stand above the table too.
 */
#include "processor/base/clock.h"
#include "reports/parts.h"

enum { COL_LABEL, COL_DAY, COL_SCORES };

/* A seat that nobody has taken yet has no name. */
static const char *name_of(const struct report_summary *r, unsigned seat)
{
	return r->names[seat] ? r->names[seat] : "free";
}

/* "12 Mar" of "Thu 12 Mar 2026 18:02 UTC": who wants the hour asks for the report. */
static const char *day(struct arena *a, const struct zone *zone, int64_t t_utc)
{
	struct strbuf s = STRBUF_INIT;
	struct span word, day_word, month, rest;
	if (t_utc == 0)
		return "";
	zone_format_local(&s, zone, t_utc);
	rest = strbuf_span(&s);
	bool ok = span_next_word(&rest, "", &word) && span_next_word(&rest, "", &day_word) &&
	          span_next_word(&rest, "", &month);
	const char *text =
	    ok ? arena_printf(a, "%.*s %.*s", SPAN_ARGS(day_word), SPAN_ARGS(month)) : "";
	strbuf_release(&s);
	return text;
}

void report_summary(const struct report_summary *r, struct report_out *out)
{
	struct page p;
	struct strbuf s = STRBUF_INIT;
	bool missed = false;

	for (size_t i = 0; i < r->nrows; i++)
		missed = missed || r->rows[i].missed > 0;
	part_subject_of_game(&out->subject, &r->game, "%s: the turns so far",
	                     r->game.kind_title);
	page_start(&p, &out->body, out->form);
	part_game(&p, &r->game);
	for (unsigned seat = 1; seat <= r->game.nseats; seat++)
		strbuf_addf(&s, "%s%s", seat > 1 ? ", " : "", name_of(r, seat));
	page_say(&p, "At the table, in the order of the columns: %s.", s.ptr);
	page_gap(&p);
	if (r->nrows == 0)
		page_say(&p, "So far no turn is over.");
	else {
		struct doc_column columns[COL_SCORES + MAX_SEATS + 1];
		size_t ncols = COL_SCORES + r->game.nseats + (missed ? 1u : 0u);
		const char **cells = arena_calloc(p.arena, r->nrows * ncols, sizeof *cells),
			   **cell = cells;
		unsigned n = r->game.nseats;
		columns[COL_LABEL] = (struct doc_column){"turn", DOC_LEFT};
		columns[COL_DAY] = (struct doc_column){"closed", DOC_RIGHT};
		for (unsigned seat = 1; seat <= n; seat++)
			columns[COL_SCORES + seat - 1] =
			    (struct doc_column){name_of(r, seat), DOC_RIGHT};
		columns[COL_SCORES + n] = (struct doc_column){"missed", DOC_RIGHT};
		for (size_t i = 0; i < r->nrows; i++) {
			const struct report_summary_row *row = &r->rows[i];

			*cell++ = row->label;
			*cell++ = day(p.arena, r->game.zone, row->sealed_utc);
			for (unsigned seat = 1; seat <= n; seat++)
				*cell++ = row->scores[seat];
			if (missed)
				*cell++ = arena_printf(p.arena, "%u", row->missed);
		}
		page_table(&p, &(struct doc_table){.columns = columns,
		                                   .ncols = ncols,
		                                   .cells = cells,
		                                   .nrows = r->nrows});
	}
	page_gap(&p);
	if (missed)
		page_say(&p, "\"missed\" counts the players who sent no orders.");
	if (r->nrows > 0)
		page_say(&p,
		         r->nrows > 2
		             ? "For the reports of past turns, reply with \"HISTORY %s FROM 2 "
		               "TO 3\"."
		             : "For the reports of past turns, reply with \"HISTORY %s\".",
		         r->game.id);
	page_small_print(&p);
	part_footer(&p, &r->game);
	strbuf_release(&s);
	page_end(&p);
}
