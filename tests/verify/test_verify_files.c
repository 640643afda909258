/*
 * test_verify_files.c - `molepost verify` with several files: a mail, an older archive, a
 * folder.
 */
#define _GNU_SOURCE /* open_memstream */

#include <criterion/criterion.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/archive/proof.h"
#include "processor/base/file.h"
#include "processor/cli/command_line.h"
#include "tests/support/archives.h"
#include "tests/support/parse_child.h"
#include "tests/support/scratch.h"

enum { TURNS = 5, SEED = 4, FORGED = 3 };

static void setup(void)
{
	seal_start();
	scratch_in_memory();
}

TestSuite(verify_files, .init = setup);

struct desk {
	struct played p;
	char *dir;
	struct cli cli;
	char *out;
	size_t len;
};

static void desk_put(struct desk *d, const char *name, const struct strbuf *text)
{
	char *path = scratch_path(d->dir, name);
	struct failure e = ERR_INIT;

	cr_assert_eq(file_create(path, strbuf_span(text), &e), ERR_NONE, "%s", e.text.ptr);
	free(path);
}

/* A mail as it is saved: quoted-printable, every line broken in two. */
static void encode(struct span text, struct strbuf *mail)
{
	struct span line;

	strbuf_adds(mail, "From: moles@example.org\nTo: ann@example.net\nMIME-Version: 1.0\n"
	                  "Content-Type: text/plain; charset=utf-8\n"
	                  "Content-Transfer-Encoding: quoted-printable\n\n");
	while (span_next_line(&text, &line))
		strbuf_addf(mail, "%.*s=\n%.*s\n", SPAN_ARGS(span_slice(line, 0, line.len / 2)),
		            SPAN_ARGS(span_slice(line, line.len / 2, line.len)));
}

static void desk_archive(struct desk *d, const char *name, const struct record *r)
{
	struct strbuf text = STRBUF_INIT;

	archive_write(r, d->p.keys, &text);
	desk_put(d, name, &text);
	strbuf_release(&text);
}

/* Archives of a game in the middle, at its end, rewritten; of another game; a receipt. */
static void desk_lay(struct desk *d)
{
	const struct rules *rules = rules_find(SPAN_LIT("mole park"));
	struct strbuf block = STRBUF_INIT, mail = STRBUF_INIT;
	const struct record_turn *t;
	struct record middle;
	struct played forged;
	struct receipt_proof ev;

	*d = (struct desk){.dir = scratch_new()};
	d->cli.in = stdin;
	d->cli.out = open_memstream(&d->out, &d->len);
	d->cli.log.out = stderr;
	played_game(&d->p, rules, rules->usual_seats, TURNS, SEED);
	middle = played_until(&d->p, 4);
	desk_archive(d, "middle", &middle);
	desk_archive(d, "end", &d->p.record);
	t = &d->p.record.turns[FORGED];
	ev = archives_evidence(&d->p.record, t, &t->revisions[0]);
	proof_add_receipt(&ev, d->p.keys, &block);
	archives_quote(strbuf_span(&block), &mail);
	desk_put(d, "receipt", &mail);
	strbuf_clear(&mail);
	encode(strbuf_span(&block), &mail);
	desk_put(d, "encoded", &mail);
	played_forged_game(&forged, rules, "", rules->usual_seats, TURNS, SEED, FORGED);
	desk_archive(d, "forged", &forged.record);
	played_release(&forged);
	played_game(&forged, rules_find(SPAN_LIT("whakka mole")), 3, 2, SEED);
	desk_archive(d, "other", &forged.record);
	played_release(&forged);
	strbuf_release(&block);
	strbuf_release(&mail);
}

static void desk_clear(struct desk *d)
{
	fclose(d->cli.out);
	free(d->out);
	played_release(&d->p);
	scratch_remove(d->dir);
}

/* verify OPTION FIRST SECOND */
static void expect_command(struct desk *d, const char *option, const char *first,
                           const char *second, int code, const char *words)
{
	char name[] = "verify";
	char *argv[] = {name, strdup(option), scratch_path(d->dir, first),
	                scratch_path(d->dir, second), NULL};

	rewind(d->cli.out);
	cr_assert_eq(cmd_verify(&d->cli, 4, argv), code, "%s %s %s", option, first, second);
	fputc('\0', d->cli.out);
	fflush(d->cli.out);
	cr_assert_eq(strncmp(d->out, words, strlen(words)), 0, "%s %s %s: %s", option, first,
	             second, d->out);
	for (int i = 1; i < 4; i++)
		free(argv[i]);
}

