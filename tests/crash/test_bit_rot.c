/*
 * test_bit_rot.c - the database, its log or the key file damaged at random: it is noticed, or it does no
 * harm. Never does a mail go out that a sound server would not have sent.
 *
 * A server in mid-game is copied, a few bytes of one of its files are changed, and a day goes on there as
 * it does on the sound one.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "processor/base/file.h"
#include "tests/support/crowd.h"
#include "tests/support/table.h"

enum { DAMAGES = 300, DAY_S = 24 * 3600 };

static const char *const files[] = {"molepost.db", "molepost.db-wal", "molepost.key"};
enum { NFILES = sizeof(files) / sizeof(files[0]) };

/* Splitmix: the same damages each time. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static struct testbed *testbed_in_mid_game(void)
{
	struct testbed *s;

	testbed_use_memory();
	s = testbed_new("bit rot");
	table_begin(s, "ann bob cleo");
	table_order(s, "ann bob cleo");
	testbed_run(s);
	testbed_reply(s, "ann", "popup 2\nwhack 4");
	testbed_write(s, "dan", "create mole park players 2");
	testbed_run(s);
	return s;
}

/* The rest of the day: orders, a question, and the deadline passes. */
static void live_on(struct testbed *s)
{
	struct ran r;

	testbed_reply(s, "bob", "popup 5\nwhack 2");
	testbed_write(s, "cleo", "status W1");
	testbed_do(s, "run", NULL, &r);
	ran_release(&r);
	testbed_wait(s, 4 * DAY_S);
	testbed_do(s, "run", NULL, &r);
	ran_release(&r);
	testbed_collect(s);
}

/* False: the file is empty, or not there. */
static bool damage(struct testbed *s, const char *file, uint64_t *state)
{
	char *path = testbed_path(s, file);
	int fd = open(path, O_RDWR);
	struct stat st = {0};
	bool done = fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0;
	unsigned n = 1 + (unsigned)(next_random(state) % 16);
	off_t at = done ? (off_t)(next_random(state) % (uint64_t)st.st_size) : 0;

	for (unsigned i = 0; done && i < n && at + (off_t)i < st.st_size; i++) {
		unsigned char byte = (unsigned char)next_random(state);

		cr_assert_eq(pwrite(fd, &byte, 1, at + (off_t)i), 1);
	}
	if (fd >= 0)
		close(fd);
	free(path);
	return done;
}

/* One that the sound server wrote as well, to the byte. */
static bool is_right(const struct testbed *sound, const struct post *p)
{
	for (size_t i = 0; i < sound->nposts; i++)
		if (strcmp(sound->posts[i]->message_id, p->message_id) == 0)
			return strcmp(sound->posts[i]->text, p->text) == 0 &&
			       strcmp(sound->posts[i]->who, p->who) == 0;
	return false;
}

static bool is_noticed(struct testbed *s)
{
	struct ran r;
	bool yes;

	testbed_do(s, "fsck", NULL, &r);
	yes = r.code != 0;
	ran_release(&r);
	return yes;
}

struct outcome {
	unsigned noticed, harmless;
};

static void try_damage(const struct testbed *before, const struct testbed *sound,
                       size_t before_mails, uint64_t seed, struct outcome *out)
{
	uint64_t state = seed;
	const char *file = files[next_random(&state) % NFILES];
	struct testbed *s = testbed_clone(before);

	if (!damage(s, file, &state) && !damage(s, files[0], &state)) {
		testbed_free(s);
		return;
	}
	bool noticed = is_noticed(s);
	live_on(s);
	noticed = noticed || is_noticed(s);
	unsigned missing = (unsigned)sound->nposts;
	for (size_t i = before_mails; i < s->nposts; i++)
		cr_expect(is_right(sound, s->posts[i]),
		          "%s, damage %llu: a wrong mail to %s:\n%s", file,
		          (unsigned long long)seed, s->posts[i]->who, s->posts[i]->text);
	missing -= missing < s->nposts ? missing : (unsigned)s->nposts;
	cr_expect(noticed || missing == 0, "%s, damage %llu: %u mails are missing, unnoticed",
	          file, (unsigned long long)seed, missing);
	out->noticed += noticed;
	out->harmless += !noticed;
	testbed_free(s);
}

Test(bit_rot, is_noticed_or_does_no_harm, .timeout = 900)
{
	struct testbed *before = testbed_in_mid_game(), *sound = testbed_clone(before);
	struct outcome o = {0};
	size_t before_mails = before->nposts;

	live_on(sound);
	for (uint64_t i = 0; i < DAMAGES; i++)
		try_damage(before, sound, before_mails, i * 7919 + 1, &o);
	printf("%u damages noticed, %u harmless\n", o.noticed, o.harmless);
	cr_expect_geq(o.noticed + o.harmless, DAMAGES);
	cr_expect_gt(o.noticed, DAMAGES / 4);
	cr_expect_gt(o.harmless, 0);
	testbed_free(before);
	testbed_free(sound);
}

/* ---- half pages as they were before ---- */

enum { HALF_PAGE = 4096 };

