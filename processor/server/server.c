/*
 * server.c - opening and closing a server's folder.
 */
#include "processor/server/server.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mail/text/credentials.h"
#include "processor/base/clock.h"
#include "processor/base/file.h"
#include "processor/server/lock.h"
#include "store/inbox.h"
#include "store/outbox.h"

const char *server_host(struct arena *arena)
{
	char name[256];

	if (gethostname(name, sizeof(name)) != 0)
		return "localhost";
	name[sizeof(name) - 1] = '\0';
	return arena_strdup(arena, name);
}

static const char *user_name(uid_t uid, struct arena *arena)
{
	const struct passwd *p = getpwuid(uid);

	return p ? arena_strdup(arena, p->pw_name) : arena_printf(arena, "%u", (unsigned)uid);
}

enum err server_host_id(struct server *srv, const char **host)
{
	enum { LONGEST = 4096 };
	const char *path = srv->cfg.host_id;
	struct strbuf text = STRBUF_INIT;
	struct failure e = ERR_INIT;

	*host = server_host(srv->arena);
	if (!path)
		return ERR_NONE;
	enum err rc = file_read(config_path(&srv->cfg, path, srv->arena), LONGEST, &text, &e);
	struct span rest = strbuf_span(&text), word = SPAN_EMPTY;
	if (rc != ERR_NONE)
		rc = err_set(&srv->fail, ERR_CONFIG, "host_id: %s", e.text.ptr);
	else if (!span_next_word(&rest, " \t\r\n", &word))
		rc = err_set(&srv->fail, ERR_CONFIG, "host_id: there is nothing in %s", path);
	*host = arena_cstr(srv->arena, word);
	strbuf_release(&text);
	err_release(&e);
	return rc;
}

enum err server_open_config(const char *dir, enum store_mode mode, struct log *log,
                            struct server *out)
{
	struct stat st;

	*out = (struct server){.fail = ERR_INIT};
	out->arena = arena_new();
	out->log = log;
	out->now_utc = clock_now_utc();
	TRY(config_load(dir, out->arena, &out->cfg, &out->fail));
	if (mode == STORE_READ_ONLY)
		return ERR_NONE;
	/*
	 * What another user makes here, as root in a hurry, the owner cannot write to: then no run of theirs works,
	 * and every game stands still.
	 */
	if (stat(dir, &st) != 0 || st.st_uid == geteuid())
		return ERR_NONE;
	const char *owner = user_name(st.st_uid, out->arena);
	return err_set(&out->fail, ERR_CONFIG,
	               "%s belongs to the user '%s' and this is '%s': files made here would be "
	               "closed to the runs of '%s'. Use: sudo -u %s molepost ...",
	               dir, owner, user_name(geteuid(), out->arena), owner, owner);
}

/* SQLite would only say that the database is read-only, and at its first write. */
static enum err check_access(struct server *srv, const char *path, enum store_mode mode)
{
	int wanted = mode == STORE_READ_ONLY ? R_OK : R_OK | W_OK;
	struct stat st;

	if (faccessat(AT_FDCWD, path, wanted, AT_EACCESS) == 0 || errno != EACCES ||
	    stat(path, &st) != 0)
		return ERR_NONE;
	return err_set(
	    &srv->fail, ERR_DENIED,
	    "database %s belongs to user %u, and this runs as user %u, who may not %s "
	    "it",
	    path, (unsigned)st.st_uid, (unsigned)geteuid(),
	    mode == STORE_READ_ONLY ? "read" : "write");
}

/* It stands in every Message-ID and reply code that is out there; before the first mail it is free. */
static enum err check_instance(struct server *srv)
{
	const char *before = store_instance(srv->store);
	struct outbox_mail first;

	if (strcmp(before, srv->cfg.instance) == 0)
		return ERR_NONE;
	enum err rc = outbox_by_id(srv->store, 1, srv->arena, &first);
	if (rc != ERR_NONE)
		return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
	return err_set(
	    &srv->fail, ERR_CONFIG,
	    "this server is \"%s\", and molepost.conf calls it \"%s\": no answer to a "
	    "mail it has sent would be known again; write instance = %s",
	    before, srv->cfg.instance, before);
}

/*
 * The password of a store on PostgreSQL: that of the rule for its user@host, if there is one. libpq takes it
 * from the environment, where it stands no longer than the connection is being made.
 */
static enum err open_store(struct server *srv, const char *name, enum store_mode mode)
{
	struct span url = span_of(name), user, host;
	const struct login_rule *rule = NULL;
	struct login login;

	if (!store_is_url(name))
		return store_open(name, mode, srv->keys, &srv->store, &srv->fail);
	url = span_slice(url, span_find(url, SPAN_LIT("://")) + 3, url.len);
	url = span_slice(url, 0, span_find_char(url, '/'));
	user = span_slice(url, 0, span_find_char(url, '@'));
	host = span_slice(url, user.len + 1, url.len);
	host = span_slice(host, 0, span_find_char(host, ':'));
	const char *who =
	    arena_printf(srv->arena, "%.*s@%.*s", SPAN_ARGS(user), SPAN_ARGS(host));
	for (size_t i = 0; i < srv->cfg.settings.nlogins && !rule; i++)
		if (srv->cfg.settings.logins[i].who &&
		    strcmp(srv->cfg.settings.logins[i].who, who) == 0)
			rule = &srv->cfg.settings.logins[i];
	if (!rule)
		return store_open(name, mode, srv->keys, &srv->store, &srv->fail);
	enum err rc = credentials_get(&srv->cfg.settings, arena_cstr(srv->arena, user),
	                              arena_cstr(srv->arena, host), &login, &srv->fail);
	if (rc == ERR_NONE && setenv("PGPASSWORD", login.secret.ptr, 1) != 0)
		out_of_memory();
	login_release(&login);
	if (rc == ERR_NONE)
		rc = store_open(name, mode, srv->keys, &srv->store, &srv->fail);
	(void)unsetenv("PGPASSWORD");
	return rc;
}

