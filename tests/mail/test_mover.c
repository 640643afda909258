/*
 * test_mover.c - files moved beside the run.
 */
#include <criterion/criterion.h>
#include <stdatomic.h>
#include <stdio.h>

#include "mail/source/mover.h"
#include "processor/base/num.h"

enum { MANY = 1000, FEW = 5 };

struct folder {
	atomic_uint seen[MANY]; /* how often each was moved */
	unsigned bad, gone;     /* from here: cannot be moved; is not there */
};

static enum err move_one(const void *ctx, const char *name, bool *moved, struct failure *e)
{
	struct folder *f = (struct folder *)(uintptr_t)ctx;
	unsigned n;

	cr_assert(num_parse_uint(span_of(name), 0, MANY - 1, &n));
	if (n >= f->gone)
		return ERR_NONE;
	if (n >= f->bad)
		return err_set(e, ERR_FULL, "no room for %s", name);
	atomic_fetch_add(&f->seen[n], 1);
	*moved = true;
	return ERR_NONE;
}

/* Returns how many errors were told at once. */
static unsigned add(struct mover *m, unsigned from, unsigned to, struct failure *e)
{
	unsigned errors = 0;

	for (unsigned n = from; n < to; n++) {
		char name[16];

		snprintf(name, sizeof(name), "%u", n);
		errors += mover_add(m, span_of(name), e) != ERR_NONE;
	}
	return errors;
}

static void assert_moved(const struct folder *f, unsigned n, unsigned times)
{
	for (unsigned i = 0; i < MANY; i++)
		cr_assert_eq(f->seen[i], i < n ? times : 0, "%u was moved %u times", i,
		             f->seen[i]);
}

Test(mover, many_files_are_each_moved_once)
{
	struct folder f = {.bad = MANY, .gone = MANY};
	struct failure e = ERR_INIT;
	struct mover *m = mover_new(move_one, &f);
	bool moved = false;

	cr_assert_eq(add(m, 0, MANY, &e), 0);
	cr_assert_eq(mover_finish(m, &moved, &e), ERR_NONE);
	cr_assert(moved);
	assert_moved(&f, MANY, 1);
	cr_assert_eq(mover_finish(m, &moved, &e), ERR_NONE);
	cr_assert_not(moved, "nothing since the last time");
	cr_assert_eq(add(m, 0, MANY, &e), 0);
	mover_free(m);
	assert_moved(&f, MANY, 2);
	err_release(&e);
}

Test(mover, a_few_are_moved_at_once)
{
	struct folder f = {.bad = MANY, .gone = MANY};
	struct failure e = ERR_INIT;
	struct mover *m = mover_new(move_one, &f);

	cr_assert_eq(add(m, 0, FEW, &e), 0);
	assert_moved(&f, FEW, 1);
	mover_free(m);
	err_release(&e);
}

Test(mover, the_first_of_the_errors_is_told_and_the_others_are_moved)
{
	struct folder f = {.bad = MANY - FEW, .gone = MANY};
	struct failure e = ERR_INIT;
	struct mover *m = mover_new(move_one, &f);
	bool moved = false;

	cr_assert_eq(add(m, 0, MANY, &e), 0);
	cr_assert_eq(mover_finish(m, &moved, &e), ERR_FULL);
	cr_assert_str_eq(e.text.ptr, "no room for 995");
	cr_assert(moved);
	assert_moved(&f, MANY - FEW, 1);
	cr_assert_eq(mover_finish(m, &moved, &e), ERR_NONE, "it is told once");
	cr_assert_eq(add(m, MANY - FEW, MANY, &e), FEW, "told at once when moved at once");
	mover_free(m);
	err_release(&e);
}

Test(mover, files_that_are_not_there_are_nobodys_loss)
{
	struct folder f = {.bad = MANY, .gone = 0};
	struct failure e = ERR_INIT;
	struct mover *m = mover_new(move_one, &f);
	bool moved = true;

	cr_assert_eq(add(m, 0, MANY, &e), 0);
	cr_assert_eq(mover_finish(m, &moved, &e), ERR_NONE);
	cr_assert_not(moved);
	mover_free(m);
	err_release(&e);
}
