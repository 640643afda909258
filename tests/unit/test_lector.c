/*
 * test_lector.c - letters read beside the run.
 */
#include <criterion/criterion.h>
#include <sched.h>

#include "processor/request/lector.h"
#include "tests/support/mail_read.h"

enum { MANY = 120, FEW = 5, PILES = 3, LONG_LINES = 2000 };

/* Batches of mails, a pile for each. */
struct desk {
	struct arena *arena;
	struct mail_in mails[PILES][MANY];
	struct lector *lector;
	struct lector_pile *piles[PILES];
};

/* Commands, orders, a line that is nearly a command, quotations: no two mails say the same. */
static struct mail_in mail_of(struct arena *arena, unsigned n)
{
	static const char *const lines[] = {
	    "move 3\n", "> popup 1\n\ncheck\npush 2\n", "statsu\nlist W1\n#####\npopup 7\n",
	    "press to all\nfive lines\nendpress\nhits 5\n-- \nAnn\n", "| popup 2\nsee you\n"};
	struct mail_in mail = {.ntexts = 1};
	unsigned kind = n % (sizeof(lines) / sizeof(lines[0]));

	mail.texts = arena_calloc(arena, 1, sizeof(*mail.texts));
	mail.texts->text = span_of(arena_printf(arena, "popup %u\n%s", n, lines[kind]));
	mail.subject = span_of(arena_printf(arena, "%s W%u", n % 7 == 0 ? "status" : "Re:", n));
	return mail;
}

/* Many lines, each of which may be an order. */
static struct mail_in long_mail(struct arena *arena, unsigned n)
{
	struct mail_in mail = mail_of(arena, n);
	struct strbuf text = STRBUF_INIT;

	for (unsigned i = 0; i < LONG_LINES; i++)
		strbuf_adds(&text, "7\n");
	mail.texts->text = arena_dup(arena, strbuf_span(&text));
	strbuf_release(&text);
	return mail;
}

static struct desk *desk_new(struct mail_in (*mail)(struct arena *arena, unsigned n))
{
	struct desk *d = xcalloc(1, sizeof(*d));

	d->arena = arena_new();
	d->lector = lector_new(USUAL_COMMANDS);
	for (unsigned i = 0; i < PILES; i++) {
		d->piles[i] = lector_pile_new(d->lector);
		for (unsigned k = 0; k < MANY; k++)
			d->mails[i][k] = mail(d->arena, i * MANY + k);
	}
	return d;
}

static void desk_free(struct desk *d)
{
	for (unsigned i = 0; i < PILES; i++)
		lector_pile_free(d->piles[i]);
	lector_free(d->lector);
	arena_free(d->arena);
	free(d);
}

static void give(struct desk *d, unsigned pile, size_t n)
{
	lector_give(d->piles[pile], d->mails[pile], n);
}

static void wait_for(struct desk *d, unsigned pile)
{
	while (!lector_is_done(d->piles[pile]))
		sched_yield();
}

static void describe(struct strbuf *out, const struct command_text *l)
{
	command_text_add_items(out, l);
	for (size_t i = 0; i < l->nlines; i++)
		strbuf_addf(out, "\nline %u %.*s", l->lines[i].line,
		            SPAN_ARGS(l->lines[i].text));
	for (size_t i = 0; i < l->nbarred; i++)
		strbuf_addf(out, "\nbarred %u %.*s", l->barred[i].line,
		            SPAN_ARGS(l->barred[i].text));
	for (size_t i = 0; i < l->diags.count; i++)
		strbuf_addf(out, "\nremark %u %s: %s", l->diags.items[i].line,
		            l->diags.items[i].quoted, l->diags.items[i].message);
	strbuf_addf(out, "\n%d %d", l->stopped_at_signature, l->stopped_at_marker);
}

/* The letter that is given out is that of the mail. Returns whether it had been read before. */
static bool expect_letter(struct letter_ahead *ahead, const struct mail_in *mail)
{
	struct strbuf have = STRBUF_INIT, want = STRBUF_INIT;
	struct arena *arena = arena_new(), *other = arena_new();
	struct span text = mail->texts[0].text;
	struct command_text l;
	bool before;

	lector_read(ahead, text, mail->subject, USUAL_COMMANDS, arena, &l);
	before = arena_size(arena) == 0;
	describe(&have, &l);
	command_text_release(&l);
	command_text_read(text, mail->subject, USUAL_COMMANDS, other, &l);
	describe(&want, &l);
	command_text_release(&l);
	cr_assert_str_eq(have.ptr, want.ptr);
	strbuf_release(&have);
	strbuf_release(&want);
	arena_free(arena);
	arena_free(other);
	return before;
}

/* Returns how many had been read before. */
static unsigned expect_letters(struct desk *d, unsigned pile, size_t n)
{
	unsigned before = 0;

	for (size_t i = 0; i < n; i++)
		before += expect_letter(lector_letter(d->piles[pile], i), &d->mails[pile][i]);
	return before;
}

