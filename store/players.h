/*
 * players.h - people and the addresses they write from.
 */
#ifndef MOLEPOST_STORE_PLAYERS_H
#define MOLEPOST_STORE_PLAYERS_H

#include "store/engine/store.h"

/* How what may wait reaches a player: each mail at once, with the turn's report, or once a day. */
enum mail_mode { MAIL_ALL, MAIL_ROUND, MAIL_DIGEST };

enum html_choice { HTML_AS_SERVER, HTML_NO, HTML_YES };

/* What a person's mails look like. */
struct mail_form {
	bool ascii;       /* plain ASCII */
	unsigned cols;    /* of prose, boards and tables; 0 = the usual */
	bool words_first; /* a board in words, not drawn */
	enum html_choice html;
	bool writes_html; /* so did their last mail */
	bool proof_shown; /* what a mail proves stands in it, not in a text attached to it */
};

struct player {
	int64_t id;          /* 0 = none */
	struct span address; /* where mail to this person goes; empty when forgotten */
	struct span name;    /* "" until one is known */
	int64_t created_utc;
	unsigned token_generation; /* of player-scope tokens */
	bool confirmed;            /* has answered from this address (double opt-in) */
	bool blocked;
	bool forgotten;
	struct mail_form form;
	bool no_reminders;
	bool puzzles;       /* wants one on Monday */
	bool fixed_subject; /* wants one unchanged Subject per game */
	bool bounced; /* mail has come back from an address of theirs since they wrote last */
	struct span zone; /* of the times shown to them: "Europe/Berlin"; "" = the server's */
	/* Quiet hours, minutes of the day in that zone; both the same: none. */
	int quiet_from, quiet_to;
	enum mail_mode mail_mode;
	int digest_min;   /* when their digest comes: minutes of the day in that zone */
	unsigned unheard; /* answers in a row that said that a mail was not understood */
};

/*
 * Spans in `out` live in `arena`. ERR_NOT_FOUND. Addresses compare without case; a player is found
 * by their further addresses (addresses.h) too, and out->address is always the one mail goes to.
 */
enum err player_by_address(struct store *s, struct span address, struct arena *arena,
                           struct player *out) MUST_CHECK;
enum err player_get(struct store *s, int64_t id, struct arena *arena,
                    struct player *out) MUST_CHECK;
/* Who has this seat. */
enum err player_at_seat(struct store *s, int64_t game, unsigned seat, struct arena *arena,
                        struct player *out) MUST_CHECK;
/*
 * Whom nobody has found by that address; *out, whose spans are those given, is as it will be read. Maybe late,
 * ERR_EXISTS when the address is another's, ERR_CORRUPT when it is a further one of another.
 */
enum err player_add(struct store *s, struct span address, struct span name, bool confirmed,
                    int64_t now_utc, struct player *out) MUST_CHECK;
enum err player_set_name(struct store *s, int64_t id, struct span name) MUST_CHECK;
enum err player_set_confirmed(struct store *s, int64_t id) MUST_CHECK;
enum err player_set_blocked(struct store *s, int64_t id, bool blocked) MUST_CHECK;
/*
 * Writes form, no_reminders, puzzles, fixed_subject, zone, mail_mode and digest_min; what waits already is left as it
 * is: see digests.h.
 */
enum err player_set_form(struct store *s, const struct player *p) MUST_CHECK;
/* Form.writes_html alone, of who has written the mail that is dealt with. */
enum err player_set_writes_html(struct store *s, int64_t id, bool writes_html) MUST_CHECK;
/* Also has the reminders of this player's open turns looked at anew. */
enum err player_set_quiet(struct store *s, int64_t id, int from_min, int to_min) MUST_CHECK;
enum err player_next_token(struct store *s, int64_t id) MUST_CHECK;
/*
 * Replaces all addresses and the name for good, also in the outbox (what has not left becomes
 * DEAD) and in open questions; seats and archives keep the seat's name.
 */
enum err player_forget(struct store *s, int64_t id) MUST_CHECK;
/*
 * Those who go by this name, at most `max`, by id; case does not count for the letters A to Z. Nobody
 * who is forgotten.
 */
enum err player_list_named(struct store *s, struct span name, size_t max, struct arena *arena,
                           struct player **out, size_t *n) MUST_CHECK;
enum err player_set_unheard(struct store *s, int64_t id, unsigned n) MUST_CHECK;
/* All of them in order of id, in `arena`. */
enum err player_list(struct store *s, struct arena *arena, struct player **out,
                     size_t *n) MUST_CHECK;

/*
 * One more answer of a kind, or whatever else is counted (outgoing/budget.h), to `address`: *left is how many of
 * `limit` there were since `since_utc`, this one included, and it is recorded; 0: it would be too many. Only a keyed digest
 * of the address is kept.
 */
enum err stranger_take(struct store *s, struct span address, const char *kind,
                       int64_t since_utc, unsigned limit, int64_t now_utc,
                       unsigned *left) MUST_CHECK;
/* How many there were since then. Asked ahead it asks what stranger_take will read. */
enum err stranger_count(struct store *s, struct span address, const char *kind,
                        int64_t since_utc, int64_t now_utc, unsigned *n) MUST_CHECK;

#endif
