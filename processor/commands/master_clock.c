/*
 * master_clock.c - the commands of masters about the clock of a game: PAUSE, RESUME, SET DEADLINE, SET
 * GRACE, SET START, PROCESS; and their word to all, OFFICIAL.
 */
#include "processor/base/clock.h"
#include "processor/base/utf8.h"
#include "processor/commands/commands.h"
#include "processor/commands/master.h"
#include "processor/match/match_clock.h"
#include "processor/match/report_values.h"
#include "processor/request/master.h"
#include "processor/server/zones.h"
#include "processor/turns/missed_turns.h"
#include "processor/turns/outage.h"

#include "processor/base/banned.h"

enum { HOUR_S = 3600, MINUTE_S = 60, YEAR_S = 366 * 24 * HOUR_S };

/* ---- pause ---- */

enum err game_pause(struct server *srv, struct hand *h, int64_t arrived_utc)
{
	h->game.status = GAME_PAUSED;
	h->game.paused_utc = arrived_utc < srv->now_utc ? arrived_utc : srv->now_utc;
	return game_update(srv->store, &h->game);
}

/* Time was given back, and may now end in days somebody has said he is away. */
static enum err wait_for_the_absent(struct server *srv, struct hand *h)
{
	bool moved;

	if (!h->has_turn || h->turn.state != TURN_OPEN || h->turn.deadline_utc <= srv->now_utc)
		return ERR_NONE;
	return pace_put_off_open(srv, h, &moved);
}

enum err game_go_on(struct server *srv, struct hand *h)
{
	int64_t moved_utc;

	TRY(outage_give_back(srv, h, h->game.paused_utc, &moved_utc));
	h->game.status = GAME_RUNNING;
	h->game.paused_utc = 0;
	TRY(game_update(srv->store, &h->game));
	TRY(wait_for_the_absent(srv, h));
	return pace_was_told(srv, h);
}

