/*
 * dump.c - the whole content as text, for comparing two databases.
 *
 * What may differ between a run that was stopped and resumed and one that was
 * not is left out: row numbers of mails, attempts, the run log and the pulse, what is in hand.
 * Mails are therefore named by their Message-ID or name in the mailbox.
 */
#include "store/engine/fsck.h"

#include <string.h>

#include "store/engine/db.h"
#include "store/engine/sealed.h"

/*
 * Columns are printed as name=value. One named "open" or "open_once" holds what the seal of the
 * next column is bound to (sealed.h).
 */
struct table {
	const char *name;
	const char *sql;
};

static const struct table tables[] = {
    {"server", "SELECT instance, host, created_utc FROM server"},
    {"players", "SELECT * FROM players ORDER BY id"},
    {"player_addresses",
     "SELECT address, player, since_utc FROM player_addresses ORDER BY address"},
    {"strangers", "SELECT who, at_utc, n, kind FROM strangers ORDER BY who, at_utc, n"},
    {"sender_days", "SELECT who, day, mails, told FROM sender_days ORDER BY who, day"},
    {"games",
     "SELECT id, letter, kind, rules_version, options, title, status, nseats, next_s,"
     " is_private, join_key, creator, created_utc, started_utc, ended_utc, secret_hash,"
     " 'secret ' || id AS open, sealed_secret AS secret, serial, idle_turns, held_since_utc,"
     " held_by, 'held ' || id AS open, sealed_held_reason AS held_reason, record_lines,"
     " record_head, origin, calendar, master, paused_utc, agreed, start_utc,"
     " counted = 1 AS counted, announced, key, record_version, bots_version, master_asks, unrated, ready_until_utc FROM "
     "games ORDER BY id"},
    {"keys", "SELECT number, public_key FROM keys ORDER BY number"},
    {"seats",
     "SELECT game, seat, player, bot_level, name, salt, joined_utc, confirmed, resigned,"
     " token_generation, mails, missed, missed_all, excused_all, late_all, former, put_out,"
     " vacated_utc, is_operator, ready, co_master, played_by, joins, first_joined_utc, 'joined ' || game AS open, "
     "sealed_contribution "
     "AS "
     "contribution "
     "FROM seats"
     " ORDER BY game, seat"},
    {"imports", "SELECT game, record_id, instance, key, imported_utc,"
                " 'archive ' || game AS open, sealed_archive AS archive FROM imports"
                " ORDER BY game"},
    {"forks", "SELECT game, source_game, source, serial, label, instance, key, state_hash,"
              " parent_hash, orders_hash, 'position ' || game AS open,"
              " sealed_position AS position FROM forks ORDER BY game"},
    {"turns", "SELECT game, serial, parent, state, label, owes, have, waiting, opened_utc,"
              " deadline_utc, sealed_utc, grace_utc, settle_utc, remind_utc, covered, vacant, "
              "dropped_utc, stopped,"
              " orders_hash, credited_utc, due_utc FROM turns"
              " ORDER BY game, serial"},
    {"reminders",
     "SELECT * FROM reminders ORDER BY game, serial, seat, deadline_utc, before_s"},
    {"results",
     "SELECT game, serial, 'digest ' || game || ' ' || serial AS open, sealed_hash AS hash,"
     " 'state ' || game || ' ' || serial AS open, sealed_state AS state,"
     " 'chance ' || game || ' ' || serial AS open, sealed_chance AS chance FROM results"
     " ORDER BY game, serial"},
    {"orders",
     "SELECT o.game, o.serial, o.seat, revision, how, received_utc, marks, dkim,"
     " i.transport_id AS mail, 'drawn ' || o.game || ' ' || o.serial || ' ' || o.seat || ' '"
     " || revision AS open, sealed_drawn AS drawn,"
     " 'order ' || o.game || ' ' || o.serial || ' ' || o.seat || ' '"
     " || revision || ' ' || how || ' ' || received_utc || ' ' || coalesce(mail, 0)"
     " AS open_once, sealed_text AS text FROM orders o LEFT JOIN inbox i ON i.id = o.mail"
     " ORDER BY o.game, o.serial, o.seat, revision"},
    {"inbox",
     "SELECT url AS source, transport_id, content, message_id, arrived_utc, sent_utc,"
     " handled_utc, player,"
     " game, serial, seat, verdict, 'detail ' || source || ' ' || transport_id AS open,"
     " sealed_detail AS detail, purge_utc FROM inbox i JOIN sources s ON s.id = i.source"
     " ORDER BY url, transport_id"},
    {"mailbox_states", "SELECT url AS source, state FROM mailbox_states m"
                       " JOIN sources s ON s.id = m.source ORDER BY url"},
    {"quarantine",
     "SELECT transport_id, at_utc, reason, 'raw ' || inbox AS open, sealed_raw AS raw"
     " FROM quarantine JOIN inbox ON inbox.id = inbox ORDER BY source, transport_id"},
    {"outbox",
     "SELECT o.player, kind, o.game, o.serial, o.seat, number, rcpt, o.message_id,"
     " created_utc, i.transport_id AS cause, state,"
     " CASE WHEN m.id > 0 THEN 'mail ' WHEN l.id > 0 THEN 'outline ' ELSE 'proofs ' END"
     " || o.message_id AS open,"
     " coalesce(sealed_message, sealed_outline, sealed_proofs) AS message FROM outbox o"
     " LEFT JOIN outbox_messages m ON m.id = o.id"
     " LEFT JOIN outbox_outlines l ON l.id = o.id"
     " LEFT JOIN outbox_proofs p ON p.id = o.id"
     " LEFT JOIN inbox i ON i.id = o.cause"
     /* A player's mails in the order in which they leave, strangers' in any fixed one. */
     " ORDER BY o.player NULLS FIRST, CASE WHEN o.player IS NOT NULL THEN o.id END, "
     "o.message_id"},
    {"bounced_addresses", "SELECT * FROM bounced_addresses ORDER BY address"},
    {"bounced_mails",
     "SELECT o.message_id, i.transport_id AS report, points FROM bounced_mails b"
     " JOIN outbox o ON o.id = b.outbox LEFT JOIN inbox i ON i.id = b.inbox"
     " ORDER BY o.message_id"},
    {"unreachable_seats", "SELECT * FROM unreachable_seats ORDER BY game, seat"},
    {"confirmations",
     "SELECT kind, q.player, address, q.game, q.serial, q.seat, names_turn, q.arrived_utc,"
     " asked_utc, i.transport_id AS mail, player_yes, address_yes,"
     " 'question ' || q.id || ' ' || q.player || ' ' || mail AS open, sealed_text AS text"
     " FROM confirmations q LEFT JOIN inbox i ON i.id = q.mail"
     " ORDER BY q.player, kind, q.game NULLS FIRST, q.seat"},
    {"confirmation_mails",
     "SELECT o.message_id, q.kind, q.player, q.address, q.game, q.seat FROM confirmation_mails m"
     " JOIN outbox o ON o.id = m.outbox JOIN confirmations q ON q.id = m.confirmation"
     " ORDER BY o.message_id"},
    {"votes",
     "SELECT game, serial, seat, revision, 'votes ' || game || ' ' || serial || ' ' || seat"
     " || ' ' || revision AS open, sealed_votes AS votes FROM votes ORDER BY game, serial, "
     "seat"},
    {"motions", "SELECT * FROM motions ORDER BY game"},
    {"nudges", "SELECT * FROM nudges ORDER BY game"},
    {"thanks", "SELECT * FROM thanks ORDER BY game, seat, to_seat"},
    {"invites",
     "SELECT i.game, i.who, i.player, o.message_id, i.asked_utc, i.answer FROM invites i"
     " JOIN outbox o ON o.id = i.outbox ORDER BY i.game, i.who"},
    {"entries", "SELECT * FROM entries ORDER BY game, who"},
    {"option_texts", "SELECT * FROM option_texts ORDER BY kind, option, name"},
    {"no_invites", "SELECT * FROM no_invites ORDER BY who"},
    {"revocations",
     "SELECT r.game, r.seat, message_id AS upto FROM revocations r LEFT JOIN outbox o"
     " ON o.id = r.outbox ORDER BY r.game, r.seat"},
    {"press_rules", "SELECT * FROM press_rules ORDER BY game"},
    {"press", "SELECT p.game, p.serial, p.seat, kind, seats, unnamed, written_utc,"
              " i.transport_id AS mail, nbytes, delivered_utc,"
              " 'press ' || p.id || ' ' || p.game || ' ' || p.seat || ' ' || mail AS open,"
              " sealed_text AS text FROM press p LEFT JOIN inbox i ON i.id = p.mail"
              " ORDER BY p.game, p.id"},
    {"joins", "SELECT game, joined_utc, player, seat, number, name, salt,"
              " 'joined ' || game AS open, sealed_contribution AS contribution FROM joins"
              " ORDER BY game, joined_utc"},
    {"unread_clauses", "SELECT at_utc, kind, player, 'clause ' || id || ' ' || player AS open,"
                       " sealed_text AS text FROM unread_clauses ORDER BY id"},
    {"puzzles", "SELECT * FROM puzzles ORDER BY week"},
    {"outages", "SELECT cause, from_utc, to_utc, is_credited FROM outages ORDER BY id"},
    {"standing_orders",
     "SELECT p.game, p.seat, kind, number, nowait, received_utc,"
     " i.transport_id AS mail, 'provision ' || p.game || ' ' || p.seat || ' '"
     " || kind || ' ' || number || ' ' || mail AS open, sealed_text AS text"
     " FROM standing_orders p LEFT JOIN inbox i ON i.id = p.mail"
     " ORDER BY p.game, p.seat, kind, number"},
    {"absences", "SELECT a.player, from_utc, until_utc, asked_utc, i.transport_id AS mail"
                 " FROM absences a LEFT JOIN inbox i ON i.id = a.mail"
                 " ORDER BY a.player, from_utc"},
    {"observers", "SELECT * FROM observers ORDER BY game, player"},
    {"enclosed_mails",
     "SELECT k.player, k.game, o.message_id, due_utc, b.message_id AS brought_by,"
     " 'kept ' || outbox || ' ' || k.player || ' ' || k.game AS open, sealed_text AS text"
     " FROM enclosed_mails k JOIN outbox o ON o.id = k.outbox LEFT JOIN outbox b"
     " ON b.id = brought_by ORDER BY k.player, k.game, k.outbox"},
    {"digests", "SELECT b.player, b.number, message_id, generation FROM digests b JOIN outbox o"
                " ON o.id = b.outbox ORDER BY b.player, b.number"},
    {"digest_turns", "SELECT * FROM digest_turns ORDER BY player, number, game"},
    {"seat_holders", "SELECT * FROM seat_holders ORDER BY game, seat, serial"},
    {"standings", "SELECT * FROM standings ORDER BY game, place"},
    {"ratings", "SELECT * FROM ratings ORDER BY player, kind"},
    {"entry_terms", "SELECT * FROM entry_terms ORDER BY game"},
    {"rematches", "SELECT * FROM rematches ORDER BY game"},
    {"invitations", "SELECT * FROM invitations ORDER BY game, player"},
    {"waiting", "SELECT * FROM waiting ORDER BY kind, since_utc, n"},
    {"audit", "SELECT at_utc, game, serial, seat, actor, what, is_public FROM audit ORDER BY "
              "game NULLS FIRST, id"},
};

