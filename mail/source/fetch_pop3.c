/*
 * fetch_pop3.c - POP3 as the fetching child speaks it (RFC 1939).
 *
 * Mails are known by UIDL. What is deleted goes away at QUIT only, so settling ends the connection, and
 * with it the use of this child.
 */
#include <stdlib.h>
#include <string.h>

#include "mail/source/fetch_private.h"
#include "mail/text/date.h"
#include "processor/base/seal.h"

enum { LINE_MAX_BYTES = 2048 };
/* What libetpan's own login commands leave in mailpop3.pop3_state; its header does not say. */
enum { LOGGED_IN = 2 };

struct pop3_link {
	mailpop3 *pop3; /* NULL: not connected, or no longer */
	carray *mails;  /* struct mailpop3_msg_info, the library's */
};

static struct pop3_link *link_of(struct fetch_job *j)
{
	return j->link;
}

static enum err failed(struct fetch_job *j, int r, enum err refused, const char *what)
{
	if (r == MAILPOP3_ERROR_STREAM) {
		curl_stream_why(j->stream, &j->fail);
	} else {
		err_set(&j->fail, refused, "the server refuses");
		fetch_add_answer(j, link_of(j)->pop3->pop3_response);
	}
	return err_context(&j->fail, "%s", what);
}

/* ---- logging in ---- */

static bool send_line(struct fetch_job *j, struct span line)
{
	mailstream *s = link_of(j)->pop3->pop3_stream;

	return j->libs.mailstream_write(s, line.ptr, line.len) >= 0 &&
	       j->libs.mailstream_flush(s) >= 0;
}

/* Whether the server offers only the standard's way to log in with a token (RFC 2449, 6.3, SASL). */
static bool wants_standard(struct fetch_job *j, MMAPString *answer)
{
	static const char *const names[] = {"XOAUTH2", "OAUTHBEARER"};
	mailstream *s = link_of(j)->pop3->pop3_stream;
	const char *line =
	    send_line(j, SPAN_LIT("CAPA\r\n")) ? j->libs.mailstream_read_line(s, answer) : NULL;
	bool offers[2] = {false, false};

	if (!line || !span_starts(span_of(line), "+OK"))
		return false;
	while ((line = j->libs.mailstream_read_line(s, answer)) != NULL &&
	       span_trim(span_of(line)).len > 0 &&
	       !span_eq_str(span_trim(span_of(line)), ".")) {
		struct span rest = span_trim(span_of(line)), word;
		bool is_sasl = span_next_word(&rest, "", &word) && span_eq_nocase(word, "SASL");

		while (is_sasl && span_next_word(&rest, "", &word))
			for (size_t i = 0; i < 2; i++)
				offers[i] = offers[i] || span_eq_nocase(word, names[i]);
	}
	return offers[1] && !offers[0];
}

/*
 * libetpan has this for IMAP only. The token goes with the command (RFC 5034); a server that does not want it
 * sends a challenge, which is answered by what says that we have read it.
 */
static enum err log_in_by_token(struct fetch_job *j)
{
	struct strbuf line = STRBUF_INIT;
	MMAPString *answer = j->libs.mmap_string_new("");
	mailpop3 *pop3 = link_of(j)->pop3;
	bool standard = wants_standard(j, answer);
	const char *got = NULL;

	strbuf_grow(
	    &line,
	    2 * (strlen(j->target.user) + strlen(j->target.host) + j->target.secret.len) + 256);
	strbuf_addf(&line, "AUTH %s ", standard ? "OAUTHBEARER" : "XOAUTH2");
	bearer_add(&line, &j->target, standard);
	strbuf_adds(&line, "\r\n");
	if (send_line(j, strbuf_span(&line)))
		got = j->libs.mailstream_read_line(pop3->pop3_stream, answer);
	if (got && got[0] == '+' && got[1] == ' ' &&
	    send_line(j, standard ? SPAN_LIT("AQ==\r\n") : SPAN_LIT("\r\n")))
		got = j->libs.mailstream_read_line(pop3->pop3_stream, answer);
	secret_release(&line);
	enum err r = ERR_NONE;
	if (!got)
		r = failed(j, MAILPOP3_ERROR_STREAM, ERR_DENIED, "logging in with the token");
	else if (span_starts(span_of(got), "+OK"))
		pop3->pop3_state = LOGGED_IN;
	else {
		r = err_set(&j->fail, ERR_DENIED,
		            "logging in with the token: the server refuses");
		fetch_add_answer(j, got);
	}
	j->libs.mmap_string_free(answer);
	return r;
}

