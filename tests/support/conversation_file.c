/*
 * conversation_file.c - cuts the text of a conversation at its markers.
 */
#include "tests/support/conversation_file.h"

#include <stdlib.h>

#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "tests/support/expected_text.h"

enum { FILE_MAX = 4 << 20, STEP_MAX = 9999 };

static const struct span mark = {"==== ", 5};

/* "ann writes", "ann replies to bob 2", "run", "clock +3D", "do status", "to ann: subject"; false: none of them. */
static bool read_marker(struct span rest, struct block *b)
{
	struct span first, verb;

	if (!span_next_word(&rest, "", &first))
		return false;
	b->rest = span_trim(rest);
	if (span_eq_str(first, "to")) {
		size_t colon = span_find(b->rest, SPAN_LIT(": "));

		b->kind = BLOCK_TO;
		b->who = span_slice(b->rest, 0, colon);
		b->rest = span_slice(b->rest, colon + 2, b->rest.len);
		return b->who.len > 0;
	}
	b->kind = span_eq_str(first, "run")     ? BLOCK_RUN
	          : span_eq_str(first, "clock") ? BLOCK_CLOCK
	          : span_eq_str(first, "wait")  ? BLOCK_WAIT
	          : span_eq_str(first, "do")    ? BLOCK_DO
	                                        : BLOCK_TO;
	if (b->kind != BLOCK_TO)
		return (b->kind == BLOCK_RUN) == (b->rest.len == 0);
	b->who = first;
	if (!span_next_word(&rest, "", &verb))
		return false;
	b->rest = span_trim(rest);
	if (span_eq_str(verb, "replies")) {
		b->kind = BLOCK_REPLIES;
		if (b->rest.len == 0)
			return true;
		span_next_word(&rest, "", &verb);
		b->rest = span_trim(rest);
		return span_eq_str(verb, "to") && b->rest.len > 0;
	}
	b->kind = span_eq_str(verb, "sends") ? BLOCK_SENDS : BLOCK_WRITES;
	return b->rest.len == 0 && (b->kind == BLOCK_SENDS || span_eq_str(verb, "writes"));
}

/* A step without a number has the next multiple of ten. Returns the words behind the number. */
static struct span number(struct block *b, unsigned *last)
{
	struct span rest = b->marker, word;
	unsigned given;

	if (span_next_word(&rest, "", &word) && num_parse_uint(word, 1, STEP_MAX, &given)) {
		*last = b->number = given;
		return rest;
	}
	if (!span_eq_str(word, "to"))
		*last = b->number = *last / 10 * 10 + 10;
	return b->marker;
}

void conversation_file_read(const char *path, struct conversation_file *out)
{
	struct strbuf text = STRBUF_INIT;
	struct failure e = ERR_INIT;
	struct span rest, line;
	unsigned last = 0;
	size_t cap = 0;
	const char *from;

	*out = (struct conversation_file){.arena = arena_new()};
	if (file_read(path, FILE_MAX, &text, &e) != ERR_NONE)
		BUG("%s", e.text.ptr);
	err_release(&e);
	rest = out->setup = arena_dup(out->arena, strbuf_span(&text));
	strbuf_release(&text);
	from = rest.ptr;
	for (unsigned n = 1; span_next_line(&rest, &line); n++) {
		struct span *above = out->n ? &out->blocks[out->n - 1].text : &out->setup;
		struct block *b;

		if (!span_starts(line, mark.ptr))
			continue;
		*above = (struct span){from, (size_t)(line.ptr - from)};
		/* The empty line before a marker is there for the eye. */
		if (above->len > 0 && (above->len == 1 || above->ptr[above->len - 2] == '\n'))
			above->len--;
		from = rest.ptr;
		out->blocks = xgrow(out->blocks, &cap, out->n + 1, sizeof(*out->blocks));
		b = &out->blocks[out->n++];
		*b = (struct block){.line = n, .marker = span_slice(line, mark.len, line.len)};
		if (!read_marker(number(b, &last), b))
			BUG("%s:%u: \"%.*s\" is no step", path, n, SPAN_ARGS(line));
		b->text = rest;
	}
}

void conversation_file_free(struct conversation_file *f)
{
	free(f->blocks);
	arena_free(f->arena);
}

void block_add_text(const struct block *b, struct strbuf *out)
{
	struct span rest = b->text;

	while (rest.len > 0) {
		size_t end = span_find_char(rest, '\n');

		/* Not span_next_line: a CR is kept. */
		strbuf_add_span(out, expected_text_line(span_slice(rest, 0, end)));
		strbuf_addc(out, '\n');
		rest = span_slice(rest, end + 1, rest.len);
	}
}

void block_split(const struct block *b, struct span *header, struct span *body)
{
	struct span line;

	*body = b->text;
	while (span_next_line(body, &line) && line.len > 0)
		;
	*header = span_slice(b->text, 0, b->text.len - body->len);
}
