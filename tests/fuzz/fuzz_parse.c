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
static void check_packet(const struct mail_in *m, struct arena *arena)
{
	struct charsets *charsets = charsets_new(CHARSETS_OF_ONE_BYTE);
	struct strbuf packet = STRBUF_INIT, before = STRBUF_INIT, after = STRBUF_INIT;
	struct mail_in back;

	header_facts_read(m->raw, &mail_usual_limits, charsets, arena, &back);
	if (back.fault == MAIL_OK) {
		packet_add_result(&packet, m);
		ENSURE(packet_read_result(
		    span_slice(strbuf_span(&packet), PACKET_HEAD, packet.len),
		    &mail_usual_limits, arena, &back));
		mail_describe(m, &before);
		mail_describe(&back, &after);
		ENSURE(span_eq(strbuf_span(&before), strbuf_span(&after)));
		ENSURE(m->flags == back.flags);
	}
	charsets_free(charsets);
	strbuf_release(&packet);
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
	check_packet(&m, arena);
	arena_free(arena);
	return 0;
}
