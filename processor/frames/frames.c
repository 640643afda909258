/*
 * frames.c - splitting a stream at its "== NAME" lines.
 */
#include "processor/frames/frames.h"

#include <stdlib.h>

#include "processor/base/num.h"
#include "processor/base/strbuf.h"
#include "processor/games/rules.h"

static enum err open_frame(struct frames *f, struct span head, unsigned line, struct failure *e)
{
	struct frame *frame;
	struct span word, name;
	unsigned seat = 0;

	head = span_slice(head, 3, head.len);
	if (!span_next_word(&head, "", &name))
		return err_set(e, ERR_INVALID, "line %u: a frame without a name", line);
	if (span_next_word(&head, "", &word) && !num_parse_uint(word, 1, MAX_SEATS, &seat))
		return err_set(e, ERR_INVALID, "line %u: \"%.*s\" is no seat", line,
		               SPAN_ARGS(word));
	f->items = xgrow(f->items, &f->cap, f->count + 1, sizeof *f->items);
	frame = &f->items[f->count++];
	frame->name = name;
	frame->seat = seat;
	frame->line = line;
	frame->text = SPAN_EMPTY;
	return ERR_NONE;
}

enum err frames_read(struct span text, struct frames *out, struct failure *e)
{
	struct span line;
	const char *start;
	unsigned number = 0;
	enum err rc;

	while (start = text.ptr, span_next_line(&text, &line)) {
		number++;
		if (span_starts(line, "== ")) {
			rc = open_frame(out, span_trim(line), number, e);
			if (rc)
				return rc;
		} else if (out->count) {
			struct span *body = &out->items[out->count - 1].text;
			const char *end = text.ptr ? text.ptr : line.ptr + line.len;

			if (!body->ptr)
				body->ptr = start;
			body->len = (size_t)(end - body->ptr);
		} else if (span_trim(line).len) {
			return err_set(e, ERR_INVALID,
			               "line %u: a frame \"== NAME\" should stand here",
			               number);
		}
	}
	return ERR_NONE;
}

void frames_release(struct frames *f)
{
	free(f->items);
	f->items = NULL;
	f->count = f->cap = 0;
}

const struct frame *frames_find(const struct frames *f, const char *name)
{
	for (size_t i = f->count; i > 0; i--)
		if (span_eq_str(f->items[i - 1].name, name))
			return &f->items[i - 1];
	return NULL;
}

struct span frames_text(const struct frames *f, const char *name)
{
	const struct frame *frame = frames_find(f, name);

	return frame ? span_trim(frame->text) : SPAN_EMPTY;
}
