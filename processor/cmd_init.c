/*
 * cmd_init.c - `molepost init DIR`: a server's folder, ready to run.
 */
#include <ctype.h>
#include <string.h>

#include "mail/source.h"
#include "processor/base/clock.h"
#include "processor/base/file.h"
#include "processor/base/random.h"
#include "processor/cli.h"
#include "processor/config.h"
#include "processor/server.h"

#include "processor/base/banned.h"

struct init {
	struct arena *arena;
	const char *dir, *address;
	struct failure fail;
};

static const char *in_dir(struct init *i, const char *name)
{
	return arena_printf(i->arena, "%s/%s", i->dir, name);
}

/* A short word that keeps several servers of one domain apart. */
static const char *draw_instance(struct init *i)
{
	unsigned char bytes[4];

	random_bytes("instance", bytes, sizeof(bytes));
	return arena_printf(i->arena, "m%02x%02x%02x%02x", bytes[0], bytes[1], bytes[2], bytes[3]);
}

static enum err make_config(struct init *i, const char *instance)
{
	struct strbuf text = STRBUF_INIT;

	config_add_example(&text, instance, i->address);
	enum err rc = file_create(in_dir(i, "molepost.conf"), strbuf_span(&text), &i->fail);
	strbuf_release(&text);
	return rc;
}

/* The configuration comes last: a folder without it is no server, so a broken init can be repeated. */
static enum err init_dir(struct init *i)
{
	const char *instance = draw_instance(i);

	TRY(file_mkdir(i->dir, &i->fail));
	if (file_exists(in_dir(i, "molepost.conf")))
		return err_set(&i->fail, ERR_EXISTS, "%s is a molepost folder already; nothing was changed",
		               i->dir);
	TRY(maildir_create(in_dir(i, "mail"), &i->fail));
	TRY(maildir_create(in_dir(i, "outbox"), &i->fail));
	TRY(maildir_create(in_dir(i, "spool"), &i->fail));
	TRY(keyring_create(in_dir(i, "molepost.key"), &i->fail));
	TRY(store_create(in_dir(i, "molepost.db"), instance, server_host(i->arena), clock_now_utc(),
	                 &i->fail));
	return make_config(i, instance);
}

static void say_next(const struct cli *cli, const struct init *i)
{
	fprintf(cli->out,
	        "%s is ready.\n"
	        "  %s/molepost.conf  configuration, with every key explained\n"
	        "  %s/molepost.key   the server's keys: keep a copy somewhere safe,\n"
	        "                    without it running games are lost\n"
	        "  %s/mail           mail to %s is delivered here (a Maildir)\n"
	        "  %s/outbox         mail from the server comes out here (a Maildir)\n"
	        "Next: molepost -C %s doctor, then molepost -C %s run from cron.\n",
	        i->dir, i->dir, i->dir, i->dir, i->address, i->dir, i->dir, i->dir);
}

static bool read_arguments(int argc, char **argv, struct init *i)
{
	i->address = "moles@localhost.localdomain";
	for (int k = 1; k < argc; k++) {
		if (strcmp(argv[k], "--address") == 0 && k + 1 < argc)
			i->address = argv[++k];
		else if (argv[k][0] != '-' && !i->dir)
			i->dir = argv[k];
		else
			return false;
	}
	return i->dir != NULL;
}

int cmd_init(struct cli *cli, int argc, char **argv)
{
	struct init i = { .fail = ERR_INIT };

	if (!read_arguments(argc, argv, &i))
		return cli_usage(cli, "init");
	i.arena = arena_new();
	enum err rc = init_dir(&i);
	if (rc == ERR_NONE)
		say_next(cli, &i);
	else
		log_warnx(&cli->log, "%s", i.fail.text.ptr);
	err_release(&i.fail);
	arena_free(i.arena);
	return err_exit_code(rc);
}
