/*
 * players.c - people and the addresses they write from.
 */
#include "store/players.h"

#include "processor/base/utf8.h"
#include "store/addresses.h"
#include "store/confirmations.h"
#include "store/engine/db.h"
#include "store/engine/sealed.h"

#define PLAYER_COLUMNS                                                                    \
	"SELECT id, address, name, created_utc, token_generation, confirmed, blocked,"    \
	" forgotten, ascii, cols, words_first, html, no_reminders, fixed_subject, zone,"  \
	" quiet_from, quiet_to, mail_mode,"                                               \
	" digest_min, EXISTS (SELECT 1 FROM bounced_addresses WHERE player = players.id)" \
	" FROM players "

static void read_player(struct query *q, struct arena *arena, struct player *out)
{
	out->id = col_int(q);
	out->address = col_text(q, arena);
	out->name = col_text(q, arena);
	out->created_utc = col_int(q);
	out->token_generation = col_uint(q);
	out->confirmed = col_bool(q);
	out->blocked = col_bool(q);
	out->forgotten = col_bool(q);
	out->form.ascii = col_bool(q);
	out->form.cols = col_uint(q);
	out->form.words_first = col_bool(q);
	out->form.html = (enum html_choice)col_uint(q); /* CHECKed to be one */
	out->no_reminders = col_bool(q);
	out->fixed_subject = col_bool(q);
	out->zone = col_text(q, arena);
	out->quiet_from = (int)col_int(q);
	out->quiet_to = (int)col_int(q);
	out->mail_mode = (enum mail_mode)col_uint(q); /* CHECKed to be one */
	out->digest_min = (int)col_int(q);
	out->bounced = col_bool(q);
}

static enum err read_one(struct query *q, struct arena *arena, struct player *out)
{
	bool found = db_next(q);

	if (found)
		read_player(q, arena, out);
	return db_end_found(q, found, "such player");
}

static enum err by_other_address(struct store *s, struct span address, struct arena *arena,
                                 struct player *out)
{
	struct query q =
	    db_read(s, PLAYER_COLUMNS
	            "WHERE id = (SELECT player FROM player_addresses WHERE address = ?)");

	bind_text(&q, address);
	return read_one(&q, arena, out);
}

enum err player_by_address(struct store *s, struct span address, struct arena *arena,
                           struct player *out)
{
	struct query q = db_read(s, PLAYER_COLUMNS "WHERE address = ?");
	enum err err;

	bind_text(&q, address);
	err = read_one(&q, arena, out);
	return err == ERR_NOT_FOUND ? by_other_address(s, address, arena, out) : err;
}

enum err player_get(struct store *s, int64_t id, struct arena *arena, struct player *out)
{
	struct query q = db_read(s, PLAYER_COLUMNS "WHERE id = ?");

	bind_int(&q, id);
	return read_one(&q, arena, out);
}

enum err player_at_seat(struct store *s, int64_t game, unsigned seat, struct arena *arena,
                        struct player *out)
{
	struct query q =
	    db_read(s, PLAYER_COLUMNS
	            "WHERE id = (SELECT player FROM seats WHERE game = ? AND seat = ?)");

	bind_int(&q, game);
	bind_int(&q, seat);
	return read_one(&q, arena, out);
}

enum err player_add(struct store *s, struct span address, struct span name, bool confirmed,
                    int64_t now_utc, int64_t *id)
{
	struct query q = db_write(s,
	                          "INSERT INTO players (address, name, created_utc, confirmed)"
	                          " VALUES (?, ?, ?, ?) RETURNING id");
	struct arena *arena = arena_new();
	struct player other = {0};
	enum err err = by_other_address(s, address, arena, &other);

	arena_free(arena);
	if (err == ERR_NONE)
		err =
		    db_fail(s, ERR_EXISTS, "the address is player %lld's", (long long)other.id);
	db_spoil(&q, err == ERR_NOT_FOUND ? ERR_NONE : err);
	bind_text_or_null(&q, address);
	bind_text(&q, name);
	bind_int(&q, now_utc);
	bind_int(&q, confirmed);
	return db_run_id(&q, id);
}

enum err player_set_name(struct store *s, int64_t id, struct span name)
{
	struct query q = db_write(s, "UPDATE players SET name = ? WHERE id = ?");

	bind_text(&q, name);
	bind_int(&q, id);
	return db_run_one(&q, "such player");
}

