/*
 * sender_pool.c - worker threads around one queue.
 *
 * Everything in struct sender_pool is read and written with the lock held, but for the mail a worker
 * has taken, which belongs to the worker until it is settled.
 */
#include "mail/sink/sender_pool.h"

#include <pthread.h>
#include <stdlib.h>

#include "mail/sink/private.h"

enum place { PLACE_WAITS, PLACE_TAKEN, PLACE_SETTLED };

struct worker {
	struct sender_pool *sender_pool;
	unsigned number;
	pthread_t thread;
	bool started;
};

struct sender_pool {
	struct send_work work;
	pthread_mutex_t lock;
	pthread_cond_t change; /* a batch has come, a lane is free, the end */
	pthread_cond_t settled;
	struct sink_mail *mails;
	enum place *places;
	size_t n, cap, first; /* before `first` nothing waits */
	size_t left;          /* not settled */
	bool over;
	struct failure fail; /* of the sink, once it has one */
	unsigned nworkers;
	struct worker workers[];
};

/* ------------------------------------------------------------- with the lock held */

static void settle(struct sender_pool *c, size_t i)
{
	c->places[i] = PLACE_SETTLED;
	c->left--;
	if (c->left == 0)
		pthread_cond_signal(&c->settled);
}

static bool lane_is_busy(const struct sender_pool *c, size_t i)
{
	for (size_t k = 0; c->mails[i].lane != 0 && k < i; k++)
		if (c->mails[k].lane == c->mails[i].lane && c->places[k] != PLACE_SETTLED)
			return true;
	return false;
}

/* After a failure of the sink nothing more is begun. */
static void settle_the_rest(struct sender_pool *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->places[i] == PLACE_WAITS)
			settle(c, i);
}

/* The next mail that may go; c->n if there is none at this moment. */
static size_t next_mail(struct sender_pool *c)
{
	while (c->first < c->n && c->places[c->first] != PLACE_WAITS)
		c->first++;
	for (size_t i = c->first; i < c->n; i++) {
		if (c->places[i] != PLACE_WAITS || lane_is_busy(c, i))
			continue;
		if (!sink_would_overtake(c->mails, i))
			return i;
		settle(c, i);
	}
	return c->n;
}

static void note_failure(struct sender_pool *c, const struct failure *e, enum err code)
{
	if (c->fail.code == ERR_NONE)
		err_set(&c->fail, code, "%s", e->text.ptr);
	settle_the_rest(c);
}

/* ------------------------------------------------------------- the threads */

/* Without the lock, since it may take a while. False: this worker has nothing more to do. */
static bool get_ready(struct worker *w, struct failure *e)
{
	struct sender_pool *c = w->sender_pool;
	enum err r;

	pthread_mutex_unlock(&c->lock);
	r = c->work.ready(c->work.ctx, w->number, e);
	pthread_mutex_lock(&c->lock);
	if (r != ERR_NONE && w->number == 0)
		note_failure(c, e, r);
	return r == ERR_NONE || w->number == 0;
}

static void send_next(struct worker *w, size_t i, struct failure *e)
{
	struct sender_pool *c = w->sender_pool;
	enum err r;

	c->places[i] = PLACE_TAKEN;
	pthread_mutex_unlock(&c->lock);
	r = c->work.send(c->work.ctx, w->number, &c->mails[i], e);
	pthread_mutex_lock(&c->lock);
	settle(c, i);
	if (r != ERR_NONE)
		note_failure(c, e, r);
	if (c->mails[i].lane != 0 && c->nworkers > 1)
		pthread_cond_broadcast(&c->change);
}

static void *work(void *arg)
{
	struct worker *w = arg;
	struct sender_pool *c = w->sender_pool;
	struct failure e = ERR_INIT;
	bool going = true;

	pthread_mutex_lock(&c->lock);
	while (going && !c->over) {
		size_t i = next_mail(c);

		if (i == c->n) {
			pthread_cond_wait(&c->change, &c->lock);
			continue;
		}
		going = get_ready(w, &e);
		i = next_mail(c);
		if (going && i < c->n)
			send_next(w, i, &e);
	}
	pthread_mutex_unlock(&c->lock);
	err_release(&e);
	return NULL;
}

/* ------------------------------------------------------------- for the one who gives work */

struct sender_pool *sender_pool_new(unsigned workers, const struct send_work *send_work)
{
	struct sender_pool *c = xcalloc(1, sizeof(*c) + workers * sizeof(c->workers[0]));

	c->work = *send_work;
	c->nworkers = workers;
	c->fail = (struct failure)ERR_INIT;
	ENSURE(pthread_mutex_init(&c->lock, NULL) == 0);
	ENSURE(pthread_cond_init(&c->change, NULL) == 0);
	ENSURE(pthread_cond_init(&c->settled, NULL) == 0);
	return c;
}

enum err sender_pool_ready(struct sender_pool *c, struct failure *e)
{
	return c->work.ready(c->work.ctx, 0, e);
}

static void note_no_thread(struct sender_pool *c)
{
	struct failure e = ERR_INIT;

	err_set(&e, ERR_IO, "the system has no thread to send with");
	pthread_mutex_lock(&c->lock);
	note_failure(c, &e, ERR_IO);
	pthread_mutex_unlock(&c->lock);
	err_release(&e);
}

/* A thread that cannot be had is done without; without the first nothing is sent in this run. */
static void hire(struct sender_pool *c)
{
	for (unsigned k = 0; k < c->nworkers && !c->workers[k].started; k++) {
		struct worker *w = &c->workers[k];

		w->sender_pool = c;
		w->number = k;
		w->started = pthread_create(&w->thread, NULL, work, w) == 0;
		if (!w->started && k == 0)
			note_no_thread(c);
		if (!w->started)
			return;
	}
}

void sender_pool_start(struct sender_pool *c, struct sink_mail *mails, size_t n)
{
	pthread_mutex_lock(&c->lock);
	c->places = xgrow(c->places, &c->cap, n, sizeof(*c->places));
	for (size_t i = 0; i < n; i++)
		c->places[i] = PLACE_WAITS;
	c->mails = mails;
	c->n = c->left = n;
	c->first = 0;
	err_clear(&c->fail);
	pthread_cond_broadcast(&c->change);
	pthread_mutex_unlock(&c->lock);
	hire(c);
}

enum err sender_pool_finish(struct sender_pool *c, struct failure *e)
{
	enum err r;

	pthread_mutex_lock(&c->lock);
	while (c->left > 0)
		pthread_cond_wait(&c->settled, &c->lock);
	r = c->fail.code;
	if (r != ERR_NONE)
		err_set(e, r, "%s", c->fail.text.ptr);
	c->mails = NULL;
	c->n = 0;
	pthread_mutex_unlock(&c->lock);
	return r;
}

void sender_pool_free(struct sender_pool *c)
{
	if (!c)
		return;
	pthread_mutex_lock(&c->lock);
	c->over = true;
	pthread_cond_broadcast(&c->change);
	pthread_mutex_unlock(&c->lock);
	for (unsigned k = 0; k < c->nworkers; k++)
		if (c->workers[k].started)
			pthread_join(c->workers[k].thread, NULL);
	pthread_cond_destroy(&c->settled);
	pthread_cond_destroy(&c->change);
	pthread_mutex_destroy(&c->lock);
	err_release(&c->fail);
	free(c->places);
	free(c);
}
