/*
 * loose_command_line.c - a command as the grammar takes it, from what a line is about and what it names.
 */
#include <string.h>

#include "processor/commandtext/loose_line.h"
#include "processor/games/loose.h"

static const char *game_or_answered(const struct loose_line *l)
{
	return l->game ? l->game : l->facts->game;
}

static const char *with_game(const struct loose_line *l, const char *verb)
{
	const char *game = game_or_answered(l);

	return game ? arena_printf(l->arena, "%s %s", verb, game) : verb;
}

static const char *join_line(struct loose_line *l)
{
	struct strbuf out = STRBUF_INIT;

	if (!l->game && !l->item.kind)
		return "LIST";
	strbuf_addf(&out, "JOIN %s", l->game ? l->game : l->item.kind->title);
	if (l->name.len)
		strbuf_addf(&out, " AS %.*s", SPAN_ARGS(l->name));
	if (l->key.len)
		strbuf_addf(&out, " KEY %.*s", SPAN_ARGS(l->key));
	const char *line = arena_strdup(l->arena, out.ptr);
	strbuf_release(&out);
	return line;
}

/* What a stranger has written may be somebody else's words, so addresses are not shown to them. */
static const char *create_line(struct loose_line *l)
{
	unsigned players = loose_line_number(l, 2, MAX_SEATS);
	struct strbuf out = STRBUF_INIT;

	if (!l->item.kind)
		return l->facts->plays ? "HELP CREATE" : "HELP";
	if (players == 0 && l->facts->unknown && l->nguests > 0)
		players = (unsigned)l->nguests + 1;
	strbuf_addf(&out, "CREATE %s", l->item.kind->title);
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
		return with_game(l, "NUDGE");
	return l->facts->turn > 0 ? arena_printf(l->arena, "PROCESS %u", l->facts->turn)
	                          : "HELP PROCESS";
}

