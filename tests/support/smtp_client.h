/*
 * smtp_client.h - a mail program that hands one mail to a mail server, as those of players do.
 *
 * Plain SMTP to a port of 127.0.0.1. It aborts when the server does not take the mail.
 */
#ifndef MOLEPOST_TESTS_SMTP_CLIENT_H
#define MOLEPOST_TESTS_SMTP_CLIENT_H

#include "processor/base/span.h"

/* `raw` has LF line ends. */
void smtp_client_send(unsigned port, const char *from, const char *rcpt, struct span raw);

#endif
