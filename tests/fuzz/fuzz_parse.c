/*
 * fuzz_parse.c - any bytes as a mail: text or a named fault, and every promise of mail.h kept.
 */
#include <stddef.h>
#include <stdint.h>

#include "mail/child/packet.h"
#include "mail/parser.h"
#include "mail/text/charset.h"
#include "processor/base/seal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_texts(const struct mail_in *m)
{
	size_t i;

	ENSURE((m->fault == MAIL_OK) == (m->ntexts > 0));
	for (i = 0; i < m->ntexts; i++)
		ENSURE(charset_text_is_clean(m->texts[i].text));
}

/* What the child writes, the parent must accept: it checks all that mail.h promises. */
static void check_frame(const struct mail_in *m, struct arena *arena)
{
	struct strbuf frame = STRBUF_INIT, before = STRBUF_INIT, after = STRBUF_INIT;
	struct mail_in back;

	packet_add_result(&frame, m);
	ENSURE(packet_read_result(
	    span_slice(strbuf_span(&frame), PACKET_RESULT_HEAD, frame.len), arena, &back));
	mail_describe(m, &before);
	mail_describe(&back, &after);
	ENSURE(span_eq(strbuf_span(&before), strbuf_span(&after)));
	strbuf_release(&frame);
	strbuf_release(&before);
	strbuf_release(&after);
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
	check_frame(&m, arena);
	arena_free(arena);
	return 0;
}
