/*
 * same_words.c - the words of a text in one form, and which lines have none.
 */
#include "processor/commandtext/same_words.h"

#include <string.h>

#include "processor/commandtext/command_text.h"
#include "processor/commandtext/grammar.h"
#include "processor/commandtext/text_line.h"

enum { FOOTER_MARK_BYTES = 8 };

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* "____________": above what a mailing list adds. */
static bool is_footer_mark(struct span line)
{
	if (line.len < FOOTER_MARK_BYTES || !strchr("_-=*#~", line.ptr[0]))
		return false;
	for (size_t i = 1; i < line.len; i++)
		if (line.ptr[i] != line.ptr[0])
			return false;
	return true;
}

/* In a footer: a number, or a word alone on its line; commands count by themselves. */
static bool could_be_order(struct span line)
{
	struct span rest = line, word;
	bool has_number = false;
	unsigned n = 0;

	if (span_find_char(line, '@') < line.len)
		return false;
	while (span_next_word(&rest, ",;", &word)) {
		n++;
		has_number = has_number || is_digit(word.ptr[0]) ||
		             is_digit(word.ptr[word.len - 1]);
	}
	return has_number || n == 1;
}

static void add_words(struct quick_hasher *h, struct span line)
{
	struct span word;

	while (span_next_word(&line, "", &word)) {
		quick_hasher_add_nocase(h, word);
		quick_hasher_add(h, SPAN_LIT(" "));
	}
	quick_hasher_add(h, SPAN_LIT("\n"));
}

/* `talk`: what looks like talk counts as well. */
static void add_lines(struct quick_hasher *h, struct span text, bool talk, struct arena *arena)
{
	struct span raw, line;
	bool in_footer = false;

	while (span_next_line(&text, &raw) && !is_signature(raw)) {
		if (span_starts(raw, ">")) {
			quick_hasher_add(h,
			                 span_trim(raw)); /* read in answers to a digest only */
			continue;
		}
		line = text_plain(text_clean_line(raw, arena), arena);
		in_footer = in_footer || is_footer_mark(line);
		if (line.len == 0 || is_footer_mark(line))
			continue;
		if (in_footer ? !is_prose(line) && could_be_order(line)
		              : talk || !is_prose(line))
			add_words(h, line);
	}
	quick_hasher_add(h, SPAN_LIT("\f"));
}

/* Of the lines of one text, and of the messages in it as it was read (`c`). */
static void add_text(struct quick_hasher *h, struct span text, const struct command_text *c,
                     struct arena *arena)
{
	add_lines(h, text, false, arena);
	for (size_t i = 0; i < c->nitems; i++) {
		if (c->items[i].verb != CMD_ORDERS)
			add_words(h, c->items[i].text);
		if (c->items[i].message.len > 0)
			add_lines(h, c->items[i].message, true, arena);
	}
}

struct hash same_words_digest(const struct mail_in *mail, unsigned max_commands,
                              struct arena *arena)
{
	size_t n = command_text_count(mail);
	struct quick_hasher h;

	quick_hasher_start(&h);
	for (size_t i = 0; i < n; i++) {
		struct command_text c;

		if (mail->texts[i].is_html && !mail->texts[0].is_html)
			continue;
		command_text_read(mail->texts[i].text, mail->subject, max_commands, arena, &c);
		add_text(&h, mail->texts[i].text, &c, arena);
		command_text_release(&c);
	}
	/* A proof that is to be verified is an attachment. */
	for (size_t i = 0; i < mail->enclosed.count; i++)
		quick_hasher_add(&h, mail->enclosed.items[i]);
	return quick_hasher_end(&h);
}