static enum err log_in(struct fetch_job *j)
{
	mailpop3 *pop3 = link_of(j)->pop3;
	int r;

	if (j->target.is_token)
		return log_in_by_token(j);
	r = j->libs.mailpop3_user(pop3, j->target.user);
	if (r == MAILPOP3_NO_ERROR)
		r = j->libs.mailpop3_pass(pop3, j->target.secret.ptr);
	return r == MAILPOP3_NO_ERROR ? ERR_NONE : failed(j, r, ERR_DENIED, "logging in");
}

static void hang_up(struct fetch_job *j, bool politely)
{
	struct pop3_link *k = link_of(j);

	if (k->pop3 && politely)
		j->libs.mailpop3_quit(k->pop3);
	if (k->pop3)
		j->libs.mailpop3_free(k->pop3);
	k->pop3 = NULL;
	k->mails = NULL;
}

static enum err read_names(struct fetch_job *j)
{
	struct pop3_link *k = link_of(j);
	int r = j->libs.mailpop3_list(k->pop3, &k->mails);

	if (r != MAILPOP3_NO_ERROR)
		return failed(j, r, ERR_IO, "listing the mailbox");
	for (unsigned i = 0; i < carray_count(k->mails); i++) {
		const struct mailpop3_msg_info *info = carray_get(k->mails, i);

		if (info && !info->msg_uidl)
			return err_set(
			    &j->fail, ERR_UNSUPPORTED,
			    "the server gives mails no lasting names (UIDL), without "
			    "which none can be dealt with exactly once; use imaps:// "
			    "if it has that");
	}
	return ERR_NONE;
}

static enum err pop3_open(struct fetch_job *j)
{
	struct pop3_link *k = xcalloc(1, sizeof(*k));
	enum err r;

	j->link = k;
	r = fetch_connect(j);
	if (r != ERR_NONE)
		return r;
	k->pop3 = j->libs.mailpop3_new(0, NULL);
	int got = j->libs.mailpop3_connect(k->pop3, curl_stream_etpan(j->stream));
	r = got == MAILPOP3_NO_ERROR ? log_in(j) : failed(j, got, ERR_IO, "greeting");
	secret_release(&j->target.secret);
	if (r == ERR_NONE)
		r = read_names(j);
	if (r != ERR_NONE)
		hang_up(j, false);
	packet_add_u32(&j->out, 0);
	packet_add_u32(&j->out, 1);
	packet_add_u32(&j->out, 0);
	packet_add_u32(&j->out, 0);
	return r;
}

static void pop3_close(struct fetch_job *j)
{
	hang_up(j, true);
	free(j->link);
	j->link = NULL;
}

/* ---- listing ---- */

/* The date behind the last ';' of the topmost Received field, which our own server wrote; 0: none. */
static int64_t read_received(struct span header)
{
	struct strbuf field = STRBUF_INIT;
	struct span line;
	bool in_it = false;
	int64_t utc = 0;

	while (span_next_line(&header, &line) && line.len > 0) {
		if (in_it && !ascii_is_blank(line.ptr[0]))
			break;
		in_it = in_it || span_starts_nocase(line, "received:");
		if (in_it && field.len < LINE_MAX_BYTES)
			strbuf_add_span(&field, line);
	}
	size_t semicolon = field.len;
	while (semicolon > 0 && field.ptr[semicolon - 1] != ';')
		semicolon--;
	if (semicolon == 0 ||
	    !date_parse(span_slice(strbuf_span(&field), semicolon, field.len), &utc))
		utc = 0;
	strbuf_release(&field);
	return utc;
}

