/*
 * html_form.h - the HTML form of a mail that leaves, for who wants one.
 *
 * Made from the stored mail when it is sent: nothing of it is stored. Where the text draws the board of a game as it is
 * then, the form has a picture of it (reports/png.h) in its place. That the text has the very lines
 * which the same view draws for this reader is looked at each time, so the picture shows nobody what the text does
 * not; and a mail whose game has gone on, or whose picture fails, is as its text is.
 */
#ifndef MOLEPOST_PROCESSOR_OUTGOING_HTML_FORM_H
#define MOLEPOST_PROCESSOR_OUTGOING_HTML_FORM_H

#include "mail/compose.h"
#include "processor/match/match.h"
#include "processor/server/server.h"
#include "reports/pictures/png.h"
#include "store/outbox.h"
#include "store/players.h"

/* Whoever makes many has one: the painter, and the game whose board was drawn last. Zero at first. */
struct html_forms {
	struct png_painter *painter;
	bool tried; /* to have one */
	struct arena *arena;
	struct match match;
	int64_t game; /* 0: none is loaded */
};

/* Asks ahead (store_ask_ahead) for who reads it. */
void html_form_ask_ahead(struct server *srv, const struct outbox_mail *row,
                         struct arena *arena);
/* In the arena; empty when the reader, or the server, wants none, or the mail is a long record. */
enum err html_form_make(struct server *srv, struct html_forms *forms,
                        const struct outbox_mail *row, struct arena *arena,
                        struct mail_page *out) MUST_CHECK;
/* The game that is loaded may be another when the store is looked at again; then all is given back. */
void html_forms_forget_game(struct html_forms *forms);
void html_forms_release(struct html_forms *forms);

/* Whether they get one; a stranger (id 0) gets what everybody gets. */
bool html_form_is_wanted(const struct server *srv, const struct player *p);
/*
 * Adds to the text of a mail, where its signature begins, the commands that the HTML form offers there, set apart as the
 * signature is: so that these are known when they are quoted, and a YES below the news is not one of them.
 */
void html_form_add_commands(const struct outbox_mail *row, struct strbuf *text);

#endif
