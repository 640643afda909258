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
enum err dealing_game(struct dealing *d, const struct letter_item *item, struct hand *h,
                      struct seat **seat, bool *found) MUST_CHECK;
/* Whether the letter written before a game's number is that game's: "P3" is not W3. */
bool letter_fits(const struct letter_item *item, const struct game *game);
/*
 * hand_load, but a game that was only looked at before need not be loaded again: who has changed
 * nothing gives it back with dealing_keep instead of hand_release, and the next who asks takes it. Every
 * command but orders begins with none kept (dispatch.c).
 */
enum err dealing_hand(struct dealing *d, int64_t game, struct hand *h) MUST_CHECK;
void dealing_keep(struct dealing *d, struct hand *h);
void dealing_forget(struct dealing *d);
/* dealing_game, then `act` if it was found, then hand_release. */
enum err dealing_with_game(struct dealing *d, const struct letter_item *item,
                           enum err (*act)(struct dealing *d, const struct letter_item *item,
                                           struct hand *h, struct seat *seat)) MUST_CHECK;
/* The game of the mail that is answered, where the speaker observes that game; else 0. */
enum err dealing_observed_answered(struct dealing *d, int64_t *game) MUST_CHECK;
/* The only game the speaker observes; else 0. */
enum err dealing_observed_only(struct dealing *d, int64_t *game) MUST_CHECK;

#endif
