/*
 * fuzz_mail_texts.c - any bytes as what a child says it has read in a mail.
 */
#include <stddef.h>
#include <stdint.h>

#include "mail/text/charset.h"
#include "processor/base/err.h"
#include "processor/commandtext/mail_texts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Whatever was said, all of it is what command_text_read promises. */
static void check(const struct command_text *l)
{
	for (size_t i = 0; i < l->nitems; i++) {
		const struct command *c = &l->items[i];

		ENSURE(verb_words(c->verb) != NULL);
		ENSURE(c->orders.len == 0 || charset_text_is_clean(c->orders));
		ENSURE(c->name.len == 0 || charset_text_is_clean(c->name));
		ENSURE(c->message.len == 0 || charset_text_is_clean(c->message));
	}
	for (size_t i = 0; i < l->nlines; i++)
		ENSURE(l->lines[i].text.len == 0 || charset_text_is_clean(l->lines[i].text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mail_text texts[2] = {{.text = SPAN_LIT("popup 3\n")},
	                             {.text = SPAN_LIT("whack 5\n")}};
	struct mail_in mail = {.texts = texts, .ntexts = 2, .read = {(const char *)data, size}};
	struct arena *arena = arena_new();

	for (size_t i = 0; i < mail.ntexts; i++) {
		struct command_text l;

		mail_text_command(&mail, i, USUAL_COMMANDS, arena, &l);
		check(&l);
		command_text_release(&l);
	}
	/* And as the text of a mail: there and back. */
	struct strbuf read = STRBUF_INIT;
	texts[0].text = (struct span){(const char *)data, size};
	if (size > 0 && charset_text_is_clean(texts[0].text)) {
		struct command_text l;

		mail_texts_read(&mail, USUAL_COMMANDS, arena, &read);
		mail.read = strbuf_span(&read);
		mail_text_command(&mail, 0, USUAL_COMMANDS, arena, &l);
		check(&l);
		command_text_release(&l);
	}
	strbuf_release(&read);
	arena_free(arena);
	return 0;
}
