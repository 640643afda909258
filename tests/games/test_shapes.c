/*
 * test_shapes.c - the pictures of each game's boards, shape by shape.
 *
 * shapes/KIND.txt has those of one random game of each kind, before its first turn and after three: caption,
 * size, frames, and a line a shape: "frame kind x,y wxh tone text". UPDATE=1 writes it.
 * As mails have them, SHOTS=FOLDER keeps them as NAME-PHASE.png, for a person to look at.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "processor/base/env.h"
#include "processor/base/file.h"
#include "processor/games/registry.h"
#include "reports/pictures/png.h"
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

static void put_shot(const struct rules *rules, const struct play *p, const struct strbuf *png)
{
	const char *shots = env_get("SHOTS");
	struct strbuf path = STRBUF_INIT;
	struct failure f = ERR_INIT;

	if (!shots)
		return;
	strbuf_addf(&path, "%s/%s-%u.png", shots, rules->name, rules->phase(p->now));
	cr_assert_eq(file_replace(path.ptr, strbuf_span(png), &f), ERR_NONE, "%s", f.text.ptr);
	strbuf_release(&path);
}

/* Every board of a view, by two painters, one after the other; how many there were. */
static unsigned paint(const struct play *p, const struct rules *rules, unsigned seat)
{
	struct arena *arena = arena_new();
	struct strbuf png[2] = {STRBUF_INIT, STRBUF_INIT};
	struct doc doc;
	size_t first = 0;
	unsigned n = 0;

	doc_init(&doc, arena);
	rules->view(p->now, seat, &doc);
	for (int i = 0; i < 2; i++) {
		struct png_painter *painter = png_open();

		for (const struct doc_block *b = doc.first; b; b = b->next) {
			size_t before = png[i].len;

			if (b->kind != DOC_BOARD || b->board.nshapes == 0)
				continue;
			cr_assert(png_paint(painter, &b->board, &png[i]));
			cr_expect_lt(png[i].len - before, 50 * 1024, "%s: %zu", rules->name,
			             png[i].len - before);
			first = first ? first : png[i].len;
			n++;
		}
		png_close(painter);
	}
	cr_expect(span_eq(strbuf_span(&png[0]), strbuf_span(&png[1])));
	cr_expect(span_starts(strbuf_span(&png[0]), "\x89PNG"));
	strbuf_truncate(&png[0], first);
	put_shot(rules, p, &png[0]);
	strbuf_release(&png[0]);
	strbuf_release(&png[1]);
	arena_free(arena);
	return n / 2;
}

Test(shapes, are_painted_alike_by_every_painter_and_small)
{
	static const struct rules *const kinds[] = {
	    &whakka_mole_1, &mole_park_1, &martian_boggle_1, &mole_1, &mole_majority_1};
	enum { LOOKS = 3, BETWEEN = 4 };
	struct png_painter *painter = png_open();

	if (!painter)
		cr_skip_test("skipped: no cairo, FreeType or DejaVu Sans here");
	png_close(painter);
	for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
		struct play p;

		cr_assert(play_start(&p, kinds[k], kinds[k]->usual_seats, SEED), "%s",
		          p.problem.ptr);
		for (int look = 0; look < LOOKS; look++) {
			cr_expect_gt(paint(&p, kinds[k], SEAT_PUBLIC) + paint(&p, kinds[k], 1),
			             0, "%s", kinds[k]->name);
			for (int turn = 0; turn < BETWEEN && play_goes_on(&p); turn++)
				cr_assert(play_turn(&p), "%s", p.problem.ptr);
		}
		play_release(&p);
	}
}

/* A painter keeps its last picture: that of another reader, with the same shapes, is none of theirs. */
Test(shapes, of_another_caption_are_another_picture)
{
	struct doc_shape hole = {.kind = DOC_CIRCLE, .x = 50, .y = 50, .w = 20, .text = ""};
	struct doc_board board = {
	    .shapes = &hole, .nshapes = 1, .width = 100, .height = 100, .picture = "For Ann"};
	struct strbuf ann = STRBUF_INIT, bob = STRBUF_INIT;
	struct png_painter *painter = png_open();

	if (!painter)
		cr_skip_test("skipped: no cairo, FreeType or DejaVu Sans here");
	cr_assert(png_paint(painter, &board, &ann));
	board.picture = "For Bob";
	cr_assert(png_paint(painter, &board, &bob));
	cr_expect(!span_eq(strbuf_span(&ann), strbuf_span(&bob)));
	png_close(painter);
	strbuf_release(&ann);
	strbuf_release(&bob);
}

/* The first board of a view as a picture; nothing where there is none. */
static void paint_first(struct png_painter *painter, const struct rules *rules,
                        const struct game_state *state, unsigned viewer, struct strbuf *png)
{
	struct arena *arena = arena_new();
	struct doc doc;

	doc_init(&doc, arena);
	rules->view(state, viewer, &doc);
	for (const struct doc_block *b = doc.first; b && png->len == 0; b = b->next)
		if (b->kind == DOC_BOARD && b->board.nshapes > 0)
			cr_assert(png_paint(painter, &b->board, png));
	arena_free(arena);
}

/*
 * Where all that a viewer cannot know is drawn anew, their picture has the same bytes; and bytes do differ by
 * what is on a board, for the next turn has another picture.
 */
Test(shapes, hold_nothing_that_their_viewer_may_not_know, .timeout = 120)
{
	static const struct rules *const kinds[] = {
	    &whakka_mole_1, &mole_park_1, &martian_boggle_1, &mole_1, &mole_majority_1};
	enum { LOOKS = 6 };
	unsigned changed = 0;
	struct png_painter *painter = png_open();

	if (!painter)
		cr_skip_test("skipped: no cairo, FreeType or DejaVu Sans here");
	for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
		struct strbuf before = STRBUF_INIT;
		struct play p;

		cr_assert(play_start(&p, kinds[k], kinds[k]->usual_seats, SEED), "%s",
		          p.problem.ptr);
		for (int look = 0; look < LOOKS && play_goes_on(&p); look++) {
			for (unsigned viewer = 0; viewer <= p.nseats; viewer++) {
				struct strbuf real = STRBUF_INIT, other = STRBUF_INIT;
				struct chance *chance = chance_from_seed(
				    (uint64_t)look * MAX_SEATS + viewer, "resample");
				struct game_state *drawn =
				    kinds[k]->resample(p.now, viewer, chance);

				paint_first(painter, kinds[k], p.now, viewer, &real);
				paint_first(painter, kinds[k], drawn, viewer, &other);
				cr_expect(span_eq(strbuf_span(&real), strbuf_span(&other)),
				          "%s: the picture of seat %u", kinds[k]->name, viewer);
				if (viewer == 1) {
					changed +=
					    !span_eq(strbuf_span(&real), strbuf_span(&before));
					strbuf_swap(&before, &real);
				}
				strbuf_release(&real);
				strbuf_release(&other);
				kinds[k]->free_state(drawn);
				chance_free(chance);
			}
			cr_assert(play_turn(&p), "%s", p.problem.ptr);
		}
		strbuf_release(&before);
		play_release(&p);
	}
	cr_expect_gt(changed, 3 * sizeof kinds / sizeof kinds[0]);
	png_close(painter);
}
