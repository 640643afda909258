/*
 * cell.c - no_new_privs, Landlock, seccomp, in this order.
 *
 * Linux: Documentation/userspace-api/landlock.rst, seccomp_filter.rst; libseccomp: seccomp_rule_add(3).
 */
#define _GNU_SOURCE /* O_PATH */
#include "mail/child/cell.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "mail/child/child.h"
#include "processor/base/library.h"
#include "processor/base/sanitized.h"
#include "processor/base/step.h"

/* ---- Landlock ---- */

/*
 * What later kernels can forbid is not in the headers of Debian 12. Each version of the interface
 * knows the first so many of these rights.
 */
enum {
	NET_BIND = 1 << 0,
	NET_CONNECT = 1 << 1,
	SCOPE_SOCKETS = 1 << 0,
	SCOPE_SIGNALS = 1 << 1
};
struct ruleset {
	uint64_t files, net, scope;
};

static void allow_reading(int ruleset, const char *path)
{
	struct landlock_path_beneath_attr rule = {
	    .allowed_access = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR};

	rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
	if (rule.parent_fd < 0)
		return;
	if (syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) !=
	    0) {
		rule.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE; /* all a file can have */
		(void)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule,
		              0);
	}
	close(rule.parent_fd);
}

/* What says who answers, and the libraries that read it. What is not there is left out. */
static const char *const readable[] = {"/etc/ld.so.cache",
                                       "/lib",
                                       "/lib64",
                                       "/usr/lib",
                                       "/etc/ssl/certs",
                                       "/etc/ssl/openssl.cnf",
                                       "/etc/gnutls",
                                       "/etc/pki",
                                       "/usr/share/ca-certificates",
                                       "/usr/local/share/ca-certificates"};

static unsigned close_files_and_network(const char *ca_file)
{
	struct ruleset all = {0};
	int version =
	    (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	size_t size = version >= 6   ? sizeof(all)
	              : version >= 4 ? offsetof(struct ruleset, scope)
	                             : offsetof(struct ruleset, net);
	unsigned walls = CELL_FILES;
	int fd;

	if (version < 1)
		return 0;
	/* 13 rights; 2 adds REFER, 3 TRUNCATE, 5 IOCTL_DEV. */
	all.files = (UINT64_C(1) << (version >= 5   ? 16
	                             : version >= 3 ? 15
	                             : version >= 2 ? 14
	                                            : 13)) -
	            1;
	if (version >= 4) {
		all.net = NET_BIND | NET_CONNECT;
		walls |= CELL_NETWORK;
	}
	if (version >= 6) {
		all.scope = SCOPE_SOCKETS | SCOPE_SIGNALS;
		walls |= CELL_PROCESSES;
	}
	fd = (int)syscall(SYS_landlock_create_ruleset, &all, size, 0);
	if (fd < 0)
		return 0;
	for (size_t i = 0; ca_file && i < sizeof(readable) / sizeof(readable[0]); i++)
		allow_reading(fd, readable[i]);
	if (ca_file && *ca_file)
		allow_reading(fd, ca_file);
	if (syscall(SYS_landlock_restrict_self, fd, 0) != 0)
		walls = 0;
	close(fd);
	return walls;
}

/* ---- seccomp ---- */

#define SECCOMP_FUNCTIONS(X)      \
	X(seccomp_init)           \
	X(seccomp_rule_add_array) \
	X(seccomp_load)           \
	X(seccomp_release)

struct seccomp {
	SECCOMP_FUNCTIONS(LIBRARY_MEMBER)
	scmp_filter_ctx ctx;
	bool failed;
};

/* A call that is allowed only if the masked argument has this value. */
struct allowed {
	int call;
	unsigned arg;
	uint64_t mask, value;
};

/* Memory, time, its pipes, its own end. A call that this machine has not is a negative number. */
/* clang-format off */
static const int for_all[] = {
    SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(close),
    SCMP_SYS(lseek), SCMP_SYS(fstat), SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(brk),
    SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(futex),
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn),
    SCMP_SYS(restart_syscall), SCMP_SYS(clock_gettime), SCMP_SYS(gettimeofday),
    SCMP_SYS(time), SCMP_SYS(getrandom), SCMP_SYS(getrusage), SCMP_SYS(getrlimit),
    SCMP_SYS(setrlimit), SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(sched_yield),
    SCMP_SYS(exit), SCMP_SYS(exit_group),
    /* The same as 32-bit machines call them. */
    SCMP_SYS(_llseek), SCMP_SYS(fstat64), SCMP_SYS(ppoll_time64), SCMP_SYS(futex_time64),
    SCMP_SYS(clock_gettime64), SCMP_SYS(ugetrlimit),
};
/* clang-format on */
static const struct allowed for_all_if[] = {
    {SCMP_SYS(mprotect), 2, PROT_EXEC, 0},
    {SCMP_SYS(prlimit64), 0, UINT64_MAX, 0}, /* its own, not its parent's */
};

/* Code comes with the libraries, before the walls. */
static const struct allowed for_parsing_if[] = {
    {SCMP_SYS(mmap), 2, PROT_EXEC, 0},
    {SCMP_SYS(mmap2), 2, PROT_EXEC, 0},
};

/* To fork the parsing children, to end them, and to hand each its socket. */
static const int for_starting[] = {
    SCMP_SYS(clone),  SCMP_SYS(clone3),  SCMP_SYS(fork), SCMP_SYS(kill), SCMP_SYS(wait4),
    SCMP_SYS(waitid), SCMP_SYS(recvmsg), SCMP_SYS(dup2), SCMP_SYS(dup3), SCMP_SYS(prctl),
};

