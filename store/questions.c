/*
 * questions.c - what the server has asked somebody by mail and waits to be told.
 */
#include "store/questions.h"

#include "store/engine/db.h"
#include "store/engine/sealed.h"

#include "processor/base/banned.h"

bool question_is_of_digest(const struct question *q)
{
	return q->kind == QUESTION_MAIL && q->game == 0 && q->names_turn;
}

static const char *const kind_names[] = {
    [QUESTION_ALSO] = "also", [QUESTION_ADDRESS] = "address", [QUESTION_MAIL] = "mail"};

const char *question_kind_name(enum question_kind k)
{
	return kind_names[k];
}

static enum question_kind read_kind(struct query *q, struct arena *arena)
{
	struct span name = col_text(q, arena);

	for (size_t k = 0; k < sizeof(kind_names) / sizeof(kind_names[0]); k++)
		if (span_eq_str(name, kind_names[k]))
			return (enum question_kind)k;
	db_spoil(q, db_fail(q->s, ERR_CORRUPT, "a question of an unknown kind"));
	return QUESTION_ALSO;
}

static void read_question(struct query *q, struct arena *arena, struct question *out)
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
	    q, context_of_question(q->s, out->id, out->player, out->mail), arena);
}

enum err question_list(struct store *s, int64_t player, struct arena *arena,
                       struct question **out, size_t *n)
{
	struct query q = db_read(
	    s, "SELECT id, kind, player, address, game, serial, seat, names_turn, arrived_utc,"
	       " asked_utc, mail, player_yes, address_yes, sealed_text"
	       " FROM questions WHERE player = ? ORDER BY id");
	void *items = NULL;

	*n = 0;
	bind_int(&q, player);
	while (db_next(&q))
		read_question(&q, arena, list_add(arena, &items, n, sizeof(struct question)));
	*out = items;
	return db_end(&q);
}

static enum err drop_like(struct store *s, const struct question *new)
{
	struct query q = db_write(s, "DELETE FROM questions WHERE player = ? AND kind = ?"
	                             " AND game IS ? AND seat = ?");

	bind_int(&q, new->player);
	bind_cstr(&q, question_kind_name(new->kind));
	bind_ref(&q, new->game);
	bind_int(&q, new->seat);
	return db_run(&q);
}

static enum err next_id(struct store *s, int64_t *id)
{
	struct query q = db_read(s, "SELECT coalesce(max(id), 0) + 1 FROM questions");

	*id = db_next(&q) ? col_int(&q) : 0;
	return db_end(&q);
}

static void bind_held_text(struct query *q, const struct question *new)
{
	if (new->kind == QUESTION_MAIL)
		bind_sealed(q, context_of_question(q->s, new->id, new->player, new->mail),
		            new->text);
	else
		bind_null(q);
}

enum err question_add(struct store *s, struct question *new)
{
	enum err err = drop_like(s, new);

	if (err == ERR_NONE)
		err = next_id(s, &new->id);
	if (err != ERR_NONE)
		return err;
	struct query q = db_write(
	    s,
	    "INSERT INTO questions (id, kind, player, address, game, serial, seat,"
	    " names_turn, arrived_utc, asked_utc, mail, player_yes, address_yes, sealed_text)"
	    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
	bind_int(&q, new->id);
	bind_cstr(&q, question_kind_name(new->kind));
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

enum err question_add_mail(struct store *s, int64_t question, int64_t outbox)
{
	/* A mail that is written once more after a restored copy has its row already. */
	struct query q = db_write(s, "INSERT INTO question_mails (outbox, question)"
	                             " VALUES (?, ?) ON CONFLICT (outbox) DO UPDATE SET"
	                             " question = excluded.question");

	bind_int(&q, outbox);
	bind_int(&q, question);
	return db_run(&q);
}

enum err question_of_mail(struct store *s, int64_t outbox, int64_t *question)
{
	struct query q = db_read(s, "SELECT question FROM question_mails WHERE outbox = ?");
	bool found;

	bind_int(&q, outbox);
	found = db_next(&q);
	*question = found ? col_int(&q) : 0;
	return db_end_found(&q, found, "question of this mail that is open");
}

enum err question_update(struct store *s, const struct question *now)
{
	struct query q =
	    db_write(s, "UPDATE questions SET player_yes = ?, address_yes = ? WHERE id = ?");

	bind_int(&q, now->player_yes);
	bind_int(&q, now->address_yes);
	bind_int(&q, now->id);
	return db_run_one(&q, "such question");
}

enum err question_drop(struct store *s, int64_t id)
{
	struct query q = db_write(s, "DELETE FROM questions WHERE id = ?");

	bind_int(&q, id);
	return db_run_one(&q, "such question");
}

enum err question_drop_old(struct store *s, int64_t before_utc)
{
	struct query q = db_write(s, "DELETE FROM questions WHERE asked_utc < ?");

	bind_int(&q, before_utc);
	return db_run(&q);
}

enum err question_drop_all(struct store *s, int64_t player)
{
	struct query q = db_write(s, "DELETE FROM questions WHERE player = ?");

	bind_int(&q, player);
	return db_run(&q);
}
