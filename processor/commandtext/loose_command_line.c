/*
 * loose_command_line.c - what a line names, numbers, days, people; and the command as the grammar
 * takes it, from that and what the line is about.
 */
#include <ctype.h>
#include <string.h>

#include "processor/base/clock.h"
#include "processor/base/num.h"
#include "processor/base/utf8.h"
#include "processor/calendar/date_range.h"
#include "processor/commandtext/grammar.h"
#include "processor/commandtext/loose_line.h"
#include "processor/games/loose.h"
#include "processor/games/registry.h"

/* ---- what it names ---- */

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

static const char *line_person(struct loose_line *l)
{
	for (size_t at = 0; l->person && at < l->n; at++)
		if (loose_is_name_at(l, at, l->person))
			l->spent[at] = true;
	l->used |= l->person ? NAMES_PERSON : 0;
	return l->person;
}

static const char everybody[] = "everybody everyone all alle allen tous todos tutti iedereen "
				"wszystkim others anderen";

static bool is_receiver(const struct loose_line *l, size_t at)
{
	const struct seat_names *names = l->facts->names;
	bool found = loose_is_one_of(l->words[at].text, everybody);

	for (unsigned seat = 1; names && seat <= names->count; seat++)
		found = found ||
		        (seat != l->facts->seat && loose_is_name_at(l, at, names->names[seat]));
	return found;
}

/*
 * Where "that ..." begins, behind words taken for a phrase, else what stands behind the names there: the first word of
 * what is said; l->n: nowhere.
 */
static size_t said_from(const struct loose_line *l)
{
	bool phrase = false, named = false;

	for (size_t i = 0; i + 1 < l->n; i++) {
		phrase = phrase || l->taken[i];
		if (phrase && !l->taken[i] &&
		    loose_is_one_of(l->words[i].text, "that dass daß que che dat ze"))
			return i + 1;
	}
	for (size_t i = 0; i < l->n; i++) {
		phrase = l->taken[i];
		if (named && !phrase &&
		    !is_receiver(l, i)) /* "tell Bob to hurry" has no text */
			return loose_is_one_of(l->words[i].text, "to") ? l->n : i;
		named = (named || (i > 0 && l->taken[i - 1])) && is_receiver(l, i);
	}
	return l->n;
}

static struct span line_text(struct loose_line *l)
{
	struct span all = l->source, text = SPAN_EMPTY;
	size_t quote = span_find_char(all, '"'), from = said_from(l);

	for (size_t i = 0; i + 1 < all.len && text.len == 0; i++)
		if (all.ptr[i] == ':' && all.ptr[i + 1] == ' ')
			text = span_trim(span_slice(all, i + 1, all.len));
	if (text.len == 0 && quote < all.len) {
		text = span_slice(all, quote + 1, all.len);
		text = span_trim(span_slice(text, 0, span_find_char(text, '"')));
	}
	if (text.len == 0 && from < l->n)
		text = span_trim(
		    span_slice(all, (size_t)(l->words[from].written.ptr - all.ptr), all.len));
	for (size_t i = 0; i < l->n; i++)
		l->spent[i] = l->spent[i] || loose_is_inside(l->words[i].written, text);
	l->used |= text.len > 0 ? NAMES_TEXT : 0;
	return text;
}

/* The names that stand together before what is said: "tell Bob and Cy that", "all but Bob". */
static const char *line_receivers(struct loose_line *l)
{
	const struct seat_names *names = l->facts->names;
	struct span text = line_text(l);
	struct strbuf out = STRBUF_INIT;
	const char *found = NULL;
	size_t behind = 0;

	for (size_t at = 0; at < l->n && !loose_is_inside(l->words[at].written, text); at++) {
		bool except = at > 0 &&
		              (loose_is_one_of(l->words[at - 1].text, "not except but") ||
		               (at > 1 && loose_is_one_of(l->words[at - 2].text, "not")));

		if (!is_receiver(l, at))
			continue;
		for (size_t i = behind; i < at && !except && out.len > 0; i++)
			if (!loose_is_one_of(l->words[i].text,
			                     "and und et y e en i or to also")) {
				strbuf_clear(&out); /* those were of another wish */
				memset(l->spent, 0, at * sizeof *l->spent);
			}
		behind = at + 1;
		for (unsigned seat = 1; names && seat <= names->count; seat++)
			if (seat != l->facts->seat &&
			    loose_is_name_at(l, at, names->names[seat])) {
				for (const char *c = names->names[seat]; *c; c++)
					behind += *c == ' ';
				l->spent[at] = true;
				if (!except)
					strbuf_addf(&out, "%s%s", out.len ? ", " : "",
					            names->names[seat]);
			}
		if (out.len == 0 && loose_is_one_of(l->words[at].text, everybody))
			strbuf_adds(&out, "ALL");
	}
	if (out.len > 0) {
		found = arena_strdup(l->arena, out.ptr);
		l->used |= NAMES_PERSON;
	}
	strbuf_release(&out);
	return found;
}

