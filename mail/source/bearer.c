/*
 * bearer.c - how a token is shown to a server.
 */
#include "mail/source/fetch_private.h"
#include "mail/text/base64.h"
#include "processor/base/seal.h"

void bearer_add(struct strbuf *out, const struct fetch_target *t, bool is_standard)
{
	struct strbuf plain = STRBUF_INIT;

	strbuf_grow(&plain, strlen(t->user) + strlen(t->host) + t->secret.len + 64);
	if (is_standard)
		strbuf_addf(&plain, "n,a=%s,\001host=%s\001port=%u\001auth=Bearer %s\001\001",
		            t->user, t->host, (unsigned)t->peer.port, t->secret.ptr);
	else
		strbuf_addf(&plain, "user=%s\001auth=Bearer %s\001\001", t->user,
		            t->secret.ptr);
	strbuf_grow(out, 2 * plain.len + 16);
	base64_add(out, strbuf_span(&plain));
	secret_release(&plain);
}
