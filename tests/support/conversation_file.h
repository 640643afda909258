/*
 * conversation_file.h - the text of a conversation, cut into its blocks. The form: conversation.h.
 */
#ifndef MOLEPOST_TESTS_CONVERSATION_FILE_H
#define MOLEPOST_TESTS_CONVERSATION_FILE_H

#include "processor/base/arena.h"
#include "processor/base/span.h"
#include "processor/base/strbuf.h"

enum block_kind {
	BLOCK_WRITES,
	BLOCK_REPLIES,
	BLOCK_SENDS,
	BLOCK_RUN,
	BLOCK_CLOCK,
	BLOCK_WAIT,
	BLOCK_DO,
	BLOCK_TO /* not a step: what came of the one before */
};

struct block {
	enum block_kind kind;
	unsigned line;      /* of its marker, from 1 */
	unsigned number;    /* of a step */
	struct span marker; /* without "==== " */
	struct span who;    /* WRITES, REPLIES, SENDS, TO */
	struct span rest;   /* the interval, the command, to what is replied, the subject */
	struct span text;   /* all below the marker, as it is written */
	bool found;         /* left to who plays it */
};

struct conversation_file {
	struct span setup; /* all above the first marker */
	struct block *blocks;
	size_t n;
	/* Within this file. */
	struct arena *arena;
};

/* Aborts with the place when the file cannot be read, or is no conversation. */
void conversation_file_read(const char *path, struct conversation_file *out);
void conversation_file_free(struct conversation_file *f);

/* `text` of a mail that goes in, without the backslashes before lines. */
void block_add_text(const struct block *b, struct strbuf *out);
/* Of an expected mail: the lines above the first empty one, and those below; no body: only its subject counts. */
void block_split(const struct block *b, struct span *header, struct span *body);

#endif
