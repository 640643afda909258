/*
 * fuzz_mailbox_state.c - any bytes as what is remembered of a mailbox: refused, or a state whose
 * text says the same.
 */
#include <stddef.h>
#include <stdint.h>

#include "mail/source/imap_state.h"
#include "processor/base/err.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = {(const char *)data, size};
	struct imap_state s = {0};
	struct strbuf once = STRBUF_INIT, twice = STRBUF_INIT;

	if (imap_state_read(&s, text)) {
		imap_state_write(&s, &once);
		ENSURE(imap_state_read(&s, strbuf_span(&once)));
		imap_state_write(&s, &twice);
		ENSURE(span_eq(strbuf_span(&once), strbuf_span(&twice)));
		imap_state_moved(&s, text, 1, text);
	}
	imap_state_release(&s);
	strbuf_release(&once);
	strbuf_release(&twice);
	return 0;
}
