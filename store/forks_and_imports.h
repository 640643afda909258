/*
 * forks_and_imports.h - where games come from that did not begin here: archives taken over, and positions
 * of other games. enum game_origin of games.h says which rows there are.
 */
#ifndef MOLEPOST_STORE_FORKS_AND_IMPORTS_H
#define MOLEPOST_STORE_FORKS_AND_IMPORTS_H

#include "store/engine/store.h"

struct import {
	int64_t game;
	struct span record_id; /* what the archive calls the game: "W17" */
	struct span instance;  /* the server it was played on */
	struct hash key;       /* and its public key */
	int64_t imported_utc;
};
enum err import_add(struct store *s, const struct import *i, struct span archive) MUST_CHECK;
/* ERR_NOT_FOUND when the game was not taken over. */
enum err import_get(struct store *s, int64_t game, struct arena *arena,
                    struct import *out) MUST_CHECK;
/* Appends the archive as it was given. */
enum err import_archive(struct store *s, int64_t game, struct strbuf *out) MUST_CHECK;

struct fork {
	int64_t game, source_game;
	struct span source; /* what the archive of the other game calls it */
	unsigned serial;    /* whose result the position is */
	struct span label;  /* what players call that turn */
	struct span instance;
	struct hash key;
	struct hash state_hash;
	struct hash parent_hash, orders_hash; /* the parent's is zero for serial 0 */
	struct span position;
};
enum err fork_add(struct store *s, const struct fork *f) MUST_CHECK;
/* ERR_NOT_FOUND when the game goes on from no other. */
enum err fork_get(struct store *s, int64_t game, struct arena *arena,
                  struct fork *out) MUST_CHECK;

/*
 * The game, begun here or taken over, whose record has this name and secret; ERR_NOT_FOUND. Looks
 * at every game: for rare questions.
 */
enum err game_of_record(struct store *s, struct span record_id, const struct hash *secret_hash,
                        int64_t *game) MUST_CHECK;

#endif
