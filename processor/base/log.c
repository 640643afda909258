/*
 * log.c - one line per remark, whatever stands in it.
 *
 * Trusts nothing: file names and server answers end up in log lines, so
 * control characters are replaced and nobody can forge a second line.
 */
#include "processor/base/log.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "processor/base/strbuf.h"

static void no_control_characters(struct strbuf *line)
{
	for (size_t i = 0; i < line->len; i++)
		if ((unsigned char)line->ptr[i] < ' ' || line->ptr[i] == 0x7f)
			line->ptr[i] = '?';
}

static void say(struct log *l, enum log_level level, bool event, int error, const char *fmt,
                va_list ap) __attribute__((format(printf, 5, 0)));
static void say(struct log *l, enum log_level level, bool event, int error, const char *fmt,
                va_list ap)
{
	struct strbuf line = STRBUF_INIT;
	char words[128];

	if (level > l->show || l->out == NULL)
		return;
	strbuf_vaddf(&line, fmt, ap);
	if (error != 0 && strerror_r(error, words, sizeof(words)) == 0)
		strbuf_addf(&line, ": %s", words);
	no_control_characters(&line);
	if (level == LOG_WARN && l->is_known && l->is_known(l->ctx, strbuf_span(&line), event))
		level = LOG_INFO;
	l->warnings += level == LOG_WARN;
	/* Where a log line cannot be written there is nowhere left to say so. */
	if (level <= l->show) {
		(void)fprintf(l->out, "molepost: %s\n", line.ptr);
		(void)fflush(l->out);
	}
	strbuf_release(&line);
}

void log_warn(struct log *l, const char *fmt, ...)
{
	int error = errno;
	va_list ap;

	va_start(ap, fmt);
	say(l, LOG_WARN, false, error, fmt, ap);
	va_end(ap);
	errno = error;
}

void log_warnx(struct log *l, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(l, LOG_WARN, false, 0, fmt, ap);
	va_end(ap);
}

void log_event(struct log *l, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(l, LOG_WARN, true, 0, fmt, ap);
	va_end(ap);
}

void log_info(struct log *l, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(l, LOG_INFO, false, 0, fmt, ap);
	va_end(ap);
}

void log_debug(struct log *l, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(l, LOG_DEBUG, false, 0, fmt, ap);
	va_end(ap);
}
