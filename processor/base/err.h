/*
 * err.h - what went wrong in the world, and how far it reaches.
 *
 * Three kinds of wrong are kept apart. The player's ends in struct diags
 * (diag.h) and a receipt. The world's (disk full, server down, a row that
 * does not decode) is an enum err returned by the function, with the story in
 * struct failure. Ours is BUG(): it says where, aborts, and the next run isolates
 * the object that did it.
 */
#ifndef MOLEPOST_BASE_ERR_H
#define MOLEPOST_BASE_ERR_H

#include <stdbool.h>

#include "processor/base/strbuf.h"

enum err {
	ERR_NONE = 0,
	ERR_INVALID,     /* the input is not what the format says */
	ERR_NOT_FOUND,   /* no such row, file, game */
	ERR_EXISTS,      /* it is there already: a duplicate, a taken name */
	ERR_CORRUPT,     /* what we stored does not check: digest, seal, decode */
	ERR_IO,          /* the system said no: errno is in the text */
	ERR_FULL,        /* disk full or quota */
	ERR_BUSY,        /* somebody else holds it; later it may go */
	ERR_TIMEOUT,     /* took longer than allowed */
	ERR_LIMIT,       /* larger, deeper or more than allowed */
	ERR_DENIED,      /* permissions, authentication, a wrong key */
	ERR_UNSUPPORTED, /* this build cannot: unknown kind, version, scheme */
	ERR_CONFIG,      /* the configuration file or command line is wrong */
	ERR_CRASHED      /* a child process died */
};

struct failure {
	enum err code;
	struct strbuf text; /* one sentence, no line end; outermost context first */
};

/* clang-format off */
#define ERR_INIT { ERR_NONE, STRBUF_INIT }
/* clang-format on */
#define MUST_CHECK __attribute__((warn_unused_result))

void err_release(struct failure *e);
void err_clear(struct failure *e);
/* Sets code and text, replacing what was there; returns the code. e may be NULL. */
enum err err_set(struct failure *e, enum err code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/*
 * As err_set, with ": " and the text of errno; ENOSPC, EDQUOT and EFBIG (the limit of the size of
 * files) become ERR_FULL.
 */
enum err err_set_errno(struct failure *e, enum err code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Puts "context: " before the text; returns e->code (ERR_IO when e is NULL). */
enum err err_context(struct failure *e, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* A short stable word for logs: "corrupt", "full", ... */
const char *err_name(enum err code);

/* Says file, line and why on standard error, and aborts. Not for outside input. */
#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void bug_at(const char *file, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/*
 * Says so and ends the process at once with EXIT_LATER: nothing that could be done about it would need
 * no memory, and what has not been committed is taken back by the next run.
 */
_Noreturn void out_of_memory(void);
/* An assert that stays on in release builds. */
#define ENSURE(cond) ((cond) ? (void)0 : bug_at(__FILE__, __LINE__, "%s", #cond))

/* Leaves the function with the error of `expr`, if any. */
#define TRY(expr)                          \
	do {                               \
		enum err rc_try_ = (expr); \
		if (rc_try_ != ERR_NONE)   \
			return rc_try_;    \
	} while (0)

/* Exit codes, an API of the command line: molepost(1), EXIT STATUS. */
enum exit_code {
	EXIT_DONE = 0,
	EXIT_USAGE = 64,
	EXIT_DATA = 65,
	EXIT_BUG = 70,
	EXIT_LATER = 75,
	EXIT_CONFIG = 78
};
/* The exit code for an error that ended the whole command. */
int err_exit_code(enum err code);

#endif
