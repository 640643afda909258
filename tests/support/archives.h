/*
 * archives.h - what tests of archives share: which games, the other program that reads them.
 */
#ifndef MOLEPOST_TESTS_ARCHIVES_H
#define MOLEPOST_TESTS_ARCHIVES_H

#include "processor/archive/private.h"
#include "processor/archive/proof.h"
#include "processor/base/strbuf.h"
#include "tests/support/played.h"

/* Seen from the folder in which tests run. */
#define SECOND_OPINION "tests/verify/molepost-verify.py"

/* A game for players: not the null game that tests have too. */
bool archives_is_played(const struct rules *rules);
/* Each archive that is kept for ever, in tests/verify/archives, with its path. */
void archives_for_each_kept(void (*look)(void *context, const char *path, struct span text),
                            void *context);
/* A number of the environment; aborts when it is none. */
unsigned archives_env(const char *name, unsigned otherwise);

/* What the receipt of these orders of turn t says. */
struct receipt_proof archives_evidence(const struct record *r, const struct record_turn *t,
                                       const struct record_order *o);
/* The receipt of the JOIN of that seat. */
struct seat_proof archives_seat(const struct record *r, unsigned seat);
/* Appends a text as it stands in an answer to a forwarded mail: twice quoted, CRLF. */
void archives_quote(struct span text, struct strbuf *mail);

/*
 * An archive as its chained lines, each without folding, "revealed " and line end, to be
 * changed at will. sheet_write makes a whole archive of them again: folded, chained, and
 * signed with `keys` (NULL: not signed). That is what somebody can do who has the secret: a
 * server, after the fact.
 */
struct sheet {
	unsigned version; /* of the record */
	struct arena *arena;
	const char *game;
	struct hash secret;
	struct sheet_line {
		struct span text;
		bool hidden; /* of those that stay hidden while the game runs */
	} * lines;
	size_t n;
};
void sheet_read(struct sheet *s, const struct played *p);
void sheet_write(const struct sheet *s, const struct keyring *keys, struct strbuf *out);
void sheet_release(struct sheet *s);
/* Index of the next line from `from` on with this keyword; s->n when there is none. */
size_t sheet_find(const struct sheet *s, size_t from, const char *keyword);
/* Field i of a line, counted from 0 (the keyword), blanks between; the last one asked for as `rest`
   goes to the end of the line. */
struct span sheet_field(const struct sheet *s, size_t line, unsigned i);
struct span sheet_rest(const struct sheet *s, size_t line, unsigned i);
/* Puts `text` where `part`, a field or a rest of that line, stands. */
void sheet_put(struct sheet *s, size_t line, struct span part, struct span text);

#endif
