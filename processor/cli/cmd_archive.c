/*
 * cmd_archive.c - `molepost archive W1`: the game's record on standard output; `molepost import FILE`:
 * that of a finished game comes back into the database.
 */
#include <string.h>

#include "processor/cli/command_line.h"
#include "processor/commandtext/command_text.h"
#include "processor/match/import.h"
#include "processor/match/match_record.h"

struct game_named {
	int64_t game;
	char letter;
};

static enum err print_archive(struct cli *cli, struct server *srv, void *ctx)
{
	const struct game_named *named = ctx;
	struct strbuf text = STRBUF_INIT;
	struct match match;

	TRY(match_check_letter(srv, named->game, named->letter));
	enum err rc = match_load(srv, named->game, srv->arena, &match);
	if (rc == ERR_NOT_FOUND)
		rc = err_set(&srv->fail, rc, "there is no game number %lld here",
		             (long long)named->game);
	else if (rc == ERR_NONE)
		rc = record_text(srv, &match, &text);
	if (rc == ERR_NONE && fwrite(text.ptr, 1, text.len, cli->out) != text.len)
		rc = err_set_errno(&srv->fail, ERR_IO, "writing the archive");
	match_release(&match);
	strbuf_release(&text);
	return rc;
}

int cmd_archive(struct cli *cli, int argc, char **argv)
{
	struct game_named named = {0};

	return argc == 2 && parse_game_id(span_of(argv[1]), &named.game, &named.letter)
	           ? cli_with_server(cli, STORE_READ_ONLY, print_archive, &named)
	           : cli_usage(cli);
}

static enum err act_import(struct server *srv, void *ctx)
{
	return import_write(srv, ctx);
}

static enum err import(struct cli *cli, struct server *srv, void *path)
{
	struct strbuf text = STRBUF_INIT;
	struct importing i = {0};
	enum err rc = archive_load(path, cli->in, &text, &srv->fail);

	if (rc == ERR_NONE)
		rc = import_read(srv, strbuf_span(&text), &i);
	if (rc == ERR_NONE)
		rc = admin_write(srv, act_import, &i);
	if (rc == ERR_NONE) {
		const struct record *r = archive_record(i.archive);

		fprintf(cli->out, "%s, %s for %u, is here as %s: %zu turns, %s.\n", r->game,
		        archive_rules(i.archive)->title, r->nseats, i.id, r->nturns - 1,
		        r->end_status);
		if (strcmp(i.id, r->game) != 0)
			fprintf(cli->out, "It got a new number because %s.\n",
			        i.own_key > 0 ? "another game here has its old one"
			                      : "numbers of other servers do not count here");
		fprintf(
		    cli->out,
		    "%s\nTo look at it: molepost game show %s. To go on from its beginning "
		    "players write: fork %s at 0\n",
		    !i.is_signed ? "Nobody has signed that record."
		    : i.own_key > 0
			? "This server signed that record."
			: "Another server signed that record; molepost verify shows its key.",
		    i.id, i.id);
	}
	import_release(&i);
	strbuf_release(&text);
	return rc;
}

int cmd_import(struct cli *cli, int argc, char **argv)
{
	return argc == 2 ? cli_with_server(cli, STORE_READ_WRITE, import, argv[1])
	                 : cli_usage(cli);
}
