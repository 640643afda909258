/*
 * loose_command_line.c - a command as the grammar takes it, from what a line is about and what it names.
 */
#include <string.h>

#include "processor/base/utf8.h"
#include "processor/commandtext/grammar.h"
#include "processor/commandtext/loose_line.h"
#include "processor/games/loose.h"
#include "processor/games/registry.h"

static const char *game_or_answered(const struct loose_line *l)
{
	return l->game ? l->game : l->facts->game;
}

static bool is_place_name(const struct loose_line *l, size_t i)
{
	struct span word = l->words[i].written;

	return i < l->n && !l->taken[i] && word.len > 2 && *word.ptr >= 'A' && *word.ptr <= 'Z';
}

/* "Europe/Berlin", "Berlin", "New York" */
static struct span place(const struct loose_line *l)
{
	for (size_t i = 0; i < l->n; i++) {
		struct span first = l->words[i].written;

		if (span_find_char(first, '/') < first.len)
			return first;
		if (!is_place_name(l, i))
			continue;
		if (is_place_name(l, i + 1))
			return span_of(arena_printf(l->arena, "%.*s %.*s", SPAN_ARGS(first),
			                            SPAN_ARGS(l->words[i + 1].written)));
		if (first.len > 3)
			return first;
	}
	return SPAN_EMPTY;
}

/* What stands for a word that a command takes, in small letters without accents. */
static const struct {
	enum verb verb;
	const char *word, *phrases;
} choices[] = {
#define INTENT(name, command, phrases)
#define WORD_FOR(verb, word, phrases) {verb, word, phrases},
#include "processor/commandtext/command_words.inc"
#undef WORD_FOR
#undef INTENT
};

/* The longest of those that stands in the line. */
static const char *choice(struct loose_line *l, enum verb verb)
{
	size_t at = 0, most = 0;
	const char *word = NULL;

	for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
		struct span list = span_of(choices[i].phrases), phrase;

		while (choices[i].verb == verb && next_phrase(&list, &phrase))
			for (size_t k = 0; k < l->n; k++) {
				size_t n = loose_line_phrase(l, k, phrase);

				if (n <= most)
					continue;
				most = n;
				at = k;
				word = choices[i].word;
			}
	}
	for (size_t i = 0; i < most; i++)
		l->spent[at + i] = true;
	l->used |= word ? NAMES_CHOICE : 0;
	return word;
}

static const struct rules *kind_named(struct loose_line *l)
{
	l->used |= l->item.kind ? NAMES_KIND : 0;
	return l->item.kind;
}

/* What the line names for a slot, else the game that is answered; "" if nothing. */
static struct span value_for(struct loose_line *l, enum verb verb, const struct slot *slot)
{
	const char *text = "";
	unsigned n;

	switch ((int)slot->type) {
	case SLOT_GAME:
		text = l->game || slot->keyword || slot->flags != SLOT_OPTIONAL
		           ? l->game
		           : l->facts->game;
		break;
	case SLOT_GAME_OR_KIND:
		text = l->game ? l->game : kind_named(l) ? kind_named(l)->title : NULL;
		break;
	case SLOT_SEAT_AND_GAME:
		text = l->game;
		break;
	case SLOT_WHO:
		text = loose_line_person(l);
		break;
	case SLOT_RECEIVERS:
		text = loose_line_receivers(l);
		break;
	case SLOT_CHOICE:
		text = choice(l, verb);
		break;
	case SLOT_HOURS:
		text = loose_line_hours(l, 2);
		break;
	case SLOT_HOUR:
		text = loose_line_hours(l, 1);
		text = text ? arena_printf(l->arena, "AT %s", text) : NULL;
		break;
	case SLOT_LENGTH:
	case SLOT_MOMENT:
	case SLOT_GRACE:
		text = loose_line_length(l);
		break;
	case SLOT_NUMBER:
		n = slot->keyword && verb != CMD_HISTORY
		        ? 0
		        : loose_line_number(l, slot->min, slot->max);
		text = n > 0 ? arena_printf(l->arena, "%u", n) : NULL;
		break;
	case SLOT_DAYS:
		text = loose_line_days(l);
		break;
	case SLOT_GUEST:
	case SLOT_ADDRESS:
		l->used |= l->nguests > 0 ? NAMES_ADDRESS : 0;
		if (l->nguests > 0 || slot->type == SLOT_ADDRESS)
			return l->nguests > 0 ? l->guests[0] : SPAN_EMPTY;
		text = loose_line_person(l);
		break;
	case SLOT_NAME:
		if (verb == CMD_WHO)
			text = loose_line_person(l);
		else
			return l->name;
		break;
	case SLOT_WORD:
		return l->key;
	case SLOT_TEXT:
		return (slot->flags & SLOT_OPTIONAL) == 0 ? place(l) : SPAN_EMPTY;
	default:
		break;
	}
	return span_of(text ? text : "");
}

