/*
 * fsck.c - the rules of fsck_rules.c, looked at one after another.
 *
 * All of them look at one and the same moment, whatever others write.
 */
#include "store/engine/fsck.h"

#include <string.h>

#include "store/engine/engine.h"
#include "store/engine/fsck_rules.h"
#include "store/engine/schema.h"
#include "store/engine/sealed.h"

struct check {
	struct store *s;
	const struct fsck_hooks *hooks;
	unsigned done, total, violations;
	struct strbuf object, plain; /* scratch */
};

static void report(struct check *c, const char *invariant, const char *object)
{
	c->violations++;
	c->hooks->report(c->hooks->ctx, invariant, object);
}

static void tell_progress(struct check *c, const char *name)
{
	if (c->hooks->progress)
		c->hooks->progress(c->hooks->ctx, c->done, c->total, name);
	c->done++;
}

static void read_object(struct check *c, struct query *q)
{
	strbuf_clear(&c->object);
	strbuf_add_span(&c->object, col_bytes(q));
}

/* A table that cannot be read is one more finding and no reason to stop. */
static enum err finish(struct check *c, struct query *q, const char *invariant)
{
	enum err err = db_end(q);

	if (err != ERR_CORRUPT)
		return err;
	report(c, invariant, c->s->failure.text.ptr);
	return ERR_NONE;
}

static enum err check_invariant(struct check *c, const struct invariant *inv)
{
	struct query q = db_read_text(c->s, inv->sql);

	while (db_next(&q)) {
		read_object(c, &q);
		report(c, inv->name, c->object.ptr);
	}
	return finish(c, &q, inv->name);
}

static bool opens(struct check *c, struct query *q, bool once)
{
	struct failure e = ERR_INIT;
	struct strbuf *context = &c->s->context;
	struct span sealed;
	struct hash expected, found;
	enum err err;

	strbuf_clear(context);
	strbuf_add_span(context, col_bytes(q));
	sealed = col_bytes(q);
	strbuf_clear(&c->plain);
	err = once ? keyring_open_once(c->s->keys, context->ptr, sealed, &c->plain, &e)
	           : keyring_open(c->s->keys, context->ptr, sealed, &c->plain, &e);
	err_release(&e);
	col_hash(q, &expected);
	found = hash_of(strbuf_span(&c->plain));
	return err == ERR_NONE && (hash_is_zero(&expected) || hash_eq(&expected, &found));
}

static enum err check_seals(struct check *c, const struct sealed_column *col)
{
	struct query q = db_read_text(c->s, col->sql);

	while (db_next(&q)) {
		read_object(c, &q);
		if (c->hooks->seals)
			(*c->hooks->seals)++;
		if (!opens(c, &q, col->once))
			report(c, col->name, c->object.ptr);
	}
	return finish(c, &q, col->name);
}

static const char triggers_name[] = "the triggers are those of this program";

/*
 * SQLite keeps the text of a trigger as it was given, and reads it only when it fires: a damaged one would
 * stop games, and nothing above would see it.
 */
static bool is_of_this_program(struct span sql)
{
	unsigned n;
	const struct migration *all = migrations(&n);

	for (unsigned i = 0; i < n; i++)
		if (span_find(span_of(all[i].sqlite), sql) < strlen(all[i].sqlite))
			return true;
	return false;
}

static enum err check_triggers(struct check *c)
{
	struct query q = db_read(c->s, "SELECT name, sql FROM sqlite_schema"
	                               " WHERE type = 'trigger' ORDER BY name");

	tell_progress(c, triggers_name);
	while (db_next(&q)) {
		read_object(c, &q);
		if (!is_of_this_program(col_bytes(&q)))
			report(c, triggers_name, c->object.ptr);
	}
	return finish(c, &q, triggers_name);
}

static enum err check_schema(struct check *c)
{
	enum err err;

	strbuf_clear(&c->object);
	err = c->s->engine->check_schema(c->s, &c->object);
	if (err == ERR_NONE && c->object.len > 0)
		report(c, "the text of each table and index is understood", c->object.ptr);
	return err;
}

static enum err check_all(struct check *c, enum fsck_reach reach)
{
	bool deep = reach == FSCK_SEALS, file = c->s->engine->is_file;
	unsigned first = reach == FSCK_ROWS ? WHOLE_FILE : file ? 0 : OF_A_FILE;
	enum err err = ERR_NONE;

	c->total = fsck_invariants_count + (deep ? fsck_seals_count : 0) + (reach != FSCK_ROWS);
	for (unsigned i = first; err == ERR_NONE && i < fsck_invariants_count; i++) {
		tell_progress(c, fsck_invariants[i].name);
		err = check_invariant(c, &fsck_invariants[i]);
	}
	for (unsigned i = 0; err == ERR_NONE && deep && i < fsck_seals_count; i++) {
		tell_progress(c, fsck_seals[i].name);
		err = check_seals(c, &fsck_seals[i]);
	}
	if (err == ERR_NONE && reach != FSCK_ROWS && file)
		err = check_triggers(c);
	if (err == ERR_NONE && reach != FSCK_ROWS && file)
		err = check_schema(c);
	return err;
}

enum err fsck_run(struct store *s, enum fsck_reach reach, const struct fsck_hooks *hooks,
                  unsigned *violations)
{
	struct check c = {.s = s, .hooks = hooks, .object = STRBUF_INIT, .plain = STRBUF_INIT};
	bool own = !db_is_open_tx(s);
	enum err err = own ? store_begin_reading(s) : ERR_NONE;

	if (err == ERR_NONE)
		err = check_all(&c, reach);
	if (own)
		db_rollback(s);
	*violations = c.violations;
	strbuf_release(&c.object);
	strbuf_release(&c.plain);
	return err;
}

const char *fsck_name(unsigned i)
{
	if (i < fsck_invariants_count)
		return fsck_invariants[i].name;
	i -= fsck_invariants_count;
	if (i == fsck_seals_count)
		return triggers_name;
	return i < fsck_seals_count ? fsck_seals[i].name : NULL;
}
