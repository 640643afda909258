/*
 * arguments_standing.c - what may stand behind ALWAYS, QUEUE, SET FALLBACK and SET ABSENCE.
 */
#include "processor/commandtext/grammar.h"

#include "processor/base/num.h"
#include "processor/calendar/date_range.h"

/* "ALWAYS OFF" is a command of its own. */
enum fit args_read_always(struct args *args, struct command *item)
{
	if (span_eq_nocase(args->rest, "off"))
		return FIT_NO;
	item->number = args_take_keyword(&args->rest, "nowait");
	return args_read_lines(args, item);
}

/* "QUEUE 7: popup 3" */
static bool take_turn(struct span *rest, unsigned *number)
{
	struct span copy = *rest, word;

	(void)(args_take_keyword(&copy, "turn") || args_take_keyword(&copy, "round"));
	if (!args_take_word(&copy, &word))
		return false;
	if (word.len > 1 && word.ptr[word.len - 1] == ':')
		word = span_slice(word, 0, word.len - 1);
	if (!num_parse_word(word, 1, TURN_MAX, number))
		return false;
	*rest = copy;
	return true;
}

enum fit args_read_queue(struct args *args, struct command *item)
{
	if (!take_turn(&args->rest, &item->number)) {
		args->why =
		    "QUEUE takes the number of a turn, and orders behind it or below it.";
		return FIT_NO;
	}
	if (span_eq_nocase(args->rest, "off")) {
		item->verb = CMD_QUEUE_OFF;
		return FIT_YES;
	}
	return args_read_lines(args, item);
}

enum fit args_read_queue_off(struct args *args, struct command *item)
{
	if (args->rest.len == 0)
		return FIT_YES;
	return take_turn(&args->rest, &item->number) && args->rest.len == 0 ? FIT_YES : FIT_NO;
}

enum fit args_read_fallback(struct args *args, struct command *item)
{
	static const char *const words[] = {[FALLBACK_DEFAULT] = "default",
	                                    [FALLBACK_REPEAT] = "repeat",
	                                    [FALLBACK_BOT] = "bot"};

	if (args_take_choice(&args->rest, words, sizeof(words) / sizeof(words[0]),
	                     &item->number) &&
	    args->rest.len == 0)
		return FIT_YES;
	args->why = "SET FALLBACK takes REPEAT, BOT or DEFAULT.";
	return FIT_REFUSED;
}

/* Which days these are depends on today: absence.c reads them again. */
enum fit args_read_absence(struct args *args, struct command *item)
{
	struct days days;

	item->name = args->rest;
	if (days_read(args->rest, &days) != DAYS_NONE)
		return FIT_YES;
	args->why = "SET ABSENCE takes a day or two, such as 24 Dec TO 3 Jan or 2026-12-24.";
	return FIT_NO;
}