/* "3 players", "vier Leute", "zu dritt"; "me and two friends": three. */
unsigned loose_line_players(const struct loose_line *l)
{
	static const char people[] =
	    "players people persons spieler spielern leute leuten personen joueurs personnes "
	    "jugadores personas giocatori persone spelers mensen graczy osob osoby";
	static const char friends[] =
	    "friends freunde freunden amis amigos amici vrienden przyjaciolmi other others";
	static const char with_me[] =
	    "with mit avec con met z ze my meinen mes mis mijn and und";
	static const char *const of_us[] = {"zweit", "dritt", "viert", "funft", "sechst"};
	unsigned n;

	for (size_t i = 0; i + 1 < l->n; i++) {
		bool mine = loose_is_one_of(l->words[i + 1].text, friends),
		     more = mine && i > 0 && loose_is_one_of(l->words[i - 1].text, with_me);

		if (loose_number(l->words[i].text, 2 - more, MAX_SEATS - more, &n) &&
		    (mine || loose_is_one_of(l->words[i + 1].text, people)))
			return n + more;
		for (n = 0; n < sizeof of_us / sizeof *of_us; n++)
			if (span_eq_str(l->words[i].text, "zu") &&
			    span_eq_str(l->words[i + 1].text, of_us[n]))
				return n + 2;
	}
	return 0;
}

/* A word of those for the choice BOT. */
static bool is_machine(struct span word)
{
	for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
		struct span list = span_of(choices[i].phrases), phrase;

		while (strcmp(choices[i].word, "BOT") == 0 && next_phrase(&list, &phrase))
			if (span_eq(word, phrase))
				return true;
	}
	return false;
}

bool loose_line_is_solo(const struct loose_line *l, unsigned *bots)
{
	bool solo = false;

	*bots = 0;
	for (size_t i = 0; i < l->n; i++) {
		bool machine = is_machine(l->words[i].text);

		if (machine && i > 0)
			(void)loose_number(l->words[i - 1].text, 1, MAX_SEATS - 1, bots);
		solo = solo || machine ||
		       loose_is_one_of(
			   l->words[i].text,
			   "alone solo solitaire allein alleine seul seule sola alleen");
	}
	return solo;
}

/* "with my brother": people of their own, not whoever has a game open. */
static bool line_has_company(const struct loose_line *l)
{
	static const char withs[] = "with mit avec con met z ze";
	static const char mine[] =
	    "my our some a the meinem meiner meinen unserem unseren mon ma mes nos "
	    "mi mis mio mia mijn onze moim moimi mein meine";

	if (l->nguests > 0 || loose_line_players(l) > 0)
		return true;
	for (size_t i = 0; i + 2 < l->n; i++)
		if ((loose_is_one_of(l->words[i].text, withs) &&
		     loose_is_one_of(l->words[i + 1].text, mine)) ||
		    (i + 3 < l->n && /* "my daughter and I" */
		     loose_is_one_of(l->words[i].text, mine) &&
		     loose_is_one_of(l->words[i + 2].text, "and und et y e en i") &&
		     loose_is_one_of(l->words[i + 3].text, "i me ich moi yo io ik ja")))
			return true;
	return false;
}

/* ---- days ---- */

