/*
 * crash.h - the script of script.h played with every run disturbed, and whether it ends the
 * same.
 */
#ifndef MOLEPOST_TESTS_CRASH_H
#define MOLEPOST_TESTS_CRASH_H

#include <stdbool.h>

#include "processor/base/strbuf.h"
#include "tests/support/script.h"

/*
 * The script and where it leads when nothing happens. `fault` names a way in which the program
 * is broken on purpose (MOLEPOST_TEST_BREAK, see step_is_broken), NULL for the sound one: what
 * such a program does when nothing happens is the measure of what it does when something does.
 */
struct yardstick {
	struct script script;
	const char *fault;
	struct outcome undisturbed;
};

/* Puts the testbeds on a memory file system (testbed_use_memory). */
void yardstick_make(const char *fault, struct yardstick *out);
void yardstick_release(struct yardstick *y);

enum { EVERY_RUN = -1 };

/*
 * One playing of the script. Each run is first started with something done to it, then the
 * carrier takes what has come out so far, then it is run again undisturbed, at the same
 * moment.
 */
struct trial {
	/* Does its worst to a run that it starts itself, and says how that ended. */
	void (*disturb)(struct trial *t, struct testbed *s, unsigned run, struct ran *out);
	void *ctx;
	const char *words;   /* the command; NULL: "run" */
	const char *mode;    /* of the shim: "kill", "power", ...; or whole, "power:exit" */
	unsigned at;         /* which step or call; for disturb */
	int only;            /* the one run to disturb, or EVERY_RUN */
	unsigned hit;        /* out: how many runs died or reported a failure */
	unsigned total_hits; /* the same over all playings: nothing hit is nothing shown */
};

/*
 * Plays it. True when the outcome is that of the yardstick and every disturbed run ended by
 * SIGKILL, with 0 or with 75 (try later); else what differs is appended to why.
 */
bool trial_ends_the_same(const struct yardstick *y, struct trial *t, struct strbuf *why);
/*
 * Disturbs at t->at = first, first + step ... until a whole playing was not hit. Stops at the
 * first that ends otherwise, with t->at as it was and false.
 */
bool trials_end_the_same(const struct yardstick *y, struct trial *t, unsigned first,
                         unsigned step, struct strbuf *why);

/* Disturbances. MOLEPOST_TEST_STOP_AT: SIGKILL at step number t->at. */
void disturb_by_step(struct trial *t, struct testbed *s, unsigned run, struct ran *out);
/* The fault shim, $MOLEPOST_BUILD/shim.so, in the mode t->mode at call t->at. */
void disturb_by_shim(struct trial *t, struct testbed *s, unsigned run, struct ran *out);

#endif
