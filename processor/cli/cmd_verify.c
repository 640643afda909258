/*
 * cmd_verify.c - `molepost verify`: whether an archive holds, keeps what a receipt or a turn
 * report promised, and continues an older one; or whether a receipt is the server's.
 *
 * The first word of the output is the verdict; below it stands what it proves,
 * since "it checks" means little without saying against whom.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mail/parser.h"
#include "processor/archive/archive.h"
#include "processor/archive/evidence.h"
#include "processor/archive/one_history.h"
#include "processor/base/clock.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "processor/base/utf8.h"
#include "processor/cli/command_line.h"

/* ---- --receipt: mails of one player or of many against a record, and against each other ---- */

enum { MOST_MAILS = 1000 };

struct mail_proofs {
	const char *path;
	struct evidence_list list;
};

static bool read_evidence(struct span raw, const struct hash *key, struct arena *arena,
                          struct evidence_list *list)
{
	struct evidence_list as_text;

	list->n = 0;

	/* Text as people read it, where the file is a mail with its header and encoding. */
	struct parser *parser = parser_new(NULL, &parser_default_limits);
	struct failure e = ERR_INIT;
	struct mail_in mail = {.ntexts = 0};

	if (parser_batch(parser, &raw, 1, arena, &mail, &e) == ERR_NONE &&
	    mail.fault == MAIL_OK)
		evidence_in_mail(&mail, key, arena, list);
	err_release(&e);
	parser_free(parser);
	/* Perhaps it is no mail, but its text or what was attached; then nothing of it is a header. */
	evidence_read(raw, key, arena, &as_text);
	if (as_text.n > list->n)
		*list = as_text;
	return list->n > 0;
}

/* ---- without a record: whether the server signed it, and what the record must say ---- */

static int judge_alone(FILE *out, const struct evidence *p, const struct hash *key)
{
	if (key == NULL) {
		fputs("unknown: this is a receipt; give the server's key, which is in your "
		      "welcome\nmail, with --key\n",
		      out);
		return EXIT_DATA;
	}
	if (!evidence_is_signed(p, key)) {
		fprintf(
		    out,
		    "broken: this %s is not signed by the key you gave:\nit was changed, or "
		    "comes from elsewhere\n",
		    p->what == EVIDENCE_HEAD ? "report" : "receipt");
		return EXIT_DATA;
	}
	cli_print_hash(out, "signed by key ", key);
	if (p->what == EVIDENCE_SEAT) {
		struct strbuf when = STRBUF_INIT;

		utc_format_iso(&when, p->seat.received_utc);
		if (p->seat.stored)
			fprintf(
			    out,
			    "That server has acknowledged that seat %u of %s stored orders for later "
			    "(%s)\nat %s. Where the archive of the game uses them, it names this "
			    "mail:\n",
			    p->seat.seat, p->seat.game, order_origin_name(p->seat.stored_as),
			    when.ptr);
		else
			fprintf(
			    out,
			    "That server has acknowledged that seat %u of %s was taken at\n%s. The "
			    "archive of the game must have the same mail for it:\n",
			    p->seat.seat, p->seat.game, when.ptr);
		cli_print_hash(out, "", &p->seat.contribution);
		strbuf_release(&when);
	} else if (p->what == EVIDENCE_HEAD) {
		if (p->head.of.version > 1)
			fprintf(
			    out,
			    "That server's record of %s had %u lines after the turn with serial %u, "
			    "and\nthis head. The archive of the game must have the same one there:\n",
			    p->game, p->head.of.lines, p->head.of.serial);
		else
			fprintf(
			    out,
			    "That server's record of %s had this head after %u lines. The archive of "
			    "the\ngame must have the same one there:\n",
			    p->game, p->head.of.lines);
		cli_print_hash(out, "", &p->head.of.head);
	} else {
		struct strbuf when = STRBUF_INIT;

		utc_format_iso(&when, p->receipt.received_utc);
		fprintf(
		    out,
		    "That server has acknowledged revision %u of the orders of seat %u for the turn\n"
		    "with serial %u of %s, received %s. The archive of\n"
		    "the game must have the same commitment:\n",
		    p->receipt.revision, p->receipt.seat, p->receipt.serial, p->receipt.game,
		    when.ptr);
		cli_print_hash(out, "", &p->receipt.commitment);
		strbuf_release(&when);
	}
	return EXIT_DONE;
}

