/*
 * robot.c - the signs of a mail, weighed.
 */
#include "mail/robot.h"

enum { TEXT_LOOKED_AT = 16 * 1024, OPENING = 2048 };

const char *robot_class_name(enum robot_class c)
{
	static const char *const names[] = {
	    [ROBOT_PERSON] = "person",
	    [ROBOT_DOUBTFUL] = "doubtful",
	    [ROBOT_BULK] = "bulk",
	    [ROBOT_LIST] = "list",
	    [ROBOT_AUTO_REPLY] = "auto-reply",
	    [ROBOT_AUTO_SENT] = "auto-sent",
	    [ROBOT_RECEIPT] = "receipt",
	    [ROBOT_COMPLAINT] = "complaint",
	    [ROBOT_CALENDAR] = "calendar",
	    [ROBOT_DELIVERED] = "delivered",
	    [ROBOT_HARD] = "hard",
	    [ROBOT_SOFT] = "soft",
	    [ROBOT_UNCLEAR] = "unclear",
	    [ROBOT_LOOP] = "loop",
	};

	return names[c];
}

bool robot_is_bounce(enum robot_class c)
{
	return c == ROBOT_HARD || c == ROBOT_SOFT || c == ROBOT_UNCLEAR;
}

/* ---- what the text of a bounce says: hints ---- */

static struct span first_text(const struct mail_in *m)
{
	return m->ntexts > 0 ? span_slice(m->texts[0].text, 0, TEXT_LOOKED_AT) : SPAN_EMPTY;
}

/* `needle` in lower case; a line end in the text is as good as a blank. */
static bool text_says(struct span text, struct span needle)
{
	for (size_t i = 0; i + needle.len <= text.len; i++) {
		size_t k = 0;

		for (; k < needle.len; k++) {
			char c = ascii_lower(text.ptr[i + k]);

			if ((c == '\n' ? ' ' : c) != needle.ptr[k])
				break;
		}
		if (k == needle.len)
			return true;
	}
	return false;
}

/* One of several, with '|' between them. */
static bool text_says_one(struct span text, const char *needles)
{
	struct span rest = span_of(needles), needle;

	while (span_next_field(&rest, '|', &needle))
		if (text_says(text, needle))
			return true;
	return false;
}

/* "5.1.1" at this place, or 0 bytes. */
static size_t status_at(struct span text, size_t at)
{
	size_t i = at + 2, digits = 0;

	if (at + 5 > text.len || (text.ptr[at] != '4' && text.ptr[at] != '5') ||
	    text.ptr[at + 1] != '.' || text.ptr[i] < '0' || text.ptr[i] > '7' ||
	    text.ptr[i + 1] != '.')
		return 0;
	for (i += 2; i < text.len && ascii_is_digit(text.ptr[i]); i++)
		digits++;
	/* A dot may end the sentence. */
	bool ends = i + 1 >= text.len || text.ptr[i] != '.' || !ascii_is_digit(text.ptr[i + 1]);
	return digits >= 1 && digits <= 3 && ends ? i - at : 0;
}

/* The first status code in prose, such as "(#5.1.1)". */
static struct span status_in(struct span text)
{
	for (size_t i = 0; i < text.len; i++) {
		size_t len = 0;

		if (i == 0 || !(ascii_is_digit(text.ptr[i - 1]) || text.ptr[i - 1] == '.'))
			len = status_at(text, i);
		if (len > 0)
			return span_slice(text, i, i + len);
	}
	return SPAN_EMPTY;
}

/* The class, 4 or 5, of the first answer of a mail server such as "550 no such user"; 0 = none. */
static char reply_class_in(struct span text)
{
	for (size_t i = 0; i + 4 <= text.len; i++) {
		const char *p = text.ptr + i;
		bool starts = i == 0 || p[-1] == ' ' || p[-1] == '\n' || p[-1] == '<' ||
		              p[-1] == '(' || p[-1] == ':' || p[-1] == '\'' || p[-1] == '"';

		if (starts && (p[0] == '4' || p[0] == '5') && p[1] >= '2' && p[1] <= '5' &&
		    ascii_is_digit(p[2]) && (p[3] == ' ' || p[3] == '-' || p[3] == ':'))
			return p[0];
	}
	return 0;
}

static const char says_delayed[] =
    "warning message only|delivery attempts will continue|will continue to attempt|"
    "will continue to try|will keep trying|will be retried|still being retried|"
    "has been delayed|has not yet been delivered|not been delivered yet|"
    "do not need to resend|delivery is delayed|temporary problem|greylist";

static const char says_never[] =
    "this is a permanent error|permanent fatal errors|permanent failure|i've given up|"
    "user unknown|unknown user|no such user|no mailbox here by that name|"
    "mailbox unavailable|recipient not found|address not found|does not exist|"
    "doesn't exist|wasn't found at|not listed in domino directory|"
    "e-mail address could not be found|email address couldn't be found";

