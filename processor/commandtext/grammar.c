/*
 * grammar.c - the commands of the mail language, one row each.
 *
 * A word that changes something must not be an everyday word standing alone: people write
 * "Go" or "Done" to each other, and a mail may be forwarded here by accident.
 */
#include "processor/commandtext/grammar.h"

#include <string.h>

#include "processor/games/registry.h"
#include "reports/report.h"

/* clang-format off */
static const struct grammar_row rows[] = {
	{ CMD_HELP, "HELP", "[command or kind]",
	  "the short guide, one command, the rules of one game", "GET|INFO|?", "HELP JOIN", 0, args_read_help },
	{ CMD_LIST, "LIST", "[game]", "open games, or one game in full",
	  "GAMES|SHOW", "LIST W17", 0, args_read_list },
	{ CMD_JOIN, "JOIN", "game or kind [WAIT] [SEAT n] [AS name] [KEY word]", "take a seat",
	  "CHALLENGE", "JOIN " EXAMPLE_KIND " AS Ann", ROW_ENDS_ORDERS | ROW_WANTS_WORDS,
	  args_read_join },
	{ CMD_CREATE, "CREATE",
	  "kind [name] [AS name] [PLAYERS n] [BOTS n] [LEVEL n] [NEXT 3D] [DAYS mon-fri] [AT 20:00] [GRACE 6H] "
	  "[option=value ...] [PRIVATE] [KEY word] [RELIABILITY n] "
	  "[PRESS white, grey or none] [DELIVERY now or report] [OBSERVERS now, report or none] [MASTER]",
	  "a new game", "NEW", "CREATE " EXAMPLE_KIND " PLAYERS 3 BOTS 1 NEXT 2D",
	  ROW_ENDS_ORDERS | ROW_WANTS_WORDS, args_read_create },
	{ CMD_REMATCH, "REMATCH", "[game]", "play a game that has ended again with the same people",
	  "", "REMATCH", 0, args_read_game },
	{ CMD_FORK, "FORK",
	  "[game] AT n [BOTS n] [LEVEL n] [NEXT 3D] [PRIVATE] [KEY word] [AS name]",
	  "a new game that goes on from turn n of another", "", "FORK W17 AT 0",
	  ROW_ENDS_ORDERS | ROW_WANTS_WORDS, args_read_fork },
	{ CMD_PRACTICE, "PRACTICE", "[game] AT n [LEVEL n] [AS name]",
	  "play on from turn n of another game, at once and against bots", "PRACTISE", "PRACTICE W17 AT 4",
	  ROW_ENDS_ORDERS | ROW_WANTS_WORDS, args_read_fork },
	{ CMD_TAKEOVER, "TAKE OVER", "[seat] game [AS name] [KEY word]", "play on for somebody who has gone",
	  "REPLACE", "TAKEOVER W17", ROW_ENDS_ORDERS | ROW_WANTS_WORDS, args_read_takeover },
	{ CMD_INVITE, "INVITE", "address [TO game] [text]", "ask somebody into your game, by one mail to that address",
	  "", "INVITE bob@example.com", ROW_WANTS_WORDS, args_read_invite },
	{ CMD_RESIGN, "RESIGN", "[game]", "leave a game",
	  "WITHDRAW", "RESIGN", ROW_ENDS_ORDERS, args_read_game },
	{ CMD_ORDERS, "ORDERS", "", "orders for the turn replied to; the word may be left out",
	  "", "ORDERS", ROW_TAKES_LINES, args_read_lines },
	{ CMD_CHECK, "CHECK", "[orders]",
	  "only check the orders that follow; used if nothing else comes",
	  "", "CHECK", ROW_TAKES_LINES, args_read_lines },
	{ CMD_PREVIEW, "PREVIEW", "[orders]", "show how the orders that follow might turn out",
	  "PREDICT|TEST", "PREVIEW", ROW_TAKES_LINES, args_read_lines },
	{ CMD_STATUS, "STATUS", "[game]", "your stored orders, who is awaited, the deadline",
	  "SHOW AS", "STATUS W17", 0, args_read_game },
	{ CMD_MY_GAMES, "MY GAMES", "", "all your games in one mail, with a form for your orders",
	  "OVERVIEW", "MY GAMES", 0, args_read_nothing },
	{ CMD_CLEAR, "CLEAR", "", "withdraw your stored orders of this turn",
	  "CLEAR ORDERS", "CLEAR", ROW_ENDS_ORDERS, args_read_nothing },
	{ CMD_SET_WAIT, "SET WAIT", "", "hold the turn until its deadline",
	  "", "SET WAIT", 0, args_read_nothing },
	{ CMD_SET_NOWAIT, "SET NO WAIT", "", "let the turn go on when all orders are in",
	  "", "SET NOWAIT", 0, args_read_nothing },
	{ CMD_SALT, "SALT", "word", "mix a word of yours into the chance of this turn",
	  "", "SALT pepper42", ROW_WANTS_WORDS, args_read_salt },
	{ CMD_SIGNON, "SIGN ON", "[seat] game", "choose the game when not replying",
	  "LOG IN", "SIGNON 2 W17", ROW_ENDS_ORDERS | ROW_WANTS_WORDS, args_read_signon },
	{ CMD_QUEUE, "QUEUE", "n [orders]", "the orders that follow are for turn n, not for this one",
	  "PHASE|ROUND", "QUEUE 7", ROW_TAKES_LINES, args_read_queue },
	{ CMD_QUEUE_OFF, "QUEUE OFF", "[n]", "drop what you have queued, or what is queued for turn n",
	  "", "QUEUE OFF 7", 0, args_read_queue_off },
	{ CMD_ALWAYS, "ALWAYS", "[NOWAIT] [orders]",
	  "the orders that follow are used in each turn in which you send nothing",
	  "", "ALWAYS", ROW_TAKES_LINES, args_read_always },
	{ CMD_ALWAYS_OFF, "ALWAYS OFF", "", "no standing orders any more",
	  "", "ALWAYS OFF", 0, args_read_nothing },
	{ CMD_SET_FALLBACK, "SET FALLBACK", "REPEAT, BOT or DEFAULT",
	  "when nothing at all comes from you: your last orders again, those of a bot, or the default",
	  "", "SET FALLBACK REPEAT", ROW_WANTS_WORDS, args_read_fallback },
	{ CMD_SET_ABSENCE, "SET ABSENCE", "day [TO day]", "you are away: deadlines move behind it",
	  "HOLIDAY|VACATION", "SET ABSENCE 24 Dec TO 3 Jan", ROW_WANTS_WORDS, args_read_absence },
	{ CMD_SET_NOABSENCE, "SET NO ABSENCE", "", "you are back; what was still to come is cancelled",
	  "", "SET NOABSENCE", 0, args_read_nothing },
	{ CMD_SET_MAIL, "SET MAIL", "ALL, ROUND or DIGEST [AT 8:00]; or HTML or PLAIN",
	  "each mail at once, one a turn, or one a day for all games; text that can be tapped, or text alone",
	  "", "SET MAIL DIGEST", 0, args_read_mail },
	{ CMD_SET_WIDTH, "SET WIDTH", "columns, or OFF", "shorter lines and narrow boards, for a phone",
	  "", "SET WIDTH 40", ROW_WANTS_WORDS, args_read_width },
	{ CMD_SET_BOARD, "SET BOARD", "WORDS or DRAWN", "boards in words first, or drawn first",
	  "", "SET BOARD WORDS", ROW_WANTS_WORDS, args_read_board },
	{ CMD_SET_REMINDERS, "SET REMINDERS", "OFF or ON", "no reminders before a deadline, or again",
	  "", "SET REMINDERS OFF", ROW_WANTS_WORDS, args_read_reminders },
	{ CMD_SET_INVITES, "SET INVITES", "OFF or ON", "no invitations into games to this address, or again",
	  "NO INVITES|NO INVITATIONS", "SET INVITES OFF", 0, args_read_set_invites },
	{ CMD_SET_QUIET, "SET QUIET", "from to, or OFF", "hours without reminders",
	  "", "SET QUIET 22:00 07:00", ROW_WANTS_WORDS, args_read_quiet },
	{ CMD_SET_ZONE, "SET ZONE", "place", "times in mails to you as the clocks there show them",
	  "", "SET ZONE Europe/Berlin", ROW_WANTS_WORDS, args_read_zone },
	{ CMD_RESEND, "RESEND", "[n] [game]", "mail n of the game again, or the last report",
	  "REPEAT", "RESEND 4", 0, args_read_resend },
	{ CMD_YES, "YES", "", "confirm what was asked",
	  "", "YES", 0, args_read_nothing },
	{ CMD_NO, "NO", "", "refuse what was asked",
	  "", "NO", 0, args_read_nothing },
	{ CMD_ALSO, "I AM ALSO", "address", "let another address write for you too",
	  "", "I AM ALSO me@example.com", 0, args_read_address },
	{ CMD_ADDRESS, "SET ADDRESS", "address", "have your mail sent to another address",
	  "", "SET ADDRESS me@example.com", 0, args_read_address },
	{ CMD_TOKEN_NEW, "TOKEN NEW", "", "a new reply address; the old one dies",
	  "", "TOKEN NEW", 0, args_read_nothing },
	{ CMD_PRESS, "PRESS TO", "names [ANON]",
	  "a message to these players: the lines below it, up to ENDPRESS",
	  "MESSAGE TO|CHAT TO", "PRESS TO ALL\nHello!\nENDPRESS", ROW_TAKES_TEXT, args_read_press },
	{ CMD_BROADCAST, "BROADCAST", "[ANON]",
	  "a message to all: the lines below it, up to ENDBROADCAST",
	  "", "BROADCAST\nHello!\nENDBROADCAST", ROW_TAKES_TEXT, args_read_broadcast },
	{ CMD_DIARY, "DIARY", "", "a note that nobody reads before the end: the lines up to ENDPRESS",
	  "NOTE", "DIARY\nI wonder.\nENDPRESS", ROW_TAKES_TEXT, args_read_diary },
	{ CMD_NUDGE, "NUDGE", "[game]", "a friendly reminder to those whom all wait for",
	  "POKE", "NUDGE", 0, args_read_game },
	{ CMD_THANKS, "THANKS", "seat or player [game]", "after the end: say thank you to a player",
	  "", "THANKS Bob", ROW_IS_TALK, args_read_who },
	{ CMD_OBSERVE, "OBSERVE", "game [KEY word]", "watch a game: its reports, and messages to all",
	  "WATCH", "OBSERVE W17", ROW_WANTS_WORDS, args_read_observe },
	{ CMD_MONITOR, "MONITOR", "game [KEY word]", "watch a game: its reports alone",
	  "", "MONITOR W17", ROW_WANTS_WORDS, args_read_observe },
	{ CMD_UNOBSERVE, "UNOBSERVE", "[game]", "stop watching",
	  "STOP OBSERVING|STOP WATCHING|UNSUBSCRIBE", "UNOBSERVE W17", 0, args_read_game },
	{ CMD_HISTORY, "HISTORY", "[game] [FROM n] [TO n]", "reports of past turns",
	  "", "HISTORY W17 FROM 2 TO 5", 0, args_read_history },
	{ CMD_SUMMARY, "SUMMARY", "[game]", "a table of the turns so far",
	  "", "SUMMARY W17", 0, args_read_game },
	{ CMD_ARCHIVE, "ARCHIVE", "[game]", "the record of a game",
	  "EXPORT", "ARCHIVE W17", 0, args_read_game },
	{ CMD_ANALYSE, "ANALYSE", "[game]", "after the end: who was how near to winning, and what moved it",
	  "ANALYZE|ANALYSIS", "ANALYSE W17", 0, args_read_game },
	{ CMD_VERIFY, "VERIFY", "[game]", "check the receipt, report or record in this mail",
	  "", "VERIFY", ROW_ENDS_MAIL, args_read_game },
	{ CMD_RATINGS, "RATINGS", "[kind]", "who plays best, in all games or one kind",
	  "STANDINGS", "RATINGS", 0, args_read_ratings },
	{ CMD_WHO, "WHO", "[name]", "how reliable and how good somebody is; alone: you",
	  "INFO PLAYER", "WHO", 0, args_read_whom },
	{ CMD_SET_DRAW, "SET DRAW", "[game]", "agree to end the game as a draw",
	  "", "SET DRAW", 0, args_read_game },
	{ CMD_SET_NODRAW, "SET NO DRAW", "[game]", "take that back",
	  "", "SET NODRAW", 0, args_read_game },
	{ CMD_SET_CONCEDE, "SET CONCEDE", "player [game]", "agree that this player has won",
	  "", "SET CONCEDE 2", ROW_WANTS_WORDS, args_read_who },
	{ CMD_SET_NOCONCEDE, "SET NO CONCEDE", "[game]", "take that back",
	  "", "SET NOCONCEDE", 0, args_read_game },
	{ CMD_VOTE, "VOTE", "[NO] PAUSE, RESUME or CANCEL [game]",
	  "vote to stop the clocks, to go on, to end the game",
	  "", "VOTE PAUSE", ROW_WANTS_WORDS, args_read_vote },
	{ CMD_ASK_FOR, "ASK FOR", "time [game]", "more time for this turn, if the others agree",
	  "", "ASK FOR 2 DAYS", ROW_WANTS_WORDS, args_read_more_time },
	{ CMD_SET_DEADLINE, "SET DEADLINE", "time [game] [UNRATED]", "move the deadline of the turn",
	  "", "SET DEADLINE 2D", ROW_WANTS_WORDS, args_read_deadline },
	{ CMD_SET_GRACE, "SET GRACE", "length [game]", "time for late orders, from this turn on",
	  "", "SET GRACE 6H", ROW_WANTS_WORDS, args_read_grace },
	{ CMD_SET_START, "SET START", "time [game]", "begin not before that, though all seats are taken",
	  "", "SET START 2D", ROW_WANTS_WORDS, args_read_when },
	{ CMD_FORCE_BEGIN, "FORCE BEGIN", "[game]", "begin with those who are there",
	  "", "FORCE BEGIN", 0, args_read_game },
	{ CMD_PAUSE, "PAUSE", "[game]", "stop the clocks",
	  "SUSPEND", "PAUSE", 0, args_read_game },
	{ CMD_RESUME, "RESUME", "[game]", "go on after a pause",
	  "", "RESUME", 0, args_read_game },
	{ CMD_PROCESS, "PROCESS", "turn [game] [UNRATED]", "end this turn now",
	  "", "PROCESS 4", ROW_WANTS_WORDS, args_read_ended_turn },
	{ CMD_ROLLBACK, "ROLLBACK", "turn [game] [UNRATED]", "go back to the end of that turn",
	  "", "ROLLBACK 3", ROW_WANTS_WORDS, args_read_ended_turn },
	{ CMD_EJECT, "EJECT", "seat or player [game] [UNRATED]", "remove a player from the game",
	  "", "EJECT 2", ROW_WANTS_WORDS, args_read_ejected },
	{ CMD_PROMOTE, "PROMOTE", "seat or player [AS CO-MASTER] [game]", "make somebody the master",
	  "", "PROMOTE 2", ROW_WANTS_WORDS, args_read_promoted },
	{ CMD_DEMOTE, "DEMOTE", "seat or player [game]", "make a co-master a player like others",
	  "", "DEMOTE 2", ROW_WANTS_WORDS, args_read_who },
	{ CMD_ALLOW, "ALLOW", "address or player [game]", "let somebody in without key and reliability",
	  "", "ALLOW bob@example.com", ROW_WANTS_WORDS, args_read_guest },
	{ CMD_DENY, "DENY", "address or player [game]", "let somebody neither play nor watch",
	  "", "DENY bob@example.com", ROW_WANTS_WORDS, args_read_guest },
	{ CMD_BECOME, "BECOME", "seat [game]", "play a vacant seat",
	  "", "BECOME 2", ROW_WANTS_WORDS, args_read_who },
	{ CMD_OFFICIAL, "OFFICIAL", "text", "say something to all and for the record",
	  "", "OFFICIAL: back on Monday", ROW_WANTS_WORDS | ROW_TAKES_COLON, args_read_official },
	{ CMD_TERMINATE, "TERMINATE", "[game] [UNRATED]", "end the game",
	  "", "TERMINATE", 0, args_read_terminated },
};
/* clang-format on */
enum { NROWS = sizeof(rows) / sizeof(rows[0]) };

