/*
 * cmd_key.c - `molepost key check | rotate | export --words | import --words`.
 *
 * A new key signs and seals what is new, and makes the reply addresses from then on. Games go on with the key
 * they began with, and what an older key has sealed stays sealed with it: no key is ever taken out of
 * the file.
 */
#include <string.h>

#include "processor/base/clock.h"
#include "processor/base/file.h"
#include "processor/cli/command_line.h"
#include "processor/outgoing/outgoing.h"
#include "processor/server/server.h"
#include "store/audit.h"
#include "store/operator/key_use.h"

static const char *key_file(struct server *srv)
{
	return config_path(&srv->cfg, srv->cfg.key_file, srv->arena);
}

static enum err open_server(struct cli *cli, enum store_mode mode, struct server *srv)
{
	return server_open(cli->dir, mode, false, outgoing_words, &cli->log, srv);
}

/* ---- check ---- */

static enum err check(struct cli *cli, struct server *srv)
{
	struct key_use *list;
	size_t n;

	TRY(open_server(cli, STORE_READ_ONLY, srv));
	TRY(key_use_list(srv->store, srv->arena, &list, &n));
	for (size_t i = 0; i < n; i++) {
		struct strbuf line = STRBUF_INIT;

		strbuf_addf(&line, "key %u  ", list[i].number);
		hash_add_hex(&line, &list[i].public_key);
		strbuf_adds(&line, "  since ");
		utc_format_iso(&line, list[i].since_utc);
		strbuf_addf(&line, "  games: %lld, not over: %lld%s", (long long)list[i].games,
		            (long long)list[i].live,
		            list[i].number == keyring_number(srv->keys) ? "  (new games)" : "");
		fprintf(cli->out, "%s\n", line.ptr);
		strbuf_release(&line);
	}
	fprintf(cli->out, "%s holds every key that this database needs.\n", key_file(srv));
	return ERR_NONE;
}

/* ---- rotate ---- */

static enum err add_key(struct server *srv, void *ctx)
{
	return keyring_rotate(key_file(srv), ctx, &srv->fail);
}

static enum err note(struct server *srv, void *ctx)
{
	const unsigned *number = ctx;

	return audit_add(srv->store, 0, 0, "operator", false, srv->now_utc,
	                 arena_printf(srv->arena, "key %u made", *number));
}

static enum err rotate(struct cli *cli, struct server *srv)
{
	unsigned number = 0;

	TRY(open_server(cli, STORE_READ_WRITE, srv));
	TRY(admin_write_alone(srv, add_key, &number));
	/* From here on with the new file: opening it has the database note the new key. */
	server_close(srv);
	TRY(open_server(cli, STORE_READ_WRITE, srv));
	TRY(admin_write(srv, note, &number));
	fprintf(cli->out,
	        "Key %u is made. New games are signed with it, new reply addresses come from "
	        "it, and what is stored from now on is sealed with it.\n"
	        "Games that have begun go on with their key, and reply addresses of before are "
	        "good as long as such a game is played.\n"
	        "Make a new copy of %s (or of its words): older copies lack this key.\n",
	        number, key_file(srv));
	return ERR_NONE;
}

/* ---- on paper ---- */

static enum err export(struct cli *cli, struct server *srv) {
	struct strbuf words = STRBUF_INIT;

	TRY(server_open_config(cli->dir, STORE_READ_ONLY, &cli->log, srv));
	enum err rc = keyring_add_words(key_file(srv), &words, &srv->fail);
	if (rc == ERR_NONE &&
	    (fwrite(words.ptr, 1, words.len, cli->out) != words.len || fflush(cli->out) != 0))
	    rc = err_set_errno(&srv->fail, ERR_IO, "writing the words");
	secret_release(&words);
	return rc;
}

static enum err import(struct cli *cli, struct server *srv)
{
	enum { LONGEST = 65536 };
	struct strbuf words = STRBUF_INIT;

	TRY(server_open_config(cli->dir, STORE_READ_ONLY, &cli->log, srv));
	strbuf_grow(&words, LONGEST + 1);
	enum err rc = file_read_fd(0, LONGEST, &words, &srv->fail);
	if (rc == ERR_NONE)
		rc = keyring_from_words(key_file(srv), strbuf_span(&words), &srv->fail);
	secret_release(&words);
	TRY(rc);
	fprintf(cli->out, "%s is written.\n", key_file(srv));
	server_close(srv);
	return check(cli, srv);
}

int cmd_key(struct cli *cli, int argc, char **argv)
{
	static const struct {
		const char *word, *option;
		enum err (*act)(struct cli *cli, struct server *srv);
	} acts[] = {{"check", NULL, check},
	            {"rotate", NULL, rotate},
	            {"export", "--words", export},
	            {"import", "--words", import}};

	for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]); i++) {
		struct server srv;

		if (argc < 2 || strcmp(argv[1], acts[i].word) != 0 ||
		    argc != (acts[i].option ? 3 : 2) ||
		    (acts[i].option && strcmp(argv[2], acts[i].option) != 0))
			continue;
		enum err rc = acts[i].act(cli, &srv);
		if (rc != ERR_NONE)
			log_warnx(&cli->log, "key: %s", server_why(&srv, rc));
		server_close(&srv);
		return err_exit_code(rc);
	}
	return cli_usage(cli);
}
