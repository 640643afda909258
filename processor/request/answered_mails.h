/*
 * answered_mails.h - the mails of ours that the mail in hand answers or may quote, and what it quotes of them.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_ANSWERED_MAILS_H
#define MOLEPOST_PROCESSOR_REQUEST_ANSWERED_MAILS_H

#include "processor/request/request.h"
#include "store/outbox.h"

/*
 * From here on the texts of the mail hold our words, and what programs write around them, behind '>'
 * (quoted_lines.h), so that nothing of ours is read as the writer's. The mail answered is the one that
 * In-Reply-To or References name; when none is known, the newest to its writer. Only mails that went to
 * the speaker, or to the address the mail comes from, are looked at: nobody learns by trying what stands
 * in those of others. Where the mail answered is none of these, or its text is no longer kept (then lines
 * that are quoted whole are known by their hashes), req->quotes_unknown says so, and nothing is guessed.
 * A plain text of one line beside HTML with many is left out: its program has lost the ends of its lines.
 */
enum err answered_mails_take_out(struct request *req) MUST_CHECK;

/* Asks ahead (store_ask_ahead) for them, where the mail says which it answers. */
void answered_mails_ask_ahead(const struct request *req);

/* What the mail says that it answers: In-Reply-To, perhaps "", then References from the last; in the arena. */
size_t answered_ids(const struct request *req, const struct span **ids);
/* The mail of ours that has this Message-ID; "" is none's. */
enum err mail_of_ours(struct request *req, struct span id, struct outbox_mail *row,
                      bool *found) MUST_CHECK;
/* The mail of ours that In-Reply-To names, or where a program leaves that out the last of References. */
enum err answered_mail(struct request *req, struct outbox_mail *row, bool *found) MUST_CHECK;
/*
 * Whether the mail in hand answers one of ours that was about no game and went to its own address, known by its
 * Message-ID: then the address is the writer's.
 */
enum err answered_mail_is_theirs(struct request *req, bool *yes) MUST_CHECK;
/* Whether it answers none of ours and came to no reply address: it may be one to somebody else. */
enum err answered_mails_none(struct request *req, bool *yes) MUST_CHECK;

#endif
