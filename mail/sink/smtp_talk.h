/*
 * smtp_talk.h - a mail handed over on a connection that libcurl has opened. Private to mail/.
 *
 * libcurl connects, secures, greets and logs in, and carries the bytes. The commands of a mail
 * are given here, since libcurl waits for the answer to each before it gives the next: where the
 * server announces PIPELINING (RFC 2920) they go out together, which halves the round trips of
 * a mail. And how far a mail came before its line broke is known here, and not guessed from an
 * error code.
 */
#ifndef MOLEPOST_MAIL_SINK_SMTP_TALK_H
#define MOLEPOST_MAIL_SINK_SMTP_TALK_H

#include <stdbool.h>

#include "mail/text/libcurl.h"
#include "processor/base/span.h"
#include "processor/base/strbuf.h"

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

/*
 * What became of the mail. The one thing that must not be got wrong is the line between "certainly not accepted",
 * which is tried again at once or later, and "perhaps accepted", which is repeated once and late. The server may
 * have accepted a mail from the moment its last byte was on the way until a refusal has been read, and at no other
 * time.
 */
enum smtp_verdict smtp_end_judge(const struct smtp_end *end);

/* An answer's line has 512 bytes at most, RFC 5321 4.5.3.1.5. */
enum { SMTP_LINE_MAX = 4096 };

#define SMTP_DOT ".\r\n"

struct smtp_talk {
	const struct libcurl *lib; /* borrowed */
	CURL *easy;                /* borrowed, connected; NULL: no connection */
	curl_socket_t socket;
	bool is_tls;
	long timeout_s;              /* for each answer */
	int64_t over_ms;             /* the mail in hand is given up then; monotonic clock */
	bool pipelining, takes_size; /* what the server has announced */
	unsigned owed;               /* answers that it still has to give */
	bool takes_text;    /* it waits for a text, and would take any command for that */
	bool lost;          /* the line, or the order of the answers on it */
	struct strbuf out;  /* commands on their way */
	struct strbuf said; /* its last answer of interest: one bounded, printable line */
	bool said_all;      /* and it is complete */
	/* Just before the text of a mail is given; NULL: nobody wants to know. */
	void (*text_begins)(void *ctx);
	void *ctx;
	size_t looked, held; /* of `in`: what was read, and how much of it has been looked at */
	char in[SMTP_LINE_MAX];
};

void smtp_talk_init(struct smtp_talk *t, const struct libcurl *lib);
void smtp_talk_release(struct smtp_talk *t);
/* Nothing has been said; for a handle that is about to connect. */
void smtp_talk_forget(struct smtp_talk *t);
/* A line of an answer that libcurl has read while it connects: "250-SIZE 1000" and the like. */
void smtp_talk_hear(struct smtp_talk *t, struct span line);
/* The code of `said`; 0 = there is none. */
unsigned smtp_talk_code(const struct smtp_talk *t);
/* `easy` has connected with CURLOPT_CONNECT_ONLY. False: it does not say over which socket. */
bool smtp_talk_begin(struct smtp_talk *t, CURL *easy, bool is_tls, long timeout_s);
/*
 * Hands one mail over and waits for the answer. `from` and `rcpt` are checked addresses; `wire`
 * is the text as smtp_wire has made it, the dot at its end included. Unless it was sent, `said`
 * has the words of the refusal, or nothing, and the connection is good for smtp_talk_quit only.
 */
struct smtp_end smtp_talk_mail(struct smtp_talk *t, struct span from, struct span rcpt,
                               struct span wire);
/* Says QUIT where it would be understood, and waits a little for the answer. */
void smtp_talk_quit(struct smtp_talk *t);

/*
 * `message` as it goes over the line: CRLF at the end of every line, the last included, and no CR
 * elsewhere; dots at the beginning of lines doubled; and the one dot that ends it.
 */
void smtp_wire(struct strbuf *out, struct span message);

#endif
