/*
 * cmd_outbox.c - `molepost outbox list|retry|drop`: mail that did not get through.
 *
 * A mail is named by its number, as list shows it, or by its Message-ID. Retrying begins the
 * series of attempts anew and lifts what is held against the address; dropping ends it and
 * keeps the mail, so that its player can still ask for it with RESEND.
 */
#include <string.h>

#include "processor/base/num.h"
#include "processor/cli/command_line.h"
#include "processor/outgoing/mail_history.h"
#include "processor/server/server.h"
#include "store/audit.h"
#include "store/bounces.h"

enum { LIST_MAX = 10000 };

static enum err list_all(struct cli *cli, struct server *srv, void *ctx)
{
	struct outbox_mail *mails;
	size_t n;

	(void)ctx;
	TRY(outbox_unsent(srv->store, 0, LIST_MAX, srv->arena, &mails, &n));
	for (size_t i = 0; i < n; i++)
		TRY(mail_history_print(cli->out, srv, &mails[i]));
	if (n == 0)
		fprintf(cli->out, "Every mail has got through.\n");
	return ERR_NONE;
}

static enum err find(struct server *srv, const char *name, struct outbox_mail *out)
{
	const char *id = name[0] == '<' ? name : arena_printf(srv->arena, "<%s>", name);
	uint64_t number;
	enum err rc;

	if (num_parse_u64(span_of(name), INT64_MAX, &number))
		rc = outbox_by_id(srv->store, (int64_t)number, srv->arena, out);
	else
		rc = outbox_by_message_id(srv->store, span_of(id), srv->arena, out);
	if (rc != ERR_NOT_FOUND)
		return rc;
	return err_set(&srv->fail, rc, "no mail '%s' in the outbox; see: molepost outbox list",
	               name);
}

static enum err change_one(struct cli *cli, struct server *srv, bool retry,
                           const struct outbox_mail *m)
{
	enum err rc = retry ? outbox_try_again(srv->store, m->id)
	                    : outbox_put_aside(srv->store, m->id);

	if (rc == ERR_NOT_FOUND)
		return err_set(&srv->fail, ERR_INVALID,
		               "mail %lld is %s: only one that waits or was given up can be "
		               "%s",
		               (long long)m->id, outbox_state_name(m->state),
		               retry ? "tried again" : "dropped");
	TRY(rc);
	if (retry) /* where nothing is sent, nothing can be tried */
		TRY(bounce_forgive(srv->store, m->rcpt));
	fprintf(cli->out, "mail %lld %s\n", (long long)m->id,
	        retry ? "goes out again with the next run" : "is put aside");
	return audit_add(srv->store, 0, 0, "operator", false, srv->now_utc,
	                 arena_printf(srv->arena, "outbox mail %lld: %s", (long long)m->id,
	                              retry ? "retry" : "drop"));
}

static enum err change(struct cli *cli, struct server *srv, bool retry, const char *name)
{
	struct outbox_mail m;

	if (strcmp(name, "all") == 0) {
		struct outbox_mail *mails;
		size_t n, done = 0;

		TRY(outbox_unsent(srv->store, 0, LIST_MAX, srv->arena, &mails, &n));
		/* "retry all" takes what waits as well; "drop all" only what was given up. */
		for (size_t i = 0; i < n; i++) {
			if (!(mails[i].state == OUTBOX_DEAD ||
			      (retry && (mails[i].state == OUTBOX_RETRY ||
			                 mails[i].state == OUTBOX_MAYBE))))
				continue;
			TRY(change_one(cli, srv, retry, &mails[i]));
			done++;
		}
		if (done == 0)
			fprintf(cli->out, "There is no such mail.\n");
		return ERR_NONE;
	}
	TRY(find(srv, name, &m));
	return change_one(cli, srv, retry, &m);
}

/* ctx: the words of the command line. */
static enum err change_in_transaction(struct cli *cli, struct server *srv, void *ctx)
{
	char **words = ctx;

	TRY(store_begin(srv->store));
	return store_end(srv->store,
	                 change(cli, srv, strcmp(words[1], "retry") == 0, words[2]));
}

int cmd_outbox(struct cli *cli, int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "list") == 0)
		return cli_with_server(cli, STORE_READ_ONLY, list_all, NULL);
	if (argc == 3 && (strcmp(argv[1], "retry") == 0 || strcmp(argv[1], "drop") == 0))
		return cli_with_server(cli, STORE_READ_WRITE, change_in_transaction, argv);
	return cli_usage(cli);
}
