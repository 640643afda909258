/*
 * parse.c - the limits, in the order that makes each check cheap, and then the parts.
 */
#include "mail/parse/parse.h"

#include <stdlib.h>
#include <string.h>

#include "mail/parse/private.h"
#include "mail/parser.h"
#include "mail/text/header_facts.h"
#include "processor/base/num.h"

enum err parse_new(const struct mail_limits *limits, struct parse **out, struct failure *e)
{
	struct parse *p = xcalloc(1, sizeof(*p));

	*out = NULL;
	if (etpan_load(&p->lib, e) != ERR_NONE) {
		free(p);
		return e ? e->code : ERR_UNSUPPORTED;
	}
	p->limits = *limits;
	p->charsets = charsets_new(CHARSETS_ALL);
	strbuf_init(&p->lf);
	strbuf_init(&p->message);
	strbuf_init(&p->decoded);
	strbuf_init(&p->text);
	*out = p;
	return ERR_NONE;
}

void parse_free(struct parse *p)
{
	if (!p)
		return;
	strbuf_release(&p->lf);
	strbuf_release(&p->message);
	strbuf_release(&p->decoded);
	strbuf_release(&p->text);
	charsets_free(p->charsets);
	free(p);
}

void parse_open_charsets(struct parse *p)
{
	charsets_open_all(p->charsets);
}

/* What is seen of the lines when they are gone through for the first time. */
struct lines_seen {
	bool bare_cr;         /* one that ends no line */
	size_t content_types; /* lines that could open another level of parts ... */
	size_t dashed;        /* ... or be boundaries */
};

/*
 * The mail with its CRLFs as LF, in p->lf unless it has no CR at all; from here on all lines end so. A CR
 * that ends no line stays.
 */
static struct span with_lf(struct parse *p, struct span raw, struct lines_seen *seen)
{
	bool has_cr = span_find_char(raw, '\r') < raw.len;
	struct span rest = raw, mail;

	*seen = (struct lines_seen){0};
	strbuf_clear(&p->lf);
	while (rest.len > 0) {
		size_t lf = span_find_char(rest, '\n');
		bool cr = lf > 0 && lf < rest.len && rest.ptr[lf - 1] == '\r';

		/* Without its colon: the library forgives blanks and comments before that. */
		seen->content_types += span_starts_nocase(rest, "content-type");
		seen->dashed += span_starts(rest, "--");
		if (has_cr)
			strbuf_add(&p->lf, rest.ptr, lf - cr);
		if (has_cr && lf < rest.len)
			strbuf_addc(&p->lf, '\n');
		rest = span_slice(rest, lf + 1, rest.len);
	}
	mail = has_cr ? strbuf_span(&p->lf) : raw;
	seen->bare_cr = has_cr && span_find_char(mail, '\r') < mail.len;
	return mail;
}

/*
 * The library goes through all that is inside a level once more for each, and makes something of
 * each line that may be a boundary. So both are counted before it sees a byte, levels by the words
 * that none of them can do without: any mail may have 8 of them, one of less than 1 MiB more. Each
 * needs a Content-Type field of its own too, so the words need not be looked for where those are few.
 */
enum { LEVELS_OF_ANY = 8, LEVELS_TIMES_BYTES = 8 << 20, MOST_DASHED_LINES = 10000 };

static size_t count_word(struct span raw, const char *word)
{
	size_t len = strlen(word), n = 0;
	const char *at = raw.ptr, *end = raw.ptr + raw.len;

	for (; (size_t)(end - at) >= len; at++)
		if ((*at == word[0] || *at == word[0] - 'a' + 'A') &&
		    span_starts_nocase((struct span){at, (size_t)(end - at)}, word))
			n++;
	return n;
}

