/*
 * cmd_backup.c - `molepost backup [--keep N] FILE | FOLDER`: a consistent copy of the database while the
 * server runs.
 *
 * In a folder each copy has the time in its name, and the oldest go; it gets that name when it is whole, so
 * a copy that was cut short is never taken for one.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "processor/base/clock.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "processor/cli/command_line.h"

enum { KEEP_USUALLY = 7, KEEP_MOST = 10000 };

/* "molepost-20260312T180200Z.db", which sorts by time. */
static const char name_begins[] = "molepost-", name_ends[] = "Z.db";
enum { NAME_LEN = sizeof("molepost-20260312T180200Z.db") - 1 };

static enum err copy_to(struct cli *cli, struct server *srv, const char *path)
{
	srv->show_progress = cli->err_is_terminal;
	enum err rc = store_backup(srv->store, path, cli_show_progress, cli);
	server_progress_end(srv);
	return rc;
}

/* ---- in a folder ---- */

static int is_copy(const struct dirent *e)
{
	struct span name = span_of(e->d_name);

	return name.len == NAME_LEN && span_starts(name, name_begins) &&
	       span_eq_str(span_slice(name, name.len - strlen(name_ends), name.len), name_ends);
}

static enum err backup_into(struct cli *cli, struct server *srv, const char *folder,
                            unsigned keep, const char **path)
{
	const char *unfinished = arena_printf(srv->arena, "%s/molepost.new", folder);
	struct utc_time t = utc_split(srv->now_utc);

	*path = arena_printf(srv->arena, "%s/%s%04d%02d%02dT%02d%02d%02d%s", folder,
	                     name_begins, t.year, t.month, t.day, t.hour, t.minute, t.second,
	                     name_ends);
	(void)unlink(unfinished); /* of a copy that was cut short */
	TRY(copy_to(cli, srv, unfinished));
	if (rename(unfinished, *path) != 0)
		return err_set_errno(&srv->fail, ERR_IO, "cannot name the copy %s", *path);
	TRY(file_sync_dir(folder, &srv->fail));

	/* Only the newest `keep` stay. */
	struct dirent **all;
	int n = scandir(folder, &all, is_copy, alphasort);
	enum err rc = ERR_NONE;

	if (n < 0)
		return err_set_errno(&srv->fail, ERR_IO, "cannot look into %s", folder);
	for (int i = 0; i < n; i++) {
		const char *old = arena_printf(srv->arena, "%s/%s", folder, all[i]->d_name);

		if (rc == ERR_NONE && i + (int)keep < n && unlink(old) != 0)
			rc = err_set_errno(&srv->fail, ERR_IO, "cannot remove %s", old);
		free(all[i]);
	}
	free(all);
	return rc;
}

static bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

struct copying {
	const char *path;
	unsigned keep;
};

static enum err backup(struct cli *cli, struct server *srv, void *ctx)
{
	const struct copying *c = ctx;
	const char *path = c->path;

	TRY(is_folder(path) ? backup_into(cli, srv, path, c->keep, &path)
	                    : copy_to(cli, srv, path));
	fprintf(cli->out,
	        "The database is copied to %s. It is useless without the key file\n"
	        "%s: keep a copy of that apart from this one.\n",
	        path, config_path(&srv->cfg, srv->cfg.key_file, srv->arena));
	return ERR_NONE;
}

int cmd_backup(struct cli *cli, int argc, char **argv)
{
	struct copying c = {.path = argv[argc - 1], .keep = KEEP_USUALLY};
	bool says_keep = argc == 4 && strcmp(argv[1], "--keep") == 0 &&
	                 num_parse_uint(span_of(argv[2]), 1, KEEP_MOST, &c.keep);

	if ((argc != 2 && !says_keep) || c.path[0] == '-' || (says_keep && !is_folder(c.path)))
		return cli_usage(cli);
	return cli_with_server(cli, STORE_READ_ONLY, backup, &c);
}
