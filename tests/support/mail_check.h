/*
 * mail_check.h - what must hold of every mail that came out, whatever it is about.
 *
 *	header      Auto-Submitted is there; In-Reply-To and References name mails that there are, of this person, or
 *	            the beginning of their thread in that game; Reply-To is the server's address, or one that it made
 *	number      the mails of a seat are counted
 *	receipts    each block is signed, and kept by the record as it is at the end
 *	heads       each is signed and stands in that record, and the four words are those of the head
 *	orders      what is opened gives, with its nonce, the commitment beside it, which is that of the receipt
 *	key, secret the server's key; the secret that is shown gives the SHA-256 of the first mails
 */
#ifndef MOLEPOST_TESTS_MAIL_CHECK_H
#define MOLEPOST_TESTS_MAIL_CHECK_H

#include "tests/support/testbed.h"

/*
 * Appends a line to `problem` for each thing that does not hold. came_in: the mails that went in, a line
 * "<Message-ID> address" each; empty: headers are not looked at.
 */
void mail_check_all(struct testbed *s, struct span came_in, struct strbuf *problem);

#endif
