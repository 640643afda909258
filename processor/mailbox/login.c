/*
 * login.c - the code shown, and asking until somebody has typed it.
 */
#include "processor/mailbox/mailbox.h"

#include <string.h>
#include <time.h>

#include "mail/web/oauth.h"
#include "processor/base/clock.h"

/* The file of tokens, in the arena; NULL: no line names one. */
static const char *tokens_file(const struct config *cfg, struct arena *arena)
{
	static const char kind[] = "oauth:";

	for (size_t i = 0; i < cfg->settings.nlogins; i++)
		if (span_starts(span_of(cfg->logins[i].where), kind))
			return config_path(cfg, cfg->logins[i].where + strlen(kind), arena);
	return NULL;
}

static enum err wait_for_person(const struct oauth_client *client, const char *file, FILE *out,
                                struct failure *e)
{
	struct oauth_device d;
	enum err r = oauth_device_begin(client, clock_now_utc(), &d, e);

	if (r == ERR_NONE) {
		fprintf(out, "Open %s in any browser and type this code: %s\n", d.url.ptr,
		        d.user_code.ptr);
		if (d.url_complete.len > 0)
			fprintf(out, "(%s has it in it.)\n", d.url_complete.ptr);
		fprintf(
		    out,
		    "Log in there as the mailbox of the server, and agree. The code is good for %lld minutes.\n",
		    (long long)(d.until_utc - clock_now_utc() + 59) / 60);
		fflush(out);
		do {
			const struct timespec pause = {.tv_sec = d.every_s};

			(void)nanosleep(&pause, NULL);
			r = oauth_device_poll(client, &d, clock_now_utc(), file, e);
		} while (r == ERR_BUSY);
	}
	oauth_device_release(&d);
	return r;
}

enum err mailbox_login(const struct config *cfg, FILE *out, struct failure *e)
{
	const struct login_rule rule = {.where = cfg->oauth_secret};
	const struct mail_settings kept = {
	    .base = cfg->settings.base, .logins = &rule, .nlogins = 1};
	struct login secret = {.secret = STRBUF_INIT};
	struct arena *arena = arena_new();
	const char *file = tokens_file(cfg, arena);
	enum err r = ERR_NONE;

	if (!file || !cfg->oauth_issuer)
		r = err_set(
		    e, ERR_CONFIG,
		    "molepost.conf needs two lines for this: oauth = AUTHORITY CLIENT-ID and token = "
		    "oauth:FILE; molepost.conf(5) says more");
	if (r == ERR_NONE && cfg->oauth_secret)
		r = credentials_get(&kept, "", "", &secret, e);
	if (r == ERR_NONE)
		r = wait_for_person(
		    &(struct oauth_client){.issuer = cfg->oauth_issuer,
		                           .id = cfg->oauth_client,
		                           .secret = secret.secret.ptr,
		                           .scope = cfg->oauth_scope ? cfg->oauth_scope : "",
		                           .ca_file = cfg->settings.ca_file},
		    file, out, e);
	if (r == ERR_NONE)
		fprintf(out, "Logged in. What runs need for it is in %s.\n", file);
	login_release(&secret);
	arena_free(arena);
	return r;
}
