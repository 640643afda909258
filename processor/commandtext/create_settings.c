/*
 * create_settings.c - slots that only CREATE and FORK have.
 *
 * What depends on the kind of game and what is kept as text for others to read is here; the
 * settings themselves are listed in grammar.c. To a fork seats and options come from the other
 * game; there item->kind is NULL.
 */
#include "processor/commandtext/create_settings.h"

#include "mail/mail.h"
#include "processor/base/utf8.h"
#include "processor/calendar/deadline.h"
#include "processor/commandtext/grammar.h"

enum { TITLE_MAX_WORDS = 4, TITLE_MAX_COLS = 40 };

static enum fit refuse(struct args *args, const char *why)
{
	args->misfit.why = why;
	return FIT_REFUSED;
}

/* `text` with one more word, behind a blank when there is something already. */
static struct span with_word(struct args *args, struct span text, struct span word)
{
	return span_of(arena_printf(args->arena, "%.*s%s%.*s", SPAN_ARGS(text),
	                            text.len > 0 ? " " : "", SPAN_ARGS(word)));
}

static struct span in_small_letters(struct args *args, struct span word)
{
	struct strbuf small = STRBUF_INIT;

	for (size_t i = 0; i < word.len; i++) {
		char c = word.ptr[i];

		strbuf_addc(&small, c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c);
	}
	struct span out = arena_dup(args->arena, strbuf_span(&small));
	strbuf_release(&small);
	return out;
}

/* "AS Ann" or AS and quotes, and not "as soon as you can": right behind the kind a name has a capital. */
static bool ends_title(const struct args *args, const struct slot *slot, struct span rest)
{
	struct span behind = rest;

	if (take_phrase(&behind, SPAN_LIT("AS")))
		return behind.len > 0 &&
		       (behind.ptr[0] == '"' || (behind.ptr[0] >= 'A' && behind.ptr[0] <= 'Z'));
	return args_another_begins(args, slot, rest);
}

/*
 * Words up to the first setting, which may be none. No title when they are talk: "New whakka mole game,
 * please".
 */
enum fit create_take_title(struct args *args, const struct slot *slot)
{
	struct span *title = &args->item->create.title, copy = args->rest, word;
	unsigned n = 0;

	bool is_quoted = copy.len > 0 && copy.ptr[0] == '"';
	*title = (struct span){copy.ptr, 0};
	if (is_quoted && !args_take_quoted(&args->rest, title))
		return FIT_NO;
	while (!is_quoted && !ends_title(args, slot, args->rest) &&
	       args_take_word(&copy, &word)) {
		if (++n > TITLE_MAX_WORDS || is_prose(word) || span_eq_nocase(word, "game") ||
		    span_eq_nocase(word, "games"))
			return FIT_NO;
		title->len = (size_t)(word.ptr + word.len - title->ptr);
		args->rest = copy;
	}
	if (utf8_width(*title) > TITLE_MAX_COLS)
		return refuse(args, "A game's name has at most 40 characters.");
	return FIT_YES;
}

enum fit create_take_players(struct args *args, const struct slot *slot)
{
	const struct rules *kind = args->item->kind;

	if (kind == NULL)
		return refuse(args, "A fork has the seats of the game that it goes on from.");
	return args_take_number(args, slot, kind->min_seats, kind->max_seats);
}

enum fit create_take_bots(struct args *args, const struct slot *slot)
{
	const struct rules *kind = args->item->kind;

	args->item->create.says_bots = true;
	return args_take_number(args, slot, 0, kind != NULL ? kind->max_seats : MAX_SEATS);
}

/* Kept for the module that knows the calendar (deadline.h). One with a length may have two words: "GRACE 6 hours". */
enum fit create_take_calendar(struct args *args, const struct slot *slot)
{
	struct span name = in_small_letters(args, span_of(slot->keyword)), word = SPAN_EMPTY;
	struct span *out = &args->item->create.calendar, rest = args->rest;
	struct strbuf value = STRBUF_INIT, why = STRBUF_INIT;
	struct calendar scratch;
	int64_t seconds;

	calendar_init(&scratch);
	(void)args_take_word(&args->rest, &word);
	if (slot->min > 0 && args_take_length(&rest, &seconds) && rest.ptr != args->rest.ptr) {
		interval_format(&value, seconds);
		args->rest = rest;
	} else {
		strbuf_add_span(&value, word);
	}
	bool ok = calendar_set(&scratch, name, strbuf_span(&value), args->arena, &why);
	if (ok)
		*out = with_word(
		    args, *out,
		    span_of(arena_printf(args->arena, "%.*s=%s", SPAN_ARGS(name), value.ptr)));
	else
		args->misfit.why = arena_strdup(args->arena, why.ptr);
	strbuf_release(&value);
	strbuf_release(&why);
	return ok ? FIT_YES : FIT_NO;
}

/* "ann@example.com, bob@example.com and cy@example.com" */
enum fit create_take_guests(struct args *args, const struct slot *slot)
{
	struct span *guests = &args->item->create.guests, copy = args->rest, word;

	(void)slot;
	while (args_take_word(&copy, &word)) {
		while (word.len > 0 && word.ptr[word.len - 1] == ',')
			word.len--;
		if (mail_address_ok(word))
			*guests = with_word(args, *guests, word);
		else if (!span_eq_nocase(word, "and") && word.len > 0)
			break;
		args->rest = copy;
	}
	if (args->item->kind == NULL)
		return refuse(args, "A fork is not made for guests; INVITE asks them into it.");
	return guests->len > 0 ? FIT_YES : FIT_NO;
}

enum fit create_take_option(struct args *args, const struct slot *slot)
{
	struct create_arguments *c = &args->item->create;
	struct span word, name, value;

	(void)slot;
	if (!args_take_word(&args->rest, &word) || span_find_char(word, '=') == word.len)
		return FIT_NO;
	name = span_slice(word, 0, span_find_char(word, '='));
	value = span_slice(word, name.len + 1, word.len);
	if (name.len == 0 || value.len == 0)
		return refuse(args, "An option is written name=value, without blanks.");
	if (args->item->kind == NULL)
		return refuse(args,
		              "A fork keeps the options of the game that it goes on from.");
	c->options = with_word(
	    args, c->options,
	    span_of(arena_printf(args->arena, "%.*s=%.*s",
	                         SPAN_ARGS(in_small_letters(args, name)), SPAN_ARGS(value))));
	c->text_below = c->text_below || (span_eq_nocase(value, "below") &&
	                                  options_text_option(args->item->kind, name));
	return FIT_YES;
}

const char *create_settings_check(struct command *item)
{
	struct create_arguments *c = &item->create;
	unsigned seats = c->players != 0      ? c->players
	                 : item->kind != NULL ? item->kind->max_seats
	                                      : MAX_SEATS;

	c->kind = item->kind;
	c->is_private = c->is_private || c->key.len > 0;
	return c->bots > seats ? "BOTS cannot be more than PLAYERS; bots sit on seats too."
	                       : NULL;
}
