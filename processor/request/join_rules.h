/*
 * join_rules.h - who is let into a game that has a free seat: what its creator asks for, and seats that
 * are kept for those who have played together before.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_JOIN_RULES_H
#define MOLEPOST_PROCESSOR_REQUEST_JOIN_RULES_H

#include "processor/request/request.h"
#include "store/invites.h"
#include "store/ratings.h"

/*
 * Why the speaker is not let in, a sentence for them that ends before "list"; NULL when nothing
 * speaks against it. Who was asked into a game that is played again always is.
 */
enum err join_rules_objection(struct request *req, const struct match *match,
                              const char **why) MUST_CHECK;
/* The same for a game under way: only how reliable they must be, and that it takes the operator. */
enum err join_rules_objection_to_seat(struct request *req, const struct match *match,
                                      const char **why) MUST_CHECK;
/* The game that JOIN and a kind leads this speaker to; ERR_NOT_FOUND. */
enum err join_rules_open_game(struct request *req, const struct rules *kind,
                              struct game *out) MUST_CHECK;
enum err join_rules_open_game_for(struct server *srv, const struct rules *kind,
                                  const struct player *player, struct arena *arena,
                                  struct game *out) MUST_CHECK;
/* Why no game can be made with these terms here, a sentence; NULL when it can. */
const char *join_rules_terms_refused(const struct server *srv, const struct entry_terms *terms);
/* Until when its seats are kept for those who were asked; 0 = they are not, or no longer. */
enum err join_rules_kept_until(struct server *srv, int64_t game, int64_t *until_utc) MUST_CHECK;
/* "whakka mole", as examples write it. */
const char *join_rules_kind_words(const struct rules *kind, struct arena *arena);
/*
 * What LIST and welcome show among the options, where it is not as usual here: " reliability=85
 * operator=none".
 */
enum err join_rules_add_options(struct server *srv, const struct game *game,
                                struct strbuf *out) MUST_CHECK;

/* How long a seat waits for its confirmation. */
enum { SEAT_HELD_S = 48 * 3600 };

/*
 * The mail in hand as the answer to an invitation (commands/invite.c), and whether its
 * sender may come in.
 */

/*
 * *row and *invite, if the mail in hand answers an invitation, or what we have answered to an answer,
 * from the address it went to.
 */
enum err invited_answers(struct request *req, struct outbox_mail *row, struct invite *invite,
                         bool *is) MUST_CHECK;
/*
 * Whoever answers an invitation from where it went has shown whose address that is: the player, made
 * known if need be, is confirmed. `game`: that they are about to join.
 */
enum err invited_confirm(struct request *req, int64_t game) MUST_CHECK;
/* Whether this sender's address was invited into the game, so that no key is needed. */
enum err invited_into(struct request *req, int64_t game, bool *yes) MUST_CHECK;
/* What the master of the game has said of the speaker, whichever of their addresses was meant. */
enum err invited_entry(struct request *req, int64_t game, enum entry *entry) MUST_CHECK;
/* What who is ENTRY_DENIED is told, a sentence that ends before "list". */
const char *invited_kept_out(struct request *req, const char *game_id);
/* If the speaker has a seat in the game now: who invited them, if anybody has, is told. */
enum err invited_has_joined(struct request *req, int64_t game) MUST_CHECK;

#endif
