/*
 * authority.c - starting and ending authority.py, and what it is told.
 */
#include "tests/support/authority.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "processor/base/clock.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "tests/support/scratch.h"

enum { START_MS = 60 * 1000 };

bool authority_can_run(void)
{
	return access("/usr/bin/python3", X_OK) == 0;
}

struct authority *authority_start(const struct dovecot *d, unsigned at)
{
	struct authority *a = xcalloc(1, sizeof(*a));
	char *certificate = scratch_path(d->dir, "cert.pem"),
	     *key = scratch_path(d->dir, "key.pem");
	int64_t until_ms = clock_monotonic_ms() + START_MS;
	char *port, wanted[16];

	(void)snprintf(wanted, sizeof(wanted), "%u", at);
	a->dir = scratch_new();
	port = scratch_path(a->dir, "port");
	a->pid = fork();
	ENSURE(a->pid >= 0);
	if (a->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		execl("/usr/bin/python3", "python3", "tests/support/authority.py", a->dir,
		      certificate, key, "a key of the test", wanted, (char *)NULL);
		_exit(126);
	}
	while (access(port, F_OK) != 0) {
		if (clock_monotonic_ms() > until_ms || waitpid(a->pid, NULL, WNOHANG) != 0)
			BUG("authority.py does not start");
		poll(NULL, 0, 20);
	}
	struct strbuf text = STRBUF_INIT;
	ENSURE(file_read(port, 16, &text, NULL) == ERR_NONE &&
	       num_parse_uint(strbuf_span(&text), 1, 65535, &a->port));
	strbuf_release(&text);
	free(port);
	free(certificate);
	free(key);
	return a;
}

void authority_stop(struct authority *a)
{
	kill(a->pid, SIGKILL);
	while (waitpid(a->pid, NULL, 0) < 0 && errno == EINTR)
		;
	scratch_remove(a->dir);
	free(a);
}

void authority_say(const struct authority *a, const char *file, const char *text)
{
	char *path = scratch_path(a->dir, file);

	(void)unlink(path);
	ENSURE(!text || file_create(path, span_of(text), NULL) == ERR_NONE);
	free(path);
}

unsigned authority_asked(const struct authority *a, const char *what)
{
	char *path = scratch_path(a->dir, "asked");
	struct strbuf text = STRBUF_INIT;
	struct span rest, line;
	unsigned n = 0;

	if (file_read(path, 1 << 20, &text, NULL) == ERR_NONE)
		for (rest = strbuf_span(&text); span_next_line(&rest, &line);)
			n += span_starts(line, what);
	strbuf_release(&text);
	free(path);
	return n;
}
