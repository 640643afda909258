/*
 * slots.h - what may stand behind a command's words, as data. Private to this room.
 *
 * A row of the table (grammar.c) lists its arguments as slots; the reader, the usage line and the
 * refusal come from them. Slots are filled in their order. One with a keyword may stand anywhere
 * between them, once. Every slot must be used up by the line: one word too many and it is prose.
 */
#ifndef MOLEPOST_PROCESSOR_COMMANDTEXT_SLOTS_H
#define MOLEPOST_PROCESSOR_COMMANDTEXT_SLOTS_H

#include <stddef.h>

#include "processor/commandtext/command_text.h"

enum fit {
	FIT_NO,      /* not this command; the line may be an order, or prose */
	FIT_REFUSED, /* surely meant as this command, but it cannot be carried out */
	FIT_YES
};

enum slot_type {
	SLOT_NONE,          /* ends a list */
	SLOT_SAID,          /* the keyword alone, then `words`: true, or the bits of `min` */
	SLOT_GAME,          /* item->game: "W17", "w 17", "17" */
	SLOT_GAME_OR_KIND,  /* item->game or ->kind */
	SLOT_KIND,          /* item->kind */
	SLOT_SEAT_AND_GAME, /* item->game, ->seat: "W17", "2 W17", "2@W17" */
	SLOT_NUMBER,        /* unsigned, `min` to `max`; `words`: a sign that may follow it */
	SLOT_CHOICE,        /* unsigned, `min` + place in `words` */
	SLOT_WORD,          /* span, one word of at most 64 bytes */
	SLOT_NAME,          /* span, quoted or up to three words; `max`: columns */
	SLOT_WHO,           /* item->seat or ->name */
	SLOT_ADDRESS,       /* span, a mail address */
	SLOT_GUEST,         /* an address in item->name, else as SLOT_WHO */
	SLOT_RECEIVERS,     /* item->name: names with commas, as typed */
	SLOT_HOUR,          /* item->from, minute of the day; item->to 1 */
	SLOT_HOURS,         /* item->from, ->to */
	SLOT_MOMENT,        /* item->when: a length or a date */
	SLOT_LENGTH,        /* item->when: a length */
	SLOT_GRACE,         /* item->name: a length as typed, "0" for none */
	SLOT_SECONDS,       /* int64_t: a length */
	SLOT_DAYS,          /* item->name: days as typed */
	SLOT_TEXT,          /* span: the rest of the line, `max` bytes; `min`: most words */
	SLOT_LINES,         /* item->orders: the rest, unless it is prose */
	SLOT_OWN            /* as `take` says; `shown` is given */
};

enum slot_flag {
	SLOT_OPTIONAL = 1,
	SLOT_SURE = 2,      /* what does not fit and is no talk refuses the line */
	SLOT_LETTER = 4,    /* of a game: a number alone is something else's */
	SLOT_AT_ONCE = 8,   /* nothing with a keyword stands before it */
	SLOT_REPEATED = 16, /* any number of them, the rest of the slots between */
	SLOT_HIDDEN = 32    /* not in the usage line */
};

struct args;

struct slot {
	enum slot_type type;
	unsigned flags;
	const char *keyword; /* "AS CO-MASTER|AS COMASTER"; "PLAYERS=3" is "PLAYERS 3" */
	size_t into;         /* offset of its member of struct command */
	unsigned min, max;
	const char *shown;   /* in the usage line; NULL: as its type is called */
	const char *skipped; /* "TO|TURN": may stand in front of it and say nothing */
	const char *words;   /* of a choice, "OFF|ON" */
	const char *none;    /* in its place: there is none, "OFF|NONE" */
	const char *why; /* what is wrong when it does not fit, a sentence; NULL: the usage */
	enum fit (*take)(struct args *args, const struct slot *slot); /* of SLOT_OWN */
};

struct grammar_row;

/* What is wrong with a line. Whoever gets the answer may not be who wrote it, so the reason has none of its words. */
struct misfit {
	const char *why;   /* a sentence, or NULL for the usage */
	struct span left;  /* from where on it does not fit; a setting with its keyword */
	bool is_strange;   /* its value, or what stands there, was not understood */
	const char *title; /* where that of a new game stands, which has none; else NULL */
};

/* What a slot's reader works on. */
struct args {
	struct span rest; /* what is left of the line, plain, trimmed */
	struct arena *arena;
	const struct grammar_row *row;
	struct command *item;
	uint64_t taken;       /* bit = index of a slot that is filled */
	struct misfit misfit; /* with FIT_NO or FIT_REFUSED */
};

/* Reads the rest of the line by the slots of args->row, into *args->item. */
enum fit slots_read(struct args *args);
/* Its value in a usage: "n"; NULL: one of its words. */
const char *slot_shown(const struct slot *slot);
/* " [game] [FROM n] [TO n]"; "" if nothing. */
void slots_add_usage(struct strbuf *out, const struct slot *slots);

/* Tools. Each leaves the rest trimmed, and as it was when it returns false. */
bool args_take_word(struct span *rest, struct span *word);
/* One of the phrases "OFF|ON", in any case: its place among them. */
bool args_take_choice(struct span *rest, const char *phrases, unsigned *which);
/* What stands between two '"', not empty. */
bool args_take_quoted(struct span *rest, struct span *text);
/* "W17", "w 17", "17", "game W17". */
bool args_take_game(struct span *rest, struct command *item);
/* "?W17" is how older servers wrote it. */
bool args_take_question_mark(struct span *rest);
/* "W17", "2 W17", "2@W17" */
enum fit args_take_seat_and_game(struct args *args, const struct slot *slot);
/* "2@W17" */
bool args_take_seat_at_game(struct span *rest, struct command *item);
/* A length of time in one word or two. */
bool args_take_length(struct span *rest, int64_t *seconds);
/* A number behind the slot's keyword, or why it is none. */
enum fit args_take_number(struct args *args, const struct slot *slot, unsigned min,
                          unsigned max);
/* One of these phrases, with a blank or "=" and a value behind it. */
bool args_take_keyword(struct span *rest, const char *phrases);
/* Whether another slot than `self` that is not filled yet begins with the next word. */
bool args_another_begins(const struct args *args, const struct slot *self, struct span rest);
/* The longest run of up to three words that names a kind. */
bool args_take_kind(struct span *rest, const struct rules **kind);

#endif
