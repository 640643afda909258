/*
 * child.c - disposable processes: starting and ending them, their limits, their requests.
 */
#define _GNU_SOURCE /* pipe2, F_SETPIPE_SZ, MSG_CMSG_CLOEXEC */
#include "mail/child/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mail/child/packet.h"
#include "processor/base/sanitized.h"
#include "processor/base/seal.h"
#include "processor/base/step.h"

extern char **environ;

enum {
	PIPE_BYTES = 1 << 20, /* work that can wait while the parent does its own */
	LAST_WORDS = 1024,
	READ_AT_ONCE = 64 * 1024,
	OPEN_FILES = 64,
	KEPT_VARIABLES = 64,
	REQUEST_MAX = 64 << 20
};
#define MEMORY_BYTES ((rlim_t)768 << 20)

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Made so that dup2 in the child never meets one of them under a number it is about to fill. */
static bool make_pipe(int ends[2], bool is_socket)
{
	int i, high;

	if ((is_socket ? socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)
	               : pipe2(ends, O_CLOEXEC)) != 0) {
		ends[0] = ends[1] = -1;
		return false;
	}
	for (i = 0; i < 2; i++) {
		if (ends[i] > STDERR_FILENO)
			continue;
		high = fcntl(ends[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		close(ends[i]);
		ends[i] = high;
		if (high < 0)
			return false;
	}
	return true;
}

/* Tests steer a child by what only their hooks look at, and the sanitizers by their options. */
static bool is_kept(const char *variable)
{
	return (step_hooks && step_hooks->is_kept(variable)) ||
	       (IS_SANITIZED && strstr(variable, "SAN_OPTIONS=") != NULL);
}

/* pipes[0] is its standard input, [1] its output, [2] its errors. 0, or an errno. */
static int spawn(struct child *c, const char *exe, const char *command, const char *argument,
                 int pipes[3][2])
{
	const char *const argv[] = {"molepost", command, argument, NULL};
	char *env[KEPT_VARIABLES + 1] = {NULL};
	size_t n = 0;
	posix_spawn_file_actions_t acts;
	posix_spawnattr_t attr;
	sigset_t none, restored;
	int r;

	for (char **v = environ; *v && n < KEPT_VARIABLES; v++)
		if (is_kept(*v))
			env[n++] = *v;
	posix_spawn_file_actions_init(&acts);
	posix_spawnattr_init(&attr);
	posix_spawn_file_actions_adddup2(&acts, pipes[0][0], STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&acts, pipes[1][1], STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&acts, pipes[2][1], STDERR_FILENO);
	posix_spawn_file_actions_addclosefrom_np(&acts, STDERR_FILENO + 1);
	sigemptyset(&none);
	sigemptyset(&restored);
	sigaddset(&restored, SIGPIPE);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &restored);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	r = posix_spawn(&c->pid, exe, &acts, &attr, (char **)argv, env);
	if (r != 0)
		c->pid = 0;
	posix_spawn_file_actions_destroy(&acts);
	posix_spawnattr_destroy(&attr);
	return r;
}

/* Our end never blocks. A larger pipe is a favour the kernel may refuse. */
static int keep_end(int *end)
{
	int fd = *end;

	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	*end = -1;
	return fd;
}

enum err child_start(struct child *c, const char *exe, const char *command,
                     const char *argument, struct failure *e)
{
	int pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
	enum err r = ERR_NONE;
	int cause;

	if (!exe)
		exe = "/proc/self/exe";
	if (!make_pipe(pipes[0], true) || !make_pipe(pipes[1], false) ||
	    !make_pipe(pipes[2], false)) {
		r = err_set_errno(e, ERR_IO, "cannot make a pipe for %s", command);
		goto out;
	}
	cause = spawn(c, exe, command, argument, pipes);
	if (cause != 0) {
		errno = cause;
		r = err_set_errno(e, ERR_IO, "cannot start %s %s", exe, command);
		goto out;
	}
	c->to = keep_end(&pipes[0][1]);
	c->from = keep_end(&pipes[1][0]);
	c->errors = keep_end(&pipes[2][0]);
	fcntl(c->from, F_SETPIPE_SZ, PIPE_BYTES);
out:
	for (size_t i = 0; i < 6; i++)
		close_fd(&pipes[i / 2][i % 2]);
	return r;
}

void child_end(struct child *c, int patience_ms)
{
	struct pollfd gone = {.fd = c->from, .events = 0};
	int status;

	secret_release(&c->answers.in);
	c->answers.taken = 0;
	strbuf_release(&c->last_words);
	if (c->pid == 0)
		return;
	close_fd(&c->to);
	if (patience_ms > 0)
		poll(&gone, 1, patience_ms);
	kill(c->pid, SIGKILL);
	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		;
	close_fd(&c->from);
	close_fd(&c->errors);
	c->pid = 0;
}

