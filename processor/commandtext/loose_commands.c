/*
 * loose_commands.c - commands that lines which are none may have meant.
 *
 * One intent is looked for in each line, the first line that has one counts. A phrase of
 * command_words.inc stands for an intent; what stands beside it (loose_line.h) is its arguments, in any order. The
 * line that comes out (loose_command_line.c) is read by the strict grammar, which has the last word.
 */
#include "processor/commandtext/loose_commands.h"

#include <ctype.h>
#include <string.h>

#include "processor/base/utf8.h"
#include "processor/clauses/clauses.h"
#include "processor/commandtext/grammar.h"
#include "processor/commandtext/loose_line.h"
#include "processor/games/decoration.h"
#include "processor/games/loose.h"
#include "processor/quotes/text_line.h"

static const char *const phrases[] = {
#define INTENT(name, command, list) [name] = list,
#define WORD_FOR(verb, word, list)
#include "processor/commandtext/command_words.inc"
#undef WORD_FOR
#undef INTENT
};

enum {
	WORDS_OF_A_REQUEST = 30,
	HELP_WORDS = 4,
	NAME_WORDS = 3, /* "Mole Park?" */
	WISH_WORDS = 10,
	NEWCOMERS_WORDS = 8,
	SHORT_MAIL_WORDS = 16 /* of somebody who wants nothing else */
};

/* What nobody could mean here, or nobody but the master; "play" and "start" are said of that game by who plays already. */
static bool makes_sense(const struct loose_line *l, enum intent intent)
{
	if (intent == WANT_PLAY)
		return !l->facts->plays || l->game || l->item.kind;
	if (intent == WHAT_IS)
		return !l->facts->plays;
	if (intent == KICK || intent == SKIP)
		return l->person != NULL;
	if (intent == CLEAR || intent == BACK)
		return l->facts->plays;
	if (intent == INVITE)
		return l->nguests > 0 || l->facts->gathering || l->asks;
	if (intent == BEGIN)
		return l->facts->gathering;
	if (intent == GRACE || intent == START || intent == DEMOTE || intent == ALLOW ||
	    intent == DENY)
		return l->facts->presides;
	return l->facts->game || !(intent == END_TURN || intent == BACK_TURN ||
	                           intent == CANCEL || intent == GO_ON || intent == MASTER);
}

struct found {
	size_t at, n; /* words */
	enum intent intent;
	unsigned uses, leaves; /* so many of the values that the line names */
	bool falls;            /* a wish that lacks something: a page is shown instead */
};

static bool covers(const struct found *a, const struct found *b)
{
	return a->uses >= b->uses && a->n > b->n && a->at <= b->at &&
	       a->at + a->n >= b->at + b->n;
}

/*
 * "Postpone the deadline?" does not ask for the deadline: inside a longer phrase one says nothing. Else the wish that
 * uses most of what the line names: "no reminders between 10 pm and 7 am" is not for none at all.
 */
static bool is_better(const struct found *a, const struct found *best, bool asks)
{
	bool shows_a = a->intent >= WHO, shows_best = best->intent >= WHO;

	if (best->intent == NO_INTENT || covers(a, best) || covers(best, a))
		return best->intent == NO_INTENT || covers(a, best);
	if (a->uses != best->uses)
		return a->uses > best->uses;
	if (a->leaves != best->leaves)
		return a->leaves < best->leaves;
	if (a->falls != best->falls)
		return best->falls;
	if (a->intent == ABOUT || best->intent == ABOUT) /* asks for anything */
		return best->intent == ABOUT;
	if (((a->at < best->at + best->n && best->at < a->at + a->n) ||
	     (shows_a && shows_best)) &&
	    a->n != best->n)
		return a->n > best->n;
	/* In a question what only shows something goes first: "Wer ist noch dabei?" */
	return asks && shows_a != shows_best ? shows_a : a->intent <= best->intent;
}

static void take_words(struct loose_line *l, const struct found *f, bool taken)
{
	for (size_t i = 0; i < f->n; i++)
		l->taken[f->at + i] = taken;
}

static bool is_within(struct span part, struct span whole)
{
	return part.ptr >= whole.ptr && part.ptr + part.len <= whole.ptr + whole.len;
}

/* Whether `i` stands in one clause with the words found, or `whole`: anywhere. */
static bool is_beside(const struct loose_line *l, const struct found *f, size_t i, bool whole)
{
	return whole || loose_line_clause(l, i) == loose_line_clause(l, f->at);
}

static bool is_first_person(struct span word)
{
	static const char persons[] =
	    "i i'd i'm i'll me my we let's lets ich mir mich wir bin sind je moi nous suis yo "
	    "quiero estoy io vorrei sono ik wij ben chce jestem moge";

	return loose_is_one_of(word, persons);
}

/*
 * "I don't want to quit"; not "I don't want to play any more", where it is part of the phrase, and not "no
 * reminders", where it is what is wanted. Who leaves says so in a sentence without any "not".
 */
