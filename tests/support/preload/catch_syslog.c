/*
 * catch_syslog.c - what a program says to the system's log goes into the file SYSLOG_FILE names.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <syslog.h>

static void put(const char *format, va_list ap)
{
	const char *path = getenv("SYSLOG_FILE");
	FILE *f = path ? fopen(path, "a") : NULL;

	if (!f)
		return;
	(void)vfprintf(f, format, ap);
	(void)fputc('\n', f);
	(void)fclose(f);
}

/* As the headers declare them; the second when the program is built with checks. */
void syslog(int priority, const char *format, ...);
void __syslog_chk(int priority, int flag, const char *format, ...);

void syslog(int priority, const char *format, ...)
{
	va_list ap;

	(void)priority;
	va_start(ap, format);
	put(format, ap);
	va_end(ap);
}

void __syslog_chk(int priority, int flag, const char *format, ...)
{
	va_list ap;

	(void)priority;
	(void)flag;
	va_start(ap, format);
	put(format, ap);
	va_end(ap);
}
