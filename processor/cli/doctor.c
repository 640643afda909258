/*
 * doctor.c - the lines `molepost doctor` prints.
 */
#include "processor/cli/doctor.h"

#include "processor/base/banned.h"

void doctor_ok(struct doctor *d, const char *what, const char *detail)
{
	fprintf(d->cli->out, "ok       %-14s %s\n", what, detail);
}

void doctor_problem(struct doctor *d, const char *what, const char *detail, const char *mend)
{
	fprintf(d->cli->out, "PROBLEM  %-14s %s\n         %-14s to mend it: %s\n", what, detail,
	        "", mend);
	d->problems++;
}

void doctor_remark(struct doctor *d, const char *what, const char *detail, const char *mend)
{
	fprintf(d->cli->out, "note     %-14s %s\n         %-14s to mend it: %s\n", what, detail,
	        "", mend);
}

const char *doctor_path(struct doctor *d, const char *name)
{
	return config_path(&d->srv.cfg, name, d->srv.arena);
}
