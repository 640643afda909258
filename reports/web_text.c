/*
 * web_text.c - text in HTML and XML: what would be read as markup is written out.
 */
#include "processor/base/utf8.h"
#include "reports/layout.h"
#include "reports/web.h"

void web_add_text(struct strbuf *out, struct span text)
{
	struct strbuf clean = STRBUF_INIT;

	text_clean(&clean, text);
	for (size_t i = 0; i < clean.len; i++)
		switch (clean.ptr[i]) {
		case '&':
			strbuf_adds(out, "&amp;");
			break;
		case '<':
			strbuf_adds(out, "&lt;");
			break;
		case '>':
			strbuf_adds(out, "&gt;");
			break;
		case '"':
			strbuf_adds(out, "&quot;");
			break;
		default:
			strbuf_addc(out, clean.ptr[i]);
		}
	strbuf_release(&clean);
}
