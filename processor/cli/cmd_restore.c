/*
 * cmd_restore.c - `molepost restore FILE`: a copy of the database in the place of the present one.
 *
 * The copy is looked at before anything is touched, and the present database is kept beside it. Killed at any
 * moment it leaves one of the two whole, and can be started again.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "processor/base/clock.h"
#include "processor/base/file.h"
#include "processor/base/step.h"
#include "processor/cli/command_line.h"
#include "processor/server/lock.h"
#include "processor/server/server.h"

struct restore {
	struct cli *cli;
	struct server *srv;
	const char *copy, *database, *unfinished, *before;
};

static enum err copy_bytes(struct restore *r, int from, int to)
{
	static char block[65536];
	ssize_t n;

	while ((n = read(from, block, sizeof(block))) > 0)
		TRY(file_write_fd(to, (struct span){block, (size_t)n}, &r->srv->fail));
	if (n < 0 || fsync(to) != 0)
		return err_set_errno(&r->srv->fail, ERR_IO, "cannot copy %s", r->copy);
	return ERR_NONE;
}

static void remove_unfinished(struct restore *r)
{
	static const char *const ends[] = {"", "-wal", "-shm"};

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		(void)unlink(arena_printf(r->srv->arena, "%s%s", r->unfinished, ends[i]));
}

static enum err copy_file(struct restore *r)
{
	int from = open(r->copy, O_RDONLY | O_CLOEXEC), to = -1;
	enum err rc = ERR_NONE;

	if (from < 0)
		return err_set_errno(&r->srv->fail, ERR_NOT_FOUND, "cannot open %s", r->copy);
	to = open(r->unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (to < 0)
		rc = err_set_errno(&r->srv->fail, ERR_IO, "cannot make %s", r->unfinished);
	else
		rc = copy_bytes(r, from, to);
	if (to >= 0)
		close(to);
	close(from);
	return rc;
}

/* Opened with our keys, and brought to the present schema: what is no database of ours gets no further. */
static enum err look_at_copy(struct restore *r)
{
	struct server *srv = r->srv;
	struct store *s = NULL;

	enum err rc = store_open(r->unfinished, STORE_READ_WRITE, srv->keys, &s, &srv->fail);
	if (rc != ERR_NONE) {
		err_context(&srv->fail, "%s", r->copy);
		return rc;
	}
	rc = store_check_keys(s, srv->now_utc);
	if (rc == ERR_NONE)
		rc = store_checkpoint(s, 0);
	if (rc != ERR_NONE)
		err_set(&srv->fail, rc, "%s: %s", r->copy, store_error(s)->text.ptr);
	store_close(s);
	(void)unlink(arena_printf(srv->arena, "%s-wal", r->unfinished));
	(void)unlink(arena_printf(srv->arena, "%s-shm", r->unfinished));
	return rc;
}

static enum err move(struct restore *r, const char *from, const char *to)
{
	if (rename(from, to) == 0 || errno == ENOENT)
		return ERR_NONE;
	return err_set_errno(&r->srv->fail, ERR_IO, "cannot rename %s to %s", from, to);
}

static enum err restore(struct restore *r)
{
	struct server *srv = r->srv;

	remove_unfinished(r); /* of a restore that was stopped */
	TRY(keyring_load(config_path(&srv->cfg, srv->cfg.key_file, srv->arena), &srv->keys,
	                 &srv->fail));
	enum err rc = copy_file(r);
	if (rc == ERR_NONE)
		rc = look_at_copy(r);
	if (rc != ERR_NONE)
		remove_unfinished(r);
	TRY(rc);

	static const char *const ends[] = {"", "-wal", "-shm"};

	if (file_exists(r->database)) {
		/* What stands in its log goes into the file; one that is damaged stays as it is. */
		struct store *s = NULL;
		struct failure e = ERR_INIT;

		if (store_open(r->database, STORE_READ_WRITE, r->srv->keys, &s, &e) ==
		        ERR_NONE &&
		    store_checkpoint(s, 0) != ERR_NONE)
			log_warnx(r->srv->log, "restore: %s", store_error(s)->text.ptr);
		store_close(s);
		err_release(&e);
		step("restore.aside.before");
		TRY(move(r, r->database, r->before));
		step("restore.aside.after");
	}
	/* No log of another database may lie beside the copy. */
	for (size_t i = 1; i < sizeof(ends) / sizeof(ends[0]); i++)
		TRY(move(r, arena_printf(r->srv->arena, "%s%s", r->database, ends[i]),
		         arena_printf(r->srv->arena, "%s%s", r->before, ends[i])));
	step("restore.placed.before");
	if (rename(r->unfinished, r->database) != 0)
		return err_set_errno(&r->srv->fail, ERR_IO, "cannot put %s in its place",
		                     r->database);
	step("restore.placed.after");
	return file_sync_dir(r->srv->cfg.dir, &r->srv->fail);
}

static enum err restore_alone(struct cli *cli, struct server *srv, const char *copy)
{
	struct restore r = {.cli = cli, .srv = srv, .copy = copy};

	if (store_is_url(srv->cfg.database))
		return err_set(&srv->fail, ERR_UNSUPPORTED,
		               "a store on PostgreSQL is brought back by pg_restore, which "
		               "molepost(1) shows, THE STORE ON POSTGRESQL");
	r.database = config_path(&srv->cfg, srv->cfg.database, srv->arena);
	r.unfinished = arena_printf(srv->arena, "%s.new", r.database);
	/* No database is ever replaced: there may have been a restore before. */
	r.before = arena_printf(srv->arena, "%s.before", r.database);
	for (unsigned i = 2; file_exists(r.before); i++)
		r.before = arena_printf(srv->arena, "%s.before.%u", r.database, i);
	TRY(restore(&r));
	fprintf(cli->out,
	        "%s is now what %s holds; what was there before is %s.\n"
	        "Next: molepost doctor, then once: molepost run --reread (with --take-over on "
	        "another machine).\n",
	        r.database, copy, r.before);
	return ERR_NONE;
}

int cmd_restore(struct cli *cli, int argc, char **argv)
{
	struct server srv;

	if (argc != 2 || argv[1][0] == '-')
		return cli_usage(cli);
	enum err rc = server_open_config(cli->dir, STORE_READ_WRITE, &cli->log, &srv);
	if (rc == ERR_NONE) {
		/* Neither a run nor the sending that goes on behind one may have the file open. */
		const char *lock = config_path(&srv.cfg, srv.cfg.lock_file, srv.arena);
		int run = -1, sending = -1;
		rc = lock_take(lock, srv.now_utc, &run, &srv.fail);

		if (rc == ERR_NONE)
			rc = lock_take(arena_printf(srv.arena, "%s.send", lock), srv.now_utc,
			               &sending, &srv.fail);
		if (rc == ERR_BUSY)
			rc = err_set(&srv.fail, rc,
			             "a run is at work just now; stop the timer first");
		else if (rc == ERR_NONE)
			rc = restore_alone(cli, &srv, argv[1]);
		lock_drop(&sending);
		lock_drop(&run);
	}
	if (rc != ERR_NONE)
		log_warnx(&cli->log, "restore: %s", server_why(&srv, rc));
	server_close(&srv);
	return err_exit_code(rc);
}
