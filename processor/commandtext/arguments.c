/*
 * arguments.c - what may stand behind a command's words, reader by reader.
 *
 * Every reader must use up the whole rest of the line: one word too many and the line is prose.
 * Where the line is beyond doubt a command (CREATE with a kind and one of its keywords) a wrong
 * value refuses it with a sentence, and nothing is ever passed over in silence.
 */
#include "processor/commandtext/grammar.h"

#include "mail/mail.h"
#include "processor/base/num.h"
#include "processor/calendar/deadline.h"
#include "reports/report.h"

enum { GAME_MAX = 999999999, WORD_MAX_BYTES = 64, KIND_MAX_WORDS = 3, ZONE_WORDS_MOST = 4 };
enum { MAIL_NUMBER_MAX = 999999 };

bool args_take_word(struct span *rest, struct span *word)
{
	if (!span_next_word(rest, "", word))
		return false;
	*rest = span_trim(*rest);
	return true;
}

bool args_take_keyword(struct span *rest, const char *keyword)
{
	struct span copy = *rest, word;

	if (!args_take_word(&copy, &word) || !span_eq_nocase(word, keyword))
		return false;
	*rest = copy;
	return true;
}

static bool is_letter(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

bool parse_game_id(struct span word, int64_t *game, char *letter)
{
	struct span s = span_trim(word);
	char first = '\0';

	if (s.len > 0 && is_letter(s.ptr[0])) {
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

	if (!args_take_word(&copy, &letter) || letter.len != 1 || !is_letter(letter.ptr[0]) ||
	    rules_by_letter(text_upper(letter.ptr[0])) == NULL ||
	    !args_take_word(&copy, &number) || is_letter(number.ptr[0]) ||
	    !parse_game_id(number, &item->game, &ignored))
		return false;
	item->game_letter = text_upper(letter.ptr[0]);
	*rest = copy;
	return true;
}

bool args_take_game(struct span *rest, struct command *item)
{
	struct span copy = *rest, word;

	(void)args_take_keyword(&copy, "game");
	if (!take_split_game(&copy, item) &&
	    (!args_take_word(&copy, &word) ||
	     !parse_game_id(word, &item->game, &item->game_letter)))
		return false;
	*rest = copy;
	return true;
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

enum fit args_read_nothing(struct args *args, struct command *item)
{
	(void)item;
	return args->rest.len == 0 ? FIT_YES : FIT_NO;
}

/*
 * Orders on the line itself. What they look like only the game knows; but a line of talk must
 * not turn the orders below it into mere checks ("Check this out").
 */
enum fit args_read_lines(struct args *args, struct command *item)
{
	if (args->rest.len > 0 && is_prose(args->rest))
		return FIT_NO;
	item->orders = args->rest;
	return FIT_YES;
}

enum fit args_read_game(struct args *args, struct command *item)
{
	if (args->rest.len == 0)
		return FIT_YES;
	return args_take_game(&args->rest, item) && args->rest.len == 0 ? FIT_YES : FIT_NO;
}

enum fit args_read_list(struct args *args, struct command *item)
{
	(void)args_take_keyword(&args->rest, "games");
	return args_read_game(args, item);
}

static bool take_number_after(struct span *rest, const char *keyword, unsigned max,
                              unsigned *out)
{
	struct span copy = *rest, word;

	if (!args_take_keyword(&copy, keyword) || !args_take_word(&copy, &word) ||
	    !num_parse_word(word, 1, max, out))
		return false;
	*rest = copy;
	return true;
}

enum fit args_read_history(struct args *args, struct command *item)
{
	(void)args_take_game(&args->rest, item);
	(void)take_number_after(&args->rest, "from", TURN_MAX, &item->from);
	(void)take_number_after(&args->rest, "to", TURN_MAX, &item->to);
	if (args->rest.len > 0)
		return FIT_NO;
	if (item->to != 0 && item->from > item->to) {
		args->why = "FROM must not be later than TO.";
		return FIT_REFUSED;
	}
	return FIT_YES;
}

enum fit args_read_resend(struct args *args, struct command *item)
{
	struct span word, rest = args->rest;

	if (args_take_word(&rest, &word) &&
	    num_parse_word(word, 1, MAIL_NUMBER_MAX, &item->number))
		args->rest = rest;
	if (args->rest.len == 0)
		return FIT_YES;
	/* A number alone is the mail's: the game needs its letter. */
	return args_take_game(&args->rest, item) && item->game_letter != 0 &&
	               args->rest.len == 0
	           ? FIT_YES
	           : FIT_NO;
}

/* "<a@b>", "a@b<mailto:a@b>" and "a@b <mailto:a@b>" are what mail programs make of a@b. */
struct span args_bare_address(struct span word)
{
	if (word.len > 2 && word.ptr[0] == '<' && word.ptr[word.len - 1] == '>')
		word = span_slice(word, 1, word.len - 1);
	if (span_starts_nocase(word, "mailto:"))
		word = span_slice(word, 7, word.len);
	return span_slice(word, 0, span_find_char(word, '<'));
}

enum fit args_read_address(struct args *args, struct command *item)
{
	struct span word, link;

	if (!args_take_word(&args->rest, &word) ||
	    (args_take_word(&args->rest, &link) && !span_starts_nocase(link, "<mailto:")) ||
	    args->rest.len > 0)
		return FIT_NO;
	item->name = args_bare_address(word);
	if (mail_address_ok(item->name))
		return FIT_YES;
	if (span_find_char(word, '@') == word.len)
		return FIT_NO;
	args->why = "That is no mail address this server can write to.";
	return FIT_REFUSED;
}

/* "bob@example.com to W1 Come and play!" */
enum fit args_read_invite(struct args *args, struct command *item)
{
	struct span word, behind;

	if (!args_take_word(&args->rest, &word))
		return FIT_NO;
	item->name = args_bare_address(word);
	if (!mail_address_ok(item->name))
		return FIT_NO;
	behind = args->rest;
	if (args_take_word(&behind, &word) && span_starts_nocase(word, "<mailto:"))
		args->rest = behind;
	behind = args->rest;
	if (args_take_keyword(&behind, "to") && args_take_game(&behind, item))
		args->rest = behind;
	item->topic = args->rest;
	return FIT_YES;
}

/* "OFF", "ON"; "NO INVITES" needs neither. */
enum fit args_read_set_invites(struct args *args, struct command *item)
{
	item->off = !args_take_keyword(&args->rest, "on");
	if (item->off)
		(void)args_take_keyword(&args->rest, "off");
	args->why = "SET INVITES takes OFF or ON.";
	return args->rest.len == 0 ? FIT_YES : FIT_NO;
}

/* "-" is how the hashed texts write that there was no salt. */
enum fit args_read_salt(struct args *args, struct command *item)
{
	if (!args_take_word(&args->rest, &item->name) || args->rest.len > 0)
		return FIT_NO;
	if (item->name.len <= WORD_MAX_BYTES && !span_eq_str(item->name, "-") &&
	    !is_prose_word(item->name))
		return FIT_YES;
	args->why = "SALT takes one word of at most 64 bytes that is not '-'.";
	return FIT_NO;
}

/* "Europe/Berlin", "new york", "UTC": what is meant is found out later. */
enum fit args_read_zone(struct args *args, struct command *item)
{
	struct span rest = args->rest, word;
	size_t n = 0;

	while (span_next_word(&rest, "", &word))
		n++;
	item->name = args->rest;
	if (n >= 1 && n <= ZONE_WORDS_MOST && item->name.len <= WORD_MAX_BYTES)
		return FIT_YES;
	args->why = "SET ZONE takes the name of a place.";
	return FIT_NO;
}

/* "digest", "digest at 8:00", "digest 8"; "" asks how it is set */
enum fit args_read_mail(struct args *args, struct command *item)
{
	static const char *const words[] = {"all", "round", "digest", "html", "plain"};
	struct span rest = args->rest, word;
	int minute;

	if (!span_next_word(&rest, "", &word))
		return FIT_YES;
	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]) && item->number == 0; i++)
		if (span_eq_nocase(word, words[i]))
			item->number = i + 1;
	args->why =
	    "SET MAIL takes ALL, ROUND, DIGEST, HTML or PLAIN, and an hour may follow DIGEST.";
	rest = span_trim(rest);
	if (rest.len == 0) /* one word: more than an accident */
		return item->number > 0 ? FIT_YES : FIT_REFUSED;
	if (item->number == 0)
		return FIT_NO;
	if (span_next_word(&rest, "", &word) && span_eq_nocase(word, "at") &&
	    !span_next_word(&rest, "", &word))
		return FIT_REFUSED;
	if (item->number != SET_MAIL_DIGEST || span_trim(rest).len > 0 ||
	    !hour_parse(word, &minute))
		return FIT_REFUSED;
	item->from = (unsigned)minute;
	item->to = 1;
	return FIT_YES;
}

