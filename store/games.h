/*
 * games.h - games and their seats.
 */
#ifndef MOLEPOST_STORE_GAMES_H
#define MOLEPOST_STORE_GAMES_H

#include "store/engine/store.h"

enum game_status {
	GAME_GATHERING, /* seats are open or not confirmed */
	GAME_RUNNING,
	GAME_PAUSED,
	GAME_OVER,      /* played to its end */
	GAME_CANCELLED, /* ended before its end by people */
	GAME_ABANDONED  /* nobody sent orders in 3 turns running */
};
/* Of masks, 1u << enum game_status: those that have not ended. */
#define GAMES_LIVE (1u << GAME_GATHERING | 1u << GAME_RUNNING | 1u << GAME_PAUSED)
const char *game_status_name(enum game_status g); /* "gathering", ... */

/* How a game came here; forks_and_imports.h has the rest. */
enum game_origin {
	GAME_BEGUN,    /* from its own set-up */
	GAME_IMPORTED, /* as an archive: it has ended */
	GAME_FORKED    /* from a position of another game */
};

struct game {
	int64_t id;       /* the number, counted over the whole server */
	char letter;      /* with the number: "W17" */
	struct span kind; /* rules name */
	unsigned rules_version;
	/* Of its record (archive.h) and of its bots (rules.h); when added, 0 = 1. */
	unsigned record_version, bots_version;
	struct span options; /* options_format, all values */
	struct span title;   /* the name given at CREATE, "" if none */
	enum game_status status;
	enum game_origin origin;
	unsigned nseats;
	int64_t next_s; /* from the opening of a turn to its deadline, or the least of it */
	struct span calendar; /* when else deadlines are: calendar_format, "" = as usual */
	bool is_private;
	struct hash join_key; /* keyed digest of the private key; zero if none */
	int64_t creator;      /* player id; 0 = the operator */
	int64_t master;       /* player id; 0 = nobody but the operator */
	bool
	    master_asks; /* a master who plays does not decide alone (processor/master/motion.c) */
	bool unrated;    /* and has done so all the same: the others are not rated */
	int64_t created_utc, started_utc, ended_utc; /* 0 = not yet */
	int64_t start_utc;       /* while it gathers: not before; 0 = as soon as it is full */
	int64_t ready_until_utc; /* who sits there is asked whether they are; 0 = nobody is */
	struct hash secret_hash;
	unsigned serial;     /* of the newest turn opened; 0 before the start */
	unsigned idle_turns; /* turns running in which nobody sent orders */
	int64_t paused_utc;  /* since when; 0 unless GAME_PAUSED */
	uint32_t agreed;     /* seats that won by a vote: bit seat-1; 0 = played to its end */
	/* Held: nothing is sealed, clocks stop; orders are still taken. */
	bool held;
	struct span held_reason, held_by;
	int64_t held_since_utc;
	/* The archive so far: number of lines and chain after them (archive.h). */
	unsigned record_lines;
	struct hash record_head;
	unsigned key; /* the server's key it is signed with; when added, 0 = the newest */
	struct span sealed_secret; /* of a game that was read; for game_secret */
};

struct seat {
	int64_t game;
	unsigned seat;
	int64_t player; /* 0 = a bot or vacant */
	int bot_level;  /* -1 = no bot */
	struct span name;
	struct span played_by; /* the name of who has taken it over; "" = nobody, or the same */
	struct span salt;      /* SALT given at JOIN, "" if none */
	int64_t joined_utc;
	struct hash contribution; /* of the mail that took it (proof.h); zero if none */
	/* Receipts for a seat of this game that this person has got; that of the first of them is the
	   contribution. 0: a bot, or a game whose record says nothing of it. */
	unsigned joins;
	int64_t first_joined_utc; /* of several; joined_utc is of the last. 0: there was one */
	bool confirmed;
	bool resigned; /* has left; gets no more mail but the final report */
	unsigned token_generation;
	unsigned mails;  /* how many mails this seat has been sent in this game */
	unsigned missed; /* turns without orders, running */
	/* In all, of the player who sits there now: without orders, those excused, in the grace. */
	unsigned missed_all, excused_all, late_all;
	int64_t former;      /* player id of who lost it last; 0 = nobody */
	bool put_out;        /* by the master of the game: they cannot have it back */
	int64_t vacated_utc; /* since when it can be taken over; 0 = it cannot */
	bool ready;          /* has said that they are there, before it begins */
	bool co_master;      /* gives the commands of the master too; seat_set_co_master */
	bool is_operator;    /* who took it last is the server's, and wants that shown */
};

