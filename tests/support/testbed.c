/*
 * testbed.c - a server's folder for tests: made, copied, and commands run in it.
 */
#include "tests/support/testbed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "processor/base/clock.h"
#include "processor/base/env.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/seal.h"
#include "tests/support/postgresql.h"
#include "tests/support/scratch.h"
#include "tests/support/testbed_parts.h"

enum { OUTPUT_MAX = 64 << 20, MOST_WORDS = 32, MOST_ENV = 256 };

static const char address[] = "moles@example.org";

char *testbed_path(const struct testbed *s, const char *name)
{
	return scratch_path(s->dir, name);
}

static char *program_path(void)
{
	const char *build = env_get("MOLEPOST_BUILD");
	char *name = scratch_path(build ? build : "build", "tests/molepost");
	char *whole = realpath(name, NULL);

	if (!whole)
		BUG("there is no %s (make %s)", name, name);
	free(name);
	return whole;
}

void testbed_use_memory(void)
{
	if (!env_get("TMPDIR") && access("/dev/shm", W_OK | X_OK) == 0)
		ENSURE(setenv("TMPDIR", "/dev/shm", 1) == 0);
}

struct testbed *testbed_new_empty(const char *seed)
{
	struct testbed *s = xcalloc(1, sizeof(*s));

	seal_start();
	s->scratch = scratch_new();
	s->dir = scratch_path(s->scratch, "play");
	s->program = program_path();
	s->seed = seed ? xstrdup(seed) : NULL;
	s->now_utc = TESTBED_BEGAN_UTC;
	strbuf_init(&s->complaints);
	return s;
}

void testbed_free(struct testbed *s)
{
	for (size_t i = 0; i < s->nposts; i++)
		post_free(s->posts[i]);
	free(s->posts);
	strbuf_release(&s->complaints);
	scratch_remove(s->scratch);
	if (s->store)
		postgresql_drop(s->store);
	free(s->store);
	free(s->dir);
	free(s->program);
	free(s->seed);
	free(s);
}

void testbed_wait(struct testbed *s, int64_t seconds)
{
	s->now_utc += seconds;
}

void testbed_configure(struct testbed *s, const char *line)
{
	char *path = testbed_path(s, "molepost.conf");
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "\n%s\n", line);
	ENSURE(fd >= 0 && file_write_fd(fd, strbuf_span(&text), NULL) == ERR_NONE);
	close(fd);
	strbuf_release(&text);
	free(path);
}

/* ---- copying ---- */

static void copy_file(const char *from, const char *to)
{
	struct strbuf bytes = STRBUF_INIT;
	struct timespec times[2];
	struct stat st;
	int fd;

	ENSURE(stat(from, &st) == 0 && file_read(from, OUTPUT_MAX, &bytes, NULL) == ERR_NONE);
	fd = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, st.st_mode & 0777);
	ENSURE(fd >= 0 && file_write_fd(fd, strbuf_span(&bytes), NULL) == ERR_NONE);
	times[0] = st.st_atim;
	times[1] = st.st_mtim;
	ENSURE(futimens(fd, times) == 0);
	close(fd);
	strbuf_release(&bytes);
}

static void copy_tree(const char *from, const char *to);

static void copy_entry(const char *from, const char *to, const char *name)
{
	char *source = scratch_path(from, name), *target = scratch_path(to, name);
	struct stat st;

	ENSURE(lstat(source, &st) == 0);
	if (S_ISDIR(st.st_mode))
		copy_tree(source, target);
	else
		copy_file(source, target);
	free(source);
	free(target);
}

static void copy_tree(const char *from, const char *to)
{
	size_t n;
	char **names = folder_names(from, &n);

	ENSURE(mkdir(to, 0700) == 0);
	for (size_t i = 0; i < n; i++) {
		copy_entry(from, to, names[i]);
		free(names[i]);
	}
	free(names);
}

/* ---- made once ---- */

/* Beside the program, under a name that changes when the program does. */
static char *kept_path(const struct testbed *s, const char *name)
{
	struct strbuf path = STRBUF_INIT;
	struct stat st;

	ENSURE(stat(s->program, &st) == 0);
	strbuf_addf(&path, "%s.begun", s->program);
	ENSURE(mkdir(path.ptr, 0700) == 0 || errno == EEXIST);
	strbuf_addf(&path, "/%s=%lld.%09ld", name, (long long)st.st_mtim.tv_sec,
	            st.st_mtim.tv_nsec);
	return strbuf_detach(&path);
}

