/*
 * audit.h - who did what that was not an order: append-only.
 *
 * `is_public` entries go into the game's archive and next report (master actions). Also the
 * log of runs: one row per run that did something.
 */
#ifndef MOLEPOST_STORE_AUDIT_H
#define MOLEPOST_STORE_AUDIT_H

#include "store/engine/store.h"

struct audit_entry {
	int64_t id, at_utc;
	int64_t game;      /* 0 = the server */
	unsigned seat;     /* 0 = none */
	unsigned serial;   /* newest turn of the game at that time; set by audit_add */
	struct span actor; /* "operator", "seat 2", "server" */
	struct span what;  /* a sentence without secrets */
	bool is_public;
};

enum err audit_add(struct store *s, int64_t game, unsigned seat, const char *actor,
                   bool is_public, int64_t now_utc, const char *what) MUST_CHECK;
/* Entries of a game (0: all), oldest first. */
enum err audit_list(struct store *s, int64_t game, struct arena *arena,
                    struct audit_entry **out, size_t *n) MUST_CHECK;

struct run_log {
	int64_t started_utc, ended_utc;
	unsigned mails, turns, sent, failed;
};
enum err run_log_add(struct store *s, const struct run_log *r) MUST_CHECK;
/* The newest; ERR_NOT_FOUND. */
enum err run_log_last(struct store *s, struct run_log *out) MUST_CHECK;

#endif