enum err player_set_confirmed(struct store *s, int64_t id)
{
	struct query q = db_write(s, "UPDATE players SET confirmed = 1 WHERE id = ?");

	bind_int(&q, id);
	return db_run_one(&q, "such player");
}

enum err player_set_blocked(struct store *s, int64_t id, bool blocked)
{
	struct query q = db_write(s, "UPDATE players SET blocked = ? WHERE id = ?");

	bind_int(&q, blocked);
	bind_int(&q, id);
	return db_run_one(&q, "such player");
}

enum err player_set_zone(struct store *s, int64_t id, struct span zone)
{
	struct query q = db_write(s, "UPDATE players SET zone = ? WHERE id = ?");

	bind_text(&q, zone);
	bind_int(&q, id);
	return db_run_one(&q, "such player");
}

/* They may be due at another time now. */
static enum err look_at_reminders(struct store *s, int64_t player)
{
	struct query q = db_write(s,
	                          "UPDATE turns SET remind_utc = 1 WHERE state = 0"
	                          " AND remind_utc IS NOT NULL AND (game, serial) IN"
	                          " (SELECT g.id, g.serial FROM seats JOIN games g"
	                          " ON g.id = game WHERE player = ? AND g.status IN (1, 2))");

	bind_int(&q, player);
	return db_run(&q);
}

enum err player_set_quiet(struct store *s, int64_t id, int from_min, int to_min)
{
	struct query q =
	    db_write(s, "UPDATE players SET quiet_from = ?, quiet_to = ? WHERE id = ?");
	enum err err;

	bind_int(&q, from_min);
	bind_int(&q, to_min);
	bind_int(&q, id);
	err = db_run_one(&q, "such player");
	return err == ERR_NONE ? look_at_reminders(s, id) : err;
}

enum err player_set_mail(struct store *s, int64_t id, enum mail_mode mode, int digest_min)
{
	struct query q =
	    db_write(s, "UPDATE players SET mail_mode = ?, digest_min = ? WHERE id = ?");

	bind_int(&q, mode);
	bind_int(&q, digest_min);
	bind_int(&q, id);
	return db_run_one(&q, "such player");
}

enum err player_next_token(struct store *s, int64_t id)
{
	struct query q = db_write(s,
	                          "UPDATE players SET token_generation = token_generation + 1"
	                          " WHERE id = ?");

	bind_int(&q, id);
	return db_run_one(&q, "such player");
}

enum err player_set_form(struct store *s, const struct player *p)
{
	struct query q = db_write(s, "UPDATE players SET ascii = ?, cols = ?, words_first = ?,"
	                             " html = ?, no_reminders = ?, fixed_subject = ?"
	                             " WHERE id = ?");

	bind_int(&q, p->form.ascii);
	bind_int(&q, p->form.cols);
	bind_int(&q, p->form.words_first);
	bind_int(&q, p->form.html);
	bind_int(&q, p->no_reminders);
	bind_int(&q, p->fixed_subject);
	bind_int(&q, p->id);
	return db_run_one(&q, "such player");
}

/* What has not left yet must not go out any more: there is no address to send it to. */
static enum err forget_mails(struct store *s, int64_t id)
{
	struct query q = db_write(s, "UPDATE outbox SET rcpt = '', answer = '', decided = 1,"
	                             " state = CASE WHEN state < 4 THEN 5 ELSE state END,"
	                             " next_try_utc = NULL WHERE player = ?");
	enum err err;

	bind_int(&q, id);
	err = db_run(&q);
	if (err != ERR_NONE)
		return err;
	/* What mail servers answer quotes addresses. */
	q = db_write(s, "DELETE FROM outbox_failures WHERE mail IN"
	                " (SELECT id FROM outbox WHERE player = ?)");
	bind_int(&q, id);
	return db_run(&q);
}

static enum err forget_addresses(struct store *s, int64_t player)
{
	struct query q = db_write(s, "DELETE FROM player_addresses WHERE player = ?");

	bind_int(&q, player);
	return db_run(&q);
}

/* Nobody who is forgotten is master of a game. */
static enum err forget_offices(struct store *s, int64_t id)
{
	struct query q = db_write(s, "UPDATE games SET master = NULL WHERE master = ?");

	bind_int(&q, id);
	return db_run(&q);
}

