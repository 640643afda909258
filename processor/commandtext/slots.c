/*
 * slots.c - what stands behind a command's words is read by the slots of its row.
 *
 * Every slot must be used up by the line: one word too many and it is prose. Where the line is
 * beyond doubt a command a wrong value refuses it with a sentence, and nothing is ever passed over
 * in silence. Commands change games of many people, so where something else comes first a game
 * needs its letter: in "PROCESS 4 17" nobody takes the 17 for a game.
 */
#include "processor/commandtext/slots.h"

#include "mail/mail.h"
#include "processor/base/clock.h"
#include "processor/base/num.h"
#include "processor/base/utf8.h"
#include "processor/calendar/date_range.h"
#include "processor/commandtext/grammar.h"
#include "processor/quotes/text_line.h"

enum { GAME_MAX = 999999999, WORD_MAX_BYTES = 64, KIND_MAX_WORDS = 3 };
enum { RECEIVERS_MAX_BYTES = 300, RECEIVER_WORDS = 4, DATE_LEN = 10, HOUR_LEN = 5 };

/* ---- words ---- */

bool take_phrase(struct span *rest, struct span phrase)
{
	size_t at = 0;

	for (size_t i = 0; i < phrase.len; i++) {
		if (phrase.ptr[i] == ' ') {
			if (at < rest->len && rest->ptr[at] == ' ')
				at++;
		} else if (at < rest->len && text_upper(rest->ptr[at]) == phrase.ptr[i]) {
			at++;
		} else {
			return false;
		}
	}
	if (at < rest->len && rest->ptr[at] != ' ')
		return false;
	*rest = span_trim(span_slice(*rest, at, rest->len));
	return true;
}

bool next_phrase(struct span *list, struct span *phrase)
{
	return span_next_field(list, '|', phrase) && phrase->len > 0;
}

bool args_take_choice(struct span *rest, const char *phrases, unsigned *which)
{
	struct span list = span_of(phrases ? phrases : ""), phrase;

	for (*which = 0; next_phrase(&list, &phrase); (*which)++)
		if (take_phrase(rest, phrase))
			return true;
	return false;
}

static bool take_one_of(struct span *rest, const char *phrases)
{
	unsigned which;

	return args_take_choice(rest, phrases, &which);
}

bool args_take_word(struct span *rest, struct span *word)
{
	if (!span_next_word(rest, "", word))
		return false;
	*rest = span_trim(*rest);
	return true;
}

bool args_take_quoted(struct span *rest, struct span *out)
{
	struct span body;
	size_t end;

	if (rest->len == 0 || rest->ptr[0] != '"')
		return false;
	body = span_slice(*rest, 1, rest->len);
	end = span_find_char(body, '"');
	if (end == body.len)
		return false;
	*out = span_trim(span_slice(body, 0, end));
	*rest = span_trim(span_slice(body, end + 1, body.len));
	return out->len > 0;
}

/* "players 3", and "players=3" with its value right behind it. */
bool args_take_keyword(struct span *rest, const char *phrases)
{
	size_t equals = span_find_char(*rest, '=');
	struct span before = span_slice(*rest, 0, equals);

	if (take_one_of(rest, phrases))
		return true;
	if (equals + 1 >= rest->len || rest->ptr[equals + 1] == ' ' ||
	    !take_one_of(&before, phrases) || before.len > 0)
		return false;
	*rest = span_slice(*rest, equals + 1, rest->len);
	return true;
}

/* ---- members of the command ---- */

static void *member(const struct args *args, const struct slot *slot)
{
	return (char *)args->item + slot->into;
}

static void fill_span(const struct args *args, const struct slot *slot, struct span value)
{
	*(struct span *)member(args, slot) = value;
}

/* ---- games and kinds ---- */

bool parse_game_id(struct span word, int64_t *game, char *letter)
{
	struct span s = span_trim(word);
	char first = '\0';

	if (s.len > 0 && ascii_is_letter(s.ptr[0])) {
		first = text_upper(s.ptr[0]);
		s = span_trim(span_slice(s, 1, s.len));
	}
	if (s.len > 0 && s.ptr[0] == '#')
		s = span_slice(s, 1, s.len);
	if (!num_parse_i64(s, 1, GAME_MAX, game))
		return false;
	*letter = first;
	return true;
}

