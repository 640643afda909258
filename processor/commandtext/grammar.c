/*
 * grammar.c - the commands of the mail language, one row each.
 *
 * A word that changes something must not be an everyday word standing alone: people write
 * "Go" or "Done" to each other, and a mail may be forwarded here by accident.
 */
#include "processor/commandtext/grammar.h"

#include <limits.h>
#include <string.h>

#include "processor/commandtext/create_settings.h"
#include "processor/games/registry.h"
#include "processor/quotes/text_line.h"
#include "reports/report.h"

/* clang-format off */
#define INTO(member) offsetof(struct command, member)
#define SLOTS(...) .slots = (const struct slot[]){__VA_ARGS__, {.type = SLOT_NONE}}
#define OPTIONAL SLOT_OPTIONAL
#define HIDDEN (SLOT_OPTIONAL | SLOT_HIDDEN)

#define SAID(flag, key, member) {.type = SLOT_SAID, .flags = flag, .keyword = key, .into = INTO(member)}
#define SAID_AS(flag, key, member, value) \
	{.type = SLOT_SAID, .flags = flag, .keyword = key, .into = INTO(member), .min = value}
#define NUMBER(flag, key, member, least, most, reason) \
	{.type = SLOT_NUMBER, .flags = flag, .keyword = key, .into = INTO(member), .min = least, .max = most, .why = reason}
#define CHOICE(flag, key, member, first, list, reason) \
	{.type = SLOT_CHOICE, .flags = flag, .keyword = key, .into = INTO(member), .min = first, .words = list, .why = reason}
#define WORD(flag, key, member, reason) \
	{.type = SLOT_WORD, .flags = flag, .keyword = key, .into = INTO(member), .why = reason}
#define TEXT(flag, member, words, bytes, name, reason) \
	{.type = SLOT_TEXT, .flags = flag, .into = INTO(member), .min = words, .max = bytes, .shown = name, .why = reason}

#define GAME {.type = SLOT_GAME, .flags = OPTIONAL}
#define GAME_BEHIND {.type = SLOT_GAME, .flags = OPTIONAL | SLOT_LETTER, .skipped = "IN"}
#define GAME_WATCHED {.type = SLOT_GAME, \
	.why = "Here the id of a game is needed, such as W17, and of a private game its KEY."}
#define WHO(name_shown) {.type = SLOT_WHO, .into = INTO(name), .skipped = "TO|SEAT", .shown = name_shown}
#define GUEST {.type = SLOT_GUEST, .into = INTO(name), .skipped = "TO|SEAT"}
#define ADDRESS {.type = SLOT_ADDRESS, .into = INTO(name)}
#define AS_NAME {.type = SLOT_NAME, .flags = OPTIONAL, .keyword = "AS", .into = INTO(name), \
	.why = "Behind AS stands a name of up to three words; put it between quotes if it is longer or made of everyday words."}
#define KEY WORD(OPTIONAL, "KEY", key, NULL)
#define LINES {.type = SLOT_LINES, .flags = OPTIONAL}
#define MOMENT {.type = SLOT_MOMENT, \
	.why = "A time is written 2D or 12H (from now on), +1D (more than there is), or 2026-12-24 20:00 (by your clock)."}
#define TURN_ENDED {.type = SLOT_NUMBER, .into = INTO(number), .max = TURN_MAX, .shown = "turn", .skipped = "TO|TURN|NUMBER", \
	.why = "The number of a turn is missing; STATUS tells it."}
#define TURN_TO_COME(flag) {.type = SLOT_NUMBER, .flags = flag, .into = INTO(number), .min = 1, .max = TURN_MAX, \
	.skipped = "TURN|ROUND", .words = ":", .why = "QUEUE takes the number of a turn, and orders behind it or below it."}
#define UNRATED SAID(OPTIONAL, "UNRATED", unrated)
#define ANON SAID(OPTIONAL, "ANON|ANONYMOUS|GREY|GRAY|UNNAMED", unnamed)
#define MAIL_WHY "SET MAIL takes ALL, ROUND, DIGEST, HTML or PLAIN, and an hour may follow DIGEST."

/* The settings of a game; CREATE and FORK show different ones of them in their usage. */
#define CALENDAR(flag, key, example) \
	{.type = SLOT_OWN, .flags = flag, .keyword = key, .shown = example, .take = create_take_calendar}
#define CALENDAR_LENGTH(flag, key, example) \
	{.type = SLOT_OWN, .flags = flag, .keyword = key, .min = 1, .shown = example, .take = create_take_calendar}
#define PLAYERS(flag) \
	{.type = SLOT_OWN, .flags = flag, .keyword = "PLAYERS", .into = INTO(create.players), .shown = "n", .take = create_take_players}
