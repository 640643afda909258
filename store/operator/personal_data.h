/*
 * personal_data.h - everything stored about one person, row by row.
 */
#ifndef MOLEPOST_STORE_OPERATOR_PERSONAL_DATA_H
#define MOLEPOST_STORE_OPERATOR_PERSONAL_DATA_H

#include "store/engine/store.h"

/* One column of one row. */
struct personal_cell {
	const char *name;
	enum { CELL_NONE, CELL_NUMBER, CELL_TEXT } kind;
	struct span text; /* of a number its digits */
};

/* `part`: "mails_sent"; it is begun also when no row follows. */
struct personal_visitor {
	void (*part)(void *ctx, const char *part);
	void (*row)(void *ctx, const struct personal_cell *cells, size_t n);
	void *ctx;
};

/*
 * In one look, so that all parts belong together. With `sealed` also the orders, messages and mails of
 * games that are not over yet; else those cells are CELL_NONE.
 */
enum err personal_data(struct store *s, int64_t player, bool sealed, struct arena *arena,
                       const struct personal_visitor *v) MUST_CHECK;

#endif
