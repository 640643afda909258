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
