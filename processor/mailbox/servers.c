/*
 * servers.c - where a domain says that its mailboxes are.
 */
#include "mail/web/web.h"
#include "processor/base/dns.h"
#include "processor/mailbox/mailbox.h"

enum { ANSWER_S = 10 };

/* RFC 2782: the record with the lowest priority; "." is a service that is not there. */
static bool ask_srv(const char *service, const char *domain, const char *scheme,
                    struct mail_server *out)
{
	enum { PORT = 4, TARGET = 6 };
	struct strbuf name = STRBUF_INIT;
	unsigned best = UINT16_MAX + 1;
	struct dns_answer answer;
	struct span data;

	strbuf_addf(&name, "%s._tcp.%s", service, domain);
	enum dns_said said = dns_ask(name.ptr, ns_t_srv, &answer);
	strbuf_release(&name);
	while (said == DNS_RECORDS && dns_next(&answer, &data)) {
		char host[NS_MAXDNAME];

		if (data.len > TARGET && dns_u16(data, 0) < best &&
		    dns_name(&answer, data, TARGET, host) &&
		    mail_server_set(out, scheme, span_of(host), dns_u16(data, PORT)))
			best = dns_u16(data, 0);
	}
	return best <= UINT16_MAX;
}

void mailbox_find_servers(const struct mailbox *m, struct span domain, struct mail_servers *out,
                          const char **way)
{
	const char *name = arena_cstr(m->arena, domain);

	*out = (struct mail_servers){0};
	*way = "SRV records of the domain";
	if (!ask_srv("_imaps", name, "imaps", &out->in))
		(void)ask_srv("_pop3s", name, "pop3s", &out->in);
	if (!ask_srv("_submissions", name, "smtps", &out->out))
		(void)ask_srv("_submission", name, "smtp", &out->out);
	for (size_t i = 0; i < 2 && (!out->in.scheme || !out->out.scheme); i++) {
		struct failure e = ERR_INIT;
		struct web_answer a;
		const char *url =
		    i == 0
			? arena_printf(m->arena, "https://autoconfig.%s/mail/config-v1.1.xml",
		                       name)
			: arena_printf(m->arena,
		                       "https://%s/.well-known/autoconfig/mail/config-v1.1.xml",
		                       name);

		if (web_ask(&(struct web_question){.url = url,
		                                   .ca_file = m->ca_file,
		                                   .timeout_s = ANSWER_S},
		            &a, &e) == ERR_NONE &&
		    a.status == 200) {
			*way = url;
			if (!out->in.scheme)
				out->in = a.servers.in;
			if (!out->out.scheme)
				out->out = a.servers.out;
		}
		web_answer_release(&a);
		err_release(&e);
	}
}
