/*
 * break_out.c - attempts, as bare system calls: what libc would make of them is no wall.
 */
#define _GNU_SOURCE /* CLONE_*, struct open_how */
#include "tests/support/break_out.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "processor/base/err.h"
#include "processor/base/num.h"
#include "processor/base/strbuf.h"

struct target {
	char key[512], database[512], made[512], made_folder[512], moved[512], memory[64],
	    variables[64], starters_memory[64];
	uint16_t port;
	pid_t pid, starter; /* 0: there is none */
};

struct attempts {
	unsigned tried;
	struct strbuf through;
};

static void tried(struct attempts *t, const char *what, long result)
{
	t->tried++;
	if (result != -1)
		strbuf_addf(&t->through, " %s", what);
}

#define TRY_CALL(t, what, ...) tried(t, what, syscall(__VA_ARGS__))
/* What is opened is closed again, so that the limit of open files does not hide what follows. */
#define TRY_OPEN(t, what, ...) tried_to_open(t, what, syscall(__VA_ARGS__))

static void tried_to_open(struct attempts *t, const char *what, long fd)
{
	tried(t, what, fd);
	if (fd >= 0)
		close((int)fd);
}

static void try_files(struct attempts *t, const struct target *at)
{
	TRY_OPEN(t, "read-key", SYS_openat, AT_FDCWD, at->key, O_RDONLY);
	TRY_OPEN(t, "read-database", SYS_openat, AT_FDCWD, at->database, O_RDONLY);
	TRY_OPEN(t, "write-database", SYS_openat, AT_FDCWD, at->database, O_RDWR);
	TRY_CALL(t, "rename-database", SYS_renameat, AT_FDCWD, at->database, AT_FDCWD,
	         at->moved);
	TRY_CALL(t, "remove-database", SYS_unlinkat, AT_FDCWD, at->database, 0);
	TRY_CALL(t, "shorten-database", SYS_truncate, at->database, 0L);
	TRY_CALL(t, "link-key", SYS_linkat, AT_FDCWD, at->key, AT_FDCWD, at->made, 0);
	TRY_CALL(t, "open-key-up", SYS_fchmodat, AT_FDCWD, at->key, 0666);
	TRY_OPEN(t, "create-file", SYS_openat, AT_FDCWD, at->made, O_CREAT | O_WRONLY, 0600);
	TRY_CALL(t, "create-folder", SYS_mkdirat, AT_FDCWD, at->made_folder, 0700);
	TRY_OPEN(t, "create-file-in-tmp", SYS_openat, AT_FDCWD, "/tmp", O_TMPFILE | O_RDWR,
	         0600);
	TRY_OPEN(t, "read-passwd", SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY);
}

