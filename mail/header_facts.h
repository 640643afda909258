/*
 * header_facts.h - what the header of a mail says: who, to whom, about what, and whether a program wrote it.
 *
 * Trusts nothing: any bytes, CRLF or LF. Sizes and counts are checked here, doubled fields found. Afterwards
 * every span is one line of well-formed UTF-8 without control characters, addresses are
 * mail_address_ok, ids mail_message_id_ok. None of it is proved: whoever sends a mail chooses its header,
 * but for what the last mail server has put on top (text/auth_results.h).
 *
 * No MIME, and no library but iconv (text/charset.h). Takes time in proportion to the header.
 */
#ifndef MOLEPOST_MAIL_HEADER_FACTS_H
#define MOLEPOST_MAIL_HEADER_FACTS_H

#include "mail/mail.h"
#include "mail/text/charset.h"

/* Members as in struct mail_in, which is filled with them. */
struct header_facts {
	/* MAIL_HEADER_TOO_LARGE, MAIL_DUPLICATE_FIELD or MAIL_TOO_MANY_RECIPIENTS; all else is there too. */
	enum mail_fault fault;
	unsigned flags; /* those of enum mail_flag that the header tells */
	struct span from, from_name, subject;
	struct span message_id, in_reply_to;
	struct span_list references, recipients;
	struct span date, instance, auth_results;
	struct mail_dkim dkim;
	bool has_message_id_or_date;
};

/*
 * Of a mail, or its header block alone: what is behind the first empty line is not looked at, nor a "From "
 * line of a mailbox file in front. All of *out lives in `arena`. Never fails.
 */
void header_facts_read(struct span raw, const struct mail_limits *limits,
                       struct charsets *charsets, struct arena *arena,
                       struct header_facts *out);

#endif
