/*
 * standing_orders.c - rows of standing orders.
 */
#include "store/standing_orders.h"

#include "store/engine/row.h"
#include "store/engine/sealed.h"

enum err standing_order_set(struct store *s, const struct standing_order *p)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_add_span(&text, p->text);
	add_contribution(&text, &p->contribution);
	enum err err = row_do(
	    s,
	    "INSERT INTO standing_orders (game, seat, kind, number, nowait, received_utc, mail,"
	    " contributed, sealed_text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
	    " ON CONFLICT (game, seat, kind, number) DO UPDATE SET nowait = excluded.nowait,"
	    " received_utc = excluded.received_utc, mail = excluded.mail,"
	    " contributed = excluded.contributed, sealed_text = excluded.sealed_text",
	    ARGS(p->game, p->seat, p->kind, p->number, p->nowait, p->received_utc, p->mail,
	         !hash_is_zero(&p->contribution),
	         row_sealed(SEALED_PADDED, "provision",
	                    ARGS(p->game, p->seat, p->kind, p->number, p->mail),
	                    strbuf_span(&text))));
	strbuf_release(&text);
	return err;
}

enum err standing_order_drop(struct store *s, int64_t game, unsigned seat,
                             enum standing_order_kind kind, unsigned number)
{
	return row_do(s,
	              "DELETE FROM standing_orders WHERE game = ? AND seat = ?"
	              " AND kind = ? AND number = ?",
	              ARGS(game, seat, kind, number));
}

/* It stands behind the text. */
static void read_contribution(struct query *q, struct arena *arena, void *row)
{
	struct standing_order *out = row;

	(void)arena;
	if (col_bool(q))
		take_contribution(&out->text, &out->contribution);
}

static const struct row_shape standing_order_row =
    ROW_SHAPE(struct standing_order, COLUMNS(struct standing_order, game, seat),
              COLUMN_ENUM(struct standing_order, kind, STANDING_FALLBACK),
              COLUMNS(struct standing_order, number, nowait, received_utc, mail),
              COLUMN_SEALED(struct standing_order, text, SEALED_PADDED, "provision", game, seat,
                            kind, number, mail),
              COLUMN_READ(1, read_contribution));

enum err standing_order_list(struct store *s, int64_t game, struct arena *arena,
                             struct standing_order **out, size_t *n)
{
	return row_list(s,
	                "SELECT game, seat, kind, number, nowait, received_utc, mail,"
	                " sealed_text, contributed FROM standing_orders WHERE game = ?"
	                " ORDER BY seat, kind, number",
	                ARGS(game), &standing_order_row, arena, out, n);
}
