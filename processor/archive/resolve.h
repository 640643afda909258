/*
 * resolve.h - resolving one sealed turn. Pure: no store, no clock, no mail.
 */
#ifndef MOLEPOST_PROCESSOR_ARCHIVE_RESOLVE_H
#define MOLEPOST_PROCESSOR_ARCHIVE_RESOLVE_H

#include "processor/games/rules.h"

struct resolve_input {
	const struct rules *rules;
	const struct options *options;
	const char *game;                 /* "W17" */
	unsigned serial;                  /* 0 = the set-up */
	const struct seat_names *names;   /* set-up only */
	const struct game_state *now;     /* of the set-up: what a fork goes on from, or NULL */
	const struct seat_orders *orders; /* index = seat; NULL for the set-up */
	struct hash key;                  /* of the turn: proof_turn_key or proof_inputs_key */
	struct hash parent_hash, orders_hash;
};

struct resolve_output {
	struct game_state *next;
	struct strbuf state_text;
	struct strbuf chance_text; /* chance_add_record */
	struct hash hash;          /* proof_state_hash */
};

/*
 * Draws come from the key. The result is encoded, decoded and encoded again before it
 * counts. False with a sentence in `why` when the input is corrupt or the rules contradict
 * themselves. Release in any case.
 */
bool resolve_compute(const struct resolve_input *in, struct resolve_output *out,
                     struct strbuf *why);
void resolve_output_release(const struct rules *rules, struct resolve_output *out);

/*
 * ---- Positions that games begin with though they are not their set-up: forks ----
 *
 * What nobody but its owner could know in the position has been public since its game ended, and so
 * would be in the new game. It is therefore drawn anew, by real draws from the new game's secret, when
 * that begins: rules->resample for the public.
 */

/*
 * Any bytes. True when they are a position of these rules in its one form, of a game with exactly
 * these options (as options_format writes all of them) and these names on its seats, and not
 * over; *out is freed with rules->free_state. Else false with a sentence in `why`.
 */
bool fork_point_read(const struct rules *rules, struct span options,
                     const struct seat_names *names, struct span text, struct game_state **out,
                     struct strbuf *why);
/*
 * The position that a game begins with which goes on from `from`, what was hidden there drawn
 * anew. NULL with a sentence in `why` when the rules contradict themselves.
 */
struct game_state *fork_point_deal(const struct rules *rules, const struct game_state *from,
                                   struct chance *chance, struct strbuf *why);

#endif
