/*
 * press.h - messages between players, diaries, and the people who watch.
 *
 * A message that goes out at once is in the outbox when it is recorded here; one that waits
 * keeps its text here, sealed, until the report that brings it is written. A diary entry waits
 * for the end of its game.
 */
#ifndef MOLEPOST_STORE_PRESS_H
#define MOLEPOST_STORE_PRESS_H

#include "store/engine/store.h"

enum press_mode {
	PRESS_WHITE, /* the writer is always named */
	PRESS_GREY,  /* the writer chooses */
	PRESS_NONE
};
enum press_observers {
	OBSERVERS_NOW,    /* get what is written to all when the players get it */
	OBSERVERS_REPORT, /* with the next report */
	OBSERVERS_NONE    /* nobody may observe the game */
};

/* What may be said in a game. */
struct press_rules {
	enum press_mode mode;
	bool waits; /* messages come with the next report */
	enum press_observers observers;
};

/* Of a game that has just been made. */
enum err press_rules_add(struct store *s, int64_t game,
                         const struct press_rules *rules) MUST_CHECK;
/* All zero for a game that is older than press. */
enum err press_rules_get(struct store *s, int64_t game, struct press_rules *out) MUST_CHECK;

enum press_kind { PRESS_TO_SOME, PRESS_TO_ALL, PRESS_DIARY };

struct press {
	int64_t id;
	int64_t game;
	unsigned serial; /* of the newest turn when it was written */
	unsigned seat;   /* the writer */
	enum press_kind kind;
	uint32_t seats; /* that are still to get it, bit seat-1 */
	bool unnamed;
	int64_t written_utc;
	int64_t mail; /* inbox id */
	unsigned nbytes;
	int64_t delivered_utc; /* or dropped; 0 = it waits */
	struct span text;      /* opened; "" once delivered */
};

/* Sets id, and nbytes from the text. What is delivered already is recorded without its text. */
enum err press_add(struct store *s, struct press *p) MUST_CHECK;
/*
 * What waits in a game, oldest first, in `arena`: messages, and with `diaries` their entries too
 * (for the last report).
 */
enum err press_waiting(struct store *s, int64_t game, bool diaries, struct arena *arena,
                       struct press **out, size_t *n) MUST_CHECK;
/* All of those up to this id have been delivered; their texts are gone. */
enum err press_delivered(struct store *s, int64_t game, bool diaries, int64_t last,
                         int64_t now_utc) MUST_CHECK;
/*
 * Somebody gives their seat back, or another takes it over from them: what waits for them or is by
 * them is not brought any more.
 */
enum err press_leave(struct store *s, int64_t game, unsigned seat, int64_t now_utc) MUST_CHECK;
/* Who wrote the message that a mail brought into a game; ERR_NOT_FOUND. *unnamed: readers are not to know. */
enum err press_writer(struct store *s, int64_t game, int64_t mail, unsigned *seat,
                      bool *unnamed) MUST_CHECK;
/*
 * When the n-th last message or entry of a seat was written (n from 1); INT64_MIN: there are
 * fewer.
 */
enum err press_nth(struct store *s, int64_t game, unsigned seat, unsigned n,
                   int64_t *written_utc) MUST_CHECK;

/* How much of a seat is kept. */
struct press_kept {
	unsigned messages;  /* that wait */
	unsigned diary;     /* entries */
	int64_t diary_size; /* their bytes */
};
enum err press_kept_of(struct store *s, int64_t game, unsigned seat,
                       struct press_kept *out) MUST_CHECK;

struct observer {
	int64_t game, player;
	bool press; /* false: reports alone */
	int64_t since_utc;
};

/* Takes the place of an earlier row of the same person; `since_utc` then stays. */
enum err observer_set(struct store *s, const struct observer *o) MUST_CHECK;
/* ERR_NOT_FOUND. */
enum err observer_get(struct store *s, int64_t game, int64_t player,
                      struct observer *out) MUST_CHECK;
/* ERR_NOT_FOUND. */
enum err observer_drop(struct store *s, int64_t game, int64_t player) MUST_CHECK;
/* Those of a game, by player. */
enum err observer_list(struct store *s, int64_t game, struct arena *arena,
                       struct observer **out, size_t *n) MUST_CHECK;
enum err observer_count(struct store *s, int64_t game, unsigned *n) MUST_CHECK;
/* Games somebody observes that have not ended, newest first. */
enum err observer_games(struct store *s, int64_t player, struct arena *arena, int64_t **games,
                        size_t *n) MUST_CHECK;

/* Thanks of one seat to another, after the end; *is_new false: it was there. */
enum err thanks_add(struct store *s, int64_t game, unsigned seat, unsigned to_seat,
                    int64_t now_utc, bool *is_new) MUST_CHECK;
/* How often this player has been thanked. */
enum err thanks_count(struct store *s, int64_t player, unsigned *n) MUST_CHECK;

#endif
