/*
 * header_facts.h - what the header of a mail says: who, to whom, about what, and whether a program wrote it.
 *
 * Trusts nothing: any bytes, CRLF or LF. Sizes and counts are checked here, doubled fields found. Afterwards
 * every span is one line of well-formed UTF-8 without control characters, addresses are
 * mail_address_ok, ids mail_message_id_ok. None of it is proved: whoever sends a mail chooses its header,
 * but for what the last mail server has put on top (auth_results.h).
 *
 * No MIME, and no library but what charset.h uses. Takes time in proportion to the header. Private to mail/.
 */
#ifndef MOLEPOST_MAIL_TEXT_HEADER_FACTS_H
#define MOLEPOST_MAIL_TEXT_HEADER_FACTS_H

#include "mail/mail.h"
#include "mail/text/charset.h"
#include "mail/text/header.h"

/*
 * Of a mail, or its header block alone: what is behind the first empty line is not looked at, nor a "From "
 * line of a mailbox file in front. Sets *out: fault to MAIL_HEADER_TOO_LARGE, MAIL_DUPLICATE_FIELD or
 * MAIL_TOO_MANY_RECIPIENTS (all else is there too) or MAIL_OK, flags to those that the header tells, what is
 * below the header to nothing. All of it lives in `arena`, but raw, which is borrowed. Never fails.
 */
void header_facts_read(struct span raw, const struct mail_limits *limits,
                       struct charsets *charsets, struct arena *arena, struct mail_in *out);
/* Sets subject and from_name alone. */
void header_facts_read_words(const struct header *header, struct charsets *charsets,
                             struct arena *arena, struct mail_in *out);
/* Another reading of them, with more charsets: it counts where the first one has U+FFFD. */
void header_facts_add_words(struct mail_in *m, struct span subject, struct span from_name);

#endif