static int judge_all_alone(FILE *out, const struct evidence_list *list, const struct hash *key)
{
	int code = EXIT_DONE;

	for (size_t i = 0; i < list->n; i++) {
		const struct evidence *p = &list->items[i];

		if (key == NULL && p->what == EVIDENCE_HEAD)
			continue;
		int judged = judge_alone(out, p, key);
		code = judged > code ? judged : code;
	}
	return code;
}

/* False: the text holds nothing of the kind, and nothing was printed. */
static bool verify_mail_alone(struct cli *cli, struct span text, const struct hash *key,
                              int *code)
{
	static const struct hash none = {{0}};
	struct arena *arena = arena_new();
	struct evidence_list list;
	bool found = read_evidence(text, key ? key : &none, arena, &list), report_only = true;

	for (size_t i = 0; i < list.n; i++)
		report_only = report_only && list.items[i].what == EVIDENCE_HEAD;
	if (found && key == NULL && report_only) {
		fputs(
		    "unknown: this is a turn report, and what it promises is about the record "
		    "of the\ngame: give both, verify --receipt REPORT RECORD\n",
		    cli->out);
		*code = EXIT_DATA;
	} else if (found) {
		*code = judge_all_alone(cli->out, &list, key);
	}
	arena_free(arena);
	return found;
}

/* ---- against a record ---- */

static int judge_by_record(FILE *out, const struct evidence_list *list, const struct archive *a,
                           const struct hash *key)
{
	int code = EXIT_DONE;

	for (size_t i = 0; i < list->n; i++) {
		struct evidence_finding f;

		evidence_judge(&list->items[i], a, key, &f);
		fprintf(out, "%s: %s%s%s\n", evidence_verdict_name(f.verdict), f.what.ptr,
		        f.what.len > 0 ? "\n" : "", f.fate.ptr);

		struct span orders = f.orders;
		struct strbuf plain = STRBUF_INIT;
		struct span line;

		while (span_next_line(&orders, &line)) {
			strbuf_clear(&plain);
			utf8_add_plain(&plain, line);
			fprintf(out, "  > %s\n", plain.ptr);
		}
		strbuf_release(&plain);
		if (f.verdict != EVIDENCE_KEPT && f.verdict != EVIDENCE_AHEAD)
			code = EXIT_DATA;
		evidence_finding_release(&f);
	}
	return code;
}

/* ---- against each other ---- */

struct signed_piece {
	const char *path;
	const struct evidence *p;
};

/* The first two that contradict each other are named: one pair is enough. */
static int compare_all(FILE *out, const struct mail_proofs *mails, size_t n,
                       const struct hash *key)
{
	struct signed_piece *all = xcalloc(n * EVIDENCE_MOST, sizeof(*all));
	struct strbuf why = STRBUF_INIT;
	size_t count = 0, i = 0, k = 0;
	bool found = false;

	for (size_t m = 0; m < n; m++)
		for (size_t e = 0; e < mails[m].list.n; e++)
			if (evidence_is_signed(&mails[m].list.items[e], key))
				all[count++] = (struct signed_piece){mails[m].path,
				                                     &mails[m].list.items[e]};
	for (i = 0; i < count && !found; i += !found)
		for (k = 0; k < i && !found; k += !found)
			found = evidence_contradict(all[k].p, all[i].p, &why);
	if (found)
		fprintf(out,
		        "broken: %s and %s contradict each other. %s\n"
		        "Keep both mails: together they convict it.\n",
		        all[k].path, all[i].path, why.ptr);
	else if (count == 0)
		fputs("unknown: the key has signed nothing of what is in these mails\n", out);
	else
		fprintf(
		    out,
		    "one history: the %zu signed receipts and heads in these %zu mails can be "
		    "of one\nhistory\n",
		    count, n);
	free(all);
	strbuf_release(&why);
	return found || count == 0 ? EXIT_DATA : EXIT_DONE;
}

/* ---- all of it ---- */

