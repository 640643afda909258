/*
 * smtp_end.c - the table of ends.
 */
#include "mail/sink/smtp_end.h"

#include <stdbool.h>

/* "Log in first", to whatever command: RFC 4954 and RFC 3207. */
static bool wants_login(unsigned code)
{
	return code == 530 || code == 534 || code == 535 || code == 538;
}

/* All was handed over: only a refusal that was read says that it was not taken. */
static enum smtp_verdict judge_answer(unsigned code)
{
	if (code >= 500)
		return SMTP_DEAD;
	if (code >= 400)
		return SMTP_RETRY;
	return code >= 200 && code < 300 ? SMTP_SENT : SMTP_MAYBE;
}

/*
 * 552 to RCPT means "too many recipients" to old servers and is no verdict, RFC 5321
 * 4.5.3.1.10; to MAIL it means "too large". Any other refusal of the sender is not the fault
 * of the mail: there is time to mend the configuration before it is given up. 503 is a server
 * out of step.
 */
static enum smtp_verdict judge_refusal(const struct smtp_end *end)
{
	if (end->code == 421 || end->code == 503)
		return SMTP_AGAIN;
	if (wants_login(end->code))
		return SMTP_UNUSABLE;
	if (end->code < 500)
		return SMTP_RETRY;
	if (end->stage == SMTP_AT_MAIL)
		return end->code == 552 ? SMTP_DEAD : SMTP_RETRY;
	return end->code == 552 ? SMTP_RETRY : SMTP_DEAD;
}

enum smtp_verdict smtp_end_judge(const struct smtp_end *end)
{
	if (end->stage == SMTP_AT_DOT)
		return judge_answer(end->code);
	return end->code >= 400 ? judge_refusal(end) : SMTP_AGAIN;
}
