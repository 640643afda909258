/*
 * smtp_client.c - one command and one answer after the other.
 */
#include "tests/support/smtp_client.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "processor/base/err.h"
#include "processor/base/strbuf.h"

static FILE *dial(unsigned port)
{
	struct sockaddr_in a = {.sin_family = AF_INET,
	                        .sin_port = htons((uint16_t)port),
	                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	FILE *line;

	ENSURE(fd >= 0 && connect(fd, (struct sockaddr *)&a, sizeof(a)) == 0);
	line = fdopen(fd, "r+");
	ENSURE(line != NULL);
	setvbuf(line, NULL, _IONBF, 0);
	return line;
}

/* The last line of an answer has a blank behind the code. */
static void expect_answer(FILE *line, const char *code)
{
	char text[1024];

	do
		ENSURE(fgets(text, sizeof(text), line) != NULL);
	while (strlen(text) > 3 && text[3] == '-');
	if (strncmp(text, code, 3) != 0)
		BUG("%s was wanted, the mail server said %s", code, text);
}

static void say(FILE *line, const struct strbuf *words, const char *code)
{
	ENSURE(fwrite(words->ptr, 1, words->len, line) == words->len);
	expect_answer(line, code);
}

static void add_body(struct strbuf *out, struct span raw)
{
	struct span text;

	while (span_next_line(&raw, &text))
		strbuf_addf(out, "%s%.*s\r\n", span_starts(text, ".") ? "." : "",
		            SPAN_ARGS(text));
	strbuf_adds(out, ".\r\n");
}

void smtp_client_send(unsigned port, const char *from, const char *rcpt, struct span raw)
{
	struct strbuf words = STRBUF_INIT;
	FILE *line = dial(port);

	expect_answer(line, "220");
	strbuf_adds(&words, "EHLO mua.example.net\r\n");
	say(line, &words, "250");
	strbuf_clear(&words);
	strbuf_addf(&words, "MAIL FROM:<%s>\r\n", from);
	say(line, &words, "250");
	strbuf_clear(&words);
	strbuf_addf(&words, "RCPT TO:<%s>\r\n", rcpt);
	say(line, &words, "250");
	strbuf_clear(&words);
	strbuf_adds(&words, "DATA\r\n");
	say(line, &words, "354");
	strbuf_clear(&words);
	add_body(&words, raw);
	say(line, &words, "250");
	strbuf_clear(&words);
	strbuf_adds(&words, "QUIT\r\n");
	say(line, &words, "221");
	(void)fclose(line);
	strbuf_release(&words);
}