/* How mail servers begin that return mails as prose. */
static const char opens_as_bounce[] =
    "hi. this is the|this message was created automatically by mail delivery|"
    "this is the mail system at host|"
    "this is an automatically generated delivery status notification|"
    "your message did not reach some or all|your message couldn't be delivered|"
    "your message wasn't delivered|your message could not be delivered|"
    "the original message was received at|the following address(es) failed|"
    "the following addresses had|unable to deliver message to|"
    "unable to deliver your message|delivery has failed to these recipients|"
    "delivery to the following recipient|"
    "could not be delivered to one or more recipients|could not be delivered to:|"
    "has been returned to you|sorry, we were unable to deliver|"
    "a message that you sent could not be delivered|"
    "a message that you sent has not yet been delivered|"
    "a message that you have sent could not be delivered|"
    "an error occurred while trying to deliver|"
    "- these recipients of your message have been processed by the mail server|"
    "zustellung ihrer nachricht|nachricht konnte nicht zugestellt werden|"
    "votre message n'a pas pu|su mensaje no se ha podido entregar";

/* ---- bounces ---- */

/*
 * Of the permanent failures these are about the mail, the size, the policy, the moment or the
 * sender (RFC 3463): the person is still there.
 */
static bool is_about_the_mail(struct span status)
{
	static const char *const starts[] = {"5.1.7", "5.1.8", "5.2.2", "5.2.3", "5.3.",
	                                     "5.4.5", "5.4.6", "5.4.7", "5.6.",  "5.7."};

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		if (span_starts(status, starts[i]))
			return true;
	return false;
}

bool robot_refuses_address(struct span words)
{
	static const char names[] =
	    "user unknown|unknown user|no such user|no such recipient|no such person|"
	    "no such mailbox|recipient unknown|unknown recipient|does not exist|"
	    "no mailbox here by that name";
	struct span status = status_in(words);

	/* 5.0 and 5.5, said to us and not in a report, mean that the server and we do not get along. */
	if (span_starts(status, "5.") && !span_starts(status, "5.0.") &&
	    !span_starts(status, "5.5."))
		return !is_about_the_mail(status);
	return !span_starts(status, "4.") && text_says_one(words, names);
}

static void set(struct robot *out, enum robot_class class, const char *why)
{
	out->class = class;
	out->why = why;
}

static void judge_status(struct robot *out)
{
	if (span_starts(out->status, "5."))
		set(out, ROBOT_HARD, "a mail of ours cannot be delivered");
	else if (span_starts(out->status, "4."))
		set(out, ROBOT_SOFT, "a mail of ours could not be delivered, for now");
	else
		set(out, ROBOT_UNCLEAR, "a mail of ours came back");
}

/* What prose gives: the code in it, or its wording. */
static void judge_prose(const struct mail_in *m, struct robot *out)
{
	struct span text = first_text(m);
	char reply = reply_class_in(text);

	out->status = status_in(text);
	judge_status(out);
	if (text_says_one(text, says_delayed) ||
	    (m->flags & MAIL_BOUNCE_SUBJECT && (span_starts_nocase(m->subject, "delay") ||
	                                        span_starts_nocase(m->subject, "warning"))))
		set(out, ROBOT_SOFT, "a mail of ours is delayed");
	else if (out->class == ROBOT_UNCLEAR &&
	         (reply == '5' || text_says_one(text, says_never)))
		set(out, ROBOT_HARD, "a mail of ours cannot be delivered");
	else if (out->class == ROBOT_UNCLEAR && reply == '4')
		set(out, ROBOT_SOFT, "a mail of ours could not be delivered, for now");
}

static bool judge_report(const struct mail_in *m, struct robot *out)
{
	const struct mail_report *r = &m->report;

	if (r->kind != MAIL_REPORT_DELIVERY)
		return false;
	out->status = r->status;
	if (span_eq_str(r->action, "delivered") || span_eq_str(r->action, "relayed") ||
	    span_eq_str(r->action, "expanded")) {
		set(out, ROBOT_DELIVERED, "says that a mail was delivered");
	} else if (span_eq_str(r->action, "delayed")) {
		set(out, ROBOT_SOFT, "a mail of ours is delayed");
	} else if (span_starts(r->status, "5.") || span_starts(r->status, "4.")) {
		judge_status(out);
		out->address_is_dead = out->class == ROBOT_HARD &&
		                       !is_about_the_mail(r->status);
	} else {
		judge_prose(m, out);
	}
	return true;
}

