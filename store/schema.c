/*
 * schema.c - the numbered SQL files, inside the program, and how they are applied.
 */
#include "store/schema.h"

#include "processor/base/step.h"

/*
 * The assembler copies the file into the program, with a NUL behind it. C17 has no #embed, and this
 * needs neither a generated file nor a tool; the Makefile names the .sql files as dependencies.
 */
#define SCHEMA_FILE(symbol, file)                                                             \
	__asm__(".pushsection .rodata\n"                                                      \
	        ".globl " #symbol "\n"                                                        \
	        ".type " #symbol ", @object\n" #symbol ":\n"                                  \
	        ".incbin \"store/schema/" file ".sql\"\n"                                     \
	        ".byte 0\n"                                                                   \
	        ".size " #symbol ", . - " #symbol "\n"                                        \
	        ".popsection\n");                                                             \
	extern const char symbol[]

SCHEMA_FILE(schema_sql_001, "001-foundation");

const struct schema_step *schema_steps(unsigned *n)
{
	static const struct schema_step steps[] = {
		{ "001-foundation", schema_sql_001 },
	};

	*n = sizeof(steps) / sizeof(steps[0]);
	return steps;
}

static enum err read_pragma(struct store *s, const char *sql, int64_t *value)
{
	struct query q = db_read(s, sql);

	if (db_next(&q))
		*value = col_int(&q);
	return db_end(&q);
}

/* One step; the version number is part of its transaction. */
static enum err apply(struct store *s, const struct schema_step *step_now, unsigned version)
{
	struct strbuf end = STRBUF_INIT;
	enum err err;

	strbuf_addf(&end, "PRAGMA application_id = %d; PRAGMA user_version = %u; COMMIT",
	            SCHEMA_APPLICATION_ID, version);
	err = db_exec(s, "BEGIN IMMEDIATE");
	if (err != ERR_NONE)
		goto out;
	err = db_exec(s, step_now->sql);
	if (err == ERR_NONE) {
		step("store.schema.before");
		err = db_exec(s, end.ptr);
	}
	if (err != ERR_NONE) {
		if (db_is_open_tx(s))
			db_exec_quietly(s, "ROLLBACK");
		err_context(&s->failure, "schema step %s", step_now->name);
	} else {
		step("store.schema.after");
	}
out:
	strbuf_release(&end);
	return err;
}

enum err schema_upgrade(struct store *s, const struct schema_step *steps, unsigned n)
{
	int64_t version = 0;
	int64_t application = 0;
	enum err err = read_pragma(s, "PRAGMA user_version", &version);

	if (err == ERR_NONE)
		err = read_pragma(s, "PRAGMA application_id", &application);
	if (err != ERR_NONE)
		return err;
	if (application != SCHEMA_APPLICATION_ID && !(application == 0 && version == 0))
		return db_fail(s, ERR_INVALID, "%s is no molepost database", s->path);
	if (version > n)
		return db_fail(s, ERR_UNSUPPORTED,
		               "%s has schema %lld, made by a newer molepost; this one knows up to %u",
		               s->path, (long long)version, n);
	if (version < n && s->read_only)
		return db_fail(s, ERR_UNSUPPORTED,
		               "%s has schema %lld; `molepost run` will bring it to %u", s->path,
		               (long long)version, n);
	while (err == ERR_NONE && version < n) {
		err = apply(s, &steps[version], (unsigned)version + 1);
		version++;
	}
	return err;
}
