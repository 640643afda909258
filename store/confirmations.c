/*
 * confirmations.c - what the server has asked somebody by mail and waits to be told.
 */
#include "store/confirmations.h"

#include "store/engine/db.h"
#include "store/engine/sealed.h"

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

static enum confirmation_kind read_kind(struct query *q, struct arena *arena)
{
	struct span name = col_text(q, arena);

	for (size_t k = 0; k < sizeof(kind_names) / sizeof(kind_names[0]); k++)
		if (span_eq_str(name, kind_names[k]))
			return (enum confirmation_kind)k;
	db_spoil(q, db_fail(q->s, ERR_CORRUPT, "a question of an unknown kind"));
	return CONFIRMATION_ALSO;
}

static void read_confirmation(struct query *q, struct arena *arena, struct confirmation *out)
{
	out->id = col_int(q);
	out->kind = read_kind(q, arena);
	out->player = col_int(q);
	out->address = col_text(q, arena);
	out->game = col_int(q);
	out->serial = col_uint(q);
	out->seat = col_uint(q);
	out->names_turn = col_bool(q);
	out->arrived_utc = col_int(q);
	out->asked_utc = col_int(q);
	out->mail = col_int(q);
	out->player_yes = col_bool(q);
	out->address_yes = col_bool(q);
	out->text = col_sealed_text(
	    q, context_of_confirmation(q->s, out->id, out->player, out->mail), arena);
}

enum err confirmation_list(struct store *s, int64_t player, struct arena *arena,
                           struct confirmation **out, size_t *n)
{
	struct query q = db_read(
	    s, "SELECT id, kind, player, address, game, serial, seat, names_turn, arrived_utc,"
	       " asked_utc, mail, player_yes, address_yes, sealed_text"
	       " FROM confirmations WHERE player = ? ORDER BY id");
	void *items = NULL;

	*n = 0;
	bind_int(&q, player);
	while (db_next(&q))
		read_confirmation(&q, arena,
		                  list_add(arena, &items, n, sizeof(struct confirmation)));
	*out = items;
	return db_end(&q);
}

static enum err drop_like(struct store *s, const struct confirmation *new)
{
	struct query q = db_write(s, "DELETE FROM confirmations WHERE player = ? AND kind = ?"
	                             " AND game IS NOT DISTINCT FROM ? AND seat = ?");

	bind_int(&q, new->player);
	bind_cstr(&q, confirmation_kind_name(new->kind));
	bind_ref(&q, new->game);
	bind_int(&q, new->seat);
	return db_run(&q);
}

static enum err next_id(struct store *s, int64_t *id)
{
	struct query q = db_read(s, "SELECT coalesce(max(id), 0) + 1 FROM confirmations");

	*id = db_next(&q) ? col_int(&q) : 0;
	return db_end(&q);
}

static void bind_held_text(struct query *q, const struct confirmation *new)
{
	if (new->kind == CONFIRMATION_MAIL || new->kind == CONFIRMATION_MEANT ||
	    new->kind == CONFIRMATION_GUESTS)
		bind_sealed(q, context_of_confirmation(q->s, new->id, new->player, new->mail),
		            new->text);
	else
		bind_null(q);
}

enum err confirmation_add(struct store *s, struct confirmation *new)
{
	enum err err = drop_like(s, new);

	if (err == ERR_NONE)
		err = next_id(s, &new->id);
	if (err != ERR_NONE)
		return err;
	struct query q = db_write(
	    s,
	    "INSERT INTO confirmations (id, kind, player, address, game, serial, seat,"
	    " names_turn, arrived_utc, asked_utc, mail, player_yes, address_yes, sealed_text)"
	    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
	bind_int(&q, new->id);
	bind_cstr(&q, confirmation_kind_name(new->kind));
	bind_int(&q, new->player);
	bind_text(&q, new->address);
	bind_ref(&q, new->game);
	bind_int(&q, new->serial);
	bind_int(&q, new->seat);
	bind_int(&q, new->names_turn);
	bind_int(&q, new->arrived_utc);
	bind_int(&q, new->asked_utc);
	bind_int(&q, new->mail);
	bind_int(&q, new->player_yes);
	bind_int(&q, new->address_yes);
	bind_held_text(&q, new);
	return db_run(&q);
}

enum err confirmation_add_mail(struct store *s, int64_t confirmation, int64_t outbox)
{
	/* A mail that is written once more after a restored copy has its row already. */
	struct query q = db_write(s, "INSERT INTO confirmation_mails (outbox, confirmation)"
	                             " VALUES (?, ?) ON CONFLICT (outbox) DO UPDATE SET"
	                             " confirmation = excluded.confirmation");

	bind_int(&q, outbox);
	bind_int(&q, confirmation);
	return db_run(&q);
}

enum err confirmation_of_mail(struct store *s, int64_t outbox, int64_t *confirmation)
{
	struct query q =
	    db_read(s, "SELECT confirmation FROM confirmation_mails WHERE outbox = ?");
	bool found;

	bind_int(&q, outbox);
	found = db_next(&q);
	*confirmation = found ? col_int(&q) : 0;
	return db_end_found(&q, found, "question of this mail that is open");
}

enum err confirmation_update(struct store *s, const struct confirmation *now)
{
	struct query q = db_write(
	    s, "UPDATE confirmations SET player_yes = ?, address_yes = ? WHERE id = ?");

	bind_int(&q, now->player_yes);
	bind_int(&q, now->address_yes);
	bind_int(&q, now->id);
	return db_run_one(&q, "such question");
}

enum err confirmation_drop(struct store *s, int64_t id)
{
	struct query q = db_write(s, "DELETE FROM confirmations WHERE id = ?");

	bind_int(&q, id);
	return db_run_one(&q, "such question");
}

enum err confirmation_drop_old(struct store *s, int64_t before_utc)
{
	struct query q = db_write(s, "DELETE FROM confirmations WHERE asked_utc < ?");

	bind_int(&q, before_utc);
	return db_run(&q);
}

enum err confirmation_drop_all(struct store *s, int64_t player)
{
	struct query q = db_write(s, "DELETE FROM confirmations WHERE player = ?");

	bind_int(&q, player);
	return db_run(&q);
}
