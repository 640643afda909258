/*
 * compose.c - writing a mail.
 *
 * Whatever comes in, only printable ASCII goes out, in lines of at most 76
 * bytes. A value that must be right (our own addresses and ids) and is not is a bug of ours;
 * one that came from a mail (ids to answer to) is dropped when it is malformed.
 *
 * With an HTML form and with files:
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
#include "mail/compose.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "mail/mail.h"
#include "mail/text/base64.h"
#include "mail/text/flowed.h"
#include "processor/base/clock.h"
#include "processor/base/err.h"
#include "processor/base/mailto.h"
#include "processor/base/utf8.h"

/* ---- Quoted-printable, RFC 2045 ---- */

enum { LINE_COLS = 76 };

/* "=C3" */
static void add_hex(struct strbuf *out, unsigned char c)
{
	static const char digits[] = "0123456789ABCDEF";

	strbuf_addc(out, '=');
	strbuf_addc(out, digits[c >> 4]);
	strbuf_addc(out, digits[c & 15]);
}

/* What some mailbox or mail server on the way would change at the start of a line. */
static bool needs_guard(struct span line)
{
	return line.len > 0 && (line.ptr[0] == '.' || span_starts(line, "From "));
}

static void add_qp_line(struct strbuf *out, struct span line)
{
	size_t col = 0;

	for (size_t i = 0; i < line.len; i++) {
		unsigned char c = (unsigned char)line.ptr[i];
		bool blank = c == ' ' || c == '\t';
		bool plain = (c > ' ' && c <= '~' && c != '=') || (blank && i + 1 < line.len);

		/* A soft break can put any byte at the start of a line. */
		if (col == 0 || col + 1 > LINE_COLS - 1)
			plain = plain && !needs_guard(span_slice(line, i, line.len));
		if (col + (plain ? 1 : 3) > LINE_COLS - 1) {
			strbuf_adds(out, "=\n");
			col = 0;
		}
		if (plain)
			strbuf_addc(out, (char)c);
		else
			add_hex(out, c);
		col += plain ? 1 : 3;
	}
	strbuf_addc(out, '\n');
}

void quoted_printable_add(struct strbuf *out, struct span text)
{
	struct span line;

	strbuf_grow(out, text.len + text.len / 4);
	while (span_next_line(&text, &line)) {
		/* Most lines of most mails: as they are, they are quoted-printable already. */
		if (line.len < LINE_COLS && span_printable(line) == line.len &&
		    span_find_char(line, '=') == line.len && !needs_guard(line) &&
		    (line.len == 0 || line.ptr[line.len - 1] != ' ')) {
			strbuf_add_span(out, line);
			strbuf_addc(out, '\n');
		} else {
			add_qp_line(out, line);
		}
	}
}

/* ---- The header, and the body as people write it ---- */

enum {
	LINE_MAX_COLS = 76,
	WORD_MAX = 75,       /* an encoded word, RFC 2047 section 2 */
	REFERENCES_KEPT = 20 /* and the first: enough for every client's threads */
};

static bool is_printable_ascii(struct span s)
{
	return span_printable(s) == s.len;
}

static void add_field(struct strbuf *out, const char *name, struct span value)
{
	ENSURE(is_printable_ascii(value));
	strbuf_adds(out, name);
	strbuf_adds(out, ": ");
	strbuf_add_span(out, value);
	strbuf_addc(out, '\n');
}

/* ---- RFC 2047 ---- */

static size_t column(const struct strbuf *out)
{
	size_t n = 0;

	while (n < out->len && out->ptr[out->len - 1 - n] != '\n')
		n++;
	return n;
}

static bool q_is_plain(unsigned char c)
{
	return ascii_is_alnum((char)c) || c == '!' || c == '*' || c == '+' || c == '-' ||
	       c == '/';
}

static size_t q_length(struct span bytes)
{
	size_t n = 0, i;

	for (i = 0; i < bytes.len; i++)
		n += q_is_plain((unsigned char)bytes.ptr[i]) || bytes.ptr[i] == ' ' ? 1 : 3;
	return n;
}

static size_t encoded_length(struct span bytes, bool b)
{
	return b ? (bytes.len + 2) / 3 * 4 : q_length(bytes);
}

/*
 * The longest start of `text` that fits into `room` when encoded, never splitting a character.
 */
static struct span piece_that_fits(struct span text, bool b, size_t room)
{
	struct span rest = text;
	size_t len = 0;
	uint32_t cp;

	while (utf8_next(&rest, &cp)) {
		size_t longer = text.len - rest.len;

		if (len > 0 && encoded_length(span_slice(text, 0, longer), b) > room)
			break;
		len = longer;
	}
	return span_slice(text, 0, len);
}

