/*
 * report_values.h - the plain values of reports, taken from a game in hand.
 *
 * Everything lives in the match's arena. What is put in here is all that a
 * report can show; nothing of another seat's orders may enter.
 */
#ifndef MOLEPOST_PROCESSOR_MATCH_REPORT_VALUES_H
#define MOLEPOST_PROCESSOR_MATCH_REPORT_VALUES_H

#include "processor/match/match.h"
#include "reports/report.h"
#include "store/players.h"

/* How reports are laid out for somebody. */
static inline struct report_form report_form_of(const struct mail_form *f)
{
	return (struct report_form){
	    .cols = f->cols, .words = f->words_first, .proof_shown = f->proof_shown};
}
/* Whether this person watches the game. */
bool report_values_observes(const struct server *srv, const struct match *match,
                            const struct player *person);
/* `seat` may be NULL: for a reader without a seat; so may `reader`. */
struct report_game report_values_game(struct server *srv, const struct match *match,
                                      const struct seat *seat, const struct player *reader);
/* Whether the deadline has passed and what was stored for this seat has stepped in. */
bool report_values_stepped_in(const struct server *srv, const struct match *match,
                              const struct seat *seat);
/* Who is awaited in the open turn, read from turn.owes, have and waiting. */
struct report_clock report_values_clock(const struct server *srv, const struct match *match,
                                        const struct seat *seat);
/*
 * The commitments of an open turn as `viewer` may see them, one per seat that has sent orders.
 * Those of a seat that owes none are its own affair: they can only be its resignation.
 */
size_t report_values_commitments_so_far(const struct match *match, const struct order_set *set,
                                        unsigned viewer, struct report_commitment **out);
/* Those of a sealed one, defaults too; with `reveal` the orders and nonces as well. */
size_t report_values_commitments(const struct match *match, const struct order_set *set,
                                 bool reveal, struct report_commitment **out);
/* What each seat contributed to a sealed one, or to the set-up; none before version 3 of the record. */
size_t report_values_firsts(const struct match *match, const struct order_set *set,
                            struct report_first **out);
/* Canonical orders that count for this seat if nothing more comes. Needs match_position. */
struct span report_values_default(const struct match *match, unsigned seat);
/* What `seat` (SEAT_PUBLIC: everybody) may see of this position of the game, drawn for this form. */
const struct doc *report_values_view(const struct match *match, const struct game_state *state,
                                     unsigned seat, const struct mail_form *form);
/* Two example orders; an empty doc when the seat owes none. Needs match_position. */
const struct doc *report_values_examples(const struct match *match, unsigned seat);
/*
 * Names by seat, NULL where nobody sits; index = seat, game.nseats + 1 entries. `reader`: the seat of who
 * reads them, 0 = none; nobody else reads the name of a seat that is not confirmed yet.
 */
const char *const *report_values_names(const struct match *match, unsigned reader);
/* Who plays now, for the report of an end: "Dan (for Anna)" where Dan has taken over Anna's seat. */
const char *const *report_values_players(const struct match *match);
/* The same for people: "Ann (master, you)", "Bob (vacant, played by the server)". */
const char *const *report_values_table(const struct match *match, unsigned reader);
/* Who has missed turns or was late so far: one sentence for everybody; "" = nobody. */
const char *report_values_absences(const struct match *match);
/* Whether one more turn without orders makes this seat vacant. */
bool report_values_last_chance(const struct match *match, const struct seat *seat);
/* "3D" */
const char *report_values_interval(struct arena *arena, int64_t seconds);

/* The seat that the game's master plays; NULL: none, or there is no master. */
const struct seat *master_seat(const struct match *match);
/* Whether this player is the master or a co-master; 0 is nobody. */
bool match_has_master(const struct match *match, int64_t player);
/*
 * "Ann, who plays too", "somebody who does not play", with the co-masters behind it; NULL: there is no master.
 * In the match's arena.
 */
const char *master_words(const struct match *match);
/* The same as a sentence: "Ann is the master of the game, and plays too." */
const char *master_sentence(const struct match *match);
/* How well the server plays its seats, a sentence for each level; NULL when it plays none. */
const char *bots_sentence(const struct match *match);

#endif
