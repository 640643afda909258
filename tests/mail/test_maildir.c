/*
 * test_maildir.c - mail in and out of folders.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mail/sink.h"
#include "mail/source.h"
#include "mail/source/private.h"
#include "processor/base/file.h"
#include "processor/base/seal.h"
#include "tests/support/scratch.h"

/* A Maildir "in" in a folder of its own, open as a source. */
struct box {
	char *root, *dir;
	struct source *source;
	struct arena *arena;
	struct source_mail *mails;
	size_t n;
	bool complete;
	struct mail_settings settings;
	struct failure e;
};

static struct box *box_new(void)
{
	struct box *b = xcalloc(1, sizeof(*b));

	seal_start();
	strbuf_init(&b->e.text);
	b->root = scratch_new();
	b->dir = scratch_path(b->root, "in");
	b->settings = (struct mail_settings){.base = b->root, .instance = "play"};
	b->arena = arena_new();
	cr_assert_eq(maildir_create(b->dir, &b->e), ERR_NONE, "%s", b->e.text.ptr);
	cr_assert_eq(source_open("maildir:in", &b->settings, &b->source, &b->e), ERR_NONE, "%s",
	             b->e.text.ptr);
	return b;
}

static void box_free(struct box *b)
{
	source_close(b->source);
	arena_free(b->arena);
	err_release(&b->e);
	free(b->dir);
	scratch_remove(b->root);
	free(b);
}

static char *path_of(const struct box *b, const char *name)
{
	return scratch_path(b->dir, name);
}

