/*
 * sink_sendmail.c - "sendmail:COMMAND": each mail is the standard input of a program.
 *
 * The words of the command are split at blanks; there is no shell. A word FROM or RCPT stands
 * for that address of the envelope; when no word is RCPT, "-i -f FROM -- RCPT" is added,
 * which is what every sendmail(1) understands. The exit code is read as in sysexits.h.
 */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "mail/robot.h"
#include "mail/sink/private.h"
#include "processor/base/env.h"
#include "processor/base/step.h"
#include "processor/base/subprocess.h"

enum {
	WORDS_MAX = 40,
	TIMEOUT_MS = 120 * 1000,
	HEARD_MAX = 2000,
	BATCH_SENDMAIL = 8,
	NOT_RUN = 126, /* what a shell says of a program that cannot be run, or is not there */
	NOT_THERE = 127,
	SIGNALLED = 128
};

struct sendmail_sink {
	char *text;                       /* what the words point into */
	const char *words[WORDS_MAX + 1]; /* NULL-ended */
	size_t n;
};

static bool add_word(struct sendmail_sink *m, const char *word)
{
	if (m->n == WORDS_MAX)
		return false;
	m->words[m->n++] = word;
	return true;
}

static enum err sendmail_open(struct sink *s, const char *rest, struct failure *e)
{
	static const char *const usual[] = {"-i", "-f", "FROM", "--", "RCPT"};
	struct sendmail_sink *m = xcalloc(1, sizeof(*m));
	bool ok = true, has_rcpt = false;

	s->state = m;
	s->batch = BATCH_SENDMAIL;
	m->text = xstrdup(rest);
	for (char *at = m->text; ok && *(at += strspn(at, " \t"));) {
		size_t len = strcspn(at, " \t");
		bool last = at[len] == '\0';

		at[len] = '\0';
		has_rcpt = has_rcpt || strcmp(at, "RCPT") == 0;
		ok = add_word(m, at);
		at += last ? len : len + 1;
	}
	for (size_t i = 0; !has_rcpt && i < sizeof(usual) / sizeof(usual[0]); i++)
		ok = ok && add_word(m, usual[i]);
	if (!ok)
		return err_set(e, ERR_CONFIG, "%s: more than %d words", s->url, WORDS_MAX);
	if (strcmp(m->words[0], "-i") == 0)
		return err_set(e, ERR_CONFIG, "%s: the program is missing", s->url);
	return ERR_NONE;
}

static void sendmail_close(struct sink *s)
{
	struct sendmail_sink *m = s->state;

	free(m->text);
	free(m);
}

static bool is_program(struct span folder, const char *name)
{
	struct strbuf path = STRBUF_INIT;
	bool yes;

	strbuf_addf(&path, "%.*s/%s", SPAN_ARGS(folder), name);
	yes = access(path.ptr, X_OK) == 0;
	strbuf_release(&path);
	return yes;
}

static enum err sendmail_ready(struct sink *s, struct failure *e)
{
	const struct sendmail_sink *m = s->state;
	struct span path = span_of(env_get("PATH")), folder;
	bool found = strchr(m->words[0], '/') != NULL && access(m->words[0], X_OK) == 0;

	while (!found && strchr(m->words[0], '/') == NULL &&
	       span_next_field(&path, ':', &folder))
		found = is_program(folder, m->words[0]);
	if (found)
		return ERR_NONE;
	return err_set(e, ERR_NOT_FOUND, "%s: there is no program %s that may be run", s->url,
	               m->words[0]);
}

/* ------------------------------------------------------------------ sending */

/* Fits the result into words of a person; NULL = the number has to do. */
static const char *code_meaning(int code)
{
	switch (code) {
	case EX_USAGE:
		return "wrong usage";
	case EX_DATAERR:
		return "the mail was not understood";
	case EX_NOUSER:
		return "addressee unknown";
	case EX_NOHOST:
		return "host unknown";
	case EX_UNAVAILABLE:
		return "refused";
	case EX_TEMPFAIL:
		return "not now";
	case EX_NOPERM:
		return "not allowed";
	case EX_CONFIG:
		return "its configuration is wrong";
	default:
		return "no reason known";
	}
}

