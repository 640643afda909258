/*
 * play_spoil.c - small random draws for tests, and texts spoilt with them.
 */
#include <string.h>

#include "tests/support/play.h"

/* splitmix64: small, and nothing the games could lean on. */
unsigned play_draw(uint64_t *dice, unsigned n)
{
	uint64_t z = (*dice += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return (unsigned)((z ^ (z >> 31)) % n);
}

static void spoil_byte(uint64_t *dice, struct strbuf *text)
{
	static const char likely[] = "0123456789 :\n-x=;\xff";

	text->ptr[play_draw(dice, (unsigned)text->len)] =
	    likely[play_draw(dice, sizeof likely)];
}

static void spoil_cut(uint64_t *dice, struct strbuf *text)
{
	size_t from = play_draw(dice, (unsigned)text->len);
	size_t len = play_draw(dice, (unsigned)(text->len - from)) + 1;

	memmove(text->ptr + from, text->ptr + from + len, text->len - from - len);
	strbuf_truncate(text, text->len - len);
}

static void spoil_repeat(uint64_t *dice, struct strbuf *text)
{
	size_t from = play_draw(dice, (unsigned)text->len);
	size_t len = play_draw(dice, (unsigned)(text->len - from)) + 1;
	struct strbuf piece = STRBUF_INIT;

	strbuf_add(&piece, text->ptr + from, len);
	strbuf_add_span(text, strbuf_span(&piece));
	strbuf_release(&piece);
}

void play_spoil(uint64_t *dice, struct strbuf *text)
{
	if (!text->len)
		return;
	switch (play_draw(dice, 8)) {
	case 0:
		strbuf_truncate(text, play_draw(dice, (unsigned)text->len));
		break;
	case 1:
		spoil_cut(dice, text);
		break;
	case 2:
		spoil_repeat(dice, text);
		break;
	case 3:
		strbuf_addc(text, "\n \r."[play_draw(dice, 4)]);
		break;
	case 4:
		strbuf_truncate(text, text->len - 1);
		break;
	default:
		spoil_byte(dice, text);
	}
}
