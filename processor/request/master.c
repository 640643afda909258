/*
 * master.c - who is the master of a game, and what all of his commands have in common.
 */
#include "processor/request/master.h"

#include "processor/base/utf8.h"
#include "processor/outgoing/confirmation.h"
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

/* The game that has not ended of which the player is master; 0: there is none, or several. */
static enum err own_game(struct dealing *d, int64_t *game)
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

/* The game named, else the one answered, else the only one the speaker is master of. */
static enum err game_meant(struct dealing *d, const struct letter_item *item, int64_t *game)
{
	*game = item->game ? item->game : d->game;
	return *game != 0 ? ERR_NONE : own_game(d, game);
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

/* ---- from a line to a command ---- */

enum needs {
	NEEDS_TURN = 1,    /* the game has begun and its turn is open */
	NEEDS_WRITING = 2, /* everybody hears of it: not too often */
	NEEDS_SEAT = 4,    /* it names one */
	NEEDS_TIME = 8     /* the end of the open turn has not come */
};

static const struct command {
	enum letter_verb verb;
	unsigned needs;
	enum err (*act)(struct mastering *m);
} commands[] = {
    {CMD_SET_DEADLINE, NEEDS_TURN | NEEDS_TIME | NEEDS_WRITING, master_set_deadline},
    {CMD_SET_GRACE, NEEDS_WRITING, master_set_grace},
    {CMD_SET_START, NEEDS_WRITING, master_set_start},
    {CMD_PAUSE, NEEDS_TURN | NEEDS_TIME | NEEDS_WRITING, master_pause},
    {CMD_RESUME, NEEDS_TURN | NEEDS_WRITING, master_resume},
    {CMD_PROCESS, NEEDS_TURN, master_process},
    {CMD_ROLLBACK, NEEDS_TURN | NEEDS_TIME, master_rollback},
    {CMD_EJECT, NEEDS_SEAT, master_eject},
    {CMD_PROMOTE, NEEDS_WRITING | NEEDS_SEAT, master_promote},
    {CMD_BECOME, NEEDS_TURN | NEEDS_TIME | NEEDS_WRITING | NEEDS_SEAT, master_become},
    {CMD_TERMINATE, NEEDS_TIME, master_terminate},
    {CMD_FORCE_BEGIN, NEEDS_WRITING, master_force_begin},
    {CMD_OFFICIAL, NEEDS_WRITING, master_official},
};
enum { NCOMMANDS = sizeof(commands) / sizeof(commands[0]) };

static const struct command *command_of(enum letter_verb verb)
{
	for (size_t i = 0; i < NCOMMANDS; i++)
		if (commands[i].verb == verb)
			return &commands[i];
	return NULL;
}

bool master_commands(enum letter_verb verb)
{
	return command_of(verb) != NULL;
}

enum err master_is_meant(struct dealing *d, const struct letter_item *item, int64_t about,
                         bool *yes)
{
	struct game g;

	*yes = false;
	if (d->player.id == 0 || !command_of(item->verb))
		return ERR_NONE;
	if (about == 0)
		TRY(own_game(d, &about));
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

static const char being_ended[] =
    "The turn is being ended already; its report follows. Nothing was done: please write again "
    "when you have it.";

/* Why the game is not one this can be done to now; NULL: it is. *example: the line it leads to. */
static const char *not_now(const struct mastering *m, const struct command *c,
                           const char **example)
{
	const struct hand *h = &m->hand;

	*example = "";
	if (h->game.ended_utc != 0) {
		*example = "list";
		return "The game has ended, so nothing was done. Open games are shown by:";
	}
	if (h->game.held && c->verb != CMD_OFFICIAL && c->verb != CMD_PROMOTE)
		return "The operator of the server holds this game, so nothing was done. "
		       "Please write "
		       "again when it goes on.";
	if ((c->needs & NEEDS_TIME) != 0 && turn_has_ended(h, m->d->sure_utc))
		return being_ended;
	if ((c->needs & NEEDS_TURN) == 0)
		return NULL;
	if (h->game.status == GAME_GATHERING) {
		*example = "force begin";
		return "The game has not begun, so nothing was done. With those who are there "
		       "it is begun by:";
	}
	if (h->turn.state != TURN_OPEN || h->turn.serial == 0)
		return being_ended;
	return NULL;
}

static enum err obey(struct mastering *m)
{
	const struct command *c = command_of(m->item->verb);
	const char *example, *why = not_now(m, c, &example);
	bool yes = true;

	if (why)
		return master_refuse(m, example, "%s", why);
	if ((c->needs & NEEDS_WRITING) != 0)
		TRY(master_may_write(m, &yes));
	if (yes && (c->needs & NEEDS_SEAT) != 0) {
		TRY(seat_named(m->d, &m->hand, m->seat, m->item, &m->named));
		yes = m->named != NULL;
	}
	return yes ? c->act(m) : ERR_NONE;
}

static enum err not_the_master(struct mastering *m)
{
	const struct hand *h = &m->hand;
	const char *who = master_words(h);
	bool may_vote = m->seat && h->game.status == GAME_RUNNING;
	const char *example = may_vote ? "vote pause" : "";

	if (!who)
		return master_refuse(
		    m, example,
		    "%s has no master, so nobody but the operator of this server can do that. "
		    "What all players together can do is told by \"HELP VOTES\".",
		    h->id);
	return master_refuse(
	    m, example,
	    "Only the master of %s can do that: %s. Nothing was done. What the players can do "
	    "together is told by \"HELP VOTES\".",
	    h->id, who);
}

static struct seat *seat_of_speaker(struct mastering *m)
{
	struct hand *h = &m->hand;
	struct dealing *d = m->d;

	if (h->game.id == d->game && d->seat != 0 && hand_seat(h, d->seat) &&
	    hand_seat(h, d->seat)->player == d->player.id)
		return hand_seat(h, d->seat);
	for (size_t i = 0; i < h->nseats; i++)
		if (h->seats[i].player != 0 && h->seats[i].player == d->player.id)
			return &h->seats[i];
	return NULL;
}

/* "Official results are in" is talk, unless the master says it. */
static bool may_be_talk(const struct letter_item *item)
{
	return item->verb == CMD_OFFICIAL && !span_starts_nocase(item->text, "official:");
}

static enum err in_game(struct mastering *m, int64_t game, bool *done)
{
	struct dealing *d = m->d;
	enum err rc = hand_load(d->srv, game, d->arena, &m->hand);

	*done = rc == ERR_NONE && letter_fits(m->item, &m->hand.game);
	if (rc != ERR_NONE || !*done)
		return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
	m->seat = seat_of_speaker(m);
	bool is_master = d->player.id != 0 && m->hand.game.master == d->player.id;
	if (!is_master && may_be_talk(m->item))
		return ERR_NONE;
	if (!is_master && m->hand.game.is_private && !m->seat) {
		*done = false;
		return ERR_NONE;
	}
	d->understood = true;
	d->row.game = game;
	d->row.seat = m->seat ? m->seat->seat : 0;
	d->row.serial = m->hand.has_turn ? m->hand.turn.serial : 0;
	return is_master ? obey(m) : not_the_master(m);
}

enum err do_master(struct dealing *d, const struct letter_item *item)
{
	struct mastering m = {.d = d, .item = item};
	bool found, done = false;
	int64_t game;

	TRY(game_meant(d, item, &game));
	if (game != 0) {
		enum err rc = in_game(&m, game, &done);
		hand_release(&m.hand);
		if (rc != ERR_NONE || done)
			return rc;
	}
	if (may_be_talk(item))
		return ERR_NONE;
	/* None, or several: the speaker is told, or it is the only one he plays in. */
	enum err rc = dealing_game(d, item, &m.hand, &m.seat, &found);
	if (rc == ERR_NONE && found)
		rc = not_the_master(&m);
	hand_release(&m.hand);
	return rc;
}
