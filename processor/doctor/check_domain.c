/*
 * check_domain.c - `molepost doctor`: what the names say of the domain that mail leaves from (RFC 1035, 5321, 7208,
 * 7489, 7505).
 *
 * The system's server of names is asked, three or four times, by doctor alone: no run waits for it.
 *
 * Trusts: nothing of an answer, whose lengths are checked against its end; of a name only its first byte counts, of
 * a text only how it begins.
 */
#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <netdb.h>
#include <resolv.h>
#include <string.h>

#include "processor/base/step.h"
#include "processor/doctor/doctor.h"

enum names_said { SAID_NO_DOMAIN, SAID_NOTHING, SAID_NO_MAIL, SAID_YES, SAID_NOT };

static unsigned two_bytes(const unsigned char *at)
{
	return (unsigned)at[0] << 8 | at[1];
}

/* Behind a name and the `more` bytes that follow it; NULL: there is not so much. */
static const unsigned char *skip(const unsigned char *at, const unsigned char *end, long more)
{
	int n = at ? dn_skipname(at, end) : -1;

	return n >= 0 && end - at - n >= more ? at + n + more : NULL;
}

/* SAID_YES: there is such a record; of texts one that begins so. SAID_NOT: nobody has answered. */
static enum names_said ask(struct __res_state *state, const char *name, ns_type type,
                           const char *begins)
{
	unsigned char answer[NS_MAXMSG];
	int len = res_nquery(state, name, ns_c_in, type, answer, sizeof(answer));
	const unsigned char *end = answer + len, *at = answer + NS_HFIXEDSZ;

	if (len < NS_HFIXEDSZ)
		return state->res_h_errno == HOST_NOT_FOUND ? SAID_NO_DOMAIN
		       : state->res_h_errno == NO_DATA      ? SAID_NOTHING
		                                            : SAID_NOT;
	for (unsigned i = 0; i < two_bytes(answer + 4); i++)
		at = skip(at, end, NS_QFIXEDSZ);
	for (unsigned i = 0; i < two_bytes(answer + 6); i++) {
		const unsigned char *data = skip(at, end, NS_RRFIXEDSZ);
		size_t n = data ? two_bytes(data - 2) : 0, m = begins ? strlen(begins) : 0;

		if (!data || n > (size_t)(end - data))
			return SAID_NOT;
		at = data + n;
		if (two_bytes(data - NS_RRFIXEDSZ) != (unsigned)type)
			continue;
		if (type == ns_t_mx && n == 3 && data[2] == 0)
			return SAID_NO_MAIL;
		if (!begins || (n > m && data[0] >= m && memcmp(data + 1, begins, m) == 0))
			return SAID_YES;
	}
	return SAID_NOTHING;
}

void doctor_check_domain(struct doctor *d)
{
	static const struct {
		const char *below, *begins, *name, *mend;
	} texts[] = {
	    {"", "v=spf1", "SPF", "\"v=spf1 ...\" as your mail provider gives it"},
	    {"_dmarc.", "v=DMARC1", "DMARC", "\"v=DMARC1; p=none\" to begin with"},
	};
	const char *domain = strrchr(d->srv.cfg.address, '@') + 1;
	struct arena *a = d->srv.arena;
	struct strbuf has = STRBUF_INIT;
	struct __res_state state;

	/* A name within this machine or house; and one whose mail somebody else sends. */
	if (!strchr(domain, '.') || *domain == '[' || strstr(domain, "localhost") ||
	    span_starts(span_of(d->srv.cfg.sink), "maildir:"))
		return;
	memset(&state, 0, sizeof(state));
	if (res_ninit(&state) != 0)
		return;
	state.retrans = 2;
	state.retry = 2;
	if (step_hooks) {
		state.nscount = 1;
		state.nsaddr_list[0] = (struct sockaddr_in){
		    .sin_family = AF_INET,
		    .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
		    .sin_port = htons((uint16_t)step_hooks->name_server())};
	}
	enum names_said mx = ask(&state, domain, ns_t_mx, NULL);
	if (mx == SAID_NOTHING && (mx = ask(&state, domain, ns_t_a, NULL)) == SAID_NOTHING)
		mx = ask(&state, domain, ns_t_aaaa, NULL);
	if (mx == SAID_NOT)
		doctor_remark(d, "domain",
		              arena_printf(a, "%s could not be asked about", domain),
		              "nothing, if this machine has no server of names");
	else if (mx == SAID_NO_DOMAIN)
		doctor_problem(d, "domain", arena_printf(a, "there is no domain %s", domain),
		               "check the address line of molepost.conf");
	else if (mx != SAID_YES)
		doctor_problem(d, "domain",
		               arena_printf(a, "%s takes no mail: no reply arrives", domain),
		               "give it an MX record with the server that takes its mail");
	else
		strbuf_adds(&has, "MX");
	bool answers = mx != SAID_NOT && mx != SAID_NO_DOMAIN;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]) && answers; i++) {
		const char *name = arena_printf(a, "%s%s", texts[i].below, domain);

		if (ask(&state, name, ns_t_txt, texts[i].begins) == SAID_YES)
			strbuf_addf(&has, "%s%s", has.len > 0 ? ", " : "", texts[i].name);
		else
			doctor_remark(
			    d, "domain",
			    arena_printf(
				a, "%s has no %s record: others may take its mail for spam",
				domain, texts[i].name),
			    arena_printf(a, "a TXT record at %s, %s", name, texts[i].mend));
	}
	if (has.len > 0)
		doctor_ok(d, "domain", arena_printf(a, "%s has %s", domain, has.ptr));
	strbuf_release(&has);
	res_nclose(&state);
}