/* One of two words: `number` 1 or 2. */
static enum fit read_choice(const struct args *args, const char *first, const char *second,
                            struct command *item)
{
	item->number = span_eq_nocase(args->rest, first)    ? 1
	               : span_eq_nocase(args->rest, second) ? 2
	                                                    : 0;
	return item->number > 0 ? FIT_YES : FIT_NO;
}

enum fit args_read_board(struct args *args, struct command *item)
{
	args->why = "SET BOARD takes WORDS or DRAWN.";
	return read_choice(args, "words", "drawn", item);
}

enum fit args_read_reminders(struct args *args, struct command *item)
{
	args->why = "SET REMINDERS takes OFF or ON.";
	return read_choice(args, "off", "on", item);
}

/* "40", "off" */
enum fit args_read_width(struct args *args, struct command *item)
{
	enum { LEAST = 30, MOST = 72 };
	unsigned cols;

	if (span_eq_nocase(args->rest, "off"))
		return FIT_YES;
	args->why = "SET WIDTH takes a number of columns such as 40, or OFF.";
	if (!num_parse_uint(args->rest, 0, 9999, &cols))
		return FIT_NO;
	if (cols < LEAST || cols > MOST) {
		args->why = "Lines can have 30 to 72 columns; a phone shows about 40.";
		return FIT_REFUSED;
	}
	item->number = cols;
	return FIT_YES;
}