static bool is_denied(const struct loose_line *l, const struct found *f)
{
	bool whole = f->intent == RESIGN || f->intent == STOP || f->intent == CANCEL;

	for (size_t i = 0; i < l->n; i++) /* "I'm out, it is not for me" */
		whole = whole &&
		        !(is_first_person(l->words[i].text) && is_beside(l, f, i, false));

	if (f->intent == ABSENCE || f->intent == WAIT || f->intent == QUIET || f->intent >= WHO)
		return false;
	for (size_t i = 0; i < l->n; i++) {
		const struct clause *c = loose_line_clause(l, i);
		bool repairs = c && c->kind == CLAUSE_REPAIR && /* "at six instead" */
		               is_within(l->words[i].written, c->marker);
		/* "No HTML, my reader can't show it": that denies what follows it. */
		bool later = !whole && i >= f->at + f->n &&
		             span_find(l->words[i].text, SPAN_LIT("n't")) <
		                 l->words[i].text.len;

		if (!l->taken[i] && !l->spent[i] && !repairs && !later &&
		    loose_is_negation(l->words[i].text) && is_beside(l, f, i, whole))
			return true;
	}
	return false;
}

/* What is asked in a clause that tells of another time, or only under a condition, is not asked now. */
static bool is_asked_now(const struct loose_line *l, const struct found *f)
{
	const struct clause *c = loose_line_clause(l, f->at);
	bool others = false;

	for (size_t i = 0; i < l->nclauses; i++)
		others = others || (&l->clauses[i] != c && l->clauses[i].kind == CLAUSE_PLAIN);
	if (!c)
		return true;
	if (f->intent == FALLBACK) /* a wish only beside a condition, which says when */
		return c->kind == CLAUSE_CONDITION;
	if (c->kind == CLAUSE_CONDITION)
		return !others;
	bool in_marker = f->n > 0 && (is_within(c->marker, l->words[f->at].written) ||
	                              is_within(l->words[f->at].written, c->marker) ||
	                              is_within(l->words[f->at + f->n - 1].written, c->marker));
	return c->kind != CLAUSE_UNREAL || in_marker;
}

static void add_unused(struct strbuf *out, const char *form, struct span text)
{
	strbuf_addf(out, "%s%s%.*s%s", out->len ? ", " : "", form, SPAN_ARGS(text), form);
}

static bool names_it(struct span command, struct span word)
{
	for (size_t i = 0; i + word.len <= command.len; i++)
		if (utf8_eq_folded(span_slice(command, i, i + word.len), word))
			return true;
	return false;
}

/* Whether the name stands in it where no argument has used it and nobody is only spoken to: "Hi Bob, ..." */
static bool speaks_of(const struct loose_line *l, const char *name)
{
	enum { GREETING = 2 };
	size_t words = 1;

	for (const char *c = name; *c; c++)
		words += *c == ' ';
	for (size_t at = 0; at < l->n; at++) {
		size_t beside = 0;

		for (size_t i = 0; i < l->n; i++)
			beside += loose_line_clause(l, i) == loose_line_clause(l, at);
		if (loose_is_name_at(l, at, name) && !l->spent[at] &&
		    beside > words + GREETING - 1)
			return true;
	}
	return false;
}

/*
 * What the line names and the command does not have, days, hours, lengths, numbers, names, addresses, conditions: how
 * many, into `out`.
 */
static unsigned add_all_unused(const struct loose_line *l, struct span command,
                               struct strbuf *out)
{
	unsigned count = 0;

	for (size_t i = 0; i < l->nclauses; i++)
		if (l->clauses[i].kind == CLAUSE_CONDITION &&
		    l->clauses[i].marker.len < l->clauses[i].text.len && /* "sì" */
		    !(l->used & NAMES_CONDITION)) {
			add_unused(out, "\"", l->clauses[i].text);
			count++;
		}
	for (size_t i = 0; i < l->n; i++) {
		struct span word = l->words[i].written;
		bool digit = false, time = l->times[i] && !l->taken[i] && !l->spent[i];

		for (size_t k = 0; k < word.len; k++)
			digit = digit || isdigit((unsigned char)word.ptr[k]);
		if (!digit && !time && span_find_char(word, '@') == word.len &&
		    (word.len < 4 /* not "mon" */ || loose_weekday(l->words[i].text) == 7))
			continue;
		while (time && i + 1 < l->n && l->times[i + 1] && !l->taken[i + 1] &&
		       !l->spent[i + 1] &&
		       l->words[i + 1].written.ptr > word.ptr) { /* "until Friday" */
			i++;
			word.len = (size_t)(l->words[i].written.ptr - word.ptr) +
			           l->words[i].written.len;
		}
		if (!l->spent[i] && !names_it(command, word)) {
			add_unused(out, "", word);
			count++;
		}
	}
	const struct seat_names *names = l->facts->names;
	for (unsigned seat = 1; names && seat <= names->count; seat++) {
		struct span name = span_of(names->names[seat]);

		if (seat == l->facts->seat || !speaks_of(l, names->names[seat]) ||
		    names_it(command, name))
			continue;
		add_unused(out, "", name);
		count++;
	}
	return count;
}