/* Certificates, and libraries that read them, are read late; Landlock says from where. */
/* clang-format off */
static const int for_servers[] = {
    SCMP_SYS(mmap), SCMP_SYS(mmap2), SCMP_SYS(mprotect), SCMP_SYS(pread64), SCMP_SYS(stat),
    SCMP_SYS(newfstatat), SCMP_SYS(statx), SCMP_SYS(access), SCMP_SYS(faccessat),
    SCMP_SYS(faccessat2), SCMP_SYS(getdents64), SCMP_SYS(fcntl), SCMP_SYS(fcntl64),
    SCMP_SYS(fstatat64), SCMP_SYS(stat64), SCMP_SYS(recvfrom), SCMP_SYS(recvmsg),
    SCMP_SYS(setsockopt), SCMP_SYS(getsockopt), SCMP_SYS(getsockname),
    SCMP_SYS(getpeername), SCMP_SYS(shutdown), SCMP_SYS(clock_nanosleep),
    SCMP_SYS(clock_nanosleep_time64), SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid),
    SCMP_SYS(getegid),
};
/* clang-format on */
static const struct allowed for_servers_if[] = {
    {SCMP_SYS(open), 1, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY},
    {SCMP_SYS(openat), 2, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY},
    {SCMP_SYS(sendto), 3, MSG_FASTOPEN, 0}, /* which connects, past Landlock */
    {SCMP_SYS(sendmsg), 2, MSG_FASTOPEN, 0},
};

/* A call of another architecture cannot be made here. */
static void allow(struct seccomp *lib, const int *calls, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (lib->seccomp_rule_add_array(lib->ctx, SCMP_ACT_ALLOW, calls[i], 0, NULL) !=
		        0 &&
		    calls[i] >= 0)
			lib->failed = true;
}

static void allow_if(struct seccomp *lib, const struct allowed *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct allowed *a = &list[i];
		struct scmp_arg_cmp only = {.arg = a->arg,
		                            .op = SCMP_CMP_MASKED_EQ,
		                            .datum_a = a->mask,
		                            .datum_b = a->value};

		if (lib->seccomp_rule_add_array(lib->ctx, SCMP_ACT_ALLOW, a->call, 1, &only) !=
		        0 &&
		    a->call >= 0)
			lib->failed = true;
	}
}

static bool find_seccomp(struct seccomp *lib)
{
	static const char *const names[] = {"libseccomp.so.2", NULL};
	struct failure e = ERR_INIT;
	const char *missing = NULL;
	void *handle;
	enum err rc = library_open(names, "libseccomp2", RTLD_NOW, &handle, &e);

	err_release(&e);
	if (rc != ERR_NONE)
		return false;
	SECCOMP_FUNCTIONS(LIBRARY_FIND)
	return !missing;
}

#define ALLOW(lib, list) allow(lib, list, sizeof(list) / sizeof((list)[0]))
#define ALLOW_IF(lib, list) allow_if(lib, list, sizeof(list) / sizeof((list)[0]))

/* The list is made while the library can still be read. */
static void list_calls(struct seccomp *lib, bool has_server)
{
	*lib = (struct seccomp){.ctx = NULL};
	if (!find_seccomp(lib))
		return;
	lib->ctx = lib->seccomp_init(SCMP_ACT_ERRNO(ENOSYS));
	if (!lib->ctx)
		return;
	ALLOW(lib, for_all);
	ALLOW_IF(lib, for_all_if);
	if (!has_server) {
		ALLOW_IF(lib, for_parsing_if);
		ALLOW(lib, for_starting);
		return;
	}
	ALLOW(lib, for_servers);
	ALLOW_IF(lib, for_servers_if);
	/*
	 * libcurl 7.88 connects even a socket that is connected (its issue 10626). It hears that this is
	 * under way, finds that the socket can be written to, and goes on.
	 */
	if (lib->seccomp_rule_add_array(lib->ctx, SCMP_ACT_ERRNO(EINPROGRESS),
	                                SCMP_SYS(connect), 0, NULL) != 0)
		lib->failed = true;
}

/* ---- all of them ---- */

unsigned cell_enter(const char *ca_file)
{
	struct seccomp lib;
	unsigned walls;

	if (IS_SANITIZED || step_is_broken("no-cell"))
		return 0;
	if (ca_file)
		child_limit(RLIMIT_NPROC, 0);
	child_limit(RLIMIT_FSIZE, 0);
	list_calls(&lib, ca_file != NULL);
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* its memory is closed to others of its user */
	walls = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? CELL_PRIVILEGES : 0;
	walls |= close_files_and_network(ca_file);
	if (lib.ctx) {
		walls |= !lib.failed && lib.seccomp_load(lib.ctx) == 0 ? CELL_CALLS : 0;
		lib.seccomp_release(lib.ctx);
	}
	return walls;
}

/*
 * The list of the starter goes on holding, so all this one does is to take calls out of it. Fewer
 * instructions than libseccomp would write are looked through for each mail.
 */
bool cell_enter_forked(unsigned walls)
{
	enum { N = sizeof(for_starting) / sizeof(for_starting[0]) };
	struct sock_filter code[2 * N + 2];
	struct sock_fprog program = {.filter = code};

	if (!(walls & CELL_PRIVILEGES)) /* there are none: a sanitizer, or a test */
		return true;
	child_limit(RLIMIT_NPROC, 0);
	if (!(walls & CELL_CALLS))
		return true;
	code[program.len++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
	                                                   offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < N; i++) {
		if (for_starting[i] < 0)
			continue;
		code[program.len++] = (struct sock_filter)BPF_JUMP(
		    BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)for_starting[i], 0, 1);
		code[program.len++] =
		    (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS);
	}
	code[program.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