static int load(struct cli *cli, struct mail_proofs *m, const struct hash *key,
                struct arena *arena)
{
	struct strbuf raw = STRBUF_INIT;
	struct failure e = ERR_INIT;
	int code = EXIT_DONE;

	m->list.n = 0;
	if (archive_load_raw(m->path, cli->in, &raw, &e) != ERR_NONE) {
		log_warnx(&cli->log, "verify: %s", e.text.ptr);
		code = (int)err_exit_code(e.code);
	} else if (!read_evidence(arena_dup(arena, strbuf_span(&raw)), key, arena, &m->list)) {
		fprintf(cli->out,
		        "unknown: %s holds neither a whole receipt nor the head of a turn "
		        "report\n",
		        m->path);
		code = EXIT_DATA;
	}
	strbuf_release(&raw);
	err_release(&e);
	return code;
}

static int judge_mails(struct cli *cli, const char *const *paths, size_t n,
                       const struct archive *a, const struct hash *key)
{
	struct arena *arena = arena_new();
	struct mail_proofs *mails = arena_calloc(arena, n, sizeof(*mails));
	int code = EXIT_DONE, one;

	for (size_t i = 0; i < n; i++) {
		mails[i].path = paths[i];
		one = load(cli, &mails[i], key, arena);
		code = one > code ? one : code;
	}
	if (n > 1) {
		one = compare_all(cli->out, mails, n, key);
		code = one > code ? one : code;
	}
	for (size_t i = 0; i < n; i++) {
		if (n > 1 && mails[i].list.n > 0)
			fprintf(cli->out, "== %s\n", mails[i].path);
		one = a ? judge_by_record(cli->out, &mails[i].list, a, key)
		        : judge_all_alone(cli->out, &mails[i].list, key);
		code = one > code ? one : code;
	}
	if (a) {
		/* What the players of these mails should have, and have not. */
		const struct evidence **all = xcalloc(n * EVIDENCE_MOST, sizeof(*all));
		struct strbuf missing = STRBUF_INIT;
		struct span rest, line;
		size_t count = 0;

		for (size_t m = 0; m < n; m++)
			for (size_t e = 0; e < mails[m].list.n; e++)
				all[count++] = &mails[m].list.items[e];
		evidence_missing(all, count, a, &missing);
		for (rest = strbuf_span(&missing); span_next_line(&rest, &line);)
			fprintf(cli->out, "warning: %.*s\n", SPAN_ARGS(line));
		strbuf_release(&missing);
		free(all);
	}
	arena_free(arena);
	return code;
}

/*
 * Judges every receipt and head in these files against an archive that holds, or, where `archive` is
 * "", against the key alone; and whether all of them can belong to one history. EXIT_DATA when one is
 * not kept or two contradict each other.
 */
static int verify_mails(struct cli *cli, const char *const *paths, size_t n,
                        struct span archive, const struct hash *key)
{
	struct failure e = ERR_INIT;
	struct archive *a = NULL;
	int code;

	if (archive.len > 0 && archive_open(archive, &a, &e) != ERR_NONE) {
		log_warnx(&cli->log, "verify: %s", e.text.ptr);
		code = (int)err_exit_code(e.code);
	} else {
		code = judge_mails(cli, paths, n, a, key);
	}
	archive_free(a);
	err_release(&e);
	return code;
}

/* ---- --folder: many archives at once, on all processors ---- */

/*
 * Each process takes every n-th file and reports through one pipe, a record per file and small
 * enough that writes never mix. Nothing is kept of a file once it is reported, so memory does
 * not grow with the folder, only the list of names and of bad ones does.
 */
enum { JOBS_MOST = 256, WHY_BYTES = 400, NVERDICTS = ARCHIVE_SIGNED + 1 };

/* What a process says of one file. */
struct finding {
	size_t file; /* index of its name */
	enum archive_verdict verdict;
	unsigned line;
	char why[WHY_BYTES];
};
_Static_assert(sizeof(struct finding) <= _POSIX_PIPE_BUF, "written in one piece");