enum err player_forget(struct store *s, int64_t id)
{
	struct query q =
	    db_write(s, "UPDATE players SET address = NULL, name = '', zone = '', forgotten = 1"
	                " WHERE id = ?");
	enum err err;

	bind_int(&q, id);
	err = db_run_one(&q, "such player");
	if (err == ERR_NONE)
		err = forget_addresses(s, id);
	if (err == ERR_NONE)
		err = confirmation_drop_all(s, id);
	if (err == ERR_NONE)
		err = forget_offices(s, id);
	return err == ERR_NONE ? forget_mails(s, id) : err;
}

static enum err read_players(struct query *q, struct arena *arena, struct player **out,
                             size_t *n)
{
	void *items = NULL;

	*n = 0;
	while (db_next(q))
		read_player(q, arena, list_add(arena, &items, n, sizeof(struct player)));
	*out = items;
	return db_end(q);
}

enum err player_list_named(struct store *s, struct span name, size_t max, struct arena *arena,
                           struct player **out, size_t *n)
{
	struct query q = db_read(s, PLAYER_COLUMNS
	                         "WHERE name = ? COLLATE NOCASE AND forgotten = 0"
	                         " AND name <> '' ORDER BY id LIMIT ?");

	bind_text(&q, name);
	bind_int(&q, (int64_t)max);
	return read_players(&q, arena, out, n);
}

enum err player_list(struct store *s, struct arena *arena, struct player **out, size_t *n)
{
	struct query q = db_read(s, PLAYER_COLUMNS "ORDER BY id");

	return read_players(&q, arena, out, n);
}

/* --------------------------------------------------------------- strangers */

/* One answer of one kind to one address; people do not notice case in addresses. */
static void add_identity(struct strbuf *out, struct span address, const char *kind)
{
	strbuf_addf(out, "%s\n", kind);
	utf8_add_folded(out, address);
}

static enum err drop_old_answers(struct store *s, const char *kind, int64_t since_utc)
{
	struct query q = db_write(s, "DELETE FROM strangers WHERE kind = ? AND at_utc < ?");

	bind_cstr(&q, kind);
	bind_int(&q, since_utc);
	return db_run(&q);
}

static enum err count_answers(struct store *s, struct span who, int64_t since_utc,
                              int64_t now_utc, unsigned *n, unsigned *last)
{
	struct query q = db_read(s, "SELECT count(*), max(n) FILTER (WHERE at_utc = ?)"
	                            " FROM strangers WHERE who = ? AND at_utc >= ?");

	bind_int(&q, now_utc);
	bind_short_hash(&q, "stranger", who);
	bind_int(&q, since_utc);
	if (db_next(&q)) {
		*n = col_uint(&q);
		*last = col_uint(&q);
	}
	return db_end(&q);
}

static enum err add_answer(struct store *s, struct span who, const char *kind, int64_t now_utc,
                           unsigned n)
{
	struct query q = db_write(s, "INSERT INTO strangers (who, at_utc, n, kind)"
	                             " VALUES (?, ?, ?, ?)");

	bind_short_hash(&q, "stranger", who);
	bind_int(&q, now_utc);
	bind_int(&q, n);
	bind_cstr(&q, kind);
	return db_run(&q);
}

enum err stranger_allow(struct store *s, struct span address, const char *kind,
                        int64_t since_utc, unsigned limit, int64_t now_utc, bool *allowed)
{
	struct strbuf who = STRBUF_INIT;
	unsigned n = 0;
	unsigned last = 0;
	enum err err = drop_old_answers(s, kind, since_utc);

	*allowed = false;
	add_identity(&who, address, kind);
	if (err == ERR_NONE)
		err = count_answers(s, strbuf_span(&who), since_utc, now_utc, &n, &last);
	if (err == ERR_NONE && n < limit) {
		err = add_answer(s, strbuf_span(&who), kind, now_utc, last + 1);
		*allowed = err == ERR_NONE;
	}
	strbuf_release(&who);
	return err;
}

enum err stranger_count(struct store *s, struct span address, const char *kind,
                        int64_t since_utc, unsigned *n)
{
	struct strbuf who = STRBUF_INIT;
	unsigned last;

	*n = 0;
	add_identity(&who, address, kind);
	enum err err = count_answers(s, strbuf_span(&who), since_utc, 0, n, &last);
	strbuf_release(&who);
	return err;
}
