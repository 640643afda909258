/*
 * arguments_master.c - what may stand behind the commands of masters and the votes.
 *
 * They change games of many people, so a line that is not wholly one of them is prose. Where a
 * number comes first a game needs its letter: in "PROCESS 4 W17" nobody takes the 4 for a game.
 */
#include "processor/commandtext/grammar.h"

#include "mail/mail.h"
#include "processor/base/clock.h"
#include "processor/base/num.h"
#include "processor/calendar/deadline.h"

enum { WHO_WORDS = 3, TEXT_BYTES = 600, DATE_LEN = 10, HOUR_LEN = 5 };

/* "W17" behind something else. */
static bool take_game_with_letter(struct span *rest, struct command *item)
{
	return args_take_game(rest, item) && item->game_letter != '\0';
}

static bool at_end_or_game(struct args *args, struct command *item)
{
	if (args->rest.len == 0)
		return true;
	(void)args_take_keyword(&args->rest, "in"); /* "eject Bob in W1" */
	return take_game_with_letter(&args->rest, item) && args->rest.len == 0;
}

/* "UNRATED" behind what only the players together can do, before or behind the game. */
static void take_unrated(struct args *args, struct command *item)
{
	struct span left = args->rest, next;
	struct strbuf kept = STRBUF_INIT;

	while (args_take_word(&left, &next)) {
		if (span_eq_nocase(next, "unrated"))
			item->unrated = true;
		else
			strbuf_addf(&kept, kept.len > 0 ? " %.*s" : "%.*s", SPAN_ARGS(next));
	}
	if (item->unrated)
		args->rest = arena_dup(args->arena, strbuf_span(&kept));
	strbuf_release(&kept);
}

enum fit args_read_ended_turn(struct args *args, struct command *item)
{
	take_unrated(args, item);
	return args_read_turn(args, item);
}

enum fit args_read_deadline(struct args *args, struct command *item)
{
	take_unrated(args, item);
	return args_read_when(args, item);
}

enum fit args_read_ejected(struct args *args, struct command *item)
{
	take_unrated(args, item);
	return args_read_who(args, item);
}

enum fit args_read_terminated(struct args *args, struct command *item)
{
	take_unrated(args, item);
	return args_read_game(args, item);
}

enum fit args_read_turn(struct args *args, struct command *item)
{
	struct span word;

	(void)args_take_keyword(&args->rest, "to");
	(void)(args_take_keyword(&args->rest, "turn") ||
	       args_take_keyword(&args->rest, "number"));
	if (!args_take_word(&args->rest, &word) ||
	    !num_parse_word(word, 0, TURN_MAX, &item->number)) {
		args->why = "The number of a turn is missing; STATUS tells it.";
		return FIT_NO;
	}
	return at_end_or_game(args, item) ? FIT_YES : FIT_NO;
}

/* ---- times ---- */

/* "2026-12-24", "20:00": by the clock of the reader. */
static bool parse_day_and_hour(struct span day, struct span hour, struct when *out)
{
	struct strbuf iso = STRBUF_INIT;

	out->how = WHEN_AT;
	strbuf_addf(&iso, "%.*sT%.*s:00Z", SPAN_ARGS(day), SPAN_ARGS(hour));
	bool ok = day.len == DATE_LEN && hour.len == HOUR_LEN &&
	          utc_parse_iso(strbuf_span(&iso), &out->s);
	strbuf_release(&iso);
	return ok;
}

static bool take_date(struct span *rest, struct when *out)
{
	struct span copy = *rest, day, hour = SPAN_LIT("23:59"), word;

	if (!args_take_word(&copy, &day))
		return false;
	struct span behind = copy;
	(void)args_take_keyword(&behind, "at");
	if (args_take_word(&behind, &word) && span_find_char(word, ':') < word.len) {
		hour = word;
		copy = behind;
	}
	if (!parse_day_and_hour(day, hour, out))
		return false;
	*rest = copy;
	return true;
}

/* "2D", "+12H", "in 3 days". */
static bool take_interval(struct span *rest, struct when *out)
{
	struct span copy = *rest, one, two, text;

	out->how = WHEN_IN;
	(void)args_take_keyword(&copy, "in");
	if (copy.len > 0 && copy.ptr[0] == '+') {
		out->how = WHEN_MORE;
		copy = span_trim(span_slice(copy, 1, copy.len));
	}
	if (!args_take_word(&copy, &one))
		return false;
	struct span behind = copy;
	if (args_take_word(&behind, &two)) {
		text = (struct span){one.ptr, (size_t)(two.ptr + two.len - one.ptr)};
		if (interval_parse(text, &out->s)) {
			*rest = behind;
			return true;
		}
	}
	*rest = copy;
	return interval_parse(one, &out->s);
}

enum fit args_read_when(struct args *args, struct command *item)
{
	struct span rest = args->rest;

	if (take_date(&args->rest, &item->when) && at_end_or_game(args, item))
		return FIT_YES;
	args->rest = rest;
	if (take_interval(&args->rest, &item->when) && at_end_or_game(args, item))
		return FIT_YES;
	args->why = "A time is written 2D or 12H (from now on), +1D (more than there is), or "
		    "2026-12-24 20:00 (by your clock).";
	return FIT_NO;
}

