/*
 * conversation_mask.c - what a conversation is compared by: names for Message-IDs, numbers cut short.
 */
#include <ctype.h>
#include <string.h>

#include "tests/support/conversation.h"

enum { HEX_SHOWN = 8, HEX_LONG = 40, MAC_CHARS = 26 };

static size_t hex_run(struct span text, size_t at)
{
	size_t n = 0;

	while (at + n < text.len && isxdigit((unsigned char)text.ptr[at + n]) &&
	       !isupper((unsigned char)text.ptr[at + n]))
		n++;
	return n;
}

static size_t word_run(struct span text, size_t at)
{
	size_t n = 0;

	while (at + n < text.len && isalnum((unsigned char)text.ptr[at + n]))
		n++;
	return n;
}

/* The number of a mail among those of its person. */
static unsigned number_of(const struct testbed *s, size_t post)
{
	unsigned n = 0;

	for (size_t i = 0; i <= post; i++)
		n += strcmp(s->posts[i]->who, s->posts[post]->who) == 0;
	return n;
}

static size_t mask_message_id(const struct testbed *s, struct span rest, struct strbuf *out)
{
	for (size_t i = 0; i < s->nposts; i++) {
		const char *id = s->posts[i]->message_id;
		if (!span_starts(rest, id))
			continue;
		strbuf_addf(out, "<mail %u to %s>", number_of(s, i), s->posts[i]->who);
		return strlen(id);
	}
	return 0;
}

void conversation_mask(const struct testbed *s, struct span text, struct strbuf *out)
{
	for (size_t i = 0; i < text.len;) {
		size_t used = text.ptr[i] == '<'
		                  ? mask_message_id(s, span_slice(text, i, text.len), out)
		                  : 0;
		size_t word = used ? 0 : word_run(text, i);
		if (used == 0 && word >= HEX_LONG && hex_run(text, i) == word) {
			strbuf_addf(out, "%.*s~", HEX_SHOWN, text.ptr + i);
			used = word;
		} else if (used == 0 && word == MAC_CHARS && i > 0 && text.ptr[i - 1] == '.' &&
		           i + word < text.len && text.ptr[i + word] == '@') {
			strbuf_addc(out, '~');
			used = word;
		} else if (used == 0) {
			used = word ? word : 1;
			strbuf_add(out, text.ptr + i, used);
		}
		i += used;
	}
}

void conversation_mails_to(const struct testbed *s, const char *who, struct strbuf *out)
{
	for (size_t i = 0; i < s->nposts; i++) {
		if (strcmp(s->posts[i]->who, who) != 0)
			continue;
		strbuf_addf(out, "%s\n", s->posts[i]->subject);
		conversation_mask(s, span_of(s->posts[i]->text), out);
	}
}

void conversation_quote(struct span text, struct strbuf *out)
{
	struct span line;

	while (span_next_line(&text, &line))
		strbuf_addf(out, "> %.*s\n", SPAN_ARGS(line));
}
