/*
 * num.c - from text to numbers, strictly.
 */
#include "processor/base/num.h"

bool num_parse_u64(struct span text, uint64_t max, uint64_t *out)
{
	uint64_t value = 0;

	if (text.len == 0)
		return false;
	for (size_t i = 0; i < text.len; i++) {
		unsigned digit = (unsigned)(unsigned char)text.ptr[i] - '0';

		if (digit > 9 || value > (UINT64_MAX - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	if (value > max)
		return false;
	*out = value;
	return true;
}

bool num_parse_i64(struct span text, int64_t min, int64_t max, int64_t *out)
{
	bool negative = text.len > 0 && text.ptr[0] == '-';
	uint64_t size;
	int64_t value;

	if (!num_parse_u64(span_slice(text, negative, text.len), (uint64_t)INT64_MAX + negative,
	                   &size))
		return false;
	if (!negative)
		value = (int64_t)size;
	else
		value = size > INT64_MAX ? INT64_MIN : -(int64_t)size;
	if (value < min || value > max)
		return false;
	*out = value;
	return true;
}

bool num_parse_uint(struct span text, unsigned min, unsigned max, unsigned *out)
{
	uint64_t value;

	if (!num_parse_u64(text, max, &value) || value < min)
		return false;
	*out = (unsigned)value;
	return true;
}

bool num_parse_word(struct span text, unsigned min, unsigned max, unsigned *out)
{
	static const char *const words[] = {
	    "zero",     "one",     "two",     "three",     "four",     "five",     "six",
	    "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",   "thirteen",
	    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
	};

	for (unsigned n = 0; n < sizeof(words) / sizeof(words[0]); n++) {
		if (!span_eq_nocase(text, words[n]))
			continue;
		if (n < min || n > max)
			return false;
		*out = n;
		return true;
	}
	return num_parse_uint(text, min, max, out);
}

/* 16 for what is no digit. */
static unsigned hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a') + 10;
	return 16;
}

bool num_parse_hex(struct span text, void *out, size_t len)
{
	unsigned char *bytes = out;

	if (text.len / 2 != len || text.len % 2 != 0)
		return false;
	for (size_t i = 0; i < text.len; i++)
		if (hex_digit(text.ptr[i]) > 15)
			return false;
	for (size_t i = 0; i < len; i++)
		bytes[i] = (unsigned char)(hex_digit(text.ptr[2 * i]) << 4 |
		                           hex_digit(text.ptr[2 * i + 1]));
	return true;
}