static const char *const month_names[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                          "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

static const char *month_of(struct span word)
{
	static const char *const months[] = {"januar janvier enero gennaio januari stycznia",
	                                     "februar fevrier febrero febbraio februari lutego",
	                                     "marz maerz mars marzo maart marca",
	                                     "avril abril aprile kwietnia",
	                                     "mai mayo maggio mei maja",
	                                     "juni juin junio giugno czerwca",
	                                     "juli juillet julio luglio lipca",
	                                     "aout agosto augustus sierpnia",
	                                     "septembre septiembre settembre wrzesnia",
	                                     "oktober octobre octubre ottobre pazdziernika",
	                                     "novembre noviembre listopada",
	                                     "dezember decembre diciembre dicembre grudnia"};
	for (size_t m = 0; m < 12; m++)
		if (loose_is_one_of(word, months[m]))
			return month_names[m];
	return NULL;
}

static bool is_month(struct span word)
{
	static const char english[] =
	    "jan feb mar apr may jun jul aug sep sept oct nov dec january february march april "
	    "june july august september october november december";

	return month_of(word) || loose_is_one_of(word, english);
}

static bool is_ordinal(struct span word)
{
	return word.len > 2 &&
	       loose_is_one_of(span_slice(word, word.len - 2, word.len), "st nd rd th");
}

static bool has_digit(struct span word)
{
	bool digit = false;

	for (size_t i = 0; i < word.len; i++)
		digit = digit || isdigit((unsigned char)word.ptr[i]);
	return digit;
}

static const char *dated(const struct loose_line *l, int64_t day)
{
	struct utc_time t = utc_split(day * 86400);

	return arena_printf(l->arena, "%d %s", t.day, month_names[t.month - 1]);
}

/*
 * "The 9th", "vom 9.", "du 20", with no month in the line, and "Monday", where no date stands beside
 * it ("Friday, the 9th"): the next such day from *from on, which moves there; NULL: it is none.
 */
static const char *next_day(const struct loose_line *l, size_t i, int64_t *from)
{
	static const char leads[] =
	    "vom zum am dem den bis du au del al dal van od do tot hasta";
	struct span w = l->words[i].text, number = w;
	unsigned day = 0, weekday = loose_weekday(w);

	bool the = i + 1 < l->n &&
	           loose_is_one_of(l->words[i + 1].text, "the den dem der le el il");
	for (size_t k = i > 0 ? i - 1 : 0; k < l->n && k <= i + 1 + the; k++)
		if (k != i && weekday < 7 &&
		    (has_digit(l->words[k].text) || is_month(l->words[k].text)))
			return NULL;
	for (size_t k = 0; k < l->n && weekday == 7; k++)
		if (is_month(l->words[k].text))
			return NULL;
	if (is_ordinal(w))
		number.len -= 2;
	if (l->facts->today == 0 ||
	    (weekday == 7 &&
	     (!num_parse_word(number, 1, 31, &day) ||
	      (!is_ordinal(w) && (i == 0 || !loose_is_one_of(l->words[i - 1].text, leads))))))
		return NULL;
	struct utc_time t;
	do
		t = utc_split(++*from * 86400);
	while (weekday < 7 ? (unsigned)t.weekday != weekday : (unsigned)t.day != day);
	return dated(l, *from);
}

/* What of its kind can take its place: a number, in digits or words, a day of the week, a month. */
static enum { NO_VALUE, NUMBER, WEEKDAY, MONTH } value_at(const struct loose_line *l, size_t i)
{
	struct span word = l->words[i].text;
	unsigned n;

	return loose_weekday(word) < 7                                    ? WEEKDAY
	       : is_month(word)                                           ? MONTH
	       : has_digit(word) || loose_number(word, 0, UINT32_MAX, &n) ? NUMBER
	                                                                  : NO_VALUE;
}

/*
 * "To the 27th, no wait, to the 29th": each value of a correction replaces the last of its kind
 * before it; where that lacks one, all of them do: "until Monday. Sorry, I mean 19 March".
 */
void loose_line_correct(struct loose_line *l)
{
	for (size_t c = 1, next; c < l->nclauses; c = next) {
		const struct clause *repair = &l->clauses[c], *in;
		size_t from = 0, to, at, value;
		bool own = false, any = false, before = false, fits = true;

		while (from < l->n && loose_line_clause(l, from) != repair)
			before = value_at(l, from++) || before;
		for (to = from; to < l->n; to++) { /* the clause behind "no wait," too */
			in = loose_line_clause(l, to);
			if (in != repair && (own || in != repair + 1))
				break;
			any = any || value_at(l, to);
			own = own || (in == repair && any);
		}
		next = c + 1;
		if (repair->kind != CLAUSE_REPAIR || !any || !before)
			continue;
		next += !own;
		struct loose_line mended = *l;
		for (at = from, value = to; value-- > from && fits;) {
			if (!value_at(l, value))
				continue;
			while (at > 0 && value_at(l, at - 1) != value_at(l, value))
				at--;
			fits = at > 0;
			if (fits)
				mended.words[--at] = l->words[value];
		}
		if (!fits) {
			for (at = value = 0; value < from; value++)
				if (!value_at(l, value))
					mended.words[at++] = l->words[value];
			to = from;
			from = at;
		}
		memmove(&mended.words[from], &l->words[to], (l->n - to) * sizeof *l->words);
		mended.n -= to - from;
		*l = mended;
	}
}

/* A word as days_read knows it; NULL: it says nothing. */
static const char *day_word(struct loose_line *l, size_t i, bool behind_day, int64_t *from)
{
	struct span w = l->words[i].text;
	const char *month = month_of(w);
	const char *day = month ? month : next_day(l, i, from);
	bool two = i > 0 && i + 1 < l->n && loose_weekday(l->words[i - 1].text) < 7 &&
	           loose_weekday(l->words[i + 1].text) ==
	               (loose_weekday(l->words[i - 1].text) + 1) % 7;

	if (day)
		return day;
	if (loose_is_one_of(
		w, "till til until to through bis jusqu'au au hasta al fino tot do -") ||
	    (behind_day && loose_is_one_of(w, "back zuruck")) ||
	    (loose_is_one_of(w, "and und et y e en i") &&
	     (two || loose_line_has(l, "between"))))
		return "TO";
	if (loose_is_one_of(w, "heute aujourd'hui hoy oggi vandaag dzis"))
		return "today";
	if (loose_is_one_of(w, "morgen demain manana domani jutro"))
		return "tomorrow";
	if (loose_is_one_of(
		w, "the between den dem der of de le el il utc on am from vom zum von du del "
		   "dal van od and next this") ||
	    loose_weekday(w) < 7 || w.len == 0 || span_find_char(w, ':') < w.len)
		return NULL;
	struct span written = l->words[i].written;

	if (is_ordinal(w) && isdigit((unsigned char)*written.ptr))
		written.len -= 2;
	return arena_cstr(l->arena, written);
}

/* A day, TO, a day and a month. */
static bool is_range_in_month(const char *const four[])
{
	unsigned n;

	return isdigit((unsigned char)*four[0]) && strlen(four[0]) <= 4 &&
	       strcmp(four[1], "TO") == 0 && isdigit((unsigned char)*four[2]) &&
	       strlen(four[2]) <= 4 && !isdigit((unsigned char)*four[3]) &&
	       !num_parse_word(span_of(four[3]), 0, 100, &n);
}

/* "two more days": "2 DAYS"; only in this clause, NULL: anywhere. */
static const char *line_length(struct loose_line *l, const struct clause *in)
{
	static const struct {
		const char *words, *unit;
	} units[] = {
	    {WORDS_OF_HOURS, "HOUR"}, {WORDS_OF_WEEKS, "WEEK"}, {WORDS_OF_DAYS, "DAY"}};
	unsigned n;

	for (size_t i = 0; i < l->n; i++)
		for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
			if (!loose_is_one_of(l->words[i].text, units[u].words) ||
			    (in && loose_line_clause(l, i) != in) ||
			    (i + 1 < l->n && /* "6 hours before the deadline" is a moment */
			     loose_is_one_of(
				 l->words[i + 1].text,
				 "before after ago vor nach avant apres antes prima "
				 "dopo voor na przed po")))
				continue;
			l->used |= NAMES_LENGTH;
			l->spent[i] = true;
			for (size_t k = i; k > 0 && k + 2 >= i; k--)
				if (loose_number(l->words[k - 1].text, 2, 99, &n)) {
					l->spent[k - 1] = true;
					return arena_printf(l->arena, "%u %sS", n,
					                    units[u].unit);
				}
			return arena_printf(l->arena, "1 %s", units[u].unit);
		}
	return NULL;
}