/* What stands above the first row of a group, in the table that people read. */
static const struct {
	enum verb first;
	const char *heading;
} groups[] = {
    {CMD_HELP, "Games: find one, begin one, leave one"},
    {CMD_ORDERS, "Your turn"},
    {CMD_QUEUE, "When you will be late or away"},
    {CMD_SET_MAIL, "Your mails and your address"},
    {CMD_PRESS, "Talk at the table"},
    {CMD_OBSERVE, "Watch a game"},
    {CMD_HISTORY, "Look back, check, compare"},
    {CMD_SET_DRAW, "Decide together"},
    {CMD_SET_DEADLINE, "For the master of a game"},
};

size_t grammar_row_count(void)
{
	return NROWS;
}

const struct grammar_row *grammar_row_at(size_t i)
{
	return &rows[i];
}

/* The command whose words, ours or an alias, are exactly `words`. */
static const struct grammar_row *row_named(struct span words)
{
	for (size_t i = 0; i < grammar_row_count(); i++) {
		const struct grammar_row *row = grammar_row_at(i);
		struct span aliases = span_of(row->aliases), phrase = span_of(row->words);

		do {
			struct span rest = words;

			if (take_phrase(&rest, phrase) && rest.len == 0)
				return row;
		} while (next_phrase(&aliases, &phrase));
	}
	return NULL;
}

