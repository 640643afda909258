/*
 * joining.h - how people get into games and out of those that have not begun.
 */
#ifndef MOLEPOST_PROCESSOR_JOINING_H
#define MOLEPOST_PROCESSOR_JOINING_H

#include "processor/dealing.h"

/* Any answer to a mail of ours proves that its address works (unless it says NO): confirms
   player and seat, and may start the game. */
enum err joining_confirm_by_reply(struct dealing *d) MUST_CHECK;
/* RESIGN from a game that is still gathering; *gone when that is what it was. */
enum err joining_leave(struct dealing *d, const struct letter_item *item,
                       bool *gone) MUST_CHECK;

/*
 * A game that has not begun and in which no person is left ends here, unless its master has a
 * mind to wait: he is not the one who has left.
 */
enum err joining_cancel_if_empty(struct server *srv, struct hand *h, int64_t leaver) MUST_CHECK;

/* What CREATE and `molepost game new` ask for. */
struct new_game {
	const struct rules *rules;
	struct options options;
	struct span title;
	unsigned players, bots;
	unsigned bot_level;       /* of rules.h */
	struct calendar calendar; /* with next_s */
	bool is_private;
	struct press_rules press;
	unsigned reliability;         /* percent that JOIN asks for, 0 = none */
	int64_t again;                /* the game it plays again, 0 = none (rematch.h) */
	struct span key;              /* "" = one is drawn when private */
	const struct player *creator; /* takes seat 1; NULL = the operator, who takes none */
	bool presides;                /* is master of the game and takes no seat */
	struct span creator_name;
	/* A game that goes on from another: its row but for `game`, and its seats, index = seat. */
	const struct fork *fork;
	const struct seat *fork_seats;
};
/*
 * The options asked for, and those that are the server's to set. False with a sentence for the
 * asker in `why`.
 */
bool game_options(struct server *srv, const struct rules *rules, struct span asked,
                  struct arena *arena, struct options *out, struct strbuf *why);
/* What may be said in it: as CREATE says, else as the server is configured. */
struct press_rules game_press(const struct server *srv, const struct letter_create *asked);
/*
 * The clocks asked for, the server's where nothing is said. The zone is that of the words, else of
 * `creator` (may be NULL). False with a sentence in `why`.
 */
bool game_calendar(struct server *srv, const struct letter_create *asked,
                   const struct player *creator, struct arena *arena, struct calendar *out,
                   struct strbuf *why);
/* Whether such a game can be made; if not, a sentence for the asker in `why`. */
bool game_can_be(const struct new_game *n, struct strbuf *why);
/*
 * Makes the game: the creator in seat 1, then the bots. *key (arena) is what JOIN needs, "" if
 * public. ERR_INVALID with a sentence for the asker in `why` when it cannot be made so.
 */
enum err game_found(struct server *srv, const struct new_game *n, struct arena *arena,
                    int64_t *game, const char **key, struct strbuf *why) MUST_CHECK;
/* Who plays a game does not watch it as well. */
enum err joining_stop_watching(struct dealing *d, int64_t game) MUST_CHECK;
/*
 * First mail of a person: a row for him, so that he can have a seat, or watch. `name`: if he has
 * none yet.
 */
enum err joining_register(struct dealing *d, struct span name) MUST_CHECK;
/* The mail to who has just taken a seat; `key` to who founded the game. note: a paragraph or NULL. */
enum err joining_welcome(struct dealing *d, struct hand *h, struct seat *seat, bool created,
                         const char *key, const char *note) MUST_CHECK;
/* So many bots on the seats from `first` on, under names nobody has there. */
enum err joining_add_bots(struct server *srv, int64_t game, unsigned first, unsigned count,
                          unsigned level) MUST_CHECK;
/*
 * CREATE for the speaker, who gets seat 1 under this name: the game, or an answer why there is none.
 * *made: its number, 0 without. note: a paragraph of the welcome or NULL. In do_join.c.
 */
enum err joining_create(struct dealing *d, struct new_game *n, struct span name,
                        const char *note, int64_t *made) MUST_CHECK;
/* JOIN this very game, under the name and with the key of the item. In do_join.c. */
enum err joining_join(struct dealing *d, const struct letter_item *item,
                      int64_t game) MUST_CHECK;
/* RUNNING with the set-up turn SEALED, when every seat is taken and confirmed; else nothing. */
enum err game_start_if_full(struct server *srv, struct hand *h) MUST_CHECK;
/* Those whose masters have set a time that has come; each begins at the latest when it is full. */
enum err games_start_due(struct server *srv) MUST_CHECK;
/* Whether KEY opens this game; any word does for a public one. Constant time. */
bool joining_key_fits(const struct server *srv, const struct game *g, struct span key);
/* The mail of joining_welcome to `reader`, who sits at `seat`, without sending it. */
enum err joining_welcome_letter(struct server *srv, struct hand *h, const struct seat *seat,
                                const struct player *reader, bool created, const char *key,
                                const char *note, struct letter_out *out) MUST_CHECK;
/* `base`, or with a number behind it if that is taken there; in `arena`. False: it is no name. */
bool joining_free_name(const struct hand *h, struct span base, struct arena *arena,
                       struct span *name);
/* The lowest free seat: one left vacant, one whose holder never confirmed, or the next; 0 = full. */
unsigned joining_free_seat(const struct server *srv, const struct hand *h);
/* A name for this person at this table: the one asked for, or one made from the mail's From. In
   the arena; false with a sentence in `why` when the one asked for will not do. */
bool joining_name(const struct dealing *d, const struct hand *h, struct span asked,
                  struct span *name, struct strbuf *why);

#endif