/* "From Saturday for a week" */
static const char *with_length(struct loose_line *l, const char *day)
{
	size_t at = 0;
	struct day_range range;
	struct days days;
	unsigned n;

	while (!l->spent[at])
		at++;
	const char *length = line_length(l, loose_line_clause(l, at));
	if (!length || !strstr(length, "DAY") == !strstr(length, "WEEK") ||
	    !num_parse_word(span_slice(span_of(length), 0, strcspn(length, " ")), 1, 99, &n) ||
	    days_read(span_of(day), &days) != DAYS_GOOD ||
	    !days_resolve(&days, l->facts->today, &range))
		return day;
	return arena_printf(l->arena, "%s TO %s", day,
	                    dated(l, range.first + (strstr(length, "WEEK") ? 7 * n : n) - 1));
}

/* The longest run of words that names days, whose words are spent. */
static const char *longest_days(struct loose_line *l, const char *const *words,
                                const size_t *from, size_t n, size_t *at, size_t *length,
                                struct days *days)
{
	for (*length = n < 7 ? n : 7; *length > 0; --*length)
		for (*at = 0; *at + *length <= n; ++*at) {
			struct strbuf text = STRBUF_INIT;
			const char *found = NULL;

			for (size_t i = 0; i < *length; i++)
				strbuf_addf(&text, "%s%s", i ? " " : "", words[*at + i]);
			if (days_read(strbuf_span(&text), days) == DAYS_GOOD)
				found = arena_strdup(l->arena, text.ptr);
			strbuf_release(&text);
			for (size_t i = from[*at]; found && i <= from[*at + *length - 1]; i++)
				l->spent[i] = true;
			if (found)
				return found;
		}
	return NULL;
}

/* "Next week", "the weekend", "the end of the month": of how many words; its first day and its last. */
static size_t named_days_at(const struct loose_line *l, size_t i, int64_t *first, int64_t *last)
{
	static const struct {
		const char *phrases;
		unsigned from; /* 0 = Monday of this week */
		unsigned days; /* 0: to the end of the month */
	} named[] = {
	    {"weekend|wochenende|week end|fin de semana|fine settimana", 5, 2},
	    {"next week|nachste woche|nachsten woche|semaine prochaine|proxima semana|"
	     "prossima settimana|volgende week|przyszlym tygodniu",
	     7, 7},
	    {"end of the week|ende der woche|fin de la semaine", 6, 1},
	    {"end of the month|ende des monats|monatsende|fin du mois|fin de mes|fine del mese|"
	     "fine mese|eind van de maand|konca miesiaca",
	     0, 0}};
	int64_t today = l->facts->today, monday = today - utc_split(today * 86400).weekday;

	for (size_t k = 0; today != 0 && k < sizeof named / sizeof *named; k++) {
		struct span list = span_of(named[k].phrases), phrase;
		size_t n = 0;

		while (n == 0 && next_phrase(&list, &phrase))
			n = loose_line_phrase(l, i, phrase);
		if (n == 0 || span_eq_str(l->words[i].text, "weekends")) /* all of them */
			continue;
		*first = monday + named[k].from;
		*last = *first + (named[k].days > 0 ? named[k].days - 1 : 0);
		if (named[k].days == 0) {
			for (*last = today; utc_split((*last + 1) * 86400).day != 1; ++*last)
				;
			*first = *last;
		}
		*first = *first < today ? today : *first; /* on a Sunday */
		return n;
	}
	return 0;
}