/* The command with what the line names for each of its slots; `otherwise` when one is missing. */
static const char *row_line(struct loose_line *l, enum verb verb, const char *otherwise)
{
	const struct grammar_row *row = grammar_row_of(verb);
	struct strbuf out = STRBUF_INIT;
	bool complete = true;

	grammar_add_words(&out, row);
	for (const struct slot *s = row->slots; s && s->type != SLOT_NONE; s++) {
		struct span value = value_for(l, verb, s);

		complete = complete && (value.len > 0 || (s->flags & SLOT_OPTIONAL) != 0);
		if (value.len > 0)
			strbuf_addf(&out, " %s%s%.*s", s->keyword ? s->keyword : "",
			            s->keyword ? " " : "", SPAN_ARGS(value));
	}
	if ((row->flags & ROW_TAKES_TEXT) != 0) {
		struct span text = loose_line_text(l);

		complete = complete && text.len > 0;
		strbuf_addf(&out, "\n%.*s\n%s", SPAN_ARGS(text),
		            verb == CMD_BROADCAST ? "ENDBROADCAST" : "ENDPRESS");
	}
	const char *line = complete ? arena_strdup(l->arena, out.ptr) : otherwise;
	strbuf_release(&out);
	return line;
}

/* What a stranger has written may be somebody else's words, so addresses are not shown to them. */
static const char *create_line(struct loose_line *l)
{
	const struct rules *kind = kind_named(l);
	unsigned bots, players = loose_line_players(l);
	bool solo = loose_line_is_solo(l, &bots);
	struct strbuf out = STRBUF_INIT;

	if (!kind && l->facts->newcomer)
		kind = rules_find(SPAN_LIT(EXAMPLE_KIND));
	if (!kind)
		return l->facts->plays ? "HELP CREATE" : "HELP";
	if (solo && bots > 0 && players == 0 && l->nguests == 0 && loose_line_has_company(l))
		return arena_printf(l->arena, "CREATE %s PLAYERS %u BOTS %u", kind->title,
		                    bots + 2, bots);
	if (solo && l->nguests == 0) /* all seats are taken, so it begins at once */ {
		unsigned seats = bots ? bots + 1 : players;
		seats = seats < kind->min_seats   ? kind->min_seats
		        : seats > kind->max_seats ? kind->max_seats
		                                  : seats;
		return arena_printf(l->arena, "CREATE %s PLAYERS %u BOTS %u", kind->title,
		                    seats, seats - 1);
	}
	if (solo)
		bots = bots ? bots : 1;
	if (solo || (l->facts->unknown && l->nguests > 0))
		players = (unsigned)l->nguests + 1 + bots;
	else if (players == 0)
		players = loose_line_number(l, 2, MAX_SEATS);
	l->used |= l->nguests > 0 ? NAMES_ADDRESS : 0;
	strbuf_addf(&out, "CREATE %s", kind->title);
	if (players)
		strbuf_addf(&out, " PLAYERS %u", players);
	if (solo)
		strbuf_addf(&out, " BOTS %u", bots);
	if (l->nguests > 0 && !l->facts->unknown)
		strbuf_adds(&out, " FOR");
	for (size_t i = 0; i < l->nguests && !l->facts->unknown; i++)
		strbuf_addf(&out, " %.*s", SPAN_ARGS(l->guests[i]));
	const char *line = arena_strdup(l->arena, out.ptr);
	strbuf_release(&out);
	return line;
}

