/*
 * loose_line.c - the words of a line, and what they name: games, kinds, people, numbers, days.
 */
#include "processor/commandtext/loose_line.h"

#include <ctype.h>
#include <string.h>

#include "processor/base/clock.h"
#include "processor/base/nearest.h"
#include "processor/base/num.h"
#include "processor/base/utf8.h"
#include "processor/calendar/date_range.h"
#include "processor/commandtext/grammar.h"
#include "processor/games/loose.h"
#include "processor/quotes/text_line.h"

/* ---- words ---- */

static bool is_mark(char c)
{
	return strchr(",;:!?()[]\"<>*_", c) != NULL;
}

/* "28.3." */
static bool is_dotted_day(struct span word)
{
	return word.len >= 4 && isdigit((unsigned char)*word.ptr) &&
	       isdigit((unsigned char)word.ptr[word.len - 2]) &&
	       span_find_char(word, '.') < word.len - 1;
}

static void add_word(struct loose_line *l, struct span word)
{
	if (word.len == 0 || l->n == WORDS_MOST)
		return;
	l->words[l->n].written = word;
	l->words[l->n++].text = utf8_dup_ascii(word, l->arena);
}

/* "27.3.-2.4." is two days. */
static void add_days_or_word(struct loose_line *l, struct span word)
{
	size_t dash = span_find_char(word, '-');
	struct span first = span_slice(word, 0, dash),
		    last = span_slice(word, dash + 1, word.len);

	if (dash < word.len && is_dotted_day(first) && is_dotted_day(last)) {
		add_word(l, first);
		add_word(l, span_slice(word, dash, dash + 1));
		add_word(l, last);
	} else {
		add_word(l, word);
	}
}

void loose_line_split(struct loose_line *l, struct span text)
{
	struct strbuf plain = STRBUF_INIT;
	struct span rest, word;

	utf8_add_plain(&plain, text);
	rest = arena_dup(l->arena, strbuf_span(&plain));
	strbuf_release(&plain);
	l->source = rest;
	l->clauses = clauses_split(rest, l->arena, &l->nclauses);
	while (l->n < WORDS_MOST && span_next_word(&rest, " \t\n", &word)) {
		while (word.len && is_mark(*word.ptr))
			word = span_slice(word, 1, word.len);
		if (span_starts(word, "\xc2\xbf") || span_starts(word, "\xc2\xa1"))
			word = span_slice(word, 2, word.len); /* as Spanish questions begin */
		while (word.len && (is_mark(word.ptr[word.len - 1]) ||
		                    (word.ptr[word.len - 1] == '.' && !is_dotted_day(word))))
			word.len--;
		if (word.len > 2 && (word.ptr[0] == 'j' || word.ptr[0] == 'J') &&
		    word.ptr[1] == '\'')
			word = span_slice(word, 2, word.len); /* "j'abandonne" */
		add_days_or_word(l, word);
	}
}

/* A long word may have a typing error. */
static bool same_word(struct span word, struct span wanted)
{
	unsigned allowed = wanted.len >= 8 ? 2 : wanted.len >= 6 ? 1 : 0;

	if (span_eq(word, wanted))
		return true;
	return allowed && word.len >= 4 && *word.ptr == *wanted.ptr &&
	       typing_errors(word, wanted, allowed) <= allowed;
}

/* "who's" says what "who is" does: the first part or the second of a word; empty: it has none. */
static struct span part_of(struct span word, unsigned part)
{
	static const struct {
		const char *end, *says;
		bool n; /* the n is the end's: "don't" */
	} ends[] = {{"'s", "is", false},    {"'m", "am", false},    {"'re", "are", false},
	            {"'ll", "will", false}, {"'ve", "have", false}, {"n't", "not", true}};

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		size_t n = strlen(ends[i].end);

		if (word.len > n &&
		    span_eq_str(span_slice(word, word.len - n, word.len), ends[i].end))
			return part ? span_of(ends[i].says) : span_slice(word, 0, word.len - n);
	}
	return part ? SPAN_EMPTY : word;
}

