/*
 * smtp.h - one connection to a mail server, over libcurl. Private to mail/.
 *
 * libcurl speaks TLS, verifies the certificate and logs in; smtp_talk.h hands the mails over. A
 * connection that has seen any error is thrown away, since a late answer would be taken for that
 * to the next mail; one recipient for each mail, so that the outcome is theirs alone.
 */
#ifndef MOLEPOST_MAIL_SINK_SMTP_H
#define MOLEPOST_MAIL_SINK_SMTP_H

#include "mail/sink.h"
#include "mail/text/libcurl.h"

/* The same for all connections of a sink, and unchanged while there are any. */
struct smtp_server {
	struct libcurl lib;
	char *url;          /* for libcurl: "smtps://HOST:PORT/HELO", without the user */
	char *name;         /* "USER@HOST" or "HOST", for errors */
	char *user;         /* "" = no login */
	struct login login; /* read before the first connection */
	bool tls;           /* from the first byte on, or by STARTTLS: never without */
	const char *ca_file;
	long timeout_s; /* for one answer of the server */
};

struct smtp_line;

struct smtp_line *smtp_line_new(const struct smtp_server *server);
void smtp_line_free(struct smtp_line *l);
/*
 * Connects, greets, secures and logs in, unless that is done. ERR_DENIED: certificate, login, a
 * server without STARTTLS or AUTH. ERR_IO, ERR_TIMEOUT, ERR_CONFIG.
 */
enum err smtp_line_ready(struct smtp_line *l, struct failure *e) MUST_CHECK;
/*
 * Hands one mail over; `from` and `rcpt` are checked addresses. m->what and m->answer say
 * what became of it. An error is about the server: it may come with an outcome of this mail
 * (a timeout), and nothing more should be tried now.
 */
enum err smtp_line_send(struct smtp_line *l, struct span from, struct span rcpt,
                        struct sink_mail *m, struct failure *e) MUST_CHECK;

/*
 * `message` as the line wants it: CRLF at the end of every line, the last included, and no CR
 * elsewhere; dots at the beginning of lines doubled; and the one dot that ends it.
 */
void smtp_wire(struct strbuf *out, struct span message);

#endif
