/*
 * mail_servers.c - the elements of an autoconfig file, found by their names; a file that is no XML gives nothing.
 */
#include "mail/text/mail_servers.h"

#include <string.h>

#include "processor/base/num.h"

bool mail_server_set(struct mail_server *s, const char *scheme, struct span host, uint64_t port)
{
	bool ok = host.len > 0 && host.len <= MAIL_HOST_MAX && port > 0 && port <= UINT16_MAX &&
	          host.ptr[0] != '-' && host.ptr[0] != '.';

	for (size_t i = 0; i < host.len; i++)
		ok = ok &&
		     (ascii_is_alnum(host.ptr[i]) || host.ptr[i] == '.' || host.ptr[i] == '-');
	if (!ok)
		return false;
	s->scheme = scheme;
	memcpy(s->host, host.ptr, host.len);
	s->host[host.len] = '\0';
	s->port = (uint16_t)port;
	s->user_is_local = false;
	return true;
}

/* What stands between `from` and `to`; *rest goes on behind. */
static bool take_between(struct span *rest, const char *from, const char *to, struct span *out)
{
	size_t at = span_find(*rest, span_of(from));

	if (at == rest->len)
		return false;
	struct span inner = span_slice(*rest, at + strlen(from), rest->len);
	size_t end = span_find(inner, span_of(to));
	if (end == inner.len)
		return false;
	*out = span_slice(inner, 0, end);
	*rest = span_slice(inner, end + strlen(to), inner.len);
	return true;
}

static struct span element(struct span block, const char *from, const char *to)
{
	struct span found = SPAN_EMPTY;

	return take_between(&block, from, to, &found) ? span_trim(found) : SPAN_EMPTY;
}

static void read_server(struct span block, bool incoming, struct mail_server *s)
{
	struct span type = element(block, "type=\"", "\"");
	struct span tls = element(block, "<socketType>", "</socketType>");
	struct span user = element(block, "<username>", "</username>");
	const char *scheme = NULL;
	uint64_t port = 0;

	if (incoming && span_eq_nocase(tls, "SSL"))
		scheme = span_eq_nocase(type, "imap")   ? "imaps"
		         : span_eq_nocase(type, "pop3") ? "pop3s"
		                                        : NULL;
	else if (!incoming && span_eq_nocase(type, "smtp"))
		scheme = span_eq_nocase(tls, "SSL")        ? "smtps"
		         : span_eq_nocase(tls, "STARTTLS") ? "smtp"
		                                           : NULL;
	/* The first of its kind counts, the better kind before the other. */
	if (!scheme || (s->scheme && (strcmp(s->scheme, scheme) == 0 ||
	                              strcmp(scheme, incoming ? "pop3s" : "smtp") == 0)))
		return;
	if (num_parse_u64(element(block, "<port>", "</port>"), UINT16_MAX, &port) &&
	    mail_server_set(s, scheme, element(block, "<hostname>", "</hostname>"), port))
		s->user_is_local = span_eq_str(user, "%EMAILLOCALPART%");
}

void autoconfig_read(struct span xml, struct mail_servers *out)
{
	struct mail_servers found = {0};
	struct span block, rest = xml;

	if (span_find(xml, SPAN_LIT("<clientConfig")) == xml.len)
		return;
	while (take_between(&rest, "<incomingServer", "</incomingServer>", &block))
		read_server(block, true, &found.in);
	rest = xml;
	while (take_between(&rest, "<outgoingServer", "</outgoingServer>", &block))
		read_server(block, false, &found.out);
	if (found.in.scheme)
		out->in = found.in;
	if (found.out.scheme)
		out->out = found.out;
}
