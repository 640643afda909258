/*
 * topics.c - what HELP says about each command: one row each.
 */
#include "reports/topics.h"

static const struct topic topics[] = {
    {"ORDERS", "", "ORDER, REPLY, TURN",
     "To play a turn, answer the turn report with your orders, one or several to a line. No "
     "command is needed. You may send new orders until the turn ends: what you send last "
     "counts, and each mail gets a receipt that shows what is stored. Lines quoted with \">\" "
     "or \"|\" are not read, and reading ends at a line with \"-- \" or \"END\".",
     "{orders}"},
    {"HELP", "GET, INFO, ?", "",
     "Sends the short guide, and in a game you play in how it stands. With the name of a game it "
     "sends the rules of that game, with the name of a command it explains that command, and with "
     "COMMANDS it lists all commands.",
     "help {kind}\nhelp join\nhelp commands"},
    {"LIST", "GAMES, SHOW", "",
     "Sends the list of open games, or one game in full with its players and options. You need "
     "not be a player to ask.",
     "list\nlist {game}"},
    {"JOIN", "CHALLENGE", "PLAY, WAITING, WAITING LIST",
     "Takes a seat in a game that is open, and makes you known to the server if you are new. "
     "Name a game by its number or only a kind of game: then you get the first free seat, or "
     "a new public game if there is none. With AS you choose the name others see (at most 20 "
     "letters), with SEAT a seat that is still free; a private game wants its KEY. With WAIT "
     "behind the kind no new game is made: "
     "you get a place in a queue, and a seat as soon as there is one; NOWAIT gives it up.",
     "join {other}\njoin {kind} as Bob\njoin {other} seat 2\njoin {other} key walnut\njoin {kind} "
     "wait"},
    {"SIGNON", "LOGIN", "SEAT",
     "Says which game the lines below it are for. You need it only when you do not answer a "
     "mail of that game, when you answer a digest, or when you have several seats.",
     "signon 2 {game}"},
    {"CREATE", "NEW",
     "OPTIONS, PLAYERS, BOT, BOTS, LEVEL, PRIVATE, KEY, NEXT, DAYS, AT, DELAY, HOLIDAYS, "
     "REMIND, VACANT, VACANT BOT, QUIET ON, CLOCKS, DELIVERY, OPTION, READY",
     "Opens a new game, and you get the first seat. Say how many players, how many of them "
     "the server plays (BOTS) and how well, from 0, careless, to 5 (LEVEL), and the longest "
     "time for a turn (NEXT: 30M, 12H, 3D or 1W). Options of the game are written as "
     "name=value; the rules of each game name them. A game that is PRIVATE is in no list and "
     "wants its key from those who join. The clocks: DAYS and AT say on which days of the "
     "week and at what hour turns end, by the clocks of your zone or of a ZONE you name; NEXT "
     "is then the least time for a turn. GRACE lets those who are late still order for so "
     "long, while the orders of the others are fixed. DELAY keeps a turn open for so long "
     "after the last orders. HOLIDAYS names days on which no turn ends. PHASE gives a kind of "
     "turn another length. QUIET ON keeps deadlines out of the players' quiet hours. REMIND "
     "says how long before a deadline reminders go out, MISSES after how many turns without "
     "orders a seat becomes vacant, and with VACANT BOT the server plays it then. What "
     "players may write to each other is said by PRESS (white: with their names, grey: "
     "without them if they like, or none) and DELIVERY (now, or with the report), when "
     "observers get it by OBSERVERS (now, report, or none: nobody may watch). RELIABILITY "
     "asks for a least share of turns in time, in percent, of those who join; see HELP "
     "RATINGS. With FOR and mail addresses the game is private and these people are "
     "invited into it. With READY all are asked, when the seats are taken, whether they are "
     "still "
     "there, "
     "and who does not say so within three days loses the seat. With MASTER you watch over the "
     "game and take no seat.",
     "create {kind}\n"
     "create {kind} days mon-fri at 20:00 next 24H grace 6H\n"
     "create {kind} next 2D delay 1H holidays 12-24..12-26 remind 12H\n"
     "create {kind} phase 1:5D quiet on misses 4 vacant bot\n"
     "create {kind} \"Sunday moles\" players 3 bots 1 next 2D\n"
     "create {kind} players 4 {option} private key walnut\n"
     "create {kind} press grey delivery report\n"
     "create {kind} players 2 as Ann\n"
     "create {kind} reliability 85\n"
     "create {kind} players 4 ready\n"
     "create {kind} players 3 for bob@example.com, cy@example.com"},
    {"RESIGN", "WITHDRAW", "LEAVE, QUIT",
     "Takes you out of a game for good. The rules of that game say what becomes of your "
     "seat. On its line may stand the number of the game, and nothing else.",
     "resign {game}"},
    {"TAKEOVER", "REPLACE", "VACANT SEAT, SUBSTITUTE, BY",
     "Takes a seat whose player has sent nothing for too long. You get the position and play "
     "on. The seat keeps its name, and with AS you choose the name of yours that stands "
     "beside it; the LIST of open games shows such seats. Whoever has "
     "lost a seat gets it back in the same way, as long as nobody else has taken it. A "
     "private game wants its KEY.\n"
     "With REPLACE, and BY BOT behind a seat or name, the server plays it until then. Any player "
     "can ask the others for it when the seat is vacant or its player has missed a turn or the "
     "deadline and sent nothing since: it is done when more than half of them reply YES before "
     "the turn ends, or at once when the seat is vacant and nobody else could vote. The master "
     "can ask for it of any seat, and decides alone without a seat. The record names who agreed.",
     "takeover {other}\ntakeover 2 {other}\ntakeover {other} as Cleo\nreplace 2 by bot"},
    {"STATUS", "SHOW AS", "",
     "Shows your stored orders, who is still awaited, the deadline and the position.",
     "status\nstatus {game}"},
    {"MY GAMES", "OVERVIEW", "GAMES I PLAY",
     "Sends one mail with all games in which you have a seat, what waits for you first, and a "
     "form in which one answer takes your orders for all of them. STATUS without a game does "
     "the same if you have several.",
     "my games"},
    {"CLEAR", "CLEAR ORDERS", "",
     "Withdraws the orders you have stored for the turn that is open, and a draft of it. You "
     "may send others until it ends.",
     "clear"},
    {"CHECK", "", "DRAFT",
     "Reads the orders on its line, or on the lines below it, and says whether they would be "
     "taken. They are not sent by that, and the turn goes on waiting for you. But if nothing "
     "more comes from you by the deadline, your draft is used, rather than the default; "
     "\"CLEAR\" throws it away. Orders that were not understood whole are kept as a draft too.",
     "check {orders}"},
    {"ALWAYS", "", "ALWAYS OFF, ALWAYS NOWAIT, STANDING, STANDING ORDERS",
     "Stores standing orders: those on its line, or on the lines below it, are used at the "
     "deadline of every turn in which nothing else has come from you, if the game takes them "
     "there. The turn still waits for you until then; with ALWAYS NOWAIT they are in force as "
     "soon as a turn opens. What counts, the first that is there: orders you send, orders "
     "queued for the turn (QUEUE), a draft (CHECK), standing orders, what you chose with SET "
     "FALLBACK, the default of the game. STATUS shows what you have stored; ALWAYS OFF ends "
     "it.",
     "always {orders}\nalways nowait {orders}\nalways off"},
    {"QUEUE", "PHASE, ROUND", "QUEUE OFF, LATER",
     "Keeps the orders on its line, or on the lines below it, for the turn with that number. "
     "When it opens they become your orders there, if the game takes them then, and you can "
     "still replace them; if not, the report says why. Several turns may be queued; QUEUE OFF "
     "drops all, QUEUE OFF and a number what is queued for that turn. With a bar | between "
     "them "
     "several sets are alternatives: the first that the game takes then is used. The number of "
     "the turn "
     "that is open may stand there too: then they are orders for now.",
     "queue 7 {orders}\nqueue off 7"},
    {"SET ABSENCE", "HOLIDAY, VACATION", "SET NOABSENCE, ABSENCE, ABSENT, AWAY, NOABSENCE",
     "Says that you are away, from the first day to the last: 24 Dec, Dec 24, 24.12., "
     "2026-12-24, TODAY and TOMORROW are understood, by the clocks of your zone. Deadlines of "
     "turns that wait for you and fall into that time move behind it in all your games, to a "
     "day or more after your return; the others read that a deadline was moved, not why; a "
     "master who would move one "
     "into that time is told that you are away. "
     "There is a limit to the days. SET NOABSENCE says that you are back.",
     "set absence 24 Dec to 3 Jan\nset noabsence"},
    {"SET FALLBACK", "", "FALLBACK",
     "Says what is done when nothing at all has come from you when a turn ends, neither orders "
     "nor a draft nor standing orders: REPEAT gives your last orders once more, BOT lets the "
     "server play for you, from what you may know, DEFAULT is what the rules say. The turn "
     "counts as missed all the same.",
     "set fallback repeat\nset fallback bot"},
    {"PREVIEW", "PREDICT, TEST", "",
     "Shows what your orders might lead to; what the others do there is made up. It never uses "
     "anything you cannot know. Nothing is stored.",
     "preview {orders}"},
    {"LATE", "", "SILENT, MISSED, MISSES, DEFAULT, GRACE, DEADLINE, DEADLINES",
     "A turn ends when all orders are in, at the latest at its deadline, which every report "
     "names. Before that you are reminded. If the game gives a GRACE, you may still order in "
     "it, while the orders of the others are fixed. If nothing comes from you, the first of "
     "these is used: orders you have queued (QUEUE); at the deadline, without any grace, your "
     "draft (CHECK), or standing orders (ALWAYS); when the grace is over, what you chose with "
     "SET FALLBACK, or the default of the game, and then the turn counts as missed. Whoever "
     "misses several turns in a row, usually three, loses the seat; TAKEOVER gets it back "
     "while it is free. If you know that you will be away, say so with SET ABSENCE, and "
     "deadlines wait for you.",
     "set absence 24 Dec to 3 Jan\n"
     "always {orders}\n"
     "set fallback bot\n"
     "takeover {other}"},
    {"SET ZONE", "", "ZONE, TIME ZONE, CLOCK",
     "Shows times in mails to you as the clocks of a place show them, with UTC beside it: a "
     "large city near you, or a name of the time zone database.",
     "set zone Europe/Berlin\nset zone new york"},
    {"SET WAIT", "", "SET NOWAIT, WAIT, NOWAIT, SET",
     "With SET WAIT the turn stays open until its deadline even when all orders are in, so "
     "that you can think again. SET NOWAIT takes that back. It holds for one turn.",
     "set wait\nset nowait"},
    {"SET WIDTH", "", "WIDTH, COLUMNS, PHONE, NARROW, SET WIDTH OFF",
     "Sets how many columns the lines of your mails have, from 30 to 72; a phone shows about "
     "40. Boards and tables are drawn for them, or told in words. SET WIDTH OFF gives the "
     "usual 72.",
     "set width 40\nset width off"},
    {"SET BOARD", "", "BOARD, WORDS, DRAWN",
     "Sets whether boards in your mails are told in words or drawn.",
     "set board words\nset board drawn"},
    {"SET PROOF", "PROOF", "PROOFS, FOUR WORDS, SHOWN, ATTACHED",
     "Says where the proof of a mail is: in a small text ATTACHED to it, as at first, or SHOWN "
     "below its small print. You need not read it: it is for the day on which you doubt the "
     "server. It has a signed receipt for the orders you sent, and a signed number that stands "
     "for all that has happened in the game so far. Nobody can change either afterwards without "
     "being found out. So keep the mails; when in doubt, forward one with a line VERIFY above it. "
     "Four words stand for that number: whoever reads the same ones in the report of the same "
     "turn was shown the same game. Compare them by telephone. All dice and cards come from a "
     "secret that was fixed before anybody joined: a number made from it is in the proof of your "
     "first mail, and in that of LIST with the number of a game; the secret itself is in that of "
     "the last report.",
     "set proof shown\nset proof attached\nverify"},
    {"SET REMINDERS", "", "REMINDER, REMINDERS, SET REMINDERS OFF, SET REMINDERS ON",
     "Stops the reminders that come before a deadline, or has them come again. Reports and "
     "receipts come all the same; see HELP SET MAIL for fewer of them.",
     "set reminders off\nset reminders on"},
    {"SET PUZZLE", "", "PUZZLE, PUZZLES, SET PUZZLE ON, SET PUZZLE OFF",
     "On Monday you get a position from a public game that has ended here, in which some "
     "orders win at once or are far better than most. Reply with what you would order, and you "
     "hear whether it is right; the solution comes with the next puzzle. In a week without a "
     "good one none comes.",
     "set puzzle on\nset puzzle off"},
    {"INVITE", "", "INVITATION, INVITES, INVITATIONS, INVITE A FRIEND, FRIEND",
     "Has one mail sent to somebody's address that asks them into your game, with a few words "
     "of "
     "yours if you like. They answer YES or NO; you hear which, or that the mail came back. "
     "The "
     "address is shown to nobody. Into one game an address is invited once a week, and you can "
     "send a few invitations a day.",
     "invite bob@example.com\ninvite bob@example.com to {game} Come and play!"},
    {"SET INVITES", "", "NO INVITES, NO INVITATIONS, SET INVITES OFF, SET INVITES ON",
     "Sees to it that no invitations into games come to the address you write from, or that "
     "they "
     "come again.",
     "set invites off\nset invites on"},
    {"THANKS", "", "THANK YOU, THANK, GOOD GAME",
     "Says thank you to a player when a game has ended, for two weeks and once for each game. "
     "The player is told, and WHO tells everybody how often. PRESS TO and BROADCAST work for "
     "two "
     "weeks after the end too; a plain answer to the last mail becomes a message to all, if "
     "you "
     "say YES when you are asked.",
     "thanks Bob\nthanks 2 {game}"},
    {"NUDGE", "POKE", "REMIND THEM, HURRY",
     "Has a friendly reminder sent, in your name, to those whom the game waits for, once a day "
     "in "
     "each game and not before half of the time for the turn is over. Your own orders must be "
     "in. "
     "It comes to nobody in quiet hours, nor to who has turned reminders off.",
     "nudge\nnudge {game}"},
    {"SET QUIET", "", "QUIET, QUIET HOURS, SET QUIET OFF",
     "Names hours of the day, by the clocks of your zone (SET ZONE), in which no reminders are "
     "sent to you; they come before or after. Games created with QUIET ON have no deadlines in "
     "them either. SET QUIET OFF ends it.",
     "set quiet 22:00 07:00\nset quiet off"},
    {"SET MAIL", "",
     "MAIL, MAILS, DIGEST, DIGESTS, ROUNDS, DAILY, QUIET MAIL, HTML, PLAIN, SET MAIL HTML, "
     "SET MAIL PLAIN",
     "Says how many mails you get. ALL: every mail at once; what is over before it has left "
     "is in the next mail of that game. ROUND: one for each turn, its report; receipts for "
     "orders that were taken and messages of other players wait for it and are in it. DIGEST: "
     "one mail a day for all your games, at 8:00 by the clocks of your zone (SET ZONE) or at "
     "the hour you name, on days with something new; earlier when orders would be due within "
     "twelve hours after it, or a reminder is due, so that no turn is missed. An answer to a "
     "digest takes orders for all games, each below its line SIGNON and the number of the "
     "game; the digest brings a form with these lines. Whatever the setting, questions, what "
     "a vote or a master changes, answers to what you ask for, and everything that was not "
     "carried out come at once; each mail that has waited can be had by itself with RESEND, "
     "and SET MAIL alone tells how it is set. SET MAIL HTML adds an HTML form to your mails, "
     "in which orders are sent by tapping them; SET MAIL PLAIN is text alone. Until you say "
     "either, they are as your own last mail was.",
     "set mail round\nset mail digest\nset mail digest at 19:30\nset mail all"},
    {"YES", "", "NO, CONFIRM",
     "Answers a question of the server, for example whether you really want to leave. Answer "
     "the mail that asks.",
     "yes\nno"},
    {"TOKEN NEW", "", "TOKEN, REPLY ADDRESS",
     "Gives you new reply addresses; the old ones stop working. Do this when a mail of "
     "yours fell into wrong hands: whoever has your reply address can play for you.",
     "token new"},
    {"I AM ALSO", "", "ALSO, SECOND ADDRESS, ADDRESSES",
     "Lets another address of yours write for you: what comes from there is carried out as if "
     "you had sent it from the address you are known by. Both addresses are asked first, and "
     "nothing changes before both have said yes. Mail to you goes on to the old one.",
     "I am also me@example.com"},
    {"SET ADDRESS", "", "ADDRESS, NEW ADDRESS, EMAIL",
     "Has your mail sent to another address from now on. Both addresses are asked first, and "
     "nothing changes before both have said yes. The old one may still write for you.",
     "set address me@example.com"},
    {"SALT", "", "",
     "Mixes a word of yours into the chance of this turn. Then nobody can have picked the dice "
     "in advance, not even the server.",
     "salt marmalade"},
    {"HISTORY", "", "", "Sends the reports of past turns again, all of them or some.",
     "history {game}\nhistory {game} from 2 to 4"},
    {"SUMMARY", "", "", "Sends a table with one line for each turn: the scores so far.",
     "summary {game}"},
    {"ARCHIVE", "EXPORT", "RECORD",
     "Sends the full record of a game as text. Anyone can replay and check it with the "
     "program molepost. What is still hidden in a running game stays hidden.",
     "archive {game}"},
    {"RESEND", "REPEAT", "",
     "Sends a mail of the game again: the last report, or the mail with the number you name. "
     "Each mail of a game tells its number at the end. It works after the end of a game too.",
     "resend\nresend 4\nresend 4 {game}"},
    {"FORK", "", "CONTINUE, BRANCH",
     "Opens a new game that goes on from a position of another one: AT 4 is the position after "
     "its turn 4 (the fourth line of its SUMMARY), AT 0 the beginning. A game in which "
     "something is hidden must have ended first; what was hidden is then dealt anew. Seats "
     "keep their names. You get the seat that was yours, or the one named with AS; bots go on "
     "playing theirs unless you say how many BOTS there are to be; the other seats are free to "
     "JOIN. Its clocks are set as with CREATE. The record of the new game says where it comes "
     "from.",
     "fork {game} at 4\nfork {game} at 0 bots 1 next 2D"},
    {"ANALYSE", "ANALYZE", "ANALYSIS, CHANCES, WHY",
     "After the end of a game: sends the chances to win that everybody had after each turn, "
     "and the "
     "three turns that moved yours most, with what a bot of level 5 would have ordered there. "
     "The "
     "chances come from bots that go on playing from each position many times, so they are a "
     "little "
     "rough.",
     "analyse {game}"},
    {"PRACTICE", "PRACTISE", "TRAINING",
     "Goes on from a position of a game that has ended, at once and against bots: AT 4 is the "
     "position after its turn 4, AT 0 the beginning. LEVEL says how well they play, up to 5. "
     "Such a "
     "game counts for no rating. FORK does the same with people.",
     "practice {game} at 4\npractice {game} at 0 level 4"},
    {"RATINGS", "STANDINGS", "RATING, RELIABILITY, RANK, RANKING, ELO",
     "Sends a list of those who play best, in all games or in one kind. WHO shows one person. "
     "Both are worked out from the records of games that have ended, and from nothing else.\n"
     "Reliability is the share of your turns with orders in time, in percent, where what is "
     "long past counts less. Everybody begins with 90. After each turn it moves by a 32nd of "
     "the way: to 100 if your orders came before the deadline or were there already, to 50 if "
     "they came in the grace, to 0 if none came. A turn that you are excused from does not "
     "count, nor does a game against the server alone. For example, one turn in time makes "
     "90.3125 % of 90 %, and a missed turn then 87.4903 %. Whoever creates a game may ask for "
     "the least RELIABILITY of those who join it; with 90 or less newcomers can.\n"
     "Your rating begins at 1500, once for all games and once for each kind. When a game has "
     "been played to its end, each two people in it are compared: 1 goes to who ranks higher, "
     "0 to the other, a half to both if they share a rank. What was to be expected of the "
     "higher rating: 0.500 if they are the same; 0.571 if it is 50 points ahead; 0.640 for "
     "100; 0.703 for 150; 0.760 for 200; 0.808 for 250; 0.849 for 300; 0.882 for 350; 0.909 "
     "for 400 and more; in between, in proportion. The rest is expected of the other. What you "
     "got beyond that, on average over all the others, times 24, is added to your rating; "
     "times 60 in your first five games, when it is marked with a question mark.\n"
     "An example: Ann with 1600 wins, Cy with 1500 is second, Bob with 1500 third; it is one "
     "of Cy's first games. Twice 0.640 was expected of Ann and she got twice 1, that is 0.360 "
     "more on average: 24 times that is 8.640, and she has 1608.640. Cy got 0 against Ann and "
     "1 against Bob, on average 0.070 more than 0.360 and 0.500: 60 times that is 4.200, which "
     "makes 1504.200. Bob got 0.430 less than expected, loses 10.320 and has 1489.680.\n"
     "Nobody is rated for seats that the server plays, for a seat they took over, or in a "
     "game forked from another. Whoever leaves a game, loses the seat, or concedes shares its "
     "last rank; where nobody else is left, it is not rated. A master who plays and acts without the others has lost, and the game is rated for "
     "nobody else.",
     "ratings\nratings {kind}"},
    {"WHO", "INFO PLAYER", "PLAYER, MYSELF",
     "Tells how reliable a player is, and how rated, by the name under which the server "
     "knows them: that of their first game. Alone it tells you about yourself. Addresses are "
     "never shown, nor which seats somebody has under other names.",
     "who\nwho Ann"},
    {"REMATCH", "", "AGAIN, REVENGE",
     "Opens a new game like one that has ended: the same kind, options, clocks and number of "
     "seats, and bots where there were bots. The first who writes it makes the game; the "
     "others who played are asked by mail, and join with REMATCH or YES. Seats are kept for "
     "them for a week. In an answer to the last report you need not name the game.",
     "rematch\nrematch {game}"},
    {"VERIFY", "", "",
     "Checks a mail of ours that you forward below this line with what is attached to it, or "
     "attach: a receipt, a turn report, the record of a game. You are told whether this server signed it, and "
     "whether the record keeps what it promised. Nothing below VERIFY is carried out.",
     "verify"},
    {"PRESS TO", "MESSAGE TO, CHAT TO",
     "PRESS, MESSAGE, MESSAGES, CHAT, ENDPRESS, ENDMESSAGE, ENDCHAT, ANON",
     "Sends a message to other players of the game. Name them, or their seats, with commas "
     "between; ALL is everybody. The lines below are the text, up to ENDPRESS; without that "
     "word, all that you have written in the mail. Orders may be in the same mail, above it "
     "or below ENDPRESS. Your seat is named as the writer, your address never. Where press is "
     "grey you may write ANON behind the names and are not named; LIST and the game's number "
     "tell what its press is. In the grace after a deadline no messages are passed on. You "
     "get one receipt that says who gets it and when.",
     "press to Bob, 3\nShall we let Ann win for once?\nendpress"},
    {"BROADCAST", "", "ENDBROADCAST, ALL",
     "Sends a message to all: to every player of the game, and to those who observe it. The "
     "lines below are the text, up to ENDBROADCAST or ENDPRESS. Where press is grey, BROADCAST "
     "ANON leaves your name out.",
     "broadcast\nGood luck to everybody.\nendbroadcast"},
    {"DIARY", "NOTE", "ENDDIARY, ENDNOTE, DIARIES",
     "Keeps a note of yours under seal until the game ends. Nobody reads it before; then the "
     "last report shows all diaries to everybody. They are not part of the record of the game. "
     "The lines below are the text, up to ENDPRESS.",
     "diary\nI think Bob bluffs.\nendpress"},
    {"OBSERVE", "WATCH", "OBSERVER, OBSERVERS, KIBITZ",
     "Lets you watch a game without a seat. After each turn you get a report with what "
     "anybody may see, and what the players write to all. A private game wants its KEY. You "
     "need not be a player to ask. UNOBSERVE ends it.",
     "observe {other}\nobserve {other} key walnut"},
    {"MONITOR", "", "",
     "Lets you watch a game as OBSERVE does, but you get the reports alone and nothing of what "
     "the players write. UNOBSERVE ends it.",
     "monitor {other}"},
    {"UNOBSERVE", "STOP OBSERVING, STOP WATCHING, UNSUBSCRIBE", "STOP",
     "Ends the mails about a game that you observe or monitor. In an answer to one of them you "
     "need not name the game.",
     "unobserve\nunobserve {other}"},
    {"ASK FOR", "", "ASK, FOR, MORE TIME, ASK FOR MORE TIME, EXTENSION",
     "Asks the table for more time, when the game waits for you: at most a week at a time and "
     "three "
     "times in a game. All others whom it waits for have to reply YES, or a master who plays; "
     "if it "
     "waits for nobody else, one other player.",
     "ask for 2 days\nask for 12H {game}"},
    {"SET DEADLINE", "", "",
     "For the master of a game: moves the deadline of the turn that is open, to so long from "
     "now (2D, 12H), to so much later than it is (+1D), or to a date by the clocks of the "
     "master's place. Everybody is told. At least an hour must be left. An earlier deadline is "
     "for the other players to agree to, if you play too: see MASTER.",
     "set deadline 2D\nset deadline +1D\nset deadline 2026-12-24 20:00"},
    {"SET GRACE", "", "",
     "For the master of a game: from this turn on, whoever misses a deadline may still send "
     "orders for so long, while those of the others are fixed. NONE takes the grace away. "
     "Everybody is told.",
     "set grace 6H\nset grace none"},
    {"SET START", "", "START",
     "For the master of a game that waits for players: it begins at that time, or when its "
     "seats are taken, whichever is later. The time is written as with SET DEADLINE.",
     "set start 2D\nset start 2026-12-24 20:00"},
    {"PAUSE", "SUSPEND", "",
     "For the master of a game: stops its clocks. Orders are still taken and kept, no turn "
     "ends. All players together can do the same: see VOTE.",
     "pause\npause {game}"},
    {"RESUME", "", "",
     "For the master of a game: lets it go on after a pause, with the time that was left.",
     "resume\nresume {game}"},
    {"PROCESS", "", "",
     "For the master of a game: ends the turn that is open without waiting for those who have "
     "sent nothing; for them the default is used, and they are excused. The number of the "
     "turn stands behind it, so that a mail that comes twice does not end two turns; STATUS "
     "tells it. If you play too, the other players are asked: see MASTER.",
     "process 4\nprocess 4 {game}"},
    {"ROLLBACK", "", "TAKE BACK",
     "For the master of a game: goes back to the position after the turn with that number; 0 "
     "is the set-up. What was done since stays in the record, and no longer counts. Dice and "
     "cards up to there stay as they were; those after it will be drawn again. You are asked "
     "for a yes, or the other players are if you play too (see MASTER), and everybody gets the "
     "position.",
     "rollback 3\nrollback 3 {game}"},
    {"EJECT", "", "KICK",
     "For the master of a game: puts a player out of it, by seat or name. You are asked for a "
     "yes, or the other players are if you play too (see MASTER). The seat is vacant then: "
     "no turn waits for it, orders stored for it stay in force until somebody else "
     "plays it, and the default is used when there are none.",
     "eject 2\neject Bob"},
    {"PROMOTE", "", "CO-MASTER, CO, DEMOTE",
     "For the master of a game: makes another player its master in your place. With AS "
     "CO-MASTER behind the name you stay, and that player can do what you can, but for "
     "naming masters; DEMOTE takes it back. If you lose your seat because you sent nothing, a "
     "co-master takes your place.",
     "promote Bob\npromote 2 {game}\npromote Bob as co-master\ndemote Bob"},
    {"ALLOW", "DENY", "BLACKLIST, WHITELIST",
     "For the master of a game: says who may come into it, by mail address, or by the name of "
     "a player who is or was there. Whom you DENY gets no seat of this game and cannot watch "
     "it; a seat they have stays theirs until you EJECT them. Whom you ALLOW needs neither key "
     "nor reliability. The newest word counts, and nobody is told.",
     "allow bob@example.com\ndeny eve@example.com {game}"},
    {"BECOME", "", "",
     "For a master who has no seat: plays a seat that is vacant. Everybody is told, also who "
     "sat there before. You then see what that seat may see.",
     "become 2"},
    {"TERMINATE", "", "",
     "For the master of a game: ends it without a winner. You are asked for a yes, or the "
     "other "
     "players are if you play too (see MASTER). Everybody gets the last report and the record, "
     "with all that was secret.",
     "terminate {game}"},
    {"FORCE BEGIN", "", "FORCE, BEGIN",
     "For the master of a game that waits for players: begins it with those who are there. If "
     "they are too few for the game, the server plays as many seats as are needed. A game that "
     "goes on from another keeps all its seats: the server plays those nobody has taken.",
     "force begin {game}"},
    {"START WITH BOTS", "BEGIN WITH BOTS", "WITH",
     "For the master of a game that waits for players: begins it with all its seats, and the "
     "server plays those that nobody has taken.",
     "start with bots"},
    {"OFFICIAL", "", "",
     "For the master of a game: sends a word to everybody at the table. It is in the next "
     "report and in the record.",
     "official: back on Monday"},
    {"MASTER", "MASTERS", "UNRATED, MOTION",
     "Whoever creates a game is its master, and plays in it too; with MASTER behind CREATE "
     "the creator watches over the game and takes no seat. A master sees no more than "
     "everybody else, and whatever a master does is told to all and is in the record.\n"
     "A master who plays does not decide alone: on PROCESS, ROLLBACK, EJECT, REPLACE, TERMINATE and an "
     "earlier deadline the other players are asked, and it is done when more than half "
     "of them reply YES before the turn ends. With UNRATED behind the command it is done at "
     "once; then the game counts as lost for the master, and is not rated for anybody else.\n"
     "Write the lines below in an answer to a mail of the game, so that it is certain who "
     "writes; "
     "HELP with one of them tells more.",
     "set deadline 2D\n"
     "set grace 6H\n"
     "set start 2D\n"
     "pause\n"
     "resume\n"
     "process 4\n"
     "rollback 3\n"
     "eject 2\n"
     "become 2\n"
     "replace 2 by bot\n"
     "promote 2\npromote 3 as co-master\ndeny eve@example.com\nofficial: back on "
     "Monday\nforce begin\nstart with bots\nterminate"},
    {"SET DRAW", "", "SET NODRAW, DRAW, NODRAW",
     "Agrees to end the game as a draw. When all players who are still in it have done so in "
     "the same turn, it is over, and they share the win. SET NODRAW takes it back.",
     "set draw\nset nodraw"},
    {"SET CONCEDE", "", "SET NOCONCEDE, CONCEDE, NOCONCEDE",
     "Agrees that the player you name has won. When all others who are still in the game have "
     "done so in the same turn, it is over. SET NOCONCEDE takes it back.",
     "set concede Bob\nset concede 2\nset noconcede"},
    {"VOTE", "VOTES", "CANCEL, VOTE PAUSE, VOTE RESUME, VOTE CANCEL",
     "Votes for something that the players do together: PAUSE stops the clocks, and RESUME "
     "lets them go on, when more than half have voted for it; CANCEL ends the game without a "
     "winner when all have. With SET DRAW all end it as a draw, with SET CONCEDE all others "
     "give it to one of them. Votes hold until the turn ends. Others hear that somebody has "
     "proposed it and how many agree; who, only when it has passed. The server's own players "
     "are not counted.",
     "vote pause\nvote no pause\nvote cancel"},
    {"SIGNOFF", "END", "SIGN OFF, SIGNATURE",
     "Ends the reading of your mail: nothing below it is looked at. END and \"-- \" do the "
     "same. It changes nothing in any game.",
     "signoff"},
};

