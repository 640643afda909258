/*
 * postgresql.c - databases on the PostgreSQL of a test run.
 */
#include "tests/support/postgresql.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "processor/base/err.h"
#include "processor/base/strbuf.h"
#include "store/engine/db.h"

static const char *folder(void)
{
	return getenv("MOLEPOST_POSTGRESQL");
}

bool on_postgresql(void)
{
	return folder() != NULL;
}

static char *url_of(const char *database)
{
	struct strbuf url = STRBUF_INIT;

	strbuf_addf(&url, "postgresql://store@/%s?host=%s", database, folder());
	return strbuf_detach(&url);
}

void postgresql_exec(const char *url, const char *sql)
{
	struct failure e = ERR_INIT;
	struct store *s;

	if (db_open(url, false, &s, &e) != ERR_NONE)
		BUG("%s", e.text.ptr);
	if (db_exec(s, sql) != ERR_NONE)
		BUG("%s: %s", sql, store_error(s)->text.ptr);
	db_close(s);
	err_release(&e);
}

int64_t postgresql_number(const char *url, const char *sql)
{
	struct failure e = ERR_INIT;
	struct store *s;
	int64_t number = 0;

	if (db_open(url, false, &s, &e) != ERR_NONE)
		BUG("%s", e.text.ptr);
	struct query q = db_read_text(s, sql);
	if (db_next(&q))
		number = col_int(&q);
	if (db_end(&q) != ERR_NONE)
		BUG("%s: %s", sql, store_error(s)->text.ptr);
	db_close(s);
	err_release(&e);
	return number;
}

/* By whoever may: in the database that every server has. */
static void carry_out(const char *verb, const char *database)
{
	struct strbuf text = STRBUF_INIT;
	char *url = url_of("postgres");

	strbuf_addf(&text, "%s DATABASE %s", verb, database);
	postgresql_exec(url, text.ptr);
	strbuf_release(&text);
	free(url);
}

char *postgresql_new_with(const char *words)
{
	static unsigned count;
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "test_%ld_%u", (long)getpid(), ++count);
	char *url = url_of(text.ptr);
	strbuf_addf(&text, " %s", words);
	carry_out("CREATE", text.ptr);
	strbuf_release(&text);
	return url;
}

char *postgresql_new(void)
{
	return postgresql_new_with("");
}

/* What stands between the last / before the ? and that; in a buffer of this function. */
static const char *name_in(const char *url)
{
	static char name[40];
	size_t end = strcspn(url, "?"), begin = end;

	while (begin > 0 && url[begin - 1] != '/')
		begin--;
	snprintf(name, sizeof name, "%.*s", (int)(end - begin), url + begin);
	return name;
}

char *postgresql_copy(const char *url)
{
	struct strbuf from = STRBUF_INIT;

	strbuf_addf(&from, "TEMPLATE %s", name_in(url));
	char *copy = postgresql_new_with(from.ptr);
	strbuf_release(&from);
	return copy;
}

void postgresql_drop(const char *url)
{
	carry_out("DROP", name_in(url));
}