/* A letter standing alone is part of an id only when games have that letter: "a 4" is none. */
static bool take_split_game(struct span *rest, struct command *item)
{
	struct span copy = *rest, letter, number;
	char ignored;

	if (!args_take_word(&copy, &letter) || letter.len != 1 ||
	    !ascii_is_letter(letter.ptr[0]) ||
	    rules_by_letter(text_upper(letter.ptr[0])) == NULL ||
	    !args_take_word(&copy, &number) || ascii_is_letter(number.ptr[0]) ||
	    !parse_game_id(number, &item->game, &ignored))
		return false;
	item->game_letter = text_upper(letter.ptr[0]);
	*rest = copy;
	return true;
}

bool args_take_game(struct span *rest, struct command *item)
{
	struct span copy = *rest, word;

	(void)take_one_of(&copy, "GAME");
	if (!take_split_game(&copy, item) &&
	    (!args_take_word(&copy, &word) ||
	     !parse_game_id(word, &item->game, &item->game_letter)))
		return false;
	*rest = copy;
	return true;
}

static enum fit take_game(struct args *args, const struct slot *slot)
{
	struct command named = {0};

	if (!args_take_game(&args->rest, &named) ||
	    ((slot->flags & SLOT_LETTER) != 0 && named.game_letter == '\0'))
		return FIT_NO;
	args->item->game = named.game;
	args->item->game_letter = named.game_letter;
	return FIT_YES;
}

bool args_take_kind(struct span *rest, const struct rules **kind)
{
	struct span ends[KIND_MAX_WORDS], copy = *rest, word;
	size_t n = 0;

	while (n < KIND_MAX_WORDS && args_take_word(&copy, &word))
		ends[n++] = (struct span){rest->ptr, (size_t)(word.ptr + word.len - rest->ptr)};
	for (; n > 0; n--) {
		const struct rules *found = rules_find(ends[n - 1]);

		if (found == NULL)
			continue;
		*kind = found;
		*rest = span_trim(span_slice(*rest, ends[n - 1].len, rest->len));
		return true;
	}
	return false;
}

static enum fit take_kind(struct args *args, const struct slot *slot)
{
	(void)slot;
	return args_take_kind(&args->rest, &args->item->kind) ? FIT_YES : FIT_NO;
}

/* "?W17" is how older servers wrote it. */
bool args_take_question_mark(struct span *rest)
{
	if (rest->len == 0 || rest->ptr[0] != '?')
		return false;
	*rest = span_trim(span_slice(*rest, 1, rest->len));
	return true;
}

static enum fit take_game_or_kind(struct args *args, const struct slot *slot)
{
	(void)args_take_question_mark(&args->rest);
	return args_take_game(&args->rest, args->item) ? FIT_YES : take_kind(args, slot);
}

bool args_take_seat_at_game(struct span *rest, struct command *item)
{
	struct span copy = *rest, word;
	size_t at;

	if (!args_take_word(&copy, &word))
		return false;
	at = span_find_char(word, '@');
	if (at == word.len ||
	    !num_parse_uint(span_slice(word, 0, at), 1, MAX_SEATS, &item->seat) ||
	    !parse_game_id(span_slice(word, at + 1, word.len), &item->game, &item->game_letter))
		return false;
	*rest = copy;
	return true;
}

enum fit args_take_seat_and_game(struct args *args, const struct slot *slot)
{
	struct span copy = args->rest, word;
	unsigned seat;

	(void)slot;
	(void)take_one_of(&copy, "SEAT");
	if (args_take_word(&copy, &word) && num_parse_word(word, 1, MAX_SEATS, &seat) &&
	    args_take_game(&copy, args->item)) {
		args->item->seat = seat;
		args->rest = copy;
		return FIT_YES;
	}
	return args_take_seat_at_game(&args->rest, args->item) ||
	               args_take_game(&args->rest, args->item)
	           ? FIT_YES
	           : FIT_NO;
}

/* ---- numbers and words ---- */

static enum fit take_said(struct args *args, const struct slot *slot)
{
	if (slot->words && !take_one_of(&args->rest, slot->words))
		return FIT_NO;
	if (slot->into == 0)
		return FIT_YES; /* it says nothing */
	if (slot->min > 0)
		*(unsigned *)member(args, slot) |= slot->min;
	else
		*(bool *)member(args, slot) = true;
	return FIT_YES;
}