/* The codes that speak of this mail. A wrong command line may be mended in time. */
static enum delivery judge(int code)
{
	if (code == 0)
		return DELIVERY_SENT;
	return code >= EX_DATAERR && code <= EX_UNAVAILABLE ? DELIVERY_DEAD : DELIVERY_RETRY;
}

static enum err note_code(const struct sink *s, int code, struct span heard,
                          struct sink_mail *mail, struct failure *e)
{
	/* The codes that speak of the program, whatever the mail. */
	if (code == EX_NOPERM || code == EX_CONFIG || code == NOT_RUN || code == NOT_THERE)
		return err_set(e, ERR_DENIED, "%s: it ended with %d (%s)", s->url, code,
		               code_meaning(code));
	if (code >= SIGNALLED) { /* it may have taken the mail, as when it hangs */
		mail->what = DELIVERY_MAYBE;
		strbuf_addf(&mail->answer, "it died of signal %d", code - SIGNALLED);
		return err_set(e, ERR_IO, "%s: it died of signal %d", s->url, code - SIGNALLED);
	}
	mail->what = judge(code);
	if (mail->what == DELIVERY_SENT)
		return ERR_NONE;
	strbuf_addf(&mail->answer, "exit code %d (%s)%s", code, code_meaning(code),
	            heard.len > 0 ? ": " : "");
	sink_add_words(&mail->answer, heard);
	mail->no_such_address =
	    mail->what == DELIVERY_DEAD &&
	    (code == EX_NOUSER || code == EX_NOHOST || robot_refuses_address(heard));
	return ERR_NONE;
}

static enum err run(const struct sink *s, const char *const argv[], struct sink_mail *mail,
                    struct failure *e)
{
	struct strbuf heard = STRBUF_INIT;
	int code = 0;
	enum err r =
	    subprocess_run(argv, mail->message, HEARD_MAX, TIMEOUT_MS, &heard, &code, e);

	if (r == ERR_NONE)
		r = note_code(s, code, span_trim(strbuf_span(&heard)), mail, e);
	else if (r == ERR_TIMEOUT) {
		mail->what = DELIVERY_MAYBE;
		strbuf_addf(&mail->answer, "it did not end within %d seconds",
		            TIMEOUT_MS / 1000);
		err_context(e, "%s", s->url);
	} else {
		err_context(e, "%s", s->url);
	}
	step("mail handed over");
	strbuf_release(&heard);
	return r;
}

static enum err send_one(const struct sink *s, struct sink_mail *mail, struct failure *e)
{
	const struct sendmail_sink *m = s->state;
	struct strbuf sender = STRBUF_INIT, recipient = STRBUF_INIT;
	const char *argv[WORDS_MAX + 1] = {NULL};
	struct span from, rcpt;
	enum err r = ERR_NONE;

	if (sink_envelope(s, mail, &from, &rcpt)) {
		strbuf_add_span(&sender, from);
		strbuf_add_span(&recipient, rcpt);
		for (size_t i = 0; i < m->n; i++)
			argv[i] = strcmp(m->words[i], "FROM") == 0   ? sender.ptr
			          : strcmp(m->words[i], "RCPT") == 0 ? recipient.ptr
			                                             : m->words[i];
		r = run(s, argv, mail, e);
	}
	strbuf_release(&sender);
	strbuf_release(&recipient);
	return r;
}

static enum err sendmail_finish(struct sink *s, struct failure *e)
{
	enum err r = ERR_NONE;

	for (size_t i = 0; i < s->n && r == ERR_NONE; i++)
		if (!sink_would_overtake(s->mails, i))
			r = send_one(s, &s->mails[i], e);
	return r;
}

const struct sink_driver sink_sendmail = {
    .scheme = "sendmail",
    .open = sendmail_open,
    .close = sendmail_close,
    .ready = sendmail_ready,
    .finish = sendmail_finish,
};