/* "22:00 07:00", "22-7", "22 to 7", "off" */
enum fit args_read_quiet(struct args *args, struct command *item)
{
	int from, to;

	if (span_eq_nocase(args->rest, "off") || span_eq_nocase(args->rest, "none"))
		return FIT_YES;
	if (quiet_parse(args->rest, &from, &to)) {
		item->from = (unsigned)from;
		item->to = (unsigned)to;
		return FIT_YES;
	}
	args->why = "SET QUIET takes two hours of the day such as 22:00 07:00, or OFF.";
	return FIT_NO;
}

/* Between quotes anything goes; the game's own check of names comes later. */
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

/* "SEAT 2", taken off *rest. */
static bool take_seat(struct span *rest, unsigned *seat)
{
	return take_number_after(rest, "seat", MAX_SEATS, seat);
}

static bool begins_seat(struct span rest)
{
	unsigned seat;

	return take_seat(&rest, &seat);
}

/*
 * "JOIN W17 AS soon as you can" must not seat a player of that name, so without quotes a name
 * is at most three words, none of them a word of talk.
 */
static bool take_name(struct span *rest, struct span *name)
{
	struct span copy = *rest, word, end = {rest->ptr, 0};
	unsigned n = 0;

	if (args_take_quoted(rest, name))
		return true;
	for (struct span peek = copy; args_take_word(&peek, &word); copy = peek) {
		if (n > 0 && (span_eq_nocase(word, "key") || begins_seat(copy)))
			break;
		if (++n > NAME_MAX_WORDS || is_prose_word(word))
			return false;
		end = word;
	}
	if (n == 0)
		return false;
	*name = (struct span){rest->ptr, (size_t)(end.ptr + end.len - rest->ptr)};
	*rest = copy;
	return true;
}

