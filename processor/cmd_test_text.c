/*
 * cmd_test_text.c - `molepost test-text`: what is read out of one mail.
 *
 * A mail on standard input, the struct mail_in it becomes on standard output, in
 * lines "name: value" and the texts behind "== text". It goes through the same parsing child as
 * in a run.
 */
#include <stdio.h>
#include <unistd.h>

#include "mail/parser.h"
#include "processor/base/file.h"
#include "processor/cli.h"

#include "processor/base/banned.h"

enum { READ_AT_MOST = 64 << 20 };

static void print_span(FILE *out, const char *name, struct span value)
{
	if (value.len > 0)
		fprintf(out, "%s: %.*s\n", name, SPAN_ARGS(value));
}

static void print_list(FILE *out, const char *name, const struct span_list *list)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		print_span(out, name, list->items[i]);
}

static void print_flags(FILE *out, unsigned flags)
{
	static const char *const names[] = { "auto-submitted", "null-sender", "bulk",
		                             "auto-hint",      "our-loop",    "from-html",
		                             "report",         "charset-guessed" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (flags & 1u << i)
			fprintf(out, "flag: %s\n", names[i]);
}

static void print_mail(FILE *out, const struct mail_in *m)
{
	size_t i;

	fprintf(out, "fault: %s\n", mail_fault_name(m->fault));
	print_flags(out, m->flags);
	print_span(out, "from", m->from);
	print_span(out, "from-name", m->from_name);
	print_span(out, "subject", m->subject);
	print_span(out, "message-id", m->message_id);
	print_span(out, "in-reply-to", m->in_reply_to);
	print_list(out, "reference", &m->references);
	print_list(out, "recipient", &m->recipients);
	print_span(out, "date", m->date);
	print_span(out, "instance", m->instance);
	print_span(out, "authentication-results", m->auth_results);
	for (i = 0; i < m->ntexts; i++) {
		fprintf(out, "== text%s\n", m->texts[i].is_html ? " from html" : "");
		fwrite(m->texts[i].text.ptr, 1, m->texts[i].text.len, out);
		if (m->texts[i].text.len > 0 &&
		    m->texts[i].text.ptr[m->texts[i].text.len - 1] != '\n')
			fputc('\n', out);
	}
}

static enum err parse_one(FILE *in, FILE *out, struct failure *e)
{
	struct parser *p = parser_new(NULL, &parser_default_limits);
	struct arena *arena = arena_new();
	struct strbuf raw = STRBUF_INIT;
	struct mail_in mail;
	struct span bytes;
	enum err r;

	r = file_read_fd(fileno(in), READ_AT_MOST, &raw, e);
	bytes = strbuf_span(&raw);
	if (r == ERR_NONE)
		r = parser_batch(p, &bytes, 1, arena, &mail, e);
	if (r == ERR_NONE)
		print_mail(out, &mail);
	strbuf_release(&raw);
	arena_free(arena);
	parser_free(p);
	return r;
}

int cmd_test_text(struct cli *cli, int argc, char **argv)
{
	struct failure e = ERR_INIT;
	enum err r;

	if (argc != 1)
		return cli_usage(cli, argv[0]);
	r = parse_one(cli->in, cli->out, &e);
	if (r != ERR_NONE)
		log_warnx(&cli->log, "test-text: %s", e.text.ptr);
	err_release(&e);
	return r == ERR_NONE ? EXIT_DONE : (int)err_exit_code(r);
}