/* "24 Dec TO 3 Jan", "TO 3 Jan" */
const char *loose_line_days(struct loose_line *l)
{
	const char *words[WORDS_MOST];
	size_t from[WORDS_MOST], n = 0, at, length; /* which word of the line each is */
	int64_t begin = l->facts->today;
	struct days days;

	for (size_t i = 0; i < l->n; i++) {
		bool back = loose_is_one_of(l->words[i].text, "back zuruck");
		int64_t span[2];
		size_t many = l->taken[i] ? 0 : named_days_at(l, i, &span[0], &span[1]);

		if (many > 0 && n + 3 < WORDS_MOST) {
			bool until = n > 0 && strcmp(words[n - 1], "TO") == 0;

			from[n] = i;
			from[n + 1] = from[n + 2] = i + many - 1;
			words[n++] = dated(l, span[0]);
			if (span[1] > span[0] && !until) {
				words[n++] = "TO";
				words[n++] = dated(l, span[1]);
			}
			from[n - 1] = i + many - 1;
			i += many - 1;
			continue;
		}
		const char *word =
		    l->taken[i] && !back
			? NULL
			: day_word(l, i, n > 0 && value_at(l, from[n - 1]), &begin);
		unsigned day;

		if (word && n > 0 && strcmp(word, "TO") == 0 && strcmp(words[n - 1], "TO") == 0)
			continue;
		if (word && *word && n < WORDS_MOST - 1) {
			from[n] = i;
			words[n++] = word;
		}
		bool month_first =
		    n > 1 && is_month(l->words[from[n - 2]].text) && from[n - 1] == i &&
		    from[n - 2] + 1 == i &&
		    num_parse_word(span_of(words[n - 1]), 1, 31, &day) &&
		    (n < 3 || !num_parse_word(span_of(words[n - 3]), 1, 31, &day));
		if (month_first) { /* "May 4" */
			const char *month = words[n - 2];

			words[n - 2] = words[n - 1];
			words[n - 1] = month;
		}
		if (n > 3 && is_range_in_month(words + n - 4)) { /* "24 TO 28 March" */
			words[n] = words[n - 1];
			words[n - 1] = words[n - 2];
			words[n - 2] = words[n - 3];
			words[n - 3] = words[n];
			from[n] = i;
			n++;
		}
	}
	const char *first = longest_days(l, words, from, n, &at, &length, &days);
	if (!first)
		return NULL;
	l->used |= NAMES_DAYS;
	if (days.last_from_today == 0 || strstr(first, "TO "))
		return first;
	/* "We leave on the 20th and come home on the 27th", "leaves tomorrow, back on 22 March" */
	bool spent[WORDS_MOST];
	memcpy(spent, l->spent, sizeof spent);
	size_t end = at + length, other, more;
	for (unsigned before = 0; before < 2; before++) {
		const char *second =
		    before ? longest_days(l, words, from, at, &other, &more, &days)
			   : longest_days(l, words + end, from + end, n - end, &other, &more,
		                          &days);
		const char *both = second && !strstr(second, "TO ")
		                       ? arena_printf(l->arena, "%s TO %s",
		                                      before ? second : first,
		                                      before ? first : second)
		                       : NULL;

		if (both && days_read(span_of(both), &days) == DAYS_GOOD)
			return both;
		memcpy(l->spent, spent, sizeof spent); /* it is named as not used */
	}
	return with_length(l, first);
}

/* ---- times ---- */

/* "In the evening": how many words; whether it is the second half of the day. */
static size_t part_of_day_at(const struct loose_line *l, size_t i, bool *half)
{
	static const char *const parts[] = {
	    "in the morning|morgens|am morgen|fruh|du matin|de la manana|di mattina|rano",
	    "in the evening|in the afternoon|at night|abends|am abend|nachmittags|du soir|de la "
	    "tarde|de la noche|di sera|s avonds|wieczorem"};
	size_t n = 0;

	for (unsigned k = 0; k < 2 && n == 0 && i < l->n; k++) {
		struct span list = span_of(parts[k]), phrase;

		while (n == 0 && next_phrase(&list, &phrase))
			n = loose_line_phrase(l, i, phrase);
		*half = k == 1;
	}
	return n;
}

