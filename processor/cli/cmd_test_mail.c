/*
 * cmd_test_mail.c - `molepost test-text` and `test-robot [INSTANCE]`: what is read out of one mail, and
 * what the classifier makes of it.
 *
 * A mail on standard input, which goes through the same parsing child as in a run. On standard output the
 * struct mail_in it becomes, as mail_describe() writes it; or its class, why, and what a report in it says.
 */
#include <stdio.h>

#include "mail/parser.h"
#include "mail/robot.h"
#include "processor/base/file.h"
#include "processor/cli/command_line.h"

#include "processor/base/banned.h"

enum { READ_AT_MOST = 64 << 20 };

typedef void print_mail(FILE *out, const struct mail_in *mail, const char *instance);

static void print_text(FILE *out, const struct mail_in *mail, const char *instance)
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
	return argc == 1 ? print_one(cli, argv[0], print_text, "") : cli_usage(cli);
}

int cmd_test_robot(struct cli *cli, int argc, char **argv)
{
	return argc <= 2 ? print_one(cli, argv[0], print_class, argc == 2 ? argv[1] : "")
	                 : cli_usage(cli);
}