enum err master_pause(struct mastering *m)
{
	if (m->hand.game.status == GAME_PAUSED)
		return master_refuse(m, "resume",
		                     "The game is paused already. It goes on with:");
	TRY(game_pause(m->d->srv, &m->hand, m->d->sure_utc));
	TRY(master_log(m, 0, "paused the game"));
	dealing_verdict(m->d, "master", "%s paused", m->hand.id);
	return news_tell(m->d, &m->hand, m->seat,
	                 &(struct news){.subject = "the game is paused",
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

enum err master_resume(struct mastering *m)
{
	if (m->hand.game.status != GAME_PAUSED)
		return master_refuse(m, "pause", "The game is not paused. It would be with:");
	TRY(game_go_on(m->d->srv, &m->hand));
	TRY(master_log(m, 0, "let the game go on"));
	dealing_verdict(m->d, "master", "%s goes on", m->hand.id);
	return news_tell(
	    m->d, &m->hand, m->seat,
	    &(struct news){.subject = "the game goes on",
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

static int64_t moment_meant(struct mastering *m)
{
	const struct letter_when *w = &m->item->when;

	if (w->how == WHEN_AT)
		return zone_moment(zone_of_reader(m->d->srv, &m->d->player), w->s);
	if (w->how == WHEN_MORE && m->hand.turn.deadline_utc > 0)
		return to_the_minute(m->hand.turn.deadline_utc + w->s);
	return to_the_minute(m->d->sure_utc + w->s);
}

/* Digests that were to come in time for the deadline there was. */
static enum err hurry_digests(struct mastering *m)
{
	const struct hand *h = &m->hand;
	struct player p;

	for (size_t i = 0; i < h->nseats; i++) {
		const struct seat *s = &h->seats[i];

		if (s->player == 0 ||
		    !seat_in((struct seat_set){h->turn.owes & ~h->turn.have}, s->seat))
			continue;
		TRY(player_get(m->d->srv->store, s->player, m->d->arena, &p));
		TRY(keeping_hurry(m->d->srv, &p, h->turn.deadline_utc));
	}
	return ERR_NONE;
}

enum err master_set_deadline(struct mastering *m)
{
	struct dealing *d = m->d;
	struct hand *h = &m->hand;
	int64_t t = moment_meant(m);
	struct strbuf when = STRBUF_INIT;

	if (h->game.status == GAME_PAUSED)
		return master_refuse(m, "resume",
		                     "The game is paused, so its deadline stands still and was "
		                     "not moved. First let the game go on:");
	if (hand_came_after(h, d->sure_utc, h->turn.deadline_utc))
		return master_refuse(
		    m, "pause",
		    "The deadline of %.*s has passed, so it was not moved: orders that came in "
		    "time are fixed, and nobody may change them again. Who is late may still "
		    "send orders while the grace lasts. To stop the clock of the grace write:",
		    SPAN_ARGS(h->turn.label));
	if (t < d->srv->now_utc + HOUR_S)
		return master_refuse(
		    m, "set deadline 1D",
		    "That deadline is past or less than an hour away, too soon "
		    "for everybody to hear of it. It was not moved. A time that "
		    "works is, for example:");
	if (t > d->srv->now_utc + YEAR_S)
		return master_refuse(
		    m, "set deadline 7D",
		    "That deadline is more than a year away. It was not moved. A "
		    "time that works is, for example:");
	h->turn.grace_utc += h->turn.grace_utc > 0 ? t - h->turn.deadline_utc : 0;
	h->turn.deadline_utc = t;
	TRY(turn_set_deadline(d->srv->store, h->game.id, h->turn.serial, t));
	TRY(pace_was_told(d->srv, h));
	TRY(hurry_digests(m));
	utc_format_human(&when, t);
	enum err rc = master_log(m, 0, "moved the deadline to %s", when.ptr);
	dealing_verdict(d, "master", "%s: deadline %s", h->id, when.ptr);
	strbuf_release(&when);
	TRY(rc);
	return news_tell(
	    d, h, m->seat,
	    &(struct news){.subject = "another deadline",
	                   .done = "The deadline has been moved, and everybody has "
	                           "been told.",
	                   .heard = "The master has moved the deadline of this "
	                            "turn.",
	                   .clock = true});
}

/* ---- grace ---- */

/* Of the turn that is open too, unless its end has come already. */
static enum err grace_of_turn(struct mastering *m, int64_t grace_s)
{
	struct turn *t = &m->hand.turn;

	if (!m->hand.has_turn || t->state != TURN_OPEN || t->deadline_utc == 0 ||
	    hand_came_after(&m->hand, m->d->sure_utc, t->deadline_utc))
		return ERR_NONE;
	t->grace_utc = grace_s > 0 ? t->deadline_utc + grace_s : 0;
	TRY(turn_set_grace(m->d->srv->store, t->game, t->serial, t->grace_utc));
	return pace_was_told(m->d->srv, &m->hand);
}

static bool change_grace(struct mastering *m, struct calendar *c, struct strbuf *why)
{
	struct strbuf words = STRBUF_INIT;
	struct game *g = &m->hand.game;

	calendar_init(c);
	bool ok = calendar_parse(c, g->calendar, m->d->arena, why) &&
	          calendar_set(c, SPAN_LIT("grace"), m->item->name, m->d->arena, why);
	if (ok) {
		calendar_format(c, &words);
		g->calendar = arena_dup(m->d->arena, strbuf_span(&words));
	}
	strbuf_release(&words);
	return ok;
}

enum err master_set_grace(struct mastering *m)
{
	struct dealing *d = m->d;
	struct calendar c;
	struct strbuf text = STRBUF_INIT;

	if (!change_grace(m, &c, &text)) {
		const char *why = arena_strdup(d->arena, text.ptr);
		strbuf_release(&text);
		return master_refuse(m, "set grace 6H", "%s The grace is as it was.", why);
	}
	m->hand.calendar.grace_s = c.grace_s;
	TRY(game_update(d->srv->store, &m->hand.game));
	TRY(grace_of_turn(m, c.grace_s));
	if (c.grace_s > 0)
		interval_words(&text, c.grace_s);
	const char *length = c.grace_s > 0 ? arena_strdup(d->arena, text.ptr) : "none";
	strbuf_release(&text);
	TRY(master_log(m, 0, "set the grace to %s", length));
	dealing_verdict(d, "master", "%s: grace %s", m->hand.id, length);
	return news_tell(
	    d, &m->hand, m->seat,
	    &(struct news){
		.subject = "the time for who is late",
		.done =
		    c.grace_s > 0
			? arena_printf(d->arena,
	                               "From now on, who misses a deadline of this game may "
	                               "still send orders for %s. Everybody has been told.",
	                               length)
			: "From now on, orders that come after a deadline of this game do "
			  "not count. Everybody has been told.",
		.heard = c.grace_s > 0
	                     ? arena_printf(d->arena,
	                                    "The master has set the grace of this game: who "
	                                    "misses a deadline may still send orders for %s, "
	                                    "while those of the others are fixed.",
	                                    length)
	                     : "The master has taken the grace away: orders that come after a "
	                       "deadline do not count.",
		.clock = m->hand.has_turn && m->hand.turn.serial > 0});
}

/* ---- the beginning ---- */

enum err master_set_start(struct mastering *m)
{
	struct dealing *d = m->d;
	struct hand *h = &m->hand;
	int64_t t = moment_meant(m);
	struct strbuf when = STRBUF_INIT;

	if (h->game.status != GAME_GATHERING)
		return master_refuse(m, "status",
		                     "The game has begun already, so nothing was done. How it "
		                     "stands is shown by:");
	if (t <= d->srv->now_utc || t > d->srv->now_utc + YEAR_S)
		return master_refuse(
		    m, "set start 2D",
		    "The beginning must lie ahead, and within a year. Nothing was "
		    "done. A time that works is, for example:");
	h->game.start_utc = t;
	TRY(game_update(d->srv->store, &h->game));
	utc_format_human(&when, t);
	enum err rc = master_log(m, 0, "set the beginning to %s", when.ptr);
	dealing_verdict(d, "master", "%s: begins %s", h->id, when.ptr);
	strbuf_release(&when);
	TRY(rc);
	return news_tell(
	    d, h, m->seat,
	    &(struct news){
		.subject = "when the game begins",
		.done = "The game begins on {when}, or when its seats are taken, whichever is "
			"later. Who has joined has been told. FORCE BEGIN begins it at once.",
		.heard =
		    "The master has set when the game begins: on {when}, or when its seats "
		    "are taken, whichever is later.",
		.at_utc = t});
}

/* ---- ending a turn ---- */

static enum err another_turn(struct mastering *m, unsigned open)
{
	unsigned asked = m->item->number;
	const char *example = arena_printf(m->d->arena, "process %u", open);

	if (asked < open)
		return master_refuse(
		    m, example,
		    "Turn number %u has been resolved, so nothing was done. The "
		    "open turn, %.*s, has number %u; to end that one write:",
		    asked, SPAN_ARGS(m->hand.turn.label), open);
	return master_refuse(
	    m, example,
	    "There is no turn number %u yet, so nothing was done. The open turn, "
	    "%.*s, has number %u; to end it write:",
	    asked, SPAN_ARGS(m->hand.turn.label), open);
}

/* The number guards against a PROCESS that comes twice, or after the turn it was meant for. */
enum err master_process(struct mastering *m)
{
	struct dealing *d = m->d;
	struct hand *h = &m->hand;
	unsigned *line;
	size_t n;
	bool names_turn = d->has_serial && d->serial != 0 && d->game == h->game.id;

	TRY(line_of_play(d->srv, h, &line, &n));
	if (m->item->number + 1 != n)
		return another_turn(m, (unsigned)n - 1);
	if ((names_turn && d->serial != h->turn.serial) || d->arrived_utc < h->turn.opened_utc)
		return master_refuse(
		    m, "",
		    "Your mail answers a turn that is over, so nothing was done. "
		    "Please answer the newest report of the game.");
	if (h->game.status == GAME_PAUSED)
		return master_refuse(
		    m, "resume", "The game is paused, so no turn ends. First let it go on:");
	if (h->turn.deadline_utc != 0 && h->turn.deadline_utc <= d->sure_utc &&
	    h->turn.grace_utc <= d->sure_utc)
		return master_refuse(
		    m, "",
		    "Turn number %u is being ended already; its report follows. "
		    "Nothing more was done.",
		    m->item->number);
	TRY(turn_end_at(d->srv->store, h->game.id, h->turn.serial, d->sure_utc));
	TRY(master_log(m, 0, "ended %.*s without waiting any longer",
	               SPAN_ARGS(h->turn.label)));
	if (h->turn.deadline_utc == 0 || d->sure_utc < h->turn.deadline_utc)
		TRY(absence_excuse_all(d->srv, h));
	dealing_verdict(d, "master", "%s: turn %u is ended", h->id, h->turn.serial);
	return news_tell(
	    d, h, m->seat,
	    &(struct news){.subject = "the turn ends",
	                   .done =
	                       "The turn ends now: with the next run of the server it is "
	                       "resolved with the orders that are there, and with the default "
	                       "for whoever has sent none. The report follows."});
}

/* ---- a word to all ---- */

/* As it was written, full stop and all; a bullet before it is not. */
static struct span words_said(const struct letter_item *item)
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

enum err master_official(struct mastering *m)
{
	struct strbuf text = STRBUF_INIT;

	utf8_add_plain(&text, words_said(m->item));
	const char *said = arena_strdup(m->d->arena, text.ptr);
	strbuf_release(&text);
	TRY(master_log(m, 0, "\"%s\"", said));
	dealing_verdict(m->d, "master", "%s: an official word", m->hand.id);
	return news_tell(
	    m->d, &m->hand, m->seat,
	    &(struct news){
		.subject = "a word of the master",
		.done = "Your word has gone to everybody at the table. It stands in the next "
			"report and in the record.",
		.heard = arena_printf(m->d->arena, "The master of the game says: \"%s\"", said),
	    });
}
