/*
 * loose_commands.c - commands that lines which are none may have meant.
 *
 * One intent is looked for in each line, the first line that has one counts. A phrase of the
 * list stands for an intent; games, kinds, names, keys, numbers and days beside it are its
 * arguments, in any order. The line that comes out is read by the strict grammar, which has the last
 * word.
 */
#include "processor/commandtext/loose_commands.h"

#include <ctype.h>
#include <string.h>

#include "processor/base/nearest.h"
#include "processor/base/num.h"
#include "processor/base/utf8.h"
#include "processor/calendar/date_range.h"
#include "processor/commandtext/grammar.h"
#include "processor/commandtext/text_line.h"

#include "processor/base/banned.h"

enum intent {
	NO_INTENT,
	/* In the order in which they win when one line has several. */
	JOIN,
	TAKEOVER,
	OBSERVE,
	CREATE,
	WANT_PLAY,
	REMATCH,
	SAME,
	CLEAR,
	RESIGN,
	BACK,
	ABSENCE,
	BACK_ON,
	DRAW,
	NOWAIT,
	WAIT,
	MORE_TIME,
	NUDGE,
	PAUSE,
	RESEND,
	HISTORY,
	RATINGS,
	ZONE,
	MAILS,
	REMINDERS,
	HTML,
	NARROW,
	ADDRESS,
	TELL,
	STOP,
	WHO,
	STATUS,
	DEADLINE,
	MINE,
	GAMES,
	RULES,
	ABOUT, /* "what does the mallet do?" */
	HINT,
	HELP
};

struct phrase {
	const char *words;
	enum intent intent;
};

static const struct phrase phrases[] = {
#define WORD(words, intent) {words, intent},
#include "processor/commandtext/command_words.inc"
#undef WORD
};

enum {
	WORDS_MOST = 60,
	WORDS_OF_A_REQUEST = 30,
	HELP_WORDS = 4,
	NAME_WORDS = 3, /* "Mole Park?" */
	WISH_WORDS = 10,
	SHORT_MAIL_WORDS = 16, /* of somebody who wants nothing else */
	GUESTS_MOST = 8
};

struct word {
	struct span text;    /* small letters without accents or marks around it */
	struct span written; /* without marks around it */
};

/* One line and what was found in it. */
struct line {
	struct word words[WORDS_MOST];
	size_t n;
	bool taken[WORDS_MOST]; /* by the phrase or an argument */
	struct arena *arena;
	const struct loose_facts *facts;
	struct command item; /* game, kind, of the line */
	const char *game;    /* "W1", or NULL */
	struct span name, key;
	struct span guests[GUESTS_MOST]; /* mail addresses */
	size_t nguests;
};

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

static void add_word(struct line *l, struct span word)
{
	if (word.len == 0 || l->n == WORDS_MOST)
		return;
	l->words[l->n].written = word;
	l->words[l->n++].text = utf8_dup_ascii(word, l->arena);
}

/* "27.3.-2.4." is two days. */
static void add_days_or_word(struct line *l, struct span word)
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

