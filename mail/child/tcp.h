/*
 * tcp.h - a connection to a mail server, before a byte of it is read.
 *
 * The program looks the name up and connects; a child is handed the socket, and so needs no
 * call that opens one. Private to mail/.
 */
#ifndef MOLEPOST_MAIL_CHILD_TCP_H
#define MOLEPOST_MAIL_CHILD_TCP_H

#include <stdint.h>

#include "processor/base/err.h"

/*
 * Tries all addresses of the host in the order that the system gives them, each a quarter of a second
 * after the one before or as soon as that has failed; the first that answers counts (RFC 8305, 5).
 * *socket is the caller's to close, and does not block. ERR_IO, ERR_TIMEOUT.
 */
enum err tcp_connect(const char *host, uint16_t port, unsigned timeout_s, int *socket,
                     struct failure *e) MUST_CHECK;

#endif