static const char *master_line(struct loose_line *l)
{
	bool who = loose_is_one_of(l->words[0].text, "who who's wer qui quien chi wie kto");

	if (!l->facts->presides || (l->asks && (who || l->person)))
		return with_game(l, "LIST");
	return l->person ? arena_printf(l->arena, "PROMOTE %s", l->person)
	       : l->asks ? "HELP MASTER"
	                 : NULL;
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

static const char *absence_line(struct loose_line *l)
{
	const char *days = loose_line_days(l);

	return days ? arena_printf(l->arena, "SET ABSENCE %s", days) : "HELP ABSENCE";
}

/* Who is back on a day is away up to it. */
static const char *back_on_line(struct loose_line *l)
{
	const char *days = loose_line_days(l);

	return days ? arena_printf(l->arena, "SET ABSENCE %s%s",
	                           strncmp(days, "TO ", 3) != 0 ? "TO " : "", days)
	            : NULL;
}

static bool is_place_name(const struct loose_line *l, size_t i)
{
	struct span word = l->words[i].written;

	return !l->taken[i] && word.len > 2 && *word.ptr >= 'A' && *word.ptr <= 'Z';
}

/* "Europe/Berlin", "Berlin", "New York" */
static const char *zone_line(struct loose_line *l)
{
	for (size_t i = 0; i < l->n; i++) {
		struct span first = l->words[i].written;

		if (span_find_char(first, '/') < first.len)
			return arena_printf(l->arena, "SET ZONE %.*s", SPAN_ARGS(first));
		if (!is_place_name(l, i))
			continue;
		if (i + 1 < l->n && is_place_name(l, i + 1))
			return arena_printf(l->arena, "SET ZONE %.*s %.*s", SPAN_ARGS(first),
			                    SPAN_ARGS(l->words[i + 1].written));
		if (first.len > 3)
			return arena_printf(l->arena, "SET ZONE %.*s", SPAN_ARGS(first));
	}
	return "HELP ZONE";
}

static const char *join_or_create_line(struct loose_line *l)
{
	return !l->game && l->item.kind && loose_line_has_company(l) ? create_line(l)
	                                                             : join_line(l);
}

static const char *takeover_line(struct loose_line *l)
{
	if (l->person && !l->game) /* "Replace Bob by a bot" */
		return "HELP EJECT";
	return l->game ? with_game(l, "TAKEOVER") : "LIST";
}

static const char *observe_line(struct loose_line *l)
{
	return l->game ? with_game(l, "OBSERVE") : NULL;
}

/* "another game of Mole Park" */
static const char *rematch_line(struct loose_line *l)
{
	return l->item.kind ? join_line(l) : with_game(l, "REMATCH");
}

static const char *resign_line(struct loose_line *l)
{
	return game_or_answered(l) ? with_game(l, "RESIGN") : NULL;
}

static const char *invite_line(struct loose_line *l)
{
	return l->nguests > 0 ? arena_printf(l->arena, "INVITE %.*s", SPAN_ARGS(l->guests[0]))
	                      : "HELP INVITE";
}

static const char *eject_line(struct loose_line *l)
{
	return l->facts->presides ? arena_printf(l->arena, "EJECT %s", l->person)
	                          : "HELP EJECT";
}

static const char *begin_line(struct loose_line *l)
{
	return with_game(l, l->facts->presides ? "FORCE BEGIN" : "STATUS");
}

static const char *status_line(struct loose_line *l)
{
	return l->facts->game || l->facts->plays ? with_game(l, "STATUS") : "HELP";
}

/* SAME and HINT have none: what would work now is in every answer. */
static const struct {
	const char *line;                          /* the command, or its verb */
	bool takes_game;                           /* with that of the line, or that answered */
	const char *vote;                          /* of who is not the master */
	const char *(*make)(struct loose_line *l); /* in the place of all that */
} commands[] = {
    [JOIN] = {.make = join_or_create_line},
    [TAKEOVER] = {.make = takeover_line},
    [OBSERVE] = {.make = observe_line},
    [CREATE] = {.make = create_line},
    [REMATCH] = {.make = rematch_line},
    [WANT_PLAY] = {.make = join_or_create_line},
    [INVITE] = {.make = invite_line},
    [KICK] = {.make = eject_line},
    [END_TURN] = {.make = end_turn_line},
    [SKIP] = {.make = end_turn_line},
    [BACK_TURN] = {.make = back_line},
    [CANCEL] = {.line = "TERMINATE", .takes_game = true, .vote = "VOTE CANCEL"},
    [GO_ON] = {.line = "RESUME", .takes_game = true, .vote = "VOTE RESUME"},
    [BEGIN] = {.make = begin_line},
    [CLEAR] = {.line = "CLEAR"},
    [RESIGN] = {.make = resign_line},
    [BACK] = {.line = "SET NOABSENCE"},
    [ABSENCE] = {.make = absence_line},
    [BACK_ON] = {.make = back_on_line},
    [DRAW] = {.line = "SET DRAW", .takes_game = true},
    [NOWAIT] = {.line = "SET NOWAIT"},
    [WAIT] = {.line = "SET WAIT"},
    [MORE_TIME] = {.make = more_time_line},
    [NUDGE] = {.line = "NUDGE", .takes_game = true},
    [MASTER] = {.make = master_line},
    [PAUSE] = {.line = "PAUSE", .takes_game = true, .vote = "VOTE PAUSE"},
    [RESEND] = {.line = "RESEND"},
    [HISTORY] = {.line = "HISTORY", .takes_game = true},
    [RATINGS] = {.line = "RATINGS"},
    [PRACTICE] = {.make = practice_line},
    [ZONE] = {.make = zone_line},
    [MAILS] = {.line = "HELP SET MAIL"},
    [REMINDERS] = {.line = "SET REMINDERS OFF"},
    [HTML] = {.line = "SET MAIL HTML"},
    [NARROW] = {.line = "SET WIDTH 40"},
    [ADDRESS] = {.line = "HELP SET ADDRESS"},
    [TELL] = {.line = "HELP PRESS TO"},
    [STOP] = {.make = resign_line},
    [WHO] = {.line = "LIST", .takes_game = true},
    [STATUS] = {.make = status_line},
    [DEADLINE] = {.make = status_line},
    [ANALYSE] = {.line = "ANALYSE", .takes_game = true},
    [RECORD] = {.line = "ARCHIVE", .takes_game = true},
    [MINE] = {.line = "MY GAMES"},
    [GAMES] = {.line = "LIST"},
    [RULES] = {.make = rules_line},
    [ABOUT] = {.make = rules_line},
    [HELP] = {.line = "HELP"},
};

const char *loose_command_line(struct loose_line *l, enum intent intent)
{
	if (commands[intent].make)
		return commands[intent].make(l);
	if (commands[intent].vote && !l->facts->presides)
		return commands[intent].vote;
	return commands[intent].takes_game ? with_game(l, commands[intent].line)
	                                   : commands[intent].line;
}
