/*
 * length_text.c - lengths and places as people write them: millimetres with two decimals.
 */
#include "processor/base/num.h"
#include "processor/games/mole/mole.h"

enum { STEPS_IN_MM = MOLE_MM / MOLE_STEP };

bool mole_parse_mm(struct span word, int64_t *nm)
{
	bool negative = word.len > 0 && word.ptr[0] == '-';
	size_t dot;
	struct span decimals;
	uint64_t whole, hundredths = 0;

	word = span_slice(word, negative ? 1 : 0, word.len);
	dot = span_find_char(word, '.');
	decimals = span_slice(word, dot + 1, word.len);
	if (!num_parse_u64(span_slice(word, 0, dot), TARGET_MM, &whole))
		return false;
	if (dot < word.len &&
	    (decimals.len > 2 || !num_parse_u64(decimals, STEPS_IN_MM - 1, &hundredths)))
		return false;
	if (decimals.len == 1)
		hundredths *= 10;
	*nm = (int64_t)whole * MOLE_MM + (int64_t)hundredths * MOLE_STEP;
	if (*nm > (int64_t)TARGET_MM * MOLE_MM)
		return false;
	if (negative)
		*nm = -*nm;
	return true;
}

void mole_add_mm(struct strbuf *out, int64_t nm)
{
	int64_t steps = (nm < 0 ? -nm : nm) / MOLE_STEP;
	int64_t hundredths = steps % STEPS_IN_MM;

	strbuf_addf(out, "%s%lld", nm < 0 ? "-" : "", (long long)(steps / STEPS_IN_MM));
	if (hundredths % 10)
		strbuf_addf(out, ".%02lld", (long long)hundredths);
	else if (hundredths)
		strbuf_addf(out, ".%lld", (long long)(hundredths / 10));
}
