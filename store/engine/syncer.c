/*
 * syncer.c - one thread, one descriptor, and two marks: what it is asked for and what it is doing.
 *
 * The lock guards the marks and the error. Where no thread can be had, who asks syncs.
 */
#include "store/engine/syncer.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "processor/base/step.h"
#include "processor/base/strbuf.h"

#include "processor/base/banned.h"

struct syncer {
	int log;
	char *path; /* the database's */
	pthread_t thread;
	bool started;

	pthread_mutex_t lock;
	pthread_cond_t work, done;
	bool asked;
	bool busy;
	bool over;
	struct failure first; /* its error, for good */
};

/* Opened before anything is written that it is to vouch for: so no error of the system escapes it. */
static int open_log(const char *path)
{
	struct strbuf name = STRBUF_INIT;
	int fd;

	strbuf_addf(&name, "%s-wal", path);
	fd = open(name.ptr, O_RDWR | O_CLOEXEC);
	strbuf_release(&name);
	return fd;
}

struct syncer *syncer_new(const char *path)
{
	struct syncer *y = xcalloc(1, sizeof(*y));

	y->log = open_log(path);
	y->path = xstrdup(path);
	strbuf_init(&y->first.text);
	if (y->log < 0)
		err_set_errno(&y->first, ERR_IO, "database %s: cannot open its log", path);
	ENSURE(pthread_mutex_init(&y->lock, NULL) == 0);
	ENSURE(pthread_cond_init(&y->work, NULL) == 0);
	ENSURE(pthread_cond_init(&y->done, NULL) == 0);
	return y;
}

static int sync_log(const struct syncer *y)
{
	if (y->log < 0 || step_is_broken("synchronous-normal"))
		return 0;
	return fdatasync(y->log);
}

static void note_result(struct syncer *y, int result)
{
	if (result != 0 && y->first.code == ERR_NONE)
		err_set_errno(&y->first, ERR_IO, "database %s: cannot sync its log", y->path);
}

static void *work(void *arg)
{
	struct syncer *y = arg;

	pthread_mutex_lock(&y->lock);
	while (!y->over || y->asked) {
		int result;

		if (!y->asked) {
			pthread_cond_wait(&y->work, &y->lock);
			continue;
		}
		y->asked = false;
		y->busy = true;
		pthread_mutex_unlock(&y->lock);
		result = sync_log(y);
		pthread_mutex_lock(&y->lock);
		note_result(y, result);
		y->busy = false;
		pthread_cond_signal(&y->done);
	}
	pthread_mutex_unlock(&y->lock);
	return NULL;
}

void syncer_ask(struct syncer *y)
{
	if (!y->started)
		y->started = pthread_create(&y->thread, NULL, work, y) == 0;
	if (!y->started) {
		note_result(y, sync_log(y));
		return;
	}
	pthread_mutex_lock(&y->lock);
	y->asked = true;
	pthread_cond_signal(&y->work);
	pthread_mutex_unlock(&y->lock);
}

enum err syncer_wait(struct syncer *y, struct failure *e)
{
	enum err rc;

	pthread_mutex_lock(&y->lock);
	while (y->asked || y->busy)
		pthread_cond_wait(&y->done, &y->lock);
	rc = y->first.code;
	if (rc != ERR_NONE)
		err_set(e, rc, "%s", y->first.text.ptr);
	pthread_mutex_unlock(&y->lock);
	return rc;
}

bool syncer_is_done(struct syncer *y)
{
	bool done;

	pthread_mutex_lock(&y->lock);
	done = !y->asked && !y->busy;
	pthread_mutex_unlock(&y->lock);
	return done;
}

void syncer_free(struct syncer *y)
{
	if (!y)
		return;
	pthread_mutex_lock(&y->lock);
	y->over = true;
	pthread_cond_signal(&y->work);
	pthread_mutex_unlock(&y->lock);
	if (y->started)
		pthread_join(y->thread, NULL);
	if (y->log >= 0)
		close(y->log);
	err_release(&y->first);
	pthread_cond_destroy(&y->work);
	pthread_cond_destroy(&y->done);
	pthread_mutex_destroy(&y->lock);
	free(y->path);
	free(y);
}