/* A name of the game in hand stands for "game", as in "new boggle". */
static bool names_kind(const struct loose_line *l, size_t i)
{
	struct span title = span_of(l->item.kind ? l->item.kind->title : ""), part;

	while (span_next_word(&title, " ", &part))
		if (part.len > 4 &&
		    span_eq_nocase(part, arena_cstr(l->arena, l->words[i].text)))
			return true;
	return false;
}

bool loose_is_game(struct span word)
{
	return loose_is_one_of(word, "game spiel partie partida partita spel gra");
}

/* Between the words of a phrase any of these stands for any other, or for none. */
static bool is_article(struct span word)
{
	return loose_is_one_of(
	    word, "the a an this that my your our der die das den dem ein eine einen "
		  "mein meine meinen la le les un une mon ma el los las una mi il lo mio "
		  "de het een mijn");
}

#define HOURS \
	"hour hours h stunde stunden heure heures hora horas ora ore uur godzina godziny godzin"
#define WEEKS                                                                                \
	"week weeks woche wochen semaine semaines semana semanas settimana settimane weken " \
	"tydzien tygodnie"
#define DAYS "day days tag tage tagen jour jours dia dias giorno giorni dag dagen dzien dni"
#define LENGTH_UNITS HOURS " " WEEKS " " DAYS

/* What a phrase says for any of these: "%undo * %orders" is "cancel my orders" and "bitte streichen Sie meinen Zug". */
static const struct {
	const char *name, *words;
} classes[] = {
    {"%undo",
     "cancel delete forget withdraw ignore scrap scratch disregard remove revoke retract undo drop loschen losche "
     "loesche streiche streichen streich vergiss vergesst vergessen storniere ignoriere annule annuler "
     "annulez oublie oubliez supprime anula anular cancela borra olvida annulla annullare cancella "
     "dimentica annuleer verwijder vergeet anuluj usun zapomnij cofnij wycofaj"},
    {"%orders",
     "orders order move moves mail message instructions befehle befehl zug zuge mails mail nachricht "
     "ordres ordre coup ordenes orden jugada ordini ordine mossa zet bericht rozkazy ruch"},
    {"%sent",
     "said sent wrote ordered gesagt geschickt geschrieben envoye ecrit dit enviado escrito dicho mandato "
     "scritto detto gestuurd geschreven wyslalem napisalem"},
    {"%more", "more longer extra another mehr langer weitere noch plus mas piu meer wiecej"},
    {"%unit", LENGTH_UNITS},
    {"%absence",
     "holiday holidays vacation absence urlaub ferien abwesenheit vacances vacaciones vacanza ferie "
     "vakantie afwezigheid urlop"}};

static bool is_of_class(struct span word, struct span name)
{
	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
		if (span_eq_str(name, classes[i].name))
			return loose_is_one_of(word, classes[i].words);
	return false;
}

/* Behind a star: at which word of the line, `i` or one of the two behind it, the phrase goes on; l->n: at none. */
static size_t behind_star(const struct loose_line *l, size_t i, struct span word)
{
	for (size_t to = i; to < l->n && to <= i + 2; to++)
		if (*word.ptr == '%' ? is_of_class(l->words[to].text, word)
		                     : same_word(l->words[to].text, word))
			return to;
	return l->n;
}

/*
 * How many words from `at` on are this phrase; 0 = they are not. A full stop in it: there a clause ends. Short forms
 * are what they are short for, and between the first word and the last articles say nothing.
 */