/* A mail to which another one is attached, as base64. */
static void desk_attach(struct desk *d, const char *name, const char *text)
{
	static const char *const head =
	    "From: ann@example.net\nMIME-Version: 1.0\nContent-Type: multipart/mixed; "
	    "boundary=cut\n\n--cut\n\nlook at this\n--cut\nContent-Type: text/plain; "
	    "charset=utf-8\nContent-Disposition: attachment\nContent-Transfer-Encoding: "
	    "base64\n\n";
	struct strbuf mail = STRBUF_INIT, part = STRBUF_INIT;
	char *path = scratch_path(d->dir, text);
	struct failure e = ERR_INIT;
	char line[80];

	cr_assert_eq(file_read(path, 1 << 22, &part, &e), ERR_NONE, "%s", e.text.ptr);
	strbuf_adds(&mail, head);
	for (size_t at = 0; at < part.len; at += 57) {
		size_t n = part.len - at < 57 ? part.len - at : 57;

		sodium_bin2base64(line, sizeof(line), (const unsigned char *)part.ptr + at, n,
		                  sodium_base64_VARIANT_ORIGINAL);
		strbuf_addf(&mail, "%s\n", line);
	}
	strbuf_adds(&mail, "--cut--\n");
	desk_put(d, name, &mail);
	free(path);
	strbuf_release(&mail);
	strbuf_release(&part);
}

Test(verify_files, what_is_attached_to_a_mail_is_found_in_it)
{
	struct desk d;

	desk_lay(&d);
	desk_attach(&d, "mail-end", "end");
	desk_attach(&d, "mail-middle", "middle");
	desk_attach(&d, "mail-receipt", "receipt");
	cr_assert_not_null(parse_child_exe());
	expect_command(&d, "--receipt", "mail-receipt", "mail-end", EXIT_DONE, "kept: ");
	expect_command(&d, "--receipt", "receipt", "mail-middle", EXIT_DONE, "kept: ");
	expect_command(&d, "--extends", "mail-middle", "mail-end", EXIT_DONE, "extends: the ");
	desk_clear(&d);
}

Test(verify_files, a_receipt_is_held_against_archives)
{
	struct desk d;

	desk_lay(&d);
	expect_command(&d, "--receipt", "receipt", "end", EXIT_DONE,
	               "kept: This is receipt P17");
	expect_command(&d, "--receipt", "receipt", "middle", EXIT_DONE, "kept: ");
	cr_assert_not_null(strstr(d.out, "public part up to round 3"), "%s", d.out);
	cr_assert_not_null(parse_child_exe());
	expect_command(&d, "--receipt", "encoded", "end", EXIT_DONE, "kept: ");
	expect_command(&d, "--receipt", "receipt", "forged", EXIT_DATA, "broken: ");
	expect_command(&d, "--receipt", "receipt", "other", EXIT_DATA, "other: ");
	expect_command(&d, "--receipt", "end", "middle", EXIT_DATA, "unknown: ");
	desk_clear(&d);
}

/* verify --receipt A --receipt B with this key, and with an archive or none. */
static void expect_mails(struct desk *d, const char *a, const char *b, const char *archive,
                         int code, const char *words)
{
	struct strbuf key = STRBUF_INIT;
	char *argv[] = {strdup("verify"),
	                strdup("--receipt"),
	                scratch_path(d->dir, a),
	                strdup("--receipt"),
	                scratch_path(d->dir, b),
	                strdup("--key"),
	                NULL,
	                archive ? scratch_path(d->dir, archive) : NULL,
	                NULL};

	hash_add_hex(&key, &d->p.record.public_key);
	argv[6] = strdup(key.ptr);
	strbuf_release(&key);
	rewind(d->cli.out);
	cr_assert_eq(cmd_verify(&d->cli, archive ? 8 : 7, argv), code, "%s %s", a, b);
	fputc('\0', d->cli.out);
	fflush(d->cli.out);
	cr_assert_eq(strncmp(d->out, words, strlen(words)), 0, "%s %s: %s", a, b, d->out);
	for (int i = 0; i < 8; i++)
		free(argv[i]);
}

