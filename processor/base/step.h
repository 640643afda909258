/*
 * step.h - the durable boundaries, by name, and where tests reach into the program.
 *
 * step() is called just after (and just before) each act that a crash must not be able to split: a
 * commit, a rename, a mail handed over. By itself it does nothing.
 *
 * The shipped program links step.c, where step_hooks is NULL. A test program, and the program that
 * tests run, link tests/support/hooks.c in its place, which says what each hook does and which
 * variable of the environment wakes it. So the objects are the same, the linker chooses, and the
 * shipped program has no code of tests: `make layers` looks.
 */
#ifndef MOLEPOST_BASE_STEP_H
#define MOLEPOST_BASE_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "processor/base/span.h"

/* All are there. */
struct step_hooks {
	void (*step)(const char *name);
	void (*in_hand)(struct span what, unsigned serial);
	bool (*is_broken)(const char *how);
	unsigned (*record_version)(unsigned newest);
	/* True: *now_utc is the time. */
	bool (*clock)(int64_t *now_utc);
	/* True: out is filled. */
	bool (*random_bytes)(const char *label, void *out, size_t len);
	/*
	 * In a parsing child, with a whole mail; in a child that has a server's connection, before it does
	 * something there. May not return.
	 */
	void (*parse_child)(struct span raw);
	void (*server_child)(const char *what);
	/* Is "NAME=value" left to children, whose environment is empty otherwise? */
	bool (*is_kept)(const char *variable);
	/* The type of a file system, as statfs(2) has it. */
	unsigned long (*file_system)(unsigned long type);
	/* The port of 127.0.0.1 at which names are asked for. */
	unsigned (*name_server)(void);
};

extern const struct step_hooks *const step_hooks;

static inline void step(const char *name)
{
	if (step_hooks)
		step_hooks->step(name);
}

/* What is being worked on: a mail by its Message-ID (serial 0), a turn by game and serial. */
static inline void step_in_hand(struct span what, unsigned serial)
{
	if (step_hooks)
		step_hooks->in_hand(what, serial);
}

/*
 * True: the caller does what this program must never do, so that tests can show that they would
 * notice. Never in the shipped program.
 */
static inline bool step_is_broken(const char *how)
{
	return step_hooks && step_hooks->is_broken(how);
}

/* Of the games that are made now: the newest, but tests make older ones too, since those go on. */
static inline unsigned step_record_version(unsigned newest)
{
	return step_hooks ? step_hooks->record_version(newest) : newest;
}

#endif