size_t loose_line_phrase(const struct loose_line *l, size_t at, struct span phrase)
{
	struct span rest = phrase, word;
	size_t i = at;
	unsigned part = 0; /* of the line's word i, what comes next */

	if (l->words[at].text.len == 0 ||
	    (*phrase.ptr != '%' && *l->words[at].text.ptr != *phrase.ptr))
		return 0; /* most of them: same_word wants the first letter as it is */
	while (span_next_word(&rest, " ", &word)) {
		bool inside = i > at && rest.len > 0;

		if (span_eq_str(word, "*")) {
			(void)span_next_word(&rest, " ", &word);
			i = behind_star(l, i, word);
			if (i++ == l->n)
				return 0;
			continue;
		}
		if (*word.ptr == '%') {
			if (i >= l->n || !is_of_class(l->words[i].text, word))
				return 0;
			i++;
			continue;
		}
		if (span_eq_str(word, ".")) { /* "I'm out", not "I'm out of the office" */
			struct span last = l->words[i - 1].written;

			if (i < l->n && last.ptr[last.len] == ' ')
				return 0;
			continue;
		}
		if (part == 0 && i < l->n && same_word(l->words[i].text, word)) {
			i++;
			continue;
		}
		while (part == 0 && i > at && i < l->n && is_article(l->words[i].text) &&
		       !is_article(word))
			i++;
		if (part == 0 && inside && is_article(word)) {
			i += i < l->n && is_article(l->words[i].text);
			continue;
		}
		if (i < l->n && part == 0 &&
		    (same_word(l->words[i].text, word) ||
		     (loose_is_game(word) && names_kind(l, i)))) {
			i++;
			continue;
		}
		for (unsigned k = 0; k < 2 && part_of(word, k).len > 0; k++) {
			if (i >= l->n ||
			    !span_eq(part_of(l->words[i].text, part), part_of(word, k)))
				return 0;
			part = part == 0 && part_of(l->words[i].text, 1).len > 0;
			i += part == 0;
		}
	}
	return part == 0 ? i - at : 0;
}

bool loose_line_has(const struct loose_line *l, const char *word)
{
	for (size_t i = 0; i < l->n; i++)
		if (!l->taken[i] && span_eq_str(l->words[i].text, word))
			return true;
	return false;
}

static bool is_inside(struct span word, struct span text)
{
	return word.ptr >= text.ptr && word.ptr < text.ptr + text.len;
}

const struct clause *loose_line_clause(const struct loose_line *l, size_t word)
{
	for (size_t i = 0; i < l->nclauses; i++)
		if (is_inside(l->words[word].written, l->clauses[i].text))
			return &l->clauses[i];
	return NULL;
}

/* ---- arguments ---- */

bool loose_is_one_of(struct span word, const char *list)
{
	struct span rest = span_of(list), one;

	while (span_next_word(&rest, " ", &one))
		if (span_eq(one, word))
			return true;
	return false;
}

void loose_line_find_game(struct loose_line *l)
{
	for (size_t i = 0; i < l->n && !l->game; i++) {
		int64_t game;
		char letter;

		if (!parse_game_id(l->words[i].written, &game, &letter) ||
		    !rules_by_letter(letter)) /* "room B12" */
			continue;
		l->game = arena_printf(l->arena, "%c%lld", letter, (long long)game);
		l->taken[i] = true;
	}
}

/* The longest run of words that names a kind; "mole" alone does only where a game is asked for. */
void loose_line_find_kind(struct loose_line *l, bool mole_alone)
{
	for (size_t length = NAME_MAX_WORDS; length > 0 && !l->item.kind; length--)
		for (size_t at = 0; at + length <= l->n && !l->item.kind; at++) {
			struct span first = l->words[at].written,
				    last = l->words[at + length - 1].written;
			struct span name = {first.ptr,
			                    (size_t)(last.ptr + last.len - first.ptr)};
			const struct rules *kind = rules_find(name);

			if (!kind || (length == 1 && span_eq_nocase(name, "mole")))
				continue;
			if (at == 0 || !loose_is_negation(l->words[at - 1].text))
				l->item.kind = kind;
			for (size_t i = 0; i < length; i++)
				l->taken[at + i] = true;
		}
	for (size_t i = 0; i < l->n && !l->item.kind; i++) { /* "boggle", "whaka" */
		if (l->taken[i])
			continue;
		for (size_t k = 0; k < rules_count(); k++) {
			struct span title = span_of(rules_at(k)->title), part;

			while (span_next_word(&title, " ", &part)) {
				struct span word = utf8_dup_ascii(part, l->arena);

				if (word.len > 4 && (span_eq(word, l->words[i].text) ||
				                     (!l->facts->unknown && word.len > 5 &&
				                      same_word(l->words[i].text, word))))
					l->item.kind = rules_at(k);
			}
		}
	}
	for (size_t i = 0; i < l->n && !l->item.kind; i++) {
		struct span word = l->words[i].text;

		if (mole_alone && span_eq_str(word, "mole"))
			l->item.kind = rules_find(word);
		for (size_t k = 0; k < rules_count() && !l->facts->plays; k++)
			if (rules_at(k)->played_with &&
			    loose_is_one_of(word, rules_at(k)->played_with))
				l->item.kind = rules_at(k);
	}
}

