/*
 * dkim.c - a list of "tag=value", parted by semicolons, with blanks anywhere.
 */
#include "mail/text/dkim.h"

enum { NAME_MAX_LEN = 253, SIGNATURE_MAX_LEN = 1024 };

bool dkim_name_ok(struct span name)
{
	char before = '.';

	for (size_t i = 0; i < name.len; i++) {
		char c = name.ptr[i];

		if ((c == '.' && before == '.') ||
		    (c != '.' && !ascii_is_alnum(c) && c != '-' && c != '_'))
			return false;
		before = c;
	}
	return before != '.' && name.len <= NAME_MAX_LEN;
}

bool dkim_signature_ok(struct span signature)
{
	for (size_t i = 0; i < signature.len; i++) {
		char c = signature.ptr[i];

		if (!ascii_is_alnum(c) && c != '+' && c != '/' && c != '=')
			return false;
	}
	return signature.len > 0 && signature.len <= SIGNATURE_MAX_LEN;
}

/* A copy without blanks, and in lower case if asked for. */
static struct span squeezed(struct span value, bool lower, struct arena *arena)
{
	struct strbuf sb = STRBUF_INIT;

	for (size_t i = 0; i < value.len; i++) {
		char c = value.ptr[i];

		if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
			continue;
		strbuf_addc(&sb, lower && c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c);
	}
	struct span copy = arena_dup(arena, strbuf_span(&sb));
	strbuf_release(&sb);
	return copy;
}

/* Into a field that is still empty. */
static bool set_once(struct span *field, struct span value)
{
	bool first = field->len == 0;

	*field = value;
	return first;
}

bool dkim_read(struct span field, struct arena *arena, struct mail_dkim *out)
{
	struct span rest = field, item, tag;

	*out = (struct mail_dkim){SPAN_EMPTY, SPAN_EMPTY, SPAN_EMPTY};
	while (span_next_field(&rest, ';', &item)) {
		if (!span_next_field(&item, '=', &tag))
			continue;
		tag = squeezed(tag, false, arena);
		if ((span_eq_str(tag, "d") &&
		     !set_once(&out->domain, squeezed(item, true, arena))) ||
		    (span_eq_str(tag, "s") &&
		     !set_once(&out->selector, squeezed(item, true, arena))) ||
		    (span_eq_str(tag, "b") &&
		     !set_once(&out->signature, squeezed(item, false, arena))))
			return false;
	}
	return dkim_name_ok(out->domain) && dkim_name_ok(out->selector) &&
	       dkim_signature_ok(out->signature);
}
