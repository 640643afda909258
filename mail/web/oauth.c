/*
 * oauth.c - the file with the tokens, renewing them, and the device flow.
 */
#include "mail/web/oauth.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mail/web/web.h"
#include "processor/base/clock.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "processor/base/seal.h"
#include "processor/base/step.h"

enum {
	ANSWER_S = 20,
	MARGIN_S = 60, /* a token that ends sooner is renewed */
	USUAL_S = 300, /* one of which nobody says how long it is good */
	FILE_MAX = 5 * (WEB_TEXT_MAX + 16),
	DEVICE_S = 1800, /* longest wait for a person */
	SLOWER_S = 5     /* RFC 8628, 3.5 */
};

/* ------------------------------------------------------------------ the file */

enum { ENDPOINT, CLIENT, SECRET, REFRESH, ACCESS, UNTIL, NLINES };
static const char *const line_names[NLINES] = {"endpoint", "client", "secret",
                                               "refresh",  "access", "until"};

struct tokens {
	struct strbuf line[NLINES];
};

static void tokens_init(struct tokens *t)
{
	for (size_t i = 0; i < NLINES; i++) {
		strbuf_init(&t->line[i]);
		strbuf_grow(&t->line[i], WEB_TEXT_MAX); /* none moves with a secret in it */
	}
}

static void tokens_release(struct tokens *t)
{
	for (size_t i = 0; i < NLINES; i++)
		secret_release(&t->line[i]);
}

static void set(struct strbuf *line, struct span value)
{
	strbuf_clear(line);
	strbuf_add_span(line, span_slice(value, 0, WEB_TEXT_MAX));
}

static enum err tokens_read(const char *path, struct tokens *t, struct failure *e)
{
	struct strbuf text = STRBUF_INIT;
	struct span rest, line, word;
	struct stat st;

	if (stat(path, &st) != 0)
		return err_set(e, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO,
		               "%s: %s; molepost login makes it", path, strerror(errno));
	if ((st.st_mode & (S_IRWXG | S_IRWXO)) != 0)
		return err_set(e, ERR_DENIED,
		               "%s can be read by others (chmod 600 %s mends it)", path, path);
	strbuf_grow(&text, FILE_MAX);
	enum err r = file_read(path, FILE_MAX, &text, e);
	rest = strbuf_span(&text);
	while (r == ERR_NONE && span_next_line(&rest, &line)) {
		if (!span_next_word(&line, "", &word))
			continue;
		for (size_t i = 0; i < NLINES; i++)
			if (span_eq_str(word, line_names[i]))
				set(&t->line[i], span_trim(line));
	}
	secret_release(&text);
	if (r == ERR_NONE && (t->line[ENDPOINT].len == 0 || t->line[REFRESH].len == 0))
		r = err_set(e, ERR_CONFIG,
		            "%s has no refresh token; molepost login makes it anew", path);
	return r;
}

/* Durable before anybody uses what is in it: an authority may take an old refresh token back as it gives a new one. */
static enum err tokens_write(const char *path, const struct tokens *t, struct failure *e)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_grow(&text, FILE_MAX);
	for (size_t i = 0; i < NLINES; i++)
		if (t->line[i].len > 0)
			strbuf_addf(&text, "%s %s\n", line_names[i], t->line[i].ptr);
	step("oauth: tokens given");
	enum err r = file_replace_private(path, strbuf_span(&text), e);
	step("oauth: tokens in place");
	secret_release(&text);
	return r;
}