static void split(struct line *l, struct span text)
{
	struct strbuf plain = STRBUF_INIT;
	struct span rest, word;

	utf8_add_plain(&plain, text);
	rest = arena_dup(l->arena, strbuf_span(&plain));
	strbuf_release(&plain);
	while (l->n < WORDS_MOST && span_next_word(&rest, " \t", &word)) {
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

/* How many words from `at` on are this phrase; 0 = they are not. */
static size_t phrase_length(const struct line *l, size_t at, const char *phrase)
{
	struct span rest = span_of(phrase), wanted;
	size_t n = 0;

	while (span_next_word(&rest, " ", &wanted)) {
		if (at + n >= l->n || !same_word(l->words[at + n].text, wanted))
			return 0;
		n++;
	}
	return n;
}

/* In a question what only shows something goes first: "Wer ist noch dabei?" */
static bool goes_before(enum intent a, enum intent b, bool asks)
{
	bool shows_a = a >= WHO, shows_b = b >= WHO;

	return asks && shows_a != shows_b ? shows_a : a <= b;
}

struct found {
	size_t at, n; /* words */
	enum intent intent;
};

static bool covers(const struct found *a, const struct found *b)
{
	return a->n > b->n && a->at <= b->at && a->at + a->n >= b->at + b->n;
}

/* "Postpone the deadline?" does not ask for the deadline: inside a longer phrase one says nothing. */
static bool is_better(const struct found *a, const struct found *best, bool asks)
{
	if (a->n == 0 || covers(best, a))
		return false;
	if (best->n == 0 || covers(a, best))
		return true;
	return a->intent == best->intent ? a->n > best->n
	                                 : goes_before(a->intent, best->intent, asks);
}

static enum intent find_intent(struct line *l, bool asks)
{
	struct found best = {.intent = NO_INTENT};

	for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
		/* Who plays already says "play" and "start" of that game. */
		if (phrases[i].intent == WANT_PLAY && l->facts->plays && !l->game &&
		    !l->item.kind)
			continue;
		for (size_t at = 0; at < l->n; at++) {
			struct found f = {at, phrase_length(l, at, phrases[i].words),
			                  phrases[i].intent};

			if (is_better(&f, &best, asks))
				best = f;
		}
	}
	for (size_t i = 0; i < best.n; i++)
		l->taken[best.at + i] = true;
	return best.intent;
}

static bool has_word_left(const struct line *l, const char *word)
{
	for (size_t i = 0; i < l->n; i++)
		if (!l->taken[i] && span_eq_str(l->words[i].text, word))
			return true;
	return false;
}

/* "I don't want to quit"; not "I don't want to play any more", where it is part of the phrase. */
static bool is_denied(const struct line *l)
{
	static const char *const words[] = {"not",   "don't", "dont", "never",
	                                    "won't", "nicht", "kein", "niemals",
	                                    "niet",  "nunca", NULL};

	for (const char *const *w = words; *w; w++)
		if (has_word_left(l, *w))
			return true;
	return false;
}

/* ---- arguments ---- */

static bool is_one_of(struct span word, const char *list)
{
	struct span rest = span_of(list), one;

	while (span_next_word(&rest, " ", &one))
		if (span_eq(one, word))
			return true;
	return false;
}

static void find_game(struct line *l)
{
	for (size_t i = 0; i < l->n && !l->game; i++) {
		int64_t game;
		char letter;

		if (!parse_game_id(l->words[i].written, &game, &letter) || !letter)
			continue;
		l->game = arena_printf(l->arena, "%c%lld", letter, (long long)game);
		l->taken[i] = true;
	}
}

/* The longest run of words that names a kind; "mole" alone does only where a game is asked for. */
static void find_kind(struct line *l, enum intent intent)
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
			l->item.kind = kind;
			for (size_t i = 0; i < length; i++)
				l->taken[at + i] = true;
		}
	for (size_t i = 0; i < l->n && !l->item.kind; i++) { /* "boggle", "park", "whakka" */
		for (size_t k = 0; k < rules_count(); k++) {
			struct span title = span_of(rules_at(k)->title), word;

			while (span_next_word(&title, " ", &word))
				if (word.len > 4 &&
				    span_eq_nocase(word,
				                   arena_cstr(l->arena, l->words[i].text)))
					l->item.kind = rules_at(k);
		}
	}
	for (size_t i = 0; i < l->n && !l->item.kind; i++)
		if (is_one_of(l->words[i].text, intent == CREATE || intent == JOIN
		                                    ? "coin coins mole"
		                                    : "coin coins"))
			l->item.kind = rules_find(SPAN_LIT("mole"));
}

/* The word behind one of these, if it is not taken. */
static struct span word_behind(struct line *l, const char *const *leads)
{
	for (size_t i = 0; i + 1 < l->n; i++)
		for (const char *const *lead = leads; *lead; lead++)
			if (span_eq_str(l->words[i].text, *lead) && !l->taken[i + 1]) {
				l->taken[i] = l->taken[i + 1] = true;
				return l->words[i + 1].written;
			}
	return SPAN_EMPTY;
}

