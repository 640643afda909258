/*
 * machines.c - folders that share what machines share.
 */
#include "tests/support/machines.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "processor/base/err.h"
#include "tests/support/scratch.h"

static void share(const struct testbed *s, const struct testbed *m,
                  int (*how)(const char *there, const char *here), const char *const names[])
{
	for (size_t i = 0; names[i]; i++) {
		char *there = testbed_path(s, names[i]), *here = testbed_path(m, names[i]);

		ENSURE(how(there, here) == 0);
		free(there);
		free(here);
	}
}

struct testbed machine_new(const struct testbed *s, unsigned n)
{
	static const char *const folders[] = {"mail", "outbox", "spool", NULL},
				 *const files[] = {"molepost.key", "molepost.conf", NULL};
	struct testbed m = *s;
	char name[16];

	if (n == 0)
		return m;
	snprintf(name, sizeof name, "play%u", n);
	m.dir = scratch_path(s->scratch, name);
	snprintf(name, sizeof name, "said%u", n);
	m.scratch = scratch_path(s->scratch, name);
	if (mkdir(m.dir, 0700) == 0) {
		share(s, &m, symlink, folders);
		share(s, &m, link, files);
		(void)mkdir(m.scratch, 0700);
	}
	return m;
}

void machine_release(struct testbed *machine, unsigned n)
{
	if (n == 0)
		return;
	free(machine->dir);
	free(machine->scratch);
}
