/*
 * server.h - one server's folder, opened: configuration, keys, database.
 *
 * Everything in processor/ that touches the store works on this handle. The
 * time of the pass is read once, so that all that happens in one run happens
 * at one moment.
 */
#ifndef MOLEPOST_PROCESSOR_SERVER_SERVER_H
#define MOLEPOST_PROCESSOR_SERVER_SERVER_H

#include "processor/base/arena.h"
#include "processor/base/log.h"
#include "processor/base/seal.h"
#include "processor/games/rules.h"
#include "processor/server/config.h"
#include "store/engine/store.h"

struct in_flight;

/* What server_open had in hand last: where to look when it failed. */
enum server_part { SERVER_CONFIG, SERVER_KEYS, SERVER_DATABASE, SERVER_HOST };

struct server {
	enum server_part part;
	struct arena *arena; /* lives as long as the server */
	struct config cfg;
	struct keyring *keys;
	struct store *store;
	struct log *log;          /* borrowed */
	struct table *wordlists;  /* as in cfg; word_lists.c reads one when it is asked for */
	struct tables tables;     /* the same, as games see them */
	struct kept_zones *zones; /* read so far (zones.c) */
	int64_t now_utc;
	bool show_progress;  /* long work says on standard error how far it is */
	bool dry;            /* works on a copy: mail stays where it is */
	unsigned held_back;  /* answers, in this run: outgoing/budget.h */
	unsigned analysed;   /* games, in this run: analyse.c */
	struct failure fail; /* why the last processor call failed, when it was not the store */
};

/*
 * Opens DIR's configuration, key file and database, and checks that this is
 * the host the database belongs to. ERR_CONFIG, ERR_NOT_FOUND, ERR_DENIED,
 * ERR_CORRUPT, ERR_UNSUPPORTED; the sentence is in server_why. Call
 * server_close in any case. words: what puts mails stored in outline into words (outgoing_words of
 * outgoing.h); it is called with the server.
 */
enum err server_open(const char *dir, enum store_mode mode, bool take_over,
                     store_words_fn *words, struct log *log, struct server *out) MUST_CHECK;
/*
 * The two halves of server_open. Between them the configuration is known, and neither the key file nor
 * the database has been touched: the moment to start the children that will read strangers' bytes.
 */
enum err server_open_config(const char *dir, enum store_mode mode, struct log *log,
                            struct server *out) MUST_CHECK;
enum err server_open_database(struct server *srv, enum store_mode mode, bool take_over,
                              store_words_fn *words) MUST_CHECK;
void server_close(struct server *srv);
/*
 * An error of one game, which must not stop the others: of its rows, or of a mail of it that would
 * have the Message-ID of another (ERR_EXISTS).
 */
bool server_blames_game(enum err rc);
/* The sentence that belongs to the last error `rc`, borrowed. */
const char *server_why(const struct server *srv, enum err rc);
/*
 * The lock of the folder (lock.h), and that of the store when other machines work on it too. ERR_BUSY: another
 * run has it; ERR_TIMEOUT: and has had it for more than LOCK_LONG_S. *fd as of lock_take. shared: NULL, or
 * it is enough to join another machine that shares it (store_lock_share), and says whether that was done.
 */
enum err server_lock(struct server *srv, enum store_lock which, int *fd,
                     bool *shared) MUST_CHECK;
void server_unlock(struct server *srv, enum store_lock which, int *fd);
/* Whether the last run died with such work in hand: then it is done one by one. `left`: what it left; NULL: nothing. */
bool server_died_with(const struct in_flight *left, const char *kind);
/*
 * Says what is in hand, so that the next run knows if this one dies: `object` alone, or "", several. *tries: of that
 * object, this one included, 0 of several. They are counted on from what the last run left behind, since the
 * row itself has been used for other work since this run began. The last transaction that writes what is in hand
 * clears it.
 */
enum err server_mark_in_flight(struct server *srv, const struct in_flight *left,
                               const char *kind, const char *object,
                               unsigned *tries) MUST_CHECK;
/* "1234 mails read" on the terminal's present line, when somebody watches. */
void server_progress(const struct server *srv, unsigned n, const char *what);
/* Clears that line. */
void server_progress_end(const struct server *srv);
/* This machine's name, in the arena. */
const char *server_host(struct arena *arena);
/*
 * What this machine is known by to the database: the first word of the file host_id, or its name. ERR_CONFIG:
 * there is no such file, or nothing in it.
 */
enum err server_host_id(struct server *srv, const char **host) MUST_CHECK;

#endif
