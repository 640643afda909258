/*
 * lector.c - one thread that letters letters, and the piles it works on.
 *
 * The lock guards the state of each letter and the queue of piles. A letter that is BEING_READ is the
 * thread's alone, and with it the arena of its pile; one that is READ belongs to nobody until it is
 * TAKEN, then to who took it. A pile leaves the queue when there is nothing more to read in it.
 */
#include "processor/request/lector.h"

#include <pthread.h>
#include <stdlib.h>

#include "processor/base/err.h"
#include "processor/base/priority.h"

#include "processor/base/banned.h"

enum {
	WORTH_IT = 64, /* fewer letters are not worth waking anybody */
	PILE_BYTES = 4 << 20
};

enum state { UNREAD, BEING_READ, READ, TAKEN };

struct letter_ahead {
	struct lector *lector;
	enum state state;
	struct span text, subject;
	struct command_text read;
};

struct lector_pile {
	struct lector *lector;
	struct arena *arena;
	struct letter_ahead *letters;
	size_t n, at; /* before `at` nothing is UNREAD */
	struct lector_pile *behind;
};

struct lector {
	unsigned max_commands;
	pthread_t thread;
	bool started;

	pthread_mutex_t lock;
	pthread_cond_t work, done;
	struct lector_pile *first;         /* the queue */
	const struct lector_pile *in_hand; /* the thread letters one of its letters */
	bool over;
};

struct lector *lector_new(unsigned max_commands)
{
	struct lector *l = xcalloc(1, sizeof(*l));

	l->max_commands = max_commands;
	ENSURE(pthread_mutex_init(&l->lock, NULL) == 0);
	ENSURE(pthread_cond_init(&l->work, NULL) == 0);
	ENSURE(pthread_cond_init(&l->done, NULL) == 0);
	return l;
}

/* ---- the thread ---- */

/* The next letter to be read, NULL if there is none at this moment. With the lock held. */
static struct letter_ahead *next_letter(struct lector *l)
{
	for (; l->first; l->first = l->first->behind) {
		struct lector_pile *p = l->first;

		while (p->at < p->n && p->letters[p->at].state != UNREAD)
			p->at++;
		if (p->at < p->n && arena_size(p->arena) < PILE_BYTES)
			return &p->letters[p->at];
	}
	return NULL;
}

static void read_next(struct lector *l, struct letter_ahead *a)
{
	struct lector_pile *p = l->first;

	a->state = BEING_READ;
	l->in_hand = p;
	pthread_mutex_unlock(&l->lock);
	command_text_read(a->text, a->subject, l->max_commands, p->arena, &a->read);
	pthread_mutex_lock(&l->lock);
	a->state = READ;
	l->in_hand = NULL;
	pthread_cond_signal(&l->done);
}

static void *work(void *arg)
{
	struct lector *l = arg;

	priority_help();
	pthread_mutex_lock(&l->lock);
	while (!l->over) {
		struct letter_ahead *a = next_letter(l);

		if (a)
			read_next(l, a);
		else
			pthread_cond_wait(&l->work, &l->lock);
	}
	pthread_mutex_unlock(&l->lock);
	return NULL;
}

void lector_free(struct lector *l)
{
	if (!l)
		return;
	pthread_mutex_lock(&l->lock);
	l->over = true;
	pthread_cond_signal(&l->work);
	pthread_mutex_unlock(&l->lock);
	if (l->started)
		pthread_join(l->thread, NULL);
	pthread_cond_destroy(&l->work);
	pthread_cond_destroy(&l->done);
	pthread_mutex_destroy(&l->lock);
	free(l);
}

/* ---- piles ---- */

struct lector_pile *lector_pile_new(struct lector *l)
{
	struct lector_pile *p = xcalloc(1, sizeof(*p));

	p->lector = l;
	p->arena = arena_new();
	arena_keep(p->arena, PILE_BYTES);
	return p;
}

void lector_pile_free(struct lector_pile *p)
{
	if (!p)
		return;
	lector_clear(p);
	arena_free(p->arena);
	free(p);
}

/* A mail that could not be read has no letter. */
static void lay_letters(struct lector_pile *p, const struct mail_in *mails, size_t n)
{
	p->letters = arena_calloc(p->arena, n, sizeof(*p->letters));
	p->n = n;
	for (size_t i = 0; i < n; i++) {
		struct letter_ahead *a = &p->letters[i];

		a->lector = p->lector;
		a->state = mails[i].fault == MAIL_OK && mails[i].ntexts > 0 ? UNREAD : TAKEN;
		if (a->state == UNREAD) {
			a->text = mails[i].texts[0].text;
			a->subject = mails[i].subject;
		}
	}
}

static void queue_add(struct lector *l, struct lector_pile *p)
{
	struct lector_pile **end = &l->first;

	while (*end)
		end = &(*end)->behind;
	*end = p;
	p->behind = NULL;
}

static void queue_remove(struct lector *l, const struct lector_pile *p)
{
	struct lector_pile **at = &l->first;

	while (*at && *at != p)
		at = &(*at)->behind;
	if (*at)
		*at = p->behind;
}

void lector_give(struct lector_pile *p, const struct mail_in *mails, size_t n)
{
	struct lector *l = p->lector;

	if (n < WORTH_IT)
		return;
	if (!l->started)
		l->started = pthread_create(&l->thread, NULL, work, l) == 0;
	if (!l->started)
		return;
	lay_letters(p, mails, n);
	pthread_mutex_lock(&l->lock);
	queue_add(l, p);
	pthread_cond_signal(&l->work);
	pthread_mutex_unlock(&l->lock);
}

void lector_clear(struct lector_pile *p)
{
	struct lector *l = p->lector;

	pthread_mutex_lock(&l->lock);
	queue_remove(l, p);
	while (l->in_hand == p)
		pthread_cond_wait(&l->done, &l->lock);
	pthread_mutex_unlock(&l->lock);
	for (size_t i = 0; i < p->n; i++)
		if (p->letters[i].state == READ)
			command_text_release(&p->letters[i].read);
	p->letters = NULL;
	p->n = p->at = 0;
	arena_clear(p->arena);
}

bool lector_is_done(struct lector_pile *p)
{
	struct lector *l = p->lector;
	const struct lector_pile *queued;
	bool done;

	pthread_mutex_lock(&l->lock);
	for (queued = l->first; queued && queued != p;)
		queued = queued->behind;
	done = !queued && l->in_hand != p;
	pthread_mutex_unlock(&l->lock);
	return done;
}

/* ---- letters ---- */

struct letter_ahead *lector_letter(struct lector_pile *p, size_t i)
{
	return i < p->n ? &p->letters[i] : NULL;
}

static bool is_same(struct span a, struct span b)
{
	return a.ptr == b.ptr && a.len == b.len;
}

/* What nobody has begun to read need not be read ahead any more. */
static bool take(struct letter_ahead *a, struct command_text *out)
{
	bool is_read;

	pthread_mutex_lock(&a->lector->lock);
	is_read = a->state == READ;
	if (is_read)
		*out = a->read;
	if (a->state != BEING_READ)
		a->state = TAKEN;
	pthread_mutex_unlock(&a->lector->lock);
	return is_read;
}

void lector_read(struct letter_ahead *ahead, struct span text, struct span subject,
                 unsigned max_commands, struct arena *arena, struct command_text *out)
{
	if (!ahead || !is_same(ahead->text, text) || !is_same(ahead->subject, subject) ||
	    !take(ahead, out))
		command_text_read(text, subject, max_commands, arena, out);
}
