/*
 * test_postgres.c - the SQL of the store, looked at by PostgreSQL: how far it is from running there.
 *
 * The tables in PostgreSQL's types, and each statement prepared with nothing changed but placeholders. What is
 * refused is what the second engine will have to say otherwise; it may only become less.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "tests/support/table.h"

enum { REFUSED_MOST = 13, STATEMENTS_LEAST = 320 };

Test(postgres, prepares_the_statements_of_the_store, .timeout = 120)
{
	struct site *s = site_new("postgres");
	char *database = site_path(s, "molepost.db");
	struct strbuf command = STRBUF_INIT, said = STRBUF_INIT;
	char line[8192];
	unsigned prepared = 0, refused = 0;

	strbuf_addf(&command, "tests/support/pg-prepare.sh '%s' 2>&1", database);
	FILE *out = popen(command.ptr, "r");
	cr_assert_not_null(out);
	while (fgets(line, sizeof(line), out)) {
		strbuf_adds(&said, line);
		(void)sscanf(line, "%u prepared, %u refused", &prepared, &refused);
	}
	int status = pclose(out);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		cr_skip_test("there is no PostgreSQL here");
	cr_expect_eq(status, 0, "%s", said.ptr);
	cr_expect_geq(prepared + refused, STATEMENTS_LEAST, "%s", said.ptr);
	cr_expect_leq(refused, REFUSED_MOST, "%s", said.ptr);
	printf("postgres: %u prepared, %u refused\n", prepared, refused);
	strbuf_release(&command);
	strbuf_release(&said);
	free(database);
	site_free(s);
}
