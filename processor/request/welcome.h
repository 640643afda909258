/*
 * welcome.h - the mail to who has a seat in a game that has not begun, or is its master: what
 * game it is, who is in it, and what to do next.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_WELCOME_H
#define MOLEPOST_PROCESSOR_REQUEST_WELCOME_H

#include "processor/request/request.h"

/*
 * The mail to `reader`, who sits at `seat` (NULL: its master without one), not sent yet.
 * `created`: they have made the game, and `key` is what others need to join it, "" when it is
 * public. note: a paragraph, or NULL. Release `out` in any case.
 */
enum err welcome_write(struct server *srv, struct match *match, const struct seat *seat,
                       const struct player *reader, bool created, const char *key,
                       const char *note, struct report_out *out) MUST_CHECK;
/* The same to the speaker, as the answer to their mail. */
enum err welcome_send(struct request *req, struct match *match, struct seat *seat, bool created,
                      const char *key, const char *note) MUST_CHECK;

#endif
