/*
 * cmd_test_text.c - `molepost test-text`: what is read out of one mail.
 *
 * A mail on standard input, the struct mail_in it becomes on standard output, as
 * mail_describe() writes it. It goes through the same parsing child as in a run.
 */
#include <stdio.h>

#include "mail/parser.h"
#include "processor/base/file.h"
#include "processor/cli/command_line.h"

#include "processor/base/banned.h"

enum { READ_AT_MOST = 64 << 20 };

static enum err parse_one(FILE *in, FILE *out, struct failure *e)
{
	struct parser *p = parser_new(NULL, &parser_default_limits);
	struct arena *arena = arena_new();
	struct strbuf raw = STRBUF_INIT, text = STRBUF_INIT;
	struct mail_in mail;
	struct span bytes;
	enum err r;

	r = file_read_fd(fileno(in), READ_AT_MOST, &raw, e);
	bytes = strbuf_span(&raw);
	if (r == ERR_NONE)
		r = parser_batch(p, &bytes, 1, arena, &mail, e);
	if (r == ERR_NONE) {
		mail_describe(&mail, &text);
		fwrite(text.ptr, 1, text.len, out);
	}
	strbuf_release(&raw);
	strbuf_release(&text);
	arena_free(arena);
	parser_free(p);
	return r;
}

int cmd_test_text(struct cli *cli, int argc, char **argv)
{
	struct failure e = ERR_INIT;
	enum err r;

	(void)argv;
	if (argc != 1)
		return cli_usage(cli);
	r = parse_one(cli->in, cli->out, &e);
	if (r != ERR_NONE)
		log_warnx(&cli->log, "test-text: %s", e.text.ptr);
	err_release(&e);
	return r == ERR_NONE ? EXIT_DONE : (int)err_exit_code(r);
}