/* The word behind one of these, if it is not taken. */
static struct span word_behind(struct loose_line *l, const char *const *leads)
{
	for (size_t i = 0; i + 1 < l->n; i++)
		for (const char *const *lead = leads; *lead; lead++)
			if (span_eq_str(l->words[i].text, *lead) && !l->taken[i + 1]) {
				l->taken[i] = l->taken[i + 1] = true;
				return l->words[i + 1].written;
			}
	return SPAN_EMPTY;
}

void loose_line_find_name_and_key(struct loose_line *l)
{
	static const char *const keys[] = {"key",  "password",  "keyword",
	                                   "pass", "schlussel", NULL};
	static const char *const names[] = {"as",    "called", "named", "name", "als",
	                                    "comme", "como",   "come",  "jako", NULL};
	static const char *const links[] = {"is", "word", "ist", NULL};

	l->key = word_behind(l, keys);
	for (const char *const *w = links; *w; w++)
		if (span_eq_nocase(l->key, *w))
			l->key = word_behind(l, links);
	l->name = word_behind(l, names);
	for (const char *const *w = links; *w; w++)
		if (span_eq_nocase(l->name, *w))
			l->name = word_behind(l, links);
}

void loose_line_find_guests(struct loose_line *l)
{
	for (size_t i = 0; i < l->n && l->nguests < GUESTS_MOST; i++) {
		struct span w = l->words[i].written;
		size_t at = span_find_char(w, '@');

		if (at == 0 || at + 1 >= w.len)
			continue;
		l->guests[l->nguests++] = w;
		l->taken[i] = true;
	}
}

/* "Bob", "Bob's" */
static bool is_name_at(const struct loose_line *l, size_t at, const char *name)
{
	struct span rest = span_of(name), part;

	for (; span_next_word(&rest, " ", &part); at++) {
		if (at >= l->n)
			return false;
		struct span w = l->words[at].written;

		if (rest.len == 0 && w.len > 2 && w.ptr[w.len - 2] == '\'' &&
		    w.ptr[w.len - 1] == 's')
			w.len -= 2;
		if (!utf8_eq_folded(w, part))
			return false;
	}
	return true;
}

bool loose_line_speaks_of(const struct loose_line *l, const char *name)
{
	enum { GREETING = 2 };
	size_t words = 1;

	for (const char *c = name; *c; c++)
		words += *c == ' ';
	for (size_t at = 0; at < l->n; at++) {
		size_t beside = 0;

		for (size_t i = 0; i < l->n; i++)
			beside += loose_line_clause(l, i) == loose_line_clause(l, at);
		if (is_name_at(l, at, name) && !l->spent[at] && beside > words + GREETING - 1)
			return true;
	}
	return false;
}

void loose_line_find_person(struct loose_line *l)
{
	const struct seat_names *names = l->facts->names;

	for (unsigned seat = 1; names && seat <= names->count; seat++)
		for (size_t at = 0; at < l->n && seat != l->facts->seat; at++)
			if (is_name_at(l, at, names->names[seat]))
				l->person = names->names[seat];
}