/* `text` is valid UTF-8 without control characters. */
static void add_encoded_words(struct strbuf *out, struct span text)
{
	bool b = q_length(text) > encoded_length(text, true);

	while (text.len > 0) {
		size_t frame = strlen("=?utf-8?q?") + strlen("?=");
		size_t room = LINE_MAX_COLS - column(out);
		struct span piece;

		room = (room < WORD_MAX ? room : WORD_MAX) - frame;
		piece = piece_that_fits(text, b, room);
		text = span_slice(text, piece.len, text.len);
		strbuf_adds(out, b ? "=?utf-8?b?" : "=?utf-8?q?");
		if (b)
			base64_add(out, piece);
		for (size_t i = 0; !b && i < piece.len; i++) {
			unsigned char c = (unsigned char)piece.ptr[i];

			if (c == ' ' || q_is_plain(c))
				strbuf_addc(out, c == ' ' ? '_' : (char)c);
			else
				add_hex(out, c);
		}
		strbuf_adds(out, text.len > 0 ? "?=\n " : "?=");
	}
}

/* One line of clean UTF-8: controls become blanks, bad bytes U+FFFD. */
static void add_one_line(struct strbuf *out, struct span text)
{
	uint32_t cp;

	while (utf8_next(&text, &cp))
		utf8_add(out, cp < ' ' || (cp >= 0x7f && cp <= 0x9f) ? ' ' : cp);
}

/* Words and blanks, folded before a word that would not fit. */
static void add_folded(struct strbuf *out, struct span text)
{
	struct span word;
	bool first = true;

	for (; span_next_word(&text, NULL, &word); first = false) {
		if (!first)
			strbuf_adds(out,
			            column(out) + 1 + word.len > LINE_MAX_COLS ? "\n " : " ");
		strbuf_add_span(out, word);
	}
}

/* Plain when every reader gets back exactly what was meant. */
static bool may_stand_plain(struct span text)
{
	struct span rest = text, word;

	if (!is_printable_ascii(text) || span_find(text, SPAN_LIT("=?")) < text.len ||
	    span_find(text, SPAN_LIT("  ")) < text.len)
		return false;
	while (span_next_word(&rest, NULL, &word))
		if (word.len > LINE_MAX_COLS - strlen("Subject: "))
			return false;
	return true;
}

static void add_subject(struct strbuf *out, struct span subject, bool ascii)
{
	struct strbuf line = STRBUF_INIT, plain = STRBUF_INIT;
	struct span text;

	add_one_line(&line, subject);
	if (ascii)
		utf8_add_ascii(&plain, strbuf_span(&line));
	text = span_trim(strbuf_span(ascii ? &plain : &line));
	strbuf_adds(out, "Subject: ");
	if (may_stand_plain(text))
		add_folded(out, text);
	else
		add_encoded_words(out, text);
	strbuf_addc(out, '\n');
	strbuf_release(&line);
	strbuf_release(&plain);
}

static void add_from(struct strbuf *out, const struct compose *c)
{
	struct strbuf name = STRBUF_INIT;

	ENSURE(mail_address_ok(span_of(c->from_address)));
	add_one_line(&name, span_of(c->from_name));
	strbuf_adds(out, "From: ");
	if (is_printable_ascii(strbuf_span(&name)) && name.len <= 40) {
		strbuf_addc(out, '"');
		for (size_t i = 0; i < name.len; i++) {
			if (name.ptr[i] == '"' || name.ptr[i] == '\\')
				strbuf_addc(out, '\\');
			strbuf_addc(out, name.ptr[i]);
		}
		strbuf_addc(out, '"');
	} else {
		add_encoded_words(out, strbuf_span(&name));
	}
	strbuf_addf(out, "%s%s>\n",
	            column(out) + strlen(c->from_address) + 3 > LINE_MAX_COLS ? "\n <" : " <",
	            c->from_address);
	strbuf_release(&name);
}

static void add_address_field(struct strbuf *out, const char *name, struct span address)
{
	ENSURE(mail_address_ok(address));
	add_field(out, name, address);
}

/* ---- threading ---- */

static void add_references(struct strbuf *out, struct span references)
{
	struct span rest = references, id;
	size_t total = 0, i = 0;

	while (span_next_word(&rest, "\r\n", &id))
		total += mail_message_id_ok(id);
	if (total == 0)
		return;
	strbuf_adds(out, "References:");
	while (span_next_word(&references, "\r\n", &id)) {
		if (!mail_message_id_ok(id))
			continue;
		if (i == 0 || i + REFERENCES_KEPT >= total) {
			bool fits = column(out) + 1 + id.len <= LINE_MAX_COLS;

			strbuf_adds(out, fits ? " " : "\n ");
			strbuf_add_span(out, id);
		}
		i++;
	}
	strbuf_addc(out, '\n');
}