/* One column; one that names a seal goes together with the sealed one after it. */
static void add_column(struct query *q, int *at, struct strbuf *out)
{
	struct span name = span_of(col_name(q, *at));
	bool once = span_eq_str(name, "open_once");
	struct strbuf context = STRBUF_INIT, plain = STRBUF_INIT;

	(*at)++;
	if (!once && !span_eq_str(name, "open")) {
		strbuf_addf(out, " %s=", name.ptr);
		col_add_text(q, out);
		return;
	}
	(*at)++;
	strbuf_add_span(&context, col_bytes(q));
	strbuf_addf(out, " %s=", col_name(q, *at - 1));
	if (col_is_null(q)) {
		col_add_text(q, out);
	} else {
		col_opened(q, once ? SEALED_ONCE : SEALED, context.ptr, &plain);
		db_add_escaped(out, strbuf_span(&plain));
	}
	strbuf_release(&plain);
	strbuf_release(&context);
}

static enum err dump_table(struct store *s, const struct table *t, struct strbuf *out)
{
	struct query q = db_read_text(s, t->sql);

	while (db_next(&q)) {
		int at = 0;

		strbuf_adds(out, t->name);
		while (at < col_count(&q))
			add_column(&q, &at, out);
		strbuf_addc(out, '\n');
	}
	return db_end(&q);
}

enum err store_dump(struct store *s, struct strbuf *out)
{
	bool own = !db_is_open_tx(s);
	enum err err = own ? store_begin_reading(s) : ERR_NONE;

	for (size_t i = 0; err == ERR_NONE && i < sizeof(tables) / sizeof(tables[0]); i++)
		err = dump_table(s, &tables[i], out);
	if (own)
		db_rollback(s);
	return err;
}
