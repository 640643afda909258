/*
 * loose_line.c - the words of a line, and the games, kinds and people they name.
 */
#include "processor/commandtext/loose_line.h"

#include <ctype.h>
#include <string.h>

#include "processor/base/nearest.h"
#include "processor/base/utf8.h"
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

/* A long word may have a typing error, and "remind" is said of a reminder and of reminding too. */
static bool same_word(struct span word, struct span wanted)
{
	unsigned allowed = wanted.len >= 8 ? 2 : wanted.len >= 6 ? 1 : 0;

	if (span_eq(word, wanted))
		return true;
	size_t stem = wanted.len - (wanted.len > 0 && wanted.ptr[wanted.len - 1] == 'e');
	if (stem >= 5 - (stem < wanted.len) && word.len > stem &&
	    span_eq(span_slice(word, 0, stem), span_slice(wanted, 0, stem)) &&
	    loose_is_one_of(span_slice(word, stem, word.len), "s er ers ing"))
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
	return loose_is_one_of(word, "game match spiel partie partida partita spel gra gre");
}

/* Between the words of a phrase any of these stands for any other, or for none. */
static bool is_article(struct span word)
{
	return loose_is_one_of(
	    word, "the a an this that my your our der die das den dem ein eine einen "
		  "mein meine meinen la le les un une mon ma el los las una mi il lo mio "
		  "de het een mijn");
}

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
    {"%want",
     "want like love wanna gern gerne mochte will wollen voudrais veux aimerais quiero quisiera gustaria voglio "
     "vorrei wil graag chce chcemy"},
    {"%need", "need brauche brauchen besoin necesito bisogno nodig potrzebuje"},
    {"%begin",
     "start open create host begin eroffne eroffnen starte starten creer commencer crear empezar creare iniziare "
     "starten beginnen zaloz zacznij"},
    {"%end",
     "cancel end stop abort close terminate beende beenden abbrechen annuler arreter terminer cancelar terminar annullare "
     "terminare stoppen beeindigen zakoncz przerwac"},
    {"%send",
     "send show resend schick schicke schicken zeig zeige zeigen envoie envoyer montre montrer envia enviar muestra manda "
     "mandare mostra stuur sturen toon wyslij pokaz"},
    {"%again", "again once nochmal nochmals noch encore ancora opnieuw jeszcze"},
    {"%more", "more longer extra another mehr langer weitere noch plus mas piu meer wiecej"},
    {"%unit", LENGTH_UNITS},
    {"%absence",
     "holiday holidays vacation absence urlaub ferien abwesenheit vacances vacaciones vacanza ferie "
     "vakantie afwezigheid urlop"}};

static bool is_of_class(struct span word, struct span name)
{
	unsigned n;

	if (span_eq_str(name, "%count"))
		return loose_number(word, 1, 99, &n) || is_article(word) ||
		       loose_is_one_of(word,
		                       "some few couple of paar quelques unos unas algunos "
		                       "qualche alcuni enkele kilka");
	if (span_eq_str(name, "%game"))
		return loose_is_game(word) || loose_is_one_of(word, "table tisch");
	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
		if (span_eq_str(name, classes[i].name))
			return loose_is_one_of(word, classes[i].words);
	return false;
}

