/*
 * bounces.h - mail that came back, and what is believed of its address.
 *
 * Each address has a score. It is gone when its player writes from there. An address that is
 * paused gets no mail: what is to be sent there stays in the outbox as it is (outbox_due leaves
 * it out) and goes out in its order when the pause ends. Only answers to mails that came in
 * since are sent: whoever wrote them is perhaps the player, and has no other way to learn what
 * they must do to be believed.
 */
#ifndef MOLEPOST_STORE_BOUNCES_H
#define MOLEPOST_STORE_BOUNCES_H

#include "store/outbox.h"

struct bounced_address {
	struct span address;
	int64_t player;
	unsigned score;
	int64_t last_utc;
	int64_t paused_utc; /* 0 = mail goes there */
	struct span
	    said; /* by the other side; one line; "": nothing came back, nothing is heard from there */
	struct span instead; /* used in its place; "" if none */
};

/*
 * Counts a mail to a player as come back, with 1 or 2 points, by inbox mail `inbox`, or 0 if it
 * was refused when it was handed over. A mail that was counted before counts the difference if
 * it is worth more now. A score older than `fresh_utc` begins again at 0. *score: of m->rcpt
 * afterwards.
 */
enum err bounce_count(struct store *s, const struct outbox_mail *m, int64_t inbox,
                      unsigned points, struct span said, int64_t fresh_utc, int64_t now_utc,
                      unsigned *score) MUST_CHECK;
/* No mail goes there any more. ERR_NOT_FOUND: none came back from it. */
enum err bounce_pause(struct store *s, struct span address, int64_t now_utc) MUST_CHECK;
/* The same for one that nothing came back from, and nothing was heard: `said` is empty. */
enum err bounce_hush(struct store *s, struct span address, int64_t player,
                     int64_t now_utc) MUST_CHECK;
/*
 * Mail goes to `other` in its place: what waits and what is added from now on, also what another
 * address had handed on to it. ERR_NOT_FOUND.
 */
enum err bounce_redirect(struct store *s, struct span address, struct span other) MUST_CHECK;
/* Nothing is held against this address any more, and no other is used in its place. */
enum err bounce_forgive(struct store *s, struct span address) MUST_CHECK;

/* Copies in the arena. ERR_NOT_FOUND. */
enum err bounce_get(struct store *s, struct span address, struct arena *arena,
                    struct bounced_address *out) MUST_CHECK;
/* Those of a player, or with 0 all that are paused. */
enum err bounce_list(struct store *s, int64_t player, struct arena *arena,
                     struct bounced_address **out, size_t *n) MUST_CHECK;
/* What this mail counted, and by which inbox mail (0: refused); 0 points when it has arrived. */
enum err bounce_of_mail(struct store *s, int64_t outbox, unsigned *points,
                        int64_t *inbox) MUST_CHECK;
/* How many mails wait for a paused address. */
enum err bounce_waiting(struct store *s, struct span address, unsigned *n) MUST_CHECK;

/*
 * Another address at which the player can be reached and from which nothing has come back;
 * the one they have had longest. ERR_NOT_FOUND.
 */
enum err player_other_address(struct store *s, int64_t player, struct span except,
                              struct arena *arena, struct span *out) MUST_CHECK;

/* A player to whom so many mails have gone since one of theirs came, robots left out, and who is written to still. */
struct silent_player {
	int64_t player;
	bool told;    /* that there will be no more: an outbox row of kind "silence" */
	bool reached; /* and it was sent */
};
enum err silent_players(struct store *s, unsigned mails, struct arena *arena,
                        struct silent_player **out, size_t *n) MUST_CHECK;

/* What a game knows of a seat whose player could not be reached. */
struct unreachable_seat {
	int64_t told_utc;      /* 0 = never */
	unsigned moved_serial; /* 0 = no deadline was moved */
};
/* All zero when there is no row. */
enum err unreachable_get(struct store *s, int64_t game, unsigned seat,
                         struct unreachable_seat *out) MUST_CHECK;
enum err unreachable_set(struct store *s, int64_t game, unsigned seat,
                         const struct unreachable_seat *u) MUST_CHECK;

#endif
