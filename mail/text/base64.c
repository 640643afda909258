/*
 * base64.c - three bytes as four letters.
 */
#include "mail/text/base64.h"

void base64_add(struct strbuf *out, struct span bytes)
{
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *p = (const unsigned char *)bytes.ptr;
	size_t i;

	for (i = 0; i < bytes.len; i += 3) {
		size_t left = bytes.len - i;
		unsigned v = (unsigned)p[i] << 16 | (left > 1 ? (unsigned)p[i + 1] << 8 : 0) |
		             (left > 2 ? p[i + 2] : 0);

		strbuf_addc(out, digits[v >> 18]);
		strbuf_addc(out, digits[v >> 12 & 63]);
		strbuf_addc(out, left > 1 ? digits[v >> 6 & 63] : '=');
		strbuf_addc(out, left > 2 ? digits[v & 63] : '=');
	}
}
