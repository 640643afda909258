/*
 * grammar.h - between the files of this room; nobody else includes this.
 *
 * A row of the table is one command: its words, the reader of what stands behind
 * them, and what HELP says about it. A line is a command only if the words
 * and everything behind them fit.
 */
#ifndef MOLEPOST_PROCESSOR_COMMANDTEXT_GRAMMAR_H
#define MOLEPOST_PROCESSOR_COMMANDTEXT_GRAMMAR_H

#include <stdbool.h>

#include "processor/commandtext/command_text.h"

static inline char text_upper(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

enum fit {
	FIT_NO,      /* not this command; the line may be an order, or prose */
	FIT_REFUSED, /* surely meant as this command, but it cannot be carried out */
	FIT_YES
};

/* What a row's reader works on. */
struct args {
	struct span rest; /* what is left of the line, plain, trimmed */
	struct arena *arena;
	/*
	 * With FIT_NO or FIT_REFUSED: what is wrong, a sentence, or NULL for the row's
	 * grammar.
	 */
	const char *why;
};

enum { NAME_MAX_WORDS = 3, TURN_MAX = 99999 };

enum grammar_row_flag {
	ROW_TAKES_LINES = 1,  /* orders may follow on the line (in item->orders) and below */
	ROW_ENDS_ORDERS = 2,  /* orders above and below it are different sets */
	ROW_WANTS_WORDS = 4,  /* useless alone: one wrong word behind it is an attempt */
	ROW_ENDS_MAIL = 8,    /* what stands below is an exhibit: neither order nor command */
	ROW_TAKES_TEXT = 16,  /* what stands below, up to an end word, is a message */
	ROW_TAKES_COLON = 32, /* a colon may stand behind the words */
	ROW_IS_TALK = 64      /* people say it anyway: what is nearly it is not explained */
};

struct grammar_row {
	enum verb verb;
	const char *words;   /* "SET WAIT": also understood when written together */
	const char *grammar; /* of what follows, for people; "" if nothing */
	const char *meaning;
	const char *aliases; /* "GAMES|SHOW", "" if none */
	const char *example; /* of a message: with its text, on several lines */
	unsigned flags;
	/* Fills its members of `item`, which is empty but for verb. */
	enum fit (*read)(struct args *args, struct command *item);
};

size_t grammar_row_count(void);
const struct grammar_row *grammar_row_at(size_t i);

/*
 * Takes the words of `phrase` off *rest, each written in any case, with a blank or nothing
 * where the phrase has a blank. False and *rest untouched when they do not stand there.
 */
bool take_phrase(struct span *rest, struct span phrase);
/* Takes the next of the phrases of a list "GAMES|SHOW" off *list. */
bool next_phrase(struct span *list, struct span *phrase);

/*
 * Tries a plain line against the table. *row is the command whose words stand at its
 * start, or NULL; with FIT_YES *item is filled (verb and arguments; not line and text).
 * *why as in struct args. As the line stands only: bullets and bold have been taken off.
 */
enum fit grammar_fit_line(struct span line, struct arena *arena, struct command *item,
                          const struct grammar_row **row, const char **why);

/* Readers of what stands behind a command's words. arguments.c: */
enum fit args_read_nothing(struct args *args, struct command *item);
enum fit args_read_lines(struct args *args, struct command *item);
enum fit args_read_help(struct args *args, struct command *item);
enum fit args_read_list(struct args *args, struct command *item);
enum fit args_read_game(struct args *args, struct command *item);
enum fit args_read_join(struct args *args, struct command *item);
enum fit args_read_signon(struct args *args, struct command *item);
enum fit args_read_address(struct args *args, struct command *item);
enum fit args_read_salt(struct args *args, struct command *item);
enum fit args_read_mail(struct args *args, struct command *item);
enum fit args_read_width(struct args *args, struct command *item);
enum fit args_read_board(struct args *args, struct command *item);
enum fit args_read_invite(struct args *args, struct command *item);
enum fit args_read_set_invites(struct args *args, struct command *item);
enum fit args_read_reminders(struct args *args, struct command *item);
enum fit args_read_quiet(struct args *args, struct command *item);
enum fit args_read_takeover(struct args *args, struct command *item);
enum fit args_read_zone(struct args *args, struct command *item);
enum fit args_read_history(struct args *args, struct command *item);
enum fit args_read_resend(struct args *args, struct command *item);

/* arguments_create.c */
enum fit args_read_create(struct args *args, struct command *item);
enum fit args_read_fork(struct args *args, struct command *item);

/* arguments_standing.c */
enum fit args_read_always(struct args *args, struct command *item);
enum fit args_read_queue(struct args *args, struct command *item);
enum fit args_read_queue_off(struct args *args, struct command *item);
enum fit args_read_fallback(struct args *args, struct command *item);
enum fit args_read_absence(struct args *args, struct command *item);

/* arguments_press.c */
enum fit args_read_press(struct args *args, struct command *item);
enum fit args_read_broadcast(struct args *args, struct command *item);
enum fit args_read_diary(struct args *args, struct command *item);
enum fit args_read_observe(struct args *args, struct command *item);

/* arguments_master.c: those of masters and votes. */
enum fit args_read_turn(struct args *args, struct command *item);
enum fit args_read_more_time(struct args *args, struct command *item);
enum fit args_read_grace(struct args *args, struct command *item);
enum fit args_read_when(struct args *args, struct command *item);
enum fit args_read_who(struct args *args, struct command *item);
enum fit args_read_promoted(struct args *args, struct command *item);
enum fit args_read_guest(struct args *args, struct command *item);
/* The same as ..._turn, _when, _who and _game with UNRATED among it. */
enum fit args_read_ended_turn(struct args *args, struct command *item);
enum fit args_read_deadline(struct args *args, struct command *item);
enum fit args_read_ejected(struct args *args, struct command *item);
enum fit args_read_terminated(struct args *args, struct command *item);
enum fit args_read_official(struct args *args, struct command *item);
enum fit args_read_vote(struct args *args, struct command *item);

/* arguments_records.c */
enum fit args_read_ratings(struct args *args, struct command *item);
enum fit args_read_whom(struct args *args, struct command *item);

/* Tools of the readers. Each leaves the rest trimmed. */
bool args_take_word(struct span *rest, struct span *word);
/* What stands between two '"', not empty. */
/* "<a@b>", "a@b<mailto:a@b>" and "mailto:a@b", as mail programs write a@b. */
struct span args_bare_address(struct span word);
bool args_take_quoted(struct span *rest, struct span *text);
/* The word `keyword`, in any case. */
bool args_take_keyword(struct span *rest, const char *keyword);
/* "W17", "w 17", "17", "game W17". */
bool args_take_game(struct span *rest, struct command *item);
/* The longest run of up to three words that names a kind. */
bool args_take_kind(struct span *rest, const struct rules **kind);
/* One of these words, in any case: its place in the list. */
bool args_take_choice(struct span *rest, const char *const *words, size_t n, unsigned *which);
/* "KEY walnut" */
bool args_take_key(struct span *rest, struct span *key);
/* "2@W17" */
bool args_take_seat_at_game(struct span *rest, struct command *item);

/*
 * Words by which English and German people talk to each other and which stand in no order:
 * one of them, or punctuation of sentences, makes a line prose. Never used to choose what
 * is carried out except to say no.
 */
bool is_prose(struct span line);
bool is_prose_word(struct span word);

/*
 * Adds a diagnostic when `line`, which is no command, looks as if one was meant: the words
 * of `row` stand at its start (with `why`), or with one typing error mended it would be
 * one. `echo` is what is quoted.
 */
void grammar_explain(struct span line, const struct grammar_row *row, const char *why,
                     unsigned number, struct span echo, struct arena *arena,
                     struct diags *diags);
/* As a sentence: "CREATE is written: CREATE kind ...". */
void args_refuse(const struct grammar_row *row, const char *why, unsigned number,
                 struct span echo, struct diags *diags);

#endif
