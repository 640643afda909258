/*
 * cmd_test_letter.c - `test-letter [SUBJECT]`: a text on standard input, its items on standard output.
 */
#include <unistd.h>

#include "processor/base/file.h"
#include "processor/cli.h"
#include "processor/letter.h"
#include "processor/letter_table.h"

#include "processor/base/banned.h"

enum { TEXT_LIMIT = 1 << 20 };

static const char *verb_words(enum letter_verb verb)
{
	for (size_t i = 0; i < letter_row_count(); i++)
		if (letter_row_at(i)->verb == verb)
			return letter_row_at(i)->words;
	return "?";
}

static void print_item(FILE *out, const struct letter_item *i)
{
	fprintf(out, "== %s line %u\n", verb_words(i->verb), i->line);
	if (i->game)
		fprintf(out, "game: %lld\n", (long long)i->game);
	if (i->kind)
		fprintf(out, "kind: %s\n", i->kind->name);
	if (i->seat)
		fprintf(out, "seat: %u\n", i->seat);
	if (i->number || i->from || i->to)
		fprintf(out, "number: %u from: %u to: %u\n", i->number, i->from, i->to);
	if (i->topic.len || i->name.len || i->key.len)
		fprintf(out, "topic: %.*s name: %.*s key: %.*s\n", SPAN_ARGS(i->topic), SPAN_ARGS(i->name),
		        SPAN_ARGS(i->key));
	if (i->verb == CMD_CREATE)
		fprintf(out, "players: %u bots: %u next: %lld private: %d title: %.*s options: %.*s\n",
		        i->create.players, i->create.bots, (long long)i->create.next_s,
		        i->create.is_private, SPAN_ARGS(i->create.title), SPAN_ARGS(i->create.options));
	struct span rest = i->orders, line;
	for (unsigned n = 1; span_next_line(&rest, &line); n++)
		if (line.len > 0)
			fprintf(out, "%u: %.*s\n", n, SPAN_ARGS(line));
}

static void print_letter(FILE *out, const struct letter *l)
{
	for (size_t i = 0; i < l->nitems; i++)
		print_item(out, &l->items[i]);
	for (size_t i = 0; i < l->diags.count; i++)
		fprintf(out, "== %s line %u\n%s\n%s\n", diag_level_name(l->diags.items[i].level),
		        l->diags.items[i].line, l->diags.items[i].message, l->diags.items[i].example);
	for (size_t i = 0; i < l->nbarred; i++)
		fprintf(out, "== barred line %u\n%.*s\n", l->barred[i].line, SPAN_ARGS(l->barred[i].text));
}

int cmd_test_letter(struct cli *cli, int argc, char **argv)
{
	struct strbuf text = STRBUF_INIT;
	struct failure fail = ERR_INIT;
	struct letter letter;

	if (argc > 2)
		return cli_usage(cli, "test-letter");
	enum err rc = file_read_fd(STDIN_FILENO, TEXT_LIMIT, &text, &fail);
	if (rc == ERR_NONE) {
		struct arena *arena = arena_new();
		letter_read(strbuf_span(&text), span_of(argc == 2 ? argv[1] : ""), arena, &letter);
		print_letter(cli->out, &letter);
		letter_release(&letter);
		arena_free(arena);
	} else {
		log_warnx(&cli->log, "%s", fail.text.ptr);
	}
	strbuf_release(&text);
	err_release(&fail);
	return err_exit_code(rc);
}