const char *loose_line_person(struct loose_line *l)
{
	for (size_t at = 0; l->person && at < l->n; at++)
		if (is_name_at(l, at, l->person))
			l->spent[at] = true;
	l->used |= l->person ? NAMES_PERSON : 0;
	return l->person;
}

/* Where "that ..." begins, behind words taken for a phrase: the first word of what is said; l->n: nowhere. */
static size_t said_from(const struct loose_line *l)
{
	bool phrase = false;

	for (size_t i = 0; i + 1 < l->n; i++) {
		phrase = phrase || l->taken[i];
		if (phrase && !l->taken[i] &&
		    loose_is_one_of(l->words[i].text, "that dass daß que che dat ze"))
			return i + 1;
	}
	return l->n;
}

struct span loose_line_text(struct loose_line *l)
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
		l->spent[i] = l->spent[i] || is_inside(l->words[i].written, text);
	l->used |= text.len > 0 ? NAMES_TEXT : 0;
	return text;
}

const char *loose_line_receivers(struct loose_line *l)
{
	static const char all[] = "everybody everyone all alle allen tous todos tutti iedereen "
				  "wszystkim others anderen";
	const struct seat_names *names = l->facts->names;
	struct span text = loose_line_text(l);
	struct strbuf out = STRBUF_INIT;
	const char *found = NULL;

	for (size_t at = 0; at < l->n && !is_inside(l->words[at].written, text); at++) {
		bool except =
		    (at > 0 && loose_is_one_of(l->words[at - 1].text, "not except")) ||
		    (at > 1 && loose_is_one_of(l->words[at - 2].text, "not"));

		for (unsigned seat = 1; names && seat <= names->count; seat++)
			if (seat != l->facts->seat && is_name_at(l, at, names->names[seat])) {
				l->spent[at] = true;
				if (!except)
					strbuf_addf(&out, "%s%s", out.len ? ", " : "",
					            names->names[seat]);
			}
		if (out.len == 0 && loose_is_one_of(l->words[at].text, all))
			strbuf_adds(&out, "ALL");
	}
	if (out.len > 0) {
		found = arena_strdup(l->arena, out.ptr);
		l->used |= NAMES_PERSON;
	}
	strbuf_release(&out);
	return found;
}

/* "3 players", "vier Leute"; "with two friends": three. */
unsigned loose_line_players(const struct loose_line *l)
{
	static const char people[] =
	    "players people persons spieler spielern leute leuten personen joueurs personnes "
	    "jugadores personas giocatori persone spelers mensen graczy osob osoby";
	static const char friends[] =
	    "friends freunde freunden amis amigos amici vrienden przyjaciolmi";
	static const char withs[] = "with mit avec con met z ze my meinen mes mis mijn";
	unsigned n;

	for (size_t i = 0; i + 1 < l->n; i++) {
		bool mine = loose_is_one_of(l->words[i + 1].text, friends),
		     more = mine && i > 0 && loose_is_one_of(l->words[i - 1].text, withs);

		if (loose_number(l->words[i].text, 2 - more, MAX_SEATS - more, &n) &&
		    (mine || loose_is_one_of(l->words[i + 1].text, people)))
			return n + more;
	}
	return 0;
}

bool loose_line_is_solo(const struct loose_line *l, unsigned *bots)
{
	static const char machines[] = "computer computers ordinateur ordenador computadora "
				       "komputer komputerem komputerowi bot bots botem";
	static const char alone[] =
	    "alone solo solitaire allein alleine seul seule sola alleen";

	bool solo = false;

	*bots = 0;
	for (size_t i = 0; i < l->n; i++) {
		bool machine = loose_is_one_of(l->words[i].text, machines);

		if (machine && i > 0)
			(void)loose_number(l->words[i - 1].text, 1, MAX_SEATS - 1, bots);
		solo = solo || machine || loose_is_one_of(l->words[i].text, alone);
	}
	return solo;
}

