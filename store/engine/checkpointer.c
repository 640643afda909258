/*
 * checkpointer.c - one thread, and two marks: what it is asked for and what it is doing.
 *
 * The lock guards the marks. The connection is opened, used and closed by the thread alone.
 */
#include "store/engine/checkpointer.h"

#include <pthread.h>
#include <stdlib.h>

#include "processor/base/priority.h"
#include "store/engine/db.h"

#include "processor/base/banned.h"

struct checkpointer {
	char *path;
	pthread_t thread;
	bool started;

	pthread_mutex_t lock;
	pthread_cond_t work, done;
	bool asked;
	bool busy;
	bool over;
};

struct checkpointer *checkpointer_new(const char *path)
{
	struct checkpointer *c = xcalloc(1, sizeof(*c));

	c->path = xstrdup(path);
	ENSURE(pthread_mutex_init(&c->lock, NULL) == 0);
	ENSURE(pthread_cond_init(&c->work, NULL) == 0);
	ENSURE(pthread_cond_init(&c->done, NULL) == 0);
	return c;
}

/* ---- the thread ---- */

/* A connection that has not read anything yet does not know that there is a log. */
static enum err connect(const char *path, struct store **s)
{
	struct failure e = ERR_INIT;
	enum err err = db_open(path, false, s, &e);

	if (err == ERR_NONE)
		err = db_exec(*s, "PRAGMA user_version");
	err_release(&e);
	return err;
}

static enum err fold(const char *path, struct store **s)
{
	enum err err = *s ? ERR_NONE : connect(path, s);

	return err == ERR_NONE ? db_checkpoint_passive(*s) : err;
}

static void *work(void *arg)
{
	struct checkpointer *c = arg;
	struct store *s = NULL;
	enum err err = ERR_NONE;

	priority_follow();
	pthread_mutex_lock(&c->lock);
	while (!c->over) {
		if (!c->asked) {
			pthread_cond_wait(&c->work, &c->lock);
			continue;
		}
		c->asked = false;
		c->busy = true;
		pthread_mutex_unlock(&c->lock);
		if (err == ERR_NONE)
			err = fold(c->path, &s);
		pthread_mutex_lock(&c->lock);
		c->busy = false;
		pthread_cond_signal(&c->done);
	}
	pthread_mutex_unlock(&c->lock);
	db_close(s);
	return NULL;
}

/* ---- the other side ---- */

void checkpointer_wake(struct checkpointer *c)
{
	if (!c->started && db_may_have_threads())
		c->started = pthread_create(&c->thread, NULL, work, c) == 0;
	pthread_mutex_lock(&c->lock);
	c->asked = c->started;
	pthread_cond_signal(&c->work);
	pthread_mutex_unlock(&c->lock);
}

void checkpointer_wait(struct checkpointer *c)
{
	pthread_mutex_lock(&c->lock);
	while (c->asked || c->busy)
		pthread_cond_wait(&c->done, &c->lock);
	pthread_mutex_unlock(&c->lock);
}

void checkpointer_free(struct checkpointer *c)
{
	if (!c)
		return;
	pthread_mutex_lock(&c->lock);
	c->over = true;
	pthread_cond_signal(&c->work);
	pthread_mutex_unlock(&c->lock);
	if (c->started)
		pthread_join(c->thread, NULL);
	pthread_cond_destroy(&c->work);
	pthread_cond_destroy(&c->done);
	pthread_mutex_destroy(&c->lock);
	free(c->path);
	free(c);
}