enum fit args_take_number(struct args *args, const struct slot *slot, unsigned min,
                          unsigned max)
{
	const struct rules *kind = slot->type != SLOT_NUMBER ? args->item->kind : NULL;
	struct span word = SPAN_EMPTY;
	unsigned read;

	(void)args_take_word(&args->rest, &word);
	if (slot->words && word.len > 1 && word.ptr[word.len - 1] == *slot->words)
		word.len--;
	if (num_parse_word(word, min, max, member(args, slot)))
		return FIT_YES;
	bool is_number = num_parse_word(word, 0, UINT32_MAX, &read);
	if (!slot->why && ((slot->flags & SLOT_OPTIONAL) == 0 || slot->keyword))
		args->misfit.why = arena_printf(
		    args->arena, "%s takes a number from %u to %u%s%s%s%s%s%s.",
		    slot->keyword ? slot->keyword : args->row->words, min, max,
		    kind ? " in " : "", kind ? kind->title : "", slot->none ? ", or " : "",
		    slot->none ? slot->none : "", is_number ? "; I read " : "",
		    is_number ? arena_cstr(args->arena, word) : "");
	return FIT_NO;
}

static enum fit take_number(struct args *args, const struct slot *slot)
{
	if (slot->into == offsetof(struct command, seat) && args->item->seat != 0)
		return FIT_NO; /* "2@W17 SEAT 3" */
	return args_take_number(args, slot, slot->min, slot->max);
}

static enum fit take_choice(struct args *args, const struct slot *slot)
{
	unsigned which;

	if (!args_take_choice(&args->rest, slot->words, &which))
		return FIT_NO;
	*(unsigned *)member(args, slot) = slot->min + which;
	return FIT_YES;
}

/* "-" is how the hashed texts write that there was no salt. */
static enum fit take_word(struct args *args, const struct slot *slot)
{
	struct span word;

	if (!args_take_word(&args->rest, &word) || word.len > WORD_MAX_BYTES ||
	    (!slot->keyword && (span_eq_str(word, "-") || is_prose_word(word))))
		return FIT_NO;
	fill_span(args, slot, word);
	return FIT_YES;
}

/* ---- people ---- */

/* In front of a keyword, an option or the id of a game a name ends. */
bool args_another_begins(const struct args *args, const struct slot *self, struct span rest)
{
	const struct slot *slots = args->row->slots;
	struct span word = rest;

	for (size_t i = 0; slots[i].type != SLOT_NONE; i++) {
		struct span peek = rest;
		struct command named = {0};

		if (&slots[i] == self)
			continue;
		if (slots[i].keyword && args_take_keyword(&peek, slots[i].keyword))
			return true;
		if ((slots[i].flags & SLOT_REPEATED) != 0 && span_next_word(&word, "", &peek) &&
		    span_find_char(peek, '=') < peek.len)
			return true;
		if (slots[i].type != SLOT_GAME || (args->taken >> i & 1) != 0)
			continue;
		(void)take_one_of(&peek, slots[i].skipped);
		if (args_take_game(&peek, &named) && rules_by_letter(named.game_letter))
			return true;
	}
	return false;
}

/*
 * "JOIN W17 AS soon as you can" must not seat a player of that name, so without quotes a name
 * is at most three words, none of them a word of talk.
 */
static enum fit take_name(struct args *args, const struct slot *slot)
{
	struct span all = args->rest, copy = all, word, name = {all.ptr, 0};
	unsigned n = 0;

	if (!args_take_quoted(&args->rest, &name)) {
		while (args_take_word(&copy, &word) &&
		       (n == 0 || !args_another_begins(args, slot, args->rest))) {
			if (++n > NAME_MAX_WORDS || is_prose_word(word))
				return FIT_NO;
			name.len = (size_t)(word.ptr + word.len - name.ptr);
			args->rest = copy;
		}
	}
	bool is_quoted = name.len > 0 && name.ptr > all.ptr;
	if (name.len == 0 ||
	    (slot->max > 0 && ((!is_quoted && is_prose(name)) || utf8_width(name) > slot->max)))
		return FIT_NO; /* "WHO is coming tonight" is talk */
	fill_span(args, slot, name);
	return FIT_YES;
}

