/*
 * fuzz_html.c - any bytes as HTML, and as flowed text: nothing is read or written beyond its
 * end, valid UTF-8 stays valid, and no control character comes in through a reference.
 */
#include <stddef.h>
#include <stdint.h>

#include "mail/text/charset.h"
#include "mail/text/flowed.h"
#include "mail/text/html.h"
#include "processor/base/err.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span in = {(const char *)data, size};
	struct strbuf out = STRBUF_INIT;
	bool clean = charset_text_is_clean(in);

	html_to_text(in, HTML_WITHOUT_QUOTES, &out);
	/* A named reference of eight bytes is the shortest that gives three. */
	ENSURE(out.len <= 2 * size + 2);
	ENSURE(!clean || charset_text_is_clean(strbuf_span(&out)));
	strbuf_clear(&out);
	flowed_join(in, size % 2 == 0, &out);
	ENSURE(out.len <= 2 * size + 2);
	ENSURE(!clean || charset_text_is_clean(strbuf_span(&out)));
	strbuf_release(&out);
	return 0;
}
