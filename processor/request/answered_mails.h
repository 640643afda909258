/*
 * answered_mails.h - the mails of ours that the mail in hand may quote, and what it quotes of them.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_ANSWERED_MAILS_H
#define MOLEPOST_PROCESSOR_REQUEST_ANSWERED_MAILS_H

#include "processor/request/request.h"

/*
 * From here on the texts of the mail hold our words, and what programs write around them, behind '>'
 * (quoted_lines.h), so that nothing of ours is read as the writer's. The mail answered is the one that
 * In-Reply-To or References name; when none is known, the newest to its writer. Only mails that went to
 * the speaker, or to the address the mail comes from, are looked at: nobody learns by trying what stands in those of others. Where the mail
 * answered is none of these, or its text is no longer kept, req->quotes_unknown says so: then nothing is
 * guessed. A plain text of one line beside HTML with many is left out: its program has lost the ends of its lines.
 */
enum err answered_mails_take_out(struct request *req) MUST_CHECK;

#endif
