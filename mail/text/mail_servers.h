/*
 * mail_servers.h - the two servers of a mailbox, as sources and sinks name them, and as a domain tells of them.
 */
#ifndef MOLEPOST_MAIL_TEXT_MAIL_SERVERS_H
#define MOLEPOST_MAIL_TEXT_MAIL_SERVERS_H

#include <stdbool.h>
#include <stdint.h>

#include "processor/base/span.h"

enum { MAIL_HOST_MAX = 253 };

struct mail_server {
	const char *
	    scheme; /* "imaps", "pop3s", "smtps", "smtp" (with STARTTLS); NULL: it is not known */
	char host[MAIL_HOST_MAX + 1];
	uint16_t port;
	bool user_is_local; /* it wants "moles" of moles@example.org, and not all of it */
};

struct mail_servers {
	struct mail_server in, out;
};

/* False, and nothing is set: that is no host name of letters, digits, '.' and '-', or no port. */
bool mail_server_set(struct mail_server *s, const char *scheme, struct span host,
                     uint64_t port);

/*
 * The file in which a domain names its mail servers, as Thunderbird reads it
 * (https://wiki.mozilla.org/Thunderbird:Autoconfiguration:ConfigFileFormat): of <incomingServer type="imap"> (or
 * "pop3") and <outgoingServer type="smtp"> their <hostname>, <port>, <socketType> and <username>. Of several, IMAP goes
 * before POP3, TLS from the first byte before STARTTLS; what this program cannot speak to is passed over. A half
 * that is not named stays as it was.
 *
 * Trusts nothing: hosts are such names, ports such numbers, and nothing else of it is used; no entity is expanded,
 * nothing it points to is read.
 */
void autoconfig_read(struct span xml, struct mail_servers *out);

#endif
