/*
 * web.h - one question to a web server, asked by a child.
 *
 * The program looks the name up and connects; a child that is started for this one question (child.h, cell.h: no
 * key, no database, no environment, no file but certificates, no other socket) speaks TLS and HTTP with libcurl,
 * reads what is wanted out of the answer, and ends. What comes back are texts, bounded and printable. No
 * redirection is followed, no proxy used, nothing but https spoken.
 *
 * Over its pipes, in packets (packet.h): text host, n port, text path, text form, text ca_file, n timeout_s, n
 * number of names, text each; back n status and as many texts, or packet_add_failure. First n: 1 = an answer.
 */
#ifndef MOLEPOST_MAIL_WEB_WEB_H
#define MOLEPOST_MAIL_WEB_WEB_H

#include <stdbool.h>

#include "mail/text/mail_servers.h"
#include "processor/base/err.h"
#include "processor/base/span.h"
#include "processor/base/strbuf.h"

/* The hidden command: main() calls web_child_main when argv[1] is this. */
#define WEB_CHILD_COMMAND "web-child"

enum { WEB_NAMES_MAX = 8, WEB_TEXT_MAX = 8192 };

struct web_question {
	const char *url;  /* "https://host[:port]/path" */
	struct span form; /* POSTed as application/x-www-form-urlencoded; empty: GET */
	const char *const
	    *names; /* of members wanted of a JSON object; NULL: it is an autoconfig file */
	unsigned nnames;     /* at most WEB_NAMES_MAX */
	const char *ca_file; /* PEM; NULL: the system's authorities */
	unsigned timeout_s;  /* for all of it */
};

struct web_answer {
	unsigned status;                    /* 200, 404 ... */
	struct strbuf texts[WEB_NAMES_MAX]; /* one a name, "" = there is none; may be secrets */
	struct mail_servers servers;        /* of an autoconfig file */
};

/*
 * Waits for the answer. ERR_CONFIG: that is no such URL; ERR_DENIED: the certificate; ERR_IO, ERR_TIMEOUT,
 * ERR_LIMIT (an answer of more than 256 KiB), ERR_UNSUPPORTED (libcurl is missing). Call web_answer_release in any
 * case.
 */
enum err web_ask(const struct web_question *q, struct web_answer *out,
                 struct failure *e) MUST_CHECK;
/* Wipes the texts. */
void web_answer_release(struct web_answer *a);

/* Appends "&name=value" to a form, or "name=value" to an empty one, as RFC 3986 escapes it. */
void web_form_add(struct strbuf *form, const char *name, const char *value);

int web_child_main(void);

#endif