/*
 * init takes most of the time of a short test, and makes the same folder from the same seed. So it is kept, one
 * for each seed. NULL: not this one; seeds with digits are drawn, and would be many.
 */
static char *begun_path(const struct testbed *s)
{
	return !s->seed || on_postgresql() || strpbrk(s->seed, "0123456789/")
	           ? NULL
	           : kept_path(s, s->seed);
}

/* Several tests may do so at once; the first one counts. Those of older programs go. */
static void keep_begun(const struct testbed *s, const char *path)
{
	struct strbuf mine = STRBUF_INIT, folder = STRBUF_INIT;
	const char *name = strrchr(path, '/') + 1;
	size_t n, seed_len = strcspn(name, "=") + 1;
	char **names;

	strbuf_addf(&folder, "%.*s", (int)(name - 1 - path), path);
	names = folder_names(folder.ptr, &n);
	for (size_t i = 0; i < n; i++) {
		if (strncmp(names[i], name, seed_len) == 0 && strcmp(names[i], name) != 0 &&
		    !strchr(names[i], '+'))
			scratch_remove(scratch_path(folder.ptr, names[i]));
		free(names[i]);
	}
	free(names);
	strbuf_addf(&mine, "%s+%ld", path, (long)getpid());
	copy_tree(s->dir, mine.ptr);
	if (rename(mine.ptr, path) != 0)
		scratch_remove(strbuf_detach(&mine));
	strbuf_release(&mine);
	strbuf_release(&folder);
}

struct testbed *testbed_new(const char *seed)
{
	struct testbed *s = testbed_new_empty(seed);
	const char *argv[] = {"init", s->dir, "--address", address, NULL, NULL, NULL};
	char *begun = begun_path(s);
	struct ran r;

	if (begun && access(begun, R_OK) == 0) {
		copy_tree(begun, s->dir);
		free(begun);
		return s;
	}
	if (on_postgresql()) {
		s->store = postgresql_new();
		argv[4] = "--store";
		argv[5] = s->store;
	}
	testbed_exec(s, argv, NULL, &r);
	if (r.code != 0)
		BUG("init: %s", r.err.ptr);
	ran_release(&r);
	if (begun)
		keep_begun(s, begun);
	free(begun);
	return s;
}

char *testbed_use_store(struct testbed *s, char *store)
{
	char *path = testbed_path(s, "molepost.conf"), *before = s->store;
	struct strbuf text = STRBUF_INIT, other = STRBUF_INIT;
	struct span rest, line;

	ENSURE(file_read(path, OUTPUT_MAX, &text, NULL) == ERR_NONE);
	rest = strbuf_span(&text);
	while (span_next_line(&rest, &line))
		if (!span_starts(line, "store = "))
			strbuf_addf(&other, "%.*s\n", SPAN_ARGS(line));
	if (store)
		strbuf_addf(&other, "store = %s\n", store);
	ENSURE(file_replace(path, strbuf_span(&other), NULL) == ERR_NONE);
	s->store = store;
	strbuf_release(&text);
	strbuf_release(&other);
	free(path);
	return before;
}

struct testbed *testbed_clone(const struct testbed *s)
{
	struct testbed *copy = testbed_new_empty(s->seed);

	copy_tree(s->dir, copy->dir);
	if (s->store)
		free(testbed_use_store(copy, postgresql_copy(s->store)));
	free(copy->program);
	copy->program = xstrdup(s->program);
	copy->now_utc = s->now_utc;
	copy->written = s->written;
	copy->extra_env = s->extra_env;
	copy->posts = xgrow(NULL, &copy->cap_posts, s->nposts + 1, sizeof(*copy->posts));
	for (size_t i = 0; i < s->nposts; i++)
		copy->posts[copy->nposts++] = post_copy(s->posts[i]);
	return copy;
}

void testbed_keep(const struct testbed *s, const char *name, struct span more)
{
	struct testbed *copy = testbed_clone(s);
	struct strbuf state = STRBUF_INIT;
	char *path = kept_path(s, name), *file;

	posts_write(s, copy->dir);
	strbuf_addf(&state, "%lld %u\n%.*s", (long long)s->now_utc, s->written,
	            SPAN_ARGS(more));
	file = testbed_path(copy, "kept");
	ENSURE(file_create(file, strbuf_span(&state), NULL) == ERR_NONE);
	free(file);
	keep_begun(copy, path);
	free(path);
	testbed_free(copy);
	strbuf_release(&state);
}

