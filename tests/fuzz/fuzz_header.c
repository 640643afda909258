/*
 * fuzz_header.c - any bytes as a header, an address list and a line with encoded words: every promise of
 * header_facts.h, address_list.h and encoded_words.h kept, and no more come out than went in.
 */
#include <stddef.h>
#include <stdint.h>

#include "mail/text/address_list.h"
#include "mail/text/encoded_words.h"
#include "mail/text/header.h"
#include "mail/text/header_facts.h"
#include "processor/base/err.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_facts(struct span raw, struct charsets *charsets, struct arena *arena)
{
	struct mail_in f;

	header_facts_read(raw, &mail_usual_limits, charsets, arena, &f);
	const struct span lines[] = {f.from,        f.from_name,     f.subject,
	                             f.date,        f.instance,      f.auth_results,
	                             f.dkim.domain, f.dkim.selector, f.dkim.signature};
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		ENSURE(charset_line_is_clean(lines[i]));
	ENSURE(f.from.len == 0 || mail_address_ok(f.from));
	ENSURE(f.message_id.len == 0 || mail_message_id_ok(f.message_id));
	ENSURE(f.in_reply_to.len == 0 || mail_message_id_ok(f.in_reply_to));
	ENSURE(f.references.count <= 50 && f.recipients.count <= 50);
	for (size_t i = 0; i < f.references.count; i++)
		ENSURE(mail_message_id_ok(f.references.items[i]));
	for (size_t i = 0; i < f.recipients.count; i++)
		ENSURE(mail_address_ok(f.recipients.items[i]));
}

static void check_list(struct span field, struct arena *arena)
{
	struct address_list list = address_list_of(field);
	size_t mailboxes = 0, bytes = 0;
	struct mailbox m;

	while (address_list_next(&list, arena, &m)) {
		mailboxes++;
		bytes += m.name.len + m.address.len;
		/* An address that is one stands in the field, but for blanks and comments in it. */
		ENSURE(!mail_address_ok(m.address) || span_find_char(field, '@') < field.len);
	}
	/* Each has a byte of its own; a name may get a blank for each word. */
	ENSURE(mailboxes <= field.len && bytes <= 2 * field.len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span raw = {(const char *)data, size}, line;
	struct arena *arena = arena_new();
	struct charsets *charsets = charsets_new(CHARSETS_ALL);

	check_facts(raw, charsets, arena);
	check_list(raw, arena);
	check_list(header_unfold(raw, arena), arena);
	line = encoded_words_decode(raw, charsets, arena);
	ENSURE(charset_line_is_clean(line) && line.len <= 4 * size);
	charsets_free(charsets);
	arena_free(arena);
	return 0;
}