/* By two signs it is a returned mail; each alone has other reasons too. */
static bool judge_return(const struct mail_in *m, struct robot *out)
{
	unsigned n = 0;

	if (m->flags & MAIL_AWAY_SUBJECT && !(m->flags & MAIL_BOUNCE_SUBJECT))
		return false;
	n += m->flags & MAIL_FAILED_FIELD ? 2 : 0;
	n += m->flags & MAIL_DAEMON ? 2 : 0;
	n += m->flags & MAIL_NULL_PATH ? 1 : 0;
	n += m->flags & MAIL_REPORT ? 1 : 0;
	n += m->flags & MAIL_BOUNCE_SUBJECT ? 1 : 0;
	/* Names mail servers give themselves. */
	n += text_says_one(m->from_name, "mail delivery s|mailer-daemon|mail administrator|"
	                                 "system administrator|microsoft outlook");
	if (n == 1) /* a search that people's mail must not pay for */
		n += text_says_one(span_slice(first_text(m), 0, OPENING), opens_as_bounce);
	if (n >= 2)
		judge_prose(m, out);
	return n >= 2;
}

/* ---- all of it ---- */

/* From what is sure to what is likely; after the first line that fits nothing else counts. */
void robot_classify(const struct mail_in *m, const char *instance, struct robot *out)
{
	unsigned f = m->flags;
	bool away = (f & MAIL_AWAY_SUBJECT) != 0;

	*out = (struct robot){.class = ROBOT_PERSON, .why = "no sign of a program"};
	if (f & MAIL_OUR_LOOP && span_eq_str(m->instance, instance))
		set(out, ROBOT_LOOP, "one of our own mails came back");
	else if (f & MAIL_OUR_LOOP)
		set(out, ROBOT_AUTO_SENT, "sent by another molepost server");
	else if (m->report.kind == MAIL_REPORT_DISPOSITION)
		set(out, ROBOT_RECEIPT, "says what became of a mail that had arrived");
	else if (m->report.kind == MAIL_REPORT_FEEDBACK)
		set(out, ROBOT_COMPLAINT, "a complaint about a mail");
	else if (f & MAIL_CALENDAR)
		set(out, ROBOT_CALENDAR, "an answer of a calendar");
	else if (judge_report(m, out) || judge_return(m, out))
		return;
	/* Whoever sends these is a program, whatever else the mail says. */
	else if (f & MAIL_AUTO_REPLIED || (f & MAIL_AUTO_SUBMITTED && away))
		set(out, ROBOT_AUTO_REPLY,
		    "sent by a program that answers mail (Auto-Submitted)");
	else if (f & MAIL_AUTO_SUBMITTED)
		set(out, ROBOT_AUTO_SENT, "sent by a program (Auto-Submitted)");
	else if (away && f & (MAIL_AUTO_FIELD | MAIL_BULK | MAIL_SUPPRESS | MAIL_NULL_SENDER))
		set(out, ROBOT_AUTO_REPLY, "an automatic answer, by its header and subject");
	else if (f & MAIL_AUTO_FIELD && f & MAIL_BULK)
		set(out, ROBOT_AUTO_REPLY, "an automatic answer (X-Autoreply, Precedence)");
	else if (f & MAIL_RECEIPT_SUBJECT && f & (MAIL_SUPPRESS | MAIL_NULL_PATH))
		set(out, ROBOT_RECEIPT, "says what became of a mail that had arrived");
	else if (f & MAIL_NULL_PATH) /* however it came: no answer can go there */
		judge_prose(m, out);
	else if (f & MAIL_LIST_SENDER)
		set(out, ROBOT_LIST, "sent by the program of a mailing list");
	else if (f & MAIL_LIST)
		set(out, ROBOT_LIST, "came by a mailing list");
	else if (f & MAIL_REPORT)
		judge_prose(m, out);
	else if (f & MAIL_AUTO_FIELD)
		set(out, ROBOT_BULK, "marked as an automatic answer");
	else if (f & MAIL_BULK)
		set(out, ROBOT_BULK, "marked as bulk mail (Precedence)");
	else if (f & (MAIL_AUTO_HINT | MAIL_RECEIPT_SUBJECT))
		set(out, ROBOT_DOUBTFUL, "may have been sent by a program");
}

/* ---- the mail that came back ---- */

struct span robot_returned_id(const struct mail_in *m)
{
	static const char field[] = "message-id:";
	struct span line;

	if (m->report.returned_id.len > 0)
		return m->report.returned_id;
	for (size_t i = 0; i < m->ntexts; i++) {
		struct span rest = m->texts[i].text;

		while (span_next_line(&rest, &line)) {
			while (line.len > 0 && (line.ptr[0] == '>' || line.ptr[0] == ' '))
				line = span_slice(line, 1, line.len);
			if (!span_starts_nocase(line, field))
				continue;
			line = span_trim(span_slice(line, sizeof(field) - 1, line.len));
			if (mail_message_id_ok(line))
				return line;
		}
	}
	return SPAN_EMPTY;
}
