/*
 * preload.c - see preload.h.
 */
#include "tests/support/preload.h"

#include <stdlib.h>

#include "processor/base/env.h"
#include "processor/base/err.h"
#include "tests/support/scratch.h"

void preload_init(struct preload *p, const char *library, const char *name, const char *value)
{
	const char *build = env_get("MOLEPOST_BUILD");
	char *path = scratch_path(build ? build : "build", library),
	     *whole = realpath(path, NULL);

	if (!whole)
		BUG("there is no %s (make %s)", path, path);
	strbuf_init(&p->library);
	strbuf_init(&p->setting);
	strbuf_addf(&p->library, "LD_PRELOAD=%s", whole);
	strbuf_addf(&p->setting, "%s=%s", name, value);
	p->env[0] = p->library.ptr;
	p->env[1] = p->setting.ptr;
	p->env[2] = NULL;
	free(path);
	free(whole);
}

void preload_release(struct preload *p)
{
	strbuf_release(&p->library);
	strbuf_release(&p->setting);
}
