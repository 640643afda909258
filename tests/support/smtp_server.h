/*
 * smtp_server.h - a mail server that misbehaves on purpose, in threads of the test.
 *
 * It listens on a free port of 127.0.0.1 and takes every mail, but where a rule says
 * otherwise. No TLS: for that there is Postfix (postfix.h). It aborts when it cannot do its
 * part.
 */
#ifndef MOLEPOST_TESTS_SMTP_SERVER_H
#define MOLEPOST_TESTS_SMTP_SERVER_H

#include <stdbool.h>
#include <stddef.h>

#include "processor/base/strbuf.h"

/* The first rule that fits a command is applied. */
struct smtp_rule {
	const char *at;    /* "connect", "EHLO", "AUTH", "MAIL", ..., "dot", or "" for all */
	const char *with;  /* only if the line holds this; NULL: any */
	unsigned after;    /* only from the (after+1)-th time on that it would fit */
	unsigned times;    /* so often; 0 = always */
	const char *say;   /* lines with CRLF; NULL: nothing */
	unsigned delay_ms; /* before saying it */
	bool close;        /* and then the line is cut */
	bool usual;        /* does the usual thing (after the delay) */
	bool slowly;       /* says it byte by byte */
};

/* A mail that was accepted, or whose dot was seen by a rule. */
struct smtp_taken {
	struct strbuf from, rcpt, bytes; /* bytes as on the wire, dots undone, CRLF kept */
	unsigned connection;             /* from 1 */
};

struct smtp_server;

/*
 * The rules are borrowed. `auth`: what EHLO offers, "PLAIN LOGIN"; NULL: no AUTH line. It asks for
 * the text of a mail even if it has refused the recipient: servers may.
 */
struct smtp_server *smtp_server_new(const struct smtp_rule *rules, size_t n, const char *auth);
void smtp_server_free(struct smtp_server *s);
/* From now on EHLO announces PIPELINING. */
void smtp_server_announce_pipelining(struct smtp_server *s);
unsigned smtp_server_port(const struct smtp_server *s);
/* How many mails it has taken, and one of them, from 0. */
size_t smtp_server_taken(struct smtp_server *s);
const struct smtp_taken *smtp_server_mail(struct smtp_server *s, size_t i);
unsigned smtp_server_connections(struct smtp_server *s);
/* How often something came, of however many lines. */
unsigned smtp_server_pieces(struct smtp_server *s);
/* Waits until it has seen this many dots, answered or not. */
void smtp_server_wait_dots(struct smtp_server *s, unsigned n);
/* Every line it was sent but those of the mails, each with LF; a copy, free with free(). */
char *smtp_server_heard(struct smtp_server *s);

#endif
