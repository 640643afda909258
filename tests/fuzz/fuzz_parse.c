/*
 * fuzz_parse.c - any bytes as a mail: text or a named fault, and every promise of mail.h kept.
 */
#include <stddef.h>
#include <stdint.h>

#include "mail/child/packet.h"
#include "mail/parser.h"
#include "mail/text/header_facts.h"
#include "processor/base/seal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_texts(const struct mail_in *m)
{
	size_t i;

	ENSURE((m->fault == MAIL_OK) == (m->ntexts > 0));
	for (i = 0; i < m->ntexts; i++)
		ENSURE(charset_text_is_clean(m->texts[i].text));
}

/*
 * What the child writes, the parent must accept: it checks all that mail.h promises. Together they know what
 * one process finds that reads all charsets.
 */
static void check_frame(struct span raw, const struct mail_in *m, struct arena *arena)
{
	struct strbuf frame = STRBUF_INIT, before = STRBUF_INIT, after = STRBUF_INIT;
	struct charsets *few = charsets_new(CHARSETS_OF_ONE_BYTE),
			*all = charsets_new(CHARSETS_ALL);
	struct mail_in back, child = *m;
	struct header h;

	header_split(header_skip_mbox_line(raw), arena, &h);
	header_facts_read_words(&h, all, arena, &child);
	packet_add_result(&frame, &child);
	header_facts_read(raw, &mail_usual_limits, few, arena, &back);
	ENSURE(
	    packet_read_result(span_slice(strbuf_span(&frame), PACKET_RESULT_HEAD, frame.len),
	                       &mail_usual_limits, arena, &back));
	ENSURE(span_eq(back.subject, child.subject) &&
	       span_eq(back.from_name, child.from_name));
	mail_describe(m, &before);
	mail_describe(&back, &after);
	ENSURE(span_eq(strbuf_span(&before), strbuf_span(&after)));
	strbuf_release(&frame);
	strbuf_release(&before);
	strbuf_release(&after);
	charsets_free(few);
	charsets_free(all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct mail_in m;

	seal_start();
	parser_parse_here((struct span){(const char *)data, size}, &mail_usual_limits, arena,
	                  &m);
	ENSURE(m.fault != MAIL_UNPARSABLE);
	check_texts(&m);
	check_frame((struct span){(const char *)data, size}, &m, arena);
	arena_free(arena);
	return 0;
}
