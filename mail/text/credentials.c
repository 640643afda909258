/*
 * credentials.c - passwords from where the operator keeps them.
 */
#include "mail/text/credentials.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "processor/base/env.h"
#include "processor/base/file.h"
#include "processor/base/seal.h"
#include "processor/base/subprocess.h"

enum { SECRET_MAX = 8192, COMMAND_MS = 30 * 1000 };

static const char *const kinds[] = {"file:", "command:", "env:", "oauth:"};
enum { IN_FILE, FROM_COMMAND, IN_ENVIRONMENT, IN_TOKENS, NKINDS };

static size_t kind_of(struct span where)
{
	size_t k = 0;

	while (k < NKINDS && !(span_starts(where, kinds[k]) && where.len > strlen(kinds[k])))
		k++;
	return k;
}

bool login_where_ok(struct span where, bool is_token)
{
	return kind_of(where) < (is_token ? NKINDS : IN_TOKENS);
}

static enum err check_private(const char *path, struct failure *e)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return err_set_errno(e, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO,
		                     "cannot look at the password file %s", path);
	if ((st.st_mode & (S_IRWXG | S_IRWXO)) != 0)
		return err_set(
		    e, ERR_DENIED,
		    "the password file %s can be read by others (chmod 600 %s mends it)", path,
		    path);
	return ERR_NONE;
}

static void add_path(const struct mail_settings *a, const char *name, struct strbuf *out)
{
	if (*name != '/')
		strbuf_addf(out, "%s/", a->base);
	strbuf_adds(out, name);
}

static enum err read_private_file(const struct mail_settings *a, const char *name,
                                  struct strbuf *out, struct failure *e)
{
	struct strbuf path = STRBUF_INIT;
	enum err err;

	add_path(a, name, &path);
	err = check_private(path.ptr, e);
	if (err == ERR_NONE)
		err = file_read(path.ptr, SECRET_MAX, out, e);
	strbuf_release(&path);
	return err;
}

static enum err ask_command(const char *line, const char *what, struct strbuf *out,
                            struct failure *e)
{
	const char *const argv[] = {"/bin/sh", "-c", line, NULL};
	int code = 0;
	enum err err = subprocess_run(argv, SPAN_EMPTY, SECRET_MAX, COMMAND_MS, out, &code, e);

	if (err != ERR_NONE)
		return err_context(e, "the %s command", what);
	if (code != 0)
		return err_set(e, ERR_DENIED, "the %s command ended with %d", what, code);
	return ERR_NONE;
}

static enum err ask_environment(const char *name, struct strbuf *out, struct failure *e)
{
	const char *value = env_get(name);

	if (!value)
		return err_set(e, ERR_NOT_FOUND, "the environment variable %s is not set",
		               name);
	strbuf_adds(out, value);
	return ERR_NONE;
}

/* Only the first line counts; nothing of a secret may end a protocol's line. */
static enum err keep_first_line(struct strbuf *s, struct failure *e)
{
	struct span rest = strbuf_span(s), line = SPAN_EMPTY;

	(void)span_next_line(&rest, &line);
	strbuf_truncate(s, line.len);
	if (s->len == 0)
		return err_set(e, ERR_INVALID, "the password is empty");
	for (size_t i = 0; i < s->len; i++)
		if ((unsigned char)s->ptr[i] < 0x20 || s->ptr[i] == 0x7f)
			return err_set(e, ERR_INVALID, "the password has control characters");
	return ERR_NONE;
}

static enum err read_where(const struct mail_settings *a, const struct login_rule *rule,
                           struct strbuf *out, struct failure *e)
{
	const char *where = rule->where;
	size_t kind = kind_of(span_of(where));
	const char *rest = where + (kind < NKINDS ? strlen(kinds[kind]) : 0);
	enum err err;

	if (kind == IN_FILE)
		err = read_private_file(a, rest, out, e);
	else if (kind == FROM_COMMAND)
		err = ask_command(rest, rule->is_token ? "token" : "password", out, e);
	else if (kind == IN_ENVIRONMENT)
		err = ask_environment(rest, out, e);
	else if (kind == IN_TOKENS) {
		add_path(a, rest, out);
		return ERR_NONE;
	} else
		return err_set(e, ERR_CONFIG, "a password is kept in file:, command: or env:");
	return err == ERR_NONE ? keep_first_line(out, e) : err;
}

static const struct login_rule *find_rule(const struct mail_settings *a, const char *who)
{
	const struct login_rule *usual = NULL;

	for (size_t i = 0; i < a->nlogins; i++) {
		if (!a->logins[i].who)
			usual = &a->logins[i];
		else if (strcmp(a->logins[i].who, who) == 0)
			return &a->logins[i];
	}
	return usual;
}

enum err credentials_get(const struct mail_settings *a, const char *user, const char *host,
                         struct login *out, struct failure *e)
{
	struct strbuf who = STRBUF_INIT;
	const struct login_rule *rule;
	enum err err;

	*out = (struct login){.secret = STRBUF_INIT};
	strbuf_grow(&out->secret, SECRET_MAX + 1);
	strbuf_addf(&who, "%s@%s", user, host);
	rule = find_rule(a, who.ptr);
	if (!rule)
		err = err_set(e, ERR_CONFIG,
		              "no password for %s; a line such as password = file:password "
		              "says where one is kept",
		              who.ptr);
	else
		err = read_where(a, rule, &out->secret, e);
	if (err != ERR_NONE && rule)
		err = err_context(e, "%s", who.ptr);
	out->is_token = rule && rule->is_token;
	out->is_file_of_tokens = rule && kind_of(span_of(rule->where)) == IN_TOKENS;
	strbuf_release(&who);
	return err;
}

void login_release(struct login *l)
{
	secret_release(&l->secret);
	free(l->file);
	l->file = NULL;
}