/* Of a message the first line is the command. */
static bool is_command(const struct loose_line *l, const char *line, struct command *item,
                       const struct grammar_row **row)
{
	struct span rest = span_of(line), first;

	return span_next_line(&rest, &first) &&
	       grammar_fit_line(first, l->arena, item, row, NULL) == FIT_YES;
}

/* Somebody speaks of themselves. */
static bool has_person(const struct loose_line *l)
{
	bool found = false;

	for (size_t i = 0; i < l->n; i++)
		found = found || is_first_person(l->words[i].text);
	return found;
}

/* "I'd like ...", "ich würde gern ...": somebody wants something, for themselves. */
static bool has_wish(const struct loose_line *l)
{
	bool found = false;

	for (size_t i = 0; i < l->n; i++)
		found = found || loose_line_phrase(l, i, SPAN_LIT("%want")) > 0;
	return found && has_person(l);
}

/* "How do I invite somebody?", "what happens if I resign?" */
static bool asks_about(const struct loose_line *l, const struct found *f)
{
	const struct clause *c = loose_line_clause(l, f->at);
	bool question = false;

	for (size_t i = 0; c && i < l->nclauses && !question; i++)
		question = l->clauses[i].kind == CLAUSE_QUESTION &&
		           l->clauses[i].marker.len > 0 &&
		           (&l->clauses[i] == c || c->kind == CLAUSE_CONDITION);
	return question;
}

/*
 * What stands beside the words of a phrase may say that they are about something else: "her address" is nobody's own,
 * "the same game" are no orders, and who gives up trying to read leaves nothing.
 */
static bool is_of_others(const struct loose_line *l, const struct found *f)
{
	size_t to = f->at + f->n;
	bool goes_on = to < l->n && loose_line_clause(l, to) == loose_line_clause(l, f->at);
	struct span next = goes_on ? l->words[to].text : SPAN_EMPTY;
	bool own = false;

	for (size_t i = 0; i < l->n; i++)
		own = own || (is_first_person(l->words[i].text) && is_beside(l, f, i, false));
	if (f->intent == MOVED)
		return !own && has_person(l);
	if (f->intent == RESIGN)
		return next.len > 5 && !span_eq_str(next, "playing") &&
		       span_eq_str(span_slice(next, next.len - 3, next.len), "ing");
	return f->intent == SAME && loose_is_game(next);
}

/* Whether the wish can be carried out as it stands there; fills f->uses and f->leaves. */
static bool is_wish(struct loose_line *l, struct found *f)
{
	struct strbuf unused = STRBUF_INIT;
	const struct grammar_row *row;
	struct command item;

	if (!is_asked_now(l, f) || is_of_others(l, f))
		return false;
	memset(l->spent, 0, sizeof l->spent);
	l->used = 0;
	take_words(l, f, true);
	const char *line = loose_command_line(l, f->intent);
	bool denied = is_denied(l, f);
	if (denied && f->intent == END_TURN) { /* "Don't close this turn yet" */
		f->intent = WAIT;
		line = loose_command_line(l, WAIT);
		denied = false;
	}
	bool wish = (line || f->intent == SAME || f->intent == HINT) && !denied;
	f->leaves = add_all_unused(l, span_of(line ? line : ""), &unused);
	strbuf_release(&unused);
	take_words(l, f, false);
	for (f->uses = 0; l->used != 0; l->used &= l->used - 1)
		f->uses++;
	if (!wish || (line && !is_command(l, line, &item, &row)))
		return false;
	f->falls = line && f->intent < WHO && (row->flags & ROW_SHOWS) != 0;
	return true;
}

/* What nothing but one wish of a player names: then no phrase need say which it is. */
static const struct {
	enum intent intent;
	unsigned named;
} by_value[] = {{ABSENCE, NAMES_DAYS},
                {INVITE, NAMES_ADDRESS},
                {TAKEOVER, NAMES_CHOICE},
                {QUIET, NAMES_HOURS},
                {MORE_TIME, NAMES_LENGTH | NAMES_DAYS},
                {CREATE, NAMES_KIND}};

