/*
 * players.c - people and the addresses they write from.
 */
#include "store/players.h"

#include "store/addresses.h"
#include "store/confirmations.h"
#include "store/engine/row.h"
#include "store/engine/sealed.h"

enum { USUAL_DIGEST_MIN = 8 * 60 };

#define PLAYER_COLUMNS                                                                 \
	"SELECT id, address, name, created_utc, token_generation, confirmed, blocked," \
	" forgotten, ascii, cols, words_first, html, writes_html, proof_shown,"        \
	" no_reminders, puzzles, fixed_subject, zone, quiet_from, quiet_to,"           \
	" mail_mode, digest_min, unheard,"                                             \
	" EXISTS (SELECT 1 FROM bounced_addresses WHERE player = players.id)"          \
	" FROM players "

static const struct row_shape player_row =
    ROW_SHAPE(struct player,
              COLUMNS(struct player, id, address, name, created_utc, token_generation,
                      confirmed, blocked, forgotten, form.ascii, form.cols, form.words_first),
              COLUMN_ENUM(struct player, form.html, HTML_YES),
              COLUMNS(struct player, form.writes_html, form.proof_shown, no_reminders, puzzles,
                      fixed_subject, zone, quiet_from, quiet_to),
              COLUMN_ENUM(struct player, mail_mode, MAIL_DIGEST),
              COLUMNS(struct player, digest_min, unheard, bounced));

static enum err by_other_address(struct store *s, struct span address, struct arena *arena,
                                 struct player *out)
{
	return row_get(s,
	               PLAYER_COLUMNS
	               "WHERE id = (SELECT player FROM player_addresses WHERE address = ?)",
	               ARGS(address), &player_row, arena, out, "such player");
}

enum err player_by_address(struct store *s, struct span address, struct arena *arena,
                           struct player *out)
{
	enum err err = row_get(s, PLAYER_COLUMNS "WHERE address = ?", ARGS(address),
	                       &player_row, arena, out, "such player");

	return err == ERR_NOT_FOUND ? by_other_address(s, address, arena, out) : err;
}

enum err player_get(struct store *s, int64_t id, struct arena *arena, struct player *out)
{
	return row_get(s, PLAYER_COLUMNS "WHERE id = ?", ARGS(id), &player_row, arena, out,
	               "such player");
}

enum err player_at_seat(struct store *s, int64_t game, unsigned seat, struct arena *arena,
                        struct player *out)
{
	return row_get(s,
	               PLAYER_COLUMNS
	               "WHERE id = (SELECT player FROM seats WHERE game = ? AND seat = ?)",
	               ARGS(game, seat), &player_row, arena, out, "such player");
}

enum err player_add(struct store *s, struct span address, struct span name, bool confirmed,
                    int64_t now_utc, struct player *out)
{
	*out = (struct player){.address = address,
	                       .name = name,
	                       .created_utc = now_utc,
	                       .confirmed = confirmed,
	                       .digest_min = USUAL_DIGEST_MIN};
	enum err err = row_next_id(s, "SELECT coalesce(max(id), 0) + 1 FROM players",
	                           &s->known.next_player, &out->id);
	struct query q =
	    db_write_of(s, 0,
	                "INSERT INTO players (id, address, name, created_utc, confirmed,"
	                " digest_min) SELECT CAST(?1 AS BIGINT), ?2, ?3, CAST(?4 AS BIGINT),"
	                " CAST(?5 AS BIGINT), CAST(?6 AS BIGINT) WHERE NOT EXISTS"
	                " (SELECT 1 FROM player_addresses WHERE address = ?2)");

	db_spoil(&q, err);
	row_bind(&q, ARGS(out->id, row_text_or_null(address), name, now_utc, confirmed,
	                  out->digest_min));
	s->known.next_player = out->id + 1;
	return db_run_expected(&q, "new player: the address is another's");
}

enum err player_set_name(struct store *s, int64_t id, struct span name)
{
	return row_do_one(s, "UPDATE players SET name = ? WHERE id = ?", ARGS(name, id),
	                  "such player");
}

enum err player_set_confirmed(struct store *s, int64_t id)
{
	return row_do_one(s, "UPDATE players SET confirmed = 1 WHERE id = ?", ARGS(id),
	                  "such player");
}

enum err player_set_blocked(struct store *s, int64_t id, bool blocked)
{
	return row_do_one(s, "UPDATE players SET blocked = ? WHERE id = ?", ARGS(blocked, id),
	                  "such player");
}

/* They may be due at another time now. */
static enum err look_at_reminders(struct store *s, int64_t player)
{
	return row_do(s,
	              "UPDATE turns SET remind_utc = 1 WHERE state = 0"
	              " AND remind_utc IS NOT NULL AND (game, serial) IN"
	              " (SELECT g.id, g.serial FROM seats JOIN games g"
	              " ON g.id = game WHERE player = ? AND g.status IN (1, 2))",
	              ARGS(player));
}

enum err player_set_quiet(struct store *s, int64_t id, int from_min, int to_min)
{
	TRY(row_do_one(s, "UPDATE players SET quiet_from = ?, quiet_to = ? WHERE id = ?",
	               ARGS(from_min, to_min, id), "such player"));
	return look_at_reminders(s, id);
}

