/*
 * smtp_end.c - the table of ends.
 *
 * What libcurl 7.88 does is not what one would expect: a refusal gives "send error" and the
 * code; a line that breaks leaves the code of an earlier answer behind, so that a 250 with an
 * error means nothing; and 354 with an error is the one case in which nobody knows.
 */
#include "mail/smtp_end.h"

#include "processor/base/banned.h"

static bool is_about_the_server(CURLcode result)
{
	static const CURLcode codes[] = {
	    CURLE_COULDNT_RESOLVE_HOST,
	    CURLE_COULDNT_RESOLVE_PROXY,
	    CURLE_COULDNT_CONNECT,
	    CURLE_SSL_CONNECT_ERROR,
	    CURLE_PEER_FAILED_VERIFICATION,
	    CURLE_SSL_CACERT_BADFILE,
	    CURLE_SSL_ISSUER_ERROR,
	    CURLE_SSL_CERTPROBLEM,
	    CURLE_SSL_CIPHER,
	    CURLE_SSL_ENGINE_INITFAILED,
	    CURLE_USE_SSL_FAILED,
	    CURLE_LOGIN_DENIED,
	    CURLE_AUTH_ERROR,
	    CURLE_REMOTE_ACCESS_DENIED,
	    CURLE_UNSUPPORTED_PROTOCOL,
	    CURLE_URL_MALFORMAT,
	    CURLE_NOT_BUILT_IN,
	    CURLE_FAILED_INIT,
	};

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		if (result == codes[i])
			return true;
	return false;
}

/* "Log in first", to whatever command: RFC 4954 and RFC 3207. */
static bool wants_login(long code)
{
	return code == 530 || code == 534 || code == 535 || code == 538;
}

/* All was handed over: only a refusal that was read says that it was not taken. */
static enum smtp_verdict judge_answer(long code)
{
	if (code >= 500)
		return SMTP_DEAD;
	return code >= 400 ? SMTP_RETRY : SMTP_MAYBE;
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
	if (end->mail_refused)
		return end->code == 552 ? SMTP_DEAD : SMTP_RETRY;
	return end->code == 552 ? SMTP_RETRY : SMTP_DEAD;
}

enum smtp_verdict smtp_end_judge(const struct smtp_end *end)
{
	if (end->result == CURLE_OK)
		return end->code >= 200 && end->code < 300 ? SMTP_SENT : SMTP_MAYBE;
	if (end->all_read)
		return judge_answer(end->code);
	if (is_about_the_server(end->result))
		return SMTP_UNUSABLE;
	return end->code >= 400 ? judge_refusal(end) : SMTP_AGAIN;
}
