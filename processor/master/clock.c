/*
 * clock.c - the commands of masters about the clock of a game: PAUSE, RESUME, SET DEADLINE, SET
 * GRACE, SET START, PROCESS; and their word to all, OFFICIAL.
 */
#include "processor/base/clock.h"
#include "processor/base/utf8.h"
#include "processor/base/zone.h"
#include "processor/master/master.h"
#include "processor/match/match_clock.h"
#include "processor/match/report_values.h"
#include "processor/request/master.h"
#include "processor/server/zones.h"
#include "processor/turns/missed_turns.h"
#include "processor/turns/outage.h"

enum { HOUR_S = 3600, MINUTE_S = 60, YEAR_S = 366 * 24 * HOUR_S };

/* ---- pause ---- */

enum err game_pause(struct server *srv, struct match *match, int64_t arrived_utc)
{
	match->game.status = GAME_PAUSED;
	match->game.paused_utc = arrived_utc < srv->now_utc ? arrived_utc : srv->now_utc;
	return game_update(srv->store, &match->game);
}

enum err game_go_on(struct server *srv, struct match *match)
{
	int64_t moved_utc;
	bool moved;

	TRY(outage_give_back(srv, match, match->game.paused_utc, &moved_utc));
	match->game.status = GAME_RUNNING;
	match->game.paused_utc = 0;
	TRY(game_update(srv->store, &match->game));
	/* Time was given back, and may now end in days somebody has said they are away. */
	if (match->has_turn && match->turn.state == TURN_OPEN &&
	    match->turn.deadline_utc > srv->now_utc)
		TRY(match_clock_put_off_open(srv, match, &moved));
	return match_clock_was_told(srv, match);
}

enum err master_pause(struct master_request *m)
{
	if (m->match->game.status == GAME_PAUSED)
		return master_refuse(m, "resume",
		                     "The game is paused already. To let it go on, send:");
	TRY(game_pause(m->req->srv, m->match, m->req->sure_utc));
	TRY(master_log(m, 0, "paused the game"));
	request_verdict(m->req, "master", "%s paused", m->match->id);
	return tell_table(
	    m->req, m->match, m->seat,
	    &(struct table_news){.subject = "the game is paused",
	                         .done = "The game is paused, and everybody has been "
	                                 "told. It goes on where it stopped when you "
	                                 "write RESUME, or when more than half of the "
	                                 "players write VOTE RESUME.",
	                         .heard = "The master has paused the game. It goes on "
	                                  "when the master says so, or when more than "
	                                  "half of the players write VOTE RESUME; "
	                                  "whatever time was left is left then too.",
	                         .clock = true});
}

enum err master_resume(struct master_request *m)
{
	if (m->match->game.status != GAME_PAUSED)
		return master_refuse(m, "pause", "The game is not paused. To pause it, send:");
	TRY(game_go_on(m->req->srv, m->match));
	TRY(master_log(m, 0, "let the game go on"));
	request_verdict(m->req, "master", "%s goes on", m->match->id);
	return tell_table(
	    m->req, m->match, m->seat,
	    &(struct table_news){.subject = "the game goes on",
	                         .done = "The game goes on, and everybody has been told.",
	                         .heard = "The pause is over: the master lets the game "
	                                  "go on.",
	                         .clock = true});
}

/* ---- deadlines ---- */

static int64_t to_the_minute(int64_t t)
{
	return t % MINUTE_S == 0 ? t : t + MINUTE_S - t % MINUTE_S;
}

static int64_t moment_meant(struct master_request *m)
{
	const struct when *w = &m->item->when;

	if (w->how == WHEN_AT)
		return zone_moment(zone_of_reader(m->req->srv, &m->req->who.player), w->s);
	if (w->how == WHEN_MORE && m->match->turn.deadline_utc > 0)
		return to_the_minute(m->match->turn.deadline_utc + w->s);
	return to_the_minute(m->req->sure_utc + w->s);
}

/* "set deadline 2026-12-24 20:00", by the master's clock. */
static const char *deadline_line(struct master_request *m, int64_t t)
{
	enum { DAY_LEN = 10, HOUR_AT = 11, HOUR_END = 16 };
	const struct zone *zone = zone_of_reader(m->req->srv, &m->req->who.player);
	struct strbuf iso = STRBUF_INIT;

	utc_format_iso(&iso, zone ? t + zone_offset_s(zone, t) : t);
	const char *line =
	    arena_printf(m->req->arena, "set deadline %.*s %.*s",
	                 SPAN_ARGS(span_slice(strbuf_span(&iso), 0, DAY_LEN)),
	                 SPAN_ARGS(span_slice(strbuf_span(&iso), HOUR_AT, HOUR_END)));
	strbuf_release(&iso);
	return line;
}

