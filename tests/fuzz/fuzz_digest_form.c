/*
 * fuzz_digest_form.c - any bytes as the text of an answer to a digest.
 */
#include <stddef.h>
#include <stdint.h>

#include "processor/base/err.h"
#include "processor/commandtext/command_text.h"
#include "processor/commandtext/digest_form.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t count_lines(struct span text)
{
	struct span line;
	size_t n = 0;

	while (span_next_line(&text, &line))
		n++;
	return n;
}

/* What is quoted twice was filled in before: it orders nothing, whatever stands there. */
static void check_quoted_twice(struct span text, struct arena *arena)
{
	struct strbuf quoted = STRBUF_INIT;
	struct span line;
	struct command_text l;

	while (span_next_line(&text, &line))
		strbuf_addf(&quoted, ">> %.*s\n", SPAN_ARGS(line));
	command_text_read(digest_form_read(strbuf_span(&quoted), arena), SPAN_EMPTY,
	                  USUAL_COMMANDS, arena, &l);
	ENSURE(l.nitems == 0 && l.nlines == 0);
	command_text_release(&l);
	strbuf_release(&quoted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = {(const char *)data, size};
	struct arena *arena = arena_new();
	struct span read = digest_form_read(text, arena);
	struct command_text l;

	ENSURE(count_lines(read) == count_lines(text)); /* diagnostics name them */
	command_text_read(read, SPAN_EMPTY, USUAL_COMMANDS, arena, &l);
	command_text_release(&l);
	check_quoted_twice(text, arena);
	arena_free(arena);
	return 0;
}
