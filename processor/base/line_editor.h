/*
 * line_editor.h - lines from a person at a terminal, edited and with those before them by libedit; from a pipe, or
 * without libedit, as they come.
 */
#ifndef MOLEPOST_PROCESSOR_BASE_LINE_EDITOR_H
#define MOLEPOST_PROCESSOR_BASE_LINE_EDITOR_H

#include <locale.h>
#include <stdio.h>

#include "processor/base/arena.h"
#include "processor/base/library.h"

/* Of libedit, as its editline/readline.h has them. */
char *readline(const char *prompt);
int add_history(const char *line);

struct line_editor {
	FILE *in, *out; /* the caller's */
	LIBRARY_MEMBER(readline)
	LIBRARY_MEMBER(add_history)
	bool edits; /* both are a terminal, and there is libedit */
	locale_t utf8;
};

void line_editor_open(struct line_editor *e, FILE *in, FILE *out);
void line_editor_close(struct line_editor *e);
/* The next line that is not empty, trimmed, in the arena; NULL: there are no more. */
const char *line_editor_read(struct line_editor *e, const char *prompt, struct arena *arena);

#endif
