/*
 * temp_store.h - a database in a folder of its own, with the people and games tests need.
 */
#ifndef MOLEPOST_TESTS_TEMP_STORE_H
#define MOLEPOST_TESTS_TEMP_STORE_H

#include "store/engine/store.h"
#include "store/games.h"
#include "store/turns.h"
#include "tests/support/postgresql.h"

struct temp_store {
	char *dir, *path;
	struct keyring *keys;
	struct arena *arena;
	struct store *s;
};

/* Each aborts with a message when it fails. */
void temp_store_open(struct temp_store *t);
void temp_store_close(struct temp_store *t);
/* Closes and opens again. */
void temp_store_reopen(struct temp_store *t);
/* A second handle on the same file, which does not wait for locks; close with store_close. */
struct store *temp_store_second(struct temp_store *t, enum store_mode mode);
/* Any SQL, through a connection of its own that checks nothing: for planting damage. */
void temp_store_raw(struct temp_store *t, const char *sql);
/* The first column of the first row as a number. */
int64_t temp_store_number(struct temp_store *t, const char *sql);

/* Inside a transaction: */
int64_t temp_player(struct temp_store *t, const char *address);
/*
 * A game with `nseats` seats, each with a player of its own; running games have turns 0
 * (reported) and 1 (open, everybody owes orders until 2000).
 */
int64_t temp_game(struct temp_store *t, enum game_status status, unsigned nseats);
/* Orders for a seat, the next revision. */
void temp_orders(struct temp_store *t, int64_t game, unsigned serial, unsigned seat,
                 const char *text);
/* A mail in the outbox, its Message-ID "<NAME@test>". */
int64_t temp_mail(struct temp_store *t, const char *name, int64_t player, int64_t game,
                  unsigned seat, unsigned number);
/* The same mail in outline, which is its NAME; for those who know temp_words. */
int64_t temp_outline(struct temp_store *t, const char *name, int64_t player, int64_t game,
                     unsigned seat, unsigned number);
/* For store_words: makes the mail of it. ctx: counts how often, an unsigned. */
enum err temp_words(void *ctx, struct span message_id, struct span outline,
                    struct strbuf *message);

/* Fails the test with the store's sentence. */
#define OK(t, call)                                             \
	do {                                                    \
		enum err ok_err = (call);                       \
		cr_assert_eq(ok_err, ERR_NONE, "%s: %s", #call, \
		             store_error((t)->s)->text.ptr);    \
	} while (0)

/*
 * It is refused with this code, and the transaction goes on: on PostgreSQL an error leaves nothing else to do
 * than to go back to the savepoint.
 */
#define REFUSED(t, call, code)                                 \
	do {                                                   \
		OK((t), store_savepoint((t)->s));              \
		enum err rc_ = (call);                         \
		if (rc_ == ERR_NONE) /* maybe not done yet */  \
			rc_ = store_savepoint_release((t)->s); \
		cr_assert_eq(rc_, (code), #call);              \
		store_savepoint_rollback((t)->s);              \
	} while (0)

/* For a test of what only a file has. */
#define OF_A_FILE                                       \
	do {                                            \
		if (on_postgresql())                    \
			cr_skip_test("only of a file"); \
	} while (0)

/* A mail set aside, opened: ERR_NOT_FOUND. Copies in the arena. */
enum err temp_quarantined(struct store *s, int64_t inbox_id, struct arena *arena,
                          struct span *reason, struct span *raw);

#endif
