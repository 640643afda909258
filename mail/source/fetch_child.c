/*
 * fetch_child.c - the process that talks to the mail server.
 *
 * Started by fetcher.c with nothing open but its standard descriptors; requests come in, with
 * the first a socket that is connected to the server, answers go out,
 * until its parent closes the pipe or dies. What is asked for is trusted, since it comes from
 * the program itself; nothing of what the server says is.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "mail/child/cell.h"
#include "mail/child/child.h"
#include "mail/child/child_limits.h"
#include "mail/source/fetch_private.h"
#include "mail/text/charset.h"
#include "processor/base/arena.h"
#include "processor/base/seal.h"
#include "processor/base/step.h"

enum { READ_AT_ONCE = 16 * 1024, OPEN_FILES = 64, REQUEST_MAX = 64 << 20 };
#define MEMORY_BYTES ((rlim_t)768 << 20)

/* Core files would hold a password. A server that promises a huge text costs this process only. */
static void limit_all(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	child_limit_memory(MEMORY_BYTES);
	child_limit(RLIMIT_NOFILE, OPEN_FILES);
}

static void send_failure(struct fetch_job *j, enum err code)
{
	strbuf_clear(&j->out);
	packet_add_u32(&j->out, code);
	packet_add_span(&j->out, strbuf_span(&j->fail.text));
	fetch_send_out(j, FETCH_FAILED);
}

/* ---- requests ---- */

static char *take_text(struct packet_cursor *c)
{
	struct span s = packet_take_span(c);

	return s.ptr ? strndup(s.ptr, s.len) : xstrdup("");
}

static void read_target(struct packet_cursor *c, struct fetch_target *t)
{
	struct span secret;

	t->protocol = (enum fetch_protocol)packet_take_u32(c, FETCH_POP3);
	t->peer.is_tls = packet_take_u32(c, 1) == 1;
	t->peer.port = (uint16_t)packet_take_u32(c, UINT16_MAX);
	t->peer.timeout_s = packet_take_u32(c, 3600);
	t->host = take_text(c);
	t->user = take_text(c);
	secret = packet_take_span(c);
	strbuf_grow(&t->secret, secret.len);
	strbuf_add_span(&t->secret, secret);
	t->is_token = packet_take_u32(c, 1) == 1;
	t->ca_file = take_text(c);
	t->mailbox = take_text(c);
	t->kept = take_text(c);
	t->peer.host = t->host;
	t->peer.ca_file = t->ca_file;
}

static const struct fetch_driver *driver_of(const struct fetch_job *j)
{
	return j->target.protocol == FETCH_POP3 ? &fetch_pop3 : &fetch_imap;
}

/*
 * Behind it are left the connection to this server, and the certificates, which say who answers.
 */
static void close_cell(const struct curl_stream_peer *peer)
{
	const char *const readable[] = {"/etc/ld.so.cache",
	                                "/lib",
	                                "/lib64",
	                                "/usr/lib",
	                                "/etc/ssl/certs",
	                                "/etc/ssl/openssl.cnf",
	                                "/etc/gnutls",
	                                "/etc/pki",
	                                "/usr/share/ca-certificates",
	                                "/usr/local/share/ca-certificates",
	                                *peer->ca_file ? peer->ca_file : NULL,
	                                NULL};

	(void)cell_enter(readable);
}

static enum err do_open(struct fetch_job *j, struct packet_cursor *c)
{
	enum err r;

	ENSURE(!j->link);
	read_target(c, &j->target);
	r = net_libs_load(&j->libs, &j->fail);
	if (r != ERR_NONE)
		return r;
	/* Long texts stay in memory; libetpan would put them into files of its own. */
	j->libs.mmap_string_set_ceil(SIZE_MAX / 2);
	if (j->libs.curl_global_init(CURL_GLOBAL_SSL) != CURLE_OK)
		return err_set(&j->fail, ERR_UNSUPPORTED, "libcurl cannot be used");
	close_cell(&j->target.peer);
	return driver_of(j)->open(j);
}

