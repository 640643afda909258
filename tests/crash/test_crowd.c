/*
 * test_crowd.c - a power cut while a thousand mails are taken in.
 *
 * Such a run commits without waiting for the disk and moves the mails when the disk has caught up, from
 * threads. The shim cuts the power at calls spread over the whole run, on a disk that keeps every rename
 * and nothing else that was not synced: a mail moved too early is lost. Then the run is repeated, and all
 * must be as if nothing had happened.
 */
#include <criterion/criterion.h>
#include <signal.h>

#include "tests/support/crash.h"
#include "tests/support/crowd.h"
#include "tests/support/disk_calls.h"
#include "tests/support/testbed_files.h"

TestSuite(crowd, .timeout = 1200);

enum { GAMES = 150, MAILS = 1100, CUTS = 12 };

struct crowd {
	struct testbed *s;
	struct strbuf dump; /* when nothing happens */
	unsigned calls;
};

static void start_again(struct testbed *s)
{
	testbed_files_restore(s);
	testbed_files_unread(s);
}

static void crowd_make(struct crowd *c, const char *const *fault)
{
	struct disk_calls calls;

	testbed_use_memory();
	*c = (struct crowd){.s = testbed_new("crowd"), .dump = STRBUF_INIT};
	crowd_games(c->s, GAMES);
	crowd_mails(c->s, GAMES, MAILS, programs_add_lean);
	testbed_files_keep(c->s);
	c->s->extra_env = fault;
	disk_calls_of(c->s, "run --no-send", "", &calls);
	c->calls = calls.writes + calls.fsyncs + calls.fdatasyncs + calls.renames + calls.links;
	testbed_dump(c->s, &c->dump);
}

static void crowd_free(struct crowd *c)
{
	strbuf_release(&c->dump);
	testbed_free(c->s);
}

/* True when the power was cut. */
static bool cut_and_resume(struct crowd *c, unsigned at, struct strbuf *dump)
{
	struct trial t = {.mode = "kept", .words = "run --no-send", .at = at};
	struct ran r;

	start_again(c->s);
	disturb_by_shim(&t, c->s, 0, &r);
	bool cut = r.signal == SIGKILL;
	cr_assert(cut || r.code == 0, "it ended with %d (signal %d): %s", r.code, r.signal,
	          r.err.ptr);
	ran_release(&r);
	crowd_run(c->s);
	strbuf_clear(dump);
	testbed_dump(c->s, dump);
	return cut;
}

static bool ends_the_same(struct crowd *c, unsigned at, unsigned *cuts)
{
	struct strbuf dump = STRBUF_INIT;
	*cuts += cut_and_resume(c, at, &dump);
	bool same = span_eq(strbuf_span(&dump), strbuf_span(&c->dump));

	strbuf_release(&dump);
	return same;
}

Test(crowd, a_power_cut_among_a_thousand_mails_changes_nothing)
{
	struct crowd c;
	unsigned cuts = 0;

	crowd_make(&c, NULL);
	for (unsigned i = 0; i < CUTS; i++) {
		unsigned at = (2 * i + 1) * c.calls / (2 * CUTS);

		cr_assert(ends_the_same(&c, at, &cuts), "cut before call %u of %u", at,
		          c.calls);
	}
	cr_assert_geq(cuts, CUTS - 2); /* how many calls there are depends on the threads */
	crowd_free(&c);
}

Test(crowd, a_log_that_is_never_synced_is_caught)
{
	static const char *const fault[] = {"MOLEPOST_TEST_BREAK=synchronous-normal", NULL};
	struct crowd c;
	unsigned cuts = 0, lost = 0;

	crowd_make(&c, fault);
	for (unsigned i = 0; i < CUTS && lost == 0; i++)
		lost += !ends_the_same(&c, (2 * i + 1) * c.calls / (2 * CUTS), &cuts);
	cr_assert_geq(lost, 1);
	crowd_free(&c);
}
