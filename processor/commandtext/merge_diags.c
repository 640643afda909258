/*
 * merge_diags.c - what the grammar and the game said about the same lines, as one list.
 *
 * The grammar cannot know the orders of a game: "CHECK king" may be a wrong command or a
 * right order. So its remarks on lines it left to the game hold only where the game saw
 * prose.
 */
#include "processor/commandtext/command_text.h"

#include "processor/base/utf8.h"

enum { STRANGE_MAX_COLS = 40 };

struct merging {
	const struct diags *letter, *game;
	struct span orders;
};

/* Whether line `number` was handed to the game. */
static bool was_tried(struct span orders, unsigned number)
{
	struct span line;
	unsigned n = 0;

	while (span_next_line(&orders, &line))
		if (++n == number)
			return line.len > 0;
	return false;
}

static bool says(const struct diags *d, unsigned line, enum diag_level level)
{
	for (size_t i = 0; i < d->count; i++)
		if (d->items[i].line == line && d->items[i].level == level)
			return true;
	return false;
}

static bool text_holds(const struct merging *m, const struct diag *d)
{
	return m->game == NULL || !was_tried(m->orders, d->line) ||
	       says(m->game, d->line, DIAG_IGNORED);
}

static bool game_holds(const struct merging *m, const struct diag *d)
{
	return d->level != DIAG_IGNORED || !says(m->letter, d->line, DIAG_ERROR);
}

/* The next that holds from *i on; NULL at the end. */
static const struct diag *next_held(const struct merging *m, const struct diags *from,
                                    size_t *i,
                                    bool (*holds)(const struct merging *, const struct diag *))
{
	for (; from != NULL && *i < from->count; ++*i)
		if (holds(m, &from->items[*i]))
			return &from->items[*i];
	return NULL;
}

static void add_copy(struct diags *out, const struct diag *d)
{
	diags_add(out, d->level, d->line, d->column, span_of(d->quoted), d->example, "%s",
	          d->message);
}

/* Of the grammar, whose messages have no words of the mail: with the one that was not understood, and is no number. */
static void add_named(struct diags *out, const struct diag *d)
{
	struct span rest = span_of(d->quoted), word;

	rest = span_slice(rest, d->column > 0 ? d->column - 1 : rest.len, rest.len);
	if (!span_next_word(&rest, "", &word) || ascii_is_digit(word.ptr[0]))
		add_copy(out, d);
	else
		diags_add(out, d->level, d->line, d->column, span_of(d->quoted), d->example,
		          "\"%.*s\" was not understood there. %s",
		          SPAN_ARGS(utf8_clip(word, STRANGE_MAX_COLS)), d->message);
}

void merge_diags(const struct command_text *l, struct span orders, const struct diags *game,
                 struct diags *out)
{
	const struct merging m = {&l->diags, game, orders};
	size_t i = 0, j = 0;

	for (;;) {
		const struct diag *ours = next_held(&m, m.letter, &i, text_holds);
		const struct diag *theirs = next_held(&m, m.game, &j, game_holds);

		if (ours == NULL && theirs == NULL)
			return;
		if (theirs == NULL || (ours != NULL && ours->line <= theirs->line)) {
			add_named(out, ours);
			i++;
		} else {
			add_copy(out, theirs);
			j++;
		}
	}
}
