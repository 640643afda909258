/*
 * fuzz_command_text.c - any bytes as a mail's text; the first line also as its subject.
 */
#include <stddef.h>
#include <stdint.h>

#include "processor/base/err.h"
#include "processor/base/utf8.h"
#include "processor/commandtext/command_text.h"
#include "processor/commandtext/same_words.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_clean(struct span s)
{
	for (size_t i = 0; i < s.len; i++)
		if (((unsigned char)s.ptr[i] < 0x20 && s.ptr[i] != '\n') || s.ptr[i] == 0x7f)
			return false;
	return utf8_valid(s);
}

/* Clean lines, and none of those that are no writer's own. */
static void check_message(struct span text)
{
	struct span line;

	while (span_next_line(&text, &line)) {
		ENSURE(is_clean(line));
		ENSURE(!span_starts(line, ">") && !span_starts(line, text_marker));
	}
}

static void check_item(const struct command *item, unsigned lines)
{
	const struct span texts[] = {item->text,       item->topic,         item->name,
	                             item->key,        item->orders,        item->create.title,
	                             item->create.key, item->create.options};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		ENSURE(is_clean(texts[i]));
	ENSURE(item->line <= lines);
	ENSURE(item->verb != CMD_CREATE || item->create.kind != NULL);
	ENSURE(item->verb != CMD_JOIN || (item->game != 0) != (item->kind != NULL));
	ENSURE(item->verb != CMD_SIGNON || item->game != 0);
	ENSURE(item->verb != CMD_PRESS || item->name.len > 0);
	/* What the commands index tables with, or have no other word for. */
	ENSURE(item->verb != CMD_SET_FALLBACK || item->number <= FALLBACK_BOT);
	ENSURE(item->verb != CMD_VOTE ||
	       (item->number >= VOTE_FOR_PAUSE && item->number <= VOTE_FOR_CANCEL));
	ENSURE(item->verb != CMD_ALSO || mail_address_ok(item->name));
	ENSURE(item->verb != CMD_ADDRESS || mail_address_ok(item->name));
	ENSURE(item->wait == WAIT_NOT || item->verb != CMD_JOIN || item->kind != NULL);
	check_message(item->message);
}

/* Whatever is put behind '>' executes nothing. */
static void check_quoted(struct span text, struct arena *arena)
{
	struct strbuf quoted = STRBUF_INIT;
	struct span line;
	struct command_text l;

	while (span_next_line(&text, &line)) {
		strbuf_adds(&quoted, "> ");
		strbuf_add_span(&quoted, line);
		strbuf_addc(&quoted, '\n');
	}
	command_text_read(strbuf_span(&quoted), SPAN_EMPTY, USUAL_COMMANDS, arena, &l);
	ENSURE(l.nitems == 0 && l.nlines == 0);
	command_text_release(&l);
	strbuf_release(&quoted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = {(const char *)data, size};
	struct mail_text texts[] = {{.text = text}};
	const struct mail_in mail = {.texts = texts, .ntexts = 1};
	struct arena *arena = arena_new();
	struct diags all = DIAGS_INIT;
	unsigned lines = 1;
	struct command_text l;

	for (size_t i = 0; i < size; i++)
		lines += data[i] == '\n';
	command_text_read(text, span_slice(text, 0, span_find_char(text, '\n')), USUAL_COMMANDS,
	                  arena, &l);
	for (size_t i = 0; i < l.nitems; i++)
		check_item(&l.items[i], lines);
	for (size_t i = 0; i < l.nlines; i++)
		ENSURE(is_clean(l.lines[i].text));
	for (size_t i = 0; i < l.nbarred; i++)
		ENSURE(is_clean(l.barred[i].text));
	merge_diags(&l, l.nitems > 0 ? l.items[0].orders : SPAN_EMPTY, &l.diags, &all);
	diags_release(&all);
	command_text_release(&l);
	check_quoted(text, arena);
	same_words_digest(&mail, arena);
	arena_free(arena);
	return 0;
}