enum err player_next_token(struct store *s, int64_t id)
{
	return row_do_one(s,
	                  "UPDATE players SET token_generation = token_generation + 1"
	                  " WHERE id = ?",
	                  ARGS(id), "such player");
}

enum err player_set_form(struct store *s, const struct player *p)
{
	return row_do_one(
	    s,
	    "UPDATE players SET ascii = ?, cols = ?, words_first = ?,"
	    " html = ?, writes_html = ?, proof_shown = ?, no_reminders = ?,"
	    " puzzles = ?, fixed_subject = ?, zone = ?, mail_mode = ?, digest_min = ?"
	    " WHERE id = ?",
	    ARGS(p->form.ascii, p->form.cols, p->form.words_first, p->form.html,
	         p->form.writes_html, p->form.proof_shown, p->no_reminders, p->puzzles,
	         p->fixed_subject, p->zone, p->mail_mode, p->digest_min, p->id),
	    "such player");
}

/* Of 0: other mails of theirs in the same go see the column as it was, and write it as it is for them. */
enum err player_set_writes_html(struct store *s, int64_t id, bool writes_html)
{
	return row_do_of(s, 0, "UPDATE players SET writes_html = ? WHERE id = ?",
	                 ARGS(writes_html, id));
}

/* What has not left yet must not go out any more: there is no address to send it to. */
static enum err forget_mails(struct store *s, int64_t id)
{
	TRY(row_do(s,
	           "UPDATE outbox SET rcpt = '', answer = '', decided = 1,"
	           " state = CASE WHEN state < 4 THEN 5 ELSE state END,"
	           " next_try_utc = NULL WHERE player = ?",
	           ARGS(id)));
	/* What mail servers answer quotes addresses. */
	return row_do(s,
	              "DELETE FROM outbox_failures WHERE mail IN"
	              " (SELECT id FROM outbox WHERE player = ?)",
	              ARGS(id));
}

enum err player_forget(struct store *s, int64_t id)
{
	TRY(row_do_one(s,
	               "UPDATE players SET address = NULL, name = '', zone = '', forgotten = 1"
	               " WHERE id = ?",
	               ARGS(id), "such player"));
	TRY(row_do(s, "DELETE FROM player_addresses WHERE player = ?", ARGS(id)));
	TRY(confirmation_drop_all(s, id));
	/* Nobody who is forgotten is master of a game. */
	TRY(row_do(s, "UPDATE games SET master = NULL WHERE master = ?", ARGS(id)));
	return forget_mails(s, id);
}

enum err player_list_named(struct store *s, struct span name, size_t max, struct arena *arena,
                           struct player **out, size_t *n)
{
	return row_list(s,
	                PLAYER_COLUMNS "WHERE name = ? COLLATE NOCASE AND forgotten = 0"
	                               " AND name <> '' ORDER BY id LIMIT ?",
	                ARGS(name, max), &player_row, arena, out, n);
}

enum err player_set_unheard(struct store *s, int64_t id, unsigned n)
{
	return row_do(s, "UPDATE players SET unheard = ? WHERE id = ?", ARGS(n, id));
}

enum err player_list(struct store *s, struct arena *arena, struct player **out, size_t *n)
{
	return row_list(s, PLAYER_COLUMNS "ORDER BY id", NO_ARGS, &player_row, arena, out, n);
}

/* --------------------------------------------------------------- strangers */

/* Of one kind to one address since then; and how many of them at this moment. */
struct answers {
	unsigned n, last;
};
static const struct row_shape answers_row =
    ROW_SHAPE(struct answers, COLUMNS(struct answers, n, last));

static enum err count_answers(struct store *s, struct row_arg who, int64_t since_utc,
                              int64_t now_utc, struct answers *out)
{
	return row_find(s,
	                "SELECT count(*), max(n) FILTER (WHERE at_utc = ?)"
	                " FROM strangers WHERE who = ? AND at_utc >= ?",
	                ARGS(now_utc, who, since_utc), &answers_row, NULL, out);
}

/* What was asked ahead of these rows is used up by the look at them that comes before each change. */
enum err stranger_take(struct store *s, struct span address, const char *kind,
                       int64_t since_utc, unsigned limit, int64_t now_utc, unsigned *left)
{
	struct row_arg who = row_address(s, "stranger", kind, address);
	struct answers given = {0};
	enum err err = count_answers(s, who, since_utc, now_utc, &given);

	*left = given.n < limit ? limit - given.n : 0;
	if (err == ERR_NONE)
		err = row_do_of(s, 0, "DELETE FROM strangers WHERE kind = ? AND at_utc < ?",
		                ARGS(kind, since_utc));
	if (err != ERR_NONE || *left == 0)
		return err;
	return row_do_of(s, 0,
	                 "INSERT INTO strangers (who, at_utc, n, kind)"
	                 " VALUES (?, ?, ?, ?)",
	                 ARGS(who, now_utc, given.last + 1, kind));
}

enum err stranger_count(struct store *s, struct span address, const char *kind,
                        int64_t since_utc, int64_t now_utc, unsigned *n)
{
	struct answers given;
	enum err err = count_answers(s, row_address(s, "stranger", kind, address), since_utc,
	                             now_utc, &given);

	*n = given.n;
	return err;
}