#define BOTS(flag) \
	{.type = SLOT_OWN, .flags = flag, .keyword = "BOTS", .into = INTO(create.bots), .shown = "n", .take = create_take_bots}
#define LEVEL NUMBER(OPTIONAL, "LEVEL", create.bot_level, 0, BOT_LEVEL_BEST, NULL)
#define NEXT(flag) {.type = SLOT_SECONDS, .flags = flag, .keyword = "NEXT", .into = INTO(create.next_s), \
	.why = "NEXT takes a length of time such as 45M, 12H, 3D or 2W."}
#define CLOCK(flag) CALENDAR(flag, "DAYS", "mon-fri"), CALENDAR(flag, "AT", "20:00"), CALENDAR_LENGTH(flag, "GRACE", "6H")
#define OPTION(flag) \
	{.type = SLOT_OWN, .flags = flag | SLOT_REPEATED, .shown = "option=value ...", .take = create_take_option}
#define PRIVACY(flag) SAID(flag, "PRIVATE", create.is_private), \
	WORD(flag, "KEY", create.key, "KEY takes one word, which those who join must know.")
#define TABLE(flag) \
	{.type = SLOT_NUMBER, .flags = flag, .keyword = "RELIABILITY", .into = INTO(create.reliability), .min = 1, .max = 99, \
	 .words = "%", .why = "RELIABILITY takes a number from 1 to 99: the least percentage of turns in time that those who join must have. Newcomers have 90."}, \
	CHOICE(flag, "PRESS", create.press, 1, "WHITE|GREY|NONE", \
		"PRESS is white (who writes is named), grey (may stay unnamed) or none."), \
	CHOICE(flag, "DELIVERY", create.delivery, 1, "NOW|REPORT", \
		"DELIVERY of messages is now, or report: with the next turn report."), \
	CHOICE(flag, "OBSERVERS", create.observers, 1, "NOW|REPORT|NONE", \
		"OBSERVERS get messages to all now, or with the next report; or there are none."), \
	SAID(flag, "MASTER", create.presides)
#define RARELY CALENDAR(HIDDEN, "ZONE", ""), CALENDAR_LENGTH(HIDDEN, "DELAY", ""), CALENDAR(HIDDEN, "HOLIDAYS", ""), \
	CALENDAR(HIDDEN, "PHASE", ""), CALENDAR(HIDDEN, "QUIET", ""), CALENDAR(HIDDEN, "REMIND", ""), \
	CALENDAR(HIDDEN, "MISSES", ""), CALENDAR(HIDDEN, "VACANT", ""), SAID(HIDDEN, "READY", create.ready), \
	{.type = SLOT_SAID, .flags = HIDDEN, .keyword = "WITHOUT", .into = INTO(create.without_operator), .words = "OPERATOR", \
	 .why = "Behind WITHOUT stands OPERATOR: whoever runs the server may not join."}, \
	{.type = SLOT_OWN, .flags = HIDDEN, .keyword = "FOR", .take = create_take_guests, \
	 .why = "Behind FOR stand the mail addresses of those who are invited."}
#define TURN_OF_GAME {.type = SLOT_GAME, .flags = OPTIONAL | SLOT_AT_ONCE}, \
	NUMBER(SLOT_AT_ONCE, "AT", number, 0, TURN_MAX, \
		"Behind AT stands the number of the turn to go on from, 0 for the beginning.")
#define HIDDEN_OF_FORK PLAYERS(HIDDEN), CLOCK(HIDDEN), OPTION(HIDDEN), TABLE(HIDDEN), RARELY
/* clang-format on */

/* WAIT is for a place in the queue of a kind. */
static const char *waits_for_kind(struct command *item)
{
	return item->wait != WAIT_NOT && item->kind == NULL
	           ? "WAIT stands behind a kind of game: for one with this id nobody waits."
	           : NULL;
}

/* "ALWAYS OFF" and "QUEUE 7 OFF" are commands of their own. */
static const char *lines_off(struct command *item)
{
	if (span_eq_nocase(item->orders, "off")) {
		item->verb = item->verb == CMD_QUEUE ? CMD_QUEUE_OFF : CMD_ALWAYS_OFF;
		item->orders = SPAN_EMPTY;
	}
	return NULL;
}

static const char *turns_in_order(struct command *item)
{
	return item->to != 0 && item->from > item->to ? "FROM must not be later than TO."
	                                              : NULL;
}

static const char *hour_of_digest(struct command *item)
{
	return item->to != 0 && item->number != SET_MAIL_DIGEST ? MAIL_WHY : NULL;
}

static enum fit take_topic(struct args *args, const struct slot *slot);
static enum fit take_sign_on(struct args *args, const struct slot *slot);