static void put(const struct box *b, const char *name, const char *text, long sec, long nsec)
{
	struct timespec times[2] = {{.tv_sec = sec, .tv_nsec = nsec},
	                            {.tv_sec = sec, .tv_nsec = nsec}};
	char *path = path_of(b, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);

	cr_assert(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	cr_assert_eq(futimens(fd, times), 0);
	close(fd);
	free(path);
}

static bool there(const struct box *b, const char *name)
{
	char *path = path_of(b, name);
	bool is = file_exists(path);

	free(path);
	return is;
}

static void next(struct box *b, size_t max)
{
	cr_assert_eq(
	    source_next(b->source, max, b->arena, &b->mails, &b->n, &b->complete, &b->e),
	    ERR_NONE, "%s", b->e.text.ptr);
}

static void settle(struct box *b, size_t i)
{
	cr_assert_eq(source_settle(b->source, &b->mails[i], &b->e), ERR_NONE, "%s",
	             b->e.text.ptr);
}

static void sync_all(struct box *b)
{
	cr_assert_eq(source_sync(b->source, &b->e), ERR_NONE);
}

static size_t count_files(const struct box *b, const char *folder)
{
	char *path = path_of(b, folder);
	DIR *d = opendir(path);
	struct dirent *entry;
	size_t n = 0;

	while ((entry = readdir(d)) != NULL)
		n += entry->d_name[0] != '.';
	closedir(d);
	free(path);
	return n;
}

Test(maildir_source, gives_mail_in_order_of_arrival_never_of_the_folder)
{
	struct box *b = box_new();

	put(b, "new/a", "1", 300, 0);
	put(b, "new/b", "22", 100, 5);
	put(b, "new/c", "333", 100, 4);
	put(b, "new/d", "4444", 100, 4);
	next(b, 10);
	cr_assert_eq(b->n, 4);
	cr_expect(b->complete);
	cr_expect(span_eq_str(b->mails[0].id, "c"));
	cr_expect(span_eq_str(b->mails[1].id, "d"));
	cr_expect(span_eq_str(b->mails[2].id, "b"));
	cr_expect(span_eq_str(b->mails[3].id, "a"));
	cr_expect_eq(b->mails[2].arrived_utc, 100);
	cr_expect_eq(b->mails[2].arrived_ns, 5);
	cr_expect_eq(b->mails[2].size, 2);
	box_free(b);
}

Test(maildir_source, reads_regular_files_in_new_only)
{
	struct box *b = box_new();
	char *link = path_of(b, "new/link"), *pipe = path_of(b, "new/pipe");
	char *sub = path_of(b, "new/sub");

	put(b, "tmp/half", "x", 1, 0);
	put(b, "cur/old:2,S", "x", 1, 0);
	put(b, "new/.hidden", "x", 1, 0);
	put(b, "new/good", "x", 1, 0);
	cr_assert(symlink("/etc/passwd", link) == 0 && mkfifo(pipe, 0600) == 0 &&
	          mkdir(sub, 0700) == 0);
	next(b, 10);
	cr_assert_eq(b->n, 1);
	cr_expect(span_eq_str(b->mails[0].id, "good"));
	free(link);
	free(pipe);
	free(sub);
	box_free(b);
}

static void expect_fetched(struct box *b, size_t i, size_t max, enum err result,
                           const char *text)
{
	struct strbuf raw = STRBUF_INIT;

	cr_expect_eq(source_fetch(b->source, &b->mails[i], max, &raw, &b->e), result);
	cr_expect_str_eq(raw.ptr, text);
	strbuf_release(&raw);
}

Test(maildir_source, fetches_no_more_than_asked_and_says_when_there_is_more)
{
	struct box *b = box_new();

	put(b, "new/a", "popup 3", 1, 0);
	next(b, 10);
	expect_fetched(b, 0, 100, ERR_NONE, "popup 3");
	expect_fetched(b, 0, 7, ERR_NONE, "popup 3");
	expect_fetched(b, 0, 5, ERR_LIMIT, "popup");
	settle(b, 0);
	expect_fetched(b, 0, 100, ERR_NONE, "popup 3");
	cr_expect_eq(source_purge(b->source, b->mails[0].id, &b->e), ERR_NONE);
	expect_fetched(b, 0, 100, ERR_NOT_FOUND, "");
	box_free(b);
}

Test(maildir_source, follows_no_link_that_appears_after_the_listing)
{
	struct box *b = box_new();
	char *path = path_of(b, "new/a");

	put(b, "new/a", "x", 1, 0);
	next(b, 10);
	cr_assert(unlink(path) == 0 && symlink("/etc/passwd", path) == 0);
	expect_fetched(b, 0, 100, ERR_INVALID, ""); /* this one only */
	free(path);
	box_free(b);
}

Test(maildir_source, settles_by_moving_to_cur_and_twice_is_fine)
{
	struct box *b = box_new();

	put(b, "new/1.a", "x", 1, 0);
	put(b, "new/2.b", "x", 2, 0);
	next(b, 10);
	settle(b, 0);
	settle(b, 0);
	sync_all(b);
	cr_expect_not(there(b, "new/1.a"));
	cr_expect(there(b, "cur/1.a:2,S"));
	cr_expect(there(b, "new/2.b"));
	next(b, 10);
	cr_assert_eq(b->n, 1);
	cr_expect(span_eq_str(b->mails[0].id, "2.b"));
	box_free(b);
}

Test(maildir_source, knows_a_mail_by_its_name_without_flags)
{
	struct box *b = box_new();

	put(b, "new/1.a:2,", "text", 1, 0);
	next(b, 10);
	cr_assert_eq(b->n, 1);
	cr_expect(span_eq_str(b->mails[0].id, "1.a"));
	expect_fetched(b, 0, 100, ERR_NONE, "text");
	settle(b, 0);
	cr_expect(there(b, "cur/1.a:2,S"));
	box_free(b);
}

Test(maildir_source, purges_handled_mail_whatever_flags_it_has_got)
{
	struct box *b = box_new();

	put(b, "cur/1.a:2,S", "x", 1, 0);
	put(b, "cur/2.b:2,RSab", "x", 1, 0);
	put(b, "cur/2.bc:2,S", "x", 1, 0);
	cr_expect_eq(source_purge(b->source, SPAN_LIT("1.a"), &b->e), ERR_NONE);
	cr_expect_eq(source_purge(b->source, SPAN_LIT("2.b"), &b->e), ERR_NONE);
	cr_expect_eq(source_purge(b->source, SPAN_LIT("2.b"), &b->e), ERR_NONE);
	cr_expect_eq(count_files(b, "cur"), 1);
	cr_expect(there(b, "cur/2.bc:2,S"));
	box_free(b);
}

Test(maildir_source, hands_out_handled_mail_once_more_after_reread)
{
	struct box *b = box_new();

	put(b, "cur/1.a:2,S", "x", 10, 0);
	put(b, "new/2.b", "x", 20, 0);
	put(b, "cur/3.c:2,RS", "third", 30, 0);
	source_reread(b->source);
	next(b, 2);
	cr_assert_eq(b->n, 2);
	cr_expect(span_eq_str(b->mails[0].id, "1.a"));
	cr_expect(span_eq_str(b->mails[1].id, "2.b"));
	settle(b, 0);
	settle(b, 1);
	cr_expect(there(b, "cur/1.a:2,S"));
	next(b, 2);
	cr_assert_eq(b->n, 1);
	cr_expect(span_eq_str(b->mails[0].id, "3.c"));
	expect_fetched(b, 0, 100, ERR_NONE, "third");
	settle(b, 0);
	cr_expect(there(b, "cur/3.c:2,RS"));
	next(b, 2);
	cr_expect_eq(b->n, 0);
	cr_expect(b->complete);
	box_free(b);
}

Test(maildir_source, hands_out_a_large_box_in_order_with_a_last_look_at_the_end)
{
	enum { MAILS = LISTING_MAX + 500 };
	struct box *b = box_new();
	long last = -1;
	size_t total = 0, i;

	for (i = 0; i < MAILS; i++) {
		struct strbuf name = STRBUF_INIT;

		/* Names in another order than times. */
		strbuf_addf(&name, "new/%05zu", i * 7919 % MAILS);
		put(b, name.ptr, "", (long)i, 0);
		strbuf_release(&name);
	}
	for (;;) {
		arena_clear(b->arena);
		next(b, 1000);
		for (i = 0; i < b->n; i++) {
			cr_assert_eq(b->mails[i].arrived_utc, last + 1);
			last = (long)b->mails[i].arrived_utc;
			settle(b, i);
		}
		total += b->n;
		sync_all(b);
		if (b->complete)
			break;
		cr_assert_gt(b->n, 0);
	}
	cr_expect_eq(total, MAILS);
	cr_expect_eq(count_files(b, "new"), 0);
	box_free(b);
}

Test(maildir_source, does_not_call_a_listing_complete_that_is_older_than_the_call)
{
	struct box *b = box_new();

	put(b, "new/1", "", 1, 0);
	put(b, "new/2", "", 2, 0);
	next(b, 1);
	settle(b, 0);
	put(b, "new/late", "", 3, 0);
	next(b, 1);
	cr_expect(span_eq_str(b->mails[0].id, "2"));
	cr_expect_not(b->complete);
	settle(b, 0);
	next(b, 1);
	cr_expect(span_eq_str(b->mails[0].id, "late"));
	cr_expect(b->complete);
	box_free(b);
}

Test(maildir_source, gives_again_what_was_listed_but_not_settled_oldest_first)
{
	struct box *b = box_new();
	size_t i;

	for (i = 0; i < 9; i++) {
		char name[] = "new/0";

		name[4] = (char)('0' + i);
		put(b, name, "", (long)i, 0);
	}
	next(b, 3);
	settle(b, 1);
	next(b, 3);
	cr_assert_eq(b->n, 3);
	cr_expect(span_eq_str(b->mails[0].id, "0"));
	cr_expect(span_eq_str(b->mails[1].id, "2"));
	cr_expect(span_eq_str(b->mails[2].id, "3"));
	settle(b, 0);
	next(b, 20);
	cr_assert_eq(b->n, 7);
	cr_expect(b->complete);
	cr_expect(span_eq_str(b->mails[0].id, "2"));
	next(b, 20);
	cr_expect_eq(b->n, 7);
	box_free(b);
}

Test(maildir_source, a_mail_that_somebody_took_away_is_not_listed_for_ever)
{
	struct box *b = box_new();
	char *path = path_of(b, "new/1");

	put(b, "new/1", "", 1, 0);
	put(b, "new/2", "", 2, 0);
	put(b, "new/3", "", 3, 0);
	next(b, 1);
	cr_assert_eq(unlink(path), 0);
	expect_fetched(b, 0, 100, ERR_NOT_FOUND, "");
	next(b, 1);
	cr_expect(span_eq_str(b->mails[0].id, "2"));
	free(path);
	box_free(b);
}

Test(maildir_source, says_what_to_do_when_the_folder_is_missing_or_the_scheme_unknown)
{
	struct box *b = box_new();
	struct source *s;

	cr_expect_eq(source_open("maildir:nowhere", &b->settings, &s, &b->e), ERR_NOT_FOUND);
	cr_expect(strstr(b->e.text.ptr, "mkdir"), "%s", b->e.text.ptr);
	cr_expect_null(s);
	cr_expect_eq(source_open("ftp://x", &b->settings, &s, &b->e), ERR_CONFIG);
	cr_expect(strstr(b->e.text.ptr, "maildir:"), "%s", b->e.text.ptr);
	cr_expect_eq(source_open("maildir:", &b->settings, &s, &b->e), ERR_CONFIG);
	cr_expect_eq(source_open("maildir", &b->settings, &s, &b->e), ERR_CONFIG);
	cr_expect_str_eq(source_url(b->source), "maildir:in");
	box_free(b);
}

Test(maildir_deliver, makes_a_durable_mail_that_the_source_finds)
{
	struct box *b = box_new();
	char *other = scratch_path(b->root, "fresh");

	cr_assert_eq(maildir_deliver(b->dir, SPAN_LIT("From: a@b\n\nx\n"), &b->e), ERR_NONE);
	cr_assert_eq(maildir_deliver(b->dir, SPAN_LIT("From: a@b\n\nx\n"), &b->e), ERR_NONE);
	next(b, 10);
	cr_assert_eq(b->n, 2);
	expect_fetched(b, 1, 100, ERR_NONE, "From: a@b\n\nx\n");
	cr_expect_eq(count_files(b, "tmp"), 0);
	cr_expect_eq(maildir_deliver(other, SPAN_LIT("x"), &b->e), ERR_NONE);
	free(other);
	box_free(b);
}

/* ---- out ---- */

static struct sink *open_sink(struct box *b)
{
	struct sink *s;

	cr_assert_eq(sink_open("maildir:in", &b->settings, &s, &b->e), ERR_NONE, "%s",
	             b->e.text.ptr);
	return s;
}

static enum delivery send_text(struct box *b, struct sink *s, int64_t id, struct span text)
{
	struct sink_mail m = {.outbox_id = id,
	                      .created_utc = 1773338520,
	                      .rcpt = SPAN_LIT("bob@example.org"),
	                      .message = text,
	                      .answer = STRBUF_INIT};

	cr_assert_eq(sink_ready(s, &b->e), ERR_NONE, "%s", b->e.text.ptr);
	sink_start(s, &m, 1);
	cr_assert_eq(sink_finish(s, &b->e), ERR_NONE, "%s", b->e.text.ptr);
	cr_expect_eq(m.what == DELIVERY_SENT, m.answer.len == 0);
	strbuf_release(&m.answer);
	return m.what;
}

Test(maildir_sink, names_the_file_after_the_row_and_sends_it_once)
{
	struct box *b = box_new();
	struct sink *s = open_sink(b);

	cr_expect_eq(send_text(b, s, 17, SPAN_LIT("hello\n")), DELIVERY_SENT);
	cr_expect_eq(send_text(b, s, 17, SPAN_LIT("hello\n")), DELIVERY_SENT);
	cr_expect_eq(send_text(b, s, 18, SPAN_LIT("hello\n")), DELIVERY_SENT);
	cr_expect(there(b, "new/1773338520.Q17.play"));
	cr_expect_eq(count_files(b, "new"), 2);
	cr_expect_eq(count_files(b, "tmp"), 0);
	sink_close(s);
	box_free(b);
}

Test(maildir_sink, never_replaces_a_file_that_holds_something_else)
{
	struct box *b = box_new();
	struct sink *s = open_sink(b);

	cr_expect_eq(send_text(b, s, 17, SPAN_LIT("hello\n")), DELIVERY_SENT);
	cr_expect_eq(send_text(b, s, 17, SPAN_LIT("hello, world\n")), DELIVERY_DEAD);
	cr_expect_eq(send_text(b, s, 17, SPAN_LIT("hell\n")), DELIVERY_DEAD);
	cr_expect_eq(count_files(b, "new"), 1);
	sink_close(s);
	box_free(b);
}

Test(maildir_sink, overwrites_what_a_dead_sender_left_in_tmp)
{
	struct box *b = box_new();
	struct sink *s = open_sink(b);
	struct strbuf text = STRBUF_INIT;
	char *path = path_of(b, "new/1773338520.Q17.play");

	put(b, "tmp/1773338520.Q17.play", "half of something longer", 1, 0);
	cr_expect_eq(send_text(b, s, 17, SPAN_LIT("hello\n")), DELIVERY_SENT);
	cr_assert_eq(file_read(path, 100, &text, &b->e), ERR_NONE);
	cr_expect_str_eq(text.ptr, "hello\n");
	strbuf_release(&text);
	free(path);
	sink_close(s);
	box_free(b);
}

Test(maildir_sink, fails_as_a_whole_when_the_folder_is_gone)
{
	struct box *b = box_new();
	struct sink *s;

	cr_expect_eq(sink_open("maildir:nowhere", &b->settings, &s, &b->e), ERR_NOT_FOUND);
	cr_expect_eq(sink_open("nntp://x", &b->settings, &s, &b->e), ERR_CONFIG);
	cr_expect_null(s);
	box_free(b);
}
