/*
 * scribe.c - one thread that writes letters, and the mails whose letters it has.
 *
 * Mails are counted; mail n has place n % PLACES until its letters are stored. The mails below `given`
 * may be written, those below `begun` are or have been, by the thread or by the intake: where that would have
 * to wait for letters nobody has begun, it writes them itself. A place belongs to the intake before the
 * first passes it, and then to who has begun it until he is through.
 */
#include "processor/outgoing/scribe.h"

#include <pthread.h>
#include <stdlib.h>

#include "processor/base/err.h"
#include "processor/server/server.h"

#include "processor/base/banned.h"

enum {
	PLACES = 128,
	WAKE_AT = 16,  /* to wake a thread costs as much as half a letter */
	TAKEN_BACK = 4 /* letters that the intake writes between two looks */
};

struct job {
	struct scribe_letter letter;
	struct strbuf sealed;
};

struct place {
	struct arena *arena;
	struct job *jobs;
	size_t njobs, cap;
};

struct scribe {
	struct store *store;
	const struct keyring *keys;
	struct place places[PLACES];
	size_t match;  /* the mail in hand */
	size_t stored; /* mails below it are finished with */
	pthread_t thread;
	bool started;

	pthread_mutex_t lock;
	pthread_cond_t work, done;
	size_t given, begun;
	size_t busy_from; /* the thread writes the mails from here on ... */
	bool busy;
	bool hurry; /* ... and the intake waits for it */
	bool over;
};

static struct place *place_of(struct scribe *s, size_t mail)
{
	return &s->places[mail % PLACES];
}

struct scribe *scribe_new(struct store *store, const struct keyring *keys)
{
	struct scribe *s = xcalloc(1, sizeof(*s));

	s->store = store;
	s->keys = keys;
	for (size_t i = 0; i < PLACES; i++)
		s->places[i].arena = arena_new();
	ENSURE(pthread_mutex_init(&s->lock, NULL) == 0);
	ENSURE(pthread_cond_init(&s->work, NULL) == 0);
	ENSURE(pthread_cond_init(&s->done, NULL) == 0);
	return s;
}

/* ---- writing, by the thread or without it ---- */

static void write_letter(const struct keyring *keys, struct job *j)
{
	struct strbuf message = STRBUF_INIT;

	j->letter.write(j->letter.ctx, &message);
	outbox_seal(keys, j->letter.form, j->letter.message_id, strbuf_span(&message),
	            &j->sealed);
	strbuf_release(&message);
}

static void write_place(const struct keyring *keys, struct place *p)
{
	for (size_t i = 0; i < p->njobs; i++)
		write_letter(keys, &p->jobs[i]);
}

static void write_places(struct scribe *s, size_t from, size_t to)
{
	for (size_t mail = from; mail < to; mail++)
		write_place(s->keys, place_of(s, mail));
}