/* Digests that were to come in time for the deadline there was. */
static enum err hurry_digests(struct master_request *m)
{
	const struct match *match = m->match;
	struct player p;

	for (size_t i = 0; i < match->nseats; i++) {
		const struct seat *s = &match->seats[i];

		if (s->player == 0 ||
		    !seat_in((struct seat_set){match->turn.owes & ~match->turn.have}, s->seat))
			continue;
		TRY(player_get(m->req->srv->store, s->player, m->req->arena, &p));
		TRY(digest_policy_hurry(m->req->srv, &p, match->turn.deadline_utc));
	}
	return ERR_NONE;
}

/* More time is the master's to give; less is not, for who plays. */
static enum err earlier_with_others(struct master_request *m, int64_t t, bool *go)
{
	struct strbuf effect = STRBUF_INIT;

	*go = t >= m->match->turn.deadline_utc;
	if (*go)
		return ERR_NONE;
	strbuf_addf(&effect, "That moves the deadline of %.*s to an earlier time: ",
	            SPAN_ARGS(m->match->turn.label));
	if (m->item->unrated) /* only the master reads it */
		zone_format_human(&effect, zone_of_reader(m->req->srv, &m->req->who.player), t);
	else
		strbuf_adds(&effect, "{when}");
	strbuf_addc(&effect, '.');
	enum err rc = master_with_others(
	    m,
	    &(struct decision){.line = deadline_line(m, t), .effect = effect.ptr, .at_utc = t},
	    go);
	strbuf_release(&effect);
	return rc;
}

/* They have said that they are away then: the master is to know, and to want it all the same. */
static enum err although_away(struct master_request *m, int64_t t, bool *go)
{
	struct strbuf effect = STRBUF_INIT;
	struct seat_set away;

	TRY(match_clock_away(m->req->srv, m->match, t, &away));
	*go = m->agreed || seat_count(away) == 0;
	if (*go)
		return ERR_NONE;
	strbuf_addf(&effect,
	            seat_count(away) == 1
	                ? "%s will be away then, and has said so. The deadline "
	                  "would be "
	                : "%s will be away then, and have said so. The deadline "
	                  "would be ",
	            match_names_in(m->match, away));
	zone_format_human(&effect, zone_of_reader(m->req->srv, &m->req->who.player), t);
	strbuf_adds(&effect, ", and it is not put off for absences any more.");
	enum err rc = master_sure(m, deadline_line(m, t), effect.ptr, go);
	strbuf_release(&effect);
	return rc;
}

enum err master_set_deadline(struct master_request *m)
{
	struct request *req = m->req;
	struct match *match = m->match;
	int64_t t = m->agreed ? m->agreed->at_utc : moment_meant(m);
	struct strbuf when = STRBUF_INIT;
	bool go;

	if (m->agreed && t < req->srv->now_utc + HOUR_S)
		t = to_the_minute(req->srv->now_utc + HOUR_S);
	if (match->game.status == GAME_PAUSED)
		return master_refuse(m, "resume",
		                     "The game is paused, so its deadline stands still and was "
		                     "not moved. First let the game go on:");
	if (match_came_after(match, req->sure_utc, match->turn.deadline_utc))
		return master_refuse(
		    m, "pause",
		    "The deadline of %.*s has passed, so it was not moved: orders that came in "
		    "time are fixed, and nobody may change them again. Late players may still "
		    "send orders while the grace lasts. To stop the clock of the grace write:",
		    SPAN_ARGS(match->turn.label));
	if (t < req->srv->now_utc + HOUR_S)
		return master_refuse(
		    m, "set deadline 1D",
		    "That deadline is past or less than an hour away, too soon "
		    "for everybody to hear of it. It was not moved. A time that "
		    "works is, for example:");
	if (t > req->srv->now_utc + YEAR_S)
		return master_refuse(
		    m, "set deadline 7D",
		    "That deadline is more than a year away. It was not moved. A "
		    "time that works is, for example:");
	TRY(although_away(m, t, &go));
	if (go)
		TRY(earlier_with_others(m, t, &go));
	if (!go)
		return ERR_NONE;
	match->turn.grace_utc += match->turn.grace_utc > 0 ? t - match->turn.deadline_utc : 0;
	match->turn.deadline_utc = t;
	TRY(turn_set_deadline(req->srv->store, match->game.id, match->turn.serial, t));
	TRY(match_clock_was_told(req->srv, match));
	TRY(hurry_digests(m));
	utc_format_human(&when, t);
	enum err rc = master_log(m, 0, "moved the deadline to %s", when.ptr);
	request_verdict(req, "master", "%s: deadline %s", match->id, when.ptr);
	strbuf_release(&when);
	TRY(rc);
	return tell_table(
	    req, match, m->seat,
	    &(struct table_news){.subject = "another deadline",
	                         .done = "The deadline has been moved, and everybody has "
	                                 "been told.",
	                         .heard = "The master has moved the deadline of this "
	                                  "turn.",
	                         .clock = true});
}