/* "press" for PRESS TO, "set" for the first of that kind. */
static const struct grammar_row *row_beginning(struct span word)
{
	for (size_t i = 0; i < grammar_row_count(); i++) {
		const struct grammar_row *row = grammar_row_at(i);
		struct span aliases = span_of(row->aliases), phrase = span_of(row->words);

		do {
			struct span rest = word, first = phrase;

			(void)span_next_word(&phrase, "", &first);
			if (first.len > 2 && take_phrase(&rest, first) && rest.len == 0)
				return row;
		} while (next_phrase(&aliases, &phrase));
	}
	return NULL;
}

enum fit args_read_help(struct args *args, struct command *item)
{
	struct span rest = args->rest;
	const struct grammar_row *row;

	if (rest.len == 0)
		return FIT_YES;
	row = row_named(rest);
	if (row != NULL) {
		item->topic = span_of(row->words);
		return FIT_YES;
	}
	item->topic = span_eq_nocase(rest, "commands") ? span_of("COMMANDS")
	                                               : report_topic(rest);
	if (item->topic.len > 0)
		return FIT_YES;
	if (args_take_kind(&rest, &item->kind) && rest.len == 0)
		return FIT_YES;
	row = row_beginning(args->rest);
	if (row != NULL) {
		item->topic = span_of(row->words);
		return FIT_YES;
	}
	args->why =
	    "HELP knows the commands, the kinds of game, the word COMMANDS, and words such "
	    "as LATE or DIGEST.";
	return FIT_NO;
}

