/*
 * cmd_export.c - `molepost export PLAYER`: all that is stored about one person, as JSON.
 *
 * An object with one array for each kind of row (store/personal_data.c); molepost(1) says what they
 * are. What is sealed in games that are not over yet is null, for the operator may be playing; --log-it
 * opens it and says so in the public log of each.
 */
#include <string.h>

#include "processor/base/clock.h"
#include "processor/base/num.h"
#include "processor/cli/command_line.h"
#include "reports/json.h"
#include "store/audit.h"
#include "store/games.h"
#include "store/operator/personal_data.h"

struct export_out {
	FILE *out;
	struct strbuf text; /* of the row in hand */
	bool in_part, has_rows, failed;
};

static void put(struct export_out *e)
{
	e->failed = e->failed || fwrite(e->text.ptr, 1, e->text.len, e->out) != e->text.len;
	strbuf_clear(&e->text);
}

static void end_part(struct export_out *e)
{
	if (e->in_part)
		strbuf_adds(&e->text, e->has_rows ? "\n\t]" : "]");
}

static void add_part(void *ctx, const char *part)
{
	struct export_out *e = ctx;

	end_part(e);
	strbuf_addf(&e->text, ",\n\t\"%s\": [", part);
	e->in_part = true;
	e->has_rows = false;
	put(e);
}

static void add_row(void *ctx, const struct personal_cell *cells, size_t n)
{
	struct export_out *e = ctx;

	strbuf_adds(&e->text, e->has_rows ? ",\n\t\t{" : "\n\t\t{");
	for (size_t i = 0; i < n; i++) {
		json_add_name(&e->text, cells[i].name);
		size_t name_len = strlen(cells[i].name);
		const char *utc = "_utc";

		if (cells[i].kind == CELL_NONE) {
			strbuf_adds(&e->text, "null");
		} else if (cells[i].kind == CELL_TEXT) {
			json_add_string(&e->text, cells[i].text);
		} else if (name_len > 4 && strcmp(cells[i].name + name_len - 4, utc) == 0 &&
		           !span_eq_str(cells[i].text, "0")) {
			struct strbuf at = STRBUF_INIT;
			int64_t t = 0;

			(void)num_parse_i64(cells[i].text, INT64_MIN, INT64_MAX, &t);
			utc_format_iso(&at, t);
			json_add_string(&e->text, strbuf_span(&at));
			strbuf_release(&at);
		} else {
			strbuf_add_span(&e->text, cells[i].text);
		}
	}
	strbuf_addc(&e->text, '}');
	e->has_rows = true;
	put(e);
}

static enum err log_the_look(struct server *srv, void *ctx)
{
	const struct player *p = ctx;
	struct game *games;
	size_t n;

	TRY(game_list_of_player(srv->store, p->id, GAMES_LIVE, srv->arena, &games, &n));
	for (size_t i = 0; i < n; i++)
		TRY(audit_add(srv->store, games[i].id, 0, "operator", true, srv->now_utc,
		              "sealed orders were looked at (export)"));
	return ERR_NONE;
}

/* ctx: the words of the command line. */
static enum err write_person(struct cli *cli, struct server *srv, void *ctx)
{
	char **words = ctx;
	bool sealed = words[2] != NULL;
	struct export_out e = {.out = cli->out, .text = STRBUF_INIT};
	struct personal_visitor v = {.part = add_part, .row = add_row, .ctx = &e};
	struct player p;

	TRY(find_player(srv, words[sealed ? 2 : 1], &p));
	if (sealed)
		TRY(admin_write(srv, log_the_look, &p));
	strbuf_adds(&e.text, "{\n\t\"format\": \"molepost person 1\",\n\t\"written\": \"");
	utc_format_iso(&e.text, srv->now_utc);
	strbuf_addc(&e.text, '"');
	struct arena *arena = arena_new();
	enum err rc = personal_data(srv->store, p.id, sealed, arena, &v);
	arena_free(arena);
	if (rc == ERR_NONE) {
		end_part(&e);
		strbuf_adds(&e.text, "\n}\n");
		put(&e);
		if (e.failed || fflush(cli->out) != 0)
			rc = err_set_errno(&srv->fail, ERR_IO, "writing what is stored");
	}
	strbuf_release(&e.text);
	return rc;
}

int cmd_export(struct cli *cli, int argc, char **argv)
{
	bool sealed = argc == 3 && strcmp(argv[1], "--log-it") == 0;

	if (!(argc == 2 && argv[1][0] != '-') && !sealed)
		return cli_usage(cli);
	return cli_with_server(cli, sealed ? STORE_READ_WRITE : STORE_READ_ONLY, write_person,
	                       argv);
}
