/*
 * subprocess.c - one child, two pipes, one clock.
 */
#define _GNU_SOURCE /* pipe2, closefrom */
#include "processor/base/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "processor/base/clock.h"

extern char **environ;

enum { PIECE = 4096, PATIENCE_MS = 10 };

struct child {
	pid_t pid;
	int in, out; /* our ends; -1 when closed */
	int64_t end_ms;
};

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Close-on-exec, and ours never blocks. */
static enum err make_pipe(int ends[2], int ours, struct failure *e)
{
	if (pipe2(ends, O_CLOEXEC) != 0)
		return err_set_errno(e, ERR_IO, "cannot make a pipe");
	if (fcntl(ends[ours], F_SETFL, O_NONBLOCK) != 0)
		return err_set_errno(e, ERR_IO, "cannot set up a pipe");
	return ERR_NONE;
}

static int spawn(const char *const argv[], int in, int out, pid_t *pid)
{
	posix_spawn_file_actions_t acts;
	posix_spawnattr_t attr;
	sigset_t none, usual;
	int rc;

	sigemptyset(&none);
	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	sigaddset(&usual, SIGXFSZ);
	posix_spawn_file_actions_init(&acts);
	posix_spawnattr_init(&attr);
	posix_spawn_file_actions_adddup2(&acts, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&acts, out, STDOUT_FILENO);
	posix_spawn_file_actions_addclosefrom_np(&acts, STDERR_FILENO + 1);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &usual);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
	                                    POSIX_SPAWN_SETSIGDEF);
	rc = posix_spawnp(pid, argv[0], &acts, &attr, (char *const *)(void *)argv, environ);
	posix_spawn_file_actions_destroy(&acts);
	posix_spawnattr_destroy(&attr);
	return rc;
}

static enum err start(struct child *c, const char *const argv[], struct failure *e)
{
	int in[2] = {-1, -1}, out[2] = {-1, -1}, rc = 0;
	enum err err = make_pipe(in, 1, e);

	if (err == ERR_NONE)
		err = make_pipe(out, 0, e);
	if (err == ERR_NONE)
		rc = spawn(argv, in[0], out[1], &c->pid);
	c->in = in[1];
	c->out = out[0];
	close_end(&in[0]);
	close_end(&out[1]);
	if (err == ERR_NONE && rc != 0) {
		errno = rc;
		err = err_set_errno(e, rc == ENOENT ? ERR_NOT_FOUND : ERR_IO, "cannot run %s",
		                    argv[0]);
	}
	if (err != ERR_NONE) {
		close_end(&c->in);
		close_end(&c->out);
	}
	return err;
}

/* A child that closes its input early has heard enough. */
static void feed(struct child *c, struct span *in)
{
	ssize_t n = in->len ? write(c->in, in->ptr, in->len) : 0;

	if (n > 0)
		*in = span_slice(*in, (size_t)n, in->len);
	if (in->len == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		close_end(&c->in);
}

static void listen_to(struct child *c, size_t max, struct strbuf *out)
{
	char piece[PIECE];
	ssize_t n = read(c->out, piece, sizeof(piece));
	size_t room = out->len < max ? max - out->len : 0;

	if (n > 0)
		strbuf_add(out, piece, (size_t)n < room ? (size_t)n : room);
	else if (n == 0 || (errno != EAGAIN && errno != EINTR))
		close_end(&c->out);
}

static int left_ms(const struct child *c)
{
	int64_t left = c->end_ms - clock_monotonic_ms();

	return left > 0 ? (int)left : 0;
}

/* Until its output ends. False when the time is over. */
static bool talk(struct child *c, struct span in, size_t max, struct strbuf *out)
{
	while (c->out >= 0) {
		struct pollfd fds[2] = {{c->out, POLLIN, 0}, {c->in, POLLOUT, 0}};
		int n = poll(fds, 2, left_ms(c));

		if (n == 0 || (n < 0 && errno != EINTR))
			return false;
		if (n > 0 && fds[1].revents)
			feed(c, &in);
		if (n > 0 && fds[0].revents)
			listen_to(c, max, out);
	}
	close_end(&c->in);
	return true;
}

/* Waits for its end, looking again and again: it may have closed its output long before. */
static bool reap(const struct child *c, int *status)
{
	for (;;) {
		pid_t pid = waitpid(c->pid, status, WNOHANG);

		if (pid == c->pid)
			return true;
		if ((pid < 0 && errno != EINTR) || left_ms(c) == 0)
			return false;
		poll(NULL, 0, PATIENCE_MS);
	}
}

static void kill_group(const struct child *c)
{
	int status;

	kill(-c->pid, SIGKILL);
	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		;
}

enum err subprocess_run(const char *const argv[], struct span in, size_t max, int timeout_ms,
                        struct strbuf *out, int *code, struct failure *e)
{
	struct child c = {.end_ms = clock_monotonic_ms() + timeout_ms};
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
	size_t start_len = out->len;
	int status = 0;
	enum err err = start(&c, argv, e);

	if (err != ERR_NONE)
		return err;
	sigemptyset(&ignore.sa_mask);
	sigaction(SIGPIPE, &ignore, &before);
	if (!talk(&c, in, start_len + max, out) || !reap(&c, &status)) {
		kill_group(&c);
		err = err_set(e, ERR_TIMEOUT, "%s did not end within %d seconds", argv[0],
		              timeout_ms / 1000);
	}
	sigaction(SIGPIPE, &before, NULL);
	close_end(&c.in);
	close_end(&c.out);
	*code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	return err;
}
