/*
 * config_mail.c - where mail comes from and goes to, with which passwords, and from whom it is
 * taken.
 */
#include "processor/server/private.h"

#include <string.h>

#include "mail/mail.h"

/* ---- from where, to where ---- */

/* The scheme must be known and something must stand behind it; the rest is for source_open. */
static bool has_scheme(struct span value, const char *const *schemes)
{
	for (; *schemes != NULL; schemes++)
		if (span_starts(value, *schemes) && value.len > strlen(*schemes))
			return true;
	return false;
}

bool config_url_holds_password(struct span url)
{
	struct span rest = span_slice(url, span_find_char(url, '/'), url.len);
	size_t at = rest.len;

	while (at > 0 && rest.ptr[at - 1] != '@')
		at--;
	return span_find_char(rest, ':') < at;
}

static const char password_elsewhere[] = "without a password; see the key 'password'";

const char *config_read_source(struct config *c, struct span value, struct arena *arena)
{
	static const char *const schemes[] = {"maildir:", "imap://",  "imaps://",
	                                      "pop3://",  "pop3s://", NULL};

	if (!has_scheme(value, schemes))
		return "maildir:FOLDER, imaps://..., imap://..., pop3s://... or pop3://...";
	if (config_url_holds_password(value))
		return password_elsewhere;
	if (c->nsources == CONFIG_SOURCES_MAX)
		return "left out: 16 sources are the most";
	c->sources[c->nsources++] = arena_cstr(arena, value);
	return NULL;
}

const char *config_read_sink(struct config *c, struct span value, struct arena *arena)
{
	static const char *const schemes[] = {"maildir:", "smtp://", "smtps://",
	                                      "sendmail:", NULL};

	if (!has_scheme(value, schemes))
		return "maildir:FOLDER, smtps://..., smtp://... or sendmail:PROGRAM";
	if (!span_starts(value, "sendmail:") && config_url_holds_password(value))
		return password_elsewhere;
	c->sink = arena_cstr(arena, value);
	return NULL;
}

/* "WHERE" for every login, "USER@HOST WHERE" for one. */
static const char *read_login(struct config *c, struct span value, bool is_token,
                              struct arena *arena)
{
	struct login_rule rule = {.is_token = is_token};
	struct span who, rest = value;

	if (!login_where_ok(value)) {
		if (!span_next_word(&rest, "", &who) || span_find_char(who, '@') == who.len)
			return "file:PATH, command:LINE or env:NAME, or user@host and one of "
			       "them";
		rule.who = arena_cstr(arena, who);
		rest = span_trim(rest);
	}
	if (!login_where_ok(rest))
		return "file:PATH, command:LINE or env:NAME behind user@host";
	if (c->access.nlogins == CONFIG_LOGINS_MAX)
		return "left out: 32 logins are the most";
	rule.where = arena_cstr(arena, rest);
	c->logins[c->access.nlogins++] = rule;
	return NULL;
}

const char *config_read_password(struct config *c, struct span value, struct arena *arena)
{
	return read_login(c, value, false, arena);
}

const char *config_read_token(struct config *c, struct span value, struct arena *arena)
{
	return read_login(c, value, true, arena);
}

const char *config_read_ca_file(struct config *c, struct span value, struct arena *arena)
{
	c->access.ca_file = arena_cstr(arena, value);
	return NULL;
}

/* ---- whom to tell of troubles ---- */

const char *config_read_operator(struct config *c, struct span value, struct arena *arena)
{
	struct strbuf normal = STRBUF_INIT;
	bool ok = mail_address_normalize(value, &normal);

	if (ok)
		c->operator_address = arena_strdup(arena, normal.ptr);
	strbuf_release(&normal);
	return ok ? NULL : "one plain mail address such as ann@example.org";
}

bool config_names_operator(const struct config *c)
{
	return c->show_operator && c->operator_address;
}

bool config_shows_operator(const struct config *c, struct span address)
{
	return config_names_operator(c) && span_eq_nocase(address, c->operator_address);
}

const char *config_read_alarm(struct config *c, struct span value, struct arena *arena)
{
	static const char scheme[] = "command:";

	if (!span_starts(value, "command:/"))
		return "command: and the whole path of a program, such as "
		       "command:/usr/local/bin/ring";
	c->alarm = arena_cstr(arena, span_slice(value, sizeof(scheme) - 1, value.len));
	return NULL;
}

/* ---- from whom ---- */

const char *config_read_unknown_senders(struct config *c, struct span value,
                                        struct arena *arena)
{
	(void)arena;
	if (span_eq_str(value, "accept"))
		c->unknown_senders = UNKNOWN_ACCEPT;
	else if (span_eq_str(value, "confirm"))
		c->unknown_senders = UNKNOWN_CONFIRM;
	else if (span_eq_str(value, "known"))
		c->unknown_senders = UNKNOWN_KNOWN;
	else
		return "accept, confirm or known";
	return NULL;
}

const char *config_read_known_senders(struct config *c, struct span value, struct arena *arena)
{
	(void)arena;
	if (span_eq_str(value, "accept"))
		c->known_senders = KNOWN_ACCEPT;
	else if (span_eq_str(value, "confirm"))
		c->known_senders = KNOWN_CONFIRM;
	else
		return "accept or confirm";
	return NULL;
}

const char *config_read_authserv_id(struct config *c, struct span value, struct arena *arena)
{
	for (size_t i = 0; i < value.len; i++)
		if (value.ptr[i] <= ' ' || value.ptr[i] > '~' || value.ptr[i] == ';' ||
		    value.ptr[i] == '"' || value.ptr[i] == '=' || value.ptr[i] == '(')
			return "one word, such as mx.example.org, as the server writes it";
	c->authserv_id = arena_cstr(arena, value);
	return NULL;
}

const char *config_read_authentication(struct config *c, struct span value, struct arena *arena)
{
	(void)arena;
	if (span_eq_str(value, "ignore"))
		c->authentication = AUTHENTICATION_IGNORE;
	else if (span_eq_str(value, "warn"))
		c->authentication = AUTHENTICATION_WARN;
	else if (span_eq_str(value, "require"))
		c->authentication = AUTHENTICATION_REQUIRE;
	else
		return "ignore, warn or require";
	return NULL;
}
