/*
 * servers.c - where a domain says that its mailboxes are.
 */
#include <arpa/nameser.h>
#include <netinet/in.h>
#include <resolv.h>
#include <stddef.h>

#include "mail/web/web.h"
#include "processor/mailbox/mailbox.h"

enum { ANSWER_S = 10, ANSWER_MAX = 4096 };

static unsigned get16(const unsigned char *p)
{
	return (unsigned)p[0] << 8 | p[1];
}

/*
 * RFC 2782: the record with the lowest priority; "." is a service that is not there. Trusts nothing of the answer: no
 * byte behind its end is read, a name is what dn_expand finds within it and mail_server_set takes.
 */
static bool ask_srv(const char *service, const char *domain, const char *scheme,
                    struct mail_server *out)
{
	enum { HEADER = 12, FIXED = 10, SRV_FIXED = 6 };
	unsigned char answer[ANSWER_MAX];
	struct strbuf name = STRBUF_INIT;
	unsigned best = UINT16_MAX + 1;

	strbuf_addf(&name, "%s._tcp.%s", service, domain);
	int n = res_query(name.ptr, C_IN, T_SRV, answer, sizeof(answer));
	strbuf_release(&name);
	if (n < HEADER || n > ANSWER_MAX)
		return false;
	const unsigned char *end = answer + n, *at = answer + HEADER;
	for (unsigned q = get16(answer + 4); q > 0; q--) {
		int skip = dn_skipname(at, end);

		if (skip < 0 || end - at < skip + 4)
			return false;
		at += skip + 4;
	}
	for (unsigned left = get16(answer + 6); left > 0; left--) {
		int skip = dn_skipname(at, end);
		char host[NS_MAXDNAME];

		if (skip < 0 || end - at < skip + FIXED)
			break;
		const unsigned char *record = at + skip, *data = record + FIXED;
		unsigned len = get16(record + 8);
		if (end - data < (ptrdiff_t)len)
			break;
		at = data + len;
		if (get16(record) == T_SRV && len > SRV_FIXED && get16(data) < best &&
		    dn_expand(answer, end, data + SRV_FIXED, host, sizeof(host)) > 0 &&
		    mail_server_set(out, scheme, span_of(host), get16(data + 4)))
			best = get16(data);
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
