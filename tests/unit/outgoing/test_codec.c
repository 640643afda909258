/*
 * test_codec.c - every kind of field there and back, and bytes that were never recorded.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "processor/outgoing/codec.h"

enum { INTS = 5, LONG = 5000 };

/* One field of each kind, with the values that are hard for it. */
struct fields {
	int64_t ints[INTS];
	unsigned most, none;
	bool yes, no;
	struct hash hash;
	const char *absent, *empty, *text;
	struct span nothing, blank, bytes;
	const char *const *list;
	size_t n;
	size_t count; /* of the one byte that follows it */
	bool last;
};

static void go_through(struct codec *t, struct fields *f)
{
	for (size_t i = 0; i < INTS; i++)
		codec_int(t, &f->ints[i]);
	codec_uint(t, &f->most);
	codec_uint(t, &f->none);
	codec_bool(t, &f->yes);
	codec_bool(t, &f->no);
	codec_hash(t, &f->hash);
	codec_text(t, &f->absent);
	codec_text(t, &f->empty);
	codec_text(t, &f->text);
	codec_span(t, &f->nothing);
	codec_span(t, &f->blank);
	codec_span(t, &f->bytes);
	codec_texts(t, &f->list, &f->n);
	codec_count(t, &f->count);
	codec_bool(t, &f->last);
}

/* `text` is borrowed. */
static struct fields hard_ones(const char *text)
{
	static const char *const list[] = {"one", NULL, "", "four"};

	return (struct fields){.ints = {INT64_MIN, INT64_MAX, 0, -1, -64},
	                       .most = UINT32_MAX,
	                       .yes = true,
	                       .hash = {{0xff, 0, 0x80, [HASH_LEN - 1] = 7}},
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
	cr_expect(hash_eq(&a->hash, &b->hash));
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
	struct codec t = codec_record(out);

	cr_assert(codec_records(&t));
	go_through(&t, &f);
	return strbuf_span(out);
}

/* From memory of just that size, so that a byte read behind its end is noticed. */
static struct codec played(struct span in, struct arena *arena, struct fields *f)
{
	char *copy = malloc(in.len ? in.len : 1);
	struct codec t;

