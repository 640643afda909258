/*
 * dns.h - the records of a name, asked of the system's server of names (RFC 1035).
 *
 * Trusts nothing of an answer: no byte behind its end is read. It may take some seconds, so no run asks.
 */
#ifndef MOLEPOST_BASE_DNS_H
#define MOLEPOST_BASE_DNS_H

#include <arpa/nameser.h>

#include "processor/base/span.h"

enum dns_said { DNS_NO_DOMAIN, DNS_NO_RECORD, DNS_RECORDS, DNS_NO_ANSWER };

struct dns_answer {
	unsigned char bytes[NS_MAXMSG];
	const unsigned char *at, *end;
	unsigned left; /* records that have not been looked at */
	ns_type type;
};

/* DNS_RECORDS: there may be some; dns_next gives those of the type. */
enum dns_said dns_ask(const char *name, ns_type type, struct dns_answer *out);
/* The data of the next record of that type, in the answer; false: there is none. */
bool dns_next(struct dns_answer *a, struct span *data);
/* The name that begins `at` bytes into a record's data, without compression. */
bool dns_name(const struct dns_answer *a, struct span data, size_t at, char host[NS_MAXDNAME]);
/* Two bytes of a record's data, the higher first. */
static inline unsigned dns_u16(struct span data, size_t at)
{
	return (unsigned)(unsigned char)data.ptr[at] << 8 | (unsigned char)data.ptr[at + 1];
}

#endif