/* "Orders:" is how people head a list. */
static bool take_row_phrase(const struct grammar_row *row, struct span phrase,
                            struct span *rest)
{
	struct span line = *rest;
	size_t colon = span_find_char(line, ':');

	if (take_phrase(rest, phrase))
		return true;
	if ((row->flags & (ROW_TAKES_LINES | ROW_TAKES_TEXT | ROW_TAKES_COLON)) == 0 ||
	    colon == line.len)
		return false;
	line = span_slice(line, 0, colon);
	if (!take_phrase(&line, phrase) || line.len > 0)
		return false;
	*rest = span_trim(span_slice(*rest, colon + 1, rest->len));
	return true;
}

struct fitting {
	struct span line;
	struct arena *arena;
	struct command *item;
	const struct grammar_row *row; /* the first whose words fitted */
	const char *why;
};

static enum fit fit_phrase(struct fitting *f, const struct grammar_row *row, struct span phrase)
{
	struct args args = {.rest = f->line, .arena = f->arena};
	enum fit fit;

	if (!take_row_phrase(row, phrase, &args.rest))
		return FIT_NO;
	*f->item = (struct command){.verb = row->verb};
	fit = row->read(&args, f->item);
	if (fit != FIT_NO || f->row == NULL) {
		f->row = row;
		f->why = args.why;
	}
	return fit;
}

