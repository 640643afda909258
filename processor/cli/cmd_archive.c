/*
 * cmd_archive.c - `molepost archive W1`: the game's record on standard output.
 */
#include "processor/cli/command_line.h"
#include "processor/commandtext/command_text.h"
#include "processor/match/match_record.h"
#include "processor/outgoing/outgoing.h"

#include "processor/base/banned.h"

static enum err print_archive(struct cli *cli, struct server *srv, int64_t game)
{
	struct match match;
	struct strbuf text = STRBUF_INIT;
	enum err rc = match_load(srv, game, srv->arena, &match);

	if (rc == ERR_NOT_FOUND)
		rc = err_set(&srv->fail, rc, "there is no game number %lld here",
		             (long long)game);
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
	struct server srv;
	int64_t game;
	char letter;

	if (argc != 2 || !parse_game_id(span_of(argv[1]), &game, &letter))
		return cli_usage(cli);
	enum err rc =
	    server_open(cli->dir, STORE_READ_ONLY, false, outgoing_words, &cli->log, &srv);
	if (rc == ERR_NONE)
		rc = match_check_letter(&srv, game, letter);
	if (rc == ERR_NONE)
		rc = print_archive(cli, &srv, game);
	if (rc != ERR_NONE)
		log_warnx(&cli->log, "archive: %s", server_why(&srv, rc));
	server_close(&srv);
	return err_exit_code(rc);
}