/* *at: the first word of that value. Whose it is, and whether it is wished for, says the clause that it stands in. */
static bool is_said_by_value(struct loose_line *l, enum intent intent, unsigned named,
                             size_t *at)
{
	const struct loose_facts *facts = l->facts;
	bool knows = false, own = false, wish = false;

	for (size_t i = 0; i < l->nclauses; i++)
		knows = knows ||
		        (l->clauses[i].kind == CLAUSE_QUESTION && l->clauses[i].marker.len > 0);
	memset(l->spent, 0, sizeof l->spent);
	l->used = 0;
	*at = 0;
	if (knows || !loose_command_line(l, intent) || (l->used & named) == 0)
		return false;
	while (*at + 1 < l->n && !l->spent[*at])
		++*at;
	const struct clause *c = loose_line_clause(l, *at);
	for (size_t i = 0; i < l->n; i++)
		if (loose_line_clause(l, i) == c) {
			own = own || is_first_person(l->words[i].text);
			wish = wish || is_courtesy(l->words[i].text) ||
			       loose_line_phrase(l, i, SPAN_LIT("%want")) > 0 ||
			       loose_line_phrase(l, i, SPAN_LIT("%need")) > 0;
		}
	wish = wish || (c && (c->kind == CLAUSE_QUESTION || c->asks ||
	                      (c->kind == CLAUSE_PLAIN && c->marker.len > 0)));
	const char *days = loose_line_days(l);
	bool until = days && span_starts(span_of(days), "TO ");
	if (intent == MORE_TIME)
		return wish && facts->due > 0 && !facts->gathering && !facts->over &&
		       (until || (l->used & NAMES_LENGTH) != 0);
	if (intent == CREATE) {
		unsigned bots;

		return (wish || has_person(l)) &&
		       (loose_line_is_solo(l, &bots) || loose_line_players(l) > 0);
	}
	if (intent != ABSENCE)
		return intent == TAKEOVER || has_person(l) || (intent == INVITE && wish);
	/* "I'll be hiking from 2 May to 6 May", "I'm in Rome until 6 May" */
	return until ? own && !wish : days && strstr(days, "TO ") && has_person(l);
}

static struct found find_intent(struct loose_line *l, bool asks)
{
	struct found best = {.intent = NO_INTENT};

	for (enum intent i = NO_INTENT + 1; i < INTENTS; i++) {
		struct span list = span_of(phrases[i]), phrase;
		bool own = makes_sense(l, i) && loose_command_words(l, i, &phrase);

		/* The words of the command itself, then what else people call it. */
		while (own || (makes_sense(l, i) && next_phrase(&list, &phrase))) {
			for (size_t at = 0; at < l->n; at++) {
				struct found f = {.at = at,
				                  .n = loose_line_phrase(l, at, phrase),
				                  .intent = i};

				if (f.n > 0 && is_wish(l, &f) && is_better(&f, &best, asks))
					best = f;
			}
			own = false;
		}
	}
	for (size_t i = 0; i < sizeof by_value / sizeof *by_value && l->facts->plays; i++) {
		struct found f = {.intent = by_value[i].intent};

		if (is_said_by_value(l, f.intent, by_value[i].named, &f.at) && is_wish(l, &f) &&
		    (best.intent == NO_INTENT ||
		     (f.uses > best.uses && (f.intent != MORE_TIME || best.intent >= WHO))))
			best = f;
	}
	memset(l->spent, 0, sizeof l->spent);
	l->used = 0;
	take_words(l, &best, true);
	return best;
}

/*
 * "Forget what I said about being away", "no draw after all": what is taken back is a command of theirs, named
 * beside words that take something back, or denied while it is in force. "For this turn" names no queue. The opposite;
 * NULL: nothing is.
 */
static const char *taken_back(struct loose_line *l, const struct found *best)
{
	const char *undo = NULL;
	size_t longest = 0;

	for (enum intent i = NO_INTENT + 1; i < INTENTS; i++) {
		struct span list = span_of(phrases[i]), phrase;
		enum verb verb;
		const char *opposite = loose_command_undo(l, i, &verb);

		while (opposite && i != QUEUE && next_phrase(&list, &phrase))
			for (size_t at = 0; at < l->n; at++) {
				struct found f = {.at = at,
				                  .n = loose_line_phrase(l, at, phrase),
				                  .intent = i};
				bool holds = l->facts->in_force[verb];
				bool named = holds || (i != ALWAYS && i != NEXT_TURN);
				bool takes =
				    named && best->intent == CLEAR &&
				    (at >= best->at + best->n || at + f.n <= best->at) &&
				    is_beside(l, best, at, false);

				for (size_t k = 0; f.n > longest && k < l->n && !takes; k++)
					takes = (k < at || k >= at + f.n) &&
					        is_beside(l, &f, k, false) &&
					        ((holds && best->uses == 0 &&
					          loose_is_negation(l->words[k].text)) ||
					         (named &&
					          loose_line_phrase(l, k, SPAN_LIT("%undo"))));
				if (f.n <= longest || !takes)
					continue;
				longest = f.n;
				undo = opposite;
			}
	}
	return undo;
}

/* What only somebody asks who sits in a game; advertisements speak of addresses and mails too. */
static bool is_for_players(enum intent intent)
{
	static const enum intent of_players[] = {
	    MAIL,      MAILS,  REMINDERS, QUIET,    BOARD,       WIDTH,        MOVED, ADDRESS,
	    ALSO,      TELL,   NODRAW,    FALLBACK, TELL_PERSON, NUDGE_PERSON, GRACE, START,
	    NOCONCEDE, DEMOTE, ALLOW,     DENY,     TOKEN,       NOTE};

	for (size_t i = 0; i < sizeof of_players / sizeof *of_players; i++)
		if (of_players[i] == intent)
			return true;
	return false;
}

/* How much of a mail is looked at: a line of it or one sentence of that, and whether it says next to nothing else. */
struct extent {
	bool is_sentence, in_short_mail;
};