Test(lector, a_letter_read_ahead_is_the_letter_that_is_read_at_once)
{
	struct desk *d = desk_new(mail_of);

	for (unsigned i = 0; i < PILES; i++)
		give(d, i, MANY);
	for (unsigned i = 0; i < PILES; i++) {
		wait_for(d, i);
		cr_assert_eq(expect_letters(d, i, MANY), MANY);
	}
	desk_free(d);
}

Test(lector, nobody_waits_for_a_letter)
{
	struct desk *d = desk_new(mail_of);

	for (unsigned round = 0; round < 20; round++) {
		unsigned pile = round % PILES;

		give(d, pile, MANY);
		(void)expect_letters(d, pile, MANY);
		lector_clear(d->piles[pile]);
	}
	desk_free(d);
}

Test(lector, a_letter_is_given_away_once_since_its_owner_may_change_it)
{
	struct desk *d = desk_new(mail_of);
	const struct mail_in *mail = &d->mails[0][0];
	struct letter_ahead *ahead;
	struct command_text mine;

	give(d, 0, MANY);
	wait_for(d, 0);
	ahead = lector_letter(d->piles[0], 0);
	lector_read(ahead, mail->texts[0].text, mail->subject, USUAL_COMMANDS, d->arena, &mine);
	mine.items[0].verb = CMD_NO;
	mine.items[0].orders = SPAN_LIT("changed");
	cr_assert(!expect_letter(ahead, mail));
	cr_assert(!expect_letter(ahead, mail));
	command_text_release(&mine);
	desk_free(d);
}

Test(lector, another_text_or_subject_has_a_letter_of_its_own)
{
	struct desk *d = desk_new(mail_of);
	struct mail_in other = d->mails[0][1];
	struct letter_ahead *ahead;

	give(d, 0, MANY);
	wait_for(d, 0);
	ahead = lector_letter(d->piles[0], 0);
	cr_assert(!expect_letter(ahead, &other));
	other = d->mails[0][0];
	other.subject = SPAN_LIT("status W3");
	cr_assert(!expect_letter(ahead, &other));
	cr_assert(expect_letter(ahead, &d->mails[0][0]));
	cr_assert(!expect_letter(NULL, &d->mails[0][0]));
	desk_free(d);
}

Test(lector, a_few_mails_are_left_to_who_wants_them)
{
	struct desk *d = desk_new(mail_of);

	give(d, 0, FEW);
	cr_assert_eq(expect_letters(d, 0, FEW), 0);
	cr_assert_null(lector_letter(d->piles[0], 0));
	desk_free(d);
}

Test(lector, a_mail_that_cannot_be_read_has_no_letter)
{
	struct desk *d = desk_new(mail_of);

	d->mails[0][3] = (struct mail_in){.fault = MAIL_UNPARSABLE};
	d->mails[0][4].fault = MAIL_TEXT_TOO_LONG;
	d->mails[0][5] = (struct mail_in){.fault = MAIL_OK};
	give(d, 0, MANY);
	wait_for(d, 0);
	cr_assert(expect_letter(lector_letter(d->piles[0], 2), &d->mails[0][2]));
	cr_assert(!expect_letter(lector_letter(d->piles[0], 4), &d->mails[0][4]));
	cr_assert(expect_letter(lector_letter(d->piles[0], 6), &d->mails[0][6]));
	desk_free(d);
}

Test(lector, a_pile_takes_no_more_than_some_room_however_long_the_mails)
{
	struct desk *d = desk_new(long_mail);
	unsigned before;

	give(d, 0, MANY);
	give(d, 1, MANY);
	wait_for(d, 1);
	before = expect_letters(d, 0, MANY);
	cr_assert_gt(before, 0);
	cr_assert_lt(before, MANY / 2);
	cr_assert(expect_letter(lector_letter(d->piles[1], 0), &d->mails[1][0]));
	desk_free(d);
}

/* What is lost here, or used after it is gone, is found by the sanitizers. */
Test(lector, a_pile_may_go_before_it_is_read_and_be_filled_again)
{
	struct desk *d = desk_new(mail_of);

	for (unsigned round = 0; round < 50; round++) {
		for (unsigned i = 0; i < PILES; i++)
			give(d, i, MANY - round);
		(void)expect_letters(d, round % PILES, round);
		for (unsigned i = PILES; i-- > 0;)
			lector_clear(d->piles[i]);
	}
	for (unsigned i = 0; i < PILES; i++)
		give(d, i, MANY);
	(void)expect_letters(d, 0, MANY / 2);
	desk_free(d);
}

Test(lector, that_never_had_a_pile_goes_quietly)
{
	struct desk *d = desk_new(mail_of);

	lector_clear(d->piles[0]);
	desk_free(d);
	lector_pile_free(NULL);
	lector_free(NULL);
}
