/*
 * year_parts.h - what the year_*.c files share.
 */
#ifndef MOLEPOST_TESTS_YEAR_PARTS_H
#define MOLEPOST_TESTS_YEAR_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/support/testbed.h"
#include "tests/support/year.h"

enum { YEAR_HOUR_S = 3600, YEAR_DAY_S = 86400, YEAR_MOST_SEATS = 8, YEAR_NAME_MAX = 24 };

/* ---- a mail of the server, as a player sees it ---- */

struct year_mail {
	unsigned player; /* index of whom it went to */
	unsigned game;   /* number, 0 = about none */
	unsigned
	    serial; /* of the turn that an answer is for, from the reply address; 0 = none */
	char label[48]; /* "turn 4" of "[W1 turn 4]", or "" */
	char *subject, *reply_to, *message_id, *sender;
	struct strbuf text; /* the body */
	bool wants_orders;  /* "orders due" */
	bool seats_him;     /* it brings a seat, and how it stands */
	bool reminds;       /* of orders that are due or late */
	int64_t left_s;     /* from "(in 24 h)" behind the deadline; 0 = none is named */
	int64_t at_utc;
};

/* False: it is none that anybody reads (the record of a game). */
bool year_mail_read(struct span raw, int64_t now_utc, struct year_mail *out);
void year_mail_release(struct year_mail *m);

/* ---- what will happen ---- */

enum year_deed { YEAR_WRITE, YEAR_CREATE, YEAR_INVITE, YEAR_LIST };

/* Something a player does at a time. Texts are owned. */
struct year_event {
	int64_t at_utc;
	unsigned n; /* in the order in which it was decided */
	enum year_deed deed;
	unsigned player, game, plan;
	char *to, *subject, *answers, *text, *quoted;
};

struct year_queue {
	struct year_event *heap;
	size_t n, cap;
	unsigned made;
};
void year_queue_add(struct year_queue *q, struct year_event e);
/* The earliest up to then; false: there is none. The caller releases it. */
bool year_queue_take(struct year_queue *q, int64_t until_utc, struct year_event *out);
void year_event_release(struct year_event *e);
void year_queue_release(struct year_queue *q);

/* ---- people and games ---- */

enum year_temper { PUNCTUAL, LATE, FORGETFUL, SILENT, ON_HOLIDAY, BOUNCING, YEAR_TEMPERS };

struct year_player {
	char name[YEAR_NAME_MAX];
	enum year_temper temper;
	int64_t away_from[4], away_to[4]; /* on holiday, or his mail comes back */
};

/* A player at a game, as he remembers it. */
struct year_member {
	unsigned player;
	bool has_faded;    /* never answers there again */
	bool has_answered; /* the present report, or will */
	bool has_standing; /* has laid down standing orders */
	char *report;      /* its text */
};

struct year_game {
	unsigned number; /* 0 while not created */
	unsigned wanted; /* invited so far */
	bool has_begun;
	bool helped;
	unsigned creator; /* its master; an index of players */
	bool taken_back;  /* he has asked for a rollback */
	struct year_member members[YEAR_MOST_SEATS];
	unsigned nmembers;
};

struct year_secrets;

struct year {
	const struct year_size *size;
	struct year_result *result;
	struct testbed *testbed;
	uint64_t dice;
	int64_t began_utc;
	struct year_player *players;
	struct year_game *games; /* by number of plan, from 0 */
	unsigned *plan_of;       /* by number of game; index + 1, 0 = none */
	struct year_queue queue;
	struct year_secrets *secrets;
};

unsigned year_draw(struct year *y, unsigned n);
/* Between these parts of a hundred of `whole`. */
int64_t year_draw_part(struct year *y, int64_t whole, unsigned from, unsigned to);
/* The first few are kept. */
void year_problem(struct year *y, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Players, the games they will open, and when they ask for the list. */
void year_people_begin(struct year *y);
/* A mail has come: what its reader will do about it is put into the queue. */
void year_people_get(struct year *y, const struct year_mail *m);
/* It is time: writes the mail, or decides further. */
void year_people_act(struct year *y, const struct year_event *e);

struct year_secrets *year_secrets_new(void);
void year_secrets_free(struct year_secrets *s);
/* Holds the property against a mail; what it finds is a problem. */
void year_secrets_look(struct year *y, const struct year_mail *m, const char *last_report);
/* A word that nobody but this player may see before the turn has been reported. */
void year_secrets_add_salt(struct year *y, const struct year_mail *m, struct strbuf *out);

#endif
