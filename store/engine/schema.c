/*
 * schema.c - the numbered SQL files, inside the program, and how they are applied.
 */
#include "store/engine/schema.h"

#include "processor/base/step.h"
#include "store/engine/engine.h"

/* The Makefile says where it wrote the list (store/schema/list.sh). */
#ifndef MIGRATIONS
#define MIGRATIONS "build/migrations.inc"
#endif

/*
 * The assembler copies each file into the program, with a NUL behind it. C17 has no #embed; the Makefile names
 * the .sql files as dependencies.
 */
#define SQL_FILE(symbol, file)                               \
	__asm__(".pushsection .rodata\n"                     \
	        ".type " #symbol ", @object\n" #symbol ":\n" \
	        ".incbin \"store/schema/" file "\"\n"        \
	        ".byte 0\n"                                  \
	        ".size " #symbol ", . - " #symbol "\n"       \
	        ".popsection\n");                            \
	extern const char symbol[];
#define MIGRATION(name, sqlite, postgresql)
#include MIGRATIONS
#undef SQL_FILE
#undef MIGRATION

const struct migration *migrations(unsigned *n)
{
	static const struct migration all[] = {
#define SQL_FILE(symbol, file)
#define MIGRATION(name, sqlite, postgresql) {name, sqlite, postgresql},
#include MIGRATIONS
	};

	*n = sizeof(all) / sizeof(all[0]);
	return all;
}

/*
 * Leads to `version`, unless another process has been faster; its number is part of the
 * transaction.
 */
static enum err apply(struct store *s, const struct migration *m, unsigned version)
{
	const char *sql = s->engine->is_file ? m->sqlite : m->postgresql;
	struct strbuf end = STRBUF_INIT;
	unsigned now = 0;
	bool ours;
	enum err err;

	if (!sql)
		return ERR_NONE;
	s->engine->note_schema(version, &end);
	strbuf_adds(&end, "; COMMIT");
	err = s->engine->begin(s);
	if (err == ERR_NONE)
		err = s->engine->schema_version(s, &now, &ours);
	if (err != ERR_NONE || now >= version)
		goto out;
	err = db_exec(s, sql);
	if (err == ERR_NONE) {
		step("store.schema.before");
		err = db_exec(s, end.ptr);
		step("store.schema.after");
	}
	if (err != ERR_NONE)
		err_context(&s->failure, "migration %s", m->name);
out:
	db_rollback(s);
	strbuf_release(&end);
	return err;
}

static enum err refuse(struct store *s, unsigned version, unsigned n)
{
	if (version > n)
		return db_fail(
		    s, ERR_UNSUPPORTED,
		    "%s has schema %u, made by a newer molepost; this one knows up to %u",
		    s->path, version, n);
	return db_fail(s, ERR_UNSUPPORTED,
	               "%s has schema %u; `molepost run` will bring it to %u", s->path, version,
	               n);
}

/* Whatever becomes of it, references are looked after behind it. */
enum err schema_upgrade(struct store *s, bool fresh, const struct migration *all, unsigned n)
{
	unsigned version = 0;
	bool ours = false;
	enum err err = ERR_NONE;

	TRY(s->engine->schema_version(s, &version, &ours));
	if (!fresh && !ours)
		return db_fail(s, ERR_INVALID, "%s is no molepost database", s->path);
	if (version > n || (version < n && s->read_only))
		return refuse(s, version, n);
	if (version == n)
		return ERR_NONE;
	if (s->engine->references)
		TRY(s->engine->references(s, false));
	for (; err == ERR_NONE && version < n; version++)
		err = apply(s, &all[version], version + 1);
	if (s->engine->references && s->engine->references(s, true) != ERR_NONE)
		BUG("foreign_keys: %s", s->failure.text.ptr);
	return err;
}
