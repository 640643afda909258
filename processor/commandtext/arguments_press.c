/*
 * arguments_press.c - what stands behind PRESS TO, BROADCAST, DIARY, OBSERVE and MONITOR.
 *
 * Who sits in a game is not known here, so a list of names is anything that is short and no sentence.
 */
#include "processor/commandtext/grammar.h"

enum { LIST_MAX_BYTES = 300, NAME_MOST_WORDS = 4 };

/* ANON behind the names, or one of its other names. */
static bool is_anon(struct span word)
{
	static const char *const words[] = {"anon", "anonymous", "grey", "gray", "unnamed"};

	return span_in_nocase(word, words, sizeof words / sizeof *words);
}

/* Takes a last word off that stands behind something else, with no comma in front of it. */
static bool take_anon(struct span *list)
{
	size_t at = list->len;
	struct span before;

	while (at > 0 && list->ptr[at - 1] != ' ')
		at--;
	before = span_trim(span_slice(*list, 0, at));
	if (before.len == 0 || before.ptr[before.len - 1] == ',' ||
	    !is_anon(span_slice(*list, at, list->len)))
		return false;
	*list = before;
	return true;
}

/* Sentences have signs that no name has, and more words without a comma than any name. */
static bool is_list(struct span list)
{
	struct span word;
	unsigned n = 0;

	for (size_t i = 0; i < list.len; i++)
		if (list.ptr[i] == '?' || list.ptr[i] == '!' || list.ptr[i] == ':')
			return false;
	while (span_next_word(&list, "", &word)) {
		char last = word.ptr[word.len - 1];

		n = span_eq_nocase(word, "and") || span_eq_str(word, "&") ? 0 : n + 1;
		if (n > NAME_MOST_WORDS)
			return false;
		if (last == ',' || last == ';')
			n = 0;
	}
	return true;
}

enum fit args_read_press(struct args *args, struct command *item)
{
	struct span list = args->rest;

	if (list.len > 0 && list.ptr[list.len - 1] == ':')
		list = span_trim(span_slice(list, 0, list.len - 1));
	if (list.len == 0) {
		args->why = "PRESS TO needs the names or seats of those who are to read it, as "
			    "in \"PRESS TO 2, 3\"; the text goes on the lines below.";
		return FIT_REFUSED;
	}
	args->why = "PRESS TO takes names or seats, with commas between; the text goes "
		    "on the lines below.";
	item->unnamed = take_anon(&list);
	item->name = list;
	return list.len <= LIST_MAX_BYTES && is_list(list) ? FIT_YES : FIT_NO;
}

enum fit args_read_broadcast(struct args *args, struct command *item)
{
	struct span word;

	args->why = "BROADCAST stands alone on its line, or with ANON; the text goes on the "
		    "lines below.";
	if (args->rest.len == 0)
		return FIT_YES;
	item->unnamed = args_take_word(&args->rest, &word) && is_anon(word);
	return item->unnamed && args->rest.len == 0 ? FIT_YES : FIT_NO;
}

enum fit args_read_diary(struct args *args, struct command *item)
{
	(void)item;
	args->why = "DIARY stands alone on its line; the text goes on the lines below.";
	return args->rest.len == 0 ? FIT_YES : FIT_NO;
}

enum fit args_read_observe(struct args *args, struct command *item)
{
	struct span *rest = &args->rest;

	args->why =
	    "Here the id of a game is needed, such as W17, and of a private game its KEY.";
	if (!args_take_game(rest, item))
		return FIT_NO;
	if (rest->len > 0 && !args_take_key(rest, &item->key))
		return FIT_NO;
	return rest->len == 0 ? FIT_YES : FIT_NO;
}
