/*
 * json_member.c - a walk over the members of one object.
 */
#include "mail/text/json_member.h"

#include "processor/base/num.h"
#include "processor/base/utf8.h"

static char first(struct span s)
{
	return s.len > 0 ? s.ptr[0] : '\0';
}

static void skip_blanks(struct span *rest)
{
	while (rest->len > 0 && strchr(" \t\r\n", rest->ptr[0]))
		*rest = span_slice(*rest, 1, rest->len);
}

static bool take(struct span *rest, char c)
{
	skip_blanks(rest);
	if (first(*rest) != c || c == '\0')
		return false;
	*rest = span_slice(*rest, 1, rest->len);
	return true;
}

/* "u00e9" behind a backslash. Half of a pair stands for no character. */
static bool take_hex(struct span *rest, struct strbuf *out)
{
	unsigned char two[2];

	if (rest->len < 5 || !num_parse_hex(span_slice(*rest, 1, 5), two, sizeof(two)))
		return false;
	uint32_t cp = (uint32_t)two[0] << 8 | two[1];
	utf8_add(out, cp == 0 || (cp >= 0xd800 && cp <= 0xdfff) ? '?' : cp);
	*rest = span_slice(*rest, 5, rest->len);
	return true;
}

static bool take_string(struct span *rest, struct strbuf *out)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";

	if (!take(rest, '"'))
		return false;
	while (rest->len > 0 && rest->ptr[0] != '"') {
		const char *escape;

		if (rest->ptr[0] != '\\') {
			strbuf_addc(out, rest->ptr[0]);
			*rest = span_slice(*rest, 1, rest->len);
			continue;
		}
		*rest = span_slice(*rest, 1, rest->len);
		escape = first(*rest) ? strchr(from, first(*rest)) : NULL;
		if (escape) {
			strbuf_addc(out, to[escape - from]);
			*rest = span_slice(*rest, 1, rest->len);
		} else if (first(*rest) != 'u' || !take_hex(rest, out))
			return false;
	}
	return take(rest, '"');
}

/* What is nested is passed over. */
static bool take_value(struct span *rest, struct strbuf *out)
{
	struct strbuf passed = STRBUF_INIT;
	size_t depth = 0;
	bool ok = true;

	skip_blanks(rest);
	if (first(*rest) == '"')
		return take_string(rest, out);
	while (ok && rest->len > 0) {
		char c = rest->ptr[0];

		if (depth == 0 && strchr(",}] \t\r\n", c))
			break;
		if (c == '"') {
			strbuf_clear(&passed);
			ok = take_string(rest, &passed);
			continue;
		}
		if (c == '{' || c == '[')
			depth++;
		else if (c == '}' || c == ']')
			depth--;
		else if (depth == 0)
			strbuf_addc(out, c);
		*rest = span_slice(*rest, 1, rest->len);
	}
	strbuf_release(&passed);
	return ok && depth == 0;
}

bool json_member(struct span text, const char *name, struct strbuf *out)
{
	struct strbuf key = STRBUF_INIT;
	size_t before = out->len;
	bool found = false, more = take(&text, '{');

	while (more && !found) {
		strbuf_clear(&key);
		strbuf_truncate(out, before);
		more = take_string(&text, &key) && take(&text, ':') && take_value(&text, out);
		found = more && span_eq_str(strbuf_span(&key), name);
		more = more && take(&text, ',');
	}
	if (!found)
		strbuf_truncate(out, before);
	strbuf_release(&key);
	return found;
}
