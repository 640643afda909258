/*
 * archive_file.c - an archive's text from a file or standard input, for verify and replay.
 */
#include "processor/cli/archive_file.h"

#include <string.h>

#include "mail/parser.h"
#include "processor/archive/evidence.h"
#include "processor/base/arena.h"
#include "processor/base/file.h"

/* A game of 200 turns takes about 300 kB; nothing honest comes near this. */
enum { ARCHIVE_MAX_BYTES = 64 << 20 };
enum { MAIL_MOST_BYTES = 4 << 20 };

bool archive_is_stdin(const char *path)
{
	return path == NULL || strcmp(path, "-") == 0;
}

/* Every mail in which anything is encoded says so with this field (RFC 2045, 4). */
static bool has_mime_header(struct span text)
{
	struct span line;

	while (span_next_line(&text, &line) && span_trim(line).len > 0)
		if (span_starts_nocase(line, "MIME-Version:"))
			return true;
	return false;
}

/* Left as it is when there is no archive in the mail: what is wrong is said of the file then. */
static void undo_mail(struct strbuf *text)
{
	struct parser_limits limits = parser_default_limits;
	struct arena *arena = arena_new();
	struct span raw = strbuf_span(text);
	struct failure e = ERR_INIT;
	struct mail_in mail = {.ntexts = 0};
	struct parser *parser;

	limits.mail.max_size = MAIL_MOST_BYTES;
	limits.mail.text_bytes = MAIL_MOST_BYTES;
	limits.mail.text_lines = MAIL_MOST_BYTES;
	parser = parser_new(NULL, &limits);
	if (parser_batch(parser, &raw, 1, arena, &mail, &e) == ERR_NONE &&
	    mail.fault == MAIL_OK && archive_in_mail(&mail).len > 0) {
		strbuf_clear(text);
		strbuf_add_span(text, archive_in_mail(&mail));
	}
	parser_free(parser);
	err_release(&e);
	arena_free(arena);
}

enum err archive_load_raw(const char *path, FILE *in, struct strbuf *out, struct failure *e)
{
	if (archive_is_stdin(path))
		return file_read_fd(fileno(in), ARCHIVE_MAX_BYTES, out, e);
	return file_read(path, ARCHIVE_MAX_BYTES, out, e);
}

enum err archive_load(const char *path, FILE *in, struct strbuf *out, struct failure *e)
{
	enum err rc = archive_load_raw(path, in, out, e);

	if (rc == ERR_NONE && out->len <= MAIL_MOST_BYTES && has_mime_header(strbuf_span(out)))
		undo_mail(out);
	return rc;
}