static void try_network(struct attempts *t, const struct target *at)
{
	struct sockaddr_in peer = {.sin_family = AF_INET,
	                           .sin_port = htons(at->port),
	                           .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct sockaddr_in any = {.sin_family = AF_INET};
	long fd = syscall(SYS_socket, AF_INET, SOCK_STREAM, 0);
	long other = syscall(SYS_socket, AF_INET, SOCK_STREAM, 0);

	TRY_CALL(t, "connect", SYS_connect, fd, &peer, sizeof(peer));
	TRY_CALL(t, "connect-by-sending", SYS_sendto, fd, "x", 1L, MSG_FASTOPEN, &peer,
	         sizeof(peer));
	TRY_CALL(t, "bind", SYS_bind, other, &any, sizeof(any));
	TRY_CALL(t, "listen", SYS_listen, other, 1);
	close((int)fd);
	close((int)other);
	TRY_OPEN(t, "tcp-socket", SYS_socket, AF_INET, SOCK_STREAM, 0);
	TRY_OPEN(t, "tcp6-socket", SYS_socket, AF_INET6, SOCK_STREAM, 0);
	TRY_OPEN(t, "udp-socket", SYS_socket, AF_INET, SOCK_DGRAM, 0);
	/* One that it has for its server, connected to somebody else; zeros undo a connection. */
	for (int open = 0; open < 16; open++)
		if (syscall(SYS_connect, open, &(struct sockaddr){0},
		            sizeof(struct sockaddr)) == 0 ||
		    syscall(SYS_connect, open, &peer, sizeof(peer)) == 0)
			strbuf_addf(&t->through, " reconnect-%d", open);
	t->tried++;
	TRY_OPEN(t, "unix-socket", SYS_socket, AF_UNIX, SOCK_STREAM, 0);
	TRY_OPEN(t, "netlink-socket", SYS_socket, AF_NETLINK, SOCK_RAW, 0);
	TRY_OPEN(t, "packet-socket", SYS_socket, AF_PACKET, SOCK_RAW, 0);
}

/* In a child that should not exist nothing more is tried. */
static long leave_if_child(long pid)
{
	if (pid == 0)
		_exit(0);
	return pid;
}

static void try_processes(struct attempts *t, const struct target *at)
{
	static const char *const argv[] = {"sh", "-c", "exit 0", NULL};
	char byte;
	struct iovec here = {&byte, 1}, there = {(void *)(uintptr_t)0x400000, 1};
	struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};

#ifdef SYS_fork
	tried(t, "fork", leave_if_child(syscall(SYS_fork)));
#endif
	tried(t, "clone", leave_if_child(syscall(SYS_clone, SIGCHLD, 0L, 0L, 0L, 0L)));
	TRY_CALL(t, "execveat", SYS_execveat, -1, "", argv, NULL, 0);
	TRY_CALL(t, "kill", SYS_kill, at->pid, 0);
	TRY_CALL(t, "tgkill", SYS_tgkill, at->pid, at->pid, 0);
	TRY_CALL(t, "queue-signal", SYS_rt_sigqueueinfo, at->pid, 0, NULL);
	TRY_CALL(t, "ptrace", SYS_ptrace, PTRACE_SEIZE, at->pid, 0L, 0L);
	TRY_OPEN(t, "open-memory", SYS_openat, AT_FDCWD, at->memory, O_RDWR);
	TRY_CALL(t, "read-memory", SYS_process_vm_readv, at->pid, &here, 1L, &there, 1L, 0L);
	TRY_CALL(t, "write-memory", SYS_process_vm_writev, at->pid, &here, 1L, &there, 1L, 0L);
	TRY_OPEN(t, "read-environment", SYS_openat, AT_FDCWD, at->variables, O_RDONLY);
	TRY_OPEN(t, "open-process", SYS_pidfd_open, at->pid, 0);
	TRY_CALL(t, "limit-parent", SYS_prlimit64, at->pid, RLIMIT_CPU, &none, NULL);
	TRY_CALL(t, "nice-parent", SYS_setpriority, PRIO_PROCESS, at->pid, 1);
}

/*
 * The process that has forked this one, and with it those that read the other mails: it is tried to read
 * and change it, to end it, and to have what it alone can have.
 */
static void try_starter(struct attempts *t, const struct target *at)
{
	char byte;
	struct iovec here = {&byte, 1}, there = {&byte, 1};
	struct msghdr msg = {.msg_iov = &here, .msg_iovlen = 1};

	TRY_CALL(t, "read-memory-of-starter", SYS_process_vm_readv, at->starter, &here, 1L,
	         &there, 1L, 0L);
	TRY_CALL(t, "write-memory-of-starter", SYS_process_vm_writev, at->starter, &here, 1L,
	         &there, 1L, 0L);
	TRY_OPEN(t, "open-memory-of-starter", SYS_openat, AT_FDCWD, at->starters_memory,
	         O_RDWR);
	TRY_CALL(t, "kill-starter", SYS_kill, at->starter, 0);
	TRY_CALL(t, "tgkill-starter", SYS_tgkill, at->starter, at->starter, 0);
	TRY_OPEN(t, "open-starter", SYS_pidfd_open, at->starter, 0);
	TRY_CALL(t, "ptrace-starter", SYS_ptrace, PTRACE_SEIZE, at->starter, 0L, 0L);
	TRY_CALL(t, "receive-socket", SYS_recvmsg, STDIN_FILENO, &msg, MSG_DONTWAIT);
	TRY_CALL(t, "send-socket", SYS_sendmsg, STDOUT_FILENO, &msg, 0);
	TRY_CALL(t, "outlive-starter", SYS_prctl, PR_SET_PDEATHSIG, 0L);
	/* Standard descriptors are its own; none else is open. */
	for (int fd = STDERR_FILENO + 1; fd < 64; fd++)
		if (syscall(SYS_fstat, fd, &(struct stat){0}) == 0)
			strbuf_addf(&t->through, " descriptor-%d", fd);
	t->tried++;
}