static void read_database(struct testbed *s, struct strbuf *out)
{
	char *path = testbed_path(s, files[0]);

	crowd_sql(s, "PRAGMA wal_checkpoint(TRUNCATE)");
	cr_assert_eq(file_read(path, 1 << 24, out, NULL), ERR_NONE);
	free(path);
}

static void write_half(const struct testbed *s, struct span old, size_t at)
{
	char *path = testbed_path(s, files[0]);
	int fd = open(path, O_RDWR);

	cr_assert_eq(pwrite(fd, old.ptr + at, HALF_PAGE, (off_t)at), HALF_PAGE);
	close(fd);
	free(path);
}

/* Up to the signature, whose numbers count mails: a person for whom a mail was forgotten has lost no orders. */
static size_t story_len(const struct post *p)
{
	const char *end = strstr(p->text, "\n-- \n");

	return end ? (size_t)(end - p->text) : strlen(p->text);
}

static bool tells_the_same(const struct testbed *sound, const struct post *p)
{
	for (size_t i = 0; i < sound->nposts; i++)
		if (strcmp(sound->posts[i]->message_id, p->message_id) == 0)
			return story_len(sound->posts[i]) == story_len(p) &&
			       strncmp(sound->posts[i]->text, p->text, story_len(p)) == 0;
	return false;
}

/* Reports of the turn that a sound server would have played otherwise. */
static unsigned wrong_reports(const struct testbed *s, const struct testbed *sound, size_t from)
{
	unsigned n = 0;

	for (size_t i = from; i < s->nposts; i++)
		n += strstr(s->posts[i]->subject, "[W1 turn 3]") != NULL &&
		     !tells_the_same(sound, s->posts[i]);
	return n;
}

/*
 * Orders for turn 2 come; then each half page that this changed is put back, one at a time, as by a disk that
 * has lost a write, and the deadline passes. How many of these disks had a turn played with other orders.
 */
static unsigned halves_put_back(bool counted, unsigned *halves)
{
	struct strbuf old = STRBUF_INIT, new = STRBUF_INIT;
	struct testbed *before, *sound;
	unsigned wrong = 0;

	testbed_use_memory();
	before = testbed_new("half pages");
	table_begin(before, "ann bob cleo");
	table_order(before, "ann bob cleo");
	testbed_run(before);
	if (!counted)
		crowd_sql(before, "UPDATE turns SET orders_sum = NULL");
	testbed_reply(before, "ann", "popup 2\nwhack 4");
	testbed_run(before);
	read_database(before, &old);
	testbed_reply(before, "ann", "popup 5\nwhack 1");
	testbed_reply(before, "bob", "popup 3\nwhack 2");
	testbed_run(before);
	read_database(before, &new);
	sound = testbed_clone(before);
	testbed_wait(sound, 4 * DAY_S);
	testbed_run(sound);
	cr_assert(testbed_find(sound, "ann", "[W1 turn 3]"));
	*halves = 0;
	for (size_t at = 0; at + HALF_PAGE <= old.len; at += HALF_PAGE) {
		struct testbed *s;
		struct ran r;

		if (memcmp(old.ptr + at, new.ptr + at, HALF_PAGE) == 0)
			continue;
		++*halves;
		s = testbed_clone(before);
		write_half(s, strbuf_span(&old), at);
		testbed_wait(s, 4 * DAY_S);
		testbed_do(s, "run", NULL, &r);
		ran_release(&r);
		testbed_collect(s);
		wrong += wrong_reports(s, sound, before->nposts) > 0;
		testbed_free(s);
	}
	strbuf_release(&old);
	strbuf_release(&new);
	testbed_free(sound);
	testbed_free(before);
	return wrong;
}

Test(bit_rot, half_pages_put_back_play_no_turn, .timeout = 300)
{
	unsigned halves, wrong = halves_put_back(false, &halves);

	printf("not counted: %u of %u half pages play a wrong turn\n", wrong, halves);
	cr_expect_gt(wrong, 0);
	wrong = halves_put_back(true, &halves);
	printf("counted: %u of %u\n", wrong, halves);
	cr_expect_eq(wrong, 0);
}

/* Who only reads is let pass by SQLite, and a run is not: fsck must not call that sound. */
Test(bit_rot, in_the_text_of_a_table_is_noticed)
{
	static const char condition[] = "(next_s >= 0)";
	struct testbed *s = testbed_in_mid_game();
	struct strbuf bytes = STRBUF_INIT;
	char *path = testbed_path(s, files[0]);
	int fd = open(path, O_RDWR);

	cr_assert(!is_noticed(s));
	cr_assert_eq(file_read(path, 1 << 24, &bytes, NULL), ERR_NONE);
	size_t at = span_find(strbuf_span(&bytes), span_of(condition));
	cr_assert_lt(at, bytes.len);
	cr_assert_eq(pwrite(fd, "X", 1, (off_t)at + 1), 1);
	close(fd);
	cr_expect(is_noticed(s));
	strbuf_release(&bytes);
	free(path);
	testbed_free(s);
}