/*
 * One JOIN of a game that has not begun: who left and comes back contributes what their first one did, and
 * nobody else may have a name that was theirs there.
 */
struct seat_join {
	int64_t game, player;
	unsigned seat, number; /* number: of this person's, from 1 */
	struct span name, salt;
	int64_t joined_utc; /* no two of a game are of one second */
	struct hash contribution;
};
enum err seat_join_add(struct store *s, const struct seat_join *j) MUST_CHECK;
/* By time. */
enum err seat_join_list(struct store *s, int64_t game, struct arena *arena,
                        struct seat_join **out, size_t *n) MUST_CHECK;
/* When it begins: the seats know what it takes. */
enum err seat_joins_drop(struct store *s, int64_t game) MUST_CHECK;

const char *game_id_text(const struct game *g, struct arena *arena);
/* Whether the letter that somebody wrote before its number is this game's; 0: none was written. */
bool game_has_letter(const struct game *g, char letter);

/*
 * A seat of a game that has not begun goes, and those behind it move up, with all that is
 * known by their numbers but reply addresses: the caller renews those. ERR_INVALID when it has begun.
 */
enum err seat_close_up(struct store *s, int64_t game, unsigned seat,
                       struct arena *arena) MUST_CHECK;

/* Keeps a text that is the value of an option (rules.h, options_text_name), if it is not here yet. */
enum err option_text_keep(struct store *s, struct span kind, struct span option,
                          struct span name, struct span value, int64_t now_utc) MUST_CHECK;
/* The value known by this name. */
enum err option_text_find(struct store *s, struct span kind, struct span option,
                          struct span name, struct arena *arena, struct span *value) MUST_CHECK;

/*
 * Makes the row, with the number g->id, which no other game may have; 0: the next one. Fill everything but
 * serial, record_*, held_*. The secret is sealed; game ids are never reused.
 */
enum err game_add(struct store *s, struct game *g, const struct hash *secret) MUST_CHECK;
/* The number behind the last game's, at least that (inside a transaction it stays free). */
enum err game_next_id(struct store *s, int64_t least, int64_t *id) MUST_CHECK;
/* The least number of a key that a game which is not over is signed with; the newest, if there is none. */
enum err game_oldest_key(struct store *s, unsigned *number) MUST_CHECK;
enum err game_get(struct store *s, int64_t id, struct arena *arena,
                  struct game *out) MUST_CHECK;
/* Of a game that was read; ERR_CORRUPT when its seal does not open. */
enum err game_secret(struct store *s, const struct game *g, struct hash *secret) MUST_CHECK;
/*
 * Writes status, started, ended, serial, idle_turns, record_*, nseats, master, paused, agreed,
 * unrated, ready_until_utc.
 */
enum err game_update(struct store *s, const struct game *g) MUST_CHECK;
enum err game_hold(struct store *s, int64_t id, const char *reason, const char *by,
                   int64_t now_utc) MUST_CHECK;
enum err game_resume(struct store *s, int64_t id) MUST_CHECK;
/* status_mask: bit 1u << enum game_status. Ordered by id; at most `max`, after id `after`. */
enum err game_list(struct store *s, unsigned status_mask, int64_t after, size_t max,
                   struct arena *arena, struct game **out, size_t *n) MUST_CHECK;