static void try_limits(struct attempts *t)
{
	struct rlimit more = {RLIM_INFINITY, RLIM_INFINITY};

	tried(t, "memory",
	      (long)mmap(NULL, (size_t)2 << 30, PROT_READ | PROT_WRITE,
	                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	TRY_CALL(t, "raise-limit", SYS_prlimit64, 0, RLIMIT_FSIZE, &more, NULL);
}

static void try_the_rest(struct attempts *t)
{
	TRY_CALL(t, "unshare", SYS_unshare, CLONE_NEWUSER);
	TRY_CALL(t, "mount", SYS_mount, "none", "/tmp", "tmpfs", 0L, NULL);
	TRY_CALL(t, "chroot", SYS_chroot, "/");
	TRY_CALL(t, "setuid", SYS_setuid, 0);
	TRY_CALL(t, "bpf", SYS_bpf, 0, NULL, 0);
	TRY_OPEN(t, "io-uring", SYS_io_uring_setup, 1, NULL);
	TRY_CALL(t, "perf", SYS_perf_event_open, NULL, 0, 0, -1, 0L);
	TRY_CALL(t, "keyring", SYS_add_key, "user", "x", "x", 1L, -3);
	TRY_OPEN(t, "memory-file", SYS_memfd_create, "x", 0);
	TRY_OPEN(t, "userfaultfd", SYS_userfaultfd, 0);
	TRY_CALL(t, "shared-memory", SYS_shmget, 0, 4096L, 01600);
	TRY_OPEN(t, "watch-files", SYS_inotify_init1, 0);
	TRY_CALL(t, "handle", SYS_name_to_handle_at, AT_FDCWD, "/", NULL, NULL, 0);
	TRY_CALL(t, "sysctl-host", SYS_sethostname, "x", 1L);
	TRY_CALL(t, "new-cell", SYS_seccomp, 1, 0, NULL);
	TRY_CALL(t, "pipe", SYS_pipe2, (int[2]){0, 0}, 0);
}

/* Everything but exec, which would end the list if it worked: so it comes last. */
static void try_exec(struct attempts *t)
{
	static const char *const argv[] = {"sh", "-c", "echo tried 1, got through: exec >&2",
	                                   NULL};
	static const char *const none[] = {NULL};

	TRY_CALL(t, "exec", SYS_execve, "/bin/sh", argv, none);
}

static bool take_word(struct span *rest, struct span *word)
{
	return span_next_field(rest, ' ', word) && word->len > 0 && word->len < 400;
}

static void read_target(struct span where, struct target *at)
{
	struct span key, database, folder, port, pid, starter;
	unsigned n = 0, process = 0, forker = 0;
	struct strbuf text = STRBUF_INIT;

	if (!take_word(&where, &key) || !take_word(&where, &database) ||
	    !take_word(&where, &folder) || !take_word(&where, &port) ||
	    !take_word(&where, &pid) || !num_parse_uint(port, 0, UINT16_MAX, &n) ||
	    !num_parse_uint(span_trim(pid), 1, INT32_MAX, &process))
		BUG("break-out wants KEY DATABASE FOLDER PORT PID");
	if (take_word(&where, &starter))
		ENSURE(num_parse_uint(span_trim(starter), 1, INT32_MAX, &forker));
	*at = (struct target){
	    .port = (uint16_t)n, .pid = (pid_t)process, .starter = (pid_t)forker};
#define FILL(field, ...)                 \
	strbuf_clear(&text);             \
	strbuf_addf(&text, __VA_ARGS__); \
	memcpy(at->field, text.ptr, text.len < sizeof(at->field) ? text.len + 1 : 0)
	FILL(key, "%.*s", SPAN_ARGS(key));
	FILL(database, "%.*s", SPAN_ARGS(database));
	FILL(made, "%.*s/made-by-the-child", SPAN_ARGS(folder));
	FILL(made_folder, "%.*s/folder-made-by-the-child", SPAN_ARGS(folder));
	FILL(moved, "%.*s/moved-by-the-child", SPAN_ARGS(folder));
	FILL(memory, "/proc/%u/mem", process);
	FILL(variables, "/proc/%u/environ", process);
	FILL(starters_memory, "/proc/%u/mem", forker);
#undef FILL
	strbuf_release(&text);
}

static void say(const struct attempts *t)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "tried %u, got through:%s\n", t->tried,
	            t->through.len > 0 ? t->through.ptr : "");
	(void)!write(STDERR_FILENO, text.ptr, text.len);
	strbuf_release(&text);
}

