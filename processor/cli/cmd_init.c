/*
 * cmd_init.c - `molepost init DIR`: a server's folder, ready to run; `molepost login`: a person lets it into its mailbox.
 */
#include <ctype.h>
#include <string.h>

#include "mail/source.h"
#include "processor/base/clock.h"
#include "processor/base/file.h"
#include "processor/base/random.h"
#include "processor/cli/command_line.h"
#include "processor/doctor/doctor.h"
#include "processor/mailbox/mailbox.h"
#include "processor/server/config.h"
#include "processor/server/server.h"

struct init {
	struct arena *arena;
	const char *dir, *address, *instance;
	const char *store;      /* a URL, or NULL: a file in the folder */
	struct mailbox mailbox; /* its address NULL: there is none yet */
	struct strbuf config;   /* the text of molepost.conf */
	struct failure fail;
};

static const char *in_dir(struct init *i, const char *name)
{
	return arena_printf(i->arena, "%s/%s", i->dir, name);
}

/* Before anything is made: a wrong address or instance must leave no server that cannot run. */
static enum err write_config(struct init *i)
{
	unsigned char bytes[4];
	struct config cfg;

	if (!i->instance) { /* a short word that keeps several servers of one domain apart */
		random_bytes("instance", bytes, sizeof(bytes));
		i->instance = arena_printf(i->arena, "m%02x%02x%02x%02x", bytes[0], bytes[1],
		                           bytes[2], bytes[3]);
	}
	config_add_example(&i->config, i->instance, i->address);
	if (i->mailbox.address)
		TRY(mailbox_ask(&i->mailbox, &i->config, &i->fail));
	if (i->store)
		strbuf_addf(&i->config, "\n# Games are kept there.\nstore = %s\n", i->store);
	return config_parse(strbuf_span(&i->config), "molepost.conf (not written)", i->dir,
	                    i->arena, &cfg, &i->fail);
}

/* The database learns at once which keys are its own. */
static enum err pair_keys(struct init *i)
{
	struct keyring *keys = NULL;
	struct store *store = NULL;
	enum err rc = keyring_load(in_dir(i, "molepost.key"), &keys, &i->fail);

	if (rc == ERR_NONE)
		rc = store_open(i->store, STORE_READ_WRITE, keys, &store, &i->fail);
	if (rc == ERR_NONE) {
		rc = store_check_keys(store, clock_now_utc());
		if (rc == ERR_NONE)
			rc = store_checkpoint(store, 0);
		if (rc != ERR_NONE)
			err_set(&i->fail, rc, "%s", store_error(store)->text.ptr);
	}
	store_close(store);
	keyring_free(keys);
	return rc;
}

/* The configuration comes last: a folder without it is no server. */
static enum err init_dir(struct init *i)
{
	TRY(write_config(i));
	if (!i->store)
		i->store = in_dir(i, "molepost.db");
	TRY(file_mkdir(i->dir, &i->fail));
	if (file_exists(in_dir(i, "molepost.conf")))
		return err_set(&i->fail, ERR_EXISTS,
		               "%s is a molepost folder already; nothing was changed", i->dir);
	/* First, for a database that does not answer must not leave a folder half made. */
	TRY(store_create(i->store, i->instance, server_host(i->arena), clock_now_utc(),
	                 &i->fail));
	TRY(maildir_create(in_dir(i, "mail"), &i->fail));
	TRY(maildir_create(in_dir(i, "outbox"), &i->fail));
	TRY(maildir_create(in_dir(i, "spool"), &i->fail));
	TRY(keyring_create(in_dir(i, "molepost.key"), &i->fail));
	TRY(pair_keys(i));
	return file_create(in_dir(i, "molepost.conf"), strbuf_span(&i->config), &i->fail);
}

