/*
 * line_editor.c - lines from a person at a terminal.
 */
#define _GNU_SOURCE /* uselocale */
#include "processor/base/line_editor.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include "processor/base/span.h"

void line_editor_open(struct line_editor *e, FILE *in, FILE *out)
{
	static const char *const library_edit[] = {"libedit.so.2", NULL};
	const char *missing = NULL;
	void *handle;

	*e = (struct line_editor){.in = in, .out = out};
	if (isatty(fileno(in)) != 1 || isatty(fileno(out)) != 1 ||
	    library_open(library_edit, "libedit2", RTLD_NOW, &handle, NULL) != ERR_NONE)
		return;
	struct line_editor *lib = e;
	LIBRARY_FIND(readline)
	LIBRARY_FIND(add_history)
	e->edits = missing == NULL;
	/* For libedit alone: everything else here knows only the locale C. */
	e->utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

void line_editor_close(struct line_editor *e)
{
	if (e->utf8)
		freelocale(e->utf8);
}

const char *line_editor_read(struct line_editor *e, const char *prompt, struct arena *arena)
{
	const char *kept = "";

	while (*kept == '\0') {
		char *line = NULL;
		size_t room = 0;

		if (!e->edits)
			fputs(prompt, e->out);
		fflush(e->out);
		if (e->edits) {
			locale_t before = uselocale(e->utf8);

			line = e->readline(prompt);
			uselocale(before);
		} else if (getline(&line, &room, e->in) < 0) {
			free(line);
			line = NULL;
		} else if (isatty(fileno(e->in)) != 1) {
			fputs(line, e->out); /* a script's session reads like one */
		}
		if (!line) {
			fputc('\n', e->out);
			return NULL;
		}
		kept = arena_cstr(arena, span_trim(span_of(line)));
		free(line);
	}
	if (e->edits)
		e->add_history(kept);
	return kept;
}
