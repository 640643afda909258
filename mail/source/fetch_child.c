/*
 * fetch_child.c - the process that talks to the mail server.
 *
 * Started by fetcher.c with nothing open but its standard descriptors; a socket that is connected to the
 * server comes with the first request. Nothing of what the server says is trusted.
 */
#include <stdlib.h>
#include <string.h>

#include "mail/child/cell.h"
#include "mail/child/child.h"
#include "mail/source/fetch_private.h"
#include "mail/text/base64.h"
#include "processor/base/arena.h"
#include "processor/base/seal.h"
#include "processor/base/step.h"

enum {
	GATHERED_MOST = 64 * 1024 /* bytes */,
	ANSWER_MAX = 200 /* of the server's words in an error text */
};

/* ---- answers on their way to the program ---- */

void fetch_send_now(void *job)
{
	struct fetch_job *j = job;

	requests_answer(strbuf_span(&j->gathered));
	strbuf_clear(&j->gathered);
}

/* An answer of job->out and what may stand behind it. */
static void gather(struct fetch_job *j, enum fetch_reply kind, struct span behind)
{
	packet_add_u32(&j->gathered, sizeof(uint32_t) + j->out.len + behind.len);
	packet_add_u32(&j->gathered, kind);
	strbuf_add_span(&j->gathered, strbuf_span(&j->out));
	strbuf_clear(&j->out);
	if (behind.len < GATHERED_MOST)
		strbuf_add_span(&j->gathered, behind);
	if (j->gathered.len >= GATHERED_MOST || behind.len >= GATHERED_MOST)
		fetch_send_now(j);
	if (behind.len >= GATHERED_MOST)
		requests_answer(behind);
}

void fetch_send_out(struct fetch_job *j, enum fetch_reply kind)
{
	gather(j, kind, SPAN_EMPTY);
	fetch_send_now(j);
}

void fetch_send_entry(struct fetch_job *j, struct span name, size_t size, int64_t arrived_utc,
                      uint32_t place)
{
	packet_add_span(&j->out, name);
	packet_add_u32(&j->out, size);
	packet_add_u64(&j->out, (uint64_t)arrived_utc);
	packet_add_u32(&j->out, place);
	gather(j, FETCH_ENTRY, SPAN_EMPTY);
}

void fetch_send_mail(struct fetch_job *j, struct span name, bool cut, struct span raw)
{
	packet_add_span(&j->out, name);
	packet_add_u32(&j->out, cut);
	packet_add_u32(&j->out, raw.len);
	gather(j, FETCH_MAIL, raw);
}

void fetch_send_lacking(struct fetch_job *j, struct span name)
{
	packet_add_span(&j->out, name);
	gather(j, FETCH_LACKING, SPAN_EMPTY);
}

void fetch_add_answer(struct fetch_job *j, const char *answer)
{
	struct span words = span_trim(span_of(answer));

	words = span_slice(words, 0, ANSWER_MAX);
	if (words.len == 0)
		return;
	strbuf_adds(&j->fail.text, ": ");
	for (size_t i = 0; i < words.len; i++)
		strbuf_addc(&j->fail.text,
		            words.ptr[i] >= 0x20 && words.ptr[i] < 0x7f ? words.ptr[i] : '?');
}

enum err fetch_connect(struct fetch_job *j)
{
	int socket = j->socket;

	ENSURE(socket >= 0 && !j->stream);
	j->socket = -1;
	return curl_stream_open(&j->libs, &j->target.peer, socket, &j->stream, &j->fail);
}

void bearer_add(struct strbuf *out, const struct fetch_target *t, bool is_standard)
{
	struct strbuf plain = STRBUF_INIT;

	strbuf_grow(&plain, strlen(t->user) + strlen(t->host) + t->secret.len + 64);
	if (is_standard)
		strbuf_addf(&plain, "n,a=%s,\001host=%s\001port=%u\001auth=Bearer %s\001\001",
		            t->user, t->host, (unsigned)t->peer.port, t->secret.ptr);
	else
		strbuf_addf(&plain, "user=%s\001auth=Bearer %s\001\001", t->user,
		            t->secret.ptr);
	strbuf_grow(out, 2 * plain.len + 16);
	base64_add(out, strbuf_span(&plain));
	secret_release(&plain);
}

/* ---- requests ---- */

static enum err do_open(struct fetch_job *j, struct packet_cursor *c)
{
	struct fetch_target *t = &j->target;
	struct span secret;

