/*
 * cmd_restore.c - `molepost restore FILE`: a copy of the database in the place of the present one.
 *
 * The copy is looked at before anything is touched, and the present database is kept beside it. Killed at any
 * moment it leaves one of the two whole, and can be started again.
 */
#include <errno.h>
#include <unistd.h>

#include "processor/base/clock.h"
#include "processor/base/file.h"
#include "processor/cli/command_line.h"
#include "processor/server/lock.h"
#include "processor/server/server.h"

#include "processor/base/banned.h"

struct restore {
	struct cli *cli;
	struct server *srv;
	const char *copy, *database, *unfinished, *before;
};

/* Opened with our keys, and copied through SQLite: what is no database of ours gets no further. */
static enum err take_copy(struct restore *r)
{
	struct server *srv = r->srv;
	struct store *s = NULL;

	(void)unlink(r->unfinished); /* of a restore that was stopped */
	TRY(keyring_load(config_path(&srv->cfg, srv->cfg.key_file, srv->arena), &srv->keys,
	                 &srv->fail));
	TRY(store_open(r->copy, STORE_READ_ONLY, srv->keys, &s, &srv->fail));
	enum err rc = store_check_keys(s, srv->now_utc);
	if (rc == ERR_NONE)
		rc = store_backup(s, r->unfinished, NULL, NULL);
	if (rc != ERR_NONE)
		err_set(&srv->fail, rc, "%s", store_error(s)->text.ptr);
	store_close(s);
	return rc;
}

static enum err move(struct restore *r, const char *from, const char *to)
{
	if (rename(from, to) == 0 || errno == ENOENT)
		return ERR_NONE;
	return err_set_errno(&r->srv->fail, ERR_IO, "cannot rename %s to %s", from, to);
}

/* What stands in its log goes into the file; one that is damaged stays as it is. */
static void empty_log(struct restore *r)
{
	struct store *s = NULL;
	struct failure e = ERR_INIT;

	if (store_open(r->database, STORE_READ_WRITE, r->srv->keys, &s, &e) == ERR_NONE &&
	    store_checkpoint(s, 0) != ERR_NONE)
		log_warnx(r->srv->log, "restore: %s", store_error(s)->text.ptr);
	store_close(s);
	err_release(&e);
}

static enum err put_aside(struct restore *r)
{
	static const char *const ends[] = {"", "-wal", "-shm"};

	if (file_exists(r->database)) {
		empty_log(r);
		TRY(move(r, r->database, r->before));
	}
	/* No log of another database may lie beside the copy. */
	for (size_t i = 1; i < sizeof(ends) / sizeof(ends[0]); i++)
		TRY(move(r, arena_printf(r->srv->arena, "%s%s", r->database, ends[i]),
		         arena_printf(r->srv->arena, "%s%s", r->before, ends[i])));
	return ERR_NONE;
}

static enum err restore(struct restore *r)
{
	TRY(take_copy(r));
	TRY(put_aside(r));
	if (rename(r->unfinished, r->database) != 0)
		return err_set_errno(&r->srv->fail, ERR_IO, "cannot put %s in its place",
		                     r->database);
	return file_sync_dir(r->srv->cfg.dir, &r->srv->fail);
}

static enum err restore_alone(struct cli *cli, struct server *srv, const char *copy)
{
	struct restore r = {.cli = cli, .srv = srv, .copy = copy};
	int fd = -1;

	r.database = config_path(&srv->cfg, srv->cfg.database, srv->arena);
	r.unfinished = arena_printf(srv->arena, "%s.new", r.database);
	r.before = arena_printf(srv->arena, "%s.before", r.database);
	enum err rc = lock_take(config_path(&srv->cfg, srv->cfg.lock_file, srv->arena),
	                        srv->now_utc, &fd, &srv->fail);
	if (rc == ERR_BUSY)
		return err_set(&srv->fail, rc,
		               "a run is at work just now; stop the timer first");
	TRY(rc);
	rc = restore(&r);
	lock_drop(&fd);
	if (rc == ERR_NONE)
		fprintf(cli->out,
		        "%s is now what %s holds; what was there before is %s.\n"
		        "Next: molepost doctor, then once: molepost run --reread (with "
		        "--take-over on "
		        "another machine).\n",
		        r.database, copy, r.before);
	return rc;
}

int cmd_restore(struct cli *cli, int argc, char **argv)
{
	struct server srv;

	if (argc != 2 || argv[1][0] == '-')
		return cli_usage(cli);
	enum err rc = server_open_config(cli->dir, STORE_READ_WRITE, &cli->log, &srv);
	if (rc == ERR_NONE)
		rc = restore_alone(cli, &srv, argv[1]);
	if (rc != ERR_NONE)
		log_warnx(&cli->log, "restore: %s", server_why(&srv, rc));
	server_close(&srv);
	return err_exit_code(rc);
}
