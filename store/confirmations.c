/*
 * confirmations.c - what the server has asked somebody by mail and waits to be told.
 */
#include "store/confirmations.h"

#include "store/engine/row.h"

bool confirmation_is_of_digest(const struct confirmation *q)
{
	return q->kind == CONFIRMATION_MAIL && q->game == 0 && q->names_turn;
}

static const char *const kind_names[] = {[CONFIRMATION_ALSO] = "also",
                                         [CONFIRMATION_ADDRESS] = "address",
                                         [CONFIRMATION_MAIL] = "mail",
                                         [CONFIRMATION_MEANT] = "meant",
                                         [CONFIRMATION_GUESTS] = "guests"};

const char *confirmation_kind_name(enum confirmation_kind k)
{
	return kind_names[k];
}

static void read_kind(struct query *q, struct arena *arena, void *row)
{
	struct confirmation *out = row;
	struct span name = col_text(q, arena);

	for (size_t k = 0; k < sizeof(kind_names) / sizeof(kind_names[0]); k++)
		if (span_eq_str(name, kind_names[k])) {
			out->kind = (enum confirmation_kind)k;
			return;
		}
	db_spoil(q, db_fail(q->s, ERR_CORRUPT, "a question of an unknown kind"));
}

static const struct row_shape confirmation_row =
    ROW_SHAPE(struct confirmation, COLUMNS(struct confirmation, id), COLUMN_READ(1, read_kind),
              COLUMNS(struct confirmation, player, address, game, serial, seat, names_turn,
                      arrived_utc, asked_utc, mail, player_yes, address_yes),
              COLUMN_SEALED(struct confirmation, text, SEALED, "question", id, player, mail));

enum err confirmation_list(struct store *s, int64_t player, struct arena *arena,
                           struct confirmation **out, size_t *n)
{
	return row_list(
	    s,
	    "SELECT id, kind, player, address, game, serial, seat, names_turn, arrived_utc,"
	    " asked_utc, mail, player_yes, address_yes, sealed_text"
	    " FROM confirmations WHERE player = ? ORDER BY id",
	    ARGS(player), &confirmation_row, arena, out, n);
}

enum err confirmation_add(struct store *s, struct confirmation *new)
{
	const char *kind = confirmation_kind_name(new->kind);
	bool holds_text = new->kind == CONFIRMATION_MAIL || new->kind == CONFIRMATION_MEANT ||
	                  new->kind == CONFIRMATION_GUESTS;

	TRY(row_do(s,
	           "DELETE FROM confirmations WHERE player = ? AND kind = ?"
	           " AND game IS NOT DISTINCT FROM ? AND seat = ?",
	           ARGS(new->player, kind, row_ref(new->game), new->seat)));
	TRY(row_find(s, "SELECT coalesce(max(id), 0) + 1 FROM confirmations", NO_ARGS,
	             &row_int64, NULL, &new->id));
	return row_do(
	    s,
	    "INSERT INTO confirmations (id, kind, player, address, game, serial, seat,"
	    " names_turn, arrived_utc, asked_utc, mail, player_yes, address_yes, sealed_text)"
	    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	    ARGS(new->id, kind, new->player, new->address, row_ref(new->game), new->serial,
	         new->seat, new->names_turn, new->arrived_utc, new->asked_utc, new->mail,
	         new->player_yes, new->address_yes,
	         holds_text ? row_sealed(SEALED, "question",
	                                 ARGS(new->id, new->player, new->mail), new->text)
	                    : row_null()));
}

enum err confirmation_add_mail(struct store *s, int64_t confirmation, int64_t outbox)
{
	/* A mail that is written once more after a restored copy has its row already. */
	return row_do(s,
	              "INSERT INTO confirmation_mails (outbox, confirmation)"
	              " VALUES (?, ?) ON CONFLICT (outbox) DO UPDATE SET"
	              " confirmation = excluded.confirmation",
	              ARGS(outbox, confirmation));
}

enum err confirmation_of_mail(struct store *s, int64_t outbox, int64_t *confirmation)
{
	*confirmation = 0;
	return row_get(s, "SELECT confirmation FROM confirmation_mails WHERE outbox = ?",
	               ARGS(outbox), &row_int64, NULL, confirmation,
	               "question of this mail that is open");
}

enum err confirmation_update(struct store *s, const struct confirmation *now)
{
	return row_do_one(
	    s, "UPDATE confirmations SET player_yes = ?, address_yes = ? WHERE id = ?",
	    ARGS(now->player_yes, now->address_yes, now->id), "such question");
}

enum err confirmation_drop(struct store *s, int64_t id)
{
	return row_do_one(s, "DELETE FROM confirmations WHERE id = ?", ARGS(id),
	                  "such question");
}

enum err confirmation_drop_old(struct store *s, int64_t before_utc)
{
	return row_do(s, "DELETE FROM confirmations WHERE asked_utc < ?", ARGS(before_utc));
}

enum err confirmation_drop_all(struct store *s, int64_t player)
{
	return row_do(s, "DELETE FROM confirmations WHERE player = ?", ARGS(player));
}