/* clang-format off */
static const struct grammar_row rows[] = {
	{ CMD_HELP, "HELP", "GET|INFO|?", "the short guide, one command, the rules of one game",
	  "HELP JOIN", ROW_SHOWS, SLOTS({.type = SLOT_OWN, .flags = OPTIONAL, .shown = "command or kind", .take = take_topic}) },
	{ CMD_LIST, "LIST", "GAMES|SHOW", "open games, or one game in full",
	  "LIST W17", ROW_SHOWS, SLOTS({.type = SLOT_SAID, .flags = HIDDEN, .keyword = "GAMES"}, GAME) },
	{ CMD_JOIN, "JOIN", "CHALLENGE", "take a seat",
	  "JOIN " EXAMPLE_KIND " AS Ann", ROW_ENDS_ORDERS | ROW_WANTS_WORDS,
	  SLOTS({.type = SLOT_GAME_OR_KIND, .skipped = "IN|OF",
		.why = "JOIN needs the id of a game, such as W17, or a kind of game."},
		SAID_AS(OPTIONAL, "WAIT", wait, WAIT_FOR_IT), SAID_AS(HIDDEN, "NOWAIT", wait, WAIT_NO_MORE),
		NUMBER(OPTIONAL, "SEAT", seat, 1, MAX_SEATS, NULL), AS_NAME, KEY), .check = waits_for_kind },
	{ CMD_CREATE, "CREATE", "NEW", "a new game",
	  "CREATE " EXAMPLE_KIND " PLAYERS 3 BOTS 1 NEXT 2D", ROW_ENDS_ORDERS | ROW_WANTS_WORDS | ROW_IS_SURE,
	  SLOTS({.type = SLOT_KIND, .flags = SLOT_AT_ONCE,
		.why = "CREATE needs a kind of game that this server plays; HELP lists them."},
		{.type = SLOT_OWN, .flags = SLOT_AT_ONCE, .shown = "[name]", .take = create_take_title,
		.why = "A game's name is up to four words; put it between quotes if it is longer or made of everyday words."},
		AS_NAME, PLAYERS(OPTIONAL), BOTS(OPTIONAL), LEVEL, NEXT(OPTIONAL), CLOCK(OPTIONAL), OPTION(OPTIONAL),
		PRIVACY(OPTIONAL), TABLE(OPTIONAL), RARELY), .check = create_settings_check },
	{ CMD_REMATCH, "REMATCH", "", "play a game that has ended again with the same people",
	  "REMATCH", 0, SLOTS(GAME) },
	{ CMD_FORK, "FORK", "", "a new game that goes on from turn n of another",
	  "FORK W17 AT 0", ROW_ENDS_ORDERS | ROW_WANTS_WORDS | ROW_IS_SURE,
	  SLOTS(TURN_OF_GAME, BOTS(OPTIONAL), LEVEL, NEXT(OPTIONAL), PRIVACY(OPTIONAL), AS_NAME, HIDDEN_OF_FORK), .check = create_settings_check },
	{ CMD_PRACTICE, "PRACTICE", "PRACTISE",
	  "play on from turn n of another game, at once and against bots",
	  "PRACTICE W17 AT 4", ROW_ENDS_ORDERS | ROW_WANTS_WORDS | ROW_IS_SURE,
	  SLOTS(TURN_OF_GAME, LEVEL, AS_NAME, BOTS(HIDDEN), NEXT(HIDDEN), PRIVACY(HIDDEN), HIDDEN_OF_FORK), .check = create_settings_check },
	{ CMD_REPLACE, "REPLACE", "", "let the server play for somebody who is missing, if the others agree",
	  "REPLACE 2 BY BOT", ROW_WANTS_WORDS,
	  SLOTS(WHO(NULL), SAID_AS(SLOT_AT_ONCE, "BY BOT|BY A BOT|WITH BOT|WITH A BOT", number, 1), GAME_BEHIND, UNRATED) },
	{ CMD_TAKEOVER, "TAKE OVER", "REPLACE", "play on for somebody who has gone",
	  "TAKEOVER W17", ROW_ENDS_ORDERS | ROW_WANTS_WORDS,
	  SLOTS({.type = SLOT_SEAT_AND_GAME, .why = "TAKEOVER needs the id of a game, such as W17."},
		NUMBER(HIDDEN, "SEAT", seat, 1, MAX_SEATS, NULL), AS_NAME, KEY) },
	{ CMD_INVITE, "INVITE", "", "ask somebody into your game, by one mail to that address",
	  "INVITE bob@example.com", ROW_WANTS_WORDS,
	  SLOTS(ADDRESS, {.type = SLOT_GAME, .flags = OPTIONAL | SLOT_AT_ONCE, .keyword = "TO"},
		TEXT(OPTIONAL | SLOT_AT_ONCE, topic, 0, UINT_MAX, NULL, NULL)) },
	{ CMD_RESIGN, "RESIGN", "WITHDRAW", "leave a game",
	  "RESIGN", ROW_ENDS_ORDERS | ROW_IS_NAMED | ROW_IN_PLACE, SLOTS(GAME) },
	{ CMD_ORDERS, "ORDERS", "", "orders for the turn replied to; the word may be left out",
	  "ORDERS", ROW_TAKES_LINES, SLOTS({.type = SLOT_LINES, .flags = HIDDEN}) },
	{ CMD_CHECK, "CHECK", "", "only check the orders that follow; used if nothing else comes",
	  "CHECK", ROW_TAKES_LINES, SLOTS(LINES) },
	{ CMD_PREVIEW, "PREVIEW", "PREDICT|TEST", "show how the orders that follow might turn out",
	  "PREVIEW", ROW_TAKES_LINES, SLOTS(LINES) },
	{ CMD_STATUS, "STATUS", "SHOW AS", "your stored orders, who is awaited, the deadline",
	  "STATUS W17", ROW_SHOWS, SLOTS(GAME) },
	{ CMD_MY_GAMES, "MY GAMES", "OVERVIEW", "all your games in one mail, with a form for your orders",
	  "MY GAMES", ROW_SHOWS, .slots = NULL },
	{ CMD_CLEAR, "CLEAR", "CLEAR ORDERS", "withdraw your stored orders of this turn",
	  "CLEAR", ROW_ENDS_ORDERS, .slots = NULL },
	{ CMD_SET_WAIT, "SET WAIT", "", "hold the turn until its deadline",
	  "SET WAIT", 0, .slots = NULL, .undo = "SET NOWAIT" },
	{ CMD_SET_NOWAIT, "SET NO WAIT", "", "let the turn go on when all orders are in",
	  "SET NOWAIT", 0, .slots = NULL },
	{ CMD_SALT, "SALT", "", "mix a word of yours into the chance of this turn",
	  "SALT pepper42", ROW_WANTS_WORDS,
	  SLOTS(WORD(0, NULL, name, "SALT takes one word of at most 64 bytes that is not '-'.")) },
	{ CMD_SIGNON, "SIGN ON", "LOG IN", "choose the game when not replying",
	  "SIGNON 2 W17", ROW_ENDS_ORDERS | ROW_WANTS_WORDS, SLOTS({.type = SLOT_OWN, .shown = "[seat] game", .take = take_sign_on}) },
	{ CMD_QUEUE, "QUEUE", "PHASE|ROUND", "the orders that follow are for turn n, not for this one",
	  "QUEUE 7", ROW_TAKES_LINES, SLOTS(TURN_TO_COME(0), LINES), .check = lines_off, .undo = "QUEUE OFF" },
	{ CMD_QUEUE_OFF, "QUEUE OFF", "", "drop what you have queued, or what is queued for turn n",
	  "QUEUE OFF 7", 0, SLOTS(TURN_TO_COME(OPTIONAL)) },
	{ CMD_ALWAYS, "ALWAYS", "",
	  "the orders that follow are used in each turn in which you send nothing",
	  "ALWAYS", ROW_TAKES_LINES,
	  SLOTS(SAID_AS(OPTIONAL, "NOWAIT", number, 1), LINES), .check = lines_off, .undo = "ALWAYS OFF" },
	{ CMD_ALWAYS_OFF, "ALWAYS OFF", "", "no standing orders any more",
	  "ALWAYS OFF", 0, .slots = NULL },
	{ CMD_SET_FALLBACK, "SET FALLBACK", "",
	  "when nothing at all comes from you: your last orders again, those of a bot, or the default",
	  "SET FALLBACK REPEAT", ROW_WANTS_WORDS,
	  SLOTS(CHOICE(SLOT_SURE, NULL, number, FALLBACK_DEFAULT, "DEFAULT|REPEAT|BOT",
		"SET FALLBACK takes REPEAT, BOT or DEFAULT.")) },
	{ CMD_SET_ABSENCE, "SET ABSENCE", "HOLIDAY|VACATION", "you are away: deadlines move behind it",
	  "SET ABSENCE 24 Dec TO 3 Jan", ROW_WANTS_WORDS,
	  SLOTS({.type = SLOT_DAYS, .into = INTO(name),
		.why = "SET ABSENCE takes a day or two, such as 24 Dec TO 3 Jan or 2026-12-24."}), .undo = "SET NOABSENCE" },
	{ CMD_SET_NOABSENCE, "SET NO ABSENCE", "", "you are back; what was still to come is cancelled",
	  "SET NOABSENCE", 0, .slots = NULL },
	{ CMD_SET_MAIL, "SET MAIL", "",
	  "each mail at once, one a turn, or one a day for all games; text that can be tapped, or text alone",
	  "SET MAIL DIGEST", ROW_WANTS_WORDS,
	  SLOTS(CHOICE(OPTIONAL, NULL, number, SET_MAIL_ALL, "ALL|ROUND|DIGEST|HTML|PLAIN", MAIL_WHY),
		{.type = SLOT_HOUR, .flags = OPTIONAL | SLOT_SURE, .skipped = "AT", .shown = "AT 8:00", .why = MAIL_WHY}), .check = hour_of_digest },
	{ CMD_SET_WIDTH, "SET WIDTH", "", "shorter lines and narrow boards, for a phone",
	  "SET WIDTH 40", ROW_WANTS_WORDS,
	  SLOTS({.type = SLOT_NUMBER, .flags = SLOT_SURE, .into = INTO(number), .min = 30, .max = 72,
		.shown = "columns", .none = "OFF"}) },
	{ CMD_SET_BOARD, "SET BOARD", "", "boards in words, or drawn",
	  "SET BOARD WORDS", ROW_WANTS_WORDS, SLOTS(CHOICE(0, NULL, number, 1, "WORDS|DRAWN", NULL)) },
	{ CMD_SET_PROOF, "SET PROOF", "", "the proof of a mail in the mail itself, or in a text attached to it",
	  "SET PROOF SHOWN", ROW_WANTS_WORDS, SLOTS(CHOICE(0, NULL, number, 1, "SHOWN|ATTACHED", NULL)) },
	{ CMD_SET_REMINDERS, "SET REMINDERS", "", "no reminders before a deadline, or again",
	  "SET REMINDERS OFF", ROW_WANTS_WORDS, SLOTS(CHOICE(0, NULL, number, 1, "OFF|ON", NULL)) },
	{ CMD_SET_PUZZLE, "SET PUZZLE", "", "a puzzle on Monday from a game that was played here, or no more",
	  "SET PUZZLE ON", ROW_WANTS_WORDS, SLOTS(CHOICE(0, NULL, number, 1, "OFF|ON", NULL)) },
	{ CMD_SET_INVITES, "SET INVITES", "NO INVITES|NO INVITATIONS",
	  "no invitations into games to this address, or again",
	  "SET INVITES OFF", 0, SLOTS(CHOICE(OPTIONAL, NULL, number, 1, "OFF|ON", NULL)) },
	{ CMD_SET_QUIET, "SET QUIET", "", "hours without reminders",
	  "SET QUIET 22:00 07:00", ROW_WANTS_WORDS,
	  SLOTS({.type = SLOT_HOURS, .none = "OFF|NONE",
		.why = "SET QUIET takes two hours of the day such as 22:00 07:00, or OFF."}) },
	{ CMD_SET_ZONE, "SET ZONE", "", "times in mails to you as the clocks there show them",
	  "SET ZONE Europe/Berlin", ROW_WANTS_WORDS,
	  SLOTS(TEXT(0, name, 4, 64, "place", "SET ZONE takes the name of a place.")) },
	{ CMD_RESEND, "RESEND", "REPEAT", "mail n of the game again, or the last report",
	  "RESEND 4", ROW_SHOWS, SLOTS(NUMBER(OPTIONAL, NULL, number, 1, 999999, NULL), GAME_BEHIND) },
	{ CMD_YES, "YES", "", "confirm what was asked",
	  "YES", 0, .slots = NULL },
	{ CMD_NO, "NO", "", "refuse what was asked",
	  "NO", 0, .slots = NULL },
	{ CMD_ALSO, "I AM ALSO", "", "let another address write for you too",
	  "I AM ALSO me@example.com", 0, SLOTS(ADDRESS) },
	{ CMD_ADDRESS, "SET ADDRESS", "", "have your mail sent to another address",
	  "SET ADDRESS me@example.com", 0, SLOTS(ADDRESS) },
	{ CMD_TOKEN_NEW, "TOKEN NEW", "", "a new reply address; the old one dies",
	  "TOKEN NEW", 0, .slots = NULL },
	{ CMD_PRESS, "PRESS TO", "MESSAGE TO|CHAT TO",
	  "a message to these players: the lines below it, up to ENDPRESS",
	  "PRESS TO ALL\nHello!\nENDPRESS", ROW_TAKES_TEXT,
	  SLOTS({.type = SLOT_RECEIVERS, .flags = SLOT_AT_ONCE, .into = INTO(name),
		.why = "PRESS TO takes names or seats, with commas between; the text goes on the lines below."},
		{.type = SLOT_GAME, .flags = OPTIONAL | SLOT_LETTER | SLOT_HIDDEN, .skipped = "IN"}, ANON) },
	{ CMD_BROADCAST, "BROADCAST", "", "a message to all: the lines below it, up to ENDBROADCAST",
	  "BROADCAST\nHello!\nENDBROADCAST", ROW_TAKES_TEXT | ROW_IN_PLACE, SLOTS(ANON) },
	{ CMD_DIARY, "DIARY", "NOTE", "a note that nobody reads before the end: the lines up to ENDPRESS",
	  "DIARY\nI wonder.\nENDPRESS", ROW_TAKES_TEXT, .slots = NULL },
	{ CMD_NUDGE, "NUDGE", "POKE", "a friendly reminder to those whom all wait for",
	  "NUDGE", 0, SLOTS(GAME) },
	{ CMD_THANKS, "THANKS", "", "after the end: say thank you to a player",
	  "THANKS Bob", ROW_IS_TALK, SLOTS(WHO(NULL), GAME_BEHIND) },
	{ CMD_OBSERVE, "OBSERVE", "WATCH", "watch a game: its reports, and messages to all",
	  "OBSERVE W17", ROW_WANTS_WORDS, SLOTS(GAME_WATCHED, KEY), .undo = "UNOBSERVE" },
	{ CMD_MONITOR, "MONITOR", "", "watch a game: its reports alone",
	  "MONITOR W17", ROW_WANTS_WORDS, SLOTS(GAME_WATCHED, KEY) },
	{ CMD_UNOBSERVE, "UNOBSERVE", "STOP OBSERVING|STOP WATCHING|UNSUBSCRIBE", "stop watching",
	  "UNOBSERVE W17", 0, SLOTS(GAME) },
	{ CMD_HISTORY, "HISTORY", "", "reports of past turns",
	  "HISTORY W17 FROM 2 TO 5", ROW_SHOWS,
	  SLOTS(GAME, NUMBER(OPTIONAL, "FROM", from, 1, TURN_MAX, NULL),
		NUMBER(OPTIONAL, "TO", to, 1, TURN_MAX, NULL)), .check = turns_in_order },
	{ CMD_SUMMARY, "SUMMARY", "", "a table of the turns so far",
	  "SUMMARY W17", ROW_SHOWS, SLOTS(GAME) },
	{ CMD_ARCHIVE, "ARCHIVE", "EXPORT", "the record of a game",
	  "ARCHIVE W17", ROW_SHOWS, SLOTS(GAME) },
	{ CMD_ANALYSE, "ANALYSE", "ANALYZE|ANALYSIS",
	  "after the end: who was how near to winning, and what moved it",
	  "ANALYSE W17", ROW_SHOWS, SLOTS(GAME) },
	{ CMD_VERIFY, "VERIFY", "", "check the receipt, report or record in this mail",
	  "VERIFY", ROW_ENDS_MAIL, SLOTS(GAME) },
	{ CMD_RATINGS, "RATINGS", "STANDINGS", "who plays best, in all games or one kind",
	  "RATINGS", ROW_SHOWS,
	  SLOTS({.type = SLOT_KIND, .flags = OPTIONAL | SLOT_SURE,
		.why = "RATINGS takes a kind of game, or nothing for all of them."}) },
	{ CMD_WHO, "WHO", "INFO PLAYER", "how reliable and how good somebody is; alone: you",
	  "WHO", ROW_SHOWS,
	  SLOTS({.type = SLOT_NAME, .flags = OPTIONAL, .into = INTO(name), .max = SEAT_NAME_COLS,
		.why = "Behind WHO stands the name that somebody goes by, or nothing for yourself."}) },
	{ CMD_SET_DRAW, "SET DRAW", "", "agree to end the game as a draw",
	  "SET DRAW", 0, SLOTS(GAME), .undo = "SET NODRAW" },
	{ CMD_SET_NODRAW, "SET NO DRAW", "", "take that back",
	  "SET NODRAW", 0, SLOTS(GAME) },
	{ CMD_SET_CONCEDE, "SET CONCEDE", "", "agree that this player has won",
	  "SET CONCEDE 2", ROW_WANTS_WORDS, SLOTS(WHO("player"), GAME_BEHIND), .undo = "SET NOCONCEDE" },
	{ CMD_SET_NOCONCEDE, "SET NO CONCEDE", "", "take that back",
	  "SET NOCONCEDE", 0, SLOTS(GAME) },
	{ CMD_VOTE, "VOTE", "", "vote to stop the clocks, to go on, to end the game",
	  "VOTE PAUSE", ROW_WANTS_WORDS,
	  SLOTS(SAID(OPTIONAL, "NO", off), {.type = SLOT_CHOICE, .into = INTO(number), .min = VOTE_FOR_PAUSE,
		.words = "PAUSE|RESUME|CANCEL", .skipped = "TO",
		.why = "What can be voted for is PAUSE, RESUME and CANCEL; see also SET DRAW and SET CONCEDE."},
		GAME_BEHIND) },
	{ CMD_ASK_FOR, "ASK FOR", "", "more time for this turn, if the others agree",
	  "ASK FOR 2 DAYS", ROW_WANTS_WORDS, SLOTS({.type = SLOT_LENGTH}, GAME_BEHIND) },
	{ CMD_SET_DEADLINE, "SET DEADLINE", "", "move the deadline of the turn",
	  "SET DEADLINE 2D", ROW_WANTS_WORDS, SLOTS(MOMENT, GAME_BEHIND, UNRATED) },
	{ CMD_SET_GRACE, "SET GRACE", "", "time for late orders, from this turn on",
	  "SET GRACE 6H", ROW_WANTS_WORDS,
	  SLOTS({.type = SLOT_GRACE, .into = INTO(name), .skipped = "TO|IN",
		.why = "A grace is a length such as 6H or 1D, or NONE."}, GAME_BEHIND) },
	{ CMD_SET_START, "SET START", "", "begin not before that, though all seats are taken",
	  "SET START 2D", ROW_WANTS_WORDS, SLOTS(MOMENT, GAME_BEHIND) },
	{ CMD_FORCE_BEGIN, "FORCE BEGIN", "", "begin with those who are there",
	  "FORCE BEGIN", 0, SLOTS(GAME) },
	{ CMD_START_WITH_BOTS, "START WITH BOTS", "BEGIN WITH BOTS", "begin, with bots on the seats that are free",
	  "START WITH BOTS", 0, SLOTS(GAME) },
	{ CMD_PAUSE, "PAUSE", "SUSPEND", "stop the clocks",
	  "PAUSE", ROW_IN_PLACE, SLOTS(GAME), .undo = "RESUME" },
	{ CMD_RESUME, "RESUME", "", "go on after a pause",
	  "RESUME", ROW_IN_PLACE, SLOTS(GAME) },
	{ CMD_PROCESS, "PROCESS", "", "end this turn now",
	  "PROCESS 4", ROW_WANTS_WORDS | ROW_IS_NAMED, SLOTS(TURN_ENDED, GAME_BEHIND, UNRATED) },
	{ CMD_ROLLBACK, "ROLLBACK", "", "go back to the end of that turn",
	  "ROLLBACK 3", ROW_WANTS_WORDS | ROW_IS_NAMED, SLOTS(TURN_ENDED, GAME_BEHIND, UNRATED) },
	{ CMD_EJECT, "EJECT", "", "remove a player from the game",
	  "EJECT 2", ROW_WANTS_WORDS | ROW_IS_NAMED, SLOTS(WHO(NULL), GAME_BEHIND, UNRATED) },
	{ CMD_PROMOTE, "PROMOTE", "", "make somebody the master",
	  "PROMOTE 2", ROW_WANTS_WORDS,
	  SLOTS(WHO(NULL), SAID_AS(OPTIONAL, "AS CO-MASTER|AS COMASTER", number, 1), GAME_BEHIND) },
	{ CMD_DEMOTE, "DEMOTE", "", "make a co-master a player like others",
	  "DEMOTE 2", ROW_WANTS_WORDS, SLOTS(WHO(NULL), GAME_BEHIND) },
	{ CMD_ALLOW, "ALLOW", "", "let somebody in without key and reliability",
	  "ALLOW bob@example.com", ROW_WANTS_WORDS, SLOTS(GUEST, GAME_BEHIND) },
	{ CMD_DENY, "DENY", "", "let somebody neither play nor watch",
	  "DENY bob@example.com", ROW_WANTS_WORDS, SLOTS(GUEST, GAME_BEHIND) },
	{ CMD_BECOME, "BECOME", "", "play a vacant seat",
	  "BECOME 2", ROW_WANTS_WORDS, SLOTS(WHO("seat"), GAME_BEHIND) },
	{ CMD_OFFICIAL, "OFFICIAL", "", "say something to all and for the record",
	  "OFFICIAL: back on Monday", ROW_WANTS_WORDS | ROW_TAKES_COLON | ROW_IN_PLACE,
	  SLOTS(TEXT(0, name, 0, 600, NULL, NULL)) },
	{ CMD_TERMINATE, "TERMINATE", "", "end the game",
	  "TERMINATE", ROW_IS_NAMED | ROW_IN_PLACE, SLOTS(GAME, UNRATED) },
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

const struct grammar_row *grammar_row_of(enum verb verb)
{
	for (size_t i = 0; i < NROWS; i++)
		if (rows[i].verb == verb)
			return &rows[i];
	BUG("no row for verb %d", (int)verb);
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

static enum fit take_topic(struct args *args, const struct slot *slot)
{
	struct command *item = args->item;
	struct span rest = args->rest, all = rest;
	const struct grammar_row *row;

	(void)slot;
	args->rest = SPAN_EMPTY;
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
	row = row_beginning(all);
	if (row != NULL) {
		item->topic = span_of(row->words);
		return FIT_YES;
	}
	args->misfit.why =
	    "HELP knows the commands, the kinds of game, the word COMMANDS, and words such "
	    "as LATE or DIGEST.";
	return FIT_NO;
}

/* "?W17" is JOIN. */
static enum fit take_sign_on(struct args *args, const struct slot *slot)
{
	enum fit fit;

	if (!args_take_question_mark(&args->rest))
		return args_take_seat_and_game(args, slot);
	*args->item = (struct command){.verb = CMD_JOIN};
	struct args join = {.rest = args->rest,
	                    .arena = args->arena,
	                    .row = grammar_row_of(CMD_JOIN),
	                    .item = args->item};
	fit = slots_read(&join);
	args->rest = join.rest;
	args->misfit = join.misfit;
	return fit;
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
	struct misfit misfit;
};

static enum fit fit_phrase(struct fitting *f, const struct grammar_row *row, struct span phrase)
{
	struct args args = {.rest = f->line, .arena = f->arena, .row = row, .item = f->item};
	enum fit fit;

	if (!take_row_phrase(row, phrase, &args.rest))
		return FIT_NO;
	*f->item = (struct command){.verb = row->verb, .create.bot_level = BOT_LEVEL_USUAL};
	fit = slots_read(&args);
	if (fit != FIT_NO || f->row == NULL) {
		f->row = row;
		f->misfit = args.misfit;
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

const char *verb_words(enum verb verb)
{
	return grammar_row_of(verb)->words;
}

/* The one command without a word of its own: "2@W17". */
static bool fit_seat_at_game(struct fitting *f)
{
	struct span rest = f->line;

	*f->item = (struct command){.verb = CMD_SIGNON};
	if (!args_take_seat_at_game(&rest, f->item) || rest.len > 0)
		return false;
	f->row = grammar_row_of(CMD_SIGNON);
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
                          const struct grammar_row **row, struct misfit *misfit)
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
	if (misfit)
		*misfit = f.misfit;
	return fit;
}

void grammar_add_words(struct strbuf *out, const struct grammar_row *row)
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
		for (size_t g = 0; g < sizeof(groups) / sizeof(groups[0]); g++)
			if (groups[g].first == rows[i].verb)
				strbuf_addf(out, "%s\n", groups[g].heading);
		grammar_add_words(out, &rows[i]);
		slots_add_usage(out, rows[i].slots);
		strbuf_addf(out, "\t%s\t", rows[i].meaning);
		struct span list = span_of(rows[i].aliases), phrase;
		const char *comma = "";

		while (next_phrase(&list, &phrase)) {
			strbuf_addf(out, "%s%.*s", comma, SPAN_ARGS(phrase));
			comma = ", ";
		}
		strbuf_addc(out, '\n');
	}
}

/* ---- subjects ---- */

/* "Re:", "AW:", "Re[2]:" */
static bool take_reply_prefix(struct span *s)
{
	static const char *const words[] = {"re",  "r",  "fw", "fwd", "aw", "antw", "antwort",
	                                    "ynt", "wg", "sv", "vs",  "tr", "rif",  "odp"};
	size_t colon = span_find_char(*s, ':');
	struct span word = span_slice(*s, 0, colon);
	size_t bracket = span_find_char(word, '[');

	if (colon == s->len)
		return false;
	word = span_trim(span_slice(word, 0, bracket));
	if (!span_in_nocase(word, words, sizeof words / sizeof *words))
		return false;
	*s = span_trim(span_slice(*s, colon + 1, s->len));
	return true;
}

/* "[games]" */
static bool take_tag(struct span *s, struct span *tag)
{
	size_t end = span_find_char(*s, ']');

	if (s->len == 0 || s->ptr[0] != '[' || end == s->len)
		return false;
	*tag = span_slice(*s, 1, end);
	*s = span_trim(span_slice(*s, end + 1, s->len));
	return true;
}

/* "W17 turn 4": how our own subjects begin. */
static bool is_our_tag(struct span tag)
{
	struct span word;
	int64_t game;
	char letter;

	return span_next_word(&tag, "", &word) && parse_game_id(word, &game, &letter) &&
	       letter != '\0';
}

struct span text_subject(struct span plain)
{
	struct span tag;

	for (;;) {
		if (take_tag(&plain, &tag)) {
			if (is_our_tag(tag))
				return SPAN_EMPTY;
		} else if (!take_reply_prefix(&plain)) {
			return plain;
		}
	}
}