void child_drain_errors(struct child *c)
{
	char bytes[4096];
	ssize_t n;

	while (c->errors >= 0 && (n = read(c->errors, bytes, sizeof(bytes))) != 0) {
		size_t room = LAST_WORDS - c->last_words.len;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return;
		strbuf_add(&c->last_words, bytes, (size_t)n < room ? (size_t)n : room);
	}
	close_fd(&c->errors);
}

void child_add_last_words(struct child *c, struct failure *e)
{
	child_drain_errors(c);
	if (e && c->last_words.len > 0)
		strbuf_addf(&e->text, ": %.*s",
		            SPAN_ARGS(span_trim(strbuf_span(&c->last_words))));
}

ssize_t child_read(int fd, struct strbuf *to, size_t max)
{
	ssize_t n;

	strbuf_grow(to, max);
	do
		n = read(fd, to->ptr + to->len, max);
	while (n < 0 && errno == EINTR);
	if (n > 0)
		to->len += (size_t)n;
	to->ptr[to->len] = '\0';
	return n;
}

/* Room for one descriptor, aligned as the kernel wants it. */
union rights {
	struct cmsghdr head;
	char bytes[CMSG_SPACE(sizeof(int))];
};

ssize_t child_send(int socket, struct span bytes, int fd)
{
	struct iovec iov = {.iov_base = (char *)bytes.ptr, .iov_len = bytes.len};
	union rights rights = {.head = {.cmsg_len = CMSG_LEN(sizeof(int)),
	                                .cmsg_level = SOL_SOCKET,
	                                .cmsg_type = SCM_RIGHTS}};
	struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};
	ssize_t n;

	if (fd >= 0) {
		memcpy(CMSG_DATA(&rights.head), &fd, sizeof(fd));
		msg.msg_control = &rights;
		msg.msg_controllen = sizeof(rights);
	}
	do
		n = sendmsg(socket, &msg, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n;
}

ssize_t child_receive(int socket, void *to, size_t max, int *fd)
{
	struct iovec iov = {.iov_base = to, .iov_len = max};
	union rights rights = {.bytes = {0}};
	struct msghdr msg = {.msg_iov = &iov,
	                     .msg_iovlen = 1,
	                     .msg_control = &rights,
	                     .msg_controllen = sizeof(rights)};
	const struct cmsghdr *came;
	ssize_t n;

	do
		n = recvmsg(socket, &msg, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	*fd = -1;
	came = n > 0 ? CMSG_FIRSTHDR(&msg) : NULL;
	if (came && came->cmsg_type == SCM_RIGHTS && came->cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(fd, CMSG_DATA(came), sizeof(*fd));
	return n;
}

/* ---- in the child ---- */

static void limit(__rlimit_resource_t what, rlim_t most, bool for_good)
{
	struct rlimit r;

	if (getrlimit(what, &r) != 0)
		return;
	if (r.rlim_max != RLIM_INFINITY && most > r.rlim_max)
		most = r.rlim_max;
	r.rlim_cur = most;
	if (for_good)
		r.rlim_max = most;
	setrlimit(what, &r);
}

void child_limit(__rlimit_resource_t what, rlim_t most)
{
	limit(what, most, true);
}

void child_limit_for_now(__rlimit_resource_t what, rlim_t most)
{
	limit(what, most, false);
}

void child_limit_memory(rlim_t bytes)
{
	if (!IS_SANITIZED)
		child_limit(RLIMIT_AS, bytes);
	child_limit(RLIMIT_CORE, 0);
}

void requests_answer(struct span bytes)
{
	while (bytes.len > 0) {
		ssize_t n = write(STDOUT_FILENO, bytes.ptr, bytes.len);

		if (n < 0 && errno != EINTR)
			_exit(EXIT_LATER);
		if (n > 0)
			bytes = span_slice(bytes, (size_t)n, bytes.len);
	}
}

/* A server that promises a huge text costs this process only. */
void requests_serve(const struct requests_served *s)
{
	struct packet_stream stream = {.in = STRBUF_INIT};
	int socket = -1;
	bool bad = false;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	child_limit_memory(MEMORY_BYTES);
	child_limit(RLIMIT_NOFILE, OPEN_FILES);
	seal_start();
	while (!bad) {
		struct span request;
		int came;
		ssize_t n;

		if (packet_stream_next(&stream, REQUEST_MAX, &request, &bad)) {
			s->answer(s->ctx, request, &socket);
			stream.taken += sizeof(uint32_t) + request.len;
			continue;
		}
		packet_stream_forget(&stream);
		s->wait(s->ctx);
		strbuf_grow(&stream.in, READ_AT_ONCE);
		n = child_receive(STDIN_FILENO, stream.in.ptr + stream.in.len, READ_AT_ONCE,
		                  &came);
		if (n <= 0)
			break;
		if (came >= 0)
			socket = came;
		stream.in.len += (size_t)n;
	}
	secret_release(&stream.in);
}