static enum err do_list(struct fetch_job *j, struct packet_cursor *c)
{
	struct fetch_list l = {.folder = (enum fetch_folder)packet_take_u32(c, FETCH_KEPT)};

	l.first = packet_take_u32(c, UINT32_MAX);
	l.names = packet_take_span(c);
	l.max = packet_take_u32(c, UINT32_MAX);
	l.sizes = packet_take_u32(c, 1) == 1;
	if (step_hooks)
		step_hooks->fetch_child();
	return driver_of(j)->list(j, &l);
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
	return driver_of(j)->mails(j, &w);
}

static enum err dispatch(struct fetch_job *j, enum fetch_op op, struct packet_cursor *c,
                         struct arena *arena)
{
	uint32_t validity;

	switch (op) {
	case FETCH_OPEN:
		return do_open(j, c);
	case FETCH_LIST:
		return do_list(j, c);
	case FETCH_MAILS:
		return do_mails(j, c, arena);
	case FETCH_SETTLE:
		validity = packet_take_u32(c, UINT32_MAX);
		return driver_of(j)->settle(j, validity, packet_take_span(c));
	case FETCH_PURGE:
		validity = packet_take_u32(c, UINT32_MAX);
		return driver_of(j)->purge(j, validity, packet_take_span(c));
	}
	BUG("request %u", (unsigned)op);
}

static void answer(struct fetch_job *j, struct span request, struct arena *arena)
{
	struct packet_cursor c = {.rest = request};
	enum fetch_op op = (enum fetch_op)packet_take_u32(&c, FETCH_PURGE);
	enum err r;

	err_clear(&j->fail);
	strbuf_clear(&j->out);
	arena_clear(arena);
	r = dispatch(j, op, &c, arena);
	if (r == ERR_NONE)
		fetch_send_out(j, FETCH_DONE);
	else
		send_failure(j, r);
}

/* Reads until *in holds `len` bytes, and a socket if one comes with them. False at the end of input. */
static bool read_until(struct fetch_job *j, struct strbuf *in, size_t len)
{
	while (in->len < len) {
		ssize_t n;
		int socket;

		strbuf_grow(in, READ_AT_ONCE);
		n = child_receive(STDIN_FILENO, in->ptr + in->len, READ_AT_ONCE, &socket);
		if (n <= 0)
			return false;
		if (socket >= 0)
			j->socket = socket;
		in->len += (size_t)n;
	}
	return true;
}

static void serve(struct fetch_job *j)
{
	struct arena *arena = arena_new();
	struct strbuf in = STRBUF_INIT;

	while (read_until(j, &in, sizeof(uint32_t))) {
		size_t len = packet_get_u32(in.ptr), whole = sizeof(uint32_t) + len;

		if (len > REQUEST_MAX || !read_until(j, &in, whole))
			break;
		answer(j, span_slice(strbuf_span(&in), sizeof(uint32_t), whole), arena);
		memmove(in.ptr, in.ptr + whole, in.len - whole);
		strbuf_truncate(&in, in.len - whole);
	}
	secret_release(&in);
	arena_free(arena);
}

static void release(struct fetch_job *j)
{
	free(j->target.host);
	free(j->target.user);
	free(j->target.ca_file);
	free(j->target.mailbox);
	free(j->target.kept);
	secret_release(&j->target.secret);
	strbuf_release(&j->out);
	strbuf_release(&j->gathered);
	err_release(&j->fail);
}

int fetch_child_main(void)
{
	struct fetch_job j = {.socket = -1,
	                      .target.secret = STRBUF_INIT,
	                      .out = STRBUF_INIT,
	                      .gathered = STRBUF_INIT,
	                      .fail = ERR_INIT};

	limit_all();
	seal_start();
	serve(&j);
	if (j.link)
		driver_of(&j)->close(&j);
	curl_stream_close(j.stream);
	release(&j);
	return EXIT_DONE;
}
