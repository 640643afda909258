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

#include "processor/commandtext/grammar.h"
#include "processor/commandtext/loose_line.h"
#include "processor/commandtext/text_line.h"
#include "processor/games/decoration.h"

static const char *const phrases[] = {
#define INTENT(name, command, list) [name] = list,
#include "processor/commandtext/command_words.inc"
#undef INTENT
};

enum {
	WORDS_OF_A_REQUEST = 30,
	HELP_WORDS = 4,
	NAME_WORDS = 3, /* "Mole Park?" */
	WISH_WORDS = 10,
	SHORT_MAIL_WORDS = 16 /* of somebody who wants nothing else */
};

/* What nobody could mean here; "play" and "start" are said of that game by who plays already. */
static bool makes_sense(const struct loose_line *l, enum intent intent)
{
	if (intent == WANT_PLAY)
		return !l->facts->plays || l->game || l->item.kind;
	if (intent == KICK || intent == SKIP)
		return l->person != NULL;
	if (intent == INVITE)
		return l->nguests > 0 || l->facts->gathering;
	if (intent == BEGIN)
		return l->facts->gathering;
	return l->facts->game || !(intent == END_TURN || intent == BACK_TURN ||
	                           intent == CANCEL || intent == GO_ON || intent == MASTER);
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

static enum intent find_intent(struct loose_line *l)
{
	struct found best = {.intent = NO_INTENT};

	for (enum intent i = NO_INTENT + 1; i < INTENTS; i++) {
		struct span list = span_of(phrases[i]), phrase;

		while (makes_sense(l, i) && next_phrase(&list, &phrase))
			for (size_t at = 0; at < l->n; at++) {
				struct found f = {at, loose_line_phrase(l, at, phrase), i};

				if (is_better(&f, &best, l->asks))
					best = f;
			}
	}
	for (size_t i = 0; i < best.n; i++)
		l->taken[best.at + i] = true;
	return best.intent;
}

/* "I don't want to quit"; not "I don't want to play any more", where it is part of the phrase. */
static bool is_denied(const struct loose_line *l)
{
	static const char *const words[] = {"not",   "don't", "dont", "never",
	                                    "won't", "nicht", "kein", "niemals",
	                                    "niet",  "nunca", NULL};

	for (const char *const *w = words; *w; w++)
		if (loose_line_has(l, *w))
			return true;
	return false;
}

/* Whether it changes nothing. */
static bool only_shows(enum verb verb)
{
	return verb == CMD_HELP || verb == CMD_LIST || verb == CMD_STATUS ||
	       verb == CMD_MY_GAMES || verb == CMD_RESEND || verb == CMD_HISTORY ||
	       verb == CMD_RATINGS || verb == CMD_SUMMARY || verb == CMD_WHO ||
	       verb == CMD_ANALYSE || verb == CMD_ARCHIVE;
}

/* What only somebody asks who sits in a game; advertisements speak of addresses and mails too. */
static bool is_for_players(enum intent intent)
{
	return intent == MAILS || intent == ADDRESS || intent == TELL;
}

/* Somebody speaks of themselves. */
static bool has_person(const struct loose_line *l)
{
	static const char persons[] =
	    "i i'd i'm i'll me my we let's lets ich mir mich wir je moi "
	    "nous yo quiero io vorrei ik wij chce";

	for (size_t i = 0; i < l->n; i++)
		if (loose_is_one_of(l->words[i].text, persons))
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
	return (intent == HELP || intent == RULES) && (l->asks || !of.is_sentence);
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

/* Of who does not play yet, in a short mail and a line without any phrase of the list. */
static enum intent newcomers_intent(const struct loose_line *l, enum intent intent)
{
	static const char plays[] =
	    "play playing spielen spiel jouer joue jugar juego giocare gioco "
	    "spelen spel zagrac grac gra partida partie partita game";
	static const char lone[] =
	    "play start begin rules commands register spielen jouer jugar giocare spelen grac";

	if (intent == HINT || (l->n == 1 && loose_is_one_of(l->words[0].text, lone)))
		return HELP;
	/* "Ann has told me about W1"; other things are called so, too. */
	if (l->game && has_person(l))
		return JOIN;
	if (!l->item.kind)
		return NO_INTENT;
	for (size_t i = 0; i < l->n; i++)
		if (!l->taken[i] && loose_is_one_of(l->words[i].text, plays))
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

	if (l->game ||
	    (intent != NO_INTENT && intent != GAMES && intent != HELP && intent != RULES))
		return intent;
	if (loose_line_is_solo(l, &bots) || loose_line_players(l) > 0)
		return CREATE;
	return l->item.kind && !l->asks ? WANT_PLAY : intent;
}

/*
 * Who leaves, or ends the game for all, says so in a sentence: not in one word, not of somebody else, and
 * leaving not by asking about it.
 */
static bool says_it(const struct loose_line *l, enum verb verb)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		n += !is_courtesy(l->words[i].text);
	return n > 1 && !l->person && !(l->asks && verb == CMD_RESIGN);
}

/* The subject, as `from.line` 0, may hold one too. */
static struct loose_command find_in(struct text_line from, struct extent of,
                                    const struct loose_facts *facts, struct arena *arena)
{
	struct loose_command found = {.line = NULL, .from = from};
	struct loose_line l = {.arena = arena, .facts = facts};
	const struct grammar_row *row;
	struct command item;
	const char *why;

	loose_line_split(&l, from.text);
	if (l.n == 0 || l.n > WORDS_OF_A_REQUEST)
		return found;
	l.asks = span_find_char(from.text, '?') < from.text.len;
	bool is_new = !facts->plays && !facts->game;
	loose_line_find_game(&l);
	loose_line_find_guests(&l);
	loose_line_find_person(&l);
	loose_line_find_kind(&l, false);
	enum intent intent = find_intent(&l);
	loose_line_find_kind(&l, intent == JOIN || intent == CREATE ||
	                             (intent == NO_INTENT && is_new && of.in_short_mail));
	if (is_new && of.in_short_mail && (intent == NO_INTENT || intent == HINT))
		intent = newcomers_intent(&l, intent);
	if (facts->newcomer)
		intent = wish_of_newcomer(&l, intent);
	if (intent == NO_INTENT || (intent == ABOUT && !l.asks) ||
	    ((is_for_players(intent) || (intent == ABOUT && !l.item.kind)) && !facts->plays) ||
	    (is_denied(&l) && intent != ABSENCE && intent != STATUS && intent != WAIT &&
	     intent < WHO))
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
	found.line = loose_command_line(&l, intent);
	if (!found.line)
		return found;
	if (grammar_fit_line(span_of(found.line), arena, &item, &row, &why) == FIT_YES &&
	    (item.verb == CMD_RESIGN || item.verb == CMD_TERMINATE))
		found.hints = !says_it(&l, item.verb);
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
