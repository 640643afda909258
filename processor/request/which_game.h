/*
 * which_game.h - the game a line of a mail is about: named in it, answered, or the only one.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_WHICH_GAME_H
#define MOLEPOST_PROCESSOR_REQUEST_WHICH_GAME_H

#include "processor/request/request.h"

/*
 * The game an item is about: named in the line, else the one answered, else the only running
 * game the speaker sits in, else the only one he observes. *found false when there is none or several: the speaker has
 * been told. Loads it into *h (release it) with the speaker's seat, NULL if none.
 */
enum err request_game(struct request *req, const struct command *item, struct match *match,
                      struct seat **seat, bool *found) MUST_CHECK;
/* Whether the letter written before a game's number is that game's: "P3" is not W3. */
bool fits_letter(const struct command *item, const struct game *game);
/*
 * match_load, but a game that was only looked at before need not be loaded again: who has changed
 * nothing gives it back with request_keep_match instead of match_release, and the next who asks takes it. Every
 * command but orders begins with none kept (dispatch.c).
 */
enum err request_load_match(struct request *req, int64_t game, struct match *match) MUST_CHECK;
void request_keep_match(struct request *req, struct match *match);
void request_forget_match(struct request *req);
/* request_game, then `act` if it was found, then match_release. */
enum err request_with_game(struct request *req, const struct command *item,
                           enum err (*act)(struct request *req, const struct command *item,
                                           struct match *match, struct seat *seat)) MUST_CHECK;
/* The game of the mail that is answered, where the speaker observes that game; else 0. */
enum err request_observed_answered(struct request *req, int64_t *game) MUST_CHECK;
/* The only game the speaker observes; else 0. */
enum err request_observed_only(struct request *req, int64_t *game) MUST_CHECK;

#endif
