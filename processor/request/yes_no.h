/*
 * yes_no.h - whether the mail in hand says YES or NO to a question of ours.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_YES_NO_H
#define MOLEPOST_PROCESSOR_REQUEST_YES_NO_H

#include "processor/request/request.h"

/* What an answer says. A text with a yes and a no says nothing. */
struct said {
	bool yes, no;
	const struct command *help; /* asked for instead of either */
};
/* Whether some line of the mail begins so: nearly no order mail has one, and nothing else need be asked. */
bool yes_no_is_likely(const struct mail_in *mail);
/* By the first text of the mail that has any of it; "ja", "oui" and "yep" stand alone on their line. */
struct said yes_no_said(struct request *req);

#endif
