/*
 * seats.h - how people get into games and out of those that have not begun.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_SEATS_H
#define MOLEPOST_PROCESSOR_REQUEST_SEATS_H

#include "processor/request/request.h"
#include "processor/turns/start.h"

/* ---- names ---- */

/*
 * A name for this person at this table (NULL: at none): the one asked for, or one made from the
 * mail's From. In the arena; false with a sentence in `why` when the one asked for will not do: `name` is one
 * that would then, where it is too much like another, else empty.
 */
bool seats_name(const struct request *req, const struct match *match, struct span asked,
                struct span *name, struct strbuf *why);
/* `base`, or with a number behind it if others have that there; in `arena`. False: it is no name. */
bool seats_free_name(const struct match *match, int64_t player, struct span base,
                     struct arena *arena, struct span *name);
/* Whether a seat that the speaker takes now waits for their yes to the mail that welcomes them. */
bool seats_wait_for_yes(const struct request *req);
/*
 * First mail of a person: a row for them, so that they can have a seat, or watch. `name`: if they have
 * none yet.
 */
enum err seats_register(struct request *req, struct span name) MUST_CHECK;
/* The same under a name made from the mail. */
enum err seats_make_known(struct request *req) MUST_CHECK;

/* ---- seats ---- */

/*
 * The lowest free seat: one left vacant, one whose holder never confirmed, or the next; 0 =
 * full.
 */
unsigned seats_free_seat(const struct server *srv, const struct match *match);
/* Whether this one is such; one above those in hand is, as far as the game has it. */
bool seats_seat_is_free(const struct server *srv, const struct match *match, unsigned seat);
/*
 * Gives a free seat, or the next one, to somebody, who stops watching the game. salt: for the
 * chance of the set-up, "" = none; contribution: of the mail to it (proof.h), zero = nothing; of who has joined
 * it before, their first ones count. The match keeps what it was loaded with.
 */
enum err seats_take_seat(struct server *srv, const struct match *match, unsigned seat,
                         const struct player *p, struct span name, struct span salt,
                         const struct hash *contribution) MUST_CHECK;
/* Those below it that are not there yet stand open: for a seat that is chosen. The match keeps what it had. */
enum err seats_open_below(struct server *srv, const struct match *match,
                          unsigned seat) MUST_CHECK;
/* The answer why nobody has joined; `example`: what to write instead. */
enum err seats_refuse(struct request *req, const char *example, const char *why) MUST_CHECK;
/* The speaker, who is known, has shown that the address is theirs. */
enum err seats_confirm_player(struct request *req) MUST_CHECK;
/* Any answer to a mail of ours proves that its address works (unless it says NO): confirms
   player and seat, and may start the game. */
enum err seats_confirm_by_reply(struct request *req) MUST_CHECK;
/* RESIGN from a game that is still gathering; *gone when that is what it was. */
enum err seats_leave(struct request *req, const struct command *item, bool *gone) MUST_CHECK;
/*
 * A game that has not begun and in which no person is left ends here, unless its master has a
 * mind to wait: they are not the one who has left.
 */
enum err seats_cancel_if_empty(struct server *srv, struct match *match,
                               int64_t leaver) MUST_CHECK;

/* ---- where another has sat: TAKEOVER, and the master's BECOME ---- */

/*
 * Whether the speaker cannot have the seat before the turn ends: the deadline has passed, so the orders
 * that somebody else has given there count, and are nobody's to see or to change. What was asked before
 * it and answered with YES behind it comes behind it.
 */
bool seat_is_fixed(const struct request *req, const struct match *match,
                   const struct seat *seat);
/*
 * The speaker, who is another person or has lost it, plays a vacant seat from now on: what was missed
 * does not count against them, and what was written to another, or by them, is not theirs to read. Nor are
 * orders of another for the open turn: they are withdrawn (*withdrawn), for to let them stand they would
 * have to be told what they are. Those of the server stand. In the store but for the row of the seat,
 * which the caller writes.
 */
enum err seat_fill(struct request *req, struct match *match, struct seat *seat,
                   bool *withdrawn) MUST_CHECK;

/* ---- commands, for other commands that come to the same ---- */

/*
 * CREATE for the speaker, who gets seat 1 under this name: the game, or an answer why there is
 * none. *made: its number, 0 without. note: a paragraph of the welcome or NULL. In create.c.
 */
enum err seats_create(struct request *req, struct new_game *n, struct span name,
                      const char *note, int64_t *made) MUST_CHECK;
/*
 * JOIN of a kind of which no game is open: a public one with the usual number of seats is made
 * for the speaker. In create.c.
 */
enum err seats_create_usual(struct request *req, const struct command *item) MUST_CHECK;
/* JOIN this very game, under the name and with the key of the item. In join.c. */
enum err seats_join(struct request *req, const struct command *item, int64_t game) MUST_CHECK;

/*
 * Whether a stranger (request.h) may take one more seat, or make one more game: they hold at most two
 * that wait for their yes, and none that they could not be told of. Who may not has been told, once.
 */
enum err seats_stranger_may_sit(struct request *req, bool *may) MUST_CHECK;

#endif
