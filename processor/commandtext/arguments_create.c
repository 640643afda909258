/*
 * arguments_create.c - what stands behind CREATE and FORK, which have a grammar of their own.
 *
 *	CREATE kind [name] { setting }
 *	FORK [game] AT n { setting }
 *	setting = PLAYERS n | BOTS n | LEVEL n | NEXT interval | option=value | PRIVATE | KEY word
 *	          | DAYS mask | AT hour | ZONE place | GRACE interval | DELAY interval
 *	          | HOLIDAYS days | PHASE name:interval | QUIET on | REMIND intervals
 *	          | MISSES n | VACANT bot
 *	          | PRESS mode | DELIVERY when | OBSERVERS when | RELIABILITY n
 *
 * To a fork seats and options come from the other game; instead AS says which seat is wanted.
 *
 * Once a kind and one keyword or option have been read there is no doubt that a game was to be
 * made, and whatever does not fit refuses the line with a reason.
 */
#include "processor/commandtext/grammar.h"

#include <string.h>

#include "mail/mail.h"
#include "processor/base/num.h"
#include "processor/base/utf8.h"
#include "processor/calendar/deadline.h"

enum { TITLE_MAX_WORDS = 4, TITLE_MAX_COLS = 40, KEY_MAX_BYTES = 64, RELIABILITY_MOST = 99 };

struct create_reader {
	struct args *args;
	struct create_arguments *out;
	struct span *name; /* what AS says */
	struct strbuf options, calendar;
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

	if (kind == NULL)
		return refuse(r, "A fork has the seats of the game that it goes on from.");
	if (args_take_word(rest, &word) &&
	    num_parse_word(word, kind->min_seats, kind->max_seats, &r->out->players))
		return true;
	return refuse(r, arena_printf(r->args->arena,
	                              "PLAYERS takes a number from %u to %u in %s.",
	                              kind->min_seats, kind->max_seats, kind->title));
}

static bool read_bots(struct create_reader *r, struct span *rest)
{
	const struct rules *kind = r->out->kind;
	unsigned max = kind != NULL ? kind->max_seats : MAX_SEATS;
	struct span word;

	r->out->says_bots = true;
	if (args_take_word(rest, &word) && num_parse_word(word, 0, max, &r->out->bots))
		return true;
	return refuse(r, arena_printf(r->args->arena, "BOTS takes a number from 0 to %u in %s.",
	                              max, kind != NULL ? kind->title : "a fork"));
}

