/*
 * smtp_end.h - what became of a mail, from how its SMTP transfer ended. Private to mail/.
 *
 * The one thing that must not be got wrong is the line between "certainly not accepted",
 * which is tried again at once or later, and "perhaps accepted", which is repeated once and
 * late. The server may have accepted a mail from the moment its last byte was on the way
 * until a refusal has been read, and at no other time.
 */
#ifndef MOLEPOST_MAIL_SMTP_END_H
#define MOLEPOST_MAIL_SMTP_END_H

#include <stdbool.h>

#include <curl/curl.h>

struct smtp_end {
	CURLcode result;
	long code;         /* of the server's last answer, 0 if there was none */
	bool all_read;     /* libcurl has been given the whole message */
	bool mail_refused; /* the answer was to MAIL, that is about the sender */
};

enum smtp_verdict {
	SMTP_SENT,
	SMTP_DEAD,
	SMTP_RETRY,
	SMTP_MAYBE,
	SMTP_AGAIN,   /* the connection is no good and nothing was accepted: try another one */
	SMTP_UNUSABLE /* the server, not the mail: TLS, login, no connection */
};

enum smtp_verdict smtp_end_judge(const struct smtp_end *end);

#endif