/* "How can I play?" in a mail that wants nothing else; not "Let's play it safe", which needs a game's name. */
static bool wants_to_know(const struct loose_line *l, enum intent intent, struct extent of)
{
	if (!of.in_short_mail ||
	    l->n > (l->asks || intent == WANT_PLAY ? WISH_WORDS : HELP_WORDS))
		return false;
	if (intent == WANT_PLAY)
		return !loose_is_one_of(l->words[0].text, "let's lets");
	if (intent == JOIN) /* "May I join?" */
		return l->asks && l->n <= HELP_WORDS + 1 && has_person(l);
	return (intent == HELP || intent == WHAT_IS || intent == RULES) &&
	       (l->asks || !of.is_sentence);
}

/*
 * "Join our free webinar!" is no request to this server, and the address may be anybody's: who is not
 * known must name a game or a kind, or ask for a game as a person does.
 */
static bool speaks_of_games(const struct loose_line *l, enum intent intent)
{
	static const char games[] =
	    "help hilfe aide ayuda aiuto hulp pomoc mitspielen meespelen mitmachen meedoen "
	    "game games moles "
	    "spiel spiele spielen "
	    "partie parties jeu jeux "
	    "partida partidas juego juegos partita partite gioco giochi spel "
	    "spellen gra gry gre";
	bool game = false, person = l->asks || intent == GAMES;

	if (l->game || l->item.kind || (intent == HELP && l->n <= HELP_WORDS))
		return true;
	for (size_t i = 0; i < l->n; i++)
		game = game || loose_is_one_of(l->words[i].text, games);
	return game && (person || has_person(l));
}

static const char plays[] = "play spielen jouer jugar giocare spelen zagrac grac";

/* Of who does not play yet, in a short mail and a line without any phrase of the list. */
static enum intent newcomers_intent(const struct loose_line *l, enum intent intent)
{
	static const char games[] = "playing spiel joue juego gioco spel gra partida partie "
				    "partita game";
	static const char lone[] = "start begin rules commands register";
	unsigned bots;
	bool wish = l->n == 1 && (loose_is_one_of(l->words[0].text, plays) ||
	                          loose_is_one_of(l->words[0].text, games));

	if (wish && l->facts->first)
		return WANT_PLAY;
	if (intent == HINT || wish || (l->n == 1 && loose_is_one_of(l->words[0].text, lone)))
		return HELP;
	/* "Ann has told me about W1", "Is W1 full?"; other things are called so, too. */
	for (size_t i = 0; i < l->n && l->game;
	     i++) /* "I don't want to play, only to get the reports of W1" */
		if (loose_is_negation(l->words[i].text))
			return WHO;
	if (l->game && has_person(l))
		return JOIN;
	if (l->game && l->asks && l->n <= NEWCOMERS_WORDS)
		return GAMES;
	if (!l->item.kind)
		return NO_INTENT;
	bool polite = has_person(l);
	for (size_t i = 0; i < l->n; i++)
		polite = polite || is_courtesy(l->words[i].text);
	if (polite && (loose_line_is_solo(l, &bots) || loose_line_players(l) > 0))
		return CREATE;
	for (size_t i = 0; i < l->n; i++)
		if (!l->taken[i] && (loose_is_one_of(l->words[i].text, plays) ||
		                     loose_is_one_of(l->words[i].text, games)))
			return WANT_PLAY;
	return l->asks || l->n <= NAME_WORDS || loose_line_has(l, "about") ? RULES : NO_INTENT;
}

/*
 * Of who has answered us and plays nowhere, the game they name is a wish, and so is how many are to play, or that
 * the computer is; a question about a game is one.
 */
static enum intent wish_of_newcomer(const struct loose_line *l, enum intent intent)
{
	unsigned bots;

	/* "I saw that W1 has a free seat, I'd take it" */
	if (l->game && intent == GAMES && !l->asks && has_person(l))
		return JOIN;
	if (l->game ||
	    (intent != NO_INTENT && intent != GAMES && intent != HELP && intent != RULES))
		return intent;
	if (loose_line_is_solo(l, &bots) || loose_line_players(l) > 0)
		return CREATE;
	return l->item.kind && !l->asks ? WANT_PLAY : intent;
}

/* Of who answers a mail of a game that has ended: what they want to play is that, unless they name another. */
static enum intent wish_after_the_end(const struct loose_line *l, enum intent intent)
{
	struct span list = span_of(phrases[REMATCH]), phrase, word;
	bool play = intent == WANT_PLAY || intent == SAME, unclear = intent == NO_INTENT;

	for (size_t i = 0; i < l->n && unclear && !play; i++)
		play = (loose_is_one_of(l->words[i].text, plays) && has_person(l)) ||
		       (loose_is_game(l->words[i].text) && l->asks);
	/* "Again?": there is nothing else that can be played again. */
	while (unclear && !play && next_phrase(&list, &phrase)) {
		struct strbuf rest = STRBUF_INIT;

		while (span_next_word(&phrase, " ", &word))
			if (!loose_is_game(word) && !loose_is_one_of(word, plays))
				strbuf_addf(&rest, "%s%.*s", rest.len ? " " : "",
				            SPAN_ARGS(word));
		for (size_t i = 0; i < l->n && rest.len > 0; i++) {
			size_t n = loose_line_phrase(l, i, strbuf_span(&rest));

			/* not "See you again next week?" */
			play = play || (n > 0 && (l->asks || i == 0 || has_person(l)) &&
			                (i + n == l->n || loose_line_clause(l, i + n) !=
			                                      loose_line_clause(l, i)));
		}
		strbuf_release(&rest);
	}
	return play && !l->item.kind && !l->game ? REMATCH : intent;
}