/* Case and blanks do not count: "set  wait" is SETWAIT. */
static bool same_word(struct span said, struct span word)
{
	size_t at = 0;
	for (size_t i = 0; i < said.len; i++) {
		if (said.ptr[i] == ' ')
			continue;
		while (at < word.len && word.ptr[at] == ' ')
			at++;
		if (at == word.len ||
		    (said.ptr[i] >= 'a' && said.ptr[i] <= 'z' ? (char)(said.ptr[i] - 'a' + 'A')
		                                              : said.ptr[i]) != word.ptr[at])
			return false;
		at++;
	}
	return at == word.len && at > 0;
}

static bool is_among(struct span said, const char *list)
{
	struct span rest = span_of(list), word;
	while (span_next_field(&rest, ',', &word))
		if (same_word(said, span_trim(word)))
			return true;
	return false;
}

const struct topic *topic_at(size_t i)
{
	return i < sizeof topics / sizeof topics[0] ? &topics[i] : NULL;
}

/* A command is meant before a word that only some text explains. */
const struct topic *topic_find(struct span said)
{
	for (size_t i = 0; topic_at(i); i++)
		if (is_among(said, topic_at(i)->word) || is_among(said, topic_at(i)->aliases))
			return topic_at(i);
	for (size_t i = 0; topic_at(i); i++)
		if (is_among(said, topic_at(i)->asked_as))
			return topic_at(i);
	return NULL;
}