/* Behind a star: at which word of the line, `i` or one of the three behind it, the phrase goes on; l->n: at none. */
static size_t behind_star(const struct loose_line *l, size_t i, struct span word)
{
	for (size_t to = i; to < l->n && to <= i + 3; to++)
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
		     (loose_is_game(word) &&
		      (loose_is_game(l->words[i].text) || names_kind(l, i))))) {
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

bool loose_is_inside(struct span word, struct span text)
{
	return word.ptr >= text.ptr && word.ptr < text.ptr + text.len;
}

const struct clause *loose_line_clause(const struct loose_line *l, size_t word)
{
	for (size_t i = 0; i < l->nclauses; i++)
		if (loose_is_inside(l->words[word].written, l->clauses[i].text))
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

unsigned loose_weekday(struct span word)
{
	static const char *const days[] = {"mon monday montag lundi lunes",
	                                   "tue tuesday dienstag mardi martes",
	                                   "wed wednesday mittwoch mercredi miercoles",
	                                   "thu thursday donnerstag jeudi jueves",
	                                   "fri friday freitag vendredi viernes",
	                                   "sat saturday samstag samedi sabado",
	                                   "sun sunday sonntag dimanche domingo"};

	static const char *const parts[] = {"abend", "morgen", "mittag", "nachmittag"};
	unsigned day = 0;

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) { /* "Samstagabend" */
		size_t n = strlen(parts[i]);

		if (word.len > n + 5 &&
		    span_eq_str(span_slice(word, word.len - n, word.len), parts[i]))
			word.len -= n;
	}
	while (day < 7 && !loose_is_one_of(word, days[day]))
		day++;
	return day;
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
				/* "whaka mole", of anybody */
				bool sure =
				    !l->facts->unknown ||
				    (title.len > 0 && i + 1 < l->n &&
				     utf8_eq_folded(l->words[i + 1].text, span_trim(title)));

				if (word.len > 4 && (span_eq(word, l->words[i].text) ||
				                     (sure && word.len > 5 &&
				                      same_word(l->words[i].text, word))))
					l->item.kind = rules_at(k);
			}
		}
	}
	for (size_t i = 0; i < l->n && !l->item.kind; i++) {
		struct span word = l->words[i].text;

		if (mole_alone && !l->taken[i] && span_eq_str(word, "mole"))
			l->item.kind = rules_find(word);
		for (size_t k = 0; k < rules_count() && !l->facts->plays; k++)
			if (rules_at(k)->played_with &&
			    loose_is_one_of(word, rules_at(k)->played_with))
				l->item.kind = rules_at(k);
	}
}

/* The word behind the longest of these phrases, if it is not taken. */
static struct span word_behind(struct loose_line *l, const char *leads)
{
	struct span list = span_of(leads), lead;
	size_t at = 0, most = 0;

	while (next_phrase(&list, &lead))
		for (size_t i = 0; i + 1 < l->n; i++) {
			size_t n = loose_line_phrase(l, i, lead);

			if (n <= most || i + n >= l->n || l->taken[i + n])
				continue;
			most = n;
			at = i;
		}
	for (size_t i = at; most > 0 && i <= at + most; i++)
		l->taken[i] = true;
	return most > 0 ? l->words[at + most].written : SPAN_EMPTY;
}

void loose_line_find_name_and_key(struct loose_line *l)
{
	l->key = word_behind(l, "key|key is|password|password is|keyword|keyword is|pass|pass "
	                        "word|schlussel|schlussel ist");
	l->name = word_behind(l, "as|called|named|name|name is|call me|als|name ist|comme|como|"
	                         "come|jako");
}

/* "Bob", "Bob's" */
bool loose_is_name_at(const struct loose_line *l, size_t at, const char *name)
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

/* All that is named but what it may be called, and a kind that is "mole" alone. */
void loose_line_find(struct loose_line *l)
{
	const struct seat_names *names = l->facts->names;

	for (size_t i = 0; i < l->n && !l->game; i++) {
		int64_t game;
		char letter;

		if (!parse_game_id(l->words[i].written, &game, &letter) ||
		    !rules_by_letter(letter)) /* "room B12" */
			continue;
		l->taken[i] = true;
		if (i == 0 || !loose_is_negation(l->words[i - 1].text) ||
		    loose_line_clause(l, i - 1) != loose_line_clause(l, i))
			l->game = arena_printf(l->arena, "%c%lld", letter, (long long)game);
	}
	for (size_t i = 0; i < l->n && l->nguests < GUESTS_MOST; i++) {
		struct span w = l->words[i].written;
		size_t at = span_find_char(w, '@');

		if (at == 0 || at + 1 >= w.len)
			continue;
		l->guests[l->nguests++] = w;
		l->taken[i] = true;
	}
	for (unsigned seat = 1; names && seat <= names->count; seat++)
		for (size_t at = 0; at < l->n && seat != l->facts->seat; at++)
			if (loose_is_name_at(l, at, names->names[seat]))
				l->person = names->names[seat];
	loose_line_find_kind(l, false);
}
