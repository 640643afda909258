/*
 * command_text.h - the mail-body language common to all games: molepost-orders(7).
 *
 * Reads the text of one mail into a sequence of items: commands with their
 * arguments, and stretches of lines to be tried as orders of a game. Pure; knows
 * the registry's kinds but no game and no store. A command is one row of the
 * table in grammar.c.
 *
 * Trusts nothing. After command_text_read, every span of an item is valid UTF-8
 * without control characters, typography already made plain.
 */
#ifndef MOLEPOST_PROCESSOR_COMMANDTEXT_COMMAND_TEXT_H
#define MOLEPOST_PROCESSOR_COMMANDTEXT_COMMAND_TEXT_H

#include <stdbool.h>

#include "mail/mail.h"
#include "processor/base/arena.h"
#include "processor/base/diag.h"
#include "processor/base/span.h"
#include "processor/games/rules.h"

/* What stands behind SET MAIL. */
enum set_mail {
	SET_MAIL_ASK,
	SET_MAIL_ALL,
	SET_MAIL_ROUND,
	SET_MAIL_DIGEST,
	SET_MAIL_HTML,
	SET_MAIL_PLAIN
};

enum verb {
	CMD_ORDERS,   /* plain lines, or after ORDERS: `orders` */
	CMD_HELP,     /* `topic` or `kind` or neither */
	CMD_LIST,     /* `game` or none */
	CMD_JOIN,     /* `game` or `kind`; `name`, `key`; `wait` */
	CMD_SIGNON,   /* `game`, `seat` (0 = mine): the items below are for that game */
	CMD_CREATE,   /* `create`; `message`, `ended` if text_below */
	CMD_RESIGN,   /* `game` or none */
	CMD_TAKEOVER, /* `game`; `seat` or 0; `key` */
	CMD_STATUS,   /* `game` or none */
	CMD_MY_GAMES,
	CMD_CLEAR,
	CMD_CHECK,   /* `orders` */
	CMD_PREVIEW, /* `orders` */
	CMD_SET_WAIT,
	CMD_SET_NOWAIT,
	CMD_SET_ZONE,      /* `name` = the place as typed */
	CMD_SET_QUIET,     /* `from`, `to` = minutes of the day; both 0 = OFF */
	CMD_SET_MAIL,      /* `number`: enum set_mail; `from`: when, if `to` */
	CMD_SET_WIDTH,     /* `number` of columns, 0 = the usual */
	CMD_SET_BOARD,     /* `number`: 1 WORDS, 2 DRAWN */
	CMD_SET_PROOF,     /* `number`: 1 SHOWN, 2 ATTACHED */
	CMD_SET_REMINDERS, /* `number`: 1 OFF, 2 ON */
	CMD_SET_PUZZLE,    /* `number`: 1 OFF, 2 ON */
	CMD_YES,
	CMD_NO,
	CMD_TOKEN_NEW,
	CMD_SALT,    /* `name` = the word */
	CMD_HISTORY, /* `game`, `from`, `to` (0 = open end) */
	CMD_SUMMARY, /* `game` or none */
	CMD_ARCHIVE, /* `game` or none */
	CMD_ANALYSE, /* `game` or none */
	CMD_RESEND,  /* `number`, 0 = the last report; `game` or none */
	CMD_ALSO,    /* `name` = an address */
	CMD_ADDRESS, /* `name` = an address */
	CMD_FORK,    /* `game` or none, `number` = the turn, `name`; of `create` what is said */
	CMD_PRACTICE,  /* the same, with bots on all other seats */
	CMD_VERIFY,    /* what is to be verified is in the mail; nothing below it is read */
	CMD_PRESS,     /* `name` = the receivers as typed; `message`, `ended`, `unnamed` */
	CMD_BROADCAST, /* `message`, `ended`, `unnamed` */
	CMD_DIARY,     /* `message`, `ended` */
	CMD_OBSERVE,   /* `game`; `key` */
	CMD_MONITOR,   /* `game`; `key` */
	CMD_UNOBSERVE, /* `game` or none */
	CMD_ALWAYS,    /* `orders`; `number` 1 = NOWAIT */
	CMD_ALWAYS_OFF,
	CMD_QUEUE,        /* `number` = the turn; `orders` */
	CMD_QUEUE_OFF,    /* `number`, 0 = all */
	CMD_SET_FALLBACK, /* `number` = enum fallback_kind */
	CMD_SET_ABSENCE,  /* `name` = the days as typed */
	CMD_SET_NOABSENCE,
	CMD_INVITE, /* `name` = an address, `game` or none, `topic` = what is written to them */
	CMD_SET_INVITES, /* `number`: 2 ON, else OFF */
	CMD_NUDGE,       /* `game` or none */
	CMD_THANKS,      /* `seat`, or `name`; after the end of a game, else it is talk */
	CMD_RATINGS,     /* `kind` or none */
	CMD_WHO,         /* `name`, "" = the writer themselves */
	CMD_REMATCH,     /* `game` or none */
	/* Of the master of a game; each with `game` or none. */
	CMD_SET_DEADLINE, /* `when` */
	CMD_SET_GRACE,    /* `name` = a length, or a word for none */
	CMD_SET_START,    /* `when` */
	CMD_PAUSE,
	CMD_RESUME,
	CMD_PROCESS,  /* `number` of the turn */
	CMD_ROLLBACK, /* `number` */
	CMD_EJECT,    /* `seat`, or `name` */
	CMD_PROMOTE,  /* `seat`, or `name`; `number` 1: as a co-master */
	CMD_DEMOTE,   /* `seat`, or `name` */
	CMD_ALLOW,    /* `seat`, or `name`: that of a seat, or an address */
	CMD_DENY,     /* likewise */
	CMD_BECOME,   /* `seat`, or `name` */
	CMD_REPLACE,  /* `seat`, or `name`: by a bot; a player's too, as a vote */
	CMD_TERMINATE,
	CMD_FORCE_BEGIN,
	CMD_START_WITH_BOTS,
	CMD_OFFICIAL, /* `name` = the text */
	/* Votes; each with `game` or none. */
	CMD_SET_DRAW,
	CMD_SET_NODRAW,
	CMD_SET_CONCEDE, /* `seat`, or `name` */
	CMD_SET_NOCONCEDE,
	CMD_ASK_FOR, /* `when` */
	CMD_VOTE     /* `number`: enum vote_wish; `off`: taken back */
};