static void find_name_and_key(struct line *l)
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

static void find_guests(struct line *l)
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

/* "3 players", "vier Leute" */
static unsigned find_players(const struct line *l)
{
	static const char people[] =
	    "players people persons friends spieler spielern leute leuten personen freunde "
	    "freunden "
	    "joueurs personnes amis jugadores personas amigos giocatori persone amici spelers "
	    "mensen vrienden graczy osob osoby";
	unsigned n;

	for (size_t i = 0; i + 1 < l->n; i++)
		if (num_parse_word(l->words[i].text, 2, MAX_SEATS, &n) &&
		    is_one_of(l->words[i + 1].text, people))
			return n;
	return 0;
}

/* "with my brother": people of their own, not whoever has a game open. */
static bool has_company(const struct line *l)
{
	static const char withs[] = "with mit avec con met z ze";
	static const char mine[] =
	    "my our some a the meinem meiner meinen unserem unseren mon ma mes nos "
	    "mi mis mio mia mijn onze moim moimi";

	if (l->nguests > 0 || find_players(l) > 0)
		return true;
	for (size_t i = 0; i + 2 < l->n; i++)
		if (is_one_of(l->words[i].text, withs) && is_one_of(l->words[i + 1].text, mine))
			return true;
	return false;
}

/* ---- days ---- */

static const char *month_of(struct span word)
{
	static const struct {
		const char *words, *month;
	} months[] = {{"januar janvier enero gennaio januari stycznia", "Jan"},
	              {"februar fevrier febrero febbraio februari lutego", "Feb"},
	              {"marz maerz mars marzo maart marca", "Mar"},
	              {"avril abril aprile kwietnia", "Apr"},
	              {"mai mayo maggio mei maja", "May"},
	              {"juni juin junio giugno czerwca", "Jun"},
	              {"juli juillet julio luglio lipca", "Jul"},
	              {"aout agosto augustus sierpnia", "Aug"},
	              {"septembre septiembre settembre wrzesnia", "Sep"},
	              {"oktober octobre octubre ottobre pazdziernika", "Oct"},
	              {"novembre noviembre listopada", "Nov"},
	              {"dezember decembre diciembre dicembre grudnia", "Dec"}};

	for (size_t m = 0; m < 12; m++) {
		struct span rest = span_of(months[m].words), name;

		while (span_next_word(&rest, " ", &name))
			if (span_eq(name, word))
				return months[m].month;
	}
	return NULL;
}

