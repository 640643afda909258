/*
 * crash.c - disturbing the runs of a script, and breaking the program on purpose.
 */
#include "tests/support/crash.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/env.h"
#include "processor/base/err.h"
#include "tests/support/crowd.h"
#include "tests/support/scratch.h"

/* ---- broken on purpose ---- */

/* The other half of "no-unique-key": inbox.c no longer looks, and these no longer stop it. */
static void drop_unique_keys(const struct testbed *s)
{
	crowd_sql(s, "DROP INDEX inbox_transport; DROP INDEX inbox_content");
}

/* Plays on a fresh testbed and takes the outcome. */
static void play(const struct yardstick *y, script_run *run, void *ctx, struct outcome *out)
{
	struct testbed *s = script_site();
	struct strbuf fault = STRBUF_INIT;
	const char *env[] = {NULL, NULL};

	if (y->fault) {
		strbuf_addf(&fault, "MOLEPOST_TEST_BREAK=%s", y->fault);
		env[0] = fault.ptr;
		if (strcmp(y->fault, "no-unique-key") == 0)
			drop_unique_keys(s);
	}
	s->extra_env = env;
	script_play(&y->script, s, run, ctx);
	outcome_take(s, out);
	strbuf_release(&fault);
}

void yardstick_make(const char *fault, struct yardstick *out)
{
	testbed_use_memory();
	*out = (struct yardstick){.fault = fault};
	script_record(&out->script);
	play(out, script_plain_run, NULL, &out->undisturbed);
	ENSURE(out->undisturbed.complaints.len == 0);
}

void yardstick_release(struct yardstick *y)
{
	script_release(&y->script);
	outcome_release(&y->undisturbed);
}

/* ---- playing ---- */

struct playing {
	struct trial *trial;
	struct strbuf *why;
	bool bad_end;
};

static void check_end(struct playing *p, const struct ran *r, unsigned run)
{
	if (r->code == EXIT_DONE)
		return;
	p->trial->hit++;
	p->trial->total_hits++;
	if (r->signal == SIGKILL || r->code == EXIT_LATER)
		return;
	p->bad_end = true;
	strbuf_addf(p->why, "disturbed run %u ended with %d (signal %d): %s\n", run, r->code,
	            r->signal, r->err.ptr);
}

static void disturb_and_resume(void *ctx, struct testbed *s, unsigned run)
{
	struct playing *p = ctx;
	struct trial *t = p->trial;
	struct ran r;

	if (t->only == EVERY_RUN || (unsigned)t->only == run) {
		t->disturb(t, s, run, &r);
		check_end(p, &r, run);
		ran_release(&r);
		testbed_collect(s);
	}
	script_plain_run(NULL, s, run);
}

bool trial_ends_the_same(const struct yardstick *y, struct trial *t, struct strbuf *why)
{
	struct playing p = {.trial = t, .why = why};
	struct outcome got;
	bool same;

	t->hit = 0;
	play(y, disturb_and_resume, &p, &got);
	same = outcome_equal(&y->undisturbed, &got, why);
	outcome_release(&got);
	return same && !p.bad_end;
}

bool trials_end_the_same(const struct yardstick *y, struct trial *t, unsigned first,
                         unsigned step, struct strbuf *why)
{
	for (t->at = first;; t->at += step) {
		if (!trial_ends_the_same(y, t, why))
			return false;
		if (t->hit == 0)
			break;
	}
	return true;
}

/* ---- disturbances ---- */

static void start(const struct trial *t, struct testbed *s, const char *const env[],
                  struct ran *out)
{
	testbed_do(s, t->words ? t->words : "run", env, out);
}

void disturb_by_step(struct trial *t, struct testbed *s, unsigned run, struct ran *out)
{
	struct strbuf at = STRBUF_INIT;
	const char *env[] = {NULL, NULL};

	(void)run;
	strbuf_addf(&at, "MOLEPOST_TEST_STOP_AT=%u", t->at);
	env[0] = at.ptr;
	start(t, s, env, out);
	strbuf_release(&at);
}

static void add_preload(struct strbuf *out)
{
	const char *build = env_get("MOLEPOST_BUILD");
	char *shim = scratch_path(build ? build : "build", "shim.so"),
	     *whole = realpath(shim, NULL);

	if (!whole)
		BUG("there is no %s (make %s)", shim, shim);
	strbuf_addf(out, "LD_PRELOAD=%s", whole);
	free(whole);
	free(shim);
}

void disturb_by_shim(struct trial *t, struct testbed *s, unsigned run, struct ran *out)
{
	struct strbuf preload = STRBUF_INIT, mode = STRBUF_INIT, root = STRBUF_INIT;

	(void)run;
	add_preload(&preload);
	strbuf_addf(&mode, "MOLEPOST_SHIM=%s", t->mode);
	if (!strchr(t->mode, ':'))
		strbuf_addf(&mode, ":%u", t->at);
	strbuf_addf(&root, "MOLEPOST_SHIM_ROOT=%s", s->dir);
	start(t, s, (const char *const[]){preload.ptr, mode.ptr, root.ptr, NULL}, out);
	strbuf_release(&preload);
	strbuf_release(&mode);
	strbuf_release(&root);
}
