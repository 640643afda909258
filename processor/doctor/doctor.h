/*
 * doctor.h - is this server healthy, and if not, what to do: `molepost doctor`.
 *
 * One line per check: "ok" or "PROBLEM" with the way to mend it. Nothing is changed.
 */
#ifndef MOLEPOST_PROCESSOR_DOCTOR_DOCTOR_H
#define MOLEPOST_PROCESSOR_DOCTOR_DOCTOR_H

#include <stdio.h>
#include <sys/types.h>

#include "processor/server/server.h"

struct doctor {
	FILE *out;               /* borrowed */
	struct server srv;       /* opened by the caller */
	bool json;               /* an object a line */
	bool waits_for_mail;     /* a mail to itself has just been sent, by the caller */
	int64_t waits_since_utc; /* the oldest mail that no run has taken in; 0 = none */
	unsigned problems;
};

/* All of them; `unit`, if not NULL, is the file of a systemd unit to look at as well. */
void doctor_check_all(struct doctor *d, const char *unit);
/* What to do about a server that cannot be opened. */
const char *doctor_advice(const struct server *srv, enum err rc);

/* The same about one on PostgreSQL, of which this has been said. */
const char *doctor_advice_for_store(enum err rc, const char *why);

/* --- between the files of this room --- */

/* doctor.c. One line: what was looked at, what was found, and how to mend it (NULL: nothing). */
void doctor_say(struct doctor *d, const char *level, const char *what, const char *mend,
                const char *fmt, ...) __attribute__((format(printf, 5, 6)));
#define doctor_ok(d, what, ...) doctor_say(d, "ok", what, NULL, __VA_ARGS__)
#define doctor_problem(d, what, mend, ...) \
	((d)->problems++, doctor_say(d, "PROBLEM", what, mend, __VA_ARGS__))
/* What belongs to the line before, for a person. */
void doctor_more(struct doctor *d, const char *text);
/* For what may stay as it is. */
#define doctor_remark(d, what, mend, ...) doctor_say(d, "note", what, mend, __VA_ARGS__)
/* A problem if others may write in what lies there: those whose bits of chmod(2) these are. */
void doctor_check_mode(struct doctor *d, const char *what, const char *path, mode_t not_for);
/* A path of the configuration as seen from here, in the server's arena. */
const char *doctor_path(struct doctor *d, const char *name);

/* check_mail.c: each says what it found. */
void doctor_check_sources(struct doctor *d);
void doctor_check_sink(struct doctor *d);
void doctor_check_walls(struct doctor *d);
void doctor_check_authentication(struct doctor *d);

/* check_unit.c: whether a systemd unit (its file) lets this server do what its configuration says. */
void doctor_check_unit(struct doctor *d, const char *path);

#endif