static enum fit take_who(struct args *args, const struct slot *slot)
{
	struct span copy = args->rest, word;

	if (!args_take_word(&copy, &word) ||
	    !num_parse_word(word, 1, MAX_SEATS, &args->item->seat))
		return take_name(args, slot);
	args->rest = copy;
	return FIT_YES;
}

/* "<a@b>", "a@b<mailto:a@b>" and "a@b <mailto:a@b>" are what mail programs make of a@b. */
static enum fit take_address(struct args *args, const struct slot *slot)
{
	struct span word, behind, link;

	if (!args_take_word(&args->rest, &word))
		return FIT_NO;
	behind = args->rest;
	if (args_take_word(&behind, &link) && span_starts_nocase(link, "<mailto:"))
		args->rest = behind;
	bool has_at = span_find_char(word, '@') < word.len;
	if (word.len > 2 && word.ptr[0] == '<' && word.ptr[word.len - 1] == '>')
		word = span_slice(word, 1, word.len - 1);
	if (span_starts_nocase(word, "mailto:"))
		word = span_slice(word, 7, word.len);
	word = span_slice(word, 0, span_find_char(word, '<'));
	fill_span(args, slot, word);
	if (mail_address_ok(word))
		return FIT_YES;
	if (!has_at || args->rest.len > 0)
		return FIT_NO;
	args->misfit.why = "That is no mail address this server can write to.";
	return FIT_REFUSED;
}

static enum fit take_guest(struct args *args, const struct slot *slot)
{
	struct span copy = args->rest, word;

	return args_take_word(&copy, &word) && span_find_char(word, '@') < word.len
	           ? take_address(args, slot)
	           : take_who(args, slot);
}

/* A last word of those that a slot without value has, with no comma in front of it. */
static void take_last_word(struct args *args, struct span *list)
{
	size_t at = list->len;
	struct span before;

	while (at > 0 && list->ptr[at - 1] != ' ')
		at--;
	before = span_trim(span_slice(*list, 0, at));
	if (before.len == 0 || before.ptr[before.len - 1] == ',')
		return;
	for (const struct slot *s = args->row->slots; s->type != SLOT_NONE; s++) {
		struct span last = span_slice(*list, at, list->len);

		if (s->type == SLOT_SAID && args_take_keyword(&last, s->keyword) &&
		    take_said(args, s) == FIT_YES) {
			*list = before;
			return;
		}
	}
}

/*
 * Who sits in a game is not known here, so a list of names is anything that is short and no sentence:
 * those have signs that no name has, and more words without a comma than any name.
 */
static enum fit take_receivers(struct args *args, const struct slot *slot)
{
	struct span list = args->rest, rest, word;
	unsigned n = 0;

	if (list.len > 0 && list.ptr[list.len - 1] == ':')
		list = span_trim(span_slice(list, 0, list.len - 1));
	if (list.len == 0) {
		args->misfit.why =
		    "PRESS TO needs the names or seats of those who are to read it, as "
		    "in \"PRESS TO 2, 3\"; the text goes on the lines below.";
		return FIT_REFUSED;
	}
	take_last_word(args, &list);
	args->rest = SPAN_EMPTY;
	for (size_t i = 1; i < list.len; i++) { /* "Ann in W1" */
		struct span game = span_slice(list, i, list.len);
		struct command none;

		if (list.ptr[i - 1] == ' ' && take_phrase(&game, SPAN_LIT("IN")) &&
		    args_take_game(&game, &none) && game.len == 0) {
			args->rest = span_slice(list, i, list.len);
			list = span_trim(span_slice(list, 0, i));
		}
	}
	for (size_t i = 0; i < list.len; i++)
		if (list.ptr[i] == '?' || list.ptr[i] == '!' || list.ptr[i] == ':')
			return FIT_NO;
	for (rest = list; span_next_word(&rest, "", &word);) {
		char last = word.ptr[word.len - 1];

		n = span_eq_nocase(word, "and") || span_eq_str(word, "&") ? 0 : n + 1;
		if (n > RECEIVER_WORDS)
			return FIT_NO;
		if (last == ',' || last == ';')
			n = 0;
	}
	fill_span(args, slot, list);
	return list.len <= RECEIVERS_MAX_BYTES ? FIT_YES : FIT_NO;
}

/* ---- times ---- */

