/*
 * web_child.c - the process that asks a web server.
 *
 * Trusts nothing the server says: at most ANSWER_MAX bytes are kept, and only what was asked for leaves, cut to
 * one printable line each.
 */
#include <stdlib.h>

#include "mail/child/cell.h"
#include "mail/child/child.h"
#include "mail/child/packet.h"
#include "mail/text/json_member.h"
#include "mail/text/libcurl.h"
#include "mail/web/web.h"
#include "processor/base/seal.h"
#include "processor/base/step.h"

enum { ANSWER_MAX = 256 * 1024 };

struct web_child {
	struct strbuf got, out;
	bool too_long;
	struct failure fail;
};

/* NOLINTNEXTLINE(readability-non-const-parameter): libcurl's type */
static size_t take_bytes(char *bytes, size_t size, size_t n, void *ctx)
{
	struct web_child *w = ctx;

	w->too_long = w->too_long || size * n > ANSWER_MAX - w->got.len;
	if (w->too_long)
		return 0;
	strbuf_add(&w->got, bytes, size * n);
	return size * n;
}

static enum err perform(struct web_child *w, const struct libcurl *lib,
                        const struct libcurl_peer *peer, struct span form, long timeout_s,
                        long *status)
{
	char why[CURL_ERROR_SIZE] = "";
	struct curl_slist *addresses = NULL;
	CURL *easy = lib->curl_easy_init();

	ENSURE(easy);
#define SET(option, value) ((void)lib->curl_easy_setopt(easy, option, value))
	libcurl_use_socket(lib, easy, peer, &addresses);
	SET(CURLOPT_CONNECT_ONLY, 0L);
	SET(CURLOPT_PROTOCOLS_STR, "https");
	SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	SET(CURLOPT_TIMEOUT, timeout_s);
	SET(CURLOPT_ERRORBUFFER, why);
	SET(CURLOPT_WRITEFUNCTION, take_bytes);
	SET(CURLOPT_WRITEDATA, w);
	if (form.len > 0) {
		SET(CURLOPT_POSTFIELDSIZE, (long)form.len);
		SET(CURLOPT_POSTFIELDS, form.ptr);
	}
#undef SET
	CURLcode result = lib->curl_easy_perform(easy);
	if (result == CURLE_OK)
		result = lib->curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, status);
	lib->curl_easy_cleanup(easy);
	lib->curl_slist_free_all(addresses);
	if (w->too_long)
		return err_set(&w->fail, ERR_LIMIT, "%s: its answer is longer than %u KiB",
		               peer->host, ANSWER_MAX / 1024);
	if (result != CURLE_OK)
		return err_set(&w->fail, libcurl_err(result), "%s: %s", peer->host,
		               *why ? why : lib->curl_easy_strerror(result));
	return ERR_NONE;
}

/* What cannot be shown or is too long to be meant is no answer. */
static void add_member(struct web_child *w, const char *name)
{
	struct strbuf value = STRBUF_INIT;

	strbuf_grow(&value, w->got.len); /* it must not move with a secret in it */
	(void)json_member(strbuf_span(&w->got), name, &value);
	bool ok = value.len <= WEB_TEXT_MAX && span_printable(strbuf_span(&value)) == value.len;
	packet_add_span(&w->out, ok ? strbuf_span(&value) : SPAN_EMPTY);
	secret_release(&value);
}

static void add_server(struct web_child *w, const struct mail_server *s)
{
	packet_add_span(&w->out, span_of(s->scheme ? s->scheme : ""));
	packet_add_span(&w->out, span_of(s->host));
	packet_add_u32(&w->out, s->port);
	packet_add_u32(&w->out, s->user_is_local);
}

static void answer(void *ctx, struct span request, int *socket)
{
	struct web_child *w = ctx;
	struct packet_cursor c = {.rest = request};
	struct mail_servers servers = {0};
	struct libcurl lib;
	long status = 0;

	ENSURE(*socket >= 0);
	char *host = packet_take_text(&c);
	uint16_t port = (uint16_t)packet_take_u32(&c, UINT16_MAX);
	char *path = packet_take_text(&c);
	struct span form = packet_take_span(&c);
	char *ca_file = packet_take_text(&c);
	long timeout_s = packet_take_u32(&c, 3600);
	uint32_t nnames = packet_take_u32(&c, WEB_NAMES_MAX);
	const struct libcurl_peer peer = {.scheme = "https",
	                                  .host = host,
	                                  .port = port,
	                                  .path = path,
	                                  .ca_file = ca_file,
	                                  .socket = *socket};

	*socket = -1;
	strbuf_grow(&w->got, ANSWER_MAX);
	enum err r = libcurl_load(&lib, &w->fail);
	(void)cell_enter(ca_file);
	if (step_hooks)
		step_hooks->server_child("WEB");
	if (r == ERR_NONE)
		r = perform(w, &lib, &peer, form, timeout_s, &status);
	packet_add_u32(&w->out, r == ERR_NONE);
	if (r != ERR_NONE)
		packet_add_failure(&w->out, &w->fail);
	else
		packet_add_u32(&w->out, (size_t)status);
	for (uint32_t i = 0; i < nnames; i++) {
		char *name = packet_take_text(&c);

		if (r == ERR_NONE)
			add_member(w, name);
		free(name);
	}
	if (r == ERR_NONE && nnames == 0) {
		if (status == 200)
			autoconfig_read(strbuf_span(&w->got), &servers);
		add_server(w, &servers.in);
		add_server(w, &servers.out);
	}
	unsigned char length[4];
	packet_put_u32(length, (uint32_t)w->out.len);
	requests_answer((struct span){(const char *)length, sizeof(length)});
	requests_answer(strbuf_span(&w->out));
	free(host);
	free(path);
	free(ca_file);
}

static void wait_for_nothing(void *ctx)
{
	(void)ctx;
}

int web_child_main(void)
{
	struct web_child w = {.got = STRBUF_INIT, .out = STRBUF_INIT, .fail = ERR_INIT};

	requests_serve(
	    &(struct requests_served){.answer = answer, .wait = wait_for_nothing, .ctx = &w});
	secret_release(&w.got);
	secret_release(&w.out);
	err_release(&w.fail);
	return EXIT_DONE;
}
