/*
 * trace_calls.c - every function of the program that is entered or left, one line each.
 *
 * For a program built with -finstrument-functions; tests/support/trace.sh makes one and reads what
 * this writes to the file TRACE_TO: "+ADDRESS" and "-ADDRESS", of the first process only.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

enum { KEPT = 1 << 16, LINE = 20 };

static char kept[KEPT];
static size_t nkept;
static int fd = -1;

void __cyg_profile_func_enter(void *function, void *from);
void __cyg_profile_func_exit(void *function, void *from);

static void flush(void)
{
	if (fd >= 0 && nkept > 0 && write(fd, kept, nkept) < 0)
		fd = -1;
	nkept = 0;
}

__attribute__((constructor)) static void start(void)
{
	const char *path = getenv("TRACE_TO");

	if (path)
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	unsetenv("TRACE_TO"); /* children are not traced */
}

__attribute__((destructor)) static void end(void)
{
	flush();
}

static void note(char sign, const void *function)
{
	static const char digits[] = "0123456789abcdef";
	uintptr_t n = (uintptr_t)function;

	if (fd < 0)
		return;
	if (nkept + LINE > KEPT)
		flush();
	kept[nkept++] = sign;
	for (int shift = 60; shift >= 0; shift -= 4)
		kept[nkept++] = digits[n >> shift & 15];
	kept[nkept++] = '\n';
}

void __cyg_profile_func_enter(void *function, void *from)
{
	(void)from;
	note('+', function);
}

void __cyg_profile_func_exit(void *function, void *from)
{
	(void)from;
	note('-', function);
}
