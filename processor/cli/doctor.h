/*
 * doctor.h - between the files of `molepost doctor`. Nobody else includes this.
 */
#ifndef MOLEPOST_PROCESSOR_CLI_DOCTOR_H
#define MOLEPOST_PROCESSOR_CLI_DOCTOR_H

#include "processor/cli/command_line.h"
#include "processor/server/server.h"

struct doctor {
	struct cli *cli;
	struct server srv;
	bool json; /* an object a line */
	unsigned problems;
};

/* doctor.c. One line: what was looked at, and what was found. */
void doctor_ok(struct doctor *d, const char *what, const char *detail);
/* The same, with the way to mend it. */
void doctor_problem(struct doctor *d, const char *what, const char *detail, const char *mend);
/* The same for what may stay as it is. */
void doctor_remark(struct doctor *d, const char *what, const char *detail, const char *mend);
/* What belongs to the line before, for a person. */
void doctor_more(struct doctor *d, const char *text);
/* A path of the configuration as seen from here, in the server's arena. */
const char *doctor_path(struct doctor *d, const char *name);

/* doctor_mail.c: each says what it found. */
void doctor_check_sources(struct doctor *d);
void doctor_check_sink(struct doctor *d);
void doctor_check_walls(struct doctor *d);
void doctor_check_authentication(struct doctor *d);

/* doctor_unit.c: whether a systemd unit (its file) lets this server do what its configuration says. */
void doctor_check_unit(struct doctor *d, const char *path);

#endif