/*
 * The public games that gather players and that somebody known stands behind: who has confirmed a seat,
 * the master, or the operator. The oldest `max`.
 */
enum err game_list_open(struct store *s, size_t max, struct arena *arena, struct game **out,
                        size_t *n) MUST_CHECK;
/* The same of one game, whatever its state and its door. */
enum err game_is_vouched_for(struct store *s, int64_t game, bool *yes) MUST_CHECK;
/*
 * Games that gather players and of which a time has come: to begin, as their masters have set it, or by which
 * players had to say that they are there; ids.
 */
enum err game_list_to_start(struct store *s, int64_t now_utc, size_t max, int64_t *out,
                            size_t *n) MUST_CHECK;
/* Who looks for a game of a kind. */
struct game_wish {
	struct span kind;
	int64_t player;       /* 0 = nobody known */
	unsigned reliability; /* theirs, in percent */
	bool is_operator;
	int64_t now_utc;
	int64_t unconfirmed_since_utc; /* seats taken before and not confirmed are free */
};
/*
 * The oldest public gathering game of that kind with a free seat for this player, or ERR_NOT_FOUND. A
 * seat is free that nobody has taken or that somebody has left again. Passed over are games in which
 * they sit, that ask for a better reliability, whose seats are kept for others, and those that go on
 * from a position.
 */
enum err game_open_of_kind(struct store *s, const struct game_wish *wish, struct arena *arena,
                           struct game *out) MUST_CHECK;
/* Public running games with a seat that can be taken over, oldest first; at most `max`. */
enum err game_list_vacant(struct store *s, size_t max, struct arena *arena, struct game **out,
                          size_t *n) MUST_CHECK;
/* Games that have not ended whose master, or co-master, this player is, newest first. */
enum err game_list_of_master(struct store *s, int64_t player, struct arena *arena,
                             struct game **out, size_t *n) MUST_CHECK;
/* Games in which this player holds a seat that has not left, newest first. */
enum err game_list_of_player(struct store *s, int64_t player, unsigned status_mask,
                             struct arena *arena, struct game **out, size_t *n) MUST_CHECK;
/* All in which this player has a seat or ever had one, newest first. Reads whole tables. */
enum err game_list_sat_in(struct store *s, int64_t player, struct arena *arena,
                          struct game **out, size_t *n) MUST_CHECK;

enum err seat_add(struct store *s, const struct seat *seat) MUST_CHECK;
enum err seat_list(struct store *s, int64_t game, struct arena *arena, struct seat **out,
                   size_t *n) MUST_CHECK;
enum err seat_get(struct store *s, int64_t game, unsigned seat, struct arena *arena,
                  struct seat *out) MUST_CHECK;
/* Seats that this player has taken since then and has not confirmed. */
enum err seat_count_unconfirmed(struct store *s, int64_t player, int64_t since_utc,
                                unsigned *n) MUST_CHECK;
/* ERR_NOT_FOUND when this player holds no seat there; the lowest one otherwise. */
enum err seat_of_player(struct store *s, int64_t game, int64_t player, struct arena *arena,
                        struct seat *out) MUST_CHECK;
/*
 * Writes all but the key: player, bot_level, name, salt, joined, confirmed, resigned,
 * token_generation, mails, missed and the counts behind it, former, put_out, vacated_utc, played_by.
 */
enum err seat_update(struct store *s, const struct seat *seat) MUST_CHECK;
/* Until somebody else has the seat, or nobody. */
enum err seat_set_co_master(struct store *s, int64_t game, unsigned seat, bool is) MUST_CHECK;
/* Writes mails alone. */
enum err seat_count_mails(struct store *s, const struct seat *seat) MUST_CHECK;

/* Played games that have ended here and are not announced, in the order of their ends; at most `max`. */
enum err game_list_unannounced(struct store *s, size_t max, int64_t *out, size_t *n) MUST_CHECK;
/* This one is, from now on; 0: all are that have ended. */
enum err game_announced(struct store *s, int64_t game) MUST_CHECK;

#endif
