/*
 * test_verify.c - a game by mail to its end, and then every receipt and every report of it,
 * saved as it came out of the outbox, against the record.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/file.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"

enum { TURNS_MOST = 15 };

/* Two people, one with letters that no mail carries as they are; the game ends by itself. */
static void play_to_the_end(struct site *s)
{
	site_write(s, "ann", "create whakka mole players 2 target=20\njoin w1 as Ann");
	site_run(s);
	site_write(s, "jo", "join w1 as J\xc3\xb6rg");
	site_run(s);
	for (unsigned turn = 1; turn <= TURNS_MOST && !site_find(s, "ann", "the record");
	     turn++) {
		site_reply(s, "ann", "popup 1 2, whack 5\nsalt pepper");
		site_run(s);
		site_reply(s, "jo", turn % 2 ? "popup 3 4, whack 6" : "popup 7, whack 1");
		site_run(s);
	}
}

static void put(const char *path, struct span text)
{
	struct failure e = ERR_INIT;

	remove(path);
	cr_assert_eq(file_create(path, text, &e), ERR_NONE, "%s", e.text.ptr);
}

static char *save_record(struct site *s)
{
	struct strbuf text = STRBUF_INIT;
	char *path = scratch_path(s->scratch, "w1.txt");

	site_archive(s, "w1", &text);
	put(path, strbuf_span(&text));
	cr_assert_not_null(strstr(text.ptr, "\nended over "), "the game did not end");
	strbuf_release(&text);
	return path;
}

/* verify --receipt MAIL RECORD prints "kept: " first, and `says` somewhere. */
static void expect_kept(struct site *s, struct span raw, const char *record, const char *says)
{
	char *mail = scratch_path(s->scratch, "mail.eml");
	const char *argv[] = {"verify", "--receipt", mail, record, NULL};
	struct ran r;

	put(mail, raw);
	site_exec(s, argv, NULL, &r);
	cr_assert_eq(r.code, 0, "%s%s", r.out.ptr, r.err.ptr);
	cr_assert_eq(strncmp(r.out.ptr, "kept: ", 6), 0, "%s", r.out.ptr);
	for (char *c = r.out.ptr; *c; c++)
		if (*c == '\n')
			*c = ' ';
	cr_assert(strstr(r.out.ptr, says), "%s", r.out.ptr);
	ran_release(&r);
	free(mail);
}

static const char seals_fit[] = "that it calls sealed are those of the record";

/* The list of seals is not signed: changing it convicts nobody, and is told. */
static void expect_a_changed_seal_to_be_told(struct site *s, const struct post *post,
                                             const char *record)
{
	struct strbuf raw = STRBUF_INIT;

	strbuf_add(&raw, post->raw, post->raw_len);
	char *digit = strstr(raw.ptr, "\n seals  ");
	cr_assert(digit, "%s", post->text);
	digit += strlen("\n seals  ");
	*digit = *digit == '0' ? '1' : '0';
	expect_kept(s, strbuf_span(&raw), record, "that it calls sealed are not those");
	strbuf_release(&raw);
}

Test(verify, every_receipt_and_report_of_a_game_is_kept_by_its_record)
{
	struct site *s = site_new("kept");
	unsigned receipts = 0, reports = 0, together = 0;
	char *record;

	play_to_the_end(s);
	record = save_record(s);
	for (size_t i = 0; i < s->nposts; i++) {
		bool receipt = strstr(s->posts[i]->text, "BEGIN MOLEPOST RECEIPT") != NULL;
		bool report = strstr(s->posts[i]->text, "The record of the game has ") != NULL;

		/* A report may hold the receipt of its turn: both are judged. */
		if (receipt || report)
			expect_kept(s, (struct span){s->posts[i]->raw, s->posts[i]->raw_len},
			            record,
			            report ? "The record has just this head" : seals_fit);
		if (receipt && report)
			expect_kept(s, (struct span){s->posts[i]->raw, s->posts[i]->raw_len},
			            record, "opens the receipt's commitment");
		together += receipt && report;
		if (receipt && !report)
			expect_a_changed_seal_to_be_told(s, s->posts[i], record);
		receipts += receipt;
		reports += report;
	}
	cr_assert_gt(receipts, 4);
	cr_assert_gt(reports, 4);
	cr_assert_gt(together, 2);
	free(record);
	site_free(s);
}

Test(verify, a_mail_with_the_record_in_the_middle_is_extended_by_the_record_of_the_end)
{
	struct site *s = site_new("extended");
	const struct post *middle;
	char *older = scratch_path(s->scratch, "older.txt"), *newer;
	struct ran r;

	site_write(s, "ann", "create whakka mole players 2 target=20\njoin w1 as Ann");
	site_run(s);
	site_write(s, "jo", "join w1 as J\xc3\xb6rg");
	site_run(s);
	site_write(s, "jo", "archive w1");
	site_run(s);
	middle = site_find(s, "jo", "the record so far");
	cr_assert_not_null(strstr(middle->raw, "quoted-printable"), "nothing is encoded");
	put(older, (struct span){middle->raw, middle->raw_len});
	for (unsigned turn = 1; turn <= TURNS_MOST; turn++) {
		site_reply_to(s, "ann", site_last(s, "ann"), "popup 1 2, whack 5");
		site_reply_to(s, "jo", site_last(s, "jo"),
		              turn % 2 ? "popup 3 4, whack 6" : "popup 7");
		site_run(s);
	}
	newer = save_record(s);
	site_exec(s, (const char *const[]){"verify", "--extends", older, newer, NULL}, NULL,
	          &r);
	cr_assert_eq(r.code, 0, "%s%s", r.out.ptr, r.err.ptr);
	cr_assert_eq(strncmp(r.out.ptr, "extends: ", 9), 0, "%s", r.out.ptr);
	ran_release(&r);
	site_exec(s, (const char *const[]){"replay", "--turn", "0", older, NULL}, NULL, &r);
	cr_assert_eq(r.code, 0, "%s%s", r.out.ptr, r.err.ptr);
	ran_release(&r);
	free(older);
	free(newer);
	site_free(s);
}
