/*
 * cmd_test_mail.c - `molepost test-text`, `test-robot [INSTANCE]` and `test-letter [SUBJECT]`: what is read
 * out of one mail, what the classifier makes of it, and what is read in its text.
 *
 * For the first two a mail on standard input, which goes through the same parsing child as in a run. On
 * standard output the struct mail_in it becomes, as mail_describe() writes it; or its class, why, and what
 * a report in it says. For the last its text, and one block per item, "== COMMAND line N" and its arguments
 * that are set, then the diagnostics.
 */
#include <stdio.h>

#include "mail/parser.h"
#include "mail/robot.h"
#include "processor/base/clock.h"
#include "processor/base/file.h"
#include "processor/calendar/deadline.h"
#include "processor/cli/command_line.h"
#include "processor/commandtext/command_text.h"

enum { READ_AT_MOST = 64 << 20, TEXT_MAX_BYTES = 1024 * 1024 };

typedef void print_mail(FILE *out, const struct mail_in *mail, const char *instance);

static void print_whole(FILE *out, const struct mail_in *mail, const char *instance)
{
	struct strbuf text = STRBUF_INIT;

	(void)instance;
	mail_describe(mail, &text);
	fwrite(text.ptr, 1, text.len, out);
	strbuf_release(&text);
}

static void print_value(FILE *out, const char *name, struct span value)
{
	if (value.len > 0)
		fprintf(out, "%s: %.*s\n", name, SPAN_ARGS(value));
}

static void print_class(FILE *out, const struct mail_in *mail, const char *instance)
{
	struct robot robot;

	robot_classify(mail, instance, &robot);
	fprintf(out, "class: %s\nwhy: %s\n", robot_class_name(robot.class), robot.why);
	print_value(out, "status", robot.status);
	print_value(out, "action", mail->report.action);
	print_value(out, "recipient", mail->report.recipient);
	print_value(out, "diagnostic", mail->report.diagnostic);
	print_value(out, "returned", robot_returned_id(mail));
	if (robot.address_is_dead)
		print_value(out, "address", SPAN_LIT("dead"));
}

static int print_one(struct cli *cli, const char *command, print_mail *print,
                     const char *instance)
{
	struct parser *p = parser_new(NULL, &parser_default_limits);
	struct arena *arena = arena_new();
	struct strbuf raw = STRBUF_INIT;
	struct failure e = ERR_INIT;
	struct mail_in mail;
	struct span bytes;
	enum err r = file_read_fd(fileno(cli->in), READ_AT_MOST, &raw, &e);

	bytes = strbuf_span(&raw);
	if (r == ERR_NONE)
		r = parser_batch(p, &bytes, 1, arena, &mail, &e);
	if (r == ERR_NONE)
		print(cli->out, &mail, instance);
	else
		log_warnx(&cli->log, "%s: %s", command, e.text.ptr);
	err_release(&e);
	strbuf_release(&raw);
	arena_free(arena);
	parser_free(p);
	return r == ERR_NONE ? EXIT_DONE : (int)err_exit_code(r);
}

int cmd_test_text(struct cli *cli, int argc, char **argv)
{
	return argc == 1 ? print_one(cli, argv[0], print_whole, "") : cli_usage(cli);
}

int cmd_test_robot(struct cli *cli, int argc, char **argv)
{
	return argc <= 2 ? print_one(cli, argv[0], print_class, argc == 2 ? argv[1] : "")
	                 : cli_usage(cli);
}

/* ---- test-letter ---- */

static void print_number(FILE *out, const char *name, unsigned value)
{
	if (value != 0)
		fprintf(out, "%s: %u\n", name, value);
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
	print_value(out, "text", item->text);

	if (item->game != 0) {
		fputs("game: ", out);
		if (item->game_letter != '\0')
			fputc(item->game_letter, out);
		fprintf(out, "%lld\n", (long long)item->game);
	}
	if (item->kind != NULL)
		print_value(out, "kind", span_of(item->kind->name));
	print_number(out, "seat", item->seat);
	print_number(out, "number", item->number);
	print_number(out, "from", item->from);
	print_number(out, "to", item->to);
	print_when(out, &item->when);
	if (item->off)
		fputs("taken back\n", out);
	print_value(out, "topic", item->topic);
	print_value(out, "name", item->name);
	print_value(out, "key", item->key);

	struct strbuf next = STRBUF_INIT;

	print_value(out, "title", item->create.title);
	print_number(out, "players", item->create.players);
	print_number(out, "bots", item->create.bots);
	if (item->create.kind && item->create.bot_level != BOT_LEVEL_USUAL)
		fprintf(out, "level: %u\n", item->create.bot_level);
	if (item->create.next_s != 0)
		interval_format(&next, item->create.next_s);
	print_value(out, "next", strbuf_span(&next));
	print_value(out, "calendar", item->create.calendar);
	if (item->create.is_private)
		fputs("private\n", out);
	print_value(out, "key", item->create.key);
	print_number(out, "press", item->create.press);
	print_number(out, "delivery", item->create.delivery);
	print_number(out, "observers", item->create.observers);
	print_number(out, "reliability", item->create.reliability);
	if (item->create.without_operator)
		fputs("without operator\n", out);
	print_value(out, "guests", item->create.guests);
	if (item->create.ready)
		fputs("ready\n", out);
	if (item->create.presides)
		fputs("master\n", out);
	print_value(out, "options", item->create.options);
	strbuf_release(&next);
	print_number(out, "wait", item->wait);
	if (item->unrated)
		fputs("unrated\n", out);
	if (item->unnamed)
		fputs("unnamed\n", out);
	print_value(out, "orders", span_trim(item->orders));
	print_value(out, "message", span_trim(item->message));
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
		print_value(out, "example", span_of(d->example));
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