/* ---- grace ---- */

/* Of the turn that is open too, unless its end has come already. */
static enum err grace_of_turn(struct master_request *m, int64_t grace_s, bool *later)
{
	struct turn *t = &m->match->turn;

	*later = false;
	if (!m->match->has_turn || t->state != TURN_OPEN || t->deadline_utc == 0 ||
	    match_came_after(m->match, m->req->sure_utc, t->deadline_utc))
		return ERR_NONE;
	int64_t ends_utc = grace_s > 0 ? t->deadline_utc + grace_s : 0;
	/* Who plays does not take it from the others in mid-turn. */
	*later = ends_utc < t->grace_utc && m->match->game.master_asks && m->seat &&
	         !m->seat->resigned;
	if (*later)
		return ERR_NONE;
	t->grace_utc = ends_utc;
	TRY(turn_set_grace(m->req->srv->store, t->game, t->serial, t->grace_utc));
	return match_clock_was_told(m->req->srv, m->match);
}

static bool change_grace(struct master_request *m, struct calendar *c, struct strbuf *why)
{
	struct strbuf words = STRBUF_INIT;
	struct game *g = &m->match->game;

	calendar_init(c);
	bool ok = calendar_parse(c, g->calendar, m->req->arena, why) &&
	          calendar_set(c, SPAN_LIT("grace"), m->item->name, m->req->arena, why);
	if (ok) {
		calendar_format(c, &words);
		g->calendar = arena_dup(m->req->arena, strbuf_span(&words));
	}
	strbuf_release(&words);
	return ok;
}

enum err master_set_grace(struct master_request *m)
{
	struct request *req = m->req;
	struct calendar c;
	bool later;
	struct strbuf text = STRBUF_INIT;

	if (!change_grace(m, &c, &text))
		return master_refuse(m, "set grace 6H", "%s The grace is as it was.",
		                     arena_take(req->arena, &text).ptr);
	m->match->calendar.grace_s = c.grace_s;
	TRY(game_update(req->srv->store, &m->match->game));
	TRY(grace_of_turn(m, c.grace_s, &later));
	if (c.grace_s > 0)
		interval_words(&text, c.grace_s);
	const char *length = c.grace_s > 0 ? arena_take(req->arena, &text).ptr : "none";
	TRY(master_log(m, 0, "set the grace to %s", length));
	request_verdict(req, "master", "%s: grace %s", m->match->id, length);
	return tell_table(
	    req, m->match, m->seat,
	    &(struct table_news){
		.subject = "more time for late orders",
		.done =
		    c.grace_s > 0
			? arena_printf(req->arena,
	                               "%s, whoever misses a deadline of this game may still "
	                               "send orders for %s. Everybody has been told.",
	                               later ? "From the next turn on" : "From now on", length)
			: arena_printf(req->arena,
	                               "%s, orders that come after a deadline of this game do "
	                               "not count. Everybody has been told.",
	                               later ? "From the next turn on" : "From now on"),
		.heard =
		    c.grace_s > 0
			? arena_printf(req->arena,
	                               later
	                                   ? "The master has set the grace of this game, from "
	                                     "the next turn on: whoever misses a deadline "
	                                     "may still send orders for %s, while those "
	                                     "of the others are fixed."
	                                   : "The master has set the grace of this game: "
	                                     "whoever misses a deadline may still send "
	                                     "orders for %s, while those of the others "
	                                     "are fixed.",
	                               length)
		    : later
			? "The master has taken the grace away, from the next turn on: orders "
			  "that come after a deadline do not count then."
			: "The master has taken the grace away: orders that come after a "
			  "deadline do not count.",
		.clock = m->match->has_turn && m->match->turn.serial > 0});
}

/* ---- the beginning ---- */

enum err master_set_start(struct master_request *m)
{
	struct request *req = m->req;
	struct match *match = m->match;
	int64_t t = moment_meant(m);
	struct strbuf when = STRBUF_INIT;

	if (match->game.status != GAME_GATHERING)
		return master_refuse(m, "status",
		                     "The game has begun already, so nothing was done. To see "
		                     "how it stands, send:");
	if (t <= req->srv->now_utc || t > req->srv->now_utc + YEAR_S)
		return master_refuse(m, "set start 2D",
		                     "The start must be in the future, within a year. Nothing "
		                     "was done. A time that works is, for example:");
	match->game.start_utc = t;
	TRY(game_update(req->srv->store, &match->game));
	utc_format_human(&when, t);
	enum err rc = master_log(m, 0, "set the beginning to %s", when.ptr);
	request_verdict(req, "master", "%s: begins %s", match->id, when.ptr);
	strbuf_release(&when);
	TRY(rc);
	return tell_table(
	    req, match, m->seat,
	    &(struct table_news){
		.subject = "when the game begins",
		.done = "The game begins on {when}, or when its seats are taken, whichever is "
			"later. Everyone who has joined has been told. FORCE BEGIN begins it "
			"at once.",
		.heard =
		    "The master has set when the game begins: on {when}, or when its seats "
		    "are taken, whichever is later.",
		.at_utc = t});
}

