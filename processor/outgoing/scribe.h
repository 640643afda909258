/*
 * scribe.h - letters that are written beside the run.
 *
 * What a letter says is settled with the mail it answers. To write it down, in words or in outline, and
 * to seal it touches nothing but values that no longer change: so one thread does that while the
 * mails behind it are dealt with. The rows of the
 * outbox are written at once; the texts follow in the same transaction, in the same order. Nothing
 * sees the difference: a commit, and whoever reads a text, waits for them (store_owe). The same
 * values give the same bytes, whoever writes them and when.
 *
 * One scribe belongs to one intake. Everything here is called by that one thread.
 */
#ifndef MOLEPOST_PROCESSOR_OUTGOING_SCRIBE_H
#define MOLEPOST_PROCESSOR_OUTGOING_SCRIBE_H

#include "processor/base/arena.h"
#include "store/outbox.h"

struct scribe;

/* One letter. */
struct scribe_letter {
	int64_t outbox;         /* the row, as outbox_reserve gave it */
	struct span message_id; /* of it */
	enum outbox_form form;  /* of what `write` writes */
	/* Appends the mail, from any thread: reads only what cannot change any more. */
	void (*write)(const void *ctx, struct strbuf *message);
	void (*release)(void *ctx); /* what `ctx` holds outside the arena; called once */
	void *ctx;                  /* in the arena of the mail in hand */
};

/* Store and keys are borrowed. No thread is begun before there is a letter to write. */
struct scribe *scribe_new(struct store *store, const struct keyring *keys);
/* Letters not written yet are dropped. NULL is fine. */
void scribe_free(struct scribe *s);
/*
 * The arena of the next mail, empty. It stays as it is until the letters that this mail causes have
 * been stored; those of the mail that had it before are stored now.
 */
enum err scribe_next_mail(struct scribe *s, struct arena **arena) MUST_CHECK;
/* A letter that the mail in hand causes; a copy of *letter is taken. */
void scribe_add(struct scribe *s, const struct scribe_letter *letter);
/* The mail in hand has been dealt with: its letters may be written. */
void scribe_mail_done(struct scribe *s);
/* All letters are written and stored, but for those of the mail in hand when `scribe` is the scribe's. */
enum err scribe_finish(void *scribe) MUST_CHECK;
/* The transaction is taken back: nothing is stored. */
void scribe_drop(struct scribe *s);

#endif
