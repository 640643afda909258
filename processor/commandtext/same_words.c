/*
 * same_words.c - the words of a text in one form, and which lines have none.
 */
#include "processor/commandtext/same_words.h"

#include <string.h>

#include "processor/commandtext/command_text.h"
#include "processor/commandtext/grammar.h"
#include "processor/commandtext/message_text.h"
#include "processor/quotes/text_line.h"

enum { FOOTER_MARK_BYTES = 2, COMMAND_MAX_BYTES = 500 };

/* "____________", "---", "-=-=-=-", "__._,_.___": above what a mailing list adds. */
static bool is_footer_mark(struct span line)
{
	if (line.len < FOOTER_MARK_BYTES || !strchr("_-=*#~", line.ptr[0]))
		return false;
	for (size_t i = 1; i < line.len; i++)
		if (!strchr("_-=*#~.,", line.ptr[i]))
			return false;
	return true;
}

/* In a footer: a number, or a word alone on its line, but no address of any kind; commands count by themselves. */
static bool could_be_order(struct span line)
{
	struct span rest = line, word;
	bool has_number = false;
	unsigned n = 0;

	if (span_find_char(line, '@') < line.len || span_find(line, SPAN_LIT("://")) < line.len)
		return false;
	while (span_next_word(&rest, ",;", &word)) {
		n++;
		has_number = has_number || ascii_is_digit(word.ptr[0]) ||
		             ascii_is_digit(word.ptr[word.len - 1]);
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

/* Whether it fits one, alone; *opens: and what stands below is its text. */
static bool is_command(struct span line, struct arena *arena, bool *opens)
{
	const struct grammar_row *row;
	struct command item;

	if (line.len > COMMAND_MAX_BYTES ||
	    grammar_fit_line(line, arena, &item, &row, NULL) != FIT_YES)
		return false;
	*opens = *opens || (row->flags & ROW_TAKES_TEXT) != 0 || item.create.text_below;
	return true;
}

static void add_text(struct quick_hasher *h, struct span text, struct arena *arena)
{
	bool in_footer = false, in_message = false, is_empty = true;
	struct span raw;

	while (span_next_line(&text, &raw) && !is_signature(raw)) {
		if (span_starts(raw, ">")) {
			is_empty = false;
			quick_hasher_add(h,
			                 span_trim(raw)); /* read in answers to a digest only */
			continue;
		}
		struct span line = text_plain(text_clean_line(raw, arena), arena);
		struct span bare = text_bare(line, arena);
		in_footer = in_footer || is_footer_mark(line);
		in_message = in_message && !message_is_end_word(bare);
		if (line.len > 0 && !is_footer_mark(line) &&
		    (is_command(bare, arena, &in_message) ||
		     (in_footer ? !is_prose(line) && could_be_order(line)
		                : in_message || !is_prose(line)))) {
			is_empty = false;
			add_words(h, line);
		}
	}
	if (!is_empty) /* some lists add a part of their own */
		quick_hasher_add(h, SPAN_LIT("\f"));
}

struct hash same_words_digest(const struct mail_in *mail, struct arena *arena)
{
	struct span subject =
	    text_subject(text_plain(text_clean_line(mail->subject, arena), arena));
	size_t n = command_text_count(mail);
	struct quick_hasher h;
	bool opens = false;

	quick_hasher_start(&h);
	if (is_command(text_bare(subject, arena), arena, &opens))
		add_words(&h, subject);
	for (size_t i = 0; i < n; i++)
		if (!mail->texts[i].is_html || mail->texts[0].is_html)
			add_text(&h, mail->texts[i].text, arena);
	/* A proof that is to be verified is an attachment. */
	for (size_t i = 0; i < mail->enclosed.count; i++)
		quick_hasher_add(&h, mail->enclosed.items[i]);
	return quick_hasher_end(&h);
}
