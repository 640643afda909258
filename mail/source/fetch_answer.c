/*
 * fetch_answer.c - answers of the fetching child on their way to the program.
 */

#include "mail/child/requests.h"
#include "mail/source/fetch_private.h"

enum {
	GATHERED_MOST = 64 * 1024 /* bytes */,
	ANSWER_MAX = 200 /* of the server's words in an error text */
};

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

void fetch_send_entry(struct fetch_job *j, const struct fetch_entry *entry)
{
	packet_add_span(&j->out, entry->name);
	packet_add_u32(&j->out, entry->size);
	packet_add_u64(&j->out, (uint64_t)entry->arrived_utc);
	packet_add_u32(&j->out, entry->place);
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