/* "with my brother": people of their own, not whoever has a game open. */
bool loose_line_has_company(const struct loose_line *l)
{
	static const char withs[] = "with mit avec con met z ze";
	static const char mine[] =
	    "my our some a the meinem meiner meinen unserem unseren mon ma mes nos "
	    "mi mis mio mia mijn onze moim moimi mein meine";

	if (l->nguests > 0 || loose_line_players(l) > 0)
		return true;
	for (size_t i = 0; i + 3 < l->n; i++) /* "my daughter and I" */
		if (loose_is_one_of(l->words[i].text, mine) &&
		    loose_is_one_of(l->words[i + 2].text, "and und et y e en i") &&
		    loose_is_one_of(l->words[i + 3].text, "i me ich moi yo io ik ja"))
			return true;
	for (size_t i = 0; i + 2 < l->n; i++)
		if (loose_is_one_of(l->words[i].text, withs) &&
		    loose_is_one_of(l->words[i + 1].text, mine))
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
	size_t m = 0;

	while (m < 12 && !loose_is_one_of(word, months[m]))
		m++;
	return m < 12 ? month_names[m] : NULL;
}

static bool is_month(struct span word)
{
	static const char english[] =
	    "jan feb mar apr may jun jul aug sep sept oct nov dec january february march april "
	    "june july august september october november december";

	return month_of(word) || loose_is_one_of(word, english);
}

/* 0 = Monday ... 6 = Sunday; 7: it is none. */
static unsigned weekday_of(struct span word)
{
	static const char *const days[] = {"mon monday montag lundi lunes",
	                                   "tue tuesday dienstag mardi martes",
	                                   "wed wednesday mittwoch mercredi miercoles",
	                                   "thu thursday donnerstag jeudi jueves",
	                                   "fri friday freitag vendredi viernes",
	                                   "sat saturday samstag samedi sabado",
	                                   "sun sunday sonntag dimanche domingo"};
	unsigned d = 0;

	while (d < 7 && !loose_is_one_of(word, days[d]))
		d++;
	return d;
}

