/*
 * command_line.c - what a subcommand says about its own use.
 */
#include "processor/cli/command_line.h"

#include "processor/outgoing/outgoing.h"

int cli_usage(const struct cli *cli)
{
	fprintf(stderr, "usage: molepost %s\n", cli->command->usage);
	return EXIT_USAGE;
}

int cli_help(const struct cli *cli)
{
	const struct cli_command *c = cli->command;

	fprintf(cli->out, "usage: molepost [-C DIR] %s\n", c->usage);
	if (c->summary != NULL)
		fprintf(cli->out, "\n%s: %s.\nThe whole story: molepost(1).\n", c->name,
		        c->summary);
	return EXIT_DONE;
}

int cli_with_server(struct cli *cli, enum store_mode mode, cli_act *act, void *ctx)
{
	struct server srv;
	enum err rc = server_open(cli->dir, mode, false, outgoing_words, &cli->log, &srv);

	if (rc == ERR_NONE)
		rc = act(cli, &srv, ctx);
	if (rc != ERR_NONE)
		log_warnx(&cli->log, "%s: %s", cli->command->name, server_why(&srv, rc));
	server_close(&srv);
	return err_exit_code(rc);
}

void cli_print_hash(FILE *out, const char *before, const struct hash *d)
{
	struct strbuf hex = STRBUF_INIT;

	hash_add_hex(&hex, d);
	fprintf(out, "%s%s\n", before, hex.ptr);
	strbuf_release(&hex);
}

const char *cli_duration(struct arena *arena, int64_t ms)
{
	return ms < 1000   ? "less than a second"
	       : ms < 2000 ? "1 second"
	                   : arena_printf(arena, "%lld seconds", (long long)(ms / 1000));
}