bool args_take_choice(struct span *rest, const char *const *words, size_t n, unsigned *which)
{
	struct span copy = *rest, word;

	if (!args_take_word(&copy, &word))
		return false;
	for (*which = 0; *which < n && !span_eq_nocase(word, words[*which]);)
		(*which)++;
	if (*which < n)
		*rest = copy;
	return *which < n;
}

bool args_take_key(struct span *rest, struct span *key)
{
	return args_take_keyword(rest, "key") && args_take_word(rest, key) &&
	       key->len <= WORD_MAX_BYTES;
}

/* "AS Ann", "SEAT 2", "KEY walnut", in any order; a seat only where `item` has none. */
static enum fit read_name_seat_and_key(struct args *args, struct command *item)
{
	struct span *rest = &args->rest;

	while (rest->len > 0) {
		if (item->seat == 0 && take_seat(rest, &item->seat))
			continue;
		if (item->name.len == 0 && args_take_keyword(rest, "as")) {
			if (take_name(rest, &item->name))
				continue;
			args->why =
			    "Behind AS stands a name of up to three words; put it between "
			    "quotes if it is longer or made of everyday words.";
			return FIT_NO;
		}
		if (item->key.len > 0 || !args_take_key(rest, &item->key))
			return FIT_NO;
	}
	return FIT_YES;
}

enum fit args_read_join(struct args *args, struct command *item)
{
	struct span *rest = &args->rest;

	if (rest->len > 0 && rest->ptr[0] == '?')
		*rest = span_trim(span_slice(*rest, 1, rest->len));
	if (take_seat(rest, &item->seat))
		(void)(args_take_keyword(rest, "in") || args_take_keyword(rest, "of"));
	if (!args_take_game(rest, item) && !args_take_kind(rest, &item->kind)) {
		args->why = "JOIN needs the id of a game, such as W17, or a kind of game.";
		return FIT_NO;
	}
	if (item->kind != NULL)
		item->wait = args_take_keyword(rest, "wait")     ? WAIT_FOR_IT
		             : args_take_keyword(rest, "nowait") ? WAIT_NO_MORE
		                                                 : WAIT_NOT;
	return read_name_seat_and_key(args, item);
}

static bool take_seat_then_game(struct span *rest, struct command *item)
{
	struct span copy = *rest, word;
	bool ok;

	(void)args_take_keyword(&copy, "seat");
	ok = args_take_word(&copy, &word) && num_parse_word(word, 1, MAX_SEATS, &item->seat) &&
	     args_take_game(&copy, item);
	if (ok)
		*rest = copy;
	else
		item->seat = 0;
	return ok;
}

enum fit args_read_takeover(struct args *args, struct command *item)
{
	struct span *rest = &args->rest;

	if (!take_seat_then_game(rest, item) && !args_take_seat_at_game(rest, item) &&
	    !args_take_game(rest, item)) {
		args->why = "TAKEOVER needs the id of a game, such as W17.";
		return FIT_NO;
	}
	return read_name_seat_and_key(args, item);
}

enum fit args_read_signon(struct args *args, struct command *item)
{
	struct span *rest = &args->rest;

	if (rest->len > 0 && rest->ptr[0] == '?') {
		item->verb = CMD_JOIN;
		return args_read_join(args, item);
	}
	if (take_seat_then_game(rest, item) || args_take_seat_at_game(rest, item))
		return rest->len == 0 ? FIT_YES : FIT_NO;
	return args_take_game(rest, item) && rest->len == 0 ? FIT_YES : FIT_NO;
}