static enum fit fit_row(struct fitting *f, const struct grammar_row *row)
{
	struct span aliases = span_of(row->aliases), phrase;
	enum fit fit = fit_phrase(f, row, span_of(row->words));

	while (fit == FIT_NO && next_phrase(&aliases, &phrase))
		fit = fit_phrase(f, row, phrase);
	return fit;
}

static const struct grammar_row *row_of(enum verb verb)
{
	for (size_t i = 0; i < NROWS; i++)
		if (rows[i].verb == verb)
			return &rows[i];
	BUG("no row for verb %d", (int)verb);
}

const char *verb_words(enum verb verb)
{
	return row_of(verb)->words;
}

/* The one command without a word of its own: "2@W17". */
static bool fit_seat_at_game(struct fitting *f)
{
	struct span rest = f->line;

	*f->item = (struct command){.verb = CMD_SIGNON};
	if (!args_take_seat_at_game(&rest, f->item) || rest.len > 0)
		return false;
	f->row = row_of(CMD_SIGNON);
	return true;
}

/* Nearly every row is out of the question by the first letter of the line. */
static bool may_begin_with(const struct grammar_row *row, char first)
{
	bool begins = row->words[0] == first;

	for (const char *c = row->aliases; *c != '\0' && !begins; c++)
		begins = *c == first && (c == row->aliases || c[-1] == '|');
	return begins;
}