bool args_take_length(struct span *rest, int64_t *seconds)
{
	struct span copy = *rest, one, two;

	if (!args_take_word(&copy, &one))
		return false;
	struct span behind = copy;
	if (args_take_word(&behind, &two) &&
	    interval_parse((struct span){one.ptr, (size_t)(two.ptr + two.len - one.ptr)},
	                   seconds))
		copy = behind;
	else if (!interval_parse(one, seconds))
		return false;
	*rest = copy;
	return true;
}

static enum fit take_seconds(struct args *args, const struct slot *slot)
{
	return args_take_length(&args->rest, member(args, slot)) ? FIT_YES : FIT_NO;
}

/* "2D", "+12H", "in 3 days", "1D more". */
static enum fit take_length(struct args *args, const struct slot *slot)
{
	struct when *out = &args->item->when;

	(void)slot;
	(void)take_one_of(&args->rest, "IN");
	out->how = WHEN_IN;
	if (args->rest.len > 0 && args->rest.ptr[0] == '+') {
		out->how = WHEN_MORE;
		args->rest = span_trim(span_slice(args->rest, 1, args->rest.len));
	}
	if (!args_take_length(&args->rest, &out->s))
		return FIT_NO;
	(void)take_one_of(&args->rest, "MORE|LONGER");
	return FIT_YES;
}

/* "2026-12-24", "2026-12-24 at 20:00": by the clock of the reader; else a length. */
static enum fit take_moment(struct args *args, const struct slot *slot)
{
	struct span copy = args->rest, day, hour = SPAN_LIT("23:59"), word;
	struct strbuf iso = STRBUF_INIT;

	if (!args_take_word(&copy, &day))
		return FIT_NO;
	struct span behind = copy;
	(void)take_one_of(&behind, "AT");
	if (args_take_word(&behind, &word) && span_find_char(word, ':') < word.len) {
		hour = word;
		copy = behind;
	}
	strbuf_addf(&iso, "%.*sT%.*s:00Z", SPAN_ARGS(day), SPAN_ARGS(hour));
	bool ok = day.len == DATE_LEN && hour.len == HOUR_LEN &&
	          utc_parse_iso(strbuf_span(&iso), &args->item->when.s);
	strbuf_release(&iso);
	if (!ok)
		return take_length(args, slot);
	args->item->when.how = WHEN_AT;
	args->rest = copy;
	return FIT_YES;
}

static enum fit take_grace(struct args *args, const struct slot *slot)
{
	struct span all = args->rest;
	int64_t seconds;

	if (take_one_of(&args->rest, "NONE|OFF")) {
		fill_span(args, slot, SPAN_LIT("0"));
		return FIT_YES;
	}
	if (!args_take_length(&args->rest, &seconds))
		return FIT_NO;
	fill_span(args, slot,
	          span_trim(span_slice(all, 0, (size_t)(args->rest.ptr - all.ptr))));
	return FIT_YES;
}

static enum fit take_hour(struct args *args, const struct slot *slot)
{
	struct span word;
	int minute;

	(void)slot;
	if (!args_take_word(&args->rest, &word) || !hour_parse(word, &minute))
		return FIT_NO;
	args->item->from = (unsigned)minute;
	args->item->to = 1;
	return FIT_YES;
}

/* "22:00 07:00", "22-7", "22 to 7" */
static enum fit take_hours(struct args *args, const struct slot *slot)
{
	int from, to;

	(void)slot;
	if (!quiet_parse(args->rest, &from, &to))
		return FIT_NO;
	args->item->from = (unsigned)from;
	args->item->to = (unsigned)to;
	args->rest = SPAN_EMPTY;
	return FIT_YES;
}

/* Which days these are depends on today: absence.c reads them again. */
static enum fit take_days(struct args *args, const struct slot *slot)
{
	struct days days;

	if (days_read(args->rest, &days) == DAYS_NONE)
		return FIT_NO;
	fill_span(args, slot, args->rest);
	args->rest = SPAN_EMPTY;
	return FIT_YES;
}

/* ---- the rest of the line ---- */

static enum fit take_text(struct args *args, const struct slot *slot)
{
	struct span rest = args->rest, word;
	unsigned n = 0;

