/*
 * cmd_verify.c - `molepost verify`: whether an archive holds, keeps what a receipt or a turn
 * report promised, and continues an older one; or whether a receipt is the server's.
 *
 * The first word of the output is the verdict; below it stands what it proves,
 * since "it checks" means little without saying against whom.
 */
#include <string.h>

#include "processor/archive/archive.h"
#include "processor/archive/verify_page.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "processor/cli/archive_file.h"
#include "processor/cli/command_line.h"
#include "processor/cli/verify_folder.h"
#include "processor/cli/verify_mails.h"

enum { MOST_JOBS = 256 };

struct verify_options {
	struct hash key, head;
	bool has_key, has_head;
	const char *path; /* NULL: standard input; with several mails: no archive */
	const char *mails[MOST_MAILS]; /* files of receipts and reports */
	size_t nmails;
	const char *older;  /* file of an older archive; NULL: none */
	const char *folder; /* of archives; NULL: none */
	const char *page;   /* where the page goes that checks without this program; NULL */
	unsigned jobs;      /* for it; 0: as many as there are processors */
};

static bool take_path(int argc, char **argv, int *i, const char **path)
{
	if (++*i < argc && *path == NULL)
		*path = argv[*i];
	return *i < argc && *path == argv[*i];
}

static bool take_hash(int argc, char **argv, int *i, struct hash *d, bool *given)
{
	*given = ++*i < argc && hash_parse(span_of(argv[*i]), d);
	return *given;
}

static bool take_option(int argc, char **argv, int *i, struct verify_options *o)
{
	if (strcmp(argv[*i], "--key") == 0)
		return take_hash(argc, argv, i, &o->key, &o->has_key);
	if (strcmp(argv[*i], "--head") == 0)
		return take_hash(argc, argv, i, &o->head, &o->has_head);
	if (strcmp(argv[*i], "--receipt") == 0)
		return o->nmails < MOST_MAILS &&
		       take_path(argc, argv, i, &o->mails[o->nmails++]);
	if (strcmp(argv[*i], "--extends") == 0)
		return take_path(argc, argv, i, &o->older);
	if (strcmp(argv[*i], "--page") == 0)
		return take_path(argc, argv, i, &o->page);
	if (strcmp(argv[*i], "--folder") == 0)
		return take_path(argc, argv, i, &o->folder);
	if (strcmp(argv[*i], "--jobs") == 0)
		return ++*i < argc && num_parse_uint(span_of(argv[*i]), 1, MOST_JOBS, &o->jobs);
	if ((argv[*i][0] == '-' && argv[*i][1] != '\0') || o->path != NULL)
		return false;
	o->path = argv[*i];
	return true;
}

static void print_extent(FILE *out, const struct archive_report *r)
{
	fprintf(out, "Checked %u lines and resolved %u of %u turns again. ", r->lines, r->turns,
	        r->all_turns);
	if (r->ended) {
		fputs("The game has ended.\n", out);
		return;
	}
	fprintf(out, "The game is still running:\nthis is its public part up to %s",
	        r->reach.len > 0 ? r->reach.ptr : "the header");
	if (r->hidden == 0)
		fputs("; nothing in it is hidden.\n", out);
	else
		fprintf(out,
		        r->hidden == 1 ? "; %u line stays hidden until its end\n"
		                         "and is taken on trust until then.\n"
		                       : "; %u lines stay hidden until its end\n"
		                         "and are taken on trust until then.\n",
		        r->hidden);
}

static void print_answered(FILE *out, const struct archive_report *r)
{
	if (r->answered > 0)
		fprintf(out,
		        r->answered == 1
		            ? "%u mail with orders quoted the four words of the report "
		              "before it.\n"
		            : "%u mails with orders quoted the four words of the report "
		              "before them.\n",
		        r->answered);
}

static void print_warnings(FILE *out, const struct archive_report *r)
{
	struct span rest = strbuf_span(&r->warnings), line;

	while (span_next_line(&rest, &line))
		fprintf(out, "warning: %.*s\n", SPAN_ARGS(line));
}

/* Bots are played again in archives since version 2. */
static void print_bots(FILE *out, const struct archive_report *r)
{
	if (r->bots > 0)
		fprintf(out,
		        r->bots == 1
		            ? "%u set of orders that the server gave for a bot was played "
		              "again.\n"
		            : "%u sets of orders that the server gave for bots were "
		              "played again.\n",
		        r->bots);
	if (r->unchecked_bots > 0)
		fprintf(
		    out,
		    r->unchecked_bots == 1
			? "%u set of orders of a bot was not: that takes its word list, or "
			  "another version.\n"
			: "%u sets of orders of bots were not: that takes their word list, or "
			  "another version.\n",
		    r->unchecked_bots);
}

static void print_fork(FILE *out, const struct archive_report *r)
{
	if (r->fork.len == 0)
		return;
	fprintf(out,
	        "The game goes on from %s, after its turn with serial %u. The archive of\n"
	        "that game must have, as \"state\" of that turn:\n",
	        r->fork.ptr, r->fork_serial);
	cli_print_hash(out, "", &r->fork_state);
}

static void print_signer(FILE *out, const struct archive_report *r, bool key_given)
{
	cli_print_hash(out, "signed by key ", &r->key);
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
	print_bots(out, r);
	print_answered(out, r);
	print_warnings(out, r);
	print_fork(out, r);
}

