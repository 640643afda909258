/*
 * meant_here.c - whether a command is meant where it stands.
 */
#include "processor/commandtext/meant_here.h"

#include "processor/base/utf8.h"
#include "processor/commandtext/grammar.h"
#include "processor/commandtext/message_text.h"
#include "processor/games/decoration.h"
#include "processor/quotes/text_line.h"

enum { GREETING_WORDS = 4, NAME_WORDS = 3, HELP_LETTERS = 4 };

/* Words of any letter. HELP itself is not one, its short forms "?", "get" and "info" are. */
static bool is_everyday(const struct command *item, struct span line)
{
	const enum verb v = item->verb;

	return v == CMD_CHECK || v == CMD_PREVIEW || v == CMD_DIARY || v == CMD_YES ||
	       v == CMD_NO || (v == CMD_UNOBSERVE && item->game == 0) ||
	       (v == CMD_HELP && line.len <= HELP_LETTERS && !span_eq_nocase(line, "help"));
}

static bool has_colon(const struct grammar_row *row, struct span line)
{
	size_t colon = span_find_char(line, ':');
	struct span words = span_slice(line, 0, colon);

	return colon < line.len && take_phrase(&words, span_of(row->words)) && words.len == 0;
}

static bool has_end_word(struct span below, struct arena *arena)
{
	struct span raw;

	while (span_next_line(&below, &raw))
		if (raw.len < 20 &&
		    message_is_end_word(text_bare(text_plain(raw, arena), arena)))
			return true;
	return false;
}

/* Orders on the line itself or right below it. */
static bool heads_orders(const struct command *item, struct span below)
{
	struct span next;

	return item->orders.len > 0 ? !is_prose(item->orders)
	                            : span_next_line(&below, &next) &&
	                                  span_trim(next).len > 0 && !is_prose(span_trim(next));
}

/* Nothing but a name and a greeting stands below, up to what is quoted. */
static bool ends_own_words(struct span below)
{
	struct span line;

	while (span_next_line(&below, &line) && !is_signature(line) &&
	       !span_starts(line, ">") && !span_starts(line, text_marker)) {
		line = span_trim(line);
		if (line.len > 0 && text_count_words(line) > NAME_WORDS && !is_greeting(line))
			return false;
	}
	return true;
}

bool is_meant_here(const struct place *place, const struct grammar_row *row,
                   const struct command *item, struct span line, struct arena *arena)
{
	bool in_place = place->first_block && !place->quote_above &&
	                (!place->indented || place->first_line);

	if ((row->flags & ROW_IN_PLACE) != 0)
		return item->game != 0 || has_colon(row, line) ||
		       (in_place && place->in_our_thread) ||
		       (in_place && item->verb != CMD_OFFICIAL && place->first_line &&
		        ends_own_words(place->below)) ||
		       ((row->flags & ROW_TAKES_TEXT) != 0 &&
		        has_end_word(place->below, arena));
	if (!is_everyday(item, line) || in_place)
		return true;
	if (item->verb == CMD_DIARY)
		return has_end_word(place->below, arena);
	return (item->verb == CMD_CHECK || item->verb == CMD_PREVIEW) && !place->quote_above &&
	       !place->indented && heads_orders(item, place->below);
}

bool is_greeting(struct span bare)
{
	struct span rest = bare, first = SPAN_EMPTY;

	(void)span_next_word(&rest, "", &first);
	while (first.len > 0 &&
	       (first.ptr[first.len - 1] == ',' || first.ptr[first.len - 1] == '!'))
		first.len--;
	return bare.len > 0 && text_count_words(bare) <= GREETING_WORDS &&
	       (is_courtesy(first) || bare.ptr[bare.len - 1] == ',');
}
