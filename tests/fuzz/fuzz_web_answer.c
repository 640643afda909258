/*
 * fuzz_web_answer.c - any bytes as what a web server answers: JSON members and autoconfig files within bounds.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "mail/text/json_member.h"
#include "mail/text/mail_servers.h"
#include "processor/base/err.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_server(const struct mail_server *s)
{
	ENSURE(!s->scheme ||
	       (s->port > 0 && s->host[0] != '\0' && strlen(s->host) <= MAIL_HOST_MAX));
	ENSURE(strspn(s->host,
	              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-") ==
	       strlen(s->host));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = {(const char *)data, size};
	struct strbuf out = STRBUF_INIT;
	struct mail_servers servers = {0};

	if (!json_member(text, "access_token", &out))
		ENSURE(out.len == 0);
	ENSURE(out.len <= size);
	autoconfig_read(text, &servers);
	check_server(&servers.in);
	check_server(&servers.out);
	strbuf_release(&out);
	return 0;
}