/* Waits for whoever renews them now. -1: without a lock, where there can be none. */
static int take_turn(const char *path)
{
	struct strbuf lock = STRBUF_INIT;

	strbuf_addf(&lock, "%s.lock", path);
	int fd = open(lock.ptr, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	strbuf_release(&lock);
	while (fd >= 0 && flock(fd, LOCK_EX) != 0 && errno == EINTR)
		;
	return fd;
}

/* ------------------------------------------------------------------ asking for tokens */

enum { GOT_ACCESS, GOT_REFRESH, GOT_FOR_S, GOT_ERROR, GOT_WHY, NGOT };
static const char *const token_names[NGOT] = {"access_token", "refresh_token", "expires_in",
                                              "error", "error_description"};

/* Keeps what the authority gave. ERR_BUSY: it says so in words (*a) and not in a token. */
static enum err ask_for_tokens(const char *ca_file, struct span form, struct tokens *t,
                               struct web_answer *a, struct failure *e)
{
	unsigned for_s = USUAL_S;
	enum err r = web_ask(&(struct web_question){.url = t->line[ENDPOINT].ptr,
	                                            .form = form,
	                                            .names = token_names,
	                                            .nnames = NGOT,
	                                            .ca_file = ca_file,
	                                            .timeout_s = ANSWER_S},
	                     a, e);

	if (r != ERR_NONE)
		return r;
	if (a->status >= 500)
		return err_set(e, ERR_IO, "%s: it answers %u", t->line[ENDPOINT].ptr,
		               a->status);
	if (a->status != 200 || a->texts[GOT_ACCESS].len == 0)
		return ERR_BUSY;
	set(&t->line[ACCESS], strbuf_span(&a->texts[GOT_ACCESS]));
	if (a->texts[GOT_REFRESH].len > 0)
		set(&t->line[REFRESH], strbuf_span(&a->texts[GOT_REFRESH]));
	(void)num_parse_uint(strbuf_span(&a->texts[GOT_FOR_S]), 0, 366 * 86400, &for_s);
	strbuf_clear(&t->line[UNTIL]);
	strbuf_addf(&t->line[UNTIL], "%lld", (long long)clock_now_utc() + for_s);
	return ERR_NONE;
}

/* "invalid_grant: Token has been expired or revoked." */
static enum err say_refused(const struct web_answer *a, const char *path, struct failure *e)
{
	const char *error = a->texts[GOT_ERROR].len ? a->texts[GOT_ERROR].ptr
	                                            : "no reason given";

	return err_set(
	    e, ERR_DENIED,
	    "the login in %s is no longer accepted (%u, %s%s%.*s); molepost login makes a new one",
	    path, a->status, error, a->texts[GOT_WHY].len ? ": " : "",
	    (int)(a->texts[GOT_WHY].len < 200 ? a->texts[GOT_WHY].len : 200),
	    a->texts[GOT_WHY].ptr);
}

static void add_client(struct strbuf *form, const char *id, const char *secret)
{
	web_form_add(form, "client_id", id);
	if (*secret)
		web_form_add(form, "client_secret", secret);
}

static enum err renew(const struct mail_settings *a, const char *path, struct tokens *t,
                      struct failure *e)
{
	struct strbuf form = STRBUF_INIT;
	struct web_answer answer;

	strbuf_grow(&form, 3 * FILE_MAX);
	web_form_add(&form, "grant_type", "refresh_token");
	web_form_add(&form, "refresh_token", t->line[REFRESH].ptr);
	add_client(&form, t->line[CLIENT].ptr, t->line[SECRET].ptr);
	enum err r = ask_for_tokens(a->ca_file, strbuf_span(&form), t, &answer, e);
	if (r == ERR_BUSY)
		r = say_refused(&answer, path, e);
	else if (r == ERR_NONE)
		r = tokens_write(path, t, e);
	web_answer_release(&answer);
	secret_release(&form);
	return r;
}

enum err oauth_login_get(const struct mail_settings *a, const char *user, const char *host,
                         struct login *out, struct failure *e)
{
	struct tokens t;
	int64_t until_utc = 0;

	enum err r = credentials_get(a, user, host, out, e);
	if (r != ERR_NONE || !out->is_file_of_tokens)
		return r;
	out->file = xstrdup(out->secret.ptr);
	tokens_init(&t);
	int turn = take_turn(out->file);
	r = tokens_read(out->file, &t, e);
	if (r == ERR_NONE &&
	    (!num_parse_i64(strbuf_span(&t.line[UNTIL]), 0, INT64_MAX, &until_utc) ||
	     t.line[ACCESS].len == 0 || clock_now_utc() + MARGIN_S >= until_utc)) {
		r = renew(a, out->file, &t, e);
		out->is_fresh = true;
	}
	if (turn >= 0)
		close(turn);
	set(&out->secret, r == ERR_NONE ? strbuf_span(&t.line[ACCESS]) : SPAN_EMPTY);
	tokens_release(&t);
	return r == ERR_NONE ? r : err_context(e, "%s@%s", user, host);
}

bool oauth_login_refused(const struct login *login)
{
	struct failure e = ERR_INIT;
	struct tokens t;

	if (!login->is_file_of_tokens || login->is_fresh || login->secret.len == 0)
		return false;
	tokens_init(&t);
	int turn = take_turn(login->file);
	/* Somebody may have another one already. */
	if (tokens_read(login->file, &t, &e) == ERR_NONE &&
	    span_eq(strbuf_span(&t.line[ACCESS]), strbuf_span(&login->secret))) {
		strbuf_clear(&t.line[ACCESS]);
		(void)!tokens_write(login->file, &t, &e);
	}
	if (turn >= 0)
		close(turn);
	tokens_release(&t);
	err_release(&e);
	return true;
}

/* ------------------------------------------------------------------ the device flow */

/* Where the two large authorities have no need to be asked; scopes as their pages on mail name them. */
static const struct authority {
	const char *name, *device_endpoint, *token_endpoint, *scope;
} authorities[] = {
    {"google", "https://oauth2.googleapis.com/device/code",
     "https://oauth2.googleapis.com/token", "https://mail.google.com/"},
    {"microsoft", "https://login.microsoftonline.com/common/oauth2/v2.0/devicecode",
     "https://login.microsoftonline.com/common/oauth2/v2.0/token",
     "https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/POP.AccessAsUser.All "
     "https://outlook.office.com/SMTP.Send offline_access"},
};

/* RFC 8414 and OpenID Connect Discovery have the same members in files of two names. */
static enum err discover(const struct oauth_client *c, struct strbuf *device,
                         struct strbuf *token, struct failure *e)
{
	static const char *const files[] = {"openid-configuration",
	                                    "oauth-authorization-server"};
	static const char *const names[] = {"device_authorization_endpoint", "token_endpoint"};
	enum err r = ERR_NONE;

	for (size_t i = 0; i < sizeof(authorities) / sizeof(authorities[0]); i++)
		if (strcmp(authorities[i].name, c->issuer) == 0) {
			strbuf_adds(device, authorities[i].device_endpoint);
			strbuf_adds(token, authorities[i].token_endpoint);
			return ERR_NONE;
		}
	for (size_t i = 0; i < 2 && r == ERR_NONE && device->len == 0; i++) {
		struct strbuf url = STRBUF_INIT;
		struct web_answer a;
		size_t n = strlen(c->issuer);

		while (n > 0 && c->issuer[n - 1] == '/')
			n--;
		strbuf_addf(&url, "%.*s/.well-known/%s", (int)n, c->issuer, files[i]);
		r = web_ask(&(struct web_question){.url = url.ptr,
		                                   .names = names,
		                                   .nnames = 2,
		                                   .ca_file = c->ca_file,
		                                   .timeout_s = ANSWER_S},
		            &a, e);
		if (r == ERR_NONE && a.status == 200 && a.texts[1].len > 0) {
			set(device, strbuf_span(&a.texts[0]));
			set(token, strbuf_span(&a.texts[1]));
		}
		web_answer_release(&a);
		strbuf_release(&url);
	}
	if (r == ERR_NONE && device->len == 0)
		r = err_set(
		    e, ERR_CONFIG,
		    "%s: no discovery document there names a device_authorization_endpoint",
		    c->issuer);
	return r;
}

static const char *scope_of(const struct oauth_client *c)
{
	for (size_t i = 0; i < sizeof(authorities) / sizeof(authorities[0]) && !*c->scope; i++)
		if (strcmp(authorities[i].name, c->issuer) == 0)
			return authorities[i].scope;
	return *c->scope ? c->scope : "offline_access";
}

enum err oauth_device_begin(const struct oauth_client *c, int64_t now_utc,
                            struct oauth_device *out, struct failure *e)
{
	enum { CODE, USER_CODE, URI, URI_GOOGLE, COMPLETE, FOR_S, EVERY_S, ERROR, N };
	/* Google says verification_url, as its draft did. */
	static const char *const names[N] = {"device_code",
	                                     "user_code",
	                                     "verification_uri",
	                                     "verification_url",
	                                     "verification_uri_complete",
	                                     "expires_in",
	                                     "interval",
	                                     "error"};
	struct strbuf endpoint = STRBUF_INIT, form = STRBUF_INIT;
	struct web_answer a;
	unsigned for_s = DEVICE_S;

	*out = (struct oauth_device){.code = STRBUF_INIT,
	                             .user_code = STRBUF_INIT,
	                             .url = STRBUF_INIT,
	                             .url_complete = STRBUF_INIT,
	                             .token_endpoint = STRBUF_INIT,
	                             .every_s = 5};
	enum err r = discover(c, &endpoint, &out->token_endpoint, e);
	web_form_add(&form, "client_id", c->id);
	web_form_add(&form, "scope", scope_of(c));
	if (r == ERR_NONE) {
		r = web_ask(&(struct web_question){.url = endpoint.ptr,
		                                   .form = strbuf_span(&form),
		                                   .names = names,
		                                   .nnames = N,
		                                   .ca_file = c->ca_file,
		                                   .timeout_s = ANSWER_S},
		            &a, e);
		if (r == ERR_NONE &&
		    (a.status != 200 || a.texts[CODE].len == 0 || a.texts[USER_CODE].len == 0))
			r = err_set(
			    e, ERR_DENIED, "%s gives no code (%u, %s)", endpoint.ptr, a.status,
			    a.texts[ERROR].len ? a.texts[ERROR].ptr : "no reason given");
		if (r == ERR_NONE) {
			set(&out->code, strbuf_span(&a.texts[CODE]));
			set(&out->user_code, strbuf_span(&a.texts[USER_CODE]));
			set(&out->url,
			    strbuf_span(&a.texts[a.texts[URI].len ? URI : URI_GOOGLE]));
			set(&out->url_complete, strbuf_span(&a.texts[COMPLETE]));
			(void)num_parse_uint(strbuf_span(&a.texts[FOR_S]), 1, DEVICE_S, &for_s);
			(void)num_parse_uint(strbuf_span(&a.texts[EVERY_S]), 1, 300,
			                     &out->every_s);
			out->until_utc = now_utc + for_s;
		}
		web_answer_release(&a);
	}
	strbuf_release(&endpoint);
	strbuf_release(&form);
	return r;
}

enum err oauth_device_poll(const struct oauth_client *c, struct oauth_device *d,
                           int64_t now_utc, const char *file, struct failure *e)
{
	struct strbuf form = STRBUF_INIT;
	struct web_answer a;
	struct tokens t;

	if (now_utc >= d->until_utc)
		return err_set(e, ERR_TIMEOUT,
		               "nobody has agreed in time; the code has run out");
	tokens_init(&t);
	set(&t.line[ENDPOINT], strbuf_span(&d->token_endpoint));
	set(&t.line[CLIENT], span_of(c->id));
	set(&t.line[SECRET], span_of(c->secret));
	web_form_add(&form, "grant_type", "urn:ietf:params:oauth:grant-type:device_code");
	web_form_add(&form, "device_code", d->code.ptr);
	add_client(&form, c->id, c->secret);
	enum err r = ask_for_tokens(c->ca_file, strbuf_span(&form), &t, &a, e);
	const char *error = a.texts[GOT_ERROR].ptr;
	if (r == ERR_NONE && t.line[REFRESH].len == 0)
		r = err_set(
		    e, ERR_CONFIG,
		    "the authority gave no refresh token: does oauth_scope ask for offline access?");
	if (r == ERR_NONE) {
		int turn = take_turn(file);

		r = tokens_write(file, &t, e);
		if (turn >= 0)
			close(turn);
	} else if (r == ERR_TIMEOUT || r == ERR_IO) {
		/* RFC 8628, 3.5: slower, and again. */
		d->every_s *= 2;
		r = ERR_BUSY;
	} else if (r == ERR_BUSY && strcmp(error, "slow_down") == 0) {
		d->every_s += SLOWER_S;
	} else if (r == ERR_BUSY && strcmp(error, "expired_token") == 0) {
		r = err_set(e, ERR_TIMEOUT, "nobody has agreed in time; the code has run out");
	} else if (r == ERR_BUSY && strcmp(error, "access_denied") == 0) {
		r = err_set(e, ERR_DENIED, "the login was refused in the browser");
	} else if (r == ERR_BUSY && strcmp(error, "authorization_pending") != 0) {
		r = err_set(e, ERR_DENIED, "no token (%u, %s%s%s)", a.status,
		            *error ? error : "no reason given",
		            a.texts[GOT_WHY].len ? ": " : "", a.texts[GOT_WHY].ptr);
	}
	web_answer_release(&a);
	tokens_release(&t);
	secret_release(&form);
	return r;
}

void oauth_device_release(struct oauth_device *d)
{
	secret_release(&d->code);
	strbuf_release(&d->user_code);
	strbuf_release(&d->url);
	strbuf_release(&d->url_complete);
	strbuf_release(&d->token_endpoint);
}
