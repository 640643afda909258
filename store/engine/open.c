/*
 * open.c - which engine a store is on.
 */
#include <stdlib.h>

#include "store/engine/engine.h"

bool store_is_url(const char *path)
{
	return span_starts(span_of(path), "postgresql://") ||
	       span_starts(span_of(path), "postgres://");
}

static struct store *store_new(const char *path, bool read_only)
{
	struct store *s = xcalloc(1, sizeof(*s));

	s->engine = store_is_url(path) ? &engine_postgresql : &engine_sqlite;
	s->path = xstrdup(path);
	s->read_only = read_only;
	strbuf_init(&s->failure.text);
	strbuf_init(&s->context);
	strbuf_init(&s->sealed);
	strbuf_init(&s->source_url);
	return s;
}

enum err db_open(const char *path, bool read_only, struct store **out, struct failure *e)
{
	struct store *s = store_new(path, read_only);
	enum err err = s->engine->open(s);

	*out = NULL;
	if (err != ERR_NONE) {
		err_set(e, err, "%s", s->failure.text.ptr);
		db_close(s);
		return err;
	}
	*out = s;
	return ERR_NONE;
}
