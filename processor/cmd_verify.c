/*
 * cmd_verify.c - `molepost verify [--key HEX] [--head HEX] [FILE]`: whether an archive holds, or
 * a receipt is the server's.
 *
 * The first word of the output is the verdict; below it stands what it proves,
 * since "it checks" means little without saying against whom.
 */
#include <string.h>

#include "processor/archive.h"
#include "processor/archive_file.h"
#include "processor/base/clock.h"
#include "processor/cli.h"
#include "processor/proof.h"

#include "processor/base/banned.h"

struct verify_options {
	struct digest key, head;
	bool has_key, has_head;
	const char *path; /* NULL: standard input */
};

static bool take_digest(int argc, char **argv, int *i, struct digest *d, bool *given)
{
	*given = ++*i < argc && digest_parse(span_of(argv[*i]), d);
	return *given;
}

static bool take_option(int argc, char **argv, int *i, struct verify_options *o)
{
	if (strcmp(argv[*i], "--key") == 0)
		return take_digest(argc, argv, i, &o->key, &o->has_key);
	if (strcmp(argv[*i], "--head") == 0)
		return take_digest(argc, argv, i, &o->head, &o->has_head);
	if ((argv[*i][0] == '-' && argv[*i][1] != '\0') || o->path != NULL)
		return false;
	o->path = argv[*i];
	return true;
}

static void print_extent(FILE *out, const struct archive_report *r)
{
	fprintf(out, "Checked %u lines and resolved %u of %u turns again. ", r->lines, r->turns,
	        r->all_turns);
	if (r->ended)
		fputs("The game has ended.\n", out);
	else
		fprintf(
		    out,
		    "The game is still running: %u lines\nstay hidden until its end and are "
		    "taken on trust until then.\n",
		    r->hidden);
}

static void print_hex(FILE *out, const char *before, const struct digest *d, const char *after)
{
	struct strbuf hex = STRBUF_INIT;

	digest_add_hex(&hex, d);
	fprintf(out, "%s%s%s", before, hex.ptr, after);
	strbuf_release(&hex);
}

static void print_signer(FILE *out, const struct archive_report *r, bool key_given)
{
	print_hex(out, "signed by key ", &r->key, "\n");
	fputs(
	    key_given
		? "That is the key you gave: its server made this file, and nothing in it has\n"
		  "been changed since.\n"
		: "Whoever holds that key made this file, and nothing in it has been changed\n"
		  "since. Whether it is the server's: compare it with your welcome mail.\n",
	    out);
}

static void print_verdict(FILE *out, const struct archive_report *r,
                          const struct verify_options *o)
{
	switch (r->verdict) {
	case ARCHIVE_BROKEN:
	case ARCHIVE_UNKNOWN:
		fputs(r->verdict == ARCHIVE_BROKEN ? "broken: " : "unknown: ", out);
		if (r->line > 0)
			fprintf(out, "line %u: ", r->line);
		fprintf(out, "%s\n", r->why.ptr);
		return;
	case ARCHIVE_CONSISTENT:
		fputs(
		    "consistent: every line holds\n"
		    "Nobody has signed it: this proves nothing against somebody who wrote the\n"
		    "whole file anew.\n",
		    out);
		break;
	case ARCHIVE_SIGNED:
		print_signer(out, r, o->has_key);
		break;
	}
	if (o->has_head)
		fprintf(out,
		        "equal to the head you gave, after line %u of %u in the chain\n"
		        "Up to there it is, to the byte, what that mail stood for.\n",
		        r->head_lines, r->lines);
	print_extent(out, r);
}

/* Receipts: a mail that holds one and no archive. A receipt names no key, so one must be given. */

static void print_receipt(FILE *out, const struct evidence *ev)
{
	struct strbuf when = STRBUF_INIT;

	utc_format_iso(&when, ev->received_utc);
	fprintf(
	    out,
	    "That server has acknowledged revision %u of the orders of seat %u for the turn\n"
	    "with serial %u of %s, received %s. The archive of\n"
	    "the game must have the same commitment:\n",
	    ev->revision, ev->seat, ev->serial, ev->game, when.ptr);
	print_hex(out, "", &ev->commitment, "\n");
	strbuf_release(&when);
}

static int judge_receipt(FILE *out, const struct evidence *ev, const struct verify_options *o,
                         bool is_signed)
{
	if (!o->has_key) {
		fputs("unknown: this is a receipt; give the server's key, which is in your "
		      "welcome\nmail, with --key\n",
		      out);
		return EXIT_DATA;
	}
	if (!is_signed) {
		fputs("broken: this receipt is not signed by the key you gave: it was changed, "
		      "or\n"
		      "comes from elsewhere\n",
		      out);
		return EXIT_DATA;
	}
	print_hex(out, "signed by key ", &o->key, "\n");
	print_receipt(out, ev);
	return EXIT_DONE;
}

/* False when the text holds no receipt. */
static bool verify_receipt(struct cli *cli, struct span text, const struct verify_options *o,
                           int *code)
{
	struct arena *arena = arena_new();
	struct evidence ev;
	bool found, is_signed;

	found = proof_read_evidence(text, arena, &ev, &o->key, &is_signed);
	if (found)
		*code = judge_receipt(cli->out, &ev, o, is_signed);
	arena_free(arena);
	return found;
}

static int verify_text(struct cli *cli, struct span text, const struct verify_options *o)
{
	struct archive_report report;
	int code;

	archive_verify(text, o->has_key ? &o->key : NULL, o->has_head ? &o->head : NULL,
	               &report);
	if (report.verdict == ARCHIVE_BROKEN && report.line == 0 &&
	    verify_receipt(cli, text, o, &code)) {
		archive_report_release(&report);
		return code;
	}
	print_verdict(cli->out, &report, o);
	code = report.verdict == ARCHIVE_BROKEN || report.verdict == ARCHIVE_UNKNOWN
	           ? EXIT_DATA
	           : EXIT_DONE;
	archive_report_release(&report);
	return code;
}

int cmd_verify(struct cli *cli, int argc, char **argv)
{
	struct verify_options o = {.path = NULL};
	struct strbuf text = STRBUF_INIT;
	struct failure e = ERR_INIT;
	int code;

	for (int i = 1; i < argc; i++)
		if (!take_option(argc, argv, &i, &o))
			return cli_usage(cli, "verify");
	if (archive_load(o.path, cli->in, &text, &e) == ERR_NONE) {
		code = verify_text(cli, strbuf_span(&text), &o);
	} else {
		log_warnx(&cli->log, "verify: %s", e.text.ptr);
		code = (int)err_exit_code(e.code);
	}
	strbuf_release(&text);
	err_release(&e);
	return code;
}
