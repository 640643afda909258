/*
 * cheats.h - what a server does that has secret and key and wants another outcome, and keeps a sound record of: the
 * ten cheats of molepost(1), SECURITY CONSIDERATIONS, and those that change nothing.
 *
 * Each is played by played_cheating_game in a game of CHEATED_SEATS, CHEATED_TURNS turns at most and
 * CHEATED_SEED; what changes orders does so in the turn CHEATED.
 */
#ifndef MOLEPOST_TESTS_CHEATS_H
#define MOLEPOST_TESTS_CHEATS_H

#include "tests/support/played.h"

enum { CHEATED_TURNS = 5, CHEATED_SEED = 1, CHEATED_SEATS = 3, CHEATED = 2 };

/* Numbers the mails that are invented: each number is another try. */
extern unsigned cheats_tried;

void cheat_join_a_second_later(struct record *r);
void cheat_clear_and_repeat(struct played *p, struct record_turn *t);
void cheat_clear_and_repeat_by_other_mails(struct played *p, struct record_turn *t);
void cheat_invent_first(struct played *p, struct record_turn *t);
void cheat_own_first_mail(struct played *p, struct record_turn *t);
void cheat_choose_secret(struct record *r);
void cheat_other_mail(struct played *p, struct record_turn *t);
void cheat_other_orders(struct played *p, struct record_turn *t);
void cheat_change_places(struct record *r);
void cheat_other_join(struct record *r);
void cheat_join_again(struct record *r);
void cheat_count_two(struct record *r);
void cheat_sign_all_but_one(struct played *p, struct record_turn *t);
void cheat_copy_signature(struct played *p, struct record_turn *t);
void cheat_steer_bot(struct played *p, struct record_turn *t);
void cheat_other_secret(struct record *r);
void cheat_in_time_after_all(struct played *p, struct record_turn *t);
/* Of a record that has ended. */
void cheat_leave_turn_out(struct record *r);
void cheat_cut_short(struct record *r);

struct known_cheat {
	const char *what, *rules; /* "mole park" */
	struct cheat cheat;
	void (*afterwards)(struct record *r); /* NULL: nothing is done to the finished record */
	bool takes_rules;                     /* found only by whoever plays the game again */
};
extern const struct known_cheat known_cheats[];
/* The game as it was, and as its server tells it; `text`: the archive of the latter, signed. */
void known_cheat_tell(const struct known_cheat *c, struct played *honest, struct played *forged,
                      struct strbuf *text);
size_t known_cheats_count(void);

#endif