enum fit grammar_fit_line(struct span line, struct arena *arena, struct command *item,
                          const struct grammar_row **row, const char **why)
{
	char first = line.len > 0 ? text_upper(line.ptr[0]) : '\0';
	struct fitting f = {.line = line, .arena = arena, .item = item};
	enum fit fit = FIT_NO;

	if (fit_seat_at_game(&f))
		fit = FIT_YES;
	for (size_t i = 0; fit == FIT_NO && i < NROWS; i++)
		if (may_begin_with(&rows[i], first))
			fit = fit_row(&f, &rows[i]);
	*row = f.row;
	*why = f.why;
	return fit;
}

static void add_aliases(struct strbuf *out, const char *aliases)
{
	struct span list = span_of(aliases), phrase;
	const char *comma = "";

	while (next_phrase(&list, &phrase)) {
		strbuf_addf(out, "%s%.*s", comma, SPAN_ARGS(phrase));
		comma = ", ";
	}
}

static void add_heading(struct strbuf *out, enum verb verb)
{
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
		if (groups[i].first == verb)
			strbuf_addf(out, "%s\n", groups[i].heading);
}

/* As the example writes them: "SET NOWAIT", though "SET NO WAIT" is understood as well. */
static void add_words(struct strbuf *out, const struct grammar_row *row)
{
	const char *shown = row->example;

	for (const char *c = row->words; *c != '\0'; c++) {
		if (*c == ' ' && *shown != ' ')
			continue;
		strbuf_addc(out, *c);
		shown++;
	}
}

void grammar_add_table(struct strbuf *out)
{
	for (size_t i = 0; i < NROWS; i++) {
		add_heading(out, rows[i].verb);
		add_words(out, &rows[i]);
		strbuf_addf(out, "%s%s\t%s\t", rows[i].grammar[0] != '\0' ? " " : "",
		            rows[i].grammar, rows[i].meaning);
		add_aliases(out, rows[i].aliases);
		strbuf_addc(out, '\n');
	}
}
