/*
 * disk_calls.c - running under the shim and reading its tally.
 */
#include "tests/support/disk_calls.h"

#include <stdlib.h>
#include <unistd.h>

#include "processor/base/env.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "tests/support/scratch.h"

static char *shim_path(void)
{
	const char *build = env_get("MOLEPOST_BUILD");
	char *name = scratch_path(build ? build : "build", "shim.so"),
	     *whole = realpath(name, NULL);

	if (!whole)
		BUG("there is no %s (make %s)", name, name);
	free(name);
	return whole;
}

/* "writes=4 fsyncs=1 fdatasyncs=2 renames=1 links=0" */
static void add_line(struct span line, struct disk_calls *out)
{
	unsigned *const counts[] = {&out->writes, &out->fsyncs, &out->fdatasyncs, &out->renames,
	                            &out->links};
	struct span field, name;

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		unsigned n;

		ENSURE(span_next_word(&line, NULL, &field) &&
		       span_next_field(&field, '=', &name) &&
		       num_parse_uint(field, 0, UINT32_MAX, &n));
		*counts[i] += n;
	}
}

/* No file: no process made any such call. */
static void read_standings(const char *path, struct disk_calls *out)
{
	struct strbuf text = STRBUF_INIT;
	struct span rest, line;

	*out = (struct disk_calls){0};
	if (file_exists(path))
		ENSURE(file_read(path, 1 << 20, &text, NULL) == ERR_NONE);
	rest = strbuf_span(&text);
	while (span_next_line(&rest, &line))
		add_line(line, out);
	strbuf_release(&text);
	unlink(path);
}

void disk_calls_of(struct testbed *s, const char *words, const char *below,
                   struct disk_calls *out)
{
	char *shim = shim_path(), *file = scratch_path(s->scratch, "tally");
	struct strbuf preload = STRBUF_INIT, root = STRBUF_INIT, mode = STRBUF_INIT;
	struct ran r;

	strbuf_addf(&preload, "LD_PRELOAD=%s", shim);
	strbuf_addf(&root, "MOLEPOST_SHIM_ROOT=%s/%s", s->dir, below);
	strbuf_addf(&mode, "MOLEPOST_SHIM=tally:%s", file);
	testbed_do(s, words, (const char *const[]){preload.ptr, root.ptr, mode.ptr, NULL}, &r);
	if (r.code != 0 || r.out.len > 0 || r.err.len > 0)
		BUG("%s ended with %d (signal %d): %s%s", words, r.code, r.signal, r.out.ptr,
		    r.err.ptr);
	read_standings(file, out);
	ran_release(&r);
	strbuf_release(&preload);
	strbuf_release(&root);
	strbuf_release(&mode);
	free(shim);
	free(file);
}
