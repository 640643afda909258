/*
 * test_shapes.c - the pictures of each game's boards, shape by shape.
 *
 * shapes/KIND.txt has those of one random game of each kind, before its first turn and after three: caption,
 * size, frames, and a line a shape: "frame kind x,y wxh tone text". UPDATE=1 writes it.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "processor/base/env.h"
#include "processor/base/file.h"
#include "processor/games/registry.h"
#include "tests/support/chosen.h"
#include "tests/support/play.h"

enum { LARGEST = 1 << 20, SEED = 7, TURNS = 3 };

static void add_board(const struct doc_board *b, struct strbuf *out)
{
	static const char *const kinds[] = {"line", "rect", "hexagon", "circle", "label"};

	strbuf_addf(out, "board \"%s\", %d x %d, %d frames\n",
	            b->picture ? b->picture : b->caption, b->width, b->height, b->nframes);
	for (size_t i = 0; i < b->nshapes; i++) {
		const struct doc_shape *s = &b->shapes[i];

		strbuf_addf(out, "%d %s %d,%d %dx%d %d%s%s\n", s->frame, kinds[s->kind], s->x,
		            s->y, s->w, s->h, s->tone, s->text && *s->text ? " " : "",
		            s->text ? s->text : "");
	}
}

static void add_position(const struct play *p, struct strbuf *out)
{
	struct arena *arena = arena_new();
	struct doc doc;

	doc_init(&doc, arena);
	p->rules->view(p->now, SEAT_PUBLIC, &doc);
	strbuf_addf(out, "== phase %u\n", p->rules->phase(p->now));
	for (const struct doc_block *b = doc.first; b; b = b->next)
		if (b->kind == DOC_BOARD && b->board.nshapes > 0)
			add_board(&b->board, out);
	arena_free(arena);
}

static void check_kind(const struct rules *rules)
{
	struct strbuf path = STRBUF_INIT, text = STRBUF_INIT, out = STRBUF_INIT;
	struct failure f = ERR_INIT;
	struct play p;

	if (!chosen_kind(rules))
		return;
	cr_assert(play_start(&p, rules, rules->usual_seats, SEED), "%s", p.problem.ptr);
	add_position(&p, &out);
	for (int turn = 0; turn < TURNS && play_goes_on(&p); turn++)
		cr_assert(play_turn(&p), "%s", p.problem.ptr);
	add_position(&p, &out);
	strbuf_addf(&path, "tests/games/shapes/%s.txt", rules->name);
	if (env_get("UPDATE")) {
		FILE *file = fopen(path.ptr, "w");

		cr_assert(file && fwrite(out.ptr, 1, out.len, file) == out.len &&
		          fclose(file) == 0);
	} else {
		cr_assert_eq(file_read(path.ptr, LARGEST, &text, &f), ERR_NONE, "%s",
		             f.text.ptr);
		cr_expect(span_eq(strbuf_span(&out), strbuf_span(&text)),
		          "%s is now (UPDATE=1 writes it):\n%s", path.ptr, out.ptr);
	}
	cr_expect_not_null(strstr(out.ptr, "\n0 "), "%s has no shape", rules->name);
	play_release(&p);
	strbuf_release(&path);
	strbuf_release(&text);
	strbuf_release(&out);
}

Test(shapes, of_each_kind_are_as_written)
{
	check_kind(&whakka_mole_1);
	check_kind(&mole_park_1);
	check_kind(&martian_boggle_1);
	check_kind(&mole_1);
	check_kind(&mole_majority_1);
}
