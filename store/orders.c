/*
 * orders.c - sealed orders, one row per revision.
 *
 * The smallest rows of the database: most of what a server keeps is these. How
 * it came, withdrawal and salt share one number, and the salt stands as first
 * line before the sealed text, where it costs nothing when there is none. What the mail
 * contributes (sealed.h) is not written out either: most rows would be three times as long.
 */
#include "store/orders.h"

#include "store/engine/row.h"
#include "store/engine/sealed.h"

enum { HOW_ORIGIN = 7, HOW_CONTRIBUTED = 8, HOW_CLEARED = 16, HOW_SALTED = 32 };
enum { MARK_QUOTES_HEAD = 1, MARK_DKIM_VERIFIED = 2, MARK_OPERATOR = 4 };

/* --------------------------------------------------------------- appending */

struct place {
	unsigned state, last;
};

static const struct row_shape place_row =
    ROW_SHAPE(struct place, COLUMNS(struct place, state, last));

static enum err check_place(struct store *s, const struct order_revision *r)
{
	struct place p;

	TRY(row_get(s,
	            "SELECT state, (SELECT max(revision) FROM orders o"
	            " WHERE o.game = t.game AND o.serial = t.serial AND o.seat = ?)"
	            " FROM turns t WHERE game = ? AND serial = ?",
	            ARGS(r->seat, r->game, r->serial), &place_row, NULL, &p, "such turn"));
	if (p.state != 0)
		return db_fail(s, ERR_INVALID, "turn %u of game %lld takes no more orders",
		               r->serial, (long long)r->game);
	if (r->revision != p.last + 1)
		return db_fail(s, ERR_INVALID, "revision %u does not follow revision %u",
		               r->revision, p.last);
	return ERR_NONE;
}

static enum err check_form(struct store *s, const struct order_revision *r)
{
	if (r->seat < 1 || r->seat > 32)
		return db_fail(s, ERR_INVALID, "there is no seat %u", r->seat);
	if (span_find_char(r->salt, '\n') < r->salt.len)
		return db_fail(s, ERR_INVALID, "a salt is one line");
	return ERR_NONE;
}

static unsigned how_of(const struct order_revision *r)
{
	return ((unsigned)r->origin & HOW_ORIGIN) |
	       (hash_is_zero(&r->contribution) ? 0 : (unsigned)HOW_CONTRIBUTED) |
	       (r->cleared ? (unsigned)HOW_CLEARED : 0) |
	       (r->salt.len > 0 ? (unsigned)HOW_SALTED : 0);
}

/*
 * What the seal of an order is bound to. It has no stored nonce (sealed.h): which mail brought
 * it, when and how, is a part of this.
 */
#define ORDER_OF(r, how)                                                               \
	ARGS((r)->game, (r)->serial, (r)->seat, (r)->revision, how, (r)->received_utc, \
	     (r)->mail)
#define DRAWN_OF(r) ARGS((r)->game, (r)->serial, (r)->seat, (r)->revision)

/* Of 48 bits: the sum of 32,000 of them is a number. */
static int64_t add_to_sum(struct store *s, int64_t sum, const char *text)
{
	unsigned char hash[SHORT_HASH_LEN];
	int64_t one = 0;

	short_hash(s, "orders sum", span_of(text), hash);
	for (unsigned i = 0; i < 6; i++)
		one = one * 256 + hash[i];
	return sum + one;
}

int64_t orders_sum(struct store *s, int64_t game, unsigned serial, const struct hash *head,
                   const struct order_revision *all, size_t n)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "head %lld %u ", (long long)game, serial);
	hash_add_hex(&text, head);
	/* As long in its row as it will ever be: one that grew would split pages. */
	int64_t sum = add_to_sum(s, INT64_C(1) << 56, text.ptr);
	strbuf_release(&text);
	for (size_t i = 0; i < n; i++)
		sum = add_to_sum(s, sum,
		                 seal_context(s, "order", ORDER_OF(&all[i], how_of(&all[i]))));
	return sum;
}

static enum err insert(struct store *s, const struct order_revision *r)
{
	unsigned how = how_of(r);
	struct strbuf text = STRBUF_INIT;

	if (r->salt.len > 0) {
		strbuf_add_span(&text, r->salt);
		strbuf_addc(&text, '\n');
	}
	strbuf_add_span(&text, r->canonical);
	add_contribution(&text, &r->contribution);
	enum err err = row_do_of(
	    s, r->game,
	    "INSERT INTO orders (game, serial, seat, revision, how, received_utc, mail,"
	    " sealed_text, marks, dkim, sealed_drawn)"
	    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	    ARGS(r->game, r->serial, r->seat, r->revision, how, r->received_utc,
	         row_ref(r->mail),
	         row_sealed(SEALED_ONCE, "order", ORDER_OF(r, how), strbuf_span(&text)),
	         (r->quotes_head ? MARK_QUOTES_HEAD : 0) |
	             (r->dkim_verified ? MARK_DKIM_VERIFIED : 0) |
	             (r->by_operator ? MARK_OPERATOR : 0),
	         row_hash_or_null(&r->dkim),
	         r->drawn.ptr ? row_sealed(SEALED_PADDED, "drawn", DRAWN_OF(r), r->drawn)
	                      : row_null()));
	strbuf_release(&text);
	return err;
}