enum err server_open_database(struct server *srv, enum store_mode mode, bool take_over,
                              store_words_fn *words)
{
	const char *here;

	srv->part = SERVER_KEYS;
	TRY(keyring_load(config_path(&srv->cfg, srv->cfg.key_file, srv->arena), &srv->keys,
	                 &srv->fail));
	srv->part = SERVER_DATABASE;
	const char *path = config_path(&srv->cfg, srv->cfg.database, srv->arena);
	TRY(check_access(srv, path, mode));
	TRY(open_store(srv, path, mode));
	store_words(srv->store, words, srv);
	srv->part = SERVER_CONFIG;
	TRY(check_instance(srv));
	srv->part = SERVER_KEYS;
	TRY(store_check_keys(srv->store, srv->now_utc));
	if (mode == STORE_READ_ONLY)
		return ERR_NONE;
	srv->part = SERVER_HOST;
	/* Machines that share a store take turns (server_lock); a file that is on two is a copy. */
	if (store_is_url(path))
		return ERR_NONE;
	TRY(server_host_id(srv, &here));
	if (strcmp(store_host(srv->store), here) == 0)
		return ERR_NONE;
	if (!take_over)
		return err_set(
		    &srv->fail, ERR_DENIED,
		    "this database belongs to the host '%s' and this is '%s'; if the "
		    "server has moved and runs nowhere else, run once with --take-over",
		    store_host(srv->store), here);
	TRY(store_begin(srv->store));
	return store_end(srv->store, store_set_host(srv->store, here));
}

enum err server_open(const char *dir, enum store_mode mode, bool take_over,
                     store_words_fn *words, struct log *log, struct server *out)
{
	TRY(server_open_config(dir, mode, log, out));
	return server_open_database(out, mode, take_over, words);
}

void server_close(struct server *srv)
{
	store_close(srv->store);
	keyring_free(srv->keys);
	err_release(&srv->fail);
	arena_free(srv->arena);
	*srv = (struct server){.fail = ERR_INIT};
}

bool server_blames_game(enum err rc)
{
	return rc == ERR_CORRUPT || rc == ERR_UNSUPPORTED || rc == ERR_INVALID ||
	       rc == ERR_NOT_FOUND || rc == ERR_EXISTS;
}

const char *server_why(const struct server *srv, enum err rc)
{
	if (srv->fail.code == rc && srv->fail.text.len > 0)
		return srv->fail.text.ptr;
	if (srv->store && store_error(srv->store)->text.len > 0)
		return store_error(srv->store)->text.ptr;
	return err_name(rc);
}

enum err server_lock(struct server *srv, enum store_lock which, int *fd, bool *shared)
{
	const char *path = config_path(&srv->cfg, srv->cfg.lock_file, srv->arena);
	int64_t held_s;

	if (which == STORE_LOCK_SEND)
		path = arena_printf(srv->arena, "%s.send", path);
	TRY(lock_take(path, srv->now_utc, fd, &srv->fail));
	enum err rc = store_lock(srv->store, which, &held_s);
	if (rc == ERR_BUSY && shared && held_s <= LOCK_LONG_S) {
		rc = store_lock_share(srv->store, which, true);
		*shared = rc == ERR_NONE;
	}
	if (rc == ERR_NONE)
		return rc;
	lock_drop(fd);
	if (rc == ERR_BUSY && held_s > LOCK_LONG_S)
		rc = err_set(&srv->fail, ERR_TIMEOUT,
		             "%s, and has been for %lld minutes, so nothing was done; if it "
		             "hangs, end it there (pgrep -a molepost)",
		             store_error(srv->store)->text.ptr, (long long)held_s / 60);
	return rc;
}

void server_unlock(struct server *srv, enum store_lock which, int *fd)
{
	if (*fd >= 0)
		store_unlock(srv->store, which);
	lock_drop(fd);
}

bool server_died_with(const struct in_flight *left, const char *kind)
{
	return left && left->present && span_eq_str(left->kind, kind);
}

enum err server_mark_in_flight(struct server *srv, const struct in_flight *left,
                               const char *kind, const char *object, unsigned *tries)
{
	*tries = *object != '\0';
	if (*tries > 0 && server_died_with(left, kind) && span_eq_str(left->object, object))
		*tries += left->tries;
	TRY(store_begin_relaxed(srv->store));
	return store_end(srv->store,
	                 in_flight_set(srv->store, kind, object, *tries, srv->now_utc));
}

void server_progress(const struct server *srv, unsigned n, const char *what)
{
	if (srv->show_progress)
		fprintf(stderr, "\r%u %-40s", n, what);
}

void server_progress_end(const struct server *srv)
{
	if (srv->show_progress)
		fprintf(stderr, "\r%52s\r", "");
}