/* ---- ending a turn ---- */

/* The master's or co-master's whose word it is, also where the others have agreed; 0: they do not play. */
static unsigned seat_that_wants_it(const struct master_request *m)
{
	const struct seat *seat = m->agreed ? master_seat(m->match) : m->seat;

	return m->agreed && m->agreed->proposer != 0 ? m->agreed->proposer
	       : seat                                ? seat->seat
	                                             : 0;
}

enum err master_process(struct master_request *m)
{
	struct request *req = m->req;
	struct match *match = m->match;
	int64_t *line;
	size_t n;
	bool go;
	bool names_turn = req->about.has_serial && req->about.serial != 0 &&
	                  req->about.game == match->game.id;

	TRY(lineage_load(req->srv, match, &line, &n));
	/* The number guards against a PROCESS that comes twice, or after the turn it was meant for. */
	unsigned open = (unsigned)n - 1, asked = m->item->number;
	if (asked != open)
		return master_refuse(
		    m, arena_printf(req->arena, "process %u", open),
		    asked < open
			? "Turn number %u has been resolved, so nothing was done. The open "
			  "turn, %.*s, has number %u; to end that one write:"
			: "There is no turn number %u yet, so nothing was done. The open turn, "
			  "%.*s, has number %u; to end it write:",
		    asked, SPAN_ARGS(match->turn.label), open);
	if ((names_turn && req->about.serial != match->turn.serial) ||
	    req->arrived_utc < match->turn.opened_utc)
		return master_refuse(
		    m, "",
		    "Your mail answers a turn that is over, so nothing was done. "
		    "Please answer the newest report of the game.");
	if (match->game.status == GAME_PAUSED)
		return master_refuse(
		    m, "resume", "The game is paused, so no turn ends. First let it go on:");
	if (match->turn.deadline_utc != 0 && match->turn.deadline_utc <= req->sure_utc &&
	    match->turn.grace_utc <= req->sure_utc)
		return master_refuse(
		    m, "",
		    "Turn number %u is being ended already; its report follows. "
		    "Nothing more was done.",
		    m->item->number);
	TRY(master_with_others(
	    m,
	    &(struct decision){
		.line = arena_printf(req->arena, "process %u", m->item->number),
		.effect = arena_printf(req->arena,
	                               "That ends %.*s without waiting any longer, with the "
	                               "orders that are there and the default for who has sent "
	                               "none.",
	                               SPAN_ARGS(match->turn.label))},
	    &go));
	if (!go)
		return ERR_NONE;
	TRY(turn_end_at(req->srv->store, match->game.id, match->turn.serial, req->sure_utc));
	TRY(master_log(m, 0, "ended %.*s without waiting any longer",
	               SPAN_ARGS(match->turn.label)));
	if (match->turn.deadline_utc == 0 || req->sure_utc < match->turn.deadline_utc)
		TRY(missed_turns_excuse_all(req->srv, match, seat_that_wants_it(m)));
	request_verdict(req, "master", "%s: turn %u is ended", match->id, match->turn.serial);
	return tell_table(
	    req, match, m->seat,
	    &(struct table_news){
		.subject = "the turn ends",
		.done = "The turn ends now: with the next run of the server it is "
			"resolved with the orders that are there, and with the default "
			"for whoever has sent none. The report follows."});
}

/* ---- a word to all ---- */

/* As it was written, full stop and all; a bullet before it is not. */
static struct span words_said(const struct command *item)
{
	static const char word[] = "official";
	struct span text = item->text;

	if (!span_starts_nocase(text, word))
		return item->name;
	text = span_trim(span_slice(text, sizeof(word) - 1, text.len));
	if (text.len > 0 && text.ptr[0] == ':')
		text = span_trim(span_slice(text, 1, text.len));
	return text;
}

enum err master_official(struct master_request *m)
{
	struct strbuf text = STRBUF_INIT;

	utf8_add_plain(&text, words_said(m->item));
	const char *said = arena_take(m->req->arena, &text).ptr;
	TRY(master_log(m, 0, "\"%s\"", said));
	request_verdict(m->req, "master", "%s: an official word", m->match->id);
	return tell_table(
	    m->req, m->match, m->seat,
	    &(struct table_news){
		.subject = "a message from the game master",
		.done = "Your message goes to every player. It is also in the next report and "
			"in the "
			"record.",
		.heard = arena_printf(m->req->arena, "The game master says: \"%s\"", said),
	    });
}