static enum mail_fault check_bytes(const struct parse *p, struct span mail,
                                   const struct lines_seen *seen)
{
	size_t levels = 0;

	if (span_find_char(mail, '\0') < mail.len)
		return MAIL_HAS_NUL;
	if (seen->bare_cr)
		return MAIL_BARE_CR;
	if (seen->content_types > LEVELS_OF_ANY)
		levels = count_word(mail, "multipart") + count_word(mail, "rfc822");
	return seen->content_types > p->limits.parts || seen->dashed > MOST_DASHED_LINES ||
	               (levels > LEVELS_OF_ANY && levels * mail.len > LEVELS_TIMES_BYTES)
	           ? MAIL_TOO_MANY_PARTS
	           : MAIL_OK;
}

/*
 * What can be trusted of a mail of which only the beginning is there: the parts that are whole, thus
 * what stands above the last boundary; without parts, its whole lines.
 */
static struct span whole_parts(struct span mail)
{
	size_t boundary = 0, line_end = 0;

	for (size_t at = 0; at < mail.len;) {
		struct span line = span_slice(mail, at, mail.len);
		size_t len = span_find_char(line, '\n');

		if (len < line.len)
			line_end = at + len + 1;
		line = span_slice(line, 0, len);
		if (span_starts(line, "--") && span_trim(line).len > 2)
			boundary = at;
		at += len + 1;
	}
	return span_slice(mail, 0, boundary > 0 ? boundary : line_end);
}

void parse_mail(struct parse *p, struct span raw, bool is_cut, struct arena *arena,
                struct mail_in *out)
{
	struct lines_seen seen;
	struct header h, whole;
	struct span mail = with_lf(p, raw, &seen);

	out->fault = check_bytes(p, mail, &seen);
	mail = header_skip_mbox_line(mail);
	header_split(mail, arena, &h);
	header_facts_read_words(&h, p->charsets, arena, out);
	/* For parse_report: the program knows it. */
	if (span_starts_nocase(header_value(&h, "content-type", arena), "multipart/report"))
		out->flags |= MAIL_REPORT;
	whole = h;
	/* Texts that are whole: whoever adds a photograph to orders means the orders all the same. */
	if (is_cut)
		header_split(whole_parts(mail), arena, &h);
	if (out->fault == MAIL_OK)
		parse_texts(p, &h, is_cut ? &whole : NULL, arena, out);
	if (is_cut && out->ntexts > 0)
		out->flags |= MAIL_TEXT_CUT;
	else if (is_cut)
		out->fault = MAIL_TOO_LARGE;
}

void parser_parse_here(struct span raw, const struct mail_limits *limits, struct arena *arena,
                       struct mail_in *out)
{
	struct failure e = ERR_INIT;
	struct parse *p;

	*out = (struct mail_in){.fault = MAIL_UNPARSABLE};
	if (parse_new(limits, &p, &e) == ERR_NONE && p)
		header_facts_read(raw, limits, p->charsets, arena, out);
	if (p && out->fault == MAIL_OK)
		parse_mail(p, span_slice(raw, 0, limits->max_size), raw.len > limits->max_size,
		           arena, out);
	parse_free(p);
	err_release(&e);
}

/* ---- the limits on their way from the parent to the child; those of the header stay there ---- */

const struct parser_limits parser_default_limits = {
    .mail = MAIL_USUAL_LIMITS,
    .wait_ms = 2000,
};

void parser_write_limits(const struct parser_limits *l, struct strbuf *out)
{
	const struct mail_limits *m = &l->mail;

	strbuf_addf(out, "%u,%u,%u,%u,%u", m->parts, m->depth, m->text_bytes, m->text_lines,
	            l->wait_ms);
}

bool parser_read_limits(struct span text, struct parser_limits *out)
{
	struct mail_limits *m = &out->mail;
	unsigned *const numbers[] = {&m->parts, &m->depth, &m->text_bytes, &m->text_lines,
	                             &out->wait_ms};
	struct span field;

	*out = parser_default_limits;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (!span_next_field(&text, ',', &field) ||
		    !num_parse_uint(field, 0, INT32_MAX, numbers[i]))
			return false;
	return text.len == 0;
}