	while (span_next_word(&rest, "", &word))
		n++;
	if (n == 0 || (slot->min > 0 && n > slot->min))
		return FIT_NO;
	if (args->rest.len > slot->max) {
		args->misfit.why = arena_printf(args->arena,
		                                "%s takes a text of at most %u letters.",
		                                args->row->words, slot->max);
		return FIT_REFUSED;
	}
	fill_span(args, slot, args->rest);
	args->rest = SPAN_EMPTY;
	return FIT_YES;
}

/*
 * Orders on the line itself. What they look like only the game knows; but a line of talk must
 * not turn the orders below it into mere checks ("Check this out").
 */
static enum fit take_lines(struct args *args, const struct slot *slot)
{
	(void)slot;
	if (is_prose(args->rest))
		return FIT_NO;
	args->item->orders = args->rest;
	args->rest = SPAN_EMPTY;
	return FIT_YES;
}

/* ---- a row ---- */

/* Those without a name of their own are always given one in the table. */
static const struct {
	enum fit (*take)(struct args *args, const struct slot *slot);
	const char *shown;
} types[] = {
    [SLOT_SAID] = {take_said, ""},
    [SLOT_GAME] = {take_game, "game"},
    [SLOT_GAME_OR_KIND] = {take_game_or_kind, "game or kind"},
    [SLOT_KIND] = {take_kind, "kind"},
    [SLOT_SEAT_AND_GAME] = {args_take_seat_and_game, "[seat] game"},
    [SLOT_NUMBER] = {take_number, "n"},
    [SLOT_CHOICE] = {take_choice, NULL},
    [SLOT_WORD] = {take_word, "word"},
    [SLOT_NAME] = {take_name, "name"},
    [SLOT_WHO] = {take_who, "seat or player"},
    [SLOT_ADDRESS] = {take_address, "address"},
    [SLOT_GUEST] = {take_guest, "address or player"},
    [SLOT_RECEIVERS] = {take_receivers, "names"},
    [SLOT_HOUR] = {take_hour, "8:00"},
    [SLOT_HOURS] = {take_hours, "from to"},
    [SLOT_MOMENT] = {take_moment, "time"},
    [SLOT_LENGTH] = {take_length, "time"},
    [SLOT_GRACE] = {take_grace, "length"},
    [SLOT_SECONDS] = {take_seconds, "3D"},
    [SLOT_DAYS] = {take_days, "day [TO day]"},
    [SLOT_TEXT] = {take_text, "text"},
    [SLOT_LINES] = {take_lines, "orders"},
};

/* Leaves args->rest as it was unless the slot is filled. */
static enum fit fill_slot(struct args *args, size_t i)
{
	const struct slot *slot = &args->row->slots[i];
	struct span before = args->rest, skipped = span_of(slot->skipped ? slot->skipped : ""),
		    phrase;
	enum fit fit;

	args->misfit.why = NULL;
	if (slot->keyword && !args_take_keyword(&args->rest, slot->keyword))
		return FIT_NO;
	while (next_phrase(&skipped, &phrase))
		(void)take_phrase(&args->rest, phrase);
	const struct span value = args->rest;
	fit = take_one_of(&args->rest, slot->none) ? FIT_YES
	      : slot->take                         ? slot->take(args, slot)
	                                           : types[slot->type].take(args, slot);
	if (fit == FIT_YES) {
		if ((slot->flags & SLOT_REPEATED) == 0)
			args->taken |= UINT64_C(1) << i;
		return FIT_YES;
	}
	if ((slot->flags & SLOT_SURE) != 0 && !is_prose(value))
		fit = FIT_REFUSED;
	args->rest = before;
	if (!args->misfit.why)
		args->misfit.why = slot->why;
	return fit;
}

/* Slots with a keyword, as many as stand there. FIT_YES also when there is none. */
static enum fit fill_keyworded(struct args *args)
{
	const struct slot *slots = args->row->slots;
	enum fit fit = FIT_YES;

	for (size_t i = 0; slots[i].type != SLOT_NONE && fit == FIT_YES; i++) {
		struct span peek = args->rest;

		if (!slots[i].keyword || (slots[i].flags & SLOT_AT_ONCE) != 0 ||
		    (args->taken >> i & 1) != 0 || !args_take_keyword(&peek, slots[i].keyword))
			continue;
		fit = fill_slot(args, i);
		i = (size_t)-1; /* from the first again */
	}
	return fit;
}

