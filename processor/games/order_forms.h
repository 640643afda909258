/*
 * order_forms.h - the orders of a game in which a mail is a whole turn, declared: a row for each.
 *
 * A row says what an order is called, in which form the rest of it is written, and what is said
 * where it is not. From it come the strict reader, the canonical text, both ways, and the lines of
 * the guide. Unlike those of order_rows.h these orders belong together: one that is wrong refuses
 * the mail, and what is legal depends on those before it, so a game carries them out itself.
 *
 * A form is made of words in capitals, which may be left out, and names of slots, "coin TO point";
 * what is in brackets may be left out as a whole, and then its capitals are needed: "[WITH card]".
 *
 * Trusts nothing: any bytes may be read. What a slot takes is as the game's `take` bounds it.
 */
#ifndef MOLEPOST_GAMES_ORDER_FORMS_H
#define MOLEPOST_GAMES_ORDER_FORMS_H

#include "processor/games/doc.h"
#include "processor/games/order_text.h"

/* What a slot is taken into or written from. */
struct order_place {
	const void *game;
	void *order;    /* what the game keeps of an order */
	unsigned which; /* that of the slot */
	const struct order_word *words;
	size_t n;
	struct strbuf *out; /* where it is written, and then nothing of *order changes */
};

/* What stands in a form under a name. */
struct order_slot {
	const char *name;
	unsigned which; /* for games with several of a kind */
	/* How many of the words are it. 0: nothing has to be said any more; -1: they are not it. */
	int (*take)(const struct order_place *p);
	void (*write)(const struct order_place *p); /* NULL, or nothing: left out */
	const char *takes; /* said where it is missing; NULL: that of the form */
	/* NULL, or why what was taken cannot be named in this position, NULL if it can. */
	const char *(*not_now)(const struct order_place *p);
};

struct order_form {
	const char *written; /* the word, if it is not written as it is read */
	const char *form;
	const char *takes;       /* what stands behind the word, in one sentence */
	const char *example;     /* shown with it; NULL: one of the position; "": none */
	const char *guide[3][2]; /* forms of it, and what each does */
};

struct order_forms {
	const char *const *words; /* index = row; as order_text.h wants them */
	const struct order_form *rows;
	size_t count;
	const struct order_slot *slots;
	size_t nslots;
	const char *const *fillers; /* words that say no more than the others do */
	size_t nfillers;
};

/* The word of a row as it is written. */
const char *order_form_word(const struct order_forms *f, size_t row);
/* How many of the first words are fillers. */
size_t order_fillers(const struct order_forms *f, const struct order_word *words, size_t n);
/* The words behind that of a row, into *order; NULL, or a sentence that says what is wrong. */
const char *order_form_take(const struct order_forms *f, size_t row, const void *game,
                            void *order, const struct order_word *words, size_t n);
/* "MOVE B2 C3 x2" */
void order_form_write(const struct order_forms *f, size_t row, const void *game,
                      const void *order, struct strbuf *out);
/*
 * The next order of a canonical text: its row, or `count` if it is of none, and how many words stand
 * behind. False at the end. Whether the text is canonical shows when what it says is written again.
 */
enum { ORDER_FORM_WORDS = 24 };
bool order_form_next(const struct order_forms *f, struct span *canonical, size_t *row,
                     struct order_word words[ORDER_FORM_WORDS], size_t *n);
/* Lines of the guide for `count` rows from `first` on, behind doc_grammar(out, NULL, 0). */
void order_forms_tell(const struct order_forms *f, size_t first, size_t count, struct doc *out);

/* A mail while it is read. The game fills the first part; all else zero. */
struct order_mail {
	const struct order_forms *forms;
	const struct order_language *language;
	struct diags *diags;
	bool
	    owes; /* else nothing is refused but RESIGN with words beside it: `wrong` is set alone */
	void (*example)(const void *game, struct strbuf *out); /* orders that work */
	const void *game;
	struct strbuf shown;  /* what it made; free with strbuf_release */
	unsigned said;        /* orders, as the game counts them */
	unsigned first, last; /* lines of orders, good or bad; 0 = none */
	unsigned resigned;    /* the line of RESIGN */
	bool wrong;
};

/* Made when it is first asked for, since that may take long. */
const char *order_mail_example(struct order_mail *m);
/* Says what is wrong with a clause, or with all (NULL); always false. */
bool order_mail_refuse(struct order_mail *m, const struct order_clause *c, const char *why);
void order_mail_misspelt(struct order_mail *m, const struct order_clause *c);
void order_mail_resign(struct order_mail *m, const struct order_clause *c);
/* Whether the mail resigns; then all else in it is told not to count. `whole`: "game". */
bool order_mail_resigns(const struct order_mail *m, const char *whole);
/* Refuses the mail where order_bystander finds a line. */
void order_mail_bystander(struct order_mail *m, struct span text,
                          bool (*belongs)(const void *ctx, unsigned number, struct span line));

#endif
