/*
 * programs.c - what replies have in common whoever writes them.
 */
#include "tests/support/programs.h"

#include "processor/base/clock.h"
#include "tests/support/programs_parts.h"

void programs_add_own_fields(struct strbuf *out, const struct reply *r)
{
	strbuf_addf(out, "From: %.*s\nTo: Molepost <%.*s>\nSubject: Re: %.*s\n",
	            SPAN_ARGS(r->from), SPAN_ARGS(r->to), SPAN_ARGS(r->subject));
	strbuf_addf(out,
	            "Message-ID: <CA+reply%u@mail.example.net>\nIn-Reply-To: %.*s\n"
	            "References: %.*s\nDate: ",
	            r->n, SPAN_ARGS(r->answers), SPAN_ARGS(r->answers));
	programs_add_date(out, r);
	strbuf_addc(out, '\n');
}

void programs_add_quoted(struct strbuf *out, const struct reply *r)
{
	struct span rest = r->report, line;

	strbuf_add_span(out, r->orders);
	strbuf_adds(out, "\n\nGreetings, and good luck to everybody\n\n"
	                 "On Fri, 13 Mar 2026 at 09:12, Molepost <moles@example.org> wrote:\n");
	while (span_next_line(&rest, &line))
		strbuf_addf(out, ">%s%.*s\n", line.len > 0 ? " " : "", SPAN_ARGS(line));
}

void programs_add_noise(struct strbuf *out, unsigned n, size_t len, const char *fold)
{
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	enum { COLUMNS = 72 };
	uint32_t x = n * 2654435761U + 1;

	for (size_t i = 0; i < len; i++) {
		if (i > 0 && i % COLUMNS == 0)
			strbuf_adds(out, fold);
		x = x * 1664525U + 1013904223U;
		strbuf_addc(out, digits[x >> 26]);
	}
}

static const char *entity_of(char c)
{
	switch (c) {
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '&':
		return "&amp;";
	case '"':
		return "&quot;";
	default:
		return NULL;
	}
}

void programs_add_escaped(struct strbuf *out, struct span text, const char *line_end)
{
	for (size_t i = 0; i < text.len; i++) {
		const char *entity = entity_of(text.ptr[i]);

		if (entity)
			strbuf_adds(out, entity);
		else if (text.ptr[i] == '\n')
			strbuf_addf(out, "%s\n", line_end);
		else
			strbuf_addc(out, text.ptr[i]);
	}
}

void programs_add_date(struct strbuf *out, const struct reply *r)
{
	utc_format_rfc5322(out, r->date_utc);
}
