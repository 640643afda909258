/*
 * test_base_tape.c - every kind of field there and back, and bytes that were never recorded.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/tape.h"

enum { INTS = 5, LONG = 5000 };

/* One field of each kind, with the values that are hard for it. */
struct fields {
	int64_t ints[INTS];
	unsigned most, none;
	bool yes, no;
	struct digest digest;
	const char *absent, *empty, *text;
	struct span nothing, blank, bytes;
	const char *const *list;
	size_t n;
	size_t count; /* of the one byte that follows it */
	bool last;
};

static void go_through(struct tape *t, struct fields *f)
{
	for (size_t i = 0; i < INTS; i++)
		tape_int(t, &f->ints[i]);
	tape_uint(t, &f->most);
	tape_uint(t, &f->none);
	tape_bool(t, &f->yes);
	tape_bool(t, &f->no);
	tape_digest(t, &f->digest);
	tape_text(t, &f->absent);
	tape_text(t, &f->empty);
	tape_text(t, &f->text);
	tape_span(t, &f->nothing);
	tape_span(t, &f->blank);
	tape_span(t, &f->bytes);
	tape_texts(t, &f->list, &f->n);
	tape_count(t, &f->count);
	tape_bool(t, &f->last);
}

/* `text` is borrowed. */
static struct fields hard_ones(const char *text)
{
	static const char *const list[] = {"one", NULL, "", "four"};

	return (struct fields){.ints = {INT64_MIN, INT64_MAX, 0, -1, -64},
	                       .most = UINT32_MAX,
	                       .yes = true,
	                       .digest = {{0xff, 0, 0x80, [DIGEST_LEN - 1] = 7}},
	                       .empty = "",
	                       .text = text,
	                       .blank = SPAN_LIT(""),
	                       .bytes = SPAN_LIT("a\0b\xff\0"),
	                       .list = list,
	                       .n = 4,
	                       .count = 1,
	                       .last = true};
}

/* What is played goes over what is not to be left there. */
static struct fields junk(void)
{
	static const char *const list[] = {"junk"};
	struct fields f = hard_ones("junk");

	f.ints[2] = f.none = 9;
	f.no = true;
	f.absent = "junk";
	f.nothing = SPAN_LIT("junk");
	f.list = list;
	f.n = 1;
	return f;
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_span(struct span a, struct span b)
{
	return span_eq(a, b) && !a.ptr == !b.ptr;
}

static void expect_same(const struct fields *a, const struct fields *b)
{
	for (size_t i = 0; i < INTS; i++)
		cr_expect_eq(a->ints[i], b->ints[i], "int %zu", i);
	cr_expect(a->most == b->most && a->none == b->none);
	cr_expect(a->yes == b->yes && a->no == b->no && a->last == b->last);
	cr_expect(digest_eq(&a->digest, &b->digest));
	cr_expect(same_text(a->absent, b->absent) && same_text(a->empty, b->empty));
	cr_expect(same_text(a->text, b->text));
	cr_expect(same_span(a->nothing, b->nothing) && same_span(a->blank, b->blank));
	cr_expect(same_span(a->bytes, b->bytes));
	cr_expect(a->n == b->n && a->count == b->count);
	for (size_t i = 0; i < a->n && i < b->n; i++)
		cr_expect(same_text(a->list[i], b->list[i]), "text %zu", i);
}

static struct span recorded(struct fields f, struct strbuf *out)
{
	struct tape t = tape_record(out);

	cr_assert(tape_records(&t));
	go_through(&t, &f);
	return strbuf_span(out);
}

/* From memory of just that size, so that a byte read behind its end is noticed. */
static struct tape played(struct span in, struct arena *arena, struct fields *f)
{
	char *copy = malloc(in.len ? in.len : 1);
	struct tape t;

