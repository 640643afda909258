/*
 * doctor.c - the lines `molepost doctor` prints.
 */
#include "processor/doctor/doctor.h"

#include <sys/stat.h>

#include "reports/json.h"

void doctor_say(struct doctor *d, const char *level, const char *what, const char *mend,
                const char *fmt, ...)
{
	struct strbuf line = STRBUF_INIT, detail = STRBUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&detail, fmt, ap);
	va_end(ap);
	if (d->json) {
		strbuf_addc(&line, '{');
		json_add_text(&line, "level", span_of(level));
		json_add_text(&line, "what", span_of(what));
		json_add_text(&line, "detail", strbuf_span(&detail));
		if (mend)
			json_add_text(&line, "mend", span_of(mend));
		strbuf_addc(&line, '}');
	} else {
		strbuf_addf(&line, "%-8s %-14s %s", level, what, detail.ptr);
		if (mend)
			strbuf_addf(&line, "\n         %-14s to mend it: %s", "", mend);
	}
	fprintf(d->out, "%s\n", line.ptr);
	strbuf_release(&line);
	strbuf_release(&detail);
}

void doctor_more(struct doctor *d, const char *text)
{
	if (!d->json)
		fprintf(d->out, "         %-14s %s\n", "", text);
}

const char *doctor_path(struct doctor *d, const char *name)
{
	return config_path(&d->srv.cfg, name, d->srv.arena);
}

void doctor_check_mode(struct doctor *d, const char *what, const char *path, mode_t not_for)
{
	struct stat st;

	if (stat(path, &st) == 0 && (st.st_mode & not_for) != 0)
		doctor_problem(d, what, arena_printf(d->srv.arena, "chmod go-w %s", path),
		               "other users may write in %s", path);
}