static void say_next(const struct cli *cli, const struct init *i)
{
	fprintf(cli->out,
	        "%s is ready.\n"
	        "  %s/molepost.conf  configuration, with every key explained\n"
	        "  %s/molepost.key   the server's keys: keep a copy somewhere safe,\n"
	        "                    without it running games are lost\n",
	        i->dir, i->dir, i->dir);
	if (i->mailbox.address)
		fprintf(cli->out,
		        "Mail to %s is read from its mailbox, which nothing else may use.\n",
		        i->address);
	else
		fprintf(cli->out,
		        "  %s/mail           mail to %s is delivered here (a Maildir)\n"
		        "  %s/outbox         mail from the server comes out here (a Maildir)\n",
		        i->dir, i->address, i->dir);
	fprintf(cli->out, "Next: molepost -C %s doctor, then molepost -C %s run from cron.\n",
	        i->dir, i->dir);
}

static bool read_arguments(int argc, char **argv, struct init *i)
{
	i->address = "moles@localhost.localdomain";
	for (int k = 1; k < argc; k++) {
		if (strcmp(argv[k], "--address") == 0 && k + 1 < argc)
			i->address = argv[++k];
		else if (strcmp(argv[k], "--mailbox") == 0 && k + 1 < argc)
			i->address = i->mailbox.address = argv[++k];
		else if (strcmp(argv[k], "--oauth") == 0 && k + 1 < argc)
			i->mailbox.authority = argv[++k];
		else if (strcmp(argv[k], "--ca-file") == 0 && k + 1 < argc)
			i->mailbox.ca_file = argv[++k];
		else if (strcmp(argv[k], "--instance") == 0 && k + 1 < argc)
			i->instance = argv[++k];
		else if (strcmp(argv[k], "--store") == 0 && k + 1 < argc)
			i->store = argv[++k];
		else if (argv[k][0] != '-' && argv[k][0] != '\0' && !i->dir)
			i->dir = argv[k];
		else
			return false;
	}
	return i->dir != NULL;
}

int cmd_init(struct cli *cli, int argc, char **argv)
{
	struct init i = {.fail = ERR_INIT, .config = STRBUF_INIT};

	if (!read_arguments(argc, argv, &i))
		return cli_usage(cli);
	i.arena = arena_new();
	/* "play/" and "play" are the same folder and look the same in what is said. */
	struct span dir = span_of(i.dir);
	while (dir.len > 1 && dir.ptr[dir.len - 1] == '/')
		dir.len--;
	i.dir = arena_cstr(i.arena, dir);
	i.mailbox.arena = i.arena;
	i.mailbox.in = cli->in;
	i.mailbox.out = cli->out;
	strbuf_init(&i.mailbox.secret);
	enum err rc = init_dir(&i);
	if (rc == ERR_NONE && i.mailbox.address)
		rc = mailbox_try(&i.mailbox, i.dir, &cli->log, &i.fail);
	secret_release(&i.mailbox.secret);
	if (rc == ERR_NONE)
		say_next(cli, &i);
	else
		log_warnx(&cli->log, "%s", i.fail.text.ptr);
	/* What the store itself refuses says so at once. */
	if (rc != ERR_NONE && i.store && store_is_url(i.store) &&
	    span_starts(strbuf_span(&i.fail.text), "database "))
		log_warnx(&cli->log, "to mend it: %s",
		          doctor_advice_for_store(rc, i.fail.text.ptr));
	strbuf_release(&i.config);
	err_release(&i.fail);
	arena_free(i.arena);
	return err_exit_code(rc);
}

int cmd_login(struct cli *cli, int argc, char **argv)
{
	struct failure e = ERR_INIT;
	struct config cfg;

	(void)argv;
	if (argc != 1)
		return cli_usage(cli);
	struct arena *arena = arena_new();
	enum err rc = config_load(cli->dir, arena, &cfg, &e);
	if (rc == ERR_NONE)
		rc = mailbox_login(&cfg, cli->out, &e);
	if (rc != ERR_NONE)
		log_warnx(&cli->log, "%s", e.text.ptr);
	err_release(&e);
	arena_free(arena);
	return err_exit_code(rc);
}