	cr_assert_not_null(copy);
	if (in.len > 0)
		memcpy(copy, in.ptr, in.len);
	t = codec_play((struct span){copy, in.len}, arena);
	*f = junk();
	go_through(&t, f);
	free(copy);
	return t;
}

Test(codec, plays_every_kind_of_field_as_it_was_recorded)
{
	struct strbuf out = STRBUF_INIT, again = STRBUF_INIT, text = STRBUF_INIT;
	struct arena *arena = arena_new();
	struct fields before, after;

	strbuf_add_repeat(&text, 'x', LONG);
	before = hard_ones(text.ptr);
	struct codec t = played(recorded(before, &out), arena, &after);
	cr_assert(codec_is_over(&t) && !codec_records(&t));
	expect_same(&before, &after);
	cr_expect_eq(after.bytes.ptr[after.bytes.len], '\0');
	/* And what was played is recorded like that again. */
	cr_expect(span_eq(recorded(after, &again), strbuf_span(&out)));
	strbuf_release(&out);
	strbuf_release(&again);
	strbuf_release(&text);
	arena_free(arena);
}

Test(codec, records_behind_what_is_there_the_same_bytes_on_every_machine)
{
	struct strbuf out = STRBUF_INIT;
	struct codec t = codec_record(&out);
	const char *text = "any";
	int64_t one_less = -1, two = 2;
	unsigned most = UINT32_MAX;
	bool yes = true;

	strbuf_adds(&out, "form:");
	codec_int(&t, &one_less);
	codec_uint(&t, &most);
	codec_text(&t, &text);
	codec_int(&t, &two);
	codec_bool(&t, &yes);
	cr_expect(span_eq(strbuf_span(&out), SPAN_LIT("form:\x01\xff\xff\xff\xff\x0f"
	                                              "\x04"
	                                              "any\x04\x01")));
	strbuf_release(&out);
}

/* ---- what was not recorded ---- */

/* Behind the field that failed; what came before it is as it was recorded. */
static void expect_empty_behind(struct codec *t)
{
	struct fields f = junk();

	go_through(t, &f);
	cr_expect(t->failed && f.most == 0 && f.none == 0 && !f.yes && !f.no && !f.last);
	for (size_t i = 0; i < INTS; i++)
		cr_expect_eq(f.ints[i], 0);
	cr_expect(hash_is_zero(&f.hash));
	cr_expect(!f.absent && !f.empty && !f.text);
	cr_expect(!f.nothing.ptr && !f.blank.ptr && !f.bytes.ptr);
	cr_expect(f.nothing.len + f.blank.len + f.bytes.len + f.n + f.count == 0);
}

Test(codec, that_is_cut_anywhere_fails_and_the_rest_is_empty)
{
	struct strbuf out = STRBUF_INIT;
	struct arena *arena = arena_new();
	struct fields whole = hard_ones("text"), f;
	struct span all = recorded(whole, &out);

	for (size_t len = 0; len < all.len; len++) {
		struct codec t = played(span_slice(all, 0, len), arena, &f);

		cr_assert(t.failed && !codec_is_over(&t), "%zu bytes", len);
		cr_assert_not(f.last, "%zu bytes", len);
		expect_empty_behind(&t);
	}
	strbuf_release(&out);
	arena_free(arena);
}

/* A digest or a text may have any bytes; all that is asked for is that nothing breaks. */
Test(codec, with_any_byte_changed_is_played_without_harm)
{
	struct strbuf out = STRBUF_INIT;
	struct arena *arena = arena_new();
	struct span all = recorded(hard_ones("text"), &out);
	unsigned failed = 0;

	for (size_t i = 0; i < all.len; i++) {
		struct fields f;
		char was = out.ptr[i];

		out.ptr[i] = (char)0xff;
		struct codec t = played(all, arena, &f);
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

Test(codec, has_no_numbers_beyond_what_their_kind_can_be)
{
	struct codec t = codec_play(SPAN_LIT("\x02\x01"), NULL);
	bool yes = true;
	unsigned n = 5;
	int64_t i = 5;

	codec_bool(&t, &yes);
	cr_expect(t.failed && !yes && !codec_is_over(&t), "a bool of 2");
	codec_bool(&t, &yes);
	cr_expect_not(yes, "nothing follows a failure");
	t = codec_play(SPAN_LIT("\xff\xff\xff\xff\x0f"), NULL);
	codec_uint(&t, &n);
	cr_expect(codec_is_over(&t) && n == UINT32_MAX);
	t = codec_play(SPAN_LIT("\x80\x80\x80\x80\x10"), NULL);
	codec_uint(&t, &n);
	cr_expect(t.failed && n == 0, "the first one beyond 32 bits");
	t = codec_play(SPAN_LIT("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), NULL);
	codec_int(&t, &i);
	cr_expect(t.failed && i == 0, "a number that does not end");
}

Test(codec, believes_no_length_that_is_longer_than_itself)
{
	struct arena *arena = arena_new();
	struct codec t = codec_play(SPAN_LIT("\x03xyz"), arena);
	struct span s = SPAN_LIT("junk");
	const char *const *list;
	size_t n = 7;

	codec_count(&t, &n);
	cr_expect(n == 3 && !t.failed);
	t = codec_play(SPAN_LIT("\x04xyz"), arena);
	codec_texts(&t, &list, &n);
	cr_expect(t.failed && n == 0);
	t = codec_play(SPAN_LIT("\x05xyz"), arena);
	codec_span(&t, &s);
	cr_expect(t.failed && !s.ptr && s.len == 0);
	t = codec_play(SPAN_LIT("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01xyz"), arena);
	codec_span(&t, &s);
	cr_expect(t.failed && !s.ptr);
	arena_free(arena);
}

Test(codec, with_more_on_it_than_was_asked_for_is_not_over)
{
	struct strbuf out = STRBUF_INIT;
	struct arena *arena = arena_new();
	struct fields f;

	(void)recorded(hard_ones("text"), &out);
	strbuf_addc(&out, '\0');
	struct codec t = played(strbuf_span(&out), arena, &f);
	cr_expect(!t.failed && f.last);
	cr_expect_not(codec_is_over(&t));
	strbuf_release(&out);
	arena_free(arena);
}
