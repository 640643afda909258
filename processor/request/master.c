/*
 * master.c - who is the master of a game, and what all of his commands have in common.
 */
#include "processor/request/master.h"

#include "processor/base/utf8.h"
#include "processor/request/confirmation.h"
#include "processor/request/which_game.h"
#include "processor/turns/abort_turn.h"
#include "store/audit.h"

#include "processor/base/banned.h"

enum { DAY_S = 24 * 3600 };

/* ---- who ---- */

const struct seat *master_seat(const struct hand *h)
{
	for (size_t i = 0; i < h->nseats; i++)
		if (h->game.master != 0 && h->seats[i].player == h->game.master &&
		    !h->seats[i].resigned)
			return &h->seats[i];
	return NULL;
}

const char *master_words(const struct hand *h)
{
	const struct seat *s = master_seat(h);

	if (h->game.master == 0)
		return NULL;
	return s ? arena_printf(h->arena, "%s, who plays too", h->names.names[s->seat])
	         : "somebody who does not play";
}

enum err master_only_game(struct dealing *d, int64_t *game)
{
	struct game *games;
	size_t n;

	*game = 0;
	if (d->player.id == 0)
		return ERR_NONE;
	TRY(game_list_of_master(d->srv->store, d->player.id, d->arena, &games, &n));
	if (n == 1)
		*game = games[0].id;
	return ERR_NONE;
}

/* ---- what he says ---- */

enum err master_log(struct mastering *m, unsigned seat, const char *fmt, ...)
{
	struct strbuf what = STRBUF_INIT;
	const struct hand *h = &m->hand;
	const char *actor = "master of the game";
	va_list ap;

	if (m->seat && !m->seat->resigned)
		actor = arena_printf(m->d->arena, "master of the game, who plays as %s",
		                     h->names.names[m->seat->seat]);
	va_start(ap, fmt);
	strbuf_vaddf(&what, fmt, ap);
	va_end(ap);
	enum err rc = audit_add(m->d->srv->store, h->game.id, seat, actor, true,
	                        m->d->srv->now_utc, what.ptr);
	strbuf_release(&what);
	return rc;
}

enum err master_refuse(struct mastering *m, const char *example, const char *fmt, ...)
{
	struct strbuf why = STRBUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&why, fmt, ap);
	va_end(ap);
	dealing_verdict(m->d, "refused", "%.*s: %s", SPAN_ARGS(m->item->text), why.ptr);
	enum err rc =
	    dealing_notice(m->d, &m->hand, m->seat, "nothing was done", example, "%s", why.ptr);
	strbuf_release(&why);
	return rc;
}

/* ---- whom he means ---- */

enum err seat_named(struct dealing *d, struct hand *h, struct seat *own,
                    const struct letter_item *item, struct seat **seat)
{
	*seat = NULL;
	for (size_t i = 0; i < h->nseats; i++)
		if (item->seat == i + 1 ||
		    (item->seat == 0 && utf8_eq_folded(h->seats[i].name, item->name)))
			*seat = &h->seats[i];
	if (*seat)
		return ERR_NONE;
	dealing_verdict(d, "refused", "%.*s: no such seat", SPAN_ARGS(item->text));
	struct strbuf names = STRBUF_INIT;
	for (size_t i = 0; i < h->nseats; i++)
		strbuf_addf(&names, "%s%zu %s", i > 0 ? ", " : "", i + 1,
		            h->names.names[i + 1]);
	enum err rc = dealing_notice(
	    d, h, own, "nobody of that name", "",
	    "Your line \"%.*s\" names nobody at this table, so nothing was done. The seats "
	    "are: %s. Write the number of one of them, or the name.",
	    SPAN_ARGS(item->text), names.ptr);
	strbuf_release(&names);
	return rc;
}

/* ---- his commands ---- */

/* What each of his commands needs. */
static const struct {
	enum letter_verb verb;
	unsigned needs;
} commands[] = {
    {CMD_SET_DEADLINE, NEEDS_TURN | NEEDS_TIME | NEEDS_WRITING},
    {CMD_SET_GRACE, NEEDS_WRITING},
    {CMD_SET_START, NEEDS_WRITING},
    {CMD_PAUSE, NEEDS_TURN | NEEDS_TIME | NEEDS_WRITING},
    {CMD_RESUME, NEEDS_TURN | NEEDS_WRITING},
    {CMD_PROCESS, NEEDS_TURN},
    {CMD_ROLLBACK, NEEDS_TURN | NEEDS_TIME},
    {CMD_EJECT, NEEDS_SEAT},
    {CMD_PROMOTE, NEEDS_WRITING | NEEDS_SEAT},
    {CMD_BECOME, NEEDS_TURN | NEEDS_TIME | NEEDS_WRITING | NEEDS_SEAT},
    {CMD_TERMINATE, NEEDS_TIME},
    {CMD_FORCE_BEGIN, NEEDS_WRITING},
    {CMD_OFFICIAL, NEEDS_WRITING},
};

