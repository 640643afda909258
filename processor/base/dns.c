/*
 * dns.c - one question by the C library's resolver, and a walk over the answer.
 */
#include "processor/base/dns.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <resolv.h>
#include <string.h>

#include "processor/base/step.h"

enum { SECONDS = 2, TRIES = 2 };

/* Behind a name and the `more` bytes that follow it; NULL: there is not so much. */
static const unsigned char *skip(const unsigned char *at, const unsigned char *end, long more)
{
	int n = at ? dn_skipname(at, end) : -1;

	return n >= 0 && end - at - n >= more ? at + n + more : NULL;
}

enum dns_said dns_ask(const char *name, ns_type type, struct dns_answer *out)
{
	struct __res_state state;

	memset(&state, 0, sizeof(state));
	if (res_ninit(&state) != 0)
		return DNS_NO_ANSWER;
	state.retrans = SECONDS;
	state.retry = TRIES;
	if (step_hooks) {
		state.nscount = 1;
		state.nsaddr_list[0] = (struct sockaddr_in){
		    .sin_family = AF_INET,
		    .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
		    .sin_port = htons((uint16_t)step_hooks->name_server())};
	}
	int n = res_nquery(&state, name, ns_c_in, (int)type, out->bytes, sizeof(out->bytes));
	int why = state.res_h_errno;
	res_nclose(&state);
	if (n < NS_HFIXEDSZ || n > NS_MAXMSG)
		return why == HOST_NOT_FOUND ? DNS_NO_DOMAIN
		       : why == NO_DATA      ? DNS_NO_RECORD
		                             : DNS_NO_ANSWER;
	struct span head = {(const char *)out->bytes, NS_HFIXEDSZ};
	out->end = out->bytes + n;
	out->at = out->bytes + NS_HFIXEDSZ;
	out->type = type;
	for (unsigned i = 0; i < dns_u16(head, 4); i++)
		out->at = skip(out->at, out->end, NS_QFIXEDSZ);
	out->left = dns_u16(head, 6);
	return out->at ? DNS_RECORDS : DNS_NO_ANSWER;
}

bool dns_next(struct dns_answer *a, struct span *data)
{
	while (a->left > 0) {
		const unsigned char *from = skip(a->at, a->end, NS_RRFIXEDSZ);

		a->left--;
		if (!from)
			break;
		struct span fixed = {(const char *)(from - NS_RRFIXEDSZ), NS_RRFIXEDSZ};
		*data = (struct span){(const char *)from, dns_u16(fixed, 8)};
		if (data->len > (size_t)(a->end - from))
			break;
		a->at = from + data->len;
		if (dns_u16(fixed, 0) == (unsigned)a->type)
			return true;
	}
	a->left = 0;
	return false;
}

bool dns_name(const struct dns_answer *a, struct span data, size_t at, char host[NS_MAXDNAME])
{
	return at < data.len &&
	       dn_expand(a->bytes, a->end, (const unsigned char *)data.ptr + at, host,
	                 NS_MAXDNAME) > 0;
}
