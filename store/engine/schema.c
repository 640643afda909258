/*
 * schema.c - the numbered SQL files, inside the program, and how they are applied.
 */
#include "store/engine/schema.h"

#include "processor/base/step.h"
#include "store/engine/engine.h"

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
SCHEMA_FILE(schema_sql_022, "022-light-rows");
SCHEMA_FILE(schema_sql_023, "023-mail-identity");
SCHEMA_FILE(schema_sql_024, "024-meant");
SCHEMA_FILE(schema_sql_025, "025-troubles");
SCHEMA_FILE(schema_sql_026, "026-retention");
SCHEMA_FILE(schema_sql_027, "027-keys");
SCHEMA_FILE(schema_sql_028, "028-mail-form");
SCHEMA_FILE(schema_sql_029, "029-record-2");
SCHEMA_FILE(schema_sql_030, "030-provenance");
SCHEMA_FILE(schema_sql_031, "031-motions");
SCHEMA_FILE(schema_sql_032, "032-nudges");
SCHEMA_FILE(schema_sql_033, "033-thanks");
SCHEMA_FILE(schema_sql_034, "034-invites");
SCHEMA_FILE(schema_sql_035, "035-ready");
SCHEMA_FILE(schema_sql_036, "036-vacant");
SCHEMA_FILE(schema_sql_037, "037-co-masters");
SCHEMA_FILE(schema_sql_038, "038-stand-ins");
SCHEMA_FILE(schema_sql_039, "039-option-texts");
SCHEMA_FILE(schema_sql_040, "040-open-turns");
SCHEMA_FILE(schema_sql_041, "041-guests");
SCHEMA_FILE(schema_sql_042, "042-numbers");
SCHEMA_FILE(schema_sql_043, "043-names");
/* No store on PostgreSQL is older than this. */
SCHEMA_FILE(schema_postgresql_039, "postgresql/039-all");
SCHEMA_FILE(schema_postgresql_040, "postgresql/040-open-turns");
SCHEMA_FILE(schema_postgresql_041, "postgresql/041-guests");
SCHEMA_FILE(schema_postgresql_042, "postgresql/042-numbers");
SCHEMA_FILE(schema_postgresql_043, "postgresql/043-names");

const struct schema_step *schema_steps(unsigned *n)
{
	static const struct schema_step steps[] = {
	    {.name = "001-foundation", .sql = schema_sql_001},
	    {.name = "002-zones", .sql = schema_sql_002},
	    {.name = "003-bounces", .sql = schema_sql_003},
	    {.name = "004-speakers", .sql = schema_sql_004},
	    {.name = "005-sender-days", .sql = schema_sql_005},
	    {.name = "006-delivery", .sql = schema_sql_006},
	    {.name = "007-mailboxes", .sql = schema_sql_007},
	    {.name = "008-question-mails", .sql = schema_sql_008},
	    {.name = "009-refusals", .sql = schema_sql_009},
	    {.name = "010-origins", .sql = schema_sql_010},
	    {.name = "011-press", .sql = schema_sql_011},
	    {.name = "012-clocks", .sql = schema_sql_012},
	    {.name = "013-absence", .sql = schema_sql_013},
	    {.name = "014-masters", .sql = schema_sql_014},
	    {.name = "015-starts", .sql = schema_sql_015},
	    {.name = "016-digest", .sql = schema_sql_016},
	    {.name = "017-outage", .sql = schema_sql_017},
	    {.name = "018-ratings", .sql = schema_sql_018},
	    {.name = "019-standing", .sql = schema_sql_019},
	    {.name = "020-sender-days-by-day", .sql = schema_sql_020},
	    {.name = "021-outlines", .sql = schema_sql_021},
	    {.name = "022-light-rows", .sql = schema_sql_022, .replaces = true},
	    {.name = "023-mail-identity", .sql = schema_sql_023},
	    {.name = "024-meant", .sql = schema_sql_024, .replaces = true},
	    {.name = "025-troubles", .sql = schema_sql_025},
	    {.name = "026-retention", .sql = schema_sql_026},
	    {.name = "027-keys", .sql = schema_sql_027},
	    {.name = "028-mail-form", .sql = schema_sql_028},
	    {.name = "029-record-2", .sql = schema_sql_029},
	    {.name = "030-provenance", .sql = schema_sql_030},
	    {.name = "031-motions", .sql = schema_sql_031},
	    {.name = "032-nudges", .sql = schema_sql_032},
	    {.name = "033-thanks", .sql = schema_sql_033},
	    {.name = "034-invites", .sql = schema_sql_034},
	    {.name = "035-ready", .sql = schema_sql_035},
	    {.name = "036-vacant", .sql = schema_sql_036},
	    {.name = "037-co-masters", .sql = schema_sql_037},
	    {.name = "038-stand-ins", .sql = schema_sql_038},
	    {.name = "039-option-texts",
	     .sql = schema_sql_039,
	     .postgresql = schema_postgresql_039},
	    {.name = "040-open-turns",
	     .sql = schema_sql_040,
	     .postgresql = schema_postgresql_040},
	    {.name = "041-guests",
	     .sql = schema_sql_041,
	     .postgresql = schema_postgresql_041,
	     .replaces = true},
	    {.name = "042-numbers", .sql = schema_sql_042, .postgresql = schema_postgresql_042},
	    {.name = "043-names", .sql = schema_sql_043, .postgresql = schema_postgresql_043},
	};

	*n = sizeof(steps) / sizeof(steps[0]);
	return steps;
}

/*
 * Leads to `version`, unless another process has been faster; its number is part of the
 * transaction.
 */
static enum err apply(struct store *s, const struct schema_step *todo, unsigned version)
{
	const char *sql = s->engine->step_sql(todo);
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
		err_context(&s->failure, "schema step %s", todo->name);
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

/* Whatever becomes of the step, references are looked after behind it. */
static enum err apply_replacing(struct store *s, const struct schema_step *todo,
                                unsigned version)
{
	enum err err = s->engine->references(s, false);

	if (err != ERR_NONE)
		return err;
	err = apply(s, todo, version);
	if (s->engine->references(s, true) != ERR_NONE)
		BUG("foreign_keys: %s", s->failure.text.ptr);
	return err;
}

enum err schema_upgrade(struct store *s, bool fresh, const struct schema_step *steps,
                        unsigned n)
{
	unsigned version = 0;
	bool ours = false;
	enum err err = s->engine->schema_version(s, &version, &ours);

	if (err != ERR_NONE)
		return err;
	if (!fresh && !ours)
		return db_fail(s, ERR_INVALID, "%s is no molepost database", s->path);
	if (version > n || (version < n && s->read_only))
		return refuse(s, version, n);
	for (; err == ERR_NONE && version < n; version++)
		err = steps[version].replaces ? apply_replacing(s, &steps[version], version + 1)
		                              : apply(s, &steps[version], version + 1);
	return err;
}