/* An archive that holds, against an older one. */

static int print_extension(FILE *out, const struct archive_extension *x)
{
	switch (x->kinship) {
	case ARCHIVE_SAME:
		fprintf(out, "equal: all %u lines are the same\n", x->common);
		return EXIT_DONE;
	case ARCHIVE_EXTENDS:
		fprintf(
		    out,
		    "extends: the %u lines of the older one are there, unchanged; the newer "
		    "one\ngoes on at its line %u\n",
		    x->common, x->newer_line);
		return EXIT_DONE;
	case ARCHIVE_IS_OLDER:
		fputs("broken: it is the other way round, the one named first goes on longer\n",
		      out);
		break;
	case ARCHIVE_DIFFERS:
		fprintf(
		    out,
		    "broken: they part: line %u of the newer one is not what line %u of the "
		    "older one\nwas. If both are signed by one key, keep both: together they "
		    "prove that its\nserver rewrote the game.\n",
		    x->newer_line, x->older_line);
		break;
	case ARCHIVE_STRANGERS:
		fputs("broken: these are archives of two games, or of two servers\n", out);
		break;
	}
	return EXIT_DATA;
}

static int compare_texts(struct cli *cli, struct span older, struct span newer,
                         const struct verify_options *o)
{
	struct archive_report report;
	struct archive_extension x;
	struct failure e = ERR_INIT;
	int code = EXIT_DATA;

	archive_verify(older, o->has_key ? &o->key : NULL, NULL, &report);
	if (!archive_holds(&report))
		fprintf(cli->out, "broken: the older archive: line %u: %s\n", report.line,
		        report.why.ptr);
	else if (archive_extends(older, newer, &x, &e) != ERR_NONE)
		fprintf(cli->out, "broken: %s\n", e.text.ptr);
	else
		code = print_extension(cli->out, &x);
	archive_report_release(&report);
	err_release(&e);
	return code;
}

static int verify_extension(struct cli *cli, struct span text, const struct verify_options *o)
{
	struct strbuf older = STRBUF_INIT;
	struct failure e = ERR_INIT;
	int code;

	if (archive_load(o->older, cli->in, &older, &e) == ERR_NONE) {
		code = compare_texts(cli, strbuf_span(&older), text, o);
	} else {
		log_warnx(&cli->log, "verify: %s", e.text.ptr);
		code = (int)err_exit_code(e.code);
	}
	strbuf_release(&older);
	err_release(&e);
	return code;
}

/* The first of the verdicts that is bad is the exit code. */
static int verify_archive(struct cli *cli, struct span text, const struct verify_options *o,
                          const struct archive_report *report)
{
	int code = EXIT_DONE;

	if (o->nmails > 0)
		code = verify_mails(cli, o->mails, o->nmails, text, &report->key);
	if (code == EXIT_DONE && o->older != NULL)
		code = verify_extension(cli, text, o);
	print_verdict(cli->out, report, o);
	return code;
}

static int verify_text(struct cli *cli, struct span text, const struct verify_options *o)
{
	struct archive_report report;
	int code = EXIT_DATA;

	archive_verify(text, o->has_key ? &o->key : NULL, o->has_head ? &o->head : NULL,
	               &report);
	if (archive_holds(&report))
		code = verify_archive(cli, text, o, &report);
	else if (report.verdict != ARCHIVE_BROKEN || report.line != 0 ||
	         !verify_mail_alone(cli, text, o->has_key ? &o->key : NULL, &code))
		print_verdict(cli->out, &report, o);
	archive_report_release(&report);
	return code;
}

/* Of many players, with no archive: a receipt names no key. */
static int compare_mails(struct cli *cli, const struct verify_options *o)
{
	if (o->has_head || o->older != NULL)
		return cli_usage(cli);
	if (o->has_key)
		return verify_mails(cli, o->mails, o->nmails, SPAN_EMPTY, &o->key);
	fputs(
	    "unknown: give the server's key, which is in your welcome mail, with --key; or the "
	    "archive\nof the game behind the mails\n",
	    cli->out);
	return EXIT_DATA;
}

int cmd_verify(struct cli *cli, int argc, char **argv)
{
	struct verify_options o = {.path = NULL};
	struct strbuf text = STRBUF_INIT;
	struct failure e = ERR_INIT;
	int code;

	for (int i = 1; i < argc; i++)
		if (!take_option(argc, argv, &i, &o))
			return cli_usage(cli);
	if (o.folder != NULL)
		return o.path == NULL && o.nmails == 0 && o.older == NULL && !o.has_head
		           ? verify_folder(cli, o.folder, o.jobs, o.has_key ? &o.key : NULL)
		           : cli_usage(cli);
	if (o.nmails > 1 && o.path == NULL)
		return compare_mails(cli, &o);
	if (o.page != NULL && argc != 3)
		return cli_usage(cli);
	if (o.page != NULL && file_create(o.page, verify_page(), &e) == ERR_NONE) {
		code = EXIT_DONE;
	} else if (o.page == NULL && archive_load(o.path, cli->in, &text, &e) == ERR_NONE) {
		code = verify_text(cli, strbuf_span(&text), &o);
	} else {
		log_warnx(&cli->log, "verify: %s", e.text.ptr);
		code = (int)err_exit_code(e.code);
	}
	strbuf_release(&text);
	err_release(&e);
	return code;
}