struct folder {
	const char *dir;
	const struct hash *key;
	char **names;
	size_t n, cap;
	unsigned jobs;
	pid_t *pids;
	struct finding *bad;
	size_t nbad, cap_bad;
	size_t counts[NVERDICTS];
};

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool list_names(struct folder *f)
{
	DIR *d = opendir(f->dir);
	const struct dirent *entry;

	if (d == NULL)
		return false;
	while ((entry = readdir(d)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		f->names = xgrow(f->names, &f->cap, f->n + 1, sizeof(f->names[0]));
		f->names[f->n++] = strdup(entry->d_name);
	}
	closedir(d);
	if (f->n > 0)
		qsort(f->names, f->n, sizeof(f->names[0]), by_name);
	return true;
}

static void explain(struct finding *out, const char *why)
{
	snprintf(out->why, sizeof(out->why), "%s", why);
}

/* The life of one process. */
static void work(const struct folder *f, unsigned job, int fd)
{
	struct finding finding;

	for (size_t i = job; i < f->n; i += f->jobs) {
		struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
		struct archive_report report;
		struct failure e = ERR_INIT;

		finding = (struct finding){.file = i, .verdict = ARCHIVE_BROKEN};
		strbuf_addf(&path, "%s/%s", f->dir, f->names[i]);
		if (archive_load(path.ptr, NULL, &text, &e) == ERR_NONE) {
			archive_verify(strbuf_span(&text), f->key, NULL, &report);
			finding.verdict = report.verdict;
			finding.line = report.line;
			explain(&finding, report.why.ptr);
			archive_report_release(&report);
		} else {
			explain(&finding, e.text.ptr);
		}
		err_release(&e);
		strbuf_release(&path);
		strbuf_release(&text);
		if (write(fd, &finding, sizeof(finding)) != (ssize_t)sizeof(finding))
			_exit(1);
	}
	_exit(0);
}

static bool start_workers(struct folder *f, int fds[2])
{
	f->pids = xcalloc(f->jobs, sizeof(f->pids[0]));
	for (unsigned job = 0; job < f->jobs; job++) {
		f->pids[job] = fork();
		if (f->pids[job] < 0)
			return false;
		if (f->pids[job] == 0) {
			close(fds[0]);
			work(f, job, fds[1]);
		}
	}
	return true;
}

/* How many there were: fewer than files when a process died. */
static size_t collect(struct folder *f, int fd)
{
	struct finding found;
	size_t n = 0;
	ssize_t got;

	while ((got = read(fd, &found, sizeof(found))) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got != (ssize_t)sizeof(found))
			break;

		f->counts[found.verdict]++;
		if (!(found.verdict == ARCHIVE_SIGNED || found.verdict == ARCHIVE_CONSISTENT)) {
			f->bad = xgrow(f->bad, &f->cap_bad, f->nbad + 1, sizeof(f->bad[0]));
			f->bad[f->nbad++] = found;
		}
		n++;
	}
	return n;
}

static bool run_workers(struct folder *f)
{
	int fds[2];
	bool ok;

	if (pipe(fds) != 0)
		return false;
	ok = start_workers(f, fds);
	close(fds[1]);
	ok = collect(f, fds[0]) == f->n && ok;
	close(fds[0]);

	for (unsigned job = 0; job < f->jobs; job++)
		if (f->pids[job] > 0)
			while (waitpid(f->pids[job], NULL, 0) < 0 && errno == EINTR)
				continue;
	return ok;
}

static int by_file(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;

	return (x->file > y->file) - (x->file < y->file);
}

/*
 * In `jobs` processes (0 = as many as there are processors) every file whose name begins with no dot.
 * A line for each that does not hold, in the order of their names, and a last one with the sums.
 */