/* "22:00", "10pm", "10 pm", "22 Uhr", "noon": how many words, with the minute of the day; `bare`: nothing but a number. */
static size_t hour_at(const struct loose_line *l, size_t i, int *minute, bool *bare)
{
	struct span w = l->words[i].text, unit;
	size_t digits = 0, n = 1;
	unsigned hour, minutes = 0;

	*bare = false;
	if (loose_is_one_of(w, "noon midnight mittag mitternacht")) {
		*minute = *w.ptr == 'n' || span_eq_str(w, "mittag") ? 12 * 60 : 0;
		return 1;
	}
	while (digits < w.len && isdigit((unsigned char)w.ptr[digits]))
		digits++;
	bool half; /* "six in the evening" */
	size_t part = part_of_day_at(l, i + 1, &half);
	if (part > 0 && loose_number(w, 1, 12, &hour)) {
		*minute = (int)(hour % 12 + 12 * half) * 60;
		return 1 + part;
	}
	if (!num_parse_uint(span_slice(w, 0, digits), 0, 24, &hour))
		return 0;
	unit = span_slice(w, digits, w.len);
	bool colon = unit.len >= 3 && *unit.ptr == ':';
	if (colon && !num_parse_word(span_slice(unit, 1, 3), 0, 59, &minutes) &&
	    !num_parse_uint(span_slice(unit, 1, 3), 0, 59, &minutes))
		return 0;
	unit = colon ? span_slice(unit, 3, unit.len) : unit;
	if (unit.len == 0 && i + 1 < l->n &&
	    loose_is_one_of(l->words[i + 1].text, "am pm a.m p.m uhr o'clock h")) {
		unit = l->words[i + 1].text;
		n = 2;
	}
	if (unit.len > 0 && !loose_is_one_of(unit, "am pm a.m p.m uhr o'clock h"))
		return 0;
	if (*(unit.len > 0 ? unit.ptr : "") == 'p' && hour < 12)
		hour += 12;
	else if (*(unit.len > 0 ? unit.ptr : "") == 'a' && hour == 12)
		hour = 0;
	*bare = !colon && unit.len == 0;
	*minute = (int)(hour * 60 + minutes) % (24 * 60);
	return n;
}

static const char *line_hours(struct loose_line *l, unsigned n)
{
	for (size_t i = 0; i < l->n; i++) {
		bool bare[2];
		int at[2];
		size_t first = hour_at(l, i, &at[0], &bare[0]), second = 0, k = i + first;

		if (first > 0 && n == 1 && !bare[0] && !l->taken[i]) {
			for (size_t w = i; w < k; w++)
				l->spent[w] = true;
			l->used |= NAMES_HOURS;
			return arena_printf(l->arena, "%02d:%02d", at[0] / 60, at[0] % 60);
		}
		while (first > 0 && k < l->n &&
		       loose_is_one_of(
			   l->words[k].text,
			   "to and - until till bis und a et hasta y fino alle tot do"))
			k++;
		if (first == 0 || k == i + first || k >= l->n)
			continue;
		second = hour_at(l, k, &at[1], &bare[1]);
		if (second == 0 || (bare[0] && bare[1]))
			continue;
		if (bare[0] && at[0] > at[1] && at[0] < 12 * 60) /* "between 10 and 7 am" */
			at[0] += 12 * 60;
		for (size_t w = i; w < k + second; w++)
			l->spent[w] = true;
		l->used |= NAMES_HOURS;
		return arena_printf(l->arena, "%02d:%02d %02d:%02d", at[0] / 60, at[0] % 60,
		                    at[1] / 60, at[1] % 60);
	}
	return NULL;
}

/* "Until Friday", "tomorrow 8pm": that day, as "2026-03-06" or "2026-03-02 20:00"; NULL: it names no day. */
static const char *line_moment(struct loose_line *l, int64_t *day)
{
	const char *named = l->facts->today ? loose_line_days(l) : NULL, *hour;
	struct day_range range;
	struct days days;

	if (!named || days_read(span_of(named), &days) != DAYS_GOOD ||
	    !days_resolve(&days, l->facts->today, &range))
		return NULL;
	*day = range.last;
	struct utc_time t = utc_split(*day * 86400);
	hour = line_hours(l, 1);
	return arena_printf(l->arena, "%04d-%02d-%02d%s%s", t.year, t.month, t.day,
	                    hour ? " " : "", hour ? hour : "");
}

void loose_line_spend_times(struct loose_line *l)
{
	for (unsigned k = 0; k < WORDS_MOST && loose_line_days(l); k++)
		for (size_t i = 0; i < l->n; i++) /* there may be more */
			l->taken[i] = l->taken[i] || l->spent[i];
	for (size_t i = 0; i < l->n; i++) /* not "have a nice day" */
		for (size_t n = loose_line_phrase(l, i, SPAN_LIT("%count %unit")); n > 0; n--)
			l->spent[i + n - 1] = true;
	(void)line_hours(l, 2);
	(void)line_hours(l, 1);
}