/* bent: one digit was changed after it was signed. */
static void desk_receipt(struct desk *d, const char *name, int64_t later, bool bent)
{
	const struct record_turn *t = &d->p.record.turns[FORGED];
	struct receipt_proof ev = archives_evidence(&d->p.record, t, &t->revisions[0]);
	struct strbuf mail = STRBUF_INIT;

	ev.received_utc += later;
	proof_add_receipt(&ev, d->p.keys, &mail);
	if (bent)
		mail.ptr[span_find(strbuf_span(&mail), SPAN_LIT(" seat ")) + 6] ^= 1;
	desk_put(d, name, &mail);
	strbuf_release(&mail);
}

Test(verify_files, mails_of_many_players_are_compared_with_an_archive_and_without)
{
	struct desk d;

	desk_lay(&d);
	desk_receipt(&d, "same", 0, false);
	desk_receipt(&d, "later", 1, false);
	desk_receipt(&d, "bent", 0, true);
	expect_mails(&d, "receipt", "same", NULL, EXIT_DONE,
	             "one history: the 2 signed receipts and heads in these 2 mails can be");
	cr_assert_not_null(strstr(d.out, "\nsigned by key "), "%s", d.out);
	expect_mails(&d, "receipt", "same", "end", EXIT_DONE, "one history: ");
	cr_assert_not_null(strstr(d.out, "\nkept: "), "%s", d.out);
	expect_mails(&d, "receipt", "later", NULL, EXIT_DATA, "broken: ");
	cr_assert_not_null(strstr(d.out, "contradict each other. The server signed two"), "%s",
	                   d.out);
	expect_mails(&d, "receipt", "later", "end", EXIT_DATA, "broken: ");
	expect_mails(&d, "receipt", "end", NULL, EXIT_DATA, "unknown: ");
	expect_mails(&d, "bent", "same", NULL, EXIT_DATA, "one history: the 1 signed");
	cr_assert_not_null(strstr(d.out, "broken: this receipt is not signed"), "%s", d.out);
	expect_mails(&d, "bent", "bent", NULL, EXIT_DATA,
	             "unknown: the key has signed nothing");
	desk_clear(&d);
}

Test(verify_files, a_later_archive_extends_every_earlier_one_and_a_rewritten_one_does_not)
{
	struct desk d;

	desk_lay(&d);
	expect_command(&d, "--extends", "middle", "end", EXIT_DONE, "extends: the ");
	expect_command(&d, "--extends", "end", "end", EXIT_DONE, "equal: all ");
	expect_command(&d, "--extends", "end", "middle", EXIT_DATA,
	               "broken: it is the other way round");
	expect_command(&d, "--extends", "middle", "forged", EXIT_DATA,
	               "broken: they part: line ");
	expect_command(&d, "--extends", "other", "end", EXIT_DATA,
	               "broken: these are archives of two games");
	expect_command(&d, "--extends", "receipt", "end", EXIT_DATA,
	               "broken: the older archive: ");
	desk_clear(&d);
}

/* What verify --folder prints. */
static char *folder_says(struct desk *d, const char *jobs)
{
	char *argv[] = {strdup("verify"),   strdup("--jobs"), strdup(jobs),
	                strdup("--folder"), d->dir,           NULL};

	rewind(d->cli.out);
	cr_assert_eq(cmd_verify(&d->cli, 5, argv), EXIT_DATA);
	fputc('\0', d->cli.out);
	fflush(d->cli.out);
	for (int i = 0; i < 4; i++)
		free(argv[i]);
	return strdup(d->out);
}

Test(verify_files, a_folder_says_which_archives_do_not_hold_in_any_number_of_processes)
{
	static const char *const jobs[] = {"2", "3", "200"};
	struct strbuf text = STRBUF_INIT;
	char *one, *more;
	struct desk d;

	desk_lay(&d);
	archive_write(&d.p.record, d.p.keys, &text);
	text.ptr[text.len / 2] ^= 1;
	desk_put(&d, "bent", &text);
	desk_put(&d, ".hidden", &text);
	one = folder_says(&d, "1");
	cr_assert_eq(strncmp(one, "bent: broken: line ", 19), 0, "%s", one);
	cr_assert_not_null(strstr(one, "\nreceipt: broken: line 0: there is no line"), "%s",
	                   one);
	cr_assert_not_null(
	    strstr(one, "7 archives: 4 signed, 0 consistent, 0 unknown, 3 broken\n"), "%s",
	    one);
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		more = folder_says(&d, jobs[i]);
		cr_assert_str_eq(more, one, "with %s processes", jobs[i]);
		free(more);
	}
	free(one);
	strbuf_release(&text);
	desk_clear(&d);
}
