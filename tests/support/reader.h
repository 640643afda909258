/*
 * reader.h - what a mail comes to for one seat of one game, without a server.
 *
 * The way is that of a run: the letter's commands and lines, the game's orders, the choice among
 * several texts (processor/intake/choose_text.h), the remarks a receipt would show.
 */
#ifndef MOLEPOST_TESTS_SUPPORT_READER_H
#define MOLEPOST_TESTS_SUPPORT_READER_H

#include "mail/mail.h"
#include "processor/base/diag.h"
#include "processor/base/strbuf.h"
#include "processor/games/rules.h"

/* A position and the seat that writes. All borrowed. */
struct reader_seat {
	const struct rules *rules;
	const struct game_state *state;
	unsigned seat;
	struct tables tables;
};

struct reader_result {
	struct strbuf orders; /* canonical, one set after the other, "" if none */
	struct strbuf
	    commands; /* one a line, as written; with "(nothing)" behind CHECK and its kind */
	struct diags remarks; /* in order of the lines, as a receipt has them */
	size_t text;          /* index of the text that was read */
	bool stopped_at_signature, stopped_at_marker;
};

void reader_read(const struct reader_seat *at, const struct mail_in *mail, struct arena *arena,
                 struct reader_result *out);
void reader_release(struct reader_result *r);
/* For expected files: a line for each of the above. */
void reader_describe(const struct reader_result *r, const struct mail_in *mail,
                     struct strbuf *out);

#endif