static const char *more_time_line(struct loose_line *l)
{
	const char *length = loose_line_length(l), *time = length ? length : "1 DAY";

	/* "until Sunday", "tomorrow 8pm" */
	if (!length && l->facts->presides &&
	    (loose_line_names_weekday(l) || loose_line_days(l)))
		return "HELP SET DEADLINE";
	return l->facts->presides
	           ? arena_printf(l->arena, "SET DEADLINE +%s", time)
	           : arena_printf(l->arena, "ASK FOR %s%s%s", time,
	                          game_or_answered(l) ? " " : "",
	                          game_or_answered(l) ? game_or_answered(l) : "");
}

/* "Undo the last turn", "back to turn 3". */
static const char *back_line(struct loose_line *l)
{
	unsigned open = l->facts->turn, turn = loose_line_number(l, 1, 999);

	if (!l->facts->presides)
		return "HELP ROLLBACK";
	if (turn == 0)
		turn = open > 0 ? open - 1 : 0;
	return turn > 0 && turn <= open ? arena_printf(l->arena, "ROLLBACK %u", turn - 1)
	                                : "HELP ROLLBACK";
}

static const char *end_turn_line(struct loose_line *l)
{
	if (!l->facts->presides)
		return row_line(l, CMD_NUDGE, NULL);
	return l->facts->turn > 0 ? arena_printf(l->arena, "PROCESS %u", l->facts->turn)
	                          : "HELP PROCESS";
}

static const char *master_line(struct loose_line *l)
{
	bool who = loose_is_one_of(l->words[0].text, "who who's wer qui quien chi wie kto");

	if (!l->facts->presides || (l->asks && (who || l->person)))
		return row_line(l, CMD_LIST, NULL);
	return row_line(l, CMD_PROMOTE, l->asks ? "HELP MASTER" : NULL);
}

static const char *practice_line(struct loose_line *l)
{
	unsigned turn = loose_line_number(l, 1, 999);

	return turn > 0 && game_or_answered(l)
	           ? arena_printf(l->arena, "PRACTICE %s AT %u", game_or_answered(l), turn)
	           : "HELP PRACTICE";
}

/* Whether a word of the line is a term of this game, or with `orders` a word of them: its rules have it, and always with a capital letter. */
static bool names_term(const struct loose_line *l, const struct rules *kind, bool orders)
{
	struct strbuf text = STRBUF_INIT;
	struct options usual;
	struct doc guide;
	bool term = false;

	options_init(&usual, kind);
	doc_init(&guide, l->arena);
	kind->guide(&usual, &guide);
	doc_dump(&guide, &text);
	for (size_t i = 0; i < l->n && !term; i++) {
		struct span rest = strbuf_span(&text), word;
		unsigned capital = 0, small = 0;

		while (!l->taken[i] && span_next_word(&rest, " ,.:;()|\"\n", &word))
			if (utf8_eq_folded(word, l->words[i].text)) {
				capital += *word.ptr >= 'A' && *word.ptr <= 'Z' &&
				           (orders || (word.len > 1 && word.ptr[1] >= 'a'));
				small += *word.ptr < 'A' || *word.ptr > 'Z';
			}
		term = capital > 0 && small == 0 && l->words[i].text.len > 3;
	}
	strbuf_release(&text);
	return term;
}

bool loose_names_term(const struct loose_line *l)
{
	size_t n = 0;

	for (size_t i = 0; i < rules_count(); i++)
		n += names_term(l, rules_at(i), false);
	return n == 1 || n == 2; /* what stands in every guide, "Orders", is no game's own */
}

/* Of the game that is named, else of the one that is answered. */
static const char *rules_line(struct loose_line *l)
{
	const struct rules *kind = kind_named(l) ? l->item.kind : l->facts->kind;

	return kind ? arena_printf(l->arena, "HELP %s", kind->title) : "HELP";
}

/* "What does Gopher It do?": of the only game that has this term, when the one that is answered has none. */
static const char *about_line(struct loose_line *l)
{
	const struct rules *found = NULL;
	unsigned n = 0;

	for (size_t i = 0; i < rules_count() && !l->item.kind && l->facts->kind; i++)
		if (names_term(l, rules_at(i), true)) {
			n++;
			found = n == 1 || rules_at(i) == l->facts->kind ? rules_at(i) : found;
		}
	return found && (n == 1 || found == l->facts->kind)
	           ? arena_printf(l->arena, "HELP %s", found->title)
	           : rules_line(l);
}

