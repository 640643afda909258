/*
 * err.c - the words for what went wrong.
 */
#include "processor/base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void err_release(struct failure *e)
{
	strbuf_release(&e->text);
	e->code = ERR_NONE;
}

void err_clear(struct failure *e)
{
	strbuf_clear(&e->text);
	e->code = ERR_NONE;
}

/* The new text is built aside, since the arguments may quote the old one. */
static void set_text(struct failure *e, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));
static void set_text(struct failure *e, const char *fmt, va_list ap)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_vaddf(&text, fmt, ap);
	strbuf_swap(&text, &e->text);
	strbuf_release(&text);
}

enum err err_set(struct failure *e, enum err code, const char *fmt, ...)
{
	va_list ap;

	if (e == NULL)
		return code;
	va_start(ap, fmt);
	set_text(e, fmt, ap);
	va_end(ap);
	e->code = code;
	return code;
}

enum err err_set_errno(struct failure *e, enum err code, const char *fmt, ...)
{
	int number = errno;
	char words[128];
	va_list ap;

	if (number == ENOSPC || number == EDQUOT || number == EFBIG)
		code = ERR_FULL;
	if (e == NULL)
		return code;
	va_start(ap, fmt);
	set_text(e, fmt, ap);
	va_end(ap);
	if (strerror_r(number, words, sizeof(words)) == 0)
		strbuf_addf(&e->text, ": %s", words);
	else
		strbuf_addf(&e->text, ": system error %d", number);
	e->code = code;
	errno = number;
	return code;
}

enum err err_context(struct failure *e, const char *fmt, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	if (e == NULL)
		return ERR_IO;
	va_start(ap, fmt);
	strbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	strbuf_adds(&text, ": ");
	strbuf_add_span(&text, strbuf_span(&e->text));
	strbuf_swap(&text, &e->text);
	strbuf_release(&text);
	return e->code;
}

struct err_facts {
	const char *name;
	enum exit_code exit;
};

static const struct err_facts facts[] = {
    [ERR_NONE] = {"none", EXIT_DONE},           [ERR_INVALID] = {"invalid", EXIT_DATA},
    [ERR_NOT_FOUND] = {"not-found", EXIT_DATA}, [ERR_EXISTS] = {"exists", EXIT_DATA},
    [ERR_CORRUPT] = {"corrupt", EXIT_DATA},     [ERR_IO] = {"io", EXIT_LATER},
    [ERR_FULL] = {"full", EXIT_LATER},          [ERR_BUSY] = {"busy", EXIT_LATER},
    [ERR_TIMEOUT] = {"timeout", EXIT_LATER},    [ERR_LIMIT] = {"limit", EXIT_DATA},
    [ERR_DENIED] = {"denied", EXIT_CONFIG},     [ERR_UNSUPPORTED] = {"unsupported", EXIT_DATA},
    [ERR_CONFIG] = {"config", EXIT_CONFIG},     [ERR_CRASHED] = {"crashed", EXIT_BUG},
};

static const struct err_facts *facts_of(enum err code)
{
	ENSURE((size_t)code < sizeof(facts) / sizeof(facts[0]));
	return &facts[code];
}

const char *err_name(enum err code)
{
	return facts_of(code)->name;
}

int err_exit_code(enum err code)
{
	return (int)facts_of(code)->exit;
}

_Noreturn void out_of_memory(void)
{
	static const char words[] =
	    "molepost: out of memory; what was in hand is taken back, a later run does it\n";

	(void)!write(STDERR_FILENO, words, sizeof(words) - 1);
	_exit(EXIT_LATER);
}

_Noreturn void bug_at(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "molepost: BUG at %s:%d: ", file, line);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	abort();
}