static unsigned line_number(struct loose_line *l, unsigned min, unsigned max)
{
	unsigned n;

	for (size_t i = 0; i < l->n; i++)
		if (!l->taken[i] && !l->spent[i] &&
		    loose_number(l->words[i].text, min, max, &n)) {
			l->spent[i] = true;
			l->used |= NAMES_NUMBER;
			return n;
		}
	return 0;
}

/* ---- the command ---- */

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

/* The longest of the words for one that stands in the line. */
static const char *choice(struct loose_line *l, enum verb verb)
{
	size_t at = 0, most = 0;
	const char *word = NULL;

	for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
		struct span list = span_of(choices[i].phrases), phrase;

		while (choices[i].verb == verb && next_phrase(&list, &phrase))
			for (size_t k = 0; k < l->n; k++) {
				size_t n = loose_line_phrase(l, k, phrase);

				if (n <= most || l->spent[k]) /* "Bot Ada" */
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
	int64_t day;
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
		text = line_person(l);
		break;
	case SLOT_RECEIVERS:
		text = line_receivers(l);
		break;
	case SLOT_CHOICE:
		text = choice(l, verb);
		break;
	case SLOT_HOURS:
		text = line_hours(l, 2);
		break;
	case SLOT_HOUR:
		text = line_hours(l, 1);
		text = text ? arena_printf(l->arena, "AT %s", text) : NULL;
		break;
	case SLOT_MOMENT:
		text = line_moment(l, &day);
		if (text)
			break;
		__attribute__((fallthrough));
	case SLOT_LENGTH:
	case SLOT_GRACE:
		text = line_length(l, NULL);
		break;
	case SLOT_NUMBER:
		n = slot->keyword && verb != CMD_HISTORY ? 0
		                                         : line_number(l, slot->min, slot->max);
		text = n > 0 ? arena_printf(l->arena, "%u", n) : NULL;
		break;
	case SLOT_DAYS:
		text = loose_line_days(l);
		break;
	case SLOT_SAID:
		text = NULL;
		if (verb != CMD_JOIN || strcmp(slot->keyword, "WAIT") != 0 || l->game)
			break;
		/* "When a game of Mole Park opens": somebody wants to be in the next. */
		for (size_t i = 0; i < l->n && l->item.kind; i++) {
			const struct clause *c = loose_line_clause(l, i);

			if (!c || c->kind != CLAUSE_CONDITION ||
			    !loose_is_game(l->words[i].text))
				continue;
			l->used |= NAMES_CONDITION;
			text = slot->keyword;
		}
		break;
	case SLOT_GUEST:
	case SLOT_ADDRESS:
		l->used |= l->nguests > 0 ? NAMES_ADDRESS : 0;
		if (l->nguests > 0 || slot->type == SLOT_ADDRESS)
			return l->nguests > 0 ? l->guests[0] : SPAN_EMPTY;
		text = line_person(l);
		break;
	case SLOT_NAME:
		if (verb == CMD_WHO)
			text = line_person(l);
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
			strbuf_addf(&out, " %s%s%.*s",
			            s->keyword && s->type != SLOT_SAID ? s->keyword : "",
			            s->keyword && s->type != SLOT_SAID ? " " : "",
			            SPAN_ARGS(value));
	}
	if ((row->flags & ROW_TAKES_TEXT) != 0) {
		struct span text = line_text(l);

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
	if (solo && bots > 0 && players == 0 && l->nguests == 0 && line_has_company(l))
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
		players = line_number(l, 2, MAX_SEATS);
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
	const char *length = line_length(l, NULL), *time = length ? length : "1 DAY";
	const char *game = game_or_answered(l);
	int64_t day, due = l->facts->due;
	const char *until = length ? NULL : line_moment(l, &day);

	if (l->facts->presides)
		return arena_printf(l->arena, "SET DEADLINE %s%s", until ? "" : "+",
		                    until ? until : time);
	if (until && (due == 0 || day < due)) /* who asks says how much longer */
		return "HELP ASK FOR";
	if (until && day - due > 1)
		time = arena_printf(l->arena, "%lld DAYS", (long long)(day - due));
	return arena_printf(l->arena, "ASK FOR %s%s%s", time, game ? " " : "",
	                    game ? game : "");
}

/* "Undo the last turn", "back to turn 3". */
static const char *back_line(struct loose_line *l)
{
	unsigned open = l->facts->turn, turn = line_number(l, 1, 999);

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
	unsigned turn = line_number(l, 1, 999);

	return turn > 0 && game_or_answered(l)
	           ? arena_printf(l->arena, "PRACTICE %s AT %u", game_or_answered(l), turn)
	           : "HELP PRACTICE";
}

/* There a capital letter says nothing. */
static bool begins_sentence(struct span text, struct span word)
{
	const char *c = word.ptr;

	while (c > text.ptr && strchr(" -\n", c[-1]))
		c--;
	return c == text.ptr || strchr(".!?:", c[-1]) != NULL;
}

/*
 * Whether a word of the line is a term of this game, or with `orders` a word of them: its rules have
 * it, and always with a capital letter.
 */
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
				bool order = word.len > 1 && word.ptr[1] < 'a';

				capital += *word.ptr >= 'A' && *word.ptr <= 'Z' &&
				           (order ? orders
				                  : !begins_sentence(strbuf_span(&text), word));
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

/* Who is back on a day is away up to it; else they are away no longer. */
static const char *is_back_line(struct loose_line *l)
{
	const char *days = loose_line_days(l);

	if (!days)
		return "SET NOABSENCE";
	return arena_printf(l->arena, "SET ABSENCE %s%s", !strstr(days, "TO ") ? "TO " : "",
	                    days);
}

static const char *join_or_create_line(struct loose_line *l)
{
	unsigned bots;
	bool own = line_has_company(l) || loose_line_is_solo(l, &bots);

	if (!l->game && own && (l->item.kind || l->facts->newcomer))
		return create_line(l);
	const char *otherwise =
	    !l->facts->first ? "LIST"
	    : l->name.len == 0
		? FIRST_GAME
		: arena_printf(l->arena, FIRST_GAME " AS %.*s", SPAN_ARGS(l->name));
	return row_line(l, CMD_JOIN, otherwise);
}

static const char *takeover_line(struct loose_line *l)
{
	if (l->person && !l->game) { /* "Replace Bob by a bot", "put a bot on his seat" */
		const char *person = line_person(l), *by = choice(l, CMD_SET_FALLBACK);

		if (by && strcmp(by, "BOT") != 0)
			l->used &= ~(unsigned)NAMES_CHOICE;
		return arena_printf(l->arena, "REPLACE %s BY BOT", person);
	}
	return row_line(l, CMD_TAKEOVER, "LIST");
}

/* "another game of Mole Park" */
static const char *rematch_line(struct loose_line *l)
{
	return l->item.kind ? join_or_create_line(l) : row_line(l, CMD_REMATCH, NULL);
}

/* "I give up, Bob has won": whether a clause tells something of the person. */
static bool tells_of_person(const struct loose_line *l)
{
	size_t words = 0;

	for (size_t at = 0; l->person && at < l->n; at++)
		for (size_t i = at + 1; loose_is_name_at(l, at, l->person) && i < l->n; i++)
			words += loose_line_clause(l, i) == loose_line_clause(l, at);
	return words > 1;
}

/* The master who says it of all ends the game; who says it of somebody else lets them win. */
static const char *resign_line(struct loose_line *l)
{
	bool all = false, one = false;

	if (tells_of_person(l) && l->facts->game)
		return row_line(l, CMD_SET_CONCEDE, NULL);

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
/* clang-format off */
#define LINE(text) {.line = text}
#define ROW(verb) {.row = verb}
#define ROW_OR(verb, text) {.row = verb, .line = text}
#define OF_MASTER(verb, text) {.row = verb, .vote = text}
#define MAKE(function) {.make = function}
#define ROW_NAMING(verb, named) {.row = verb, .needs = named}
#define NOTHING {.line = NULL}
/* clang-format on */
#define INTENT(name, command, phrases) [name] = command,
#define WORD_FOR(verb, word, phrases)
#include "processor/commandtext/command_words.inc"
#undef WORD_FOR
#undef INTENT
};

bool loose_command_words(const struct loose_line *l, enum intent intent, struct span *words)
{
	enum verb verb = commands[intent].row;

	*words = verb ? utf8_dup_ascii(span_of(grammar_row_of(verb)->words), l->arena)
	              : SPAN_EMPTY;
	return span_find_char(*words, ' ') < words->len;
}

const char *loose_command_undo(const struct loose_line *l, enum intent intent, enum verb *verb)
{
	const char *vote = l->facts->presides ? NULL : commands[intent].vote;

	*verb = vote ? CMD_VOTE : commands[intent].row;
	if (vote)
		return span_starts(span_of(vote), "VOTE ")
		           ? arena_printf(l->arena, "VOTE NO %s", vote + strlen("VOTE "))
		           : NULL;
	return *verb != CMD_ORDERS ? grammar_row_of(*verb)->undo : NULL;
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
			(void)line_person(l);
		return (l->used & needs) == needs ? line : NULL;
	}
	if (commands[intent].make)
		return commands[intent].make(l);
	if (commands[intent].vote && !l->facts->presides)
		return commands[intent].vote;
	return commands[intent].row ? row_line(l, commands[intent].row, commands[intent].line)
	                            : commands[intent].line;
}
