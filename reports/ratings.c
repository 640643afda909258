/*
 * ratings.c - RATINGS and WHO: how good and how reliable people are.
 */
#include "processor/base/clock.h"
#include "reports/parts.h"

static void add_row(struct page *p, size_t place, const struct report_rating_row *row)
{
	const char *unsure = row->provisional ? "?" : "";

	if (place > 0)
		page_item(p,
		          row->games == 1
		              ? "place %zu: %s, %ld%s after %u game, %u won; %u %% in time"
		              : "place %zu: %s, %ld%s after %u games, %u won; %u %% in time",
		          place, row->name, row->points, unsure, row->games, row->wins,
		          row->reliability);
	else
		page_item(p,
		          row->games == 1 ? "%s, %ld%s after %u game, %u won; %u %% in time"
		                          : "%s, %ld%s after %u games, %u won; %u %% in time",
		          row->name, row->points, unsure, row->games, row->wins,
		          row->reliability);
}

static void add_more(struct page *p, const char *intro, const char *example)
{
	page_gap(p);
	page_say(p, "%s", intro);
	page_example(p, span_of(example));
}

void report_ratings(const struct report_ratings *r, struct report_out *out)
{
	struct page p;

	strbuf_addf(&out->subject, "Ratings: %s", r->kind_title ? r->kind_title : "all games");
	page_start(&p, &out->body, out->form);
	page_heading(&p, "Ratings in %s", r->kind_title ? r->kind_title : "all games");
	if (r->nrows == 0) {
		page_say(&p,
		         r->kind_title
		             ? "Nobody has a rating in this game yet. Ratings come from games "
		               "that have ended and that at least two people began."
		             : "Nobody has a rating here yet. Ratings come from games that "
		               "have ended and that at least two people began.");
	} else if (r->nrows == r->most)
		page_say(&p, "The best %zu. Behind each name: rating, games, reliability.",
		         r->most);
	else
		page_say(&p, "Behind each name: rating, games, reliability.");
	bool provisional = r->reader && r->reader->provisional;
	for (size_t i = 0; i < r->nrows; i++)
		provisional = provisional || r->rows[i].provisional;
	if (provisional)
		page_say(
		    &p,
		    "A rating with ? comes from fewer than %u games, may still be far off, "
		    "and stands behind the others.",
		    r->first_games);
	page_gap(&p);
	for (size_t i = 0; i < r->nrows; i++)
		add_row(&p, i + 1, &r->rows[i]);
	if (r->reader) {
		page_gap(&p);
		page_say(&p, "Your own:");
		add_row(&p, 0, r->reader);
	}
	add_more(&p, "To see how this is worked out, with an example, send:", "help ratings");
	page_end(&p);
}

/* ---- WHO ---- */

static void add_person(struct page *p, const struct report_who *r,
                       const struct report_person *who)
{
	struct strbuf since = STRBUF_INIT;
	struct utc_time t =
	    utc_split(who->since_utc + (r->zone ? zone_offset_s(r->zone, who->since_utc) : 0));
	static const char *const months[] = {"January",   "February", "March",    "April",
	                                     "May",       "June",     "July",     "August",
	                                     "September", "October",  "November", "December"};

	strbuf_addf(&since, "%s %d", months[t.month - 1], t.year);
	page_gap(p);
	if (r->reader)
		page_say(p, "You go by the name of %s and have been here since %s.", who->name,
		         since.ptr);
	else
		page_say(p, "%s has played here since %s.", who->name, since.ptr);
	if (who->turns == 0)
		page_item(p,
		          "reliability: %u %%, where everybody begins; no turn has counted yet",
		          who->reliability);
	else
		page_item(p,
		          who->turns == 1
		              ? "reliability: %u %%; of %u turn, %u missed, %u late"
		              : "reliability: %u %%; of %u turns, %u missed, %u late",
		          who->reliability, who->turns, who->missed, who->late);
	for (size_t i = 0; i < who->nkinds; i++) {
		page_item(p,
		          who->kinds[i].games == 1 ? "%s: %ld%s after %u game, %u won"
		                                   : "%s: %ld%s after %u games, %u won",
		          who->kinds[i].kind_title ? who->kinds[i].kind_title
		                                   : "rating in all games",
		          who->kinds[i].points, who->kinds[i].provisional ? "?" : "",
		          who->kinds[i].games, who->kinds[i].wins);
	}
	if (who->nkinds == 0)
		page_item(p, "rating: none, for no game has counted yet");
	if (who->thanked > 0)
		page_item(p,
		          who->thanked == 1 ? "thanked %u time for a game"
		                            : "thanked %u times for a game",
		          who->thanked);
	strbuf_release(&since);
}

void report_who(const struct report_who *r, struct report_out *out)
{
	struct page p;

	if (r->reader)
		strbuf_adds(&out->subject, "How you stand");
	else
		strbuf_addf(&out->subject, "Who %s is", r->people[0].name);
	page_start(&p, &out->body, out->form);
	if (r->n > 1)
		page_say(&p, "There are several people of this name.");
	for (size_t i = 0; i < r->n; i++)
		add_person(&p, r, &r->people[i]);
	add_more(&p, "To see how reliability and rating are worked out, send:", "help ratings");
	page_end(&p);
}
