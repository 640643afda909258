/*
 * parse_limits.c - the limits on their way from the parent to the parsing child; those of the header stay there.
 *
 * Numbers with commas between them, as the second word of the hidden command. Nobody but the
 * parent writes them; a child that is given anything else does not start.
 */
#include "mail/parse/parse.h"
#include "mail/parse/private.h"

#include "processor/base/num.h"

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

static bool take_number(struct span *text, unsigned *out)
{
	struct span field;

	return span_next_field(text, ',', &field) && num_parse_uint(field, 0, INT32_MAX, out);
}

bool parser_read_limits(struct span text, struct parser_limits *out)
{
	struct mail_limits *m = &out->mail;

	*out = parser_default_limits;
	return take_number(&text, &m->parts) && take_number(&text, &m->depth) &&
	       take_number(&text, &m->text_bytes) && take_number(&text, &m->text_lines) &&
	       take_number(&text, &out->wait_ms) && text.len == 0;
}
