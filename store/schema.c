/*
 * schema.c - the numbered SQL files, inside the program, and how they are applied.
 */
#include "store/schema.h"

#include "processor/base/step.h"

/*
 * The assembler copies the file into the program, with a NUL behind it. C17 has no #embed, and
 * this needs neither a generated file nor a tool; the Makefile names the .sql files as
 * dependencies.
 */
#define SCHEMA_FILE(symbol, file)                            \
	__asm__(".pushsection .rodata\n"                     \
	        ".globl " #symbol "\n"                       \
	        ".type " #symbol ", @object\n" #symbol ":\n" \
	        ".incbin \"store/schema/" file ".sql\"\n"    \
	        ".byte 0\n"                                  \
	        ".size " #symbol ", . - " #symbol "\n"       \
	        ".popsection\n");                            \
	extern const char symbol[]

SCHEMA_FILE(schema_sql_001, "001-foundation");
SCHEMA_FILE(schema_sql_002, "002-zones");
SCHEMA_FILE(schema_sql_003, "003-bounces");
SCHEMA_FILE(schema_sql_004, "004-speakers");
SCHEMA_FILE(schema_sql_005, "005-sender-days");
SCHEMA_FILE(schema_sql_006, "006-delivery");
SCHEMA_FILE(schema_sql_007, "007-mailboxes");
SCHEMA_FILE(schema_sql_008, "008-question-mails");
SCHEMA_FILE(schema_sql_009, "009-refusals");
SCHEMA_FILE(schema_sql_010, "010-origins");
SCHEMA_FILE(schema_sql_011, "011-press");
SCHEMA_FILE(schema_sql_012, "012-clocks");
SCHEMA_FILE(schema_sql_013, "013-absence");
SCHEMA_FILE(schema_sql_014, "014-masters");
SCHEMA_FILE(schema_sql_015, "015-starts");
SCHEMA_FILE(schema_sql_016, "016-digest");
SCHEMA_FILE(schema_sql_017, "017-outage");
SCHEMA_FILE(schema_sql_018, "018-ratings");
SCHEMA_FILE(schema_sql_019, "019-standing");
SCHEMA_FILE(schema_sql_020, "020-sender-days-by-day");
SCHEMA_FILE(schema_sql_021, "021-outlines");

const struct schema_step *schema_steps(unsigned *n)
{
	static const struct schema_step steps[] = {
	    {"001-foundation", schema_sql_001},  {"002-zones", schema_sql_002},
	    {"003-bounces", schema_sql_003},     {"004-speakers", schema_sql_004},
	    {"005-sender-days", schema_sql_005}, {"006-delivery", schema_sql_006},
	    {"007-mailboxes", schema_sql_007},   {"008-question-mails", schema_sql_008},
	    {"009-refusals", schema_sql_009},    {"010-origins", schema_sql_010},
	    {"011-press", schema_sql_011},       {"012-clocks", schema_sql_012},
	    {"013-absence", schema_sql_013},     {"014-masters", schema_sql_014},
	    {"015-starts", schema_sql_015},      {"016-digest", schema_sql_016},
	    {"017-outage", schema_sql_017},      {"018-ratings", schema_sql_018},
	    {"019-standing", schema_sql_019},    {"020-sender-days-by-day", schema_sql_020},
	    {"021-outlines", schema_sql_021},
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

/*
 * Leads to `version`, unless another process has been faster; its number is part of the
 * transaction.
 */
static enum err apply(struct store *s, const struct schema_step *todo, unsigned version)
{
	struct strbuf end = STRBUF_INIT;
	int64_t now = 0;
	enum err err;

	strbuf_addf(&end, "PRAGMA application_id = %d; PRAGMA user_version = %u; COMMIT",
	            SCHEMA_APPLICATION_ID, version);
	err = db_exec(s, "BEGIN IMMEDIATE");
	if (err == ERR_NONE)
		err = read_pragma(s, "PRAGMA user_version", &now);
	if (err != ERR_NONE || now >= version)
		goto out;
	err = db_exec(s, todo->sql);
	if (err == ERR_NONE) {
		step("store.schema.before");
		err = db_exec(s, end.ptr);
		step("store.schema.after");
	}
	if (err != ERR_NONE)
		err_context(&s->failure, "schema step %s", todo->name);
out:
	db_rollback(s);
	strbuf_release(&end);
	return err;
}

static enum err refuse(struct store *s, int64_t version, unsigned n)
{
	if (version > n)
		return db_fail(
		    s, ERR_UNSUPPORTED,
		    "%s has schema %lld, made by a newer molepost; this one knows up to %u",
		    s->path, (long long)version, n);
	return db_fail(s, ERR_UNSUPPORTED,
	               "%s has schema %lld; `molepost run` will bring it to %u", s->path,
	               (long long)version, n);
}

enum err schema_upgrade(struct store *s, bool fresh, const struct schema_step *steps,
                        unsigned n)
{
	int64_t version = 0;
	int64_t application = 0;
	enum err err = read_pragma(s, "PRAGMA user_version", &version);

	if (err == ERR_NONE)
		err = read_pragma(s, "PRAGMA application_id", &application);
	if (err != ERR_NONE)
		return err;
	if (!fresh && application != SCHEMA_APPLICATION_ID)
		return db_fail(s, ERR_INVALID, "%s is no molepost database", s->path);
	if (version > n || (version < n && s->read_only))
		return refuse(s, version, n);
	for (; err == ERR_NONE && version < n; version++)
		err = apply(s, &steps[version], (unsigned)version + 1);
	return err;
}
