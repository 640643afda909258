/*
 * cmd_test_automatic.c - `molepost test-robot [INSTANCE]`: what the classifier makes of one mail.
 *
 * A mail on standard input; on standard output its class, why, and what a report in it says.
 */
#include <stdio.h>

#include "mail/parser.h"
#include "mail/robot.h"
#include "processor/base/file.h"
#include "processor/cli/command_line.h"

#include "processor/base/banned.h"

enum { READ_AT_MOST = 64 << 20 };

static void print_value(FILE *out, const char *name, struct span value)
{
	if (value.len > 0)
		fprintf(out, "%s: %.*s\n", name, SPAN_ARGS(value));
}

static void print(FILE *out, const struct mail_in *m, const char *instance)
{
	struct robot robot;

	robot_classify(m, instance, &robot);
	fprintf(out, "class: %s\nwhy: %s\n", robot_class_name(robot.class), robot.why);
	print_value(out, "status", robot.status);
	print_value(out, "action", m->report.action);
	print_value(out, "recipient", m->report.recipient);
	print_value(out, "diagnostic", m->report.diagnostic);
	print_value(out, "returned", robot_returned_id(m));
	if (robot.address_is_dead)
		print_value(out, "address", SPAN_LIT("dead"));
}

int cmd_test_robot(struct cli *cli, int argc, char **argv)
{
	struct parser *p = parser_new(NULL, &parser_default_limits);
	struct arena *arena = arena_new();
	struct strbuf raw = STRBUF_INIT;
	struct failure e = ERR_INIT;
	struct mail_in mail;
	struct span bytes;
	enum err r = ERR_NONE;
	int code = argc <= 2 ? EXIT_DONE : cli_usage(cli);

	if (code == EXIT_DONE)
		r = file_read_fd(fileno(cli->in), READ_AT_MOST, &raw, &e);
	bytes = strbuf_span(&raw);
	if (code == EXIT_DONE && r == ERR_NONE)
		r = parser_batch(p, &bytes, 1, arena, &mail, &e);
	if (code == EXIT_DONE && r == ERR_NONE)
		print(cli->out, &mail, argc == 2 ? argv[1] : "");
	if (r != ERR_NONE) {
		log_warnx(&cli->log, "test-robot: %s", e.text.ptr);
		code = (int)err_exit_code(r);
	}
	err_release(&e);
	strbuf_release(&raw);
	arena_free(arena);
	parser_free(p);
	return code;
}