void break_out(struct span where)
{
	extern char **environ;
	struct attempts t = {.through = STRBUF_INIT};
	struct target at;

	read_target(where, &at);
	for (char **v = environ; *v; v++)
		tried(&t, "environment", strncmp(*v, "MOLEPOST_TEST_", 14) == 0 ? -1 : 0);
	try_files(&t, &at);
	try_network(&t, &at);
	try_processes(&t, &at);
	if (at.starter != 0)
		try_starter(&t, &at);
	try_limits(&t);
	try_the_rest(&t);
	say(&t);
	try_exec(&t);
	_exit(0);
}

/* ---- the other mails ---- */

enum { PAGE = 4096, DIGITS = 4 };
static const char secret[] = "secret-of-mail-", nothing[] = "----";

/* EFAULT instead of a death where there is no memory. */
static bool is_readable(const char *page)
{
	return syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, page, NULL, 8L) == 0;
}

/* The number of another mail than `own` whose secret lies in there. */
static bool find_secret(struct span in, const char *own, char *number)
{
	for (;;) {
		size_t at = span_find(in, span_of(secret));

		in = span_slice(in, at + strlen(secret), in.len);
		if (in.len < DIGITS)
			return false;
		if (in.ptr[0] < '0' || in.ptr[0] > '9' || memcmp(in.ptr, own, DIGITS) == 0)
			continue;
		memcpy(number, in.ptr, DIGITS);
		return true;
	}
}

/* From the page of `at` on, in one direction, as far as there is memory. */
static bool search_memory(const char *at, ptrdiff_t step, const char *own, char *number)
{
	const char *page = at - (uintptr_t)at % PAGE;

	for (; is_readable(page); page += step)
		if (find_secret((struct span){page, PAGE}, own, number))
			return true;
	return false;
}

/* Processes forked of one have their memory in the same places. */
static bool search_processes(const char *at, const char *own, char *number)
{
	char bytes[2 * PAGE];
	struct iovec here = {bytes, sizeof(bytes)}, there = {(char *)at, sizeof(bytes)};
	pid_t self = getpid();

	for (pid_t pid = self > 64 ? self - 64 : 1; pid < self + 64; pid++) {
		long n = pid == self
		             ? 0
		             : syscall(SYS_process_vm_readv, pid, &here, 1L, &there, 1L, 0L);

		if (n > 0 && find_secret((struct span){bytes, (size_t)n}, own, number))
			return true;
	}
	return false;
}

/* What else can be read from any descriptor, within a tenth of a second each that is open. */
static bool search_descriptors(const char *own, char *number)
{
	char bytes[16 * PAGE];

	for (int fd = 0; fd < 64; fd++) {
		struct pollfd ready = {.fd = fd, .events = POLLIN};
		ssize_t n = poll(&ready, 1, 100) == 1 && ready.revents & POLLIN
		                ? read(fd, bytes, sizeof(bytes))
		                : 0;

		if (n > 0 && find_secret((struct span){bytes, (size_t)n}, own, number))
			return true;
	}
	return false;
}

void break_in(struct span raw, const char *own)
{
	size_t body = span_find(raw, SPAN_LIT("\n\n")) + 2;
	char here, number[DIGITS];
	struct strbuf answer = STRBUF_INIT;

	ENSURE(body <= raw.len);
	strbuf_add_span(&answer, span_slice(raw, body, raw.len));
	if (search_memory(raw.ptr, PAGE, own, number) ||
	    search_memory(raw.ptr, -PAGE, own, number) ||
	    search_memory(&here, PAGE, own, number) || search_processes(raw.ptr, own, number) ||
	    search_descriptors(own, number)) {
		size_t at = span_find(strbuf_span(&answer), span_of(nothing));

		ENSURE(at < answer.len);
		memcpy(answer.ptr + at, number, DIGITS);
	}
	/* Its own answer first, and then one for whoever will have it. */
	for (int fd = 1; fd < 64; fd++)
		for (int i = 0; fd != STDERR_FILENO && i < 3; i++)
			if (write(fd, answer.ptr, answer.len) < 0)
				break;
	_exit(0);
}