static int verify_folder(struct cli *cli, const char *dir, unsigned jobs,
                         const struct hash *expect_key)
{
	struct folder f = {.dir = dir, .key = expect_key};
	int code = EXIT_DONE;

	fflush(cli->out);
	if (!list_names(&f)) {
		bool missing = errno == ENOENT || errno == ENOTDIR;

		log_warn(&cli->log, "verify: %s", dir);
		return missing ? EXIT_DATA : EXIT_LATER;
	}
	long here = jobs > 0 ? (long)jobs : sysconf(_SC_NPROCESSORS_ONLN);

	if (here > JOBS_MOST)
		here = JOBS_MOST;
	if (here < 1)
		here = 1;
	f.jobs = f.n > 0 && (size_t)here > f.n ? (unsigned)f.n : (unsigned)here;
	if (run_workers(&f)) {
		if (f.nbad > 0)
			qsort(f.bad, f.nbad, sizeof(f.bad[0]), by_file);
		for (size_t i = 0; i < f.nbad; i++)
			fprintf(cli->out, "%s: %s: line %u: %s\n", f.names[f.bad[i].file],
			        f.bad[i].verdict == ARCHIVE_UNKNOWN ? "unknown" : "broken",
			        f.bad[i].line, f.bad[i].why);
		fprintf(cli->out,
		        "%zu archives: %zu signed, %zu consistent, %zu unknown, %zu broken\n",
		        f.n, f.counts[ARCHIVE_SIGNED], f.counts[ARCHIVE_CONSISTENT],
		        f.counts[ARCHIVE_UNKNOWN], f.counts[ARCHIVE_BROKEN]);
		code = f.nbad > 0 ? EXIT_DATA : EXIT_DONE;
	} else {
		log_warnx(&cli->log, "verify: a process that checked archives was lost");
		code = EXIT_LATER;
	}
	for (size_t i = 0; i < f.n; i++)
		free(f.names[i]);
	free(f.names);
	free(f.pids);
	free(f.bad);
	return code;
}

/* ---- One archive ---- */

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
		return ++*i < argc && num_parse_uint(span_of(argv[*i]), 1, JOBS_MOST, &o->jobs);
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
		cli_print_hash(out, "signed by key ", &r->key);
		fputs(
		    o->has_key
			? "That is the key you gave: its server made this file, and nothing in it has\n"
			  "been changed since.\n"
			: "Whoever holds that key made this file, and nothing in it has been changed\n"
			  "since. Whether it is the server's: compare it with your welcome mail.\n",
		    out);
		break;
	}
	if (o->has_head)
		fprintf(out,
		        "equal to the head you gave, after line %u of %u in the chain\n"
		        "Up to there it is, to the byte, what that mail stood for.\n",
		        r->head_lines, r->lines);
	print_extent(out, r);

	/* Bots are played again in archives since version 2. */
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

	if (r->answered > 0)
		fprintf(out,
		        r->answered == 1
		            ? "%u mail with orders quoted the four words of the report "
		              "before it.\n"
		            : "%u mails with orders quoted the four words of the report "
		              "before them.\n",
		        r->answered);

	struct span rest = strbuf_span(&r->warnings), line;

	while (span_next_line(&rest, &line))
		fprintf(out, "warning: %.*s\n", SPAN_ARGS(line));

	if (r->fork.len == 0)
		return;
	fprintf(out,
	        "The game goes on from %s, after its turn with serial %u. The archive of\n"
	        "that game must have, as \"state\" of that turn:\n",
	        r->fork.ptr, r->fork_serial);
	cli_print_hash(out, "", &r->fork_state);
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

/* The first of the verdicts that is bad is the exit code. */
static int verify_archive(struct cli *cli, struct span text, const struct verify_options *o,
                          const struct archive_report *report)
{
	int code = EXIT_DONE;

	if (o->nmails > 0)
		code = verify_mails(cli, o->mails, o->nmails, text, &report->key);
	if (code == EXIT_DONE && o->older != NULL) {
		struct strbuf older = STRBUF_INIT;
		struct failure e = ERR_INIT;

		if (archive_load(o->older, cli->in, &older, &e) == ERR_NONE) {
			code = compare_texts(cli, strbuf_span(&older), text, o);
		} else {
			log_warnx(&cli->log, "verify: %s", e.text.ptr);
			code = (int)err_exit_code(e.code);
		}
		strbuf_release(&older);
		err_release(&e);
	}
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
	if (o.nmails > 1 && o.path == NULL) {
		if (o.has_head || o.older != NULL)
			return cli_usage(cli);
		if (o.has_key)
			return verify_mails(cli, o.mails, o.nmails, SPAN_EMPTY, &o.key);
		fputs(
		    "unknown: give the server's key, which is in your welcome mail, with --key; or the "
		    "archive\nof the game behind the mails\n",
		    cli->out);
		return EXIT_DATA;
	}
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
