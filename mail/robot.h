/*
 * robot.h - who wrote this: a person, or what sort of program.
 *
 * Pure: from what the parsed header and the report in the mail say. The fields RFC 3834 and
 * its kin define decide; wording in subjects and texts is a hint, which alone makes nobody a
 * robot, but tells kinds of robots apart. Nothing here proves anything: who counts a bounce
 * first asks for a name that only the mail server could know (processor/request/bounces.h).
 *
 *	class       signs                                            heard         answered
 *	person      none                                             yes           yes
 *	doubtful    subject wording alone; X-Auto-Response-Suppress; yes           players only
 *	            noreply@; X-Loop
 *	bulk        Precedence bulk or junk; X-Autoreply and kin     with proof    with proof
 *	list        List- fields, fields of list managers,           with proof    with proof
 *	            but not with Return-Path <>
 *	            owner-..., ...-request, ...-bounces              no            no
 *	auto-reply  Auto-Submitted; two of the lesser signs          no            no
 *	auto-sent   Auto-Submitted other than auto-replied           no            no
 *	receipt     RFC 8098: the mail was displayed, or not         no            no
 *	complaint   RFC 5965                                         no            no
 *	calendar    text/calendar, an answer to an invitation        no            no
 *	delivered   RFC 3464: delivered, relayed, expanded           no            no
 *	hard, soft, RFC 3464; else Return-Path <>, mailer-daemon@,   counted,      no
 *	unclear     X-Failed-Recipients, wording                     not heard
 *	loop        X-Molepost-Instance with our own name            no            no
 */
#ifndef MOLEPOST_MAIL_ROBOT_H
#define MOLEPOST_MAIL_ROBOT_H

#include "mail/mail.h"

enum robot_class {
	ROBOT_PERSON,
	ROBOT_DOUBTFUL,
	ROBOT_BULK,
	ROBOT_LIST,
	ROBOT_AUTO_REPLY,
	ROBOT_AUTO_SENT,
	ROBOT_RECEIPT,
	ROBOT_COMPLAINT,
	ROBOT_CALENDAR,
	ROBOT_DELIVERED,
	ROBOT_HARD,    /* will never be delivered: status 5.x.x */
	ROBOT_SOFT,    /* not yet, or for a reason that may pass: 4.x.x, delayed */
	ROBOT_UNCLEAR, /* came back, and does not say why */
	ROBOT_LOOP
};

struct robot {
	enum robot_class class;
	const char *why; /* the signs in words, for `why`; a literal */
	struct span
	    status; /* of a bounce: "5.1.1", from the report, else from the text; "" if none */
	bool address_is_dead; /* says a report; not that this mail was unwanted */
};

/* `instance`: the name of this server. Spans borrow from the mail. */
void robot_classify(const struct mail_in *m, const char *instance, struct robot *out);
/* "auto-reply", as in the table above. */
const char *robot_class_name(enum robot_class c);
/* Hard, soft or unclear. */
bool robot_is_bounce(enum robot_class c);
/*
 * Whether these words of a mail server, with which it refuses a mail for good, say that there
 * is nobody of that address: by their status code (RFC 3463); without one by their wording.
 */
bool robot_refuses_address(struct span words);
/*
 * The Message-ID of the mail that a bounce returns: of its report, else of a line
 * "Message-ID: <...>" in its text, for mail servers that return mails as plain text. Empty if
 * there is none.
 */
struct span robot_returned_id(const struct mail_in *m);

#endif
