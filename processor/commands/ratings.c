/*
 * ratings.c - RATINGS and WHO: figures about people, by the names they go by.
 *
 * A name chosen with AS for one game leads to nobody here: who wants to play under another name is
 * not to be found out by asking.
 */
#include "store/ratings.h"
#include "processor/commands/commands.h"
#include "processor/match/rating.h"
#include "processor/request/request.h"
#include "processor/server/zones.h"
#include "store/press.h"

enum { SHOWN_BEST = 20, SHOWN_NAMESAKES = 5 };

static struct report_rating_row row_of(const struct rating *r, const char *name, int64_t share)
{
	return (struct report_rating_row){.name = name,
	                                  .points = rating_points(r->rating),
	                                  .provisional = r->provisional,
	                                  .games = r->games,
	                                  .wins = r->wins,
	                                  .reliability = reliability_percent(share)};
}

/* *found false: nothing of theirs has been rated there. */
static enum err own_row(struct request *req, struct span kind, struct report_rating_row *row,
                        bool *found)
{
	struct rating r, all;

	*found = false;
	if (req->who.player.id == 0)
		return ERR_NONE;
	enum err rc = rating_get(req->srv->store, req->who.player.id, kind, req->arena, &r);
	if (rc == ERR_NONE)
		rc = rating_get(req->srv->store, req->who.player.id, SPAN_EMPTY, req->arena,
		                &all);
	if (rc != ERR_NONE)
		return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
	*found = r.games > 0;
	*row = row_of(&r, arena_cstr(req->arena, req->who.player.name), all.share);
	return ERR_NONE;
}

enum err do_ratings(struct request *req, const struct command *item)
{
	struct report_out out = REPORT_OUT_TO_SENDER(req);
	struct span kind = item->kind ? span_of(item->kind->name) : SPAN_EMPTY;
	struct report_rating_row own;
	struct rating_named *best;
	bool has_own;
	size_t n;

	request_understood(req);
	TRY(rating_best(req->srv->store, kind, SHOWN_BEST, req->arena, &best, &n));
	TRY(own_row(req, kind, &own, &has_own));
	struct report_rating_row *rows = arena_calloc(req->arena, n + 1, sizeof(*rows));
	for (size_t i = 0; i < n; i++)
		rows[i] =
		    row_of(&best[i].r, arena_cstr(req->arena, best[i].name), best[i].share);
	report_ratings(
	    &(struct report_ratings){.kind_title = item->kind ? item->kind->title : NULL,
	                             .rows = rows,
	                             .nrows = n,
	                             .most = SHOWN_BEST,
	                             .first_games = RATING_FIRST_GAMES,
	                             .reader = has_own ? &own : NULL},
	    &out);
	return request_answer(req, NULL, NULL, "ratings", &out);
}

/* ---- WHO ---- */

static enum err describe(struct request *req, const struct player *p, struct report_person *out)
{
	struct rating *list;
	size_t n;

	TRY(rating_list(req->srv->store, p->id, req->arena, &list, &n));
	struct report_person_kind *kinds = arena_calloc(req->arena, n + 1, sizeof(*kinds));
	*out = (struct report_person){.name = arena_cstr(req->arena, p->name),
	                              .since_utc = p->created_utc,
	                              .reliability = reliability_percent(RELIABILITY_START),
	                              .kinds = kinds};
	TRY(thanks_count(req->srv->store, p->id, &out->thanked));
	for (size_t i = 0; i < n; i++) {
		struct span kind = list[i].kind;
		const struct rules *rules = rules_find(kind);

		if (kind.len == 0) {
			out->reliability = reliability_percent(list[i].share);
			out->turns = list[i].turns;
			out->missed = list[i].missed;
			out->late = list[i].late;
		}
		if (list[i].games > 0)
			kinds[out->nkinds++] = (struct report_person_kind){
			    .kind_title = kind.len == 0 ? NULL
			                  : rules       ? rules->title
			                                : arena_cstr(req->arena, kind),
			    .points = rating_points(list[i].rating),
			    .provisional = list[i].provisional,
			    .games = list[i].games,
			    .wins = list[i].wins};
	}
	return ERR_NONE;
}

static enum err send_who(struct request *req, const struct player *people, size_t n,
                         bool reader)
{
	struct report_out out = REPORT_OUT_TO_SENDER(req);
	struct report_person *list = arena_calloc(req->arena, n, sizeof(*list));

	for (size_t i = 0; i < n; i++)
		TRY(describe(req, &people[i], &list[i]));
	report_who(&(struct report_who){.people = list,
	                                .n = n,
	                                .reader = reader,
	                                .zone = zone_of_reader(req->srv, &req->who.player)},
	           &out);
	return request_answer(req, NULL, NULL, "who", &out);
}

enum err do_who(struct request *req, const struct command *item)
{
	struct player *people;
	size_t n;

	request_understood(req);
	if (item->name.len == 0 && req->who.player.id != 0)
		return send_who(req, &req->who.player, 1, true);
	if (item->name.len == 0)
		return request_notice(
		    req, NULL, NULL, "nothing is known about you", "ratings",
		    "You have not played here yet, so there is nothing to tell about you. WHO "
		    "and a name tells about somebody else; to see who there is, send:");
	TRY(player_list_named(req->srv->store, item->name, SHOWN_NAMESAKES, req->arena, &people,
	                      &n));
	if (n > 0)
		return send_who(req, people, n, n == 1 && people[0].id == req->who.player.id);
	request_verdict(req, "refused", "WHO: nobody of that name");
	return request_notice(
	    req, NULL, NULL, "nobody goes by that name", "ratings",
	    "Nobody here goes by the name of \"%.*s\". People are known by the name of their "
	    "first game; a name that somebody has chosen for another game with AS does not "
	    "tell who it is. To see the names, send:",
	    SPAN_ARGS(item->name));
}