bool loose_line_names_weekday(const struct loose_line *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (weekday_of(l->words[i].text) < 7)
			return true;
	return false;
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

/*
 * "The 9th", "vom 9.", "du 20", with no month in the line, and "Monday", where no date stands beside it: the next such
 * day from *from on, which moves there; NULL: it is none.
 */
static const char *next_day(const struct loose_line *l, size_t i, int64_t *from)
{
	static const char leads[] =
	    "vom zum am dem den bis du au del al dal van od do tot hasta";
	struct span w = l->words[i].text, number = w;
	unsigned day = 0, weekday = weekday_of(w);

	for (size_t k = i > 0 ? i - 1 : 0; k < l->n && k <= i + 1; k++)
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
	return arena_printf(l->arena, "%d %s", t.day, month_names[t.month - 1]);
}

/* A number, in digits or words, or a day or month. */
static bool is_value(const struct loose_line *l, size_t i)
{
	struct span word = l->words[i].text;
	unsigned n;

	return has_digit(word) || loose_number(word, 0, UINT32_MAX, &n) ||
	       weekday_of(word) < 7 || is_month(word);
}

/* "To the 27th, no wait, to the 29th": the values of a correction stand in the place of those before it. */
void loose_line_correct(struct loose_line *l)
{
	for (size_t c = 1, next; c < l->nclauses; c = next) {
		const struct clause *repair = &l->clauses[c], *in;
		size_t from = 0, to, at, value;
		bool own = false, any = false;

		while (from < l->n && loose_line_clause(l, from) != repair)
			from++;
		for (to = from; to < l->n; to++) { /* the clause behind "no wait," too */
			in = loose_line_clause(l, to);
			if (in != repair && (own || in != repair + 1))
				break;
			any = any || is_value(l, to);
			own = own || (in == repair && any);
		}
		next = c + 1 + !own;
		if (repair->kind != CLAUSE_REPAIR || !any) {
			next = c + 1;
			continue;
		}
		for (at = from, value = to; value-- > from;) {
			while (is_value(l, value) && at > 0 && !is_value(l, at - 1))
				at--;
			if (is_value(l, value) && at > 0)
				l->words[--at] = l->words[value];
		}
		memmove(&l->words[from], &l->words[to], (l->n - to) * sizeof *l->words);
		l->n -= to - from;
	}
}

/* A word as days_read knows it; NULL: it says nothing. */
static const char *day_word(struct loose_line *l, size_t i, int64_t *from)
{
	struct span w = l->words[i].text;
	const char *month = month_of(w);
	const char *day = month ? month : next_day(l, i, from);
	bool two = i > 0 && i + 1 < l->n && weekday_of(l->words[i - 1].text) < 7 &&
	           weekday_of(l->words[i + 1].text) ==
	               (weekday_of(l->words[i - 1].text) + 1) % 7;

	if (day)
		return day;
	if (loose_is_one_of(w, "till til until to through back bis zuruck jusqu'au au hasta "
	                       "al fino tot do -") ||
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
	    weekday_of(w) < 7 || w.len == 0 || span_find_char(w, ':') < w.len)
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

/* "two more days": "2 DAYS" */
const char *loose_line_length(struct loose_line *l)
{
	static const struct {
		const char *words, *unit;
	} units[] = {{HOURS, "HOUR"}, {WEEKS, "WEEK"}, {DAYS, "DAY"}};
	unsigned n;

	for (size_t i = 0; i < l->n; i++)
		for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
			if (!loose_is_one_of(l->words[i].text, units[u].words))
				continue;
			l->used |= NAMES_LENGTH;
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
static const char *with_length(struct loose_line *l, const char *day, const struct days *days)
{
	const char *length = loose_line_length(l);
	struct day_range range;
	struct utc_time t;
	unsigned n;

	if (!length || !strstr(length, "DAY") == !strstr(length, "WEEK") ||
	    !num_parse_word(span_slice(span_of(length), 0, strcspn(length, " ")), 1, 99, &n) ||
	    !days_resolve(days, l->facts->today, &range))
		return day;
	t = utc_split((range.first + (strstr(length, "WEEK") ? 7 * n : n) - 1) * 86400);
	return arena_printf(l->arena, "%s TO %d %s", day, t.day, month_names[t.month - 1]);
}

/* The longest run of words that names days: "24 Dec TO 3 Jan", "TO 3 Jan". */
const char *loose_line_days(struct loose_line *l)
{
	const char *words[WORDS_MOST];
	size_t from[WORDS_MOST], n = 0; /* which word of the line each is */
	int64_t begin = l->facts->today;
	struct days days;

	for (size_t i = 0; i < l->n; i++) {
		bool back = loose_is_one_of(l->words[i].text, "back zuruck");
		const char *word = l->taken[i] && !back ? NULL : day_word(l, i, &begin);
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
	for (size_t length = n < 7 ? n : 7; length > 0; length--)
		for (size_t at = 0; at + length <= n; at++) {
			struct strbuf text = STRBUF_INIT;
			const char *found = NULL;

			for (size_t i = 0; i < length; i++)
				strbuf_addf(&text, "%s%s", i ? " " : "", words[at + i]);
			if (days_read(strbuf_span(&text), &days) == DAYS_GOOD)
				found = arena_strdup(l->arena, text.ptr);
			strbuf_release(&text);
			if (!found)
				continue;
			for (size_t i = from[at]; i <= from[at + length - 1]; i++)
				l->spent[i] = true;
			l->used |= NAMES_DAYS;
			return days.last_from_today == 0 || strstr(found, "TO ")
			           ? found
			           : with_length(l, found, &days);
		}
	return NULL;
}

/* ---- times ---- */

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

const char *loose_line_hours(struct loose_line *l, unsigned n)
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

unsigned loose_line_number(struct loose_line *l, unsigned min, unsigned max)
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
