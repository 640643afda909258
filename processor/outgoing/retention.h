/*
 * retention.h - old mails lose their text, and rows that only tell what happened go.
 *
 * How long what is kept is said in molepost.conf (keep_texts and its like). What stays of a mail is its
 * row, the digest of its bytes, and every receipt and head of the record that it carried, signed by the server,
 * with the line that says of which game they are: RESEND brings them still, and verify reads them; and two bytes a
 * line (line_hashes.h), by which its quotation in an answer is known, unless its reader was forgotten. A kill at any moment costs nothing, for each step is a transaction of its own.
 */
#ifndef MOLEPOST_PROCESSOR_OUTGOING_RETENTION_H
#define MOLEPOST_PROCESSOR_OUTGOING_RETENTION_H

#include "processor/quotes/line_hashes.h"
#include "processor/server/server.h"
#include "store/outbox.h"

/* At the end of a run: RETENTION_PER_RUN texts at most, and once a day the rows. */
enum { RETENTION_PER_RUN = 1000 };
enum err retention_in_run(struct server *srv) MUST_CHECK;
/* All that is due. *texts and *rows: how many went. */
enum err retention_all(struct server *srv, unsigned *texts, unsigned *rows) MUST_CHECK;
/* Every text to this player, who has been forgotten; inside a transaction. */
enum err retention_of_forgotten(struct server *srv, int64_t player, unsigned *texts) MUST_CHECK;

/* The signed parts of a mail's text, with the line that names its game; appends nothing if it has none. */
void retention_add_proofs(struct strbuf *out, struct span text);
/* The same of a mail whose text is gone, without the digest. "" when it had none. *lines may be NULL. */
enum err retention_proofs_of(struct server *srv, const struct outbox_mail *m,
                             struct arena *arena, struct span *proofs,
                             struct line_hashes *lines) MUST_CHECK;

#endif
