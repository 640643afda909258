/*
 * personal_data.c - what is known of one person; the tables of what is asked.
 */
#include "store/operator/personal_data.h"

#include "store/engine/db.h"
#include "store/engine/sealed.h"

/* ?1 the player, ?2 whether games that are not over are shown. As in dump.c "open" names the seal of the
   next column; NULL: it stays closed. "contributed" before it: whether that has a contribution behind its text. */
#define IS_LIVE "x.status < 3"
/* What is about no game may tell of every game the person plays, as a digest does. */
#define MAY_OPEN(game)                                                                 \
	"(?2 OR NOT EXISTS (SELECT 1 FROM games x WHERE " IS_LIVE " AND (x.id = " game \
	" OR (" game " IS NULL AND x.id IN (SELECT game FROM seats WHERE player = ?1)))))"
/* Who held that seat at that turn. */
#define SAT_THERE(t)                                                                           \
	"(SELECT player FROM seat_holders y WHERE y.game = " t ".game AND y.seat = " t ".seat" \
	" AND y.serial <= " t ".serial ORDER BY y.serial DESC LIMIT 1) = ?1"
#define HAS_SAT(t) t ".game IN (SELECT game FROM seat_holders WHERE player = ?1)"

/* clang-format off */
static const struct {
	const char *name, *sql;
} parts[] = {
	{ "person",
	  "SELECT id, address, name, created_utc, confirmed, blocked, forgotten, zone, quiet_from,"
	  " quiet_to, mail_mode, digest_min, ascii, cols, words_first, html, writes_html, proof_shown, no_reminders, puzzles,"
	  " fixed_subject,"
	  " token_generation"
	  " FROM players WHERE id = ?1 AND ?2 = ?2" },
	{ "further_addresses",
	  "SELECT address, since_utc FROM player_addresses WHERE player = ?1 AND ?2 = ?2"
	  " ORDER BY since_utc" },
	{ "addresses_that_bounce",
	  "SELECT address, score, last_utc, paused_utc, said, instead FROM bounced_addresses"
	  " WHERE player = ?1 AND ?2 = ?2" },
	{ "seats",
	  "SELECT g.letter || g.id AS game, g.kind, s.seat, s.name, s.played_by, s.salt, s.joined_utc,"
	  " s.confirmed, s.resigned, s.co_master, s.mails, s.missed_all, s.excused_all, s.late_all"
	  " FROM seats s JOIN games g ON g.id = s.game"
	  " WHERE (s.player = ?1 OR s.former = ?1) AND ?2 = ?2 ORDER BY g.id" },
	{ "joins",
	  "SELECT game, seat, number, name, salt, joined_utc FROM joins"
	  " WHERE player = ?1 AND ?2 = ?2 ORDER BY game, joined_utc" },
	{ "games_made",
	  "SELECT letter || id AS game, title, created_utc, master = ?1 AS is_master FROM games"
	  " WHERE (creator = ?1 OR master = ?1) AND ?2 = ?2 ORDER BY id" },
	{ "orders",
	  "SELECT o.game, o.serial, o.seat, o.revision, o.received_utc,"
	  " (how & 8) / 8 AS contributed, CASE WHEN " MAY_OPEN("o.game") " THEN 'order ' || o.game || ' ' || o.serial || ' ' ||"
	  " o.seat || ' ' || revision || ' ' || how || ' ' || received_utc || ' ' ||"
	  " coalesce(mail, 0) END AS open_once, sealed_text AS text FROM orders o"
	  " WHERE " HAS_SAT("o") " AND " SAT_THERE("o")
	  " ORDER BY o.game, o.serial, o.revision" },
	{ "standing_orders",
	  "SELECT p.game, p.seat, p.kind, p.number, p.nowait, p.received_utc,"
	  " contributed, CASE WHEN " MAY_OPEN("p.game") " THEN 'provision ' || p.game || ' ' || p.seat || ' '"
	  " || kind || ' ' || number || ' ' || mail END AS open, sealed_text AS text"
	  " FROM standing_orders p JOIN seats s ON s.game = p.game AND s.seat = p.seat"
	  " WHERE s.player = ?1" },
	{ "votes",
	  "SELECT v.game, v.serial, v.seat,"
	  " CASE WHEN " MAY_OPEN("v.game") " THEN 'votes ' || v.game || ' ' || v.serial || ' ' ||"
	  " v.seat || ' ' || revision END AS open, sealed_votes AS votes FROM votes v"
	  " WHERE " HAS_SAT("v") " AND " SAT_THERE("v") },
	{ "messages_written",
	  "SELECT p.game, p.serial, p.seat, p.kind, p.written_utc, p.nbytes, p.delivered_utc,"
	  " CASE WHEN " MAY_OPEN("p.game") " THEN 'press ' || p.id || ' ' || p.game || ' ' ||"
	  " p.seat || ' ' || mail END AS open, sealed_text AS text FROM press p"
	  " WHERE " HAS_SAT("p") " AND " SAT_THERE("p") " ORDER BY p.id" },
	{ "absences",
	  "SELECT from_utc, until_utc, asked_utc FROM absences WHERE player = ?1 AND ?2 = ?2"
	  " ORDER BY from_utc" },
	{ "watched_games",
	  "SELECT game, since_utc FROM observers WHERE player = ?1 AND ?2 = ?2" },
	{ "waits_for_a_game",
	  "SELECT kind, since_utc, until_utc, name FROM waiting WHERE player = ?1 AND ?2 = ?2" },
	{ "invitations",
	  "SELECT game, declined FROM invitations WHERE player = ?1 AND ?2 = ?2 ORDER BY game" },
	{ "invitations_sent",
	  "SELECT i.game, o.rcpt, i.asked_utc, i.answer FROM invites i JOIN outbox o ON o.id = i.outbox"
	  " WHERE i.player = ?1 AND ?2 = ?2 ORDER BY i.outbox" },
	{ "let_in_or_not",
	  "SELECT game, allowed FROM entries WHERE player = ?1 AND ?2 = ?2 ORDER BY game" },
	{ "questions",
	  "SELECT kind, address, game, asked_utc,"
	  " CASE WHEN " MAY_OPEN("game") " THEN 'question ' || id || ' ' || player || ' ' || mail"
	  " END AS open, sealed_text AS text FROM confirmations WHERE player = ?1" },
	{ "results",
	  "SELECT game, rank, marks FROM standings WHERE player = ?1 AND ?2 = ?2" },
	{ "ratings",
	  "SELECT kind, rating, games, wins, provisional, share, turns, missed, late FROM ratings"
	  " WHERE player = ?1 AND ?2 = ?2" },
	{ "mails_received",
	  "SELECT i.id, s.url AS mailbox, transport_id, message_id, arrived_utc, sent_utc,"
	  " handled_utc, game, serial, seat, verdict, 'detail ' || source || ' ' || transport_id"
	  " AS open, sealed_detail AS detail, purge_utc AS original_goes_utc FROM inbox i"
	  " JOIN sources s ON s.id = i.source WHERE player = ?1 AND ?2 = ?2 ORDER BY i.id" },
	{ "not_understood",
	  "SELECT at_utc, kind, 'clause ' || id || ' ' || player AS open, sealed_text AS text"
	  " FROM unread_clauses WHERE player = ?1 AND ?2 = ?2 ORDER BY id" },
	{ "mails_set_aside",
	  "SELECT q.at_utc, q.reason, CASE WHEN " MAY_OPEN("NULL") " THEN 'raw ' || inbox END"
	  " AS open, sealed_raw AS mail FROM quarantine q JOIN inbox i ON i.id = q.inbox"
	  " WHERE i.player = ?1 ORDER BY inbox" },
	{ "mails_sent",
	  "SELECT o.id, kind, game, serial, seat, number, rcpt, message_id, created_utc, tried_utc,"
	  " state, answer, CASE WHEN NOT " MAY_OPEN("o.game") " THEN NULL"
	  " WHEN m.id > 0 THEN 'mail ' || message_id WHEN l.id > 0 THEN 'outline ' || message_id"
	  " ELSE 'proofs ' || message_id END AS open,"
	  " coalesce(sealed_message, sealed_outline, sealed_proofs) AS mail FROM outbox o"
	  " LEFT JOIN outbox_messages m ON m.id = o.id LEFT JOIN outbox_outlines l ON l.id = o.id"
	  " LEFT JOIN outbox_proofs p ON p.id = o.id WHERE player = ?1 ORDER BY o.id" },
	{ "mails_that_failed",
	  "SELECT f.mail, f.at_utc, f.state, f.answer FROM outbox_failures f"
	  " JOIN outbox o ON o.id = f.mail WHERE o.player = ?1 AND ?2 = ?2 ORDER BY f.id" },
	{ "reminders",
	  "SELECT r.game, r.serial, r.seat, r.sent_utc FROM reminders r"
	  " WHERE " HAS_SAT("r") " AND " SAT_THERE("r") " AND ?2 = ?2" },
	{ "done_by_the_operator",
	  "SELECT at_utc, actor, what FROM audit WHERE game IS NULL"
	  " AND what LIKE 'player ' || ?1 || ':%' AND ?2 = ?2 ORDER BY id" },
};
/* clang-format on */

