/*
 * letter_create.c - what stands behind CREATE, the one command with a grammar of its own.
 *
 *	kind [name] { PLAYERS n | BOTS n | LEVEL n | NEXT interval | option=value | PRIVATE | KEY word }
 *
 * Once a kind and one keyword or option have been read there is no doubt that a game was to be
 * made, and whatever does not fit refuses the line with a reason.
 */
#include "processor/letter_table.h"

#include <string.h>

#include "processor/base/num.h"
#include "processor/base/utf8.h"
#include "processor/deadline.h"

#include "processor/base/banned.h"

enum { TITLE_MAX_WORDS = 4, TITLE_MAX_COLS = 40, KEY_MAX_BYTES = 64 };

struct create_reader {
	struct letter_args *args;
	struct letter_create *out;
	struct strbuf options;
	unsigned seen; /* bit = index of a keyword that was read */
};

static bool refuse(struct create_reader *r, const char *why)
{
	r->args->why = why;
	return false;
}

static bool read_players(struct create_reader *r, struct span *rest)
{
	const struct rules *kind = r->out->kind;
	struct span word;

	if (letter_take_word(rest, &word) &&
	    num_parse_word(word, kind->min_seats, kind->max_seats, &r->out->players))
		return true;
	return refuse(r, arena_printf(r->args->arena,
	                              "PLAYERS takes a number from %u to %u in %s.",
	                              kind->min_seats, kind->max_seats, kind->title));
}

static bool read_bots(struct create_reader *r, struct span *rest)
{
	unsigned max = r->out->kind->max_seats;
	struct span word;

	if (letter_take_word(rest, &word) && num_parse_word(word, 0, max, &r->out->bots))
		return true;
	return refuse(r, arena_printf(r->args->arena, "BOTS takes a number from 0 to %u in %s.",
	                              max, r->out->kind->title));
}

static bool read_level(struct create_reader *r, struct span *rest)
{
	struct span word;

	if (letter_take_word(rest, &word) &&
	    num_parse_word(word, 0, BOT_LEVEL_BEST, &r->out->bot_level))
		return true;
	return refuse(r, arena_printf(r->args->arena,
	                              "LEVEL says how well bots play, from 0 to %d.",
	                              BOT_LEVEL_BEST));
}

/* "2D", but also "2 days". */
static bool read_next(struct create_reader *r, struct span *rest)
{
	struct span one, two, copy = *rest;

	if (!letter_take_word(&copy, &one))
		return refuse(r, "NEXT takes a length of time such as 12H or 3D.");
	if (interval_parse(one, &r->out->next_s)) {
		*rest = copy;
		return true;
	}
	if (letter_take_word(&copy, &two) &&
	    interval_parse((struct span){one.ptr, (size_t)(two.ptr + two.len - one.ptr)},
	                   &r->out->next_s)) {
		*rest = copy;
		return true;
	}
	return refuse(r, "NEXT takes a length of time such as 45M, 12H, 3D or 2W.");
}

static bool read_private(struct create_reader *r, struct span *rest)
{
	(void)rest;
	r->out->is_private = true;
	return true;
}

static bool read_key(struct create_reader *r, struct span *rest)
{
	r->out->is_private = true;
	if (letter_take_word(rest, &r->out->key) && r->out->key.len <= KEY_MAX_BYTES)
		return true;
	return refuse(r, "KEY takes one word, which those who join must know.");
}

static bool read_master(struct create_reader *r, struct span *rest)
{
	(void)rest;
	r->out->presides = true;
	return true;
}

static bool read_days(struct create_reader *r, struct span *rest)
{
	(void)rest;
	return refuse(
	    r, "This server does not keep a calendar of DAYS; NEXT sets the time for each "
	       "turn.");
}

static bool read_grace(struct create_reader *r, struct span *rest)
{
	(void)rest;
	return refuse(
	    r, "This server gives no GRACE after a deadline; NEXT sets the time for each "
	       "turn.");
}

static const struct create_keyword {
	const char *word;
	bool (*read)(struct create_reader *r, struct span *rest);
} keywords[] = {
    {"PLAYERS", read_players}, {"BOTS", read_bots},   {"NEXT", read_next},
    {"PRIVATE", read_private}, {"KEY", read_key},     {"DAYS", read_days},
    {"GRACE", read_grace},     {"LEVEL", read_level}, {"MASTER", read_master},
};
enum { NKEYWORDS = sizeof(keywords) / sizeof(keywords[0]) };