/* A word as days_read knows it; NULL: it says nothing. */
static const char *day_word(struct line *l, size_t i)
{
	struct span w = l->words[i].text;
	const char *month = month_of(w);

	if (month)
		return month;
	if (is_one_of(w, "till til until to through bis jusqu'au au hasta al fino tot do -") ||
	    (span_eq_str(w, "and") && has_word_left(l, "between")))
		return "TO";
	if (is_one_of(w, "heute aujourd'hui hoy oggi vandaag dzis"))
		return "today";
	if (is_one_of(w, "morgen demain manana domani jutro"))
		return "tomorrow";
	if (is_one_of(
		w, "the between den dem der of de le el il mon tue wed thu fri sat sun monday "
		   "tuesday wednesday thursday friday saturday sunday utc on am from vom von "
		   "du del dal van od and") ||
	    span_find_char(w, ':') < w.len)
		return NULL;
	return arena_cstr(l->arena, l->words[i].written);
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

/* The longest run of words that names days: "24 Dec TO 3 Jan", "TO 3 Jan". */
static const char *find_days(struct line *l)
{
	const char *words[WORDS_MOST];
	size_t n = 0;
	struct days days;

	for (size_t i = 0; i < l->n; i++) {
		const char *word = l->taken[i] ? NULL : day_word(l, i);

		if (word && *word && n < WORDS_MOST - 1)
			words[n++] = word;
		if (n > 3 && is_range_in_month(words + n - 4)) { /* "24 TO 28 March" */
			words[n] = words[n - 1];
			words[n - 1] = words[n - 2];
			words[n - 2] = words[n - 3];
			words[n - 3] = words[n];
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
			if (found)
				return found;
		}
	return NULL;
}

/* ---- lines of command ---- */

static unsigned find_number(const struct line *l, unsigned min, unsigned max)
{
	unsigned n;

	for (size_t i = 0; i < l->n; i++)
		if (!l->taken[i] && num_parse_word(l->words[i].text, min, max, &n))
			return n;
	return 0;
}

static const char *game_or_answered(const struct line *l)
{
	return l->game ? l->game : l->facts->game;
}

static const char *with_game(const struct line *l, const char *verb)
{
	const char *game = game_or_answered(l);

	return game ? arena_printf(l->arena, "%s %s", verb, game) : verb;
}

static const char *join_line(struct line *l)
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
static const char *create_line(struct line *l)
{
	unsigned players = find_number(l, 2, MAX_SEATS);
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

static const char *rules_line(const struct line *l)
{
	const struct rules *kind = l->item.kind ? l->item.kind : l->facts->kind;

	return kind ? arena_printf(l->arena, "HELP %s", kind->title) : "HELP";
}

static const char *absence_line(struct line *l, bool back_on)
{
	const char *days = find_days(l);

	if (!days)
		return back_on ? NULL : "HELP ABSENCE";
	/* Who is back on a day is away up to it. */
	return arena_printf(l->arena, "SET ABSENCE %s%s",
	                    back_on && strncmp(days, "TO ", 3) != 0 ? "TO " : "", days);
}

static bool is_place_name(const struct line *l, size_t i)
{
	struct span word = l->words[i].written;

	return !l->taken[i] && word.len > 2 && *word.ptr >= 'A' && *word.ptr <= 'Z';
}

/* "Europe/Berlin", "Berlin", "New York" */
static const char *zone_line(struct line *l)
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

static const char *command_line(struct line *l, enum intent intent)
{
	switch (intent) {
	case JOIN:
	case WANT_PLAY:
		return !l->game && l->item.kind && has_company(l) ? create_line(l)
		                                                  : join_line(l);
	case TAKEOVER:
		return l->game ? with_game(l, "TAKEOVER") : "LIST";
	case OBSERVE:
		return l->game ? with_game(l, "OBSERVE") : NULL;
	case CREATE:
		return create_line(l);
	case REMATCH: /* "another game of Mole Park" */
		return l->item.kind ? join_line(l) : with_game(l, "REMATCH");
	case CLEAR:
		return "CLEAR";
	case RESIGN:
	case STOP:
		return game_or_answered(l) ? with_game(l, "RESIGN") : NULL;
	case BACK:
		return "SET NOABSENCE";
	case ABSENCE:
	case BACK_ON:
		return absence_line(l, intent == BACK_ON);
	case DRAW:
		return with_game(l, "SET DRAW");
	case NOWAIT:
		return "SET NOWAIT";
	case WAIT:
		return "SET WAIT";
	case MORE_TIME:
		return with_game(l, "ASK FOR 1 DAY");
	case NUDGE:
		return with_game(l, "NUDGE");
	case PAUSE:
		return "VOTE PAUSE";
	case RESEND:
		return "RESEND";
	case HISTORY:
		return with_game(l, "HISTORY");
	case RATINGS:
		return "RATINGS";
	case ZONE:
		return zone_line(l);
	case MAILS:
		return "HELP SET MAIL";
	case REMINDERS:
		return "SET REMINDERS OFF";
	case HTML:
		return "SET MAIL HTML";
	case NARROW:
		return "SET WIDTH 40";
	case ADDRESS:
		return "HELP SET ADDRESS";
	case TELL:
		return "HELP PRESS TO";
	case WHO:
		return game_or_answered(l) ? with_game(l, "LIST") : "LIST";
	case STATUS:
	case DEADLINE:
		return l->facts->game || l->facts->plays ? with_game(l, "STATUS") : "HELP";
	case MINE:
		return "MY GAMES";
	case GAMES:
		return "LIST";
	case RULES:
	case ABOUT:
		return rules_line(l);
	case HINT:
		return NULL; /* what would work now is in every answer */
	case HELP:
		return "HELP";
	case SAME:
	case NO_INTENT:
		break;
	}
	return NULL;
}

/* Whether it changes nothing. */
static bool only_shows(enum verb verb)
{
	return verb == CMD_HELP || verb == CMD_LIST || verb == CMD_STATUS ||
	       verb == CMD_MY_GAMES || verb == CMD_RESEND || verb == CMD_HISTORY ||
	       verb == CMD_RATINGS || verb == CMD_SUMMARY || verb == CMD_WHO;
}

/* What only somebody asks who sits in a game; advertisements speak of addresses and mails too. */
static bool is_for_players(enum intent intent)
{
	return intent == MAILS || intent == ADDRESS || intent == TELL;
}

/* Somebody speaks of themselves. */
static bool has_person(const struct line *l)
{
	static const char persons[] =
	    "i i'd i'm i'll me my we let's lets ich mir mich wir je moi "
	    "nous yo quiero io vorrei ik wij chce";

	for (size_t i = 0; i < l->n; i++)
		if (is_one_of(l->words[i].text, persons))
			return true;
	return false;
}

/* How much of a mail is looked at: a line of it or one sentence of that, and whether it says next to nothing else. */
struct extent {
	bool is_sentence, in_short_mail;
};

/* "How can I play?" in a mail that wants nothing else; not "Let's play it safe", which needs a game's name. */
static bool wants_to_know(const struct line *l, enum intent intent, bool asks, struct extent of)
{
	if (!of.in_short_mail || l->n > (asks || intent == WANT_PLAY ? WISH_WORDS : HELP_WORDS))
		return false;
	if (intent == WANT_PLAY)
		return !is_one_of(l->words[0].text, "let's lets");
	return (intent == HELP || intent == RULES) && (asks || !of.is_sentence);
}

/*
 * "Join our free webinar!" is no request to this server, and the address may be anybody's: who is not
 * known must name a game or a kind, or ask for a game as a person does.
 */
static bool speaks_of_games(const struct line *l, enum intent intent, bool asks)
{
	static const char games[] =
	    "help hilfe aide ayuda aiuto hulp pomoc mitspielen meespelen mitmachen meedoen "
	    "game games moles "
	    "spiel spiele spielen "
	    "partie parties jeu jeux "
	    "partida partidas juego juegos partita partite gioco giochi spel "
	    "spellen gra gry gre";
	bool game = false, person = asks || intent == GAMES;

	if (l->game || l->item.kind || (intent == HELP && l->n <= HELP_WORDS))
		return true;
	for (size_t i = 0; i < l->n; i++)
		game = game || is_one_of(l->words[i].text, games);
	return game && (person || has_person(l));
}

/* Of who does not play yet, in a short mail and a line without any phrase of the list. */
static enum intent newcomers_intent(const struct line *l, enum intent intent, bool asks)
{
	static const char plays[] =
	    "play playing spielen spiel jouer joue jugar juego giocare gioco "
	    "spelen spel zagrac grac gra partida partie partita game";
	static const char lone[] =
	    "play start begin rules commands register spielen jouer jugar giocare spelen grac";

	if (intent == HINT || (l->n == 1 && is_one_of(l->words[0].text, lone)))
		return HELP;
	if (l->game &&
	    has_person(l)) /* "Ann has told me about W1"; other things are called so, too */
		return JOIN;
	if (!l->item.kind)
		return NO_INTENT;
	for (size_t i = 0; i < l->n; i++)
		if (!l->taken[i] && is_one_of(l->words[i].text, plays))
			return WANT_PLAY;
	return asks || l->n <= NAME_WORDS || has_word_left(l, "about") ? RULES : NO_INTENT;
}

/* The subject, as `from.line` 0, may hold one too. */
static struct loose_command find_in(struct text_line from, struct extent of,
                                    const struct loose_facts *facts, struct arena *arena)
{
	struct loose_command found = {.line = NULL, .from = from};
	struct line l = {.arena = arena, .facts = facts};
	const struct grammar_row *row;
	struct command item;
	const char *why;

	split(&l, from.text);
	if (l.n == 0 || l.n > WORDS_OF_A_REQUEST)
		return found;
	bool asks = span_find_char(from.text, '?') < from.text.len;
	find_game(&l);
	find_kind(&l, NO_INTENT);
	enum intent intent = find_intent(&l, asks);
	find_kind(&l, intent == NO_INTENT && !facts->plays && of.in_short_mail ? JOIN : intent);
	if (!facts->plays && of.in_short_mail && (intent == NO_INTENT || intent == HINT))
		intent = newcomers_intent(&l, intent, asks);
	if (intent == NO_INTENT || (intent == ABOUT && !asks) ||
	    ((is_for_players(intent) || (intent == ABOUT && !l.item.kind)) && !facts->plays) ||
	    (is_denied(&l) && intent != ABSENCE && intent != STATUS && intent != WAIT &&
	     intent < WHO))
		return found;
	find_guests(&l);
	find_name_and_key(&l);
	if (facts->unknown && !(l.game || l.item.kind || wants_to_know(&l, intent, asks, of) ||
	                        (!of.is_sentence && speaks_of_games(&l, intent, asks))))
		return found; /* "Help us grow." */
	if (intent == SAME) {
		found.repeats = facts->game != NULL && !facts->gathering;
		found.line = found.repeats ? "" : NULL;
		return found;
	}
	found.line = command_line(&l, intent);
	if (!found.line)
		return found;
	if (grammar_fit_line(span_of(found.line), arena, &item, &row, &why) != FIT_YES)
		found.line = NULL;
	else
		found.shows = only_shows(item.verb);
	return found;
}

/* "28. March" does not end one. */
static struct span take_sentence(struct span *rest)
{
	size_t end = 0;

	while (end < rest->len && !(strchr(".!?", rest->ptr[end]) && end > 0 &&
	                            !isdigit((unsigned char)rest->ptr[end - 1])))
		end++;
	struct span sentence = span_slice(*rest, 0, end + 1);
	*rest = span_slice(*rest, end + 1, rest->len);
	return sentence;
}

/* A paragraph may be one line, and "don't" in one sentence says nothing about another. */
static struct loose_command find_in_sentences(struct text_line from, struct extent of,
                                              const struct loose_facts *facts,
                                              struct arena *arena)
{
	struct loose_command found = {.line = NULL};
	struct span rest = from.text, sentence = take_sentence(&rest);

	if (rest.len == 0)
		return found;
	of.is_sentence = true;
	while (!found.line && sentence.len > 0) {
		found = find_in((struct text_line){from.line, sentence}, of, facts, arena);
		sentence = take_sentence(&rest);
	}
	return found;
}

/* Nothing of one that answers another: that is ours. */
static struct span own_subject(struct span subject, struct arena *arena)
{
	struct span plain = text_plain(text_clean_line(subject, arena), arena);

	return span_eq(text_subject(plain), plain) ? plain : SPAN_EMPTY;
}

/* Few words and no link. */
static bool is_short(const struct command_text *text)
{
	size_t n = 0;

	for (size_t i = 0; i < text->nlines; i++) {
		struct span rest = text->lines[i].text, word;

		for (; span_next_word(&rest, " \t", &word); n++)
			if (span_find(word, SPAN_LIT("://")) < word.len ||
			    span_starts_nocase(word, "www."))
				return false;
	}
	return n <= SHORT_MAIL_WORDS;
}

struct loose_command loose_command_find(const struct command_text *text, struct span subject,
                                        const struct loose_facts *facts, struct arena *arena)
{
	struct loose_command found = {.line = NULL};
	struct extent of = {.in_short_mail = is_short(text)};

	for (size_t i = 0; i < text->nlines && !found.line; i++) {
		found = find_in(text->lines[i], of, facts, arena);
		if (!found.line)
			found = find_in_sentences(text->lines[i], of, facts, arena);
	}
	if (!found.line)
		found = find_in((struct text_line){0, own_subject(subject, arena)},
		                (struct extent){false, false}, facts, arena);
	return found;
}