/* What stands behind VOTE. */
enum vote_wish { VOTE_FOR_PAUSE = 1, VOTE_FOR_RESUME, VOTE_FOR_CANCEL };

enum fallback_kind { FALLBACK_DEFAULT, FALLBACK_REPEAT, FALLBACK_BOT };

enum { USUAL_COMMANDS = 100 };

struct create_arguments {
	const struct rules *kind; /* NULL: the other game's (FORK) */
	struct span title;        /* "" if none */
	unsigned players;         /* 0 = not said */
	unsigned bots;            /* 0 = none */
	bool says_bots;
	unsigned bot_level; /* BOT_LEVEL_USUAL when not said */
	int64_t next_s;     /* 0 = not said */
	/* DAYS, AT, GRACE and so on as "name=value" words for calendar_parse, checked but for a
	   zone; "" if none */
	struct span calendar;
	bool is_private;
	struct span key; /* KEY word, "" if none */
	/* 0 = not said, else 1 + enum press_mode, 1 + whether messages wait, 1 + enum
	   press_observers (store/press.h). */
	unsigned press, delivery, observers;
	bool presides;         /* MASTER: the creator takes no seat */
	unsigned reliability;  /* percent that JOIN asks for, 0 = not said */
	struct span guests;    /* FOR: addresses with a blank between them, "" if none */
	bool ready;            /* READY: all are asked before it begins */
	bool without_operator; /* WITHOUT OPERATOR: the server's may not play */
	struct span options;   /* "name=value name=value", not checked yet */
	bool
	    text_below; /* one value is BELOW: the option's text is the `message` of the command */
};

/* A moment somebody names. */
struct when {
	enum {
		WHEN_IN,   /* so many seconds from now on */
		WHEN_MORE, /* so many more than there are */
		WHEN_AT /* what the clock of the speaker then shows, counted as if it were UTC */
	} how;
	int64_t s;
};

/* JOIN kind: a game at once, or a place in the queue, or no longer one. */
enum wait_wish { WAIT_NOT, WAIT_FOR_IT, WAIT_NO_MORE };

