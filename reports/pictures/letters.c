/*
 * letters.c - letters in the pictures of boards.
 */
#include "reports/pictures/letters.h"

#include <string.h>

#include "processor/base/utf8.h"

enum { LABELS_ACROSS = 40, LINE_COLUMNS = 8, KEY_COLUMNS_LEAST = 2 };

bool picture_exists(const struct doc_board *b)
{
	return b->nshapes > 0 && b->width > 0 && b->height > 0;
}

static bool surrounds(const struct doc_shape *s, const struct doc_shape *label)
{
	int dx = label->x - s->x, dy = label->y - s->y;

	if (s->kind == DOC_RECT)
		return dx >= 0 && dx <= s->w && dy >= 0 && dy <= s->h;
	return (s->kind == DOC_CIRCLE || s->kind == DOC_HEXAGON) &&
	       (int64_t)dx * dx + (int64_t)dy * dy <= (int64_t)s->w * s->w;
}

static int width_of(const struct doc_shape *s)
{
	return s->kind == DOC_RECT      ? s->w
	       : s->kind == DOC_HEXAGON ? 2 * hexagon_side(s->w)
	                                : 2 * s->w;
}

/* The smallest shape that a label lies in, which for a hexagon is itself; NULL: none. */
static const struct doc_shape *ground_of(const struct doc_board *b,
                                         const struct doc_shape *label)
{
	const struct doc_shape *ground = label->kind == DOC_HEXAGON ? label : NULL;

	for (size_t i = 0; i < b->nshapes && ground != label; i++) {
		const struct doc_shape *s = &b->shapes[i];

		if ((s->frame == 0 || s->frame == label->frame) && surrounds(s, label) &&
		    (ground == NULL || width_of(s) < width_of(ground)))
			ground = s;
	}
	return ground;
}

static bool has_height(const struct doc_shape *s)
{
	return s->kind == DOC_LABEL && s->h > 0;
}

/* In lines of about eight columns, broken at blanks; how many columns the widest has. */
static size_t break_label(struct span rest, struct letters *l)
{
	struct span word;
	size_t columns = 0;

	while (span_next_word(&rest, "", &word)) {
		struct span *last = l->n > 0 ? &l->lines[l->n - 1] : NULL;
		bool joins = last != NULL &&
		             (l->n == LETTER_LINES ||
		              utf8_width(*last) + 1 + utf8_width(word) <= LINE_COLUMNS);

		if (joins)
			last->len = (size_t)(word.ptr + word.len - last->ptr);
		else
			l->lines[l->n++] = word;
	}
	for (size_t i = 0; i < l->n; i++)
		if (utf8_width(l->lines[i]) > columns)
			columns = utf8_width(l->lines[i]);
	return columns;
}

/* In tenths of a unit, so that small boards have letters of the right size. */
static void lay(const struct doc_board *b, const struct doc_shape *s, struct letters *l)
{
	const struct doc_shape *ground = ground_of(b, s);
	int room = b->width / 4, usual = b->width * 10 / LABELS_ACROSS * 2, fitting;

	*l = (struct letters){.ground_kind = ground ? ground->kind : DOC_LABEL,
	                      .ground = ground ? picture_tone(ground->tone) : 0};
	if (has_height(s)) {
		l->lines[l->n++] = span_of(s->text);
		l->size = 10 * s->h;
		return;
	}
	size_t columns = break_label(span_of(s->text), l);
	if (ground != NULL && width_of(ground) < room)
		room = width_of(ground);
	fitting = room * 14 / (columns > 1 ? (int)columns : 2);
	fitting = fitting > usual ? usual : fitting;
	l->size = fitting > 1 ? fitting : 1;
}

const struct letters *letters_of(const struct doc_board *b, struct arena *arena)
{
	struct letters *all = arena_calloc(arena, b->nshapes, sizeof(*all));
	int least[DOC_LABEL + 1] = {0};

	for (size_t i = 0; i < b->nshapes; i++) {
		const struct doc_shape *s = &b->shapes[i];

		if (s->kind != DOC_HEXAGON && s->kind != DOC_LABEL)
			continue;
		lay(b, s, &all[i]);
		int *of_kind = &least[all[i].ground_kind];
		if (s->frame == 0 && !has_height(s) &&
		    (*of_kind == 0 || all[i].size < *of_kind))
			*of_kind = all[i].size;
	}
	for (size_t i = 0; i < b->nshapes; i++) {
		struct letters *l = &all[i];

		if (l->size > 0 && b->shapes[i].frame == 0 && !has_height(&b->shapes[i]))
			l->size = least[l->ground_kind];
		l->y = b->shapes[i].y * 10 - ((int)l->n - 1) * l->size / 2;
	}
	return all;
}

/* When no other colour has that text; letters on a piece are no meaning. */
bool picture_explains(const struct doc_board *b, size_t i)
{
	const struct doc_shape *s = &b->shapes[i];

	if ((s->kind != DOC_RECT && s->kind != DOC_CIRCLE) || s->tone < 1 ||
	    utf8_width(span_of(s->text)) < KEY_COLUMNS_LEAST)
		return false;
	for (size_t k = 0; k < b->nshapes; k++) {
		const struct doc_shape *other = &b->shapes[k];

		if (other->tone >= 1 && strcmp(other->text, s->text) == 0 &&
		    (k < i || other->tone != s->tone))
			return false;
	}
	return true;
}