unsigned master_needs(enum letter_verb verb)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (commands[i].verb == verb)
			return commands[i].needs;
	return 0;
}

enum err master_is_meant(struct dealing *d, const struct letter_item *item, int64_t about,
                         bool *yes)
{
	struct game g;

	*yes = false;
	if (d->player.id == 0 || master_needs(item->verb) == 0)
		return ERR_NONE;
	if (about == 0)
		TRY(master_only_game(d, &about));
	if (about == 0)
		return ERR_NONE;
	enum err rc = game_get(d->srv->store, about, d->arena, &g);
	*yes = rc == ERR_NONE && g.master == d->player.id && g.ended_utc == 0;
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

static enum err ask(struct mastering *m, const struct question *q, const char *effect)
{
	struct dealing *d = m->d;
	struct letter_out out = LETTER_OUT_INIT;
	struct report_game game = brief_game(d->srv, &m->hand, m->seat, &d->player);

	report_notice(
	    &(struct report_notice){
		.game = &game,
		.subject = "do you really want this?",
		.paragraphs =
		    (const char *const[]){
			arena_printf(d->arena, "As master of %s you have written:", m->hand.id),
			effect,
			"Nothing has been done yet. If you answer this mail with YES it is "
			"done; with NO, or without an answer within two days, it is not. If "
			"the game has gone on to another turn by then, it is not done either. "
			"Answer this very mail, with the first of these lines or the second:"},
		.nparagraphs = 3,
		.orders = m->item->text,
		.examples = (const char *const[]){"yes", "no"},
		.nexamples = 2,
	    },
	    &out);
	enum err rc = question_post(d, &m->hand, m->seat, q, QUESTION_TO_PLAYER, &out);
	letter_out_release(&out);
	return rc;
}

static enum err keep_and_ask(struct mastering *m, const char *line, const char *effect)
{
	struct dealing *d = m->d;
	bool allowed;
	struct question q = {
	    .kind = QUESTION_MAIL,
	    .player = d->player.id,
	    .address = d->player.address,
	    .game = m->hand.game.id,
	    .serial = m->hand.has_turn ? m->hand.turn.serial : 0,
	    .names_turn = m->hand.has_turn,
	    .arrived_utc = d->arrived_utc,
	    .asked_utc = d->srv->now_utc,
	    .mail = d->inbox_id,
	    .text = span_of(arena_printf(d->arena, "\n%s %s\n", line, m->hand.id)),
	};

	TRY(question_allowed(d, QUESTION_ADDRESS, d->player.address, &allowed));
	if (!allowed)
		return master_refuse(
		    m, "",
		    "You have been asked for a yes often enough today. Nothing "
		    "was done; please try again tomorrow.");
	dealing_verdict(d, "held", "%s waits for the master's yes", line);
	TRY(question_drop_old(d->srv->store, d->srv->now_utc - 2 * QUESTION_OPEN_S));
	TRY(question_add(d->srv->store, &q));
	return ask(m, &q, effect);
}

enum err master_sure(struct mastering *m, const char *line, const char *effect, bool *go)
{
	struct dealing *d = m->d;

	*go = false;
	if (d->settled && d->has_serial && m->hand.has_turn && d->serial != m->hand.turn.serial)
		return master_refuse(m, "status",
		                     "You have said yes, but the game has gone on to another "
		                     "turn meanwhile, so nothing was done. How it stands is "
		                     "shown by:");
	*go = d->settled;
	if (*go)
		return ERR_NONE;
	if (d->asked)
		return master_refuse(
		    m, "",
		    "Your line \"%.*s\" needs a yes of yours, and so does one "
		    "above it, about which you have been asked. One at a time: "
		    "please send this one again in a mail of its own.",
		    SPAN_ARGS(m->item->text));
	d->asked = true;
	return keep_and_ask(m, line, effect);
}

enum err master_may_write(struct mastering *m, bool *yes)
{
	struct dealing *d = m->d;

	TRY(stranger_allow(d->srv->store, span_of(m->hand.id), "master news",
	                   d->srv->now_utc - DAY_S, MASTER_NEWS_A_DAY, d->srv->now_utc, yes));
	if (*yes)
		return ERR_NONE;
	return master_refuse(
	    m, "",
	    "Everybody at the table has had %d mails from you as master within "
	    "a day, so nothing was done. Please wait until tomorrow.",
	    MASTER_NEWS_A_DAY);
}