/* Who is back on a day is away up to it. */
static const char *back_on_line(struct loose_line *l)
{
	const char *days = loose_line_days(l);

	return days ? arena_printf(l->arena, "SET ABSENCE %s%s",
	                           !strstr(days, "TO ") ? "TO " : "", days)
	            : NULL;
}

static const char *join_or_create_line(struct loose_line *l)
{
	unsigned bots;
	bool own = loose_line_has_company(l) || loose_line_is_solo(l, &bots);

	return !l->game && own && (l->item.kind || l->facts->newcomer)
	           ? create_line(l)
	           : (row_line(l, CMD_JOIN, l->facts->first ? FIRST_GAME : "LIST"));
}

static const char *takeover_line(struct loose_line *l)
{
	if (l->person && !l->game) /* "Replace Bob by a bot" */
		return "HELP EJECT";
	return row_line(l, CMD_TAKEOVER, "LIST");
}

/* "another game of Mole Park" */
static const char *rematch_line(struct loose_line *l)
{
	return l->item.kind ? join_or_create_line(l) : row_line(l, CMD_REMATCH, NULL);
}

/* The master who says it of all ends the game. */
static const char *resign_line(struct loose_line *l)
{
	bool all = false, one = false;

	for (size_t i = 0; i < l->n; i++) {
		all = all || loose_is_one_of(l->words[i].text, "we let's lets wir nous");
		one = one || loose_is_one_of(l->words[i].text, "i i'm i'd ich je");
	}
	if (all && !one && l->facts->presides && game_or_answered(l))
		return row_line(l, CMD_TERMINATE, NULL);
	return game_or_answered(l) ? row_line(l, CMD_RESIGN, NULL) : NULL;
}

static const char *begin_line(struct loose_line *l)
{
	return row_line(l, l->facts->presides ? CMD_FORCE_BEGIN : CMD_STATUS, NULL);
}

static const char *status_line(struct loose_line *l)
{
	return l->facts->game || l->facts->plays ? row_line(l, CMD_STATUS, NULL) : "HELP";
}

static const struct {
	const char *line; /* the whole command; or, where that row lacks something */
	enum verb row;    /* CMD_ORDERS: none */
	const char *vote; /* of who is not the master */
	const char *(*make)(struct loose_line *l);
	unsigned needs; /* it is a wish only in a line that names all these */
} commands[] = {
#define LINE(text)           \
	{                    \
		.line = text \
	}
#define ROW(verb)           \
	{                   \
		.row = verb \
	}
#define ROW_OR(verb, text)                \
	{                                 \
		.row = verb, .line = text \
	}
#define OF_MASTER(verb, text)             \
	{                                 \
		.row = verb, .vote = text \
	}
#define MAKE(function)           \
	{                        \
		.make = function \
	}
#define ROW_NAMING(verb, named)             \
	{                                   \
		.row = verb, .needs = named \
	}
#define NOTHING              \
	{                    \
		.line = NULL \
	}
#define INTENT(name, command, phrases) [name] = command,
#define WORD_FOR(verb, word, phrases)
#include "processor/commandtext/command_words.inc"
#undef WORD_FOR
#undef INTENT
};

bool loose_command_is_conditional(enum intent intent)
{
	return (commands[intent].needs & NAMES_CONDITION) != 0;
}

const char *loose_command_line(struct loose_line *l, enum intent intent)
{
	unsigned needs = commands[intent].needs;

	for (size_t i = 0; i < l->nclauses && (needs & NAMES_CONDITION) != 0; i++)
		if (l->clauses[i].kind == CLAUSE_CONDITION)
			l->used |= NAMES_CONDITION;
	if (needs != 0) {
		const char *line = row_line(l, commands[intent].row, NULL);

		if ((needs & NAMES_PERSON) != 0)
			(void)loose_line_person(l);
		return (l->used & needs) == needs ? line : NULL;
	}
	if (commands[intent].make)
		return commands[intent].make(l);
	if (commands[intent].vote && !l->facts->presides)
		return commands[intent].vote;
	return commands[intent].row ? row_line(l, commands[intent].row, commands[intent].line)
	                            : commands[intent].line;
}
