/*
 * format.c - printf's common part.
 */
#include "processor/base/format.h"

#include <stdint.h>
#include <string.h>

#include "processor/base/banned.h"
#include "processor/base/err.h"

enum { MOST_DIGITS = 20 };

/* One conversion: what stands behind the '%'. */
struct conversion {
	unsigned zeros;  /* least number of digits */
	bool counted;    /* ".*" */
	bool wide, size; /* "ll", "z" */
	char kind;       /* 'd', 'u', 's', 'c', '%'; others are not ours */
};

static const char *read_conversion(const char *at, struct conversion *c)
{
	*c = (struct conversion){0};
	if (at[0] == '0' && at[1] >= '1' && at[1] <= '9') {
		c->zeros = (unsigned)(at[1] - '0');
		at += 2;
	} else if (at[0] == '.' && at[1] == '*') {
		c->counted = true;
		at += 2;
	}
	if (at[0] == 'l' && at[1] == 'l') {
		c->wide = true;
		at += 2;
	} else if (at[0] == 'z') {
		c->size = true;
		at++;
	}
	c->kind = *at;
	return *at ? at + 1 : at;
}

static bool is_ours(const struct conversion *c)
{
	bool plain = !c->zeros && !c->counted && !c->wide && !c->size;

	switch (c->kind) {
	case 'd':
	case 'u':
		return !c->counted && !(c->size && c->kind == 'd');
	case 's':
		return !c->zeros && !c->wide && !c->size;
	case 'c':
	case '%':
		return plain;
	default:
		return false;
	}
}

bool format_is_simple(const char *fmt)
{
	struct conversion c;

	while ((fmt = strchr(fmt, '%')) != NULL) {
		fmt = read_conversion(fmt + 1, &c);
		if (!is_ours(&c))
			return false;
	}
	return true;
}

static void add_number(struct strbuf *out, uint64_t n, bool negative, unsigned least)
{
	char digits[MOST_DIGITS];
	size_t at = sizeof(digits), width = 0;

	do {
		digits[--at] = (char)('0' + n % 10);
		n /= 10;
	} while (n > 0);
	width = sizeof(digits) - at + negative;
	if (negative)
		strbuf_addc(out, '-');
	if (width < least)
		strbuf_add_repeat(out, '0', least - width);
	strbuf_add(out, digits + at, sizeof(digits) - at);
}

static void add_signed(struct strbuf *out, int64_t n, unsigned least)
{
	add_number(out, n < 0 ? 0 - (uint64_t)n : (uint64_t)n, n < 0, least);
}

static void add_text(struct strbuf *out, const char *text, bool counted, int count)
{
	if (counted && count >= 0)
		strbuf_add(out, text, strnlen(text, (size_t)count));
	else
		strbuf_adds(out, text);
}

/* va_arg needs the list itself, hence the pointer. */
static void add_conversion(struct strbuf *out, const struct conversion *c, va_list *ap)
{
	int count = c->counted ? va_arg(*ap, int) : 0;

	if (c->kind == '%')
		strbuf_addc(out, '%');
	else if (c->kind == 'c')
		strbuf_addc(out, (char)va_arg(*ap, int));
	else if (c->kind == 's')
		add_text(out, va_arg(*ap, const char *), c->counted, count);
	else if (c->kind == 'd')
		add_signed(out, c->wide ? va_arg(*ap, long long) : va_arg(*ap, int), c->zeros);
	else if (c->size)
		add_number(out, va_arg(*ap, size_t), false, c->zeros);
	else if (c->wide)
		add_number(out, va_arg(*ap, unsigned long long), false, c->zeros);
	else
		add_number(out, va_arg(*ap, unsigned), false, c->zeros);
}

void format_add(struct strbuf *out, const char *fmt, va_list ap)
{
	struct conversion c;
	va_list rest;

	va_copy(rest, ap);
	for (;;) {
		const char *percent = strchr(fmt, '%');

		if (!percent) {
			strbuf_adds(out, fmt);
			break;
		}
		strbuf_add(out, fmt, (size_t)(percent - fmt));
		fmt = read_conversion(percent + 1, &c);
		add_conversion(out, &c, &rest);
	}
	va_end(rest);
}