static size_t keyword_index(struct span word)
{
	size_t k = 0;

	while (k < NKEYWORDS && !span_eq_nocase(word, keywords[k].word))
		k++;
	return k;
}

static bool read_keyword(struct create_reader *r, size_t k, struct span *rest)
{
	if ((r->seen & (1u << k)) != 0)
		return refuse(r, arena_printf(r->args->arena, "%s stands there twice.",
		                              keywords[k].word));
	r->seen |= 1u << k;
	return keywords[k].read(r, rest);
}

static void add_option(struct create_reader *r, struct span name, struct span value)
{
	if (r->options.len > 0)
		strbuf_addc(&r->options, ' ');
	for (size_t i = 0; i < name.len; i++) {
		char c = name.ptr[i];

		strbuf_addc(&r->options, c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c);
	}
	strbuf_addc(&r->options, '=');
	strbuf_add_span(&r->options, value);
}

/* "players=3" is taken for "PLAYERS 3". */
static bool read_assignment(struct create_reader *r, struct span word, size_t eq)
{
	struct span name = span_slice(word, 0, eq);
	struct span value = span_slice(word, eq + 1, word.len);
	size_t k = keyword_index(name);

	if (name.len == 0 || value.len == 0)
		return refuse(r, "An option is written name=value, without blanks.");
	if (k == NKEYWORDS) {
		add_option(r, name, value);
		return true;
	}
	if (read_keyword(r, k, &value) && value.len == 0)
		return true;
	return r->args->why != NULL ? false : refuse(r, "An option is written name=value.");
}

static bool read_setting(struct create_reader *r, struct span word)
{
	size_t eq = span_find_char(word, '='), k = keyword_index(word);

	if (eq < word.len)
		return read_assignment(r, word, eq);
	if (k < NKEYWORDS)
		return read_keyword(r, k, &r->args->rest);
	return refuse(
	    r, arena_printf(r->args->arena, "'%.*s' cannot stand there.", SPAN_ARGS(word)));
}

static bool starts_setting(struct span word)
{
	return span_find_char(word, '=') < word.len || keyword_index(word) < NKEYWORDS;
}

/* Words up to the first setting. False when they are talk: "New whakka mole game, please". */
static bool take_title(struct letter_args *args, struct span *title)
{
	struct span copy = args->rest, word, start = args->rest, end = {args->rest.ptr, 0};
	unsigned n = 0;

	if (args->rest.len > 0 && args->rest.ptr[0] == '"')
		return letter_take_quoted(&args->rest, title);
	while (letter_take_word(&copy, &word) && !starts_setting(word)) {
		if (++n > TITLE_MAX_WORDS || letter_is_prose(word) ||
		    span_eq_nocase(word, "game") || span_eq_nocase(word, "games"))
			return false;
		end = word;
		args->rest = copy;
	}
	if (n > 0)
		*title = (struct span){start.ptr, (size_t)(end.ptr + end.len - start.ptr)};
	return true;
}

static bool bots_fit(struct create_reader *r)
{
	unsigned seats = r->out->players != 0 ? r->out->players : r->out->kind->max_seats;

	if (r->out->bots <= seats)
		return true;
	return refuse(r, "BOTS cannot be more than PLAYERS; bots sit on seats too.");
}

static enum letter_fit read_settings(struct create_reader *r)
{
	struct span word;
	bool ok = true;

	while (ok && letter_take_word(&r->args->rest, &word))
		ok = read_setting(r, word);
	if (!ok || !bots_fit(r))
		return FIT_REFUSED;
	r->out->options = arena_dup(r->args->arena, strbuf_span(&r->options));
	return FIT_YES;
}

enum letter_fit letter_read_create(struct letter_args *args, struct letter_item *item)
{
	struct create_reader r = {.args = args, .out = &item->create, .options = STRBUF_INIT};
	enum letter_fit fit;

	item->create.bot_level = BOT_LEVEL_USUAL;
	if (!letter_take_kind(&args->rest, &item->create.kind)) {
		args->why =
		    "CREATE needs a kind of game that this server plays; HELP lists them.";
		return FIT_NO;
	}
	if (!take_title(args, &item->create.title)) {
		args->why = "A game's name is up to four words; put it between quotes if it is "
			    "longer or made of everyday words.";
		return FIT_NO;
	}
	if (utf8_width(item->create.title) > TITLE_MAX_COLS) {
		args->why = "A game's name has at most 40 characters.";
		return FIT_REFUSED;
	}
	item->kind = item->create.kind;
	fit = read_settings(&r);
	strbuf_release(&r.options);
	return fit;
}