static void *work(void *arg)
{
	struct scribe *s = arg;

	pthread_mutex_lock(&s->lock);
	while (!s->over) {
		size_t from = s->begun;

		if (s->given - from < WAKE_AT) {
			pthread_cond_wait(&s->work, &s->lock);
			continue;
		}
		s->busy = true;
		s->busy_from = from;
		s->begun = from + WAKE_AT;
		pthread_mutex_unlock(&s->lock);
		write_places(s, from, from + WAKE_AT);
		pthread_mutex_lock(&s->lock);
		s->busy = false;
		if (s->hurry)
			pthread_cond_signal(&s->done);
	}
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

/* Until it has none of these mails in hand. With the lock held. */
static void wait_for_thread(struct scribe *s, size_t mails)
{
	s->hurry = true;
	while (s->busy && s->busy_from < mails)
		pthread_cond_wait(&s->done, &s->lock);
	s->hurry = false;
}

/* What nobody has begun is written here, a few at a time so that the thread finds some too. */
static void get_written(struct scribe *s, size_t mails)
{
	pthread_mutex_lock(&s->lock);
	while (s->begun < mails) {
		size_t from = s->begun;
		size_t to = mails - from < TAKEN_BACK ? mails : from + TAKEN_BACK;

		s->begun = to;
		pthread_mutex_unlock(&s->lock);
		write_places(s, from, to);
		pthread_mutex_lock(&s->lock);
	}
	wait_for_thread(s, mails);
	pthread_mutex_unlock(&s->lock);
}

/* ---- storing ---- */

static void clear_place(struct place *p)
{
	for (size_t i = 0; i < p->njobs; i++) {
		struct job *j = &p->jobs[i];

		if (j->letter.release)
			j->letter.release(j->letter.ctx);
		strbuf_clear(&j->sealed);
	}
	p->njobs = 0;
}

static enum err store_place(struct scribe *s, struct place *p)
{
	for (size_t i = 0; i < p->njobs; i++)
		TRY(outbox_put_sealed(s->store, p->jobs[i].letter.outbox,
		                      p->jobs[i].letter.form, strbuf_span(&p->jobs[i].sealed)));
	clear_place(p);
	return ERR_NONE;
}

static enum err store_before(struct scribe *s, size_t mail)
{
	get_written(s, mail);
	for (; s->stored < mail; s->stored++)
		TRY(store_place(s, place_of(s, s->stored)));
	return ERR_NONE;
}

enum err scribe_finish(void *scribe)
{
	struct scribe *s = scribe;
	struct place *in_hand = place_of(s, s->match);

	TRY(store_before(s, s->match));
	write_place(s->keys, in_hand);
	return store_place(s, in_hand);
}

void scribe_drop(struct scribe *s)
{
	pthread_mutex_lock(&s->lock);
	s->begun = s->match; /* what nobody has begun, nobody needs to */
	wait_for_thread(s, s->match);
	pthread_mutex_unlock(&s->lock);
	for (; s->stored < s->match; s->stored++)
		clear_place(place_of(s, s->stored));
	clear_place(place_of(s, s->match));
}

/* ---- for the intake ---- */

enum err scribe_next_mail(struct scribe *s, struct arena **arena)
{
	struct place *p = place_of(s, s->match);

	if (s->match - s->stored == PLACES)
		TRY(store_before(s, s->stored + PLACES / 2));
	arena_clear(p->arena);
	*arena = p->arena;
	return ERR_NONE;
}

void scribe_add(struct scribe *s, const struct scribe_letter *letter)
{
	struct place *p = place_of(s, s->match);
	size_t had = p->cap;

	p->jobs = xgrow(p->jobs, &p->cap, p->njobs + 1, sizeof(*p->jobs));
	for (size_t i = had; i < p->cap; i++)
		strbuf_init(&p->jobs[i].sealed);
	p->jobs[p->njobs++].letter = *letter;
}

void scribe_mail_done(struct scribe *s)
{
	struct place *p = place_of(s, s->match);

	if (p->njobs > 0 && !s->started)
		s->started = pthread_create(&s->thread, NULL, work, s) == 0;
	s->match++;
	pthread_mutex_lock(&s->lock);
	s->given = s->match;
	if (s->started && s->given - s->begun >= WAKE_AT && !s->busy)
		pthread_cond_signal(&s->work);
	pthread_mutex_unlock(&s->lock);
}

void scribe_free(struct scribe *s)
{
	if (!s)
		return;
	scribe_drop(s);
	pthread_mutex_lock(&s->lock);
	s->over = true;
	pthread_cond_signal(&s->work);
	pthread_mutex_unlock(&s->lock);
	if (s->started)
		pthread_join(s->thread, NULL);
	for (size_t i = 0; i < PLACES; i++) {
		for (size_t k = 0; k < s->places[i].cap; k++)
			strbuf_release(&s->places[i].jobs[k].sealed);
		free(s->places[i].jobs);
		arena_free(s->places[i].arena);
	}
	pthread_cond_destroy(&s->work);
	pthread_cond_destroy(&s->done);
	pthread_mutex_destroy(&s->lock);
	free(s);
}
