/*
 * test_scribe.c - letters written beside the run.
 */
#include <criterion/criterion.h>

#include "processor/outgoing/scribe.h"
#include "store/outbox.h"
#include "tests/support/temp_store.h"

enum { MAILS = 600, GAME = 1, SEAT = 2 }; /* several times round the places */

struct table {
	struct temp_store t;
	struct scribe *scribe;
	struct span kind;  /* of the letters */
	unsigned released; /* of them */
};

/* What is left to the thread. */
struct words {
	unsigned number;
	unsigned *released;
};

static void write_words(const void *ctx, struct strbuf *message)
{
	const struct words *w = ctx;

	strbuf_addf(message, "letter %u", w->number);
}

static void release_words(void *ctx)
{
	struct words *w = ctx;

	(*w->released)++;
}

static void lay(struct table *b)
{
	temp_store_open(&b->t);
	b->scribe = scribe_new(b->t.s, b->t.keys);
	b->kind = SPAN_LIT("receipt");
	b->released = 0;
	store_owe(b->t.s, scribe_finish, b->scribe);
	OK(&b->t, store_begin(b->t.s));
	cr_assert_eq(temp_game(&b->t, GAME_RUNNING, 3), GAME);
}

static void clear(struct table *b)
{
	store_owe(b->t.s, NULL, NULL);
	scribe_free(b->scribe);
	temp_store_close(&b->t);
}

static const char *id_of(struct arena *arena, unsigned number)
{
	return arena_printf(arena, "<letter%u@test>", number);
}

/* One mail with one letter; `end` = it has been dealt with. */
static void handle_mail(struct table *b, unsigned number, bool end)
{
	struct arena *arena;
	struct words *w;
	int64_t id;

	OK(&b->t, scribe_next_mail(b->scribe, &arena));
	struct outbox_mail row = {.kind = b->kind,
	                          .game = GAME,
	                          .seat = SEAT,
	                          .number = number,
	                          .rcpt = SPAN_LIT("a@example.org"),
	                          .message_id = span_of(id_of(arena, number))};
	OK(&b->t, outbox_reserve(b->t.s, &row, &id));
	w = arena_alloc(arena, sizeof(*w));
	*w = (struct words){number, &b->released};
	scribe_add(b->scribe, &(struct scribe_letter){.outbox = id,
	                                              .message_id = row.message_id,
	                                              .write = write_words,
	                                              .release = release_words,
	                                              .ctx = w});
	if (end)
		scribe_mail_done(b->scribe);
}

/* Asked for by `asked`. */
static void expect_answer(struct table *b, unsigned asked, unsigned number)
{
	struct outbox_mail m;

	OK(&b->t, outbox_by_number(b->t.s, GAME, SEAT, asked, b->t.arena, &m));
	cr_assert(span_eq_str(m.message_id, id_of(b->t.arena, number)));
	cr_assert(span_eq_str(m.message, arena_printf(b->t.arena, "letter %u", number)),
	          "letter %u says: %.*s", number, SPAN_ARGS(m.message));
}

static void expect_letter(struct table *b, unsigned number)
{
	expect_answer(b, number, number);
}

Test(scribe, a_commit_waits_for_all_letters_and_each_stands_under_its_own_name)
{
	struct table b;

	lay(&b);
	for (unsigned i = 1; i <= MAILS; i++)
		handle_mail(&b, i, true);
	OK(&b.t, store_commit(b.t.s));
	cr_assert_eq(b.released, MAILS);
	cr_assert_eq(temp_store_number(&b.t, "SELECT count(*) FROM outbox JOIN outbox_messages"
	                                     " USING (id)"),
	             MAILS);
	for (unsigned i = 1; i <= MAILS; i++)
		expect_letter(&b, i);
	clear(&b);
}

Test(scribe, whoever_reads_a_text_finds_also_that_of_the_mail_in_hand)
{
	struct table b;

	lay(&b);
	for (unsigned i = 1; i <= 10; i++)
		handle_mail(&b, i, i < 10);
	expect_letter(&b, 3);
	expect_letter(&b, 10);
	/* The newest one is the one that was not there yet. */
	handle_mail(&b, 11, false);
	expect_letter(&b, 11);
	scribe_mail_done(b.scribe);
	OK(&b.t, store_commit(b.t.s));
	cr_assert_eq(b.released, 11);
	clear(&b);
}

Test(scribe, the_newest_report_is_found_while_its_text_is_still_owed)
{
	enum { NEWEST = 0 };
	struct table b;

	lay(&b);
	handle_mail(&b, 1, true);
	b.kind = SPAN_LIT("report");
	handle_mail(&b, 2, true);
	b.kind = SPAN_LIT("receipt");
	handle_mail(&b, 3, true);
	expect_answer(&b, NEWEST, 2);
	OK(&b.t, store_commit(b.t.s));
	clear(&b);
}

Test(scribe, what_is_taken_back_leaves_nothing_behind)
{
	struct table b;

	lay(&b);
	OK(&b.t, store_commit(b.t.s));
	OK(&b.t, store_begin(b.t.s));
	for (unsigned i = 1; i <= 40; i++)
		handle_mail(&b, i, i < 40);
	store_rollback(b.t.s);
	scribe_drop(b.scribe);
	cr_assert_eq(b.released, 40);
	OK(&b.t, store_begin(b.t.s));
	handle_mail(&b, 1, true);
	OK(&b.t, store_commit(b.t.s));
	cr_assert_eq(temp_store_number(&b.t, "SELECT count(*) FROM outbox"), 1);
	expect_letter(&b, 1);
	cr_assert_eq(b.released, 41);
	clear(&b);
}