/* "2 days", "12H", "1D more". */
enum fit args_read_more_time(struct args *args, struct command *item)
{
	if (!take_interval(&args->rest, &item->when))
		return FIT_NO;
	(void)(args_take_keyword(&args->rest, "more") ||
	       args_take_keyword(&args->rest, "longer"));
	return at_end_or_game(args, item) ? FIT_YES : FIT_NO;
}

/* "6H", "2 days", "none". */
enum fit args_read_grace(struct args *args, struct command *item)
{
	struct when length;
	struct span rest = args->rest;

	(void)args_take_keyword(&args->rest, "to");
	if (args_take_keyword(&args->rest, "none") || args_take_keyword(&args->rest, "off"))
		item->name = SPAN_LIT("0");
	else if (take_interval(&args->rest, &length) && length.how == WHEN_IN)
		item->name =
		    span_trim(span_slice(rest, 0, (size_t)(args->rest.ptr - rest.ptr)));
	if (item->name.len > 0 && at_end_or_game(args, item))
		return FIT_YES;
	args->why = "A grace is a length such as 6H or 1D, or NONE.";
	return FIT_NO;
}

/* ---- people ---- */

static bool is_game_id(struct span word)
{
	struct command item = {0};

	return take_game_with_letter(&word, &item) && word.len == 0 &&
	       rules_by_letter(item.game_letter) != NULL;
}

/* "in W17" */
static bool begins_in_game(struct span rest)
{
	struct span word;

	return args_take_keyword(&rest, "in") && args_take_word(&rest, &word) &&
	       is_game_id(word);
}

/* "Ann", "Bot Ada", "the old mole"; the id of a game ends it, also behind "in". */
static bool take_name(struct span *rest, struct span *name)
{
	struct span copy = *rest, word, peek;
	struct span end = {rest->ptr, 0};

	for (unsigned n = 0; n < WHO_WORDS; n++) {
		peek = copy;
		if (!args_take_word(&peek, &word) || is_prose_word(word) ||
		    (n > 0 && (is_game_id(word) || begins_in_game(copy))))
			break;
		copy = peek;
		end = word;
	}
	if (end.len == 0)
		return false;
	*name = (struct span){rest->ptr, (size_t)(end.ptr + end.len - rest->ptr)};
	*rest = copy;
	return true;
}

enum fit args_read_who(struct args *args, struct command *item)
{
	struct span copy, word;

	(void)args_take_keyword(&args->rest, "to");
	(void)args_take_keyword(&args->rest, "seat");
	copy = args->rest;
	if (args_take_word(&copy, &word) && num_parse_word(word, 1, MAX_SEATS, &item->seat))
		args->rest = copy;
	else if (!args_take_quoted(&args->rest, &item->name) &&
	         !take_name(&args->rest, &item->name))
		return FIT_NO;
	return at_end_or_game(args, item) ? FIT_YES : FIT_NO;
}

/* "2 as co-master", "Ann as co-master w1" */
enum fit args_read_promoted(struct args *args, struct command *item)
{
	struct span left = args->rest, word;

	while (args_take_word(&left, &word)) {
		struct span behind = left, as_co;

		if (span_eq_nocase(word, "as") && args_take_word(&behind, &as_co) &&
		    (span_eq_nocase(as_co, "co-master") || span_eq_nocase(as_co, "comaster"))) {
			struct span before = span_trim(
			    span_slice(args->rest, 0, (size_t)(word.ptr - args->rest.ptr)));
			item->number = 1;
			args->rest = span_of(arena_printf(
			    args->arena, "%.*s %.*s", SPAN_ARGS(before), SPAN_ARGS(behind)));
			break;
		}
	}
	return args_read_who(args, item);
}

/* "bob@example.com", "Bob" */
enum fit args_read_guest(struct args *args, struct command *item)
{
	struct span copy = args->rest, word;

	if (!args_take_word(&copy, &word) || span_find_char(word, '@') == word.len)
		return args_read_who(args, item);
	item->name = args_bare_address(word);
	if (args_take_word(&copy, &word) && span_starts_nocase(word, "<mailto:"))
		args->rest = copy;
	else
		(void)args_take_word(&args->rest, &word);
	if (!mail_address_ok(item->name))
		return FIT_NO;
	return at_end_or_game(args, item) ? FIT_YES : FIT_NO;
}

/* ---- talk and votes ---- */

/*
 * "OFFICIAL: ..." is meant beyond doubt; without the colon it may be the beginning of a
 * sentence.
 */
enum fit args_read_official(struct args *args, struct command *item)
{
	item->name = span_slice(args->rest, 0, TEXT_BYTES);
	if (args->rest.len == 0)
		return FIT_NO;
	if (args->rest.len <= TEXT_BYTES)
		return FIT_YES;
	args->why = "An official word has at most 600 letters.";
	return FIT_REFUSED;
}

enum fit args_read_vote(struct args *args, struct command *item)
{
	static const char *const kinds[] = {"pause", "resume", "cancel"};

	item->off = args_take_keyword(&args->rest, "no");
	(void)args_take_keyword(&args->rest, "to");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (args_take_keyword(&args->rest, kinds[i])) {
			item->topic = span_of(kinds[i]);
			return at_end_or_game(args, item) ? FIT_YES : FIT_NO;
		}
	args->why = "What can be voted for is PAUSE, RESUME and CANCEL; see also SET DRAW and "
		    "SET CONCEDE.";
	return FIT_NO;
}
