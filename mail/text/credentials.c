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

static enum err read_private_file(const char *path, struct strbuf *out, struct failure *e)
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
	return file_read(path, SECRET_MAX, out, e);
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

static enum err read_where(const struct mail_settings *a, const struct login_rule *rule,
                           struct strbuf *out, struct failure *e)
{
	size_t kind = kind_of(span_of(rule->where));
	const char *rest = rule->where + (kind < NKINDS ? strlen(kinds[kind]) : 0), *value;
	struct strbuf path = STRBUF_INIT;
	enum err err = ERR_NONE;

	if (kind == IN_FILE || kind == IN_TOKENS)
		strbuf_addf(&path, "%s%s%s", *rest != '/' ? a->base : "",
		            *rest != '/' ? "/" : "", rest);
	if (kind == IN_FILE)
		err = read_private_file(path.ptr, out, e);
	else if (kind == FROM_COMMAND)
		err = ask_command(rest, rule->is_token ? "token" : "password", out, e);
	else if (kind == IN_TOKENS)
		strbuf_add_span(out, strbuf_span(&path));
	else if (kind != IN_ENVIRONMENT)
		err = err_set(e, ERR_CONFIG, "a password is kept in file:, command: or env:");
	else if ((value = env_get(rest)))
		strbuf_adds(out, value);
	else
		err = err_set(e, ERR_NOT_FOUND, "the environment variable %s is not set", rest);
	strbuf_release(&path);
	if (err != ERR_NONE || kind == IN_TOKENS)
		return err;
	/* Only the first line counts; nothing of a secret may end a protocol's line. */
	struct span all = strbuf_span(out), line = SPAN_EMPTY;
	(void)span_next_line(&all, &line);
	strbuf_truncate(out, line.len);
	if (out->len == 0)
		return err_set(e, ERR_INVALID, "the password is empty");
	for (size_t i = 0; i < out->len; i++)
		if ((unsigned char)out->ptr[i] < 0x20 || out->ptr[i] == 0x7f)
			return err_set(e, ERR_INVALID, "the password has control characters");
	return ERR_NONE;
}

enum err credentials_get(const struct mail_settings *a, const char *user, const char *host,
                         struct login *out, struct failure *e)
{
	struct strbuf who = STRBUF_INIT;
	const struct login_rule *rule = NULL;
	enum err err;

	*out = (struct login){.secret = STRBUF_INIT};
	strbuf_grow(&out->secret, SECRET_MAX + 1);
	strbuf_addf(&who, "%s@%s", user, host);
	for (size_t i = 0; i < a->nlogins && !(rule && rule->who); i++) {
		const struct login_rule *r = &a->logins[i];

		if (!r->who || strcmp(r->who, who.ptr) == 0)
			rule = r;
	}
	if (!rule) {
		err = err_set(e, ERR_CONFIG,
		              "no password for %s; a line such as password = file:password "
		              "says where one is kept",
		              who.ptr);
	} else {
		err = read_where(a, rule, &out->secret, e);
		if (err != ERR_NONE)
			err = err_context(e, "%s", who.ptr);
		out->is_token = rule->is_token;
		out->is_file_of_tokens = kind_of(span_of(rule->where)) == IN_TOKENS;
	}
	strbuf_release(&who);
	return err;
}

void login_release(struct login *l)
{
	secret_release(&l->secret);
	free(l->file);
	l->file = NULL;
}
