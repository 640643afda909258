/*
 * arguments_records.c - what stands behind RATINGS and WHO.
 */
#include "processor/commandtext/grammar.h"

#include "processor/base/utf8.h"

enum fit args_read_ratings(struct args *args, struct command *item)
{
	if (args->rest.len == 0)
		return FIT_YES;
	if (args_take_kind(&args->rest, &item->kind) && args->rest.len == 0)
		return FIT_YES;
	args->why = "RATINGS takes a kind of game, or nothing for all of them.";
	return is_prose(args->rest) ? FIT_NO : FIT_REFUSED;
}

/* "WHO is coming tonight" is talk. */
enum fit args_read_whom(struct args *args, struct command *item)
{
	struct span all = args->rest, rest = args->rest, word;
	size_t n = 0;

	args->why =
	    "Behind WHO stands the name that somebody goes by, or nothing for yourself.";
	if (all.len == 0)
		return FIT_YES;
	if (all.ptr[0] == '"')
		return args_take_quoted(&args->rest, &item->name) && args->rest.len == 0 &&
		               utf8_width(item->name) <= SEAT_NAME_COLS
		           ? FIT_YES
		           : FIT_NO;
	if (is_prose(all) || utf8_width(all) > SEAT_NAME_COLS)
		return FIT_NO;
	while (args_take_word(&rest, &word))
		n++;
	if (n > NAME_MAX_WORDS)
		return FIT_NO;
	item->name = all;
	return FIT_YES;
}
