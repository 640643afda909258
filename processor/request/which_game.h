/*
 * which_game.h - the game a line of a mail is about: named in it, answered, or the only one.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_WHICH_GAME_H
#define MOLEPOST_PROCESSOR_REQUEST_WHICH_GAME_H

#include "processor/request/request.h"

/*
 * The game an item is about: named in the line, else the one answered, else the only running game
 * the speaker sits in, else the only one they observe. *found false when there is none or several:
 * the speaker has been told. *match as request_match gives it, with the speaker's seat, NULL if none.
 */
enum err request_game(struct request *req, const struct command *item, struct match **match,
                      struct seat **seat, bool *found) MUST_CHECK;
/* The seat of the speaker, answered or theirs by name; NULL: none. */
struct seat *request_own_seat(const struct request *req, struct match *match);
/* Whether the letter written before a game's number is that game's: "P3" is not W3. */
bool fits_letter(const struct command *item, const struct game *game);
/*
 * That game, loaded to be read when it is first asked for; req->match, which later steps look at.
 * It stays until a command has been carried out, which may have changed it (dispatch.c), or until
 * another game is asked for.
 */
enum err request_match(struct request *req, int64_t game, struct match **out) MUST_CHECK;
void request_forget_match(struct request *req);
/* request_game, then `act` if it was found. */
enum err request_with_game(struct request *req, const struct command *item,
                           game_command_fn *act) MUST_CHECK;
/* The game of the mail that is answered, where the speaker observes that game; else 0. */
enum err request_observed_answered(struct request *req, int64_t *game) MUST_CHECK;
/* The only game the speaker observes; else 0. */
enum err request_observed_only(struct request *req, int64_t *game) MUST_CHECK;

#endif
