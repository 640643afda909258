/*
 * transfer.c - text into the transfer encodings of MIME.
 */
#include "tests/support/transfer.h"

enum { QP_COLUMNS = 72, BASE64_LINE = 57 };

static bool qp_is_plain(char c)
{
	return c >= ' ' && c <= '~' && c != '=';
}

void transfer_add_qp(struct strbuf *out, struct span text)
{
	size_t column = 0;

	for (size_t i = 0; i < text.len; i++) {
		if (column >= QP_COLUMNS && text.ptr[i] != '\n') {
			strbuf_adds(out, "=\n");
			column = 0;
		}
		if (text.ptr[i] == '\n' || qp_is_plain(text.ptr[i]))
			strbuf_addc(out, text.ptr[i]);
		else
			strbuf_addf(out, "=%02X", (unsigned char)text.ptr[i]);
		column = text.ptr[i] == '\n' ? 0 : column + 1;
	}
}

static void add_base64_line(struct strbuf *out, struct span bytes)
{
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < bytes.len; i += 3) {
		unsigned v = 0;
		size_t left = bytes.len - i;

		for (size_t k = 0; k < 3; k++)
			v = v << 8 | (k < left ? (unsigned char)bytes.ptr[i + k] : 0);
		strbuf_addc(out, digits[v >> 18]);
		strbuf_addc(out, digits[v >> 12 & 63]);
		strbuf_addc(out, left > 1 ? digits[v >> 6 & 63] : '=');
		strbuf_addc(out, left > 2 ? digits[v & 63] : '=');
	}
	strbuf_addc(out, '\n');
}

void transfer_add_base64(struct strbuf *out, struct span bytes)
{
	for (size_t at = 0; at < bytes.len; at += BASE64_LINE)
		add_base64_line(out, span_slice(bytes, at, at + BASE64_LINE));
}
