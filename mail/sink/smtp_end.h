/*
 * smtp_end.h - what became of a mail, from how its SMTP transaction ended. Private to mail/.
 *
 * The one thing that must not be got wrong is the line between "certainly not accepted",
 * which is tried again at once or later, and "perhaps accepted", which is repeated once and
 * late. The server may have accepted a mail from the moment its last byte was on the way
 * until a refusal has been read, and at no other time.
 */
#ifndef MOLEPOST_MAIL_SINK_SMTP_END_H
#define MOLEPOST_MAIL_SINK_SMTP_END_H

#include "mail/text/libcurl.h"

/* How far it came: the command that was refused, or had no answer. */
enum smtp_stage {
	SMTP_AT_MAIL,
	SMTP_AT_RCPT,
	SMTP_AT_DATA,
	SMTP_AT_TEXT, /* the server waits for it, and has not been given all */
	SMTP_AT_DOT   /* the whole text and the dot behind it are on the way */
};

struct smtp_end {
	enum smtp_stage stage;
	unsigned code;   /* of the answer at this stage; 0 = none was read */
	CURLcode result; /* CURLE_OK: the line holds */
};

enum smtp_verdict {
	SMTP_SENT,
	SMTP_DEAD,
	SMTP_RETRY,
	SMTP_MAYBE,
	SMTP_AGAIN,   /* the connection is no good and nothing was accepted: try another one */
	SMTP_UNUSABLE /* the server, not the mail: it wants a login */
};

enum smtp_verdict smtp_end_judge(const struct smtp_end *end);

#endif