static void add_header(struct strbuf *out, const struct compose *c)
{
	ENSURE(mail_message_id_ok(span_of(c->message_id)));
	strbuf_adds(out, "Date: ");
	utc_format_rfc5322(out, c->date_utc);
	strbuf_addc(out, '\n');
	add_from(out, c);
	add_address_field(out, "To", c->to);
	add_subject(out, c->subject, c->ascii);
	add_field(out, "Message-ID", span_of(c->message_id));
	if (mail_message_id_ok(c->in_reply_to))
		add_field(out, "In-Reply-To", c->in_reply_to);
	add_references(out, c->references);
	if (c->reply_to)
		add_address_field(out, "Reply-To", span_of(c->reply_to));
	if (c->unsubscribe) {
		/* RFC 2369: a mail with one line, for which mail programs have a button. */
		strbuf_adds(out, "List-Unsubscribe:\n <");
		mailto_add(out,
		           &(struct mailto){
			       .address = span_of(c->reply_to ? c->reply_to : c->from_address),
			       .subject = SPAN_LIT("unsubscribe"),
			       .body = span_of(c->unsubscribe)});
		strbuf_adds(out, ">\n");
	}
	add_field(out, "Auto-Submitted",
	          span_of(c->replied ? "auto-replied" : "auto-generated"));
	add_field(out, "X-Auto-Response-Suppress", SPAN_LIT("All"));
	add_field(out, "X-Molepost-Instance", span_of(c->instance));
	strbuf_adds(out, "MIME-Version: 1.0\n");
	strbuf_addf(out, "Content-Type: text/plain; charset=%s; format=flowed\n",
	            c->ascii ? "us-ascii" : "utf-8");
	strbuf_adds(out, "Content-Transfer-Encoding: quoted-printable\n");
}

/* ---- format=flowed, RFC 3676 ---- */

static bool wants_stuffing(struct span line)
{
	return line.len > 0 &&
	       (line.ptr[0] == ' ' || line.ptr[0] == '>' || span_starts(line, "From "));
}

/* "For example:" leads to a drawing, and is none. */
static bool is_drawn(struct span line)
{
	return line.len > 0 && !flowed_goes_on(line) && !span_eq_str(line, "-- ") &&
	       line.ptr[line.len - 1] != ':';
}

/* Lines of one drawing, up to an empty line or prose, are moved together, for readers who know nothing of it. */
static bool run_wants_stuffing(struct span text)
{
	struct span line;

	while (span_next_line(&text, &line) && is_drawn(line))
		if (wants_stuffing(line))
			return true;
	return false;
}

/* One blank in front of what would be taken for a quotation, or lose a blank of its own. */
static void add_stuffed(struct strbuf *out, struct span text)
{
	bool in_run = false, stuff = false, goes_on = false;
	struct span rest = text, line;

	while (span_next_line(&rest, &line)) {
		bool fixed = !goes_on && is_drawn(line);

		if (fixed && !in_run)
			stuff = run_wants_stuffing(
			    span_slice(text, (size_t)(line.ptr - text.ptr), text.len));
		in_run = fixed;
		if (fixed ? stuff : wants_stuffing(line))
			strbuf_addc(out, ' ');
		strbuf_add_span(out, line);
		strbuf_addc(out, '\n');
		goes_on = flowed_goes_on(line);
	}
}

void mail_compose(const struct compose *c, struct strbuf *out)
{
	struct strbuf plain = STRBUF_INIT, stuffed = STRBUF_INIT;

	add_header(out, c);
	strbuf_addc(out, '\n');
	if (c->ascii)
		utf8_add_ascii(&plain, c->text);
	add_stuffed(&stuffed, c->ascii ? strbuf_span(&plain) : c->text);
	quoted_printable_add(out, strbuf_span(&stuffed));
	strbuf_release(&plain);
	strbuf_release(&stuffed);
}

/* ---- Files, and the HTML form ---- */

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

static void add_page(struct strbuf *out, const struct mail_page *page)
{
	strbuf_adds(out, "--" ALTERNATIVE "\n");
	if (page->picture.len > 0)
		strbuf_adds(out, "Content-Type: multipart/related; type=\"text/html\";\n"
		                 " boundary=\"" RELATED "\"\n\n--" RELATED "\n");
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