struct command {
	enum verb verb;
	unsigned line;            /* of the text, from 1; 0 = the subject */
	struct span text;         /* the line as it was written, trimmed, for the echo */
	int64_t game;             /* game number, 0 = none named */
	char game_letter;         /* of that id as written ("W17": 'W'), 0 = a number alone */
	const struct rules *kind; /* NULL = none named */
	unsigned seat, number, from, to;
	struct span topic, name, key;
	struct when when;
	bool off;
	bool unrated; /* UNRATED: the master alone, without the other players */
	struct create_arguments create;
	/*
	 * Lines for a game's read_orders, made plain (also without bullets, *bold* marks
	 * and one full stop at the end), with as many line ends before each as in the mail,
	 * so that line numbers in diagnostics are those of the mail; lines that belong to
	 * something else are empty there.
	 */
	struct span orders;
	/*
	 * The text of a message, or of an option (CREATE with BELOW), as written, line by line,
	 * without quoted lines; "" when nothing stands there. `ended`: an end word stands below it.
	 */
	struct span message;
	bool ended;
	bool unnamed;  /* ANON */
	unsigned wait; /* enum wait_wish */
};

struct text_line {
	unsigned line;
	struct span text; /* as written, trimmed */
};

struct command_text {
	struct command *items;
	size_t nitems;
	struct text_line *lines; /* every unquoted line that was read, for echoes */
	size_t nlines;
	struct text_line *barred; /* what stands behind a leading '|', plain, to be tried */
	size_t nbarred;
	struct diags diags; /* commands that were nearly right */
	bool stopped_at_signature;
	bool stopped_at_marker;
	size_t nbelow; /* unquoted lines below END or SIGNOFF, which were not read */
};

/*
 * The plain lines of a mail are one CMD_ORDERS item, at the place of the first of them, so that
 * one mail gives one set; a SIGNON, JOIN, CREATE, RESIGN or CLEAR between them starts another.
 * An item with line 0 came from the subject and stands first; where the body's orders turn out
 * to be understood it should be passed over, unless it is SIGNON (a CHECK there the mail
 * itself applies to the body).
 *
 * Lines that are no command become a CMD_ORDERS item, also when the mail answers no
 * game: the caller explains then. `subject` is tried for one command when the body gave
 * none. Everything lives in `arena` but diags. Of more than max_commands commands the first so many
 * are read; what stands below them, orders too, is refused with one error.
 */
void command_text_read(struct span text, struct span subject, unsigned max_commands,
                       struct arena *arena, struct command_text *out);
void command_text_release(struct command_text *l);
/* So many texts of a mail are worth reading: people's have two or three. */
size_t command_text_count(const struct mail_in *mail);
/* Whether one of its items is more than plain lines. */
bool command_text_has_command(const struct command_text *l);

/*
 * The diagnostics of the mail, by line, after a game has read `orders` of one item and said
 * `game` about them (NULL when they were not tried). A line that looked like a wrong
 * command but was understood by the game, or explained by it, loses the grammar's remark; a
 * line that the game calls prose keeps the grammar's alone.
 */
void merge_diags(const struct command_text *l, struct span orders, const struct diags *game,
                 struct diags *out);

/* How the line begins below which nothing is read; it stands above every mail of ours. */
extern const char text_marker[];

/* "W17", "w 17", "17" -> 17, and the letter if given (0 otherwise). */
bool parse_game_id(struct span word, int64_t *game, char *letter);
/*
 * The table of commands for HELP and molepost-orders(7), one
 * "WORDS<TAB>meaning<TAB>aliases" line each. A line without TAB is a heading.
 */
void grammar_add_table(struct strbuf *out);
/* The words of a command as the table has them: "SET NO WAIT". */
const char *verb_words(enum verb verb);
/* CHECK, PREVIEW, ALWAYS, QUEUE: the lines below it are its `orders`, and no orders for now. */
bool verb_takes_orders(enum verb verb);
/* JOIN, CLEAR ...: orders above and below it are different sets. */
bool verb_ends_orders(enum verb verb);
/* RESIGN and what else ends something: a YES to a question about it must name it. */
bool verb_must_be_named(enum verb verb);
/* Those that stand on the line of the command itself; "" if nothing. */
struct span grammar_own_line(const struct command *item);
/* How the message begins about a line whose only fault is the spelling; its example is the line mended. */
extern const char misspelt_message[];
/* The nearest command word within two typing errors, or NULL. */
const char *suggest(struct span word);

#endif
