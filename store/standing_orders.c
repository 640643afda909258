/*
 * standing_orders.c - rows of standing orders.
 */
#include "store/standing_orders.h"

#include "store/engine/db.h"
#include "store/engine/sealed.h"

enum err standing_order_set(struct store *s, const struct standing_order *p)
{
	struct query q = db_write(
	    s,
	    "INSERT INTO standing_orders (game, seat, kind, number, nowait, received_utc, mail,"
	    " contributed, sealed_text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
	    " ON CONFLICT (game, seat, kind, number) DO UPDATE SET nowait = excluded.nowait,"
	    " received_utc = excluded.received_utc, mail = excluded.mail,"
	    " contributed = excluded.contributed, sealed_text = excluded.sealed_text");
	bool contributed = !hash_is_zero(&p->contribution);
	struct strbuf text = STRBUF_INIT;

	strbuf_add_span(&text, p->text);
	add_contribution(&text, &p->contribution);
	bind_int(&q, p->game);
	bind_int(&q, p->seat);
	bind_int(&q, p->kind);
	bind_int(&q, p->number);
	bind_int(&q, p->nowait);
	bind_int(&q, p->received_utc);
	bind_int(&q, p->mail);
	bind_int(&q, contributed);
	bind_sealed_padded(
	    &q, context_of_standing_order(s, p->game, p->seat, p->kind, p->number, p->mail),
	    strbuf_span(&text));
	strbuf_release(&text);
	return db_run(&q);
}

enum err standing_order_drop(struct store *s, int64_t game, unsigned seat,
                             enum standing_order_kind kind, unsigned number)
{
	struct query q = db_write(s, "DELETE FROM standing_orders WHERE game = ? AND seat = ?"
	                             " AND kind = ? AND number = ?");

	bind_int(&q, game);
	bind_int(&q, seat);
	bind_int(&q, kind);
	bind_int(&q, number);
	return db_run(&q);
}

static void read_standing_order(struct query *q, struct arena *arena,
                                struct standing_order *out)
{
	bool contributed;
	unsigned kind;

	out->game = col_int(q);
	out->seat = col_uint(q);
	kind = col_uint(q);
	out->number = col_uint(q);
	out->nowait = col_bool(q);
	out->received_utc = col_int(q);
	out->mail = col_int(q);
	contributed = col_bool(q);
	out->text = col_sealed_text(
	    q,
	    context_of_standing_order(q->s, out->game, out->seat, kind, out->number, out->mail),
	    arena);
	if (contributed)
		take_contribution(&out->text, &out->contribution);
	if (kind > STANDING_FALLBACK)
		db_spoil(q, db_fail(q->s, ERR_CORRUPT, "a provision is of kind %u", kind));
	else
		out->kind = (enum standing_order_kind)kind;
}

enum err standing_order_list(struct store *s, int64_t game, struct arena *arena,
                             struct standing_order **out, size_t *n)
{
	struct query q = db_read(s,
	                         "SELECT game, seat, kind, number, nowait, received_utc, mail,"
	                         " contributed, sealed_text FROM standing_orders WHERE game = ?"
	                         " ORDER BY seat, kind, number");
	void *items = NULL;

	bind_int(&q, game);
	*n = 0;
	while (db_next(&q)) {
		struct standing_order *p = list_add(arena, &items, n, sizeof(*p));
		*p = (struct standing_order){0};
		read_standing_order(&q, arena, p);
	}
	*out = items;
	return db_end(&q);
}