static bool read_level(struct create_reader *r, struct span *rest)
{
	struct span word;

	if (args_take_word(rest, &word) &&
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

	if (!args_take_word(&copy, &one))
		return refuse(r, "NEXT takes a length of time such as 12H or 3D.");
	if (interval_parse(one, &r->out->next_s)) {
		*rest = copy;
		return true;
	}
	if (args_take_word(&copy, &two) &&
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
	if (args_take_word(rest, &r->out->key) && r->out->key.len <= KEY_MAX_BYTES)
		return true;
	return refuse(r, "KEY takes one word, which those who join must know.");
}

/* One of a few words, kept as 1 + its place among them. */
static bool read_choice(struct create_reader *r, struct span *rest, const char *const *words,
                        size_t n, unsigned *out, const char *why)
{
	unsigned which;

	if (!args_take_choice(rest, words, n, &which))
		return refuse(r, why);
	*out = 1 + which;
	return true;
}

static bool read_press(struct create_reader *r, struct span *rest)
{
	static const char *const words[] = {"white", "grey", "none"};

	return read_choice(r, rest, words, 3, &r->out->press,
	                   "PRESS is white (who writes is named), grey (may stay unnamed) or "
	                   "none.");
}

static bool read_delivery(struct create_reader *r, struct span *rest)
{
	static const char *const words[] = {"now", "report"};

	return read_choice(
	    r, rest, words, 2, &r->out->delivery,
	    "DELIVERY of messages is now, or report: with the next turn report.");
}

static bool read_observers(struct create_reader *r, struct span *rest)
{
	static const char *const words[] = {"now", "report", "none"};

	return read_choice(
	    r, rest, words, 3, &r->out->observers,
	    "OBSERVERS get messages to all now, or with the next report; or there "
	    "are none.");
}

/* Read with the rest of the calendar by the module that knows it (deadline.h). */
static bool read_calendar(struct create_reader *r, const char *name, struct span *rest)
{
	struct span word = SPAN_EMPTY;
	struct calendar scratch;
	struct strbuf why = STRBUF_INIT;
	bool ok;

	calendar_init(&scratch);
	(void)args_take_word(rest, &word);
	ok = calendar_set(&scratch, span_of(name), word, r->args->arena, &why);
	if (ok)
		strbuf_addf(&r->calendar, " %s=%.*s", name, SPAN_ARGS(word));
	else
		r->args->why = arena_strdup(r->args->arena, why.ptr);
	strbuf_release(&why);
	return ok;
}

/* Those with a length may be written as two words: "GRACE 6 hours". */
static bool read_calendar_length(struct create_reader *r, const char *name, struct span *rest)
{
	struct span copy = *rest, one, two;
	int64_t seconds;

	if (args_take_word(&copy, &one) && args_take_word(&copy, &two)) {
		struct span both = {one.ptr, (size_t)(two.ptr + two.len - one.ptr)};

		if (!interval_parse(one, &seconds) && interval_parse(both, &seconds)) {
			*rest = copy;
			strbuf_addf(&r->calendar, " %s=", name);
			interval_format(&r->calendar, seconds);
			return true;
		}
	}
	return read_calendar(r, name, rest);
}

static bool read_master(struct create_reader *r, struct span *rest)
{
	(void)rest;
	r->out->presides = true;
	return true;
}

static bool read_days(struct create_reader *r, struct span *rest)
{
	return read_calendar(r, "days", rest);
}

static bool read_at(struct create_reader *r, struct span *rest)
{
	return read_calendar(r, "at", rest);
}

static bool read_zone(struct create_reader *r, struct span *rest)
{
	return read_calendar(r, "zone", rest);
}

static bool read_grace(struct create_reader *r, struct span *rest)
{
	return read_calendar_length(r, "grace", rest);
}

static bool read_delay(struct create_reader *r, struct span *rest)
{
	return read_calendar_length(r, "delay", rest);
}

static bool read_holidays(struct create_reader *r, struct span *rest)
{
	return read_calendar(r, "holidays", rest);
}

static bool read_phase(struct create_reader *r, struct span *rest)
{
	return read_calendar(r, "phase", rest);
}

static bool read_quiet(struct create_reader *r, struct span *rest)
{
	return read_calendar(r, "quiet", rest);
}

static bool read_remind(struct create_reader *r, struct span *rest)
{
	return read_calendar(r, "remind", rest);
}

static bool read_misses(struct create_reader *r, struct span *rest)
{
	return read_calendar(r, "misses", rest);
}

static bool read_vacant(struct create_reader *r, struct span *rest)
{
	return read_calendar(r, "vacant", rest);
}

/* "95" or "95%". */
static bool read_reliability(struct create_reader *r, struct span *rest)
{
	struct span word;

	if (args_take_word(rest, &word)) {
		if (word.ptr[word.len - 1] == '%')
			word.len--;
		if (num_parse_word(word, 1, RELIABILITY_MOST, &r->out->reliability))
			return true;
	}
	return refuse(r, "RELIABILITY takes a number from 1 to 99: the least percentage of "
	                 "turns in time that those who join must have. Newcomers have 90.");
}

static bool read_without(struct create_reader *r, struct span *rest)
{
	static const char *const words[] = {"operator"};
	unsigned which;

	r->out->without_operator = true;
	return args_take_choice(rest, words, 1, &which) ||
	       refuse(r,
	              "Behind WITHOUT stands OPERATOR: whoever runs the server may not join.");
}

static bool read_ready(struct create_reader *r, struct span *rest)
{
	(void)rest;
	r->out->ready = true;
	return true;
}

/* "ann@example.com, bob@example.com and cy@example.com" */
static bool read_for(struct create_reader *r, struct span *rest)
{
	struct strbuf guests = STRBUF_INIT;
	struct span copy = *rest, word;

	while (args_take_word(&copy, &word)) {
		while (word.len > 0 && word.ptr[word.len - 1] == ',')
			word.len--;
		if (mail_address_ok(word))
			strbuf_addf(&guests, guests.len > 0 ? " %.*s" : "%.*s",
			            SPAN_ARGS(word));
		else if (!span_eq_nocase(word, "and") && word.len > 0)
			break;
		*rest = copy;
	}
	r->out->guests = arena_dup(r->args->arena, strbuf_span(&guests));
	strbuf_release(&guests);
	if (r->out->kind == NULL)
		return refuse(r, "A fork is not made for guests; INVITE asks them into it.");
	return r->out->guests.len > 0 ||
	       refuse(r, "Behind FOR stand the mail addresses of those who are invited.");
}

static const struct create_keyword {
	const char *word;
	bool (*read)(struct create_reader *r, struct span *rest);
} keywords[] = {
    {"PLAYERS", read_players},
    {"BOTS", read_bots},
    {"NEXT", read_next},
    {"PRIVATE", read_private},
    {"KEY", read_key},
    {"DAYS", read_days},
    {"GRACE", read_grace},
    {"LEVEL", read_level},
    {"AT", read_at},
    {"ZONE", read_zone},
    {"DELAY", read_delay},
    {"HOLIDAYS", read_holidays},
    {"PHASE", read_phase},
    {"QUIET", read_quiet},
    {"REMIND", read_remind},
    {"MISSES", read_misses},
    {"VACANT", read_vacant},
    {"PRESS", read_press},
    {"DELIVERY", read_delivery},
    {"OBSERVERS", read_observers},
    {"MASTER", read_master},
    {"RELIABILITY", read_reliability},
    {"WITHOUT", read_without},
    {"READY", read_ready},
    {"FOR", read_for},
};
enum { NKEYWORDS = sizeof(keywords) / sizeof(keywords[0]) };

static size_t keyword_index(struct span word)
{
	size_t k = 0;

	while (k < NKEYWORDS && !span_eq_nocase(word, keywords[k].word))
		k++;
	return k;
}

static bool starts_setting(struct span word)
{
	return span_find_char(word, '=') < word.len || keyword_index(word) < NKEYWORDS;
}

/* Up to three words before the next setting, or what stands between quotes. */
static bool read_as(struct create_reader *r, struct span *rest)
{
	struct span copy = *rest, word, name = {rest->ptr, 0};
	unsigned n = 0;

	if (r->name->len > 0)
		return refuse(r, "AS stands there twice.");
	if (args_take_quoted(rest, r->name))
		return true;
	while (args_take_word(&copy, &word) && !starts_setting(word)) {
		if (++n > NAME_MAX_WORDS || is_prose_word(word))
			return refuse(r, "Behind AS stands the name of a seat, up to three "
			                 "words; put it between quotes if it is longer.");
		name.len = (size_t)(word.ptr + word.len - name.ptr);
		*rest = copy;
	}
	*r->name = name;
	return n > 0 || refuse(r, "Behind AS stands the name of a seat.");
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
	r->out->text_below = r->out->text_below || (span_eq_nocase(value, "below") &&
	                                            options_text_option(r->out->kind, name));
}

/* "players=3" is taken for "PLAYERS 3". */
static bool read_assignment(struct create_reader *r, struct span word, size_t eq)
{
	struct span name = span_slice(word, 0, eq);
	struct span value = span_slice(word, eq + 1, word.len);
	size_t k = keyword_index(name);

	if (name.len == 0 || value.len == 0)
		return refuse(r, "An option is written name=value, without blanks.");
	if (k == NKEYWORDS && r->out->kind == NULL)
		return refuse(r, "A fork keeps the options of the game that it goes on from.");
	if (k == NKEYWORDS) {
		add_option(r, name, value);
		return true;
	}
	if (read_keyword(r, k, &value) && value.len == 0)
		return true;
	return r->args->why != NULL ? false : refuse(r, "An option is written name=value.");
}

/* Says which word by its place: whoever gets the answer may not be who wrote it. */
static bool refuse_word(struct create_reader *r)
{
	struct span rest = r->args->rest, word;
	unsigned n = 1;

	while (args_take_word(&rest, &word))
		n++;
	if (n == 1)
		return refuse(r, "The last word of the line is no setting of a game.");
	return refuse(r, arena_printf(r->args->arena,
	                              "Counted from the end of the line, word %u is no "
	                              "setting of a game.",
	                              n));
}

static bool read_setting(struct create_reader *r, struct span word)
{
	size_t eq = span_find_char(word, '='), k = keyword_index(word);

	if (eq < word.len)
		return read_assignment(r, word, eq);
	if (span_eq_nocase(word, "AS"))
		return read_as(r, &r->args->rest);
	if (k < NKEYWORDS)
		return read_keyword(r, k, &r->args->rest);
	return refuse_word(r);
}

/* "AS Ann" or AS and quotes, and not "as soon as you can": right behind the kind a name has a capital. */
static bool starts_name(struct span word, struct span rest)
{
	return span_eq_nocase(word, "AS") && rest.len > 0 &&
	       (rest.ptr[0] == '"' || (rest.ptr[0] >= 'A' && rest.ptr[0] <= 'Z'));
}

/* Words up to the first setting. False when they are talk: "New whakka mole game, please". */
static bool take_title(struct args *args, struct span *title)
{
	struct span copy = args->rest, word, start = args->rest, end = {args->rest.ptr, 0};
	unsigned n = 0;

	if (args->rest.len > 0 && args->rest.ptr[0] == '"')
		return args_take_quoted(&args->rest, title);
	while (args_take_word(&copy, &word) && !starts_setting(word) &&
	       !starts_name(word, copy)) {
		if (++n > TITLE_MAX_WORDS || is_prose(word) || span_eq_nocase(word, "game") ||
		    span_eq_nocase(word, "games"))
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
	const struct rules *kind = r->out->kind;
	unsigned seats = r->out->players != 0 ? r->out->players
	                 : kind != NULL       ? kind->max_seats
	                                      : MAX_SEATS;

	if (r->out->bots <= seats)
		return true;
	return refuse(r, "BOTS cannot be more than PLAYERS; bots sit on seats too.");
}

static enum fit read_settings(struct create_reader *r)
{
	struct span word;
	bool ok = true;

	while (ok && args_take_word(&r->args->rest, &word))
		ok = read_setting(r, word);
	if (!ok || !bots_fit(r))
		return FIT_REFUSED;
	r->out->options = arena_dup(r->args->arena, strbuf_span(&r->options));
	r->out->calendar = arena_dup(r->args->arena, span_trim(strbuf_span(&r->calendar)));
	return FIT_YES;
}

enum fit args_read_create(struct args *args, struct command *item)
{
	struct create_reader r = {.args = args,
	                          .out = &item->create,
	                          .name = &item->name,
	                          .options = STRBUF_INIT,
	                          .calendar = STRBUF_INIT};
	enum fit fit;

	item->create.bot_level = BOT_LEVEL_USUAL;
	if (!args_take_kind(&args->rest, &item->create.kind)) {
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
	strbuf_release(&r.calendar);
	return fit;
}

enum fit args_read_fork(struct args *args, struct command *item)
{
	struct create_reader r = {.args = args,
	                          .out = &item->create,
	                          .name = &item->name,
	                          .options = STRBUF_INIT,
	                          .calendar = STRBUF_INIT};
	struct span word;
	enum fit fit;

	item->create.bot_level = BOT_LEVEL_USUAL;
	(void)args_take_game(&args->rest, item);
	if (!args_take_keyword(&args->rest, "at"))
		return FIT_NO;
	if (!args_take_word(&args->rest, &word) ||
	    !num_parse_word(word, 0, TURN_MAX, &item->number)) {
		args->why = "Behind AT stands the number of the turn to go on from, 0 for "
			    "the beginning.";
		return FIT_NO;
	}
	fit = read_settings(&r);
	strbuf_release(&r.options);
	strbuf_release(&r.calendar);
	return fit;
}
