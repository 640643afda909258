/*
 * fail_call.c - the n-th call of a function finds that the system has no more of what it asks for.
 *
 * Loaded with LD_PRELOAD=build/fail_call.so. MOLEPOST_FAIL_CALL is "pipe2 3": from the third call of
 * pipe2 on all fail; or "pipe2 3 once". Known are the functions below. For one process: what it
 * starts counts afresh, and the program's own children have no such environment.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int fails(const char *name)
{
	static unsigned calls;
	static __thread int inside;
	const char *what = getenv("MOLEPOST_FAIL_CALL");
	size_t len = strlen(name);
	char *once;

	/* NAME N, or NAME N once */
	if (inside || !what || strncmp(what, name, len) != 0 || what[len] != ' ')
		return 0;
	unsigned long n = strtoul(what + len, &once, 10);
	inside = 1;
	unsigned now = __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
	inside = 0;
	return *once != 0 ? now == n : now >= n;
}

/* ISO C has no way from the void * of dlsym to a function pointer. */
static void find(const char *name, void *function)
{
	void *found = dlsym(RTLD_NEXT, name);

	memcpy(function, &found, sizeof(found));
}

int pipe2(int ends[2], int flags)
{
	int (*real)(int[2], int);

	if (fails("pipe2")) {
		errno = EMFILE;
		return -1;
	}
	find("pipe2", &real);
	return real(ends, flags);
}

int pipe(int ends[2])
{
	int (*real)(int[2]);

	if (fails("pipe")) {
		errno = EMFILE;
		return -1;
	}
	find("pipe", &real);
	return real(ends);
}

/* What it lacks is the processor: answers may be there before it returns. */
ssize_t sendmsg(int socket, const struct msghdr *msg, int flags)
{
	ssize_t (*real)(int, const struct msghdr *, int);

	find("sendmsg", &real);
	ssize_t n = real(socket, msg, flags);

	if (fails("sendmsg"))
		(void)usleep(300 * 1000);
	return n;
}

pid_t fork(void)
{
	pid_t (*real)(void);

	if (fails("fork")) {
		errno = EAGAIN;
		return -1;
	}
	find("fork", &real);
	return real();
}

typedef int spawn_fn(pid_t *, const char *, const posix_spawn_file_actions_t *,
                     const posix_spawnattr_t *, char *const[], char *const[]);

int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *acts,
                const posix_spawnattr_t *attr, char *const argv[], char *const env[])
{
	spawn_fn *real;

	if (fails("posix_spawn"))
		return EAGAIN;
	find("posix_spawn", &real);
	return real(pid, path, acts, attr, argv, env);
}

int posix_spawnp(pid_t *pid, const char *path, const posix_spawn_file_actions_t *acts,
                 const posix_spawnattr_t *attr, char *const argv[], char *const env[])
{
	spawn_fn *real;

	if (fails("posix_spawnp"))
		return ENOMEM;
	find("posix_spawnp", &real);
	return real(pid, path, acts, attr, argv, env);
}

void *calloc(size_t n, size_t size)
{
	static void *(*real)(size_t, size_t);
	static char early[4096]; /* dlsym may want some itself */

	if (!real) {
		static int looking;

		if (looking)
			return early;
		looking = 1;
		find("calloc", &real);
	}
	if (fails("calloc")) {
		errno = ENOMEM;
		return NULL;
	}
	return real(n, size);
}