	cr_assert_not_null(copy);
	if (in.len > 0)
		memcpy(copy, in.ptr, in.len);
	t = tape_play((struct span){copy, in.len}, arena);
	*f = junk();
	go_through(&t, f);
	free(copy);
	return t;
}

Test(tape, plays_every_kind_of_field_as_it_was_recorded)
{
	struct strbuf out = STRBUF_INIT, again = STRBUF_INIT, text = STRBUF_INIT;
	struct arena *arena = arena_new();
	struct fields before, after;

	strbuf_add_repeat(&text, 'x', LONG);
	before = hard_ones(text.ptr);
	struct tape t = played(recorded(before, &out), arena, &after);
	cr_assert(tape_is_over(&t) && !tape_records(&t));
	expect_same(&before, &after);
	cr_expect_eq(after.bytes.ptr[after.bytes.len], '\0');
	/* And what was played is recorded like that again. */
	cr_expect(span_eq(recorded(after, &again), strbuf_span(&out)));
	strbuf_release(&out);
	strbuf_release(&again);
	strbuf_release(&text);
	arena_free(arena);
}

Test(tape, records_behind_what_is_there_the_same_bytes_on_every_machine)
{
	struct strbuf out = STRBUF_INIT;
	struct tape t = tape_record(&out);
	const char *text = "any";
	int64_t one_less = -1, two = 2;
	unsigned most = UINT32_MAX;
	bool yes = true;

	strbuf_adds(&out, "form:");
	tape_int(&t, &one_less);
	tape_uint(&t, &most);
	tape_text(&t, &text);
	tape_int(&t, &two);
	tape_bool(&t, &yes);
	cr_expect(span_eq(strbuf_span(&out), SPAN_LIT("form:\x01\xff\xff\xff\xff\x0f"
	                                              "\x04"
	                                              "any\x04\x01")));
	strbuf_release(&out);
}

/* ---- what was not recorded ---- */

/* Behind the field that failed; what came before it is as it was recorded. */
static void expect_empty_behind(struct tape *t)
{
	struct fields f = junk();

	go_through(t, &f);
	cr_expect(t->failed && f.most == 0 && f.none == 0 && !f.yes && !f.no && !f.last);
	for (size_t i = 0; i < INTS; i++)
		cr_expect_eq(f.ints[i], 0);
	cr_expect(digest_is_zero(&f.digest));
	cr_expect(!f.absent && !f.empty && !f.text);
	cr_expect(!f.nothing.ptr && !f.blank.ptr && !f.bytes.ptr);
	cr_expect(f.nothing.len + f.blank.len + f.bytes.len + f.n + f.count == 0);
}

Test(tape, that_is_cut_anywhere_fails_and_the_rest_is_empty)
{
	struct strbuf out = STRBUF_INIT;
	struct arena *arena = arena_new();
	struct fields whole = hard_ones("text"), f;
	struct span all = recorded(whole, &out);

	for (size_t len = 0; len < all.len; len++) {
		struct tape t = played(span_slice(all, 0, len), arena, &f);

		cr_assert(t.failed && !tape_is_over(&t), "%zu bytes", len);
		cr_assert_not(f.last, "%zu bytes", len);
		expect_empty_behind(&t);
	}
	strbuf_release(&out);
	arena_free(arena);
}

/* A digest or a text may have any bytes; all that is asked for is that nothing breaks. */
Test(tape, with_any_byte_changed_is_played_without_harm)
{
	struct strbuf out = STRBUF_INIT;
	struct arena *arena = arena_new();
	struct span all = recorded(hard_ones("text"), &out);
	unsigned failed = 0;

	for (size_t i = 0; i < all.len; i++) {
		struct fields f;
		char was = out.ptr[i];

		out.ptr[i] = (char)0xff;
		struct tape t = played(all, arena, &f);
		out.ptr[i] = was;
		cr_assert(f.n <= all.len && (f.n == 0 || f.list), "byte %zu", i);
		failed += t.failed;
		if (t.failed)
			expect_empty_behind(&t);
	}
	cr_assert_gt(failed, 0);
	strbuf_release(&out);
	arena_free(arena);
}

Test(tape, has_no_numbers_beyond_what_their_kind_can_be)
{
	struct tape t = tape_play(SPAN_LIT("\x02\x01"), NULL);
	bool yes = true;
	unsigned n = 5;
	int64_t i = 5;

	tape_bool(&t, &yes);
	cr_expect(t.failed && !yes && !tape_is_over(&t), "a bool of 2");
	tape_bool(&t, &yes);
	cr_expect_not(yes, "nothing follows a failure");
	t = tape_play(SPAN_LIT("\xff\xff\xff\xff\x0f"), NULL);
	tape_uint(&t, &n);
	cr_expect(tape_is_over(&t) && n == UINT32_MAX);
	t = tape_play(SPAN_LIT("\x80\x80\x80\x80\x10"), NULL);
	tape_uint(&t, &n);
	cr_expect(t.failed && n == 0, "the first one beyond 32 bits");
	t = tape_play(SPAN_LIT("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), NULL);
	tape_int(&t, &i);
	cr_expect(t.failed && i == 0, "a number that does not end");
}

Test(tape, believes_no_length_that_is_longer_than_itself)
{
	struct arena *arena = arena_new();
	struct tape t = tape_play(SPAN_LIT("\x03xyz"), arena);
	struct span s = SPAN_LIT("junk");
	const char *const *list;
	size_t n = 7;

	tape_count(&t, &n);
	cr_expect(n == 3 && !t.failed);
	t = tape_play(SPAN_LIT("\x04xyz"), arena);
	tape_texts(&t, &list, &n);
	cr_expect(t.failed && n == 0);
	t = tape_play(SPAN_LIT("\x05xyz"), arena);
	tape_span(&t, &s);
	cr_expect(t.failed && !s.ptr && s.len == 0);
	t = tape_play(SPAN_LIT("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01xyz"), arena);
	tape_span(&t, &s);
	cr_expect(t.failed && !s.ptr);
	arena_free(arena);
}

Test(tape, with_more_on_it_than_was_asked_for_is_not_over)
{
	struct strbuf out = STRBUF_INIT;
	struct arena *arena = arena_new();
	struct fields f;

	(void)recorded(hard_ones("text"), &out);
	strbuf_addc(&out, '\0');
	struct tape t = played(strbuf_span(&out), arena, &f);
	cr_expect(!t.failed && f.last);
	cr_expect_not(tape_is_over(&t));
	strbuf_release(&out);
	arena_free(arena);
}
