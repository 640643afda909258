/*
 * loose_command_line.c - a command as the grammar takes it, from what a line is about and what it names.
 */
#include <string.h>

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

/* What the line names for a slot, else the game that is answered; "" if nothing. */
static struct span value_for(struct loose_line *l, const struct slot *slot)
{
	const char *text = "";

	switch ((int)slot->type) {
	case SLOT_GAME:
		text = l->game || slot->keyword || slot->flags != SLOT_OPTIONAL
		           ? l->game
		           : l->facts->game;
		break;
	case SLOT_GAME_OR_KIND:
		text = l->game ? l->game : l->item.kind ? l->item.kind->title : NULL;
		break;
	case SLOT_SEAT_AND_GAME:
		text = l->game;
		break;
	case SLOT_WHO:
		text = l->person;
		break;
	case SLOT_DAYS:
		text = loose_line_days(l);
		break;
	case SLOT_ADDRESS:
		return l->nguests > 0 ? l->guests[0] : SPAN_EMPTY;
	case SLOT_NAME:
		return l->name;
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
	for (const struct slot *s = row->slots; s->type != SLOT_NONE; s++) {
		struct span value = value_for(l, s);

		complete = complete && (value.len > 0 || (s->flags & SLOT_OPTIONAL) != 0);
		if (value.len > 0)
			strbuf_addf(&out, " %s%s%.*s", s->keyword ? s->keyword : "",
			            s->keyword ? " " : "", SPAN_ARGS(value));
	}
	const char *line = complete ? arena_strdup(l->arena, out.ptr) : otherwise;
	strbuf_release(&out);
	return line;
}

static const char *join_line(struct loose_line *l)
{
	return row_line(l, CMD_JOIN, "LIST");
}

static const char *create_against_bots(struct loose_line *l, const struct rules *kind,
                                       unsigned seats)
{
	seats = seats < kind->min_seats   ? kind->min_seats
	        : seats > kind->max_seats ? kind->max_seats
	                                  : seats;
	return arena_printf(l->arena, "CREATE %s PLAYERS %u BOTS %u", kind->title, seats,
	                    seats - 1);
}

/* What a stranger has written may be somebody else's words, so addresses are not shown to them. */
static const char *create_line(struct loose_line *l)
{
	const struct rules *kind = l->item.kind;
	unsigned bots, players = loose_line_players(l);
	bool solo = loose_line_is_solo(l, &bots);
	struct strbuf out = STRBUF_INIT;

	if (!kind && l->facts->newcomer)
		kind = rules_find(SPAN_LIT(EXAMPLE_KIND));
	if (!kind)
		return l->facts->plays ? "HELP CREATE" : "HELP";
	if (solo) /* all seats are taken, so it begins at once */
		return create_against_bots(l, kind, bots ? bots + 1 : players);
	players = loose_line_number(l, 2, MAX_SEATS);
	if (players == 0 && l->facts->unknown && l->nguests > 0)
		players = (unsigned)l->nguests + 1;
	strbuf_addf(&out, "CREATE %s", kind->title);
	if (players)
		strbuf_addf(&out, " PLAYERS %u", players);
	if (l->nguests > 0 && !l->facts->unknown)
		strbuf_adds(&out, " FOR");
	for (size_t i = 0; i < l->nguests && !l->facts->unknown; i++)
		strbuf_addf(&out, " %.*s", SPAN_ARGS(l->guests[i]));
	const char *line = arena_strdup(l->arena, out.ptr);
	strbuf_release(&out);
	return line;
}

/* "two more days": "2 DAYS"; a day when they do not say. */
static const char *amount(const struct loose_line *l)
{
	static const struct {
		const char *words, *unit;
	} units[] = {
	    {"hour hours h stunde stunden heure heures hora horas ora ore uur godzina godziny "
	     "godzin",
	     "HOUR"},
	    {"week weeks woche wochen semaine semaines semana semanas settimana settimane "
	     "weken "
	     "tydzien tygodnie",
	     "WEEK"},
	    {"day days tag tage tagen jour jours dia dias giorno giorni dag dagen dzien dni",
	     "DAY"}};
	unsigned n;

	for (size_t i = 0; i < l->n; i++)
		for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
			if (!loose_is_one_of(l->words[i].text, units[u].words))
				continue;
			for (size_t k = i; k > 0 && k + 2 >= i; k--)
				if (loose_number(l->words[k - 1].text, 2, 99, &n))
					return arena_printf(l->arena, "%u %sS", n,
					                    units[u].unit);
			return arena_printf(l->arena, "1 %s", units[u].unit);
		}
	return "1 DAY";
}

/* "until Sunday", "tomorrow 8pm" */
static bool names_day(struct loose_line *l)
{
	static const char days[] =
	    "monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch "
	    "donnerstag freitag samstag sonntag lundi mardi mercredi jeudi vendredi samedi "
	    "dimanche "
	    "lunes martes miercoles jueves viernes sabado domingo";

	for (size_t i = 0; i < l->n; i++)
		if (loose_is_one_of(l->words[i].text, days))
			return true;
	return loose_line_days(l) != NULL;
}

static const char *more_time_line(struct loose_line *l)
{
	const char *time = amount(l);

	if (l->facts->presides && names_day(l))
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

static const char *rules_line(struct loose_line *l)
{
	const struct rules *kind = l->item.kind ? l->item.kind : l->facts->kind;

	return kind ? arena_printf(l->arena, "HELP %s", kind->title) : "HELP";
}

/* Who is back on a day is away up to it. */
static const char *back_on_line(struct loose_line *l)
{
	const char *days = loose_line_days(l);

	return days ? arena_printf(l->arena, "SET ABSENCE %s%s",
	                           strncmp(days, "TO ", 3) != 0 ? "TO " : "", days)
	            : NULL;
}

static const char *join_or_create_line(struct loose_line *l)
{
	unsigned bots;
	bool own = loose_line_has_company(l) || loose_line_is_solo(l, &bots);

	return !l->game && own && (l->item.kind || l->facts->newcomer) ? create_line(l)
	                                                               : join_line(l);
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
	return l->item.kind ? join_line(l) : row_line(l, CMD_REMATCH, NULL);
}

static const char *resign_line(struct loose_line *l)
{
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
#define NOTHING              \
	{                    \
		.line = NULL \
	}
#define INTENT(name, command, phrases) [name] = command,
#include "processor/commandtext/command_words.inc"
#undef INTENT
};

const char *loose_command_line(struct loose_line *l, enum intent intent)
{
	if (commands[intent].make)
		return commands[intent].make(l);
	if (commands[intent].vote && !l->facts->presides)
		return commands[intent].vote;
	return commands[intent].row ? row_line(l, commands[intent].row, commands[intent].line)
	                            : commands[intent].line;
}