struct testbed *testbed_kept(const char *seed, const char *name, struct strbuf *more)
{
	struct testbed *s = testbed_new_empty(seed);
	char *path = kept_path(s, name), *file = testbed_path(s, "kept"), *end;
	struct strbuf state = STRBUF_INIT;

	if (access(path, R_OK) == 0) {
		copy_tree(path, s->dir);
		ENSURE(file_read(file, OUTPUT_MAX, &state, NULL) == ERR_NONE &&
		       unlink(file) == 0);
		s->now_utc = strtoll(state.ptr, &end, 10);
		s->written = (unsigned)strtoul(end, &end, 10);
		strbuf_adds(more, end + 1);
		posts_read(s);
	} else {
		testbed_free(s);
		s = NULL;
	}
	strbuf_release(&state);
	free(file);
	free(path);
	return s;
}

/* ---- commands ---- */

extern char **environ;

struct environment {
	const char *items[MOST_ENV];
	size_t n;
	struct strbuf clock, seed;
};

static void env_add(struct environment *e, const char *item)
{
	ENSURE(e->n + 1 < MOST_ENV);
	e->items[e->n++] = item;
	e->items[e->n] = NULL;
}

static void env_add_all(struct environment *e, const char *const items[])
{
	for (size_t i = 0; items && items[i]; i++)
		env_add(e, items[i]);
}

/* The caller's environment without what would steer the program under test. */
static void make_environment(const struct testbed *s, const char *const env[],
                             struct environment *e)
{
	*e = (struct environment){.clock = STRBUF_INIT, .seed = STRBUF_INIT};
	for (char **item = environ; *item; item++)
		if (strncmp(*item, "MOLEPOST_", 9) != 0 &&
		    strncmp(*item, "LD_PRELOAD=", 11) != 0)
			env_add(e, *item);
	if (s->now_utc != INT64_MIN) {
		strbuf_adds(&e->clock, "MOLEPOST_TEST_NOW=");
		utc_format_iso(&e->clock, s->now_utc);
		env_add(e, e->clock.ptr);
	}
	if (s->seed) {
		strbuf_addf(&e->seed, "MOLEPOST_TEST_SEED=%s", s->seed);
		env_add(e, e->seed.ptr);
	}
	env_add_all(e, s->extra_env);
	env_add_all(e, env);
}

static void redirect(const struct testbed *s, const char *name, int to)
{
	char *path = scratch_path(s->scratch, name);
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || dup2(fd, to) < 0)
		_exit(126);
	free(path);
}

static _Noreturn void become(const struct testbed *s, const char *const argv[],
                             const char *const env[])
{
	int in = open(s->input ? s->input : "/dev/null", O_RDONLY | O_CLOEXEC);

	redirect(s, "stdout", STDOUT_FILENO);
	redirect(s, "stderr", STDERR_FILENO);
	if (in < 0 || dup2(in, STDIN_FILENO) < 0)
		_exit(126);
	/* POSIX has it without const for no reason of today. */
	execve(s->program, (char *const *)(uintptr_t)argv, (char *const *)(uintptr_t)env);
	_exit(127);
}

pid_t testbed_start(struct testbed *s, const char *const argv[], const char *const env[])
{
	const char *all[MOST_WORDS] = {s->program, "-C", s->dir};
	struct environment e;
	size_t n = 3;
	pid_t pid;

	if (strcmp(argv[0], "init") == 0)
		n = 1;
	for (size_t i = 0; argv[i]; i++) {
		ENSURE(n + 1 < MOST_WORDS);
		all[n++] = argv[i];
	}
	all[n] = NULL;
	make_environment(s, env, &e);
	pid = fork();
	ENSURE(pid >= 0);
	if (pid == 0)
		become(s, all, e.items);
	strbuf_release(&e.clock);
	strbuf_release(&e.seed);
	return pid;
}

static void read_output(const struct testbed *s, const char *name, struct strbuf *out)
{
	char *path = scratch_path(s->scratch, name);

	strbuf_init(out);
	/* A process killed at once has opened nothing yet. */
	if (file_exists(path))
		ENSURE(file_read(path, OUTPUT_MAX, out, NULL) == ERR_NONE);
	unlink(path);
	free(path);
}