static enum fit refuse_rest(struct args *args)
{
	const struct slot *slots = args->row->slots;
	struct span rest = args->rest;

	for (size_t i = 0; slots[i].type != SLOT_NONE; i++)
		if (slots[i].keyword && args_take_keyword(&rest, slots[i].keyword)) {
			args->misfit.why = arena_printf(args->arena, "%s stands there twice.",
			                                slots[i].keyword);
			return FIT_REFUSED;
		}
	args->misfit.why = args->row->verb == CMD_CREATE
	                       ? "A title comes right after the game's name."
	                       : "It is no setting of a game.";
	return FIT_REFUSED;
}

/* The slots in their order; *sure: the line is beyond doubt this command. */
static enum fit fill_in_order(struct args *args, bool *sure)
{
	const struct slot *slots = args->row->slots;
	enum fit fit = FIT_YES;

	for (size_t i = 0; slots[i].type != SLOT_NONE; i++) {
		bool at_once = (slots[i].flags & SLOT_AT_ONCE) != 0;
		bool optional = (slots[i].flags & SLOT_OPTIONAL) != 0;

		*sure = (args->row->flags & ROW_IS_SURE) != 0 && !at_once;
		if (!at_once && (fit = fill_keyworded(args)) != FIT_YES)
			return fit;
		if ((slots[i].keyword && !at_once) || (optional && args->rest.len == 0))
			continue;
		do
			fit = fill_slot(args, i);
		while (fit == FIT_YES && (slots[i].flags & SLOT_REPEATED) != 0 &&
		       (fit = fill_keyworded(args)) == FIT_YES && args->rest.len > 0);
		if (fit == FIT_REFUSED || (fit == FIT_NO && !optional))
			return fit;
	}
	return fill_keyworded(args);
}

enum fit slots_read(struct args *args)
{
	const struct grammar_row *row = args->row;
	bool sure = false;
	enum fit fit = row->slots ? fill_in_order(args, &sure) : FIT_YES;

	args->misfit.left = args->rest;
	args->misfit.is_strange = fit != FIT_REFUSED;
	args->misfit.title = args->item->create.title.len == 0 ? args->item->create.title.ptr
	                                                       : NULL;
	if (fit != FIT_YES)
		return sure ? FIT_REFUSED : fit;
	if (args->rest.len > 0)
		return sure ? refuse_rest(args) : FIT_NO;
	args->misfit.why = row->check ? row->check(args->item) : NULL;
	return args->misfit.why ? FIT_REFUSED : FIT_YES;
}

/* "WORDS or DRAWN"; in small letters behind a keyword: "PRESS white, grey or none" */
static void add_choice(struct strbuf *out, const struct slot *slot)
{
	struct span list = span_of(slot->words), phrase;
	const char *between = "";

	while (next_phrase(&list, &phrase)) {
		strbuf_adds(out, between);
		if (slot->keyword)
			utf8_add_folded(out, phrase);
		else
			strbuf_add_span(out, phrase);
		between = span_find_char(list, '|') < list.len ? ", " : " or ";
	}
}

const char *slot_shown(const struct slot *slot)
{
	return slot->shown ? slot->shown : types[slot->type].shown;
}

void slots_add_usage(struct strbuf *out, const struct slot *slots)
{
	for (const struct slot *s = slots; s && s->type != SLOT_NONE; s++) {
		bool optional = (s->flags & SLOT_OPTIONAL) != 0;
		const char *shown = slot_shown(s);
		const char *keyword = s->keyword ? s->keyword : "";

		if ((s->flags & SLOT_HIDDEN) != 0)
			continue;
		strbuf_adds(out, optional ? " [" : " ");
		strbuf_add_span(out, span_slice(span_of(keyword), 0,
		                                span_find_char(span_of(keyword), '|')));
		strbuf_adds(out, *keyword != '\0' && (!shown || *shown != '\0') ? " " : "");
		if (shown)
			strbuf_adds(out, shown);
		else
			add_choice(out, s);
		if (s->none)
			strbuf_addf(
			    out, ", or %.*s",
			    SPAN_ARGS(span_slice(span_of(s->none), 0,
			                         span_find_char(span_of(s->none), '|'))));
		strbuf_adds(out, optional ? "]" : "");
	}
}
