/*
 * cmd_test_command_text.c - `molepost test-letter [SUBJECT]`: what is read in a
 * mail's text.
 *
 * Prints one block per item, "== COMMAND line N" and its arguments that are set, then the
 * diagnostics.
 */
#include "processor/base/clock.h"
#include "processor/base/file.h"
#include "processor/calendar/deadline.h"
#include "processor/cli/command_line.h"
#include "processor/commandtext/command_text.h"

#include "processor/base/banned.h"

enum { TEXT_MAX_BYTES = 1024 * 1024 };

static void print_text(FILE *out, const char *name, struct span value)
{
	if (value.len > 0)
		fprintf(out, "%s: %.*s\n", name, SPAN_ARGS(value));
}

static void print_number(FILE *out, const char *name, unsigned value)
{
	if (value != 0)
		fprintf(out, "%s: %u\n", name, value);
}

static void print_create(FILE *out, const struct create_arguments *c)
{
	struct strbuf next = STRBUF_INIT;

	print_text(out, "title", c->title);
	print_number(out, "players", c->players);
	print_number(out, "bots", c->bots);
	if (c->kind && c->bot_level != BOT_LEVEL_USUAL)
		fprintf(out, "level: %u\n", c->bot_level);
	if (c->next_s != 0)
		interval_format(&next, c->next_s);
	print_text(out, "next", strbuf_span(&next));
	print_text(out, "calendar", c->calendar);
	if (c->is_private)
		fputs("private\n", out);
	print_text(out, "key", c->key);
	print_number(out, "press", c->press);
	print_number(out, "delivery", c->delivery);
	print_number(out, "observers", c->observers);
	print_number(out, "reliability", c->reliability);
	if (c->without_operator)
		fputs("without operator\n", out);
	print_text(out, "guests", c->guests);
	if (c->ready)
		fputs("ready\n", out);
	if (c->presides)
		fputs("master\n", out);
	print_text(out, "options", c->options);
	strbuf_release(&next);
}

static void print_game(FILE *out, const struct command *item)
{
	if (item->game == 0)
		return;
	fputs("game: ", out);
	if (item->game_letter != '\0')
		fputc(item->game_letter, out);
	fprintf(out, "%lld\n", (long long)item->game);
}

static void print_when(FILE *out, const struct when *w)
{
	static const char *const how[] = {
	    [WHEN_IN] = "in", [WHEN_MORE] = "later by", [WHEN_AT] = "at"};
	struct strbuf when = STRBUF_INIT;

	if (w->s == 0)
		return;
	if (w->how == WHEN_AT)
		utc_format_iso(&when, w->s);
	else
		interval_format(&when, w->s);
	fprintf(out, "when: %s %s\n", how[w->how], when.ptr);
	strbuf_release(&when);
}

static void print_item(FILE *out, const struct command *item)
{
	fprintf(out, "== %s line %u\n", verb_words(item->verb), item->line);
	print_text(out, "text", item->text);
	print_game(out, item);
	if (item->kind != NULL)
		print_text(out, "kind", span_of(item->kind->name));
	print_number(out, "seat", item->seat);
	print_number(out, "number", item->number);
	print_number(out, "from", item->from);
	print_number(out, "to", item->to);
	print_when(out, &item->when);
	if (item->off)
		fputs("taken back\n", out);
	print_text(out, "topic", item->topic);
	print_text(out, "name", item->name);
	print_text(out, "key", item->key);
	print_create(out, &item->create);
	print_number(out, "wait", item->wait);
	if (item->unrated)
		fputs("unrated\n", out);
	if (item->unnamed)
		fputs("unnamed\n", out);
	print_text(out, "orders", span_trim(item->orders));
	print_text(out, "message", span_trim(item->message));
}

static void print_command_text(FILE *out, const struct command_text *l)
{
	for (size_t i = 0; i < l->nitems; i++)
		print_item(out, &l->items[i]);
	for (size_t i = 0; i < l->nbarred; i++)
		fprintf(out, "== barred line %u\n%.*s\n", l->barred[i].line,
		        SPAN_ARGS(l->barred[i].text));
	for (size_t i = 0; i < l->diags.count; i++) {
		const struct diag *d = &l->diags.items[i];

		fprintf(out, "== %s line %u\n%s\n%s\n", diag_level_name(d->level), d->line,
		        d->quoted, d->message);
		print_text(out, "example", span_of(d->example));
	}
	if (l->stopped_at_signature)
		fputs("== stopped at the signature\n", out);
	if (l->stopped_at_marker)
		fputs("== stopped at the marker\n", out);
}

int cmd_test_command_text(struct cli *cli, int argc, char **argv)
{
	struct strbuf text = STRBUF_INIT;
	struct failure e = ERR_INIT;
	struct arena *arena;
	struct command_text read;
	enum err err;

	if (argc > 2)
		return cli_usage(cli);
	err = file_read_fd(fileno(cli->in), TEXT_MAX_BYTES, &text, &e);
	if (err != ERR_NONE) {
		log_warnx(&cli->log, "%s", e.text.ptr);
	} else {
		arena = arena_new();
		command_text_read(strbuf_span(&text), span_of(argc == 2 ? argv[1] : NULL),
		                  USUAL_COMMANDS, arena, &read);
		print_command_text(cli->out, &read);
		command_text_release(&read);
		arena_free(arena);
	}
	strbuf_release(&text);
	err_release(&e);
	return err == ERR_NONE ? (int)EXIT_DONE : (int)err_exit_code(err);
}
