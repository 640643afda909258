/*
 * verify_mails.c - receipts and reports of players, against a record and against each other.
 *
 * What holds for each mail alone may still not go together, which only shows when those of several
 * players are compared.
 */
#include "processor/cli/verify_mails.h"

#include <stdlib.h>

#include "mail/parser.h"
#include "processor/archive/archive.h"
#include "processor/archive/evidence.h"
#include "processor/archive/one_history.h"
#include "processor/base/clock.h"
#include "processor/base/utf8.h"
#include "processor/cli/archive_file.h"

struct mail_proofs {
	const char *path;
	struct evidence_list list;
};

/* The text of a mail as people read it, where the file is a mail with its header and encoding. */
static void read_as_mail(struct span raw, const struct hash *key, struct arena *arena,
                         struct evidence_list *list)
{
	struct parser *parser = parser_new(NULL, &parser_default_limits);
	struct failure e = ERR_INIT;
	struct mail_in mail = {.ntexts = 0};

	if (parser_batch(parser, &raw, 1, arena, &mail, &e) == ERR_NONE &&
	    mail.fault == MAIL_OK)
		evidence_in_mail(&mail, key, arena, list);
	err_release(&e);
	parser_free(parser);
}

static bool read_evidence(struct span raw, const struct hash *key, struct arena *arena,
                          struct evidence_list *list)
{
	struct evidence_list as_text;

	list->n = 0;
	read_as_mail(raw, key, arena, list);
	/* Perhaps it is no mail, but its text or what was attached to it; then a beginning like a header's goes unread. */
	evidence_read(raw, key, arena, &as_text);
	if (as_text.n > list->n)
		*list = as_text;
	return list->n > 0;
}

/* ---- without a record: whether the server signed it, and what the record must say ---- */

static void print_receipt(FILE *out, const struct receipt_proof *ev)
{
	struct strbuf when = STRBUF_INIT;

	utc_format_iso(&when, ev->received_utc);
	fprintf(
	    out,
	    "That server has acknowledged revision %u of the orders of seat %u for the turn\n"
	    "with serial %u of %s, received %s. The archive of\n"
	    "the game must have the same commitment:\n",
	    ev->revision, ev->seat, ev->serial, ev->game, when.ptr);
	cli_print_hash(out, "", &ev->commitment);
	strbuf_release(&when);
}

static void print_seat(FILE *out, const struct seat_proof *p)
{
	struct strbuf when = STRBUF_INIT;

	utc_format_iso(&when, p->received_utc);
	if (p->stored)
		fprintf(
		    out,
		    "That server has acknowledged that seat %u of %s stored orders for later "
		    "(%s)\nat %s. Where the archive of the game uses them, it names this "
		    "mail:\n",
		    p->seat, p->game, order_origin_name(p->stored_as), when.ptr);
	else
		fprintf(out,
		        "That server has acknowledged that seat %u of %s was taken at\n%s. The "
		        "archive of the game must have the same mail for it:\n",
		        p->seat, p->game, when.ptr);
	cli_print_hash(out, "", &p->contribution);
	strbuf_release(&when);
}

static void print_head(FILE *out, const struct proof_head *h, const char *game)
{
	if (h->version > 1)
		fprintf(
		    out,
		    "That server's record of %s had %u lines after the turn with serial %u, "
		    "and\nthis head. The archive of the game must have the same one there:\n",
		    game, h->lines, h->serial);
	else
		fprintf(
		    out,
		    "That server's record of %s had this head after %u lines. The archive of "
		    "the\ngame must have the same one there:\n",
		    game, h->lines);
	cli_print_hash(out, "", &h->head);
}

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
	if (p->what == EVIDENCE_SEAT)
		print_seat(out, &p->seat);
	else if (p->what == EVIDENCE_HEAD)
		print_head(out, &p->head.of, p->game);
	else
		print_receipt(out, &p->receipt);
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

static bool is_report_only(const struct evidence_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->items[i].what != EVIDENCE_HEAD)
			return false;
	return true;
}

bool verify_mail_alone(struct cli *cli, struct span text, const struct hash *key, int *code)
{
	static const struct hash none = {{0}};
	struct arena *arena = arena_new();
	struct evidence_list list;
	bool found = read_evidence(text, key ? key : &none, arena, &list);

	if (found && key == NULL && is_report_only(&list)) {
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

static void print_orders(FILE *out, struct span orders)
{
	struct strbuf plain = STRBUF_INIT;
	struct span line;

	while (span_next_line(&orders, &line)) {
		strbuf_clear(&plain);
		utf8_add_plain(&plain, line);
		fprintf(out, "  > %s\n", plain.ptr);
	}
	strbuf_release(&plain);
}

static int judge_by_record(FILE *out, const struct evidence_list *list, const struct archive *a,
                           const struct hash *key)
{
	int code = EXIT_DONE;

	for (size_t i = 0; i < list->n; i++) {
		struct evidence_finding f;

		evidence_judge(&list->items[i], a, key, &f);
		fprintf(out, "%s: %s%s%s\n", evidence_verdict_name(f.verdict), f.what.ptr,
		        f.what.len > 0 ? "\n" : "", f.fate.ptr);
		print_orders(out, f.orders);
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

/* What the players of these mails should have, and have not. */
static void print_missing(FILE *out, const struct mail_proofs *mails, size_t n,
                          const struct archive *a)
{
	const struct evidence **all = xcalloc(n * EVIDENCE_MOST, sizeof(*all));
	struct strbuf missing = STRBUF_INIT;
	struct span rest, line;
	size_t count = 0;

	for (size_t m = 0; m < n; m++)
		for (size_t e = 0; e < mails[m].list.n; e++)
			all[count++] = &mails[m].list.items[e];
	evidence_missing(all, count, a, &missing);
	for (rest = strbuf_span(&missing); span_next_line(&rest, &line);)
		fprintf(out, "warning: %.*s\n", SPAN_ARGS(line));
	strbuf_release(&missing);
	free(all);
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

static int judge_mail(struct cli *cli, const struct mail_proofs *m, bool is_one_of_many,
                      const struct archive *a, const struct hash *key)
{
	if (is_one_of_many && m->list.n > 0)
		fprintf(cli->out, "== %s\n", m->path);
	return a ? judge_by_record(cli->out, &m->list, a, key)
	         : judge_all_alone(cli->out, &m->list, key);
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
		one = judge_mail(cli, &mails[i], n > 1, a, key);
		code = one > code ? one : code;
	}
	if (a)
		print_missing(cli->out, mails, n, a);
	arena_free(arena);
	return code;
}

int verify_mails(struct cli *cli, const char *const *paths, size_t n, struct span archive,
                 const struct hash *key)
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
