/*
 * start.h - a game is made, and begins.
 *
 * By mail (CREATE, JOIN of a kind, FORK, REMATCH), by the operator, and for a queue that is
 * long enough: whatever asks for a game fills a struct new_game. Rows are written in the open
 * transaction of the caller; the mails about them are theirs.
 */
#ifndef MOLEPOST_PROCESSOR_TURNS_START_H
#define MOLEPOST_PROCESSOR_TURNS_START_H

#include "processor/commandtext/command_text.h"
#include "processor/match/match.h"
#include "processor/match/setup.h"
#include "processor/server/server.h"
#include "store/players.h"
#include "store/press.h"

/*
 * The options asked for, and those that are the server's to set. False with a sentence for the
 * asker in `why`.
 */
bool game_options(struct server *srv, const struct rules *rules, struct span asked,
                  struct arena *arena, struct options *out, struct strbuf *why);
/* What may be said in it: as CREATE says, else as the server is configured. */
struct press_rules game_press(const struct server *srv, const struct create_arguments *asked);
/*
 * The clocks asked for, the server's where nothing is said. The zone is that of the words, else of
 * `creator` (may be NULL). False with a sentence in `why`.
 */
bool game_calendar(struct server *srv, const struct create_arguments *asked,
                   const struct player *creator, struct arena *arena, struct calendar *out,
                   struct strbuf *why);
/* Whether such a game can be made; if not, a sentence for the asker in `why`. */
bool game_can_be(const struct new_game *n, struct arena *arena, struct strbuf *why);
/*
 * Makes the game: the creator in seat 1, then the bots. *key (arena) is what JOIN needs, "" if
 * public. ERR_INVALID with a sentence for the asker in `why` when it cannot be made so.
 */
enum err game_create(struct server *srv, const struct new_game *n, struct arena *arena,
                     int64_t *game, const char **key, struct strbuf *why) MUST_CHECK;

/* So many bots on the seats from `first` on, under names nobody has there. */
enum err game_add_bots(struct server *srv, int64_t game, unsigned first, unsigned count,
                       unsigned level) MUST_CHECK;
/* Whether KEY opens this game; any word does for a public one. Constant time. */
bool game_key_fits(const struct server *srv, const struct game *g, struct span key);

/* RUNNING with the set-up turn SEALED, when every seat is taken and confirmed; else nothing. */
enum err game_start_if_full(struct server *srv, struct match *match) MUST_CHECK;
/*
 * Those whose masters have set a time that has come; each begins at the latest when it is full. And those in
 * which the time to say that one is there is over.
 */
enum err games_start_due(struct server *srv) MUST_CHECK;

#endif