static enum err pop3_list(struct fetch_job *j, const struct fetch_list *l)
{
	uint32_t sent = 0, all = 0;

	for (unsigned i = 0; i < carray_count(link_of(j)->mails); i++) {
		const struct mailpop3_msg_info *info = carray_get(link_of(j)->mails, i);
		char *text = NULL;
		size_t len = 0;

		all += info != NULL;
		if (!info || sent == l->max)
			continue;
		int64_t arrived_utc = 0;
		fetch_send_now(j);
		/* TOP is optional (RFC 1939, 7): without it the arrival stays unknown. */
		int got =
		    j->libs.mailpop3_top(link_of(j)->pop3, info->msg_index, 0, &text, &len);
		if (got == MAILPOP3_ERROR_STREAM)
			return failed(j, got, ERR_IO, "reading a header");
		if (got == MAILPOP3_NO_ERROR && text) {
			arrived_utc = read_received((struct span){text, len});
			j->libs.mailpop3_top_free(text);
		}
		fetch_send_entry(j, span_of(info->msg_uidl), info->msg_size, arrived_utc,
		                 info->msg_index);
		sent++;
	}
	packet_add_u32(&j->out, sent == all);
	packet_add_u32(&j->out, 0);
	return ERR_NONE;
}

/* ---- mails ---- */

static const struct mailpop3_msg_info *find_mail(struct fetch_job *j, struct span name)
{
	carray *mails = link_of(j)->mails;

	for (unsigned i = 0; i < carray_count(mails); i++) {
		const struct mailpop3_msg_info *info = carray_get(mails, i);

		if (info && span_eq_str(name, info->msg_uidl))
			return info;
	}
	return NULL;
}

static enum err pop3_mails(struct fetch_job *j, const struct fetch_wish *w)
{
	mailpop3 *pop3 = link_of(j)->pop3;

	for (size_t i = 0; i < w->n; i++) {
		const struct fetch_name *wish = &w->items[i];
		const struct mailpop3_msg_info *info = find_mail(j, wish->name);
		char *text = NULL;
		size_t len = 0;

		if (!info)
			continue;
		fetch_send_now(j);
		int got = wish->cut
		              ? j->libs.mailpop3_top(pop3, info->msg_index, 0, &text, &len)
		              : j->libs.mailpop3_retr(pop3, info->msg_index, &text, &len);
		if (got == MAILPOP3_ERROR_STREAM)
			return failed(j, got, ERR_IO, "fetching mail");
		if (got == MAILPOP3_NO_ERROR && text) {
			fetch_send_mail(j, wish->name, wish->cut, (struct span){text, len});
			j->libs.mailpop3_retr_free(text);
		} else {
			fetch_send_lacking(j, wish->name);
		}
	}
	return ERR_NONE;
}

/* ---- out of the mailbox ---- */

static enum err pop3_settle(struct fetch_job *j, uint32_t validity, struct span names)
{
	int got = MAILPOP3_NO_ERROR;
	struct span name;

	(void)validity;
	while (got == MAILPOP3_NO_ERROR && span_next_word(&names, "", &name)) {
		const struct mailpop3_msg_info *info = find_mail(j, name);

		if (info)
			got = j->libs.mailpop3_dele(link_of(j)->pop3, info->msg_index);
	}
	bool quits = got == MAILPOP3_NO_ERROR;
	if (quits)
		got = j->libs.mailpop3_quit(link_of(j)->pop3);
	enum err r = got == MAILPOP3_NO_ERROR ? ERR_NONE
	                                      : failed(j, got, ERR_IO, "deleting handled mail");
	if (quits)
		hang_up(j, false);
	packet_add_u32(&j->out, 1);
	return r;
}

/* Nothing is kept on such a server. */
static enum err pop3_purge(struct fetch_job *j, uint32_t validity, struct span names)
{
	(void)j;
	(void)validity;
	(void)names;
	return ERR_NONE;
}

const struct fetch_driver fetch_pop3 = {
    .open = pop3_open,
    .list = pop3_list,
    .mails = pop3_mails,
    .settle = pop3_settle,
    .purge = pop3_purge,
    .close = pop3_close,
};
