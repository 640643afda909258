/*
 * fuzz_quoted_lines.c - any bytes as the text of an answer and, behind the first NUL, as the mail answered.
 */
#include <stddef.h>
#include <stdint.h>

#include "processor/base/err.h"
#include "processor/quotes/quoted_lines.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Nothing is left of a line but words of its own, and it is where it was. */
static void check(struct span text, struct span marked)
{
	struct span line, own;

	while (span_next_line(&text, &line)) {
		ENSURE(span_next_line(&marked, &own));
		if (own.len > 0 && own.ptr[0] == '>')
			continue;
		ENSURE(own.len <= 4 * line.len + 4); /* typography made plain is longer */
	}
	ENSURE(!span_next_line(&marked, &own));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span all = {(const char *)data, size};
	struct span text = span_slice(all, 0, span_find_char(all, '\0'));
	struct answered_mail mail = {.text = span_slice(all, text.len + 1, size),
	                             .subject = SPAN_LIT("[W1 turn 4] orders due"),
	                             .to = SPAN_LIT("ann@example.net"),
	                             .date_utc = 1773338580};
	const struct text_origin origin = {.mails = &mail,
	                                   .nmails = 1,
	                                   .address = SPAN_LIT("moles@example.org"),
	                                   .name = SPAN_LIT("Molepost"),
	                                   .writer = SPAN_LIT("ann@example.net"),
	                                   .program = SPAN_LIT("iPhone")};
	struct arena *arena = arena_new();
	struct strbuf digits = STRBUF_INIT;
	unsigned header;

	check(text, quoted_lines_mark(text, NULL, arena, &header));
	check(text, quoted_lines_mark(text, &origin, arena, &header));
	(void)quoted_lines_may_repeat(text, arena);
	line_hashes_add(&digits, &mail.lines.key, mail.text);
	line_hashes_read(strbuf_span(&digits), arena, &mail.lines);
	check(text, quoted_lines_mark(text, &origin, arena, &header));
	strbuf_release(&digits);
	arena_free(arena);
	return 0;
}