	ENSURE(!j->link);
	t->protocol = (enum fetch_protocol)packet_take_u32(c, FETCH_POP3);
	t->peer.is_tls = packet_take_u32(c, 1) == 1;
	t->peer.port = (uint16_t)packet_take_u32(c, UINT16_MAX);
	t->peer.timeout_s = packet_take_u32(c, 3600);
	t->host = packet_take_text(c);
	t->user = packet_take_text(c);
	secret = packet_take_span(c);
	strbuf_grow(&t->secret, secret.len);
	strbuf_add_span(&t->secret, secret);
	t->is_token = packet_take_u32(c, 1) == 1;
	t->ca_file = packet_take_text(c);
	t->mailbox = packet_take_text(c);
	t->kept = packet_take_text(c);
	t->peer.host = t->host;
	t->peer.ca_file = t->ca_file;
	TRY(net_libs_load(&j->libs, &j->fail));
	/* Long texts stay in memory; libetpan would put them into files of its own. */
	j->libs.mmap_string_set_ceil(SIZE_MAX / 2);
	(void)cell_enter(t->ca_file);
	j->driver = t->protocol == FETCH_POP3 ? &fetch_pop3 : &fetch_imap;
	return j->driver->open(j);
}

static enum err do_mails(struct fetch_job *j, struct packet_cursor *c, struct arena *arena)
{
	struct fetch_wish w = {.folder = (enum fetch_folder)packet_take_u32(c, FETCH_KEPT)};
	struct fetch_name *items;

	w.max = packet_take_u32(c, UINT32_MAX);
	w.n = packet_take_u32(c, (uint32_t)c->rest.len);
	items = arena_calloc(arena, w.n, sizeof(*items));
	for (size_t i = 0; i < w.n; i++) {
		items[i].name = packet_take_span(c);
		items[i].cut = packet_take_u32(c, 1) == 1;
	}
	w.items = items;
	return j->driver->mails(j, &w);
}

static enum err dispatch(struct fetch_job *j, enum fetch_op op, struct packet_cursor *c,
                         struct arena *arena)
{
	struct fetch_list l;
	uint32_t validity;

	switch (op) {
	case FETCH_OPEN:
		return do_open(j, c);
	case FETCH_LIST:
		l.folder = (enum fetch_folder)packet_take_u32(c, FETCH_KEPT);
		l.first = packet_take_u32(c, UINT32_MAX);
		l.names = packet_take_span(c);
		l.max = packet_take_u32(c, UINT32_MAX);
		l.sizes = packet_take_u32(c, 1) == 1;
		if (step_hooks)
			step_hooks->server_child("FETCH");
		return j->driver->list(j, &l);
	case FETCH_MAILS:
		return do_mails(j, c, arena);
	case FETCH_SETTLE:
		validity = packet_take_u32(c, UINT32_MAX);
		return j->driver->settle(j, validity, packet_take_span(c));
	case FETCH_PURGE:
		validity = packet_take_u32(c, UINT32_MAX);
		return j->driver->purge(j, validity, packet_take_span(c));
	case FETCH_WAIT:
		return j->driver->wait(j, packet_take_u32(c, 3600));
	}
	BUG("request %u", (unsigned)op);
}

static void answer(void *ctx, struct span request, int *socket)
{
	struct fetch_job *j = ctx;
	struct packet_cursor c = {.rest = request};
	enum fetch_op op = (enum fetch_op)packet_take_u32(&c, FETCH_WAIT);
	struct arena *arena = arena_new();
	enum err r;

	if (op == FETCH_OPEN) {
		j->socket = *socket;
		*socket = -1;
	}
	err_clear(&j->fail);
	strbuf_clear(&j->out);
	r = dispatch(j, op, &c, arena);
	if (r != ERR_NONE) {
		j->fail.code = r;
		strbuf_clear(&j->out);
		packet_add_failure(&j->out, &j->fail);
	}
	fetch_send_out(j, r == ERR_NONE ? FETCH_DONE : FETCH_FAILED);
	arena_free(arena);
}

int fetch_child_main(void)
{
	struct fetch_job j = {.socket = -1,
	                      .target.secret = STRBUF_INIT,
	                      .out = STRBUF_INIT,
	                      .gathered = STRBUF_INIT,
	                      .fail = ERR_INIT};

	requests_serve(
	    &(struct requests_served){.answer = answer, .wait = fetch_send_now, .ctx = &j});
	if (j.link)
		j.driver->close(&j);
	curl_stream_close(j.stream);
	free(j.target.host);
	free(j.target.user);
	free(j.target.ca_file);
	free(j.target.mailbox);
	free(j.target.kept);
	secret_release(&j.target.secret);
	strbuf_release(&j.out);
	strbuf_release(&j.gathered);
	err_release(&j.fail);
	return EXIT_DONE;
}