static long microseconds(const struct timeval *t)
{
	return (long)t->tv_sec * 1000000 + (long)t->tv_usec;
}

void testbed_finish(struct testbed *s, pid_t pid, struct ran *out)
{
	struct rusage used;
	int status;

	while (wait4(pid, &status, 0, &used) < 0)
		ENSURE(errno == EINTR);
	*out = (struct ran){.code = -1};
	if (WIFEXITED(status))
		out->code = WEXITSTATUS(status);
	else
		out->signal = WTERMSIG(status);
	if (out->code == 126 || out->code == 127)
		BUG("%s does not start", s->program);
	out->cpu_us = microseconds(&used.ru_utime) + microseconds(&used.ru_stime);
	out->peak_kb = used.ru_maxrss;
	read_output(s, "stdout", &out->out);
	read_output(s, "stderr", &out->err);
}

void testbed_exec(struct testbed *s, const char *const argv[], const char *const env[],
                  struct ran *out)
{
	testbed_finish(s, testbed_start(s, argv, env), out);
}

void testbed_do(struct testbed *s, const char *words, const char *const env[], struct ran *out)
{
	struct span rest = span_of(words), word;
	char *argv[MOST_WORDS] = {NULL};
	size_t n = 0;

	while (span_next_word(&rest, "", &word)) {
		ENSURE(n + 1 < MOST_WORDS);
		argv[n++] = strndup(word.ptr, word.len);
	}
	testbed_exec(s, (const char *const *)argv, env, out);
	for (size_t i = 0; i < n; i++)
		free(argv[i]);
}

void ran_release(struct ran *r)
{
	strbuf_release(&r->out);
	strbuf_release(&r->err);
}

size_t testbed_run_noting(struct testbed *s)
{
	struct ran r;

	testbed_do(s, "run", NULL, &r);
	if (r.code != 0 || r.out.len > 0 || r.err.len > 0)
		strbuf_addf(&s->complaints, "run ended with %d (signal %d) and said: %s%s\n",
		            r.code, r.signal, r.out.ptr, r.err.ptr);
	ran_release(&r);
	return testbed_collect(s);
}

size_t testbed_run(struct testbed *s)
{
	size_t n = testbed_run_noting(s);

	if (s->complaints.len > 0)
		BUG("%s", s->complaints.ptr);
	return n;
}

/* The wait before a mail of unknown fate is tried again is 15 minutes (send.c). */
void testbed_settle(struct testbed *s)
{
	enum { MOST_ROUNDS = 20 };

	testbed_run(s);
	for (unsigned i = 0; i < MOST_ROUNDS; i++) {
		testbed_wait(s, 15 * 60);
		if (testbed_run(s) == 0)
			return;
	}
	BUG("mails came out of every one of %d runs", MOST_ROUNDS);
}

/* ---- the record ---- */

static void run_and_take(struct testbed *s, const char *words, struct strbuf *out)
{
	struct ran r;

	testbed_do(s, words, NULL, &r);
	if (r.code != 0)
		BUG("%s ended with %d (signal %d): %s", words, r.code, r.signal, r.err.ptr);
	strbuf_add_span(out, strbuf_span(&r.out));
	ran_release(&r);
}

void testbed_archive(struct testbed *s, const char *game, struct strbuf *out)
{
	struct strbuf words = STRBUF_INIT;

	strbuf_addf(&words, "archive %s", game);
	run_and_take(s, words.ptr, out);
	strbuf_release(&words);
}

int testbed_verify(struct testbed *s, struct span archive)
{
	char *path = scratch_path(s->scratch, "archive.txt");
	const char *argv[] = {"verify", path, NULL};
	struct ran r;

	unlink(path);
	ENSURE(file_create(path, archive, NULL) == ERR_NONE);
	testbed_exec(s, argv, NULL, &r);
	ran_release(&r);
	free(path);
	return r.code;
}

void testbed_dump(struct testbed *s, struct strbuf *out)
{
	struct testbed *copy;
	struct ran r;

	testbed_do(s, "test-dump", NULL, &r);
	if (r.code == 0) {
		strbuf_add_span(out, strbuf_span(&r.out));
	} else {
		copy = testbed_clone(s);
		run_and_take(copy, "test-dump --log-it", out);
		testbed_free(copy);
	}
	ran_release(&r);
}
