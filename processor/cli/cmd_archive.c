/*
 * cmd_archive.c - `molepost archive W1`: the game's record on standard output; `molepost import FILE`:
 * that of a finished game comes back into the database.
 */
#include "processor/cli/admin_write.h"
#include "processor/cli/archive_file.h"
#include "processor/cli/command_line.h"
#include "processor/commandtext/command_text.h"
#include "processor/match/import.h"
#include "processor/match/match_record.h"
#include "processor/outgoing/outgoing.h"

int cmd_archive(struct cli *cli, int argc, char **argv)
{
	struct server srv;
	int64_t game;
	char letter;

	if (argc != 2 || !parse_game_id(span_of(argv[1]), &game, &letter))
		return cli_usage(cli);
	enum err rc =
	    server_open(cli->dir, STORE_READ_ONLY, false, outgoing_words, &cli->log, &srv);
	if (rc == ERR_NONE)
		rc = match_check_letter(&srv, game, letter);
	if (rc == ERR_NONE) {
		struct match match;
		struct strbuf text = STRBUF_INIT;
		rc = match_load(&srv, game, srv.arena, &match);

		if (rc == ERR_NOT_FOUND)
			rc = err_set(&srv.fail, rc, "there is no game number %lld here",
			             (long long)game);
		else if (rc == ERR_NONE)
			rc = record_text(&srv, &match, &text);
		if (rc == ERR_NONE && fwrite(text.ptr, 1, text.len, cli->out) != text.len)
			rc = err_set_errno(&srv.fail, ERR_IO, "writing the archive");
		match_release(&match);
		strbuf_release(&text);
	}
	if (rc != ERR_NONE)
		log_warnx(&cli->log, "archive: %s", server_why(&srv, rc));
	server_close(&srv);
	return err_exit_code(rc);
}

static enum err act_import(struct server *srv, void *ctx)
{
	return import_write(srv, ctx);
}

int cmd_import(struct cli *cli, int argc, char **argv)
{
	struct server srv;

	if (argc != 2)
		return cli_usage(cli);
	enum err rc =
	    server_open(cli->dir, STORE_READ_WRITE, false, outgoing_words, &cli->log, &srv);
	if (rc == ERR_NONE) {
		struct strbuf text = STRBUF_INIT;
		struct importing i = {0};
		rc = archive_load(argv[1], cli->in, &text, &srv.fail);

		if (rc == ERR_NONE)
			rc = import_read(&srv, strbuf_span(&text), &i);
		if (rc == ERR_NONE)
			rc = admin_write(&srv, act_import, &i);
		if (rc == ERR_NONE) {
			const struct record *r = archive_record(i.archive);
			const char *was = arena_cstr(srv.arena, span_of(r->game));
			bool same = span_eq_str(span_of(i.id), was);

			fprintf(cli->out, "%s, %s for %u, is here as %s: %zu turns, %s.\n", was,
			        archive_rules(i.archive)->title, r->nseats, i.id, r->nturns - 1,
			        r->end_status);
			if (!same)
				fprintf(cli->out, "It got a new number because %s.\n",
				        i.own_key > 0
				            ? "another game here has its old one"
				            : "numbers of other servers do not count here");
			fprintf(
			    cli->out,
			    "%s\nTo look at it: molepost game show %s. To go on from its beginning "
			    "players write: fork %s at 0\n",
			    (!i.is_signed ? "Nobody has signed that record."
			     : i.own_key > 0
			         ? "This server signed that record."
			         : "Another server signed that record; molepost verify shows its "
			           "key."),
			    i.id, i.id);
		}
		import_release(&i);
		strbuf_release(&text);
	}
	if (rc != ERR_NONE)
		log_warnx(&cli->log, "import: %s", server_why(&srv, rc));
	server_close(&srv);
	return err_exit_code(rc);
}
