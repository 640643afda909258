/*
 * opened.c - one run under inotify.
 */
#include "tests/support/opened.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "processor/base/err.h"
#include "processor/base/file.h"
#include "tests/support/scratch.h"

enum { WATCHED = 4, PROGRAM_MAX = 256 << 20 };

static const char *const words[WATCHED] = {"program", "config", "key", "database"};

static char *own_program(struct testbed *s)
{
	char *path = scratch_path(s->scratch, "molepost");
	struct strbuf bytes = STRBUF_INIT;

	ENSURE(file_read(s->program, PROGRAM_MAX, &bytes, NULL) == ERR_NONE);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
	ENSURE(fd >= 0 && file_write_fd(fd, strbuf_span(&bytes), NULL) == ERR_NONE);
	close(fd);
	strbuf_release(&bytes);
	return path;
}

static void read_events(int queue, const int watches[WATCHED], struct strbuf *out)
{
	char bytes[64 * sizeof(struct inotify_event)];
	ssize_t n;

	/* Of files watched by their own name an event has no name in it. */
	while ((n = read(queue, bytes, sizeof(bytes))) > 0)
		for (size_t at = 0; at < (size_t)n; at += sizeof(struct inotify_event)) {
			struct inotify_event event;

			memcpy(&event, bytes + at, sizeof(event));
			for (size_t k = 0; k < WATCHED; k++)
				if (event.wd == watches[k])
					strbuf_addf(out, "%s ", words[k]);
		}
}

void opened_by_run(struct testbed *s, struct strbuf *out)
{
	char *before = s->program,
	     *files[WATCHED] = {own_program(s), testbed_path(s, "molepost.conf"),
	                        testbed_path(s, "molepost.key"),
	                        testbed_path(s, "molepost.db")};
	int queue = inotify_init1(IN_NONBLOCK | IN_CLOEXEC), watches[WATCHED];

	ENSURE(queue >= 0);
	for (size_t i = 0; i < WATCHED; i++)
		ENSURE((watches[i] = inotify_add_watch(queue, files[i], IN_OPEN)) >= 0);
	s->program = files[0];
	testbed_run(s);
	s->program = before;
	read_events(queue, watches, out);
	close(queue);
	for (size_t i = 0; i < WATCHED; i++)
		free(files[i]);
}