/* "Could you remind Bob?" wants something; "who waits?" wants to know. */
static bool asks_to_know(const struct loose_line *l)
{
	for (size_t i = 0; i < l->nclauses; i++)
		if (l->clauses[i].kind == CLAUSE_PLAIN && l->clauses[i].marker.len > 0)
			return false;
	return l->asks;
}

/*
 * Who leaves, or ends something for others, says so in a sentence: not in one word, not under a condition; leaves, or
 * ends the game, not of somebody else, and leaves not by asking about it.
 */
static bool says_it(const struct loose_line *l, enum verb verb)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		n += !is_courtesy(l->words[i].text);
	for (size_t i = 0; i < l->nclauses; i++)
		if (l->clauses[i].kind == CLAUSE_CONDITION)
			return false;
	bool whole = verb == CMD_RESIGN || verb == CMD_TERMINATE;
	return n > 1 && !(l->person && whole) &&
	       !(verb == CMD_RESIGN ? l->asks : asks_to_know(l));
}

/* The subject, as `from.line` 0, may hold one too. */
static struct loose_command find_in(struct text_line from, struct extent of,
                                    const struct loose_facts *facts, struct arena *arena)
{
	struct loose_command found = {.line = NULL, .from = from};
	struct loose_line l = {.arena = arena, .facts = facts};
	const struct grammar_row *row;
	struct command item;

	loose_line_split(&l, from.text);
	loose_line_correct(&l);
	if (l.n == 0 || l.n > WORDS_OF_A_REQUEST)
		return found;
	const bool asks_with_mark = span_find_char(from.text, '?') < from.text.len;
	l.asks = asks_with_mark;
	for (size_t i = 0; i < l.nclauses && (facts->plays || facts->newcomer); i++)
		l.asks = l.asks || l.clauses[i].kind == CLAUSE_QUESTION;
	bool is_new = !facts->plays && !facts->game;
	loose_line_find(&l);
	struct loose_line times = l;
	loose_line_spend_times(&times);
	memcpy(l.times, times.spent, sizeof l.times);
	struct found best = find_intent(&l, asks_to_know(&l));
	enum intent intent = best.intent;
	loose_line_find_kind(&l, intent == JOIN || intent == CREATE ||
	                             (intent == NO_INTENT && is_new && of.in_short_mail));
	if (facts->over)
		intent = wish_after_the_end(&l, intent);
	if (intent == NO_INTENT && facts->plays && asks_with_mark && loose_names_term(&l))
		intent = ABOUT;
	const struct span trimmed = span_trim(from.text);
	if (is_new && intent == NO_INTENT && trimmed.ptr[trimmed.len - 1] == '?' &&
	    has_person(&l) && speaks_of_games(&l, GAMES))
		intent = GAMES;
	if (is_new && intent == NO_INTENT && has_wish(&l) && speaks_of_games(&l, GAMES))
		intent = WANT_PLAY;
	if (is_new && of.in_short_mail && (intent == NO_INTENT || intent == HINT))
		intent = newcomers_intent(&l, intent);
	if (facts->newcomer)
		intent = wish_of_newcomer(&l, intent);
	if (intent == NO_INTENT || (intent == ABOUT && !l.asks) ||
	    ((is_for_players(intent) || (intent == ABOUT && !l.item.kind)) && !facts->plays))
		return found;
	loose_line_find_name_and_key(&l);
	if (facts->unknown && !(l.game || l.item.kind || wants_to_know(&l, intent, of) ||
	                        (!of.is_sentence && speaks_of_games(&l, intent))))
		return found; /* "Help us grow." */
	if (intent == SAME) {
		found.repeats = facts->game != NULL && !facts->gathering;
		found.line = found.repeats ? "" : NULL;
		return found;
	}
	const char *undo = facts->plays ? taken_back(&l, &best) : NULL;
	found.line = undo ? undo : loose_command_line(&l, intent);
	if (!found.line)
		return found;
	if (!is_command(&l, found.line, &item, &row)) {
		found.line = NULL;
		return found;
	}
	found.verb = item.verb;
	/* Who is back and never said that they were away is told so. */
	found.shows = (row->flags & ROW_SHOWS) != 0 ||
	              (item.verb == CMD_SET_NOABSENCE && !facts->in_force[CMD_SET_ABSENCE]);
	if (found.shows)
		return found;
	found.hints = (row->flags & ROW_IS_NAMED) != 0 && !says_it(&l, item.verb);
	if (facts->plays && best.n > 0 && ((found.hints && l.asks) || asks_about(&l, &best))) {
		found.line = arena_printf(arena, "HELP %s", row->words);
		found.shows = true;
		found.hints = false;
		return found;
	}
	struct strbuf unused = STRBUF_INIT;
	unsigned leaves = add_all_unused(&l, span_of(found.line), &unused),
		 uses = (unsigned)(best.n > 0) + (l.game || l.item.kind) + (l.name.len > 0);
	for (unsigned named = l.used & ~(unsigned)NAMES_KIND; named != 0; named &= named - 1)
		uses++;
	if (leaves > 0)
		found.unused = arena_strdup(arena, unused.ptr);
	strbuf_release(&unused);
	if (leaves > uses) { /* then this is hardly what was meant */
		found.line = arena_printf(arena, "HELP %s", row->words);
		found.shows = true;
	}
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

/* "Could you tell Bob to hurry up? And tell Cy I'll be late": one is asked about, the other is not lost. */
static void name_other_wishes(const struct command_text *text, const struct loose_facts *facts,
                              struct arena *arena, struct loose_command *found)
{
	struct strbuf unused = STRBUF_INIT;

	strbuf_adds(&unused, found->unused ? found->unused : "");
	for (size_t i = 0; i < text->nlines; i++) {
		struct span rest = text->lines[i].text;

		while (rest.len > 0) {
			struct span sentence = take_sentence(&rest);
			struct loose_command other =
			    find_in((struct text_line){text->lines[i].line, sentence},
			            (struct extent){.is_sentence = true}, facts, arena);

			sentence = span_trim(sentence);
			if (other.line && !other.shows && !other.repeats &&
			    other.verb != found->verb &&
			    !names_it(span_of(found->line), sentence))
				add_unused(&unused, "\"", sentence);
		}
	}
	if (unused.len > 0)
		found->unused = arena_strdup(arena, unused.ptr);
	strbuf_release(&unused);
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
	if (found.line && !found.shows && !found.repeats)
		name_other_wishes(text, facts, arena, &found);
	return found;
}

/* ---- orders for other turns ---- */

static void blank(struct loose_line *l, struct span text)
{
	memset((char *)l->source.ptr + (text.ptr - l->source.ptr), ' ', text.len);
}

/* Whether a number stands in the clause beside the words from `at` on. */
static bool has_number(const struct loose_line *l, const struct clause *c, size_t at, size_t n)
{
	unsigned number;

	for (size_t i = 0; i < l->n; i++)
		if ((i < at || i >= at + n) && loose_line_clause(l, i) == c &&
		    loose_number(l->words[i].text, 0, UINT32_MAX, &number))
			return true;
	return false;
}

/* Of the words from `at` on: whether a number stands in their sentence. */
static bool has_number_in_sentence(const struct loose_line *l, size_t at)
{
	const struct clause *c = loose_line_clause(l, at), *from = c, *to = c;

	while (from && from > l->clauses && !from[-1].ends_sentence)
		from--;
	while (to && to + 1 < l->clauses + l->nclauses && !to->ends_sentence)
		to++;
	for (; from && from <= to; from++)
		if (has_number(l, from, at, 0))
			return true;
	return false;
}

/* Takes words that say it out of the line, and a clause that says nothing else. */
static void take_out(struct loose_line *l, size_t at, size_t n)
{
	const struct clause *c = loose_line_clause(l, at);

	if (c && (c->kind == CLAUSE_CONDITION || !has_number(l, c, at, n)))
		blank(l, c->text);
	for (size_t i = at; i < at + n; i++)
		blank(l, l->words[i].written);
}

/* The words of one of its phrases of so many words at least; 0 = there is none. */
static size_t phrase_of(const struct loose_line *l, enum intent intent, size_t least,
                        size_t *at)
{
	struct span list = span_of(phrases[intent]), phrase;
	size_t most = 0;

	while (next_phrase(&list, &phrase))
		for (size_t i = 0; i < l->n; i++) {
			size_t n = loose_line_phrase(l, i, phrase);

			if (n < least || n < most || (n == most && i >= *at) ||
			    (n == 1 && i > 0 && /* "Pan as always" */
			     loose_is_one_of(l->words[i - 1].text,
			                     "as like wie comme como come zoals jak")))
				continue;
			most = n;
			*at = i;
		}
	return most;
}

const char *loose_order_scope(struct span lines, unsigned turn, bool plainly,
                              struct arena *arena, struct span *rest)
{
	const struct loose_facts facts = {.turn = turn};
	struct strbuf left = STRBUF_INIT;
	const char *scope = NULL;
	bool digits = false;
	struct span line;

	for (size_t i = 0; i < lines.len; i++)
		digits = digits || isdigit((unsigned char)lines.ptr[i]);
	while (span_next_line(&lines, &line)) {
		struct loose_line l = {.arena = arena, .facts = &facts};
		size_t at = 0, n, k = 0;
		unsigned number;

		loose_line_split(&l, line);
		n = phrase_of(&l, QUEUE, 1, &at);
		if (n > 0 && at + n < l.n && !scope &&
		    loose_number(l.words[at + n].text, turn + 1, TURN_MAX, &number)) {
			scope = arena_printf(arena, "QUEUE %u", number);
			take_out(&l, at, n + 1);
		}
		n = phrase_of(&l, PREVIEW, 2, &at);
		if (n > 0 && !scope && has_number_in_sentence(&l, at)) {
			scope = "PREVIEW";
			for (size_t i = at; i < at + n; i++)
				blank(&l, l.words[i].written);
		}
		bool one_sentence = true;
		for (size_t i = 0; i + 1 < l.nclauses; i++)
			one_sentence = one_sentence && !l.clauses[i].ends_sentence;
		while ((!scope || span_eq_str(span_of(scope), "ALWAYS")) && k++ < 3 &&
		       (n = phrase_of(&l, ALWAYS, plainly ? 2 : 1, &at)) > 0 &&
		       (digits ? has_number_in_sentence(&l, at) : !plainly || one_sentence)) {
			const struct clause *c = loose_line_clause(&l, at);

			/* "Bob always uses 8" is said of something else than all orders. */
			bool within = n == 1 && at > 0 && at + 1 < l.n &&
			              loose_line_clause(&l, at - 1) == c &&
			              loose_line_clause(&l, at + 1) == c &&
			              !is_first_person(l.words[at - 1].text);
			if ((!c || c->kind != CLAUSE_QUESTION) && !within) {
				scope = "ALWAYS";
				take_out(&l, at, n);
			}
			for (size_t i = at; i < at + n; i++)
				l.words[i].text = SPAN_EMPTY;
		}
		bool own = false;
		for (size_t i = 0; phrase_of(&l, FALLBACK, 1, &at) > 0 && i < l.n; i++)
			own = own || (is_first_person(l.words[i].text) &&
			              loose_line_clause(&l, i) == loose_line_clause(&l, at));
		if (own && loose_line_clause(&l, at)->kind == CLAUSE_CONDITION) {
			scope = scope ? scope : "ALWAYS";
			take_out(&l, at, 1);
		}
		strbuf_addf(&left, "%.*s\n", SPAN_ARGS(l.source));
	}
	*rest = arena_dup(arena, strbuf_span(&left));
	strbuf_release(&left);
	return scope;
}

bool loose_next_turn_apart(struct span lines, struct arena *arena, struct span *now,
                           struct span *next)
{
	const struct loose_facts facts = {.turn = 0};
	struct loose_line l = {.arena = arena, .facts = &facts};
	unsigned number;
	size_t at = 0, n;

	loose_line_split(&l, lines);
	n = phrase_of(&l, NEXT_TURN, 1, &at);
	const struct clause *c = n > 0 ? loose_line_clause(&l, at) : NULL;
	bool has = false;

	for (size_t i = at + n; c && i < l.n; i++)
		has = has || (loose_line_clause(&l, i) == c &&
		              loose_number(l.words[i].text, 0, UINT32_MAX, &number));
	if (!has || l.words[at].written.ptr > c->text.ptr + 4) /* "and next turn" */
		return false;
	static const char *const here[] = {"this turn",  "this round",   "diese runde",
	                                   "diesen zug", "dieses mal",   "ce tour",
	                                   "este turno", "questo turno", "deze beurt"};
	for (size_t i = 0; i < at; i++)
		for (size_t k = 0; k < sizeof here / sizeof *here; k++)
			for (size_t w = loose_line_phrase(&l, i, span_of(here[k])); w > 0; w--)
				blank(&l, l.words[i + w - 1].written);
	*now = (struct span){l.source.ptr, (size_t)(c->text.ptr - l.source.ptr)};
	const char *behind = l.words[at + n - 1].written.ptr + l.words[at + n - 1].written.len;
	*next = (struct span){behind, (size_t)(l.source.ptr + l.source.len - behind)};
	return true;
}

struct command_text loose_questions_apart(const struct command_text *text, bool that_ask,
                                          struct arena *arena)
{
	struct command_text out = {.nlines = 0};
	size_t most = 0;

	for (size_t i = 0; i < text->nlines; i++)
		most += text->lines[i].text.len;
	out.lines = arena_calloc(arena, most + 1, sizeof *out.lines);
	for (size_t i = 0; i < text->nlines; i++) {
		const struct text_line *line = &text->lines[i];
		struct span rest = arena_dup(arena, line->text);
		size_t n;
		const struct clause *c = clauses_split(line->text, arena, &n);

		for (size_t k = 0; k < n; k++) {
			if (!c[k].asks && c[k].kind != CLAUSE_QUESTION)
				continue;
			memset((char *)rest.ptr + (c[k].text.ptr - line->text.ptr), ' ',
			       c[k].text.len);
			if (that_ask)
				out.lines[out.nlines++] = (struct text_line){
				    line->line, span_of(arena_printf(arena, "%.*s?",
				                                     SPAN_ARGS(c[k].text)))};
		}
		if (!that_ask)
			out.lines[out.nlines++] = (struct text_line){line->line, rest};
	}
	return out;
}