enum { COLUMNS_MOST = 24 };

/* The cell that begins at the next column; a sealed one takes two. */
static void read_cell(struct query *q, int *at, struct arena *arena, struct personal_cell *out)
{
	struct span name = span_of(col_name(q, *at));
	bool contributed = false;

	if (span_eq_str(name, "contributed")) {
		contributed = col_bool(q);
		name = span_of(col_name(q, ++*at));
	}
	bool once = span_eq_str(name, "open_once");
	struct strbuf context = STRBUF_INIT, text = STRBUF_INIT;
	bool sealed = once || span_eq_str(name, "open");

	if (sealed) {
		bool closed = col_is_null(q);

		strbuf_add_span(&context, col_bytes(q));
		(*at)++;
		*out = (struct personal_cell){.name = col_name(q, *at)};
		if (closed || col_is_null(q)) {
			col_skip(q);
		} else {
			col_opened(q, once ? SEALED_ONCE : SEALED, context.ptr, &text);
			if (contributed && text.len >= HASH_LEN) /* sealed.h */
				strbuf_truncate(&text, text.len - HASH_LEN);
			out->kind = CELL_TEXT;
		}
	} else {
		*out = (struct personal_cell){.name = name.ptr,
		                              .kind = col_is_null(q)     ? CELL_NONE
		                                      : col_is_number(q) ? CELL_NUMBER
		                                                         : CELL_TEXT};
		if (out->kind == CELL_NONE)
			col_skip(q);
		else if (out->kind == CELL_NUMBER)
			strbuf_addf(&text, "%lld", (long long)col_int(q));
		else
			strbuf_add_span(&text, col_bytes(q));
	}
	(*at)++;
	out->text = arena_dup(arena, strbuf_span(&text));
	strbuf_release(&context);
	strbuf_release(&text);
}

static enum err visit(struct store *s, const char *sql, int64_t player, bool sealed,
                      struct arena *arena, const struct personal_visitor *v)
{
	struct query q = db_read_text(s, sql);

	bind_int(&q, player);
	bind_int(&q, sealed);
	while (db_next(&q)) {
		struct personal_cell cells[COLUMNS_MOST];
		size_t n = 0;

		arena_clear(arena);
		for (int at = 0; at < col_count(&q); n++)
			read_cell(&q, &at, arena, &cells[n]);
		if (q.err == ERR_NONE)
			v->row(v->ctx, cells, n);
	}
	return db_end(&q);
}

enum err personal_data(struct store *s, int64_t player, bool sealed, struct arena *arena,
                       const struct personal_visitor *v)
{
	enum err err = store_begin_reading(s);

	for (size_t i = 0; err == ERR_NONE && i < sizeof(parts) / sizeof(parts[0]); i++) {
		v->part(v->ctx, parts[i].name);
		err = visit(s, parts[i].sql, player, sealed, arena, v);
	}
	store_rollback(s);
	return err;
}
