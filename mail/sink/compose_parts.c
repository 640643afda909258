/*
 * compose_parts.c - a plain mail of ours becomes one with an HTML form and with files.
 *
 *	multipart/mixed             where there are files
 *	  multipart/alternative     where there is an HTML form
 *	    text/plain              as it was
 *	    multipart/related       where that shows a picture
 *	      text/html
 *	      image/png
 *	  files
 *
 * Text is quoted-printable, what was packed base64. "=_" is in neither, so no line of a part can be
 * taken for a boundary (RFC 2045, section 6.7).
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "mail/compose.h"
#include "mail/sink/encoding.h"
#include "mail/text/base64.h"

#define MIXED "=_molepost_mixed"
#define ALTERNATIVE "=_molepost_alternative"
#define RELATED "=_molepost_related"

enum { BASE64_LINE = 57 }; /* bytes of a line of 76 */

/* RFC 1952, without name and time: the same bytes from the same file. False when it is too large. */
static bool add_packed(struct span bytes, struct strbuf *out)
{
	enum { GZIP_FORMAT = 15 + 16, MEMORY = 8 };
	z_stream z = {0};
	bool done;

	if (bytes.len > UINT32_MAX / 2 ||
	    deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, GZIP_FORMAT, MEMORY,
	                 Z_DEFAULT_STRATEGY) != Z_OK)
		return false;
	size_t room = deflateBound(&z, (uLong)bytes.len);
	Bytef *packed = xcalloc(room, 1);

	z.next_in = (z_const Bytef *)bytes.ptr;
	z.avail_in = (uInt)bytes.len;
	z.next_out = packed;
	z.avail_out = (uInt)room;
	done = deflate(&z, Z_FINISH) == Z_STREAM_END;
	if (done)
		strbuf_add(out, (const char *)packed, z.total_out);
	done = deflateEnd(&z) == Z_OK && done;
	free(packed);
	return done;
}

static void add_base64(struct strbuf *out, struct span bytes)
{
	for (size_t i = 0; i < bytes.len; i += BASE64_LINE) {
		base64_add(out, span_slice(bytes, i, i + BASE64_LINE));
		strbuf_addc(out, '\n');
	}
}

static void add_file(struct strbuf *out, const struct mail_file *file)
{
	struct strbuf packed = STRBUF_INIT;
	bool pack = file->bytes.len > MAIL_PACK_ABOVE && add_packed(file->bytes, &packed);

	strbuf_addf(out,
	            "--" MIXED "\nContent-Type: %s\n"
	            "Content-Disposition: attachment; filename=\"%s%s\"\n"
	            "Content-Transfer-Encoding: %s\n\n",
	            pack ? "application/gzip" : file->type, file->name, pack ? ".gz" : "",
	            pack ? "base64" : "quoted-printable");
	if (pack)
		add_base64(out, strbuf_span(&packed));
	else
		quoted_printable_add(out, file->bytes);
	strbuf_addc(out, '\n');
	strbuf_release(&packed);
}

#define MIXED_TYPE "Content-Type: multipart/mixed; boundary=\"" MIXED "\"\n\n--" MIXED "\n"
#define MIXED_END "--" MIXED "--\n"

static void add_page(struct strbuf *out, const struct mail_page *page)
{
	strbuf_adds(out, "--" ALTERNATIVE "\n");
	if (page->picture.len > 0)
		strbuf_adds(
		    out,
		    "Content-Type: multipart/related; type=\"text/html\";\n boundary=\"" RELATED
		    "\"\n\n--" RELATED "\n");
	strbuf_adds(out, "Content-Type: text/html; charset=utf-8\n"
	                 "Content-Transfer-Encoding: quoted-printable\n\n");
	quoted_printable_add(out, page->html);
	if (page->picture.len > 0) {
		strbuf_addf(out,
		            "\n--" RELATED "\nContent-Type: image/png\nContent-ID: <%.*s>\n"
		            "Content-Disposition: inline; filename=\"board.png\"\n"
		            "Content-Transfer-Encoding: base64\n\n",
		            SPAN_ARGS(page->picture_id));
		add_base64(out, page->picture);
		strbuf_adds(out, "--" RELATED "--\n");
	}
	strbuf_adds(out, "\n--" ALTERNATIVE "--\n");
}

void mail_add_parts(struct span message, const struct mail_page *page,
                    const struct mail_file *files, size_t n, struct strbuf *out)
{
	size_t type = span_find(message, SPAN_LIT("\nContent-Type: "));
	size_t body = span_find(message, SPAN_LIT("\n\n"));
	struct span text = span_slice(message, type + 1, message.len), there = SPAN_EMPTY;

	if ((page->html.len == 0 && n == 0) || type >= body || body == message.len) {
		strbuf_add_span(out, message);
		return;
	}
	if (span_starts(text, MIXED_TYPE)) {
		text = span_slice(text, strlen(MIXED_TYPE), text.len - strlen(MIXED_END));
		size_t end = span_find(text, SPAN_LIT("\n--" MIXED "\n"));
		there = span_slice(text, end + 1, text.len);
		text = span_slice(text, 0, end);
	}
	strbuf_add_span(out, span_slice(message, 0, type + 1));
	if (n > 0 || there.len > 0)
		strbuf_adds(out, MIXED_TYPE);
	if (page->html.len > 0)
		strbuf_adds(out,
		            "Content-Type: multipart/alternative;\n boundary=\"" ALTERNATIVE
		            "\"\n\n--" ALTERNATIVE "\n");
	strbuf_add_span(out, text);
	strbuf_addc(out, '\n');
	if (page->html.len > 0)
		add_page(out, page);
	strbuf_add_span(out, there);
	for (size_t i = 0; i < n; i++)
		add_file(out, &files[i]);
	if (n > 0 || there.len > 0)
		strbuf_adds(out, MIXED_END);
}
