/*
 * mover.c - a list of names that one thread fills and another works off.
 *
 * The thread takes the whole list whenever it has none, so the lock is held only for an exchange of
 * two pointers. It is there from the first of many files until the mover goes.
 */
#include "mail/source/mover.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/priority.h"
#include "processor/base/strbuf.h"

#include "processor/base/banned.h"

enum {
	ALONE = 64,  /* so many are moved without a thread */
	WAKE_AT = 32 /* to wake it costs as much as to move a few */
};

struct mover {
	mover_fn *move;
	const void *ctx;
	size_t alone; /* moved at once since the last finish */
	bool moved_alone;
	pthread_t thread;
	bool started;

	pthread_mutex_t lock;
	pthread_cond_t work, done;
	struct strbuf names; /* given, each with its NUL */
	size_t count;
	bool busy;  /* the thread has names of its own */
	bool hurry; /* the other one waits */
	bool over;
	bool moved;           /* the thread has moved one */
	struct failure first; /* of its errors */
};

struct mover *mover_new(mover_fn *move, const void *ctx)
{
	struct mover *m = xcalloc(1, sizeof(*m));

	m->move = move;
	m->ctx = ctx;
	strbuf_init(&m->names);
	strbuf_init(&m->first.text);
	ENSURE(pthread_mutex_init(&m->lock, NULL) == 0);
	ENSURE(pthread_cond_init(&m->work, NULL) == 0);
	ENSURE(pthread_cond_init(&m->done, NULL) == 0);
	return m;
}

/* ---- the thread ---- */

/* Whether any was moved; the first error stays in *first. */
static bool move_all(const struct mover *m, const struct strbuf *names, struct failure *first)
{
	bool moved = false;

	for (size_t at = 0; at < names->len; at += strlen(names->ptr + at) + 1) {
		struct failure why = ERR_INIT;
		enum err rc = m->move(m->ctx, names->ptr + at, &moved, &why);

		if (rc != ERR_NONE && first->code == ERR_NONE)
			err_set(first, rc, "%s", why.text.ptr);
		err_release(&why);
	}
	return moved;
}

static void *work(void *arg)
{
	struct mover *m = arg;
	struct strbuf mine = STRBUF_INIT;
	struct failure first = ERR_INIT;

	priority_follow();
	pthread_mutex_lock(&m->lock);
	while (!m->over || m->count > 0) {
		bool moved;

		if (m->count == 0 || (m->count < WAKE_AT && !m->hurry && !m->over)) {
			pthread_cond_wait(&m->work, &m->lock);
			continue;
		}
		strbuf_swap(&mine, &m->names);
		m->count = 0;
		m->busy = true;
		pthread_mutex_unlock(&m->lock);
		moved = move_all(m, &mine, &first);
		strbuf_clear(&mine);
		pthread_mutex_lock(&m->lock);
		m->moved = m->moved || moved;
		if (m->first.code == ERR_NONE && first.code != ERR_NONE)
			err_set(&m->first, first.code, "%s", first.text.ptr);
		err_clear(&first);
		m->busy = false;
		pthread_cond_signal(&m->done);
	}
	pthread_mutex_unlock(&m->lock);
	strbuf_release(&mine);
	err_release(&first);
	return NULL;
}

/* ---- the other side ---- */

static bool is_started(struct mover *m)
{
	if (!m->started && m->alone >= ALONE)
		m->started = pthread_create(&m->thread, NULL, work, m) == 0;
	return m->started && m->alone >= ALONE;
}

enum err mover_add(struct mover *m, struct span name, struct failure *e)
{
	if (!is_started(m)) {
		struct strbuf copy = STRBUF_INIT;

		strbuf_add_span(&copy, name);
		enum err rc = m->move(m->ctx, copy.ptr, &m->moved_alone, e);
		strbuf_release(&copy);
		m->alone++;
		return rc;
	}
	pthread_mutex_lock(&m->lock);
	strbuf_add_span(&m->names, name);
	strbuf_addc(&m->names, '\0');
	if (++m->count == WAKE_AT)
		pthread_cond_signal(&m->work);
	pthread_mutex_unlock(&m->lock);
	return ERR_NONE;
}

enum err mover_finish(struct mover *m, bool *moved, struct failure *e)
{
	enum err rc;

	pthread_mutex_lock(&m->lock);
	m->hurry = true;
	pthread_cond_signal(&m->work);
	while (m->started && (m->count > 0 || m->busy))
		pthread_cond_wait(&m->done, &m->lock);
	m->hurry = false;
	*moved = m->moved || m->moved_alone;
	rc = m->first.code;
	if (rc != ERR_NONE)
		err_set(e, rc, "%s", m->first.text.ptr);
	err_clear(&m->first);
	m->moved = m->moved_alone = false;
	m->alone = 0;
	pthread_mutex_unlock(&m->lock);
	return rc;
}

void mover_free(struct mover *m)
{
	if (!m)
		return;
	pthread_mutex_lock(&m->lock);
	m->over = true;
	pthread_cond_signal(&m->work);
	pthread_mutex_unlock(&m->lock);
	if (m->started)
		pthread_join(m->thread, NULL);
	strbuf_release(&m->names);
	err_release(&m->first);
	pthread_cond_destroy(&m->work);
	pthread_cond_destroy(&m->done);
	pthread_mutex_destroy(&m->lock);
	free(m);
}
