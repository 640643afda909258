/*
 * verify_folder.c - a folder of archives over all processors.
 *
 * Each process takes every n-th file and reports through one pipe, a record per file and small
 * enough that writes never mix. Nothing is kept of a file once it is reported, so memory does
 * not grow with the folder, only the list of names and of bad ones does.
 */
#include "processor/cli/verify_folder.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "processor/archive/archive.h"
#include "processor/cli/archive_file.h"

enum { JOBS_MOST = 256, WHY_BYTES = 400, NVERDICTS = ARCHIVE_SIGNED + 1 };

/* What a process says of one file. */
struct finding {
	size_t file; /* index of its name */
	enum archive_verdict verdict;
	unsigned line;
	char why[WHY_BYTES];
};
_Static_assert(sizeof(struct finding) <= _POSIX_PIPE_BUF, "written in one piece");

struct folder {
	const char *dir;
	const struct hash *key;
	char **names;
	size_t n, cap;
	unsigned jobs;
	pid_t *pids;
	struct finding *bad;
	size_t nbad, cap_bad;
	size_t counts[NVERDICTS];
};

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool list_names(struct folder *f)
{
	DIR *d = opendir(f->dir);
	const struct dirent *entry;

	if (d == NULL)
		return false;
	while ((entry = readdir(d)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		f->names = xgrow(f->names, &f->cap, f->n + 1, sizeof(f->names[0]));
		f->names[f->n++] = strdup(entry->d_name);
	}
	closedir(d);
	if (f->n > 0)
		qsort(f->names, f->n, sizeof(f->names[0]), by_name);
	return true;
}

static void explain(struct finding *out, const char *why)
{
	snprintf(out->why, sizeof(out->why), "%s", why);
}

static void verify_file(const struct folder *f, size_t i, struct finding *out)
{
	struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
	struct archive_report report;
	struct failure e = ERR_INIT;

	*out = (struct finding){.file = i, .verdict = ARCHIVE_BROKEN};
	strbuf_addf(&path, "%s/%s", f->dir, f->names[i]);
	if (archive_load(path.ptr, NULL, &text, &e) == ERR_NONE) {
		archive_verify(strbuf_span(&text), f->key, NULL, &report);
		out->verdict = report.verdict;
		out->line = report.line;
		explain(out, report.why.ptr);
		archive_report_release(&report);
	} else {
		explain(out, e.text.ptr);
	}
	err_release(&e);
	strbuf_release(&path);
	strbuf_release(&text);
}

/* The life of one process. */
static void work(const struct folder *f, unsigned job, int fd)
{
	struct finding finding;

	for (size_t i = job; i < f->n; i += f->jobs) {
		verify_file(f, i, &finding);
		if (write(fd, &finding, sizeof(finding)) != (ssize_t)sizeof(finding))
			_exit(1);
	}
	_exit(0);
}

static bool start_workers(struct folder *f, int fds[2])
{
	f->pids = xcalloc(f->jobs, sizeof(f->pids[0]));
	for (unsigned job = 0; job < f->jobs; job++) {
		f->pids[job] = fork();
		if (f->pids[job] < 0)
			return false;
		if (f->pids[job] == 0) {
			close(fds[0]);
			work(f, job, fds[1]);
		}
	}
	return true;
}

static void take_finding(struct folder *f, const struct finding *found)
{
	f->counts[found->verdict]++;
	if (found->verdict == ARCHIVE_SIGNED || found->verdict == ARCHIVE_CONSISTENT)
		return;
	f->bad = xgrow(f->bad, &f->cap_bad, f->nbad + 1, sizeof(f->bad[0]));
	f->bad[f->nbad++] = *found;
}

/* How many there were: fewer than files when a process died. */
static size_t collect(struct folder *f, int fd)
{
	struct finding found;
	size_t n = 0;
	ssize_t got;

	while ((got = read(fd, &found, sizeof(found))) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got != (ssize_t)sizeof(found))
			break;
		take_finding(f, &found);
		n++;
	}
	return n;
}

static void reap(struct folder *f)
{
	for (unsigned job = 0; job < f->jobs; job++)
		if (f->pids[job] > 0)
			while (waitpid(f->pids[job], NULL, 0) < 0 && errno == EINTR)
				continue;
}

static bool run_workers(struct folder *f)
{
	int fds[2];
	bool ok;

	if (pipe(fds) != 0)
		return false;
	ok = start_workers(f, fds);
	close(fds[1]);
	ok = collect(f, fds[0]) == f->n && ok;
	close(fds[0]);
	reap(f);
	return ok;
}

static int by_file(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;

	return (x->file > y->file) - (x->file < y->file);
}

static void print_findings(FILE *out, struct folder *f)
{
	if (f->nbad > 0)
		qsort(f->bad, f->nbad, sizeof(f->bad[0]), by_file);
	for (size_t i = 0; i < f->nbad; i++)
		fprintf(out, "%s: %s: line %u: %s\n", f->names[f->bad[i].file],
		        f->bad[i].verdict == ARCHIVE_UNKNOWN ? "unknown" : "broken",
		        f->bad[i].line, f->bad[i].why);
	fprintf(out, "%zu archives: %zu signed, %zu consistent, %zu unknown, %zu broken\n",
	        f->n, f->counts[ARCHIVE_SIGNED], f->counts[ARCHIVE_CONSISTENT],
	        f->counts[ARCHIVE_UNKNOWN], f->counts[ARCHIVE_BROKEN]);
}

static unsigned usual_jobs(unsigned asked, size_t files)
{
	long here = asked > 0 ? (long)asked : sysconf(_SC_NPROCESSORS_ONLN);

	if (here > JOBS_MOST)
		here = JOBS_MOST;
	if (here < 1)
		here = 1;
	return files > 0 && (size_t)here > files ? (unsigned)files : (unsigned)here;
}

int verify_folder(struct cli *cli, const char *dir, unsigned jobs,
                  const struct hash *expect_key)
{
	struct folder f = {.dir = dir, .key = expect_key};
	int code = EXIT_DONE;

	fflush(cli->out);
	if (!list_names(&f)) {
		bool missing = errno == ENOENT || errno == ENOTDIR;

		log_warn(&cli->log, "verify: %s", dir);
		return missing ? EXIT_DATA : EXIT_LATER;
	}
	f.jobs = usual_jobs(jobs, f.n);
	if (run_workers(&f)) {
		print_findings(cli->out, &f);
		code = f.nbad > 0 ? EXIT_DATA : EXIT_DONE;
	} else {
		log_warnx(&cli->log, "verify: a process that checked archives was lost");
		code = EXIT_LATER;
	}
	for (size_t i = 0; i < f.n; i++)
		free(f.names[i]);
	free(f.names);
	free(f.pids);
	free(f.bad);
	return code;
}
