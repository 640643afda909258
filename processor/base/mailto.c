/*
 * mailto.c - percent-encoding.
 */
#include "processor/base/mailto.h"

#include <string.h>

static void add_escaped(struct strbuf *out, struct span text, const char *plain)
{
	static const char digits[] = "0123456789ABCDEF";

	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.ptr[i];

		if ((c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') ||
		    (c != '\0' && strchr(plain, c)))
			strbuf_addc(out, (char)c);
		else if (c == '\n')
			strbuf_adds(out, "%0D%0A");
		else
			strbuf_addf(out, "%%%c%c", digits[c >> 4], digits[c & 15]);
	}
}

void mailto_add(struct strbuf *out, const struct mailto *m)
{
	strbuf_adds(out, "mailto:");
	add_escaped(out, m->address, "-._~@+");
	strbuf_adds(out, "?subject=");
	add_escaped(out, m->subject, "-._~");
	if (m->in_reply_to.len > 0) {
		strbuf_adds(out, "&In-Reply-To=");
		add_escaped(out, m->in_reply_to, "-._~@+");
	}
	strbuf_adds(out, "&body=");
	add_escaped(out, m->body, "-._~");
}
