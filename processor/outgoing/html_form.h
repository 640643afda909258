/*
 * html_form.h - the HTML form of a mail that leaves, for who wants one.
 *
 * Made from the stored mail when it is sent: nothing of it is stored.
 */
#ifndef MOLEPOST_PROCESSOR_OUTGOING_HTML_FORM_H
#define MOLEPOST_PROCESSOR_OUTGOING_HTML_FORM_H

#include "processor/server/server.h"
#include "store/outbox.h"
#include "store/players.h"

/* Asks ahead (store_ask_ahead) for who reads it. */
void html_form_ask_ahead(struct server *srv, const struct outbox_mail *row,
                         struct arena *arena);
/* Appends it; nothing when the reader, or the server, wants none, or the mail is a long record. */
enum err html_form_add(struct server *srv, const struct outbox_mail *row, struct arena *arena,
                       struct strbuf *out) MUST_CHECK;

/* Whether they get one; a stranger (id 0) gets what everybody gets. */
bool html_form_is_wanted(const struct server *srv, const struct player *p);
/*
 * Adds to the text of a mail, where its signature begins, the commands that the HTML form offers there, set apart as the
 * signature is: so that these are known when they are quoted, and a YES below the news is not one of them.
 */
void html_form_add_commands(const struct outbox_mail *row, struct strbuf *text);

#endif