static enum err note_in_turn(struct store *s, const struct order_revision *r)
{
	struct query q = db_write_of(
	    s, r->game,
	    "UPDATE turns SET have = (have & ~CAST(?1 AS BIGINT)) | ?2,"
	    " orders_sum = orders_sum + ?3 WHERE game = ?4 AND serial = ?5 AND state = 0");
	uint32_t bit = seat_bit(r->seat);
	const char *order = seal_context(s, "order", ORDER_OF(r, how_of(r)));

	row_bind(&q,
	         ARGS(bit, r->cleared ? 0 : bit, add_to_sum(s, 0, order), r->game, r->serial));
	return db_run_expected(&q, "open turn");
}

/* The first orders of a seat need no look at the others: that there are none, the key says. */
enum err orders_append(struct store *s, const struct order_revision *r)
{
	TRY(check_form(s, r));
	if (r->revision > 1)
		TRY(check_place(s, r));
	TRY(note_in_turn(s, r));
	return insert(s, r);
}

enum err orders_take_as_stored(struct store *s, int64_t game, unsigned serial)
{
	return row_do(s,
	              "UPDATE turns SET orders_sum = NULL, covered = covered & (SELECT"
	              " coalesce(sum(DISTINCT 1 << CAST(seat - 1 AS INTEGER)), 0)"
	              " FROM standing_orders p WHERE p.game = turns.game AND (kind = 2 OR"
	              " (kind = 0 AND number = turns.serial))), have = (SELECT coalesce(sum("
	              "CASE WHEN how & 16 = 0 THEN 1 << CAST(seat - 1 AS INTEGER) END), 0)"
	              " FROM orders o WHERE o.game = turns.game AND o.serial = turns.serial"
	              " AND NOT EXISTS (SELECT 1 FROM orders l WHERE l.game = o.game"
	              " AND l.serial = o.serial AND l.seat = o.seat"
	              " AND l.revision > o.revision))"
	              " WHERE game = ? AND serial = ? AND state = 0",
	              ARGS(game, serial));
}

/* ----------------------------------------------------------------- reading */

#define ORDER_COLUMNS                                                                \
	"SELECT game, serial, seat, revision, how, received_utc, mail, sealed_text," \
	" marks, dkim, sealed_drawn FROM orders "

static void read_revision(struct query *q, struct arena *arena, void *row)
{
	struct order_revision *out = row;
	struct span text;

	out->game = col_int(q);
	out->serial = col_uint(q);
	out->seat = col_uint(q);
	out->revision = col_uint(q);
	unsigned how = col_uint(q);
	out->received_utc = col_int(q);
	out->mail = col_int(q);
	text = col_sealed_text(q, SEALED_ONCE, seal_context(q->s, "order", ORDER_OF(out, how)),
	                       arena);
	unsigned marks = col_uint(q);
	out->quotes_head = (marks & MARK_QUOTES_HEAD) != 0;
	out->dkim_verified = (marks & MARK_DKIM_VERIFIED) != 0;
	out->by_operator = (marks & MARK_OPERATOR) != 0;
	col_hash(q, &out->dkim);
	out->drawn = (struct span){NULL, 0};
	if (!col_is_null(q))
		out->drawn = col_sealed_text(q, SEALED_PADDED,
		                             seal_context(q->s, "drawn", DRAWN_OF(out)), arena);
	out->origin = (int)(how & HOW_ORIGIN);
	out->cleared = (how & HOW_CLEARED) != 0;
	out->contribution = (struct hash){{0}};
	if (how & HOW_CONTRIBUTED)
		take_contribution(&text, &out->contribution);
	out->salt = SPAN_LIT("");
	if (how & HOW_SALTED)
		(void)span_next_field(&text, '\n', &out->salt);
	out->canonical = text;
}

static const struct row_shape revision_row =
    ROW_SHAPE(struct order_revision, COLUMN_READ(11, read_revision));

enum err orders_have_signature(struct store *s, const struct order_revision *r, bool *yes)
{
	unsigned n = 0;
	enum err err = row_find(s,
	                        "SELECT count(*) FROM orders WHERE game = ? AND seat = ?"
	                        " AND dkim = ? AND mail <> ?",
	                        ARGS(r->game, r->seat, row_hash_or_null(&r->dkim), r->mail),
	                        &row_uint, NULL, &n);

	*yes = n > 0;
	return err;
}

enum err orders_last(struct store *s, int64_t game, unsigned serial, unsigned seat,
                     struct arena *arena, struct order_revision *out)
{
	return row_get(s,
	               ORDER_COLUMNS "WHERE game = ? AND serial = ? AND seat = ?"
	                             " ORDER BY revision DESC LIMIT 1",
	               ARGS(game, serial, seat), &revision_row, arena, out,
	               "orders of this seat");
}

enum err orders_list(struct store *s, int64_t game, unsigned serial, struct arena *arena,
                     struct order_revision **out, size_t *n)
{
	return row_list(s,
	                ORDER_COLUMNS "WHERE game = ? AND serial = ?"
	                              " ORDER BY seat, revision",
	                ARGS(game, serial), &revision_row, arena, out, n);
}
