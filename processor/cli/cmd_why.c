/*
 * cmd_why.c - `molepost why MESSAGE-ID`: the history of one mail.
 *
 * Takes the Message-ID of a mail that came in, or of one that went out; for mail without one, the
 * name under which it lay in its mailbox. Shows when it
 * arrived, who it was taken for, what became of it and what was sent because of
 * it. Prints no order text.
 */
#include "processor/cli/command_line.h"
#include "processor/outgoing/mail_history.h"
#include "processor/server/server.h"
#include "processor/server/zones.h"
#include "store/games.h"
#include "store/inbox.h"
#include "store/outbox.h"
#include "store/players.h"

static const char *game_name(struct server *srv, int64_t id)
{
	struct game g;

	if (id == 0 || game_get(srv->store, id, srv->arena, &g) != ERR_NONE)
		return "no game";
	return game_id_text(&g, srv->arena);
}

/* ctx: the name as it was typed. */
static enum err history(struct cli *cli, struct server *srv, void *ctx)
{
	const char *name = ctx;
	struct span id =
	    span_of(name[0] == '<' ? name : arena_printf(srv->arena, "<%s>", name));
	struct inbox_mail *in;
	struct outbox_mail out;
	size_t n, different = 0;

	TRY(inbox_by_message_id(srv->store, id, srv->arena, &in, &n));

	/*
	 * A Message-ID is the sender's to choose: what else carried it was no repetition, and was
	 * dealt with.
	 */
	for (size_t i = 0; i < n; i++)
		different += !span_eq_str(in[i].verdict, "duplicate");
	if (different > 1)
		fprintf(cli->out,
		        "%zu mails with different contents carried this Message-ID; each was "
		        "dealt with\n",
		        different);
	if (n == 0)
		TRY(inbox_by_transport_id(srv->store, span_of(name), srv->arena, &in, &n));
	for (size_t i = 0; i < n; i++) {
		struct outbox_mail *sent;
		size_t nsent;

		fprintf(cli->out, "came in %s by %.*s as %.*s\n",
		        zone_human(NULL, in[i].arrived_utc, srv->arena),
		        SPAN_ARGS(in[i].source), SPAN_ARGS(in[i].transport_id));
		fprintf(cli->out, "  dealt with %s as mail %lld: %.*s (%.*s)\n",
		        zone_human(NULL, in[i].handled_utc, srv->arena), (long long)in[i].id,
		        SPAN_ARGS(in[i].verdict), SPAN_ARGS(in[i].detail));
		if (in[i].player)
			fprintf(cli->out, "  from player %lld, about %s",
			        (long long)in[i].player, game_name(srv, in[i].game));
		else
			fprintf(cli->out, "  from nobody known, about %s",
			        game_name(srv, in[i].game));
		if (in[i].seat)
			fprintf(cli->out, ", seat %u, serial %u", in[i].seat, in[i].serial);
		fprintf(cli->out, "\n");
		TRY(outbox_by_cause(srv->store, in[i].id, srv->arena, &sent, &nsent));
		fprintf(cli->out,
		        nsent == 1 ? "  %zu mail was sent because of it\n"
		                   : "  %zu mails were sent because of it\n",
		        nsent);
		for (size_t k = 0; k < nsent; k++)
			TRY(mail_history_print(cli->out, srv, &sent[k]));
	}
	enum err rc = outbox_by_message_id(srv->store, id, srv->arena, &out);
	if (rc == ERR_NONE) {
		fprintf(cli->out, "sent by this server about %s, seat %u, serial %u\n",
		        game_name(srv, out.game), out.seat, out.serial);
		return mail_history_print(cli->out, srv, &out);
	}
	if (rc != ERR_NOT_FOUND || n > 0)
		return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
	return err_set(
	    &srv->fail, ERR_NOT_FOUND,
	    "no mail with this Message-ID has been read or sent; mail that is still in the "
	    "inbox is dealt with by the next run");
}

int cmd_why(struct cli *cli, int argc, char **argv)
{
	return argc == 2 ? cli_with_server(cli, STORE_READ_ONLY, history, argv[1])
	                 : cli_usage(cli);
}
