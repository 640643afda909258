/*
 * fsck.c - every rule between the rows, as a query that finds what breaks it.
 *
 * They are looked at one after another, all at one and the same moment, whatever others write.
 */
#include "store/engine/fsck.h"

#include <string.h>

#include "store/engine/engine.h"
#include "store/engine/schema.h"
#include "store/engine/sealed.h"

/* What a turn or seat is called. */
#define TURN(t) "'turn ' || " t ".game || '/' || " t ".serial"
#define SEAT(t) "'seat ' || " t ".game || '/' || " t ".seat"

/* Brought by another mail, or waiting for one. */
#define IS_ENCLOSED(o)                                                               \
	"(" o ".state = 0 AND " o ".next_try_utc IS NULL AND " o ".attempts = 0 AND" \
	" EXISTS (SELECT 1 FROM enclosed_mails k WHERE k.outbox = " o ".id))"

/*
 * A rule, and the query that gives one row, the name of the object as a person would call it,
 * for each that breaks it.
 */
static const struct invariant {
	const char *name, *sql;
} invariants[] = {
    {"the file is sound",
     "SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'"},
    {"references lead to rows",
     "SELECT \"table\" || ' row ' || coalesce(rowid, '?') || ' to ' || parent"
     " FROM pragma_foreign_key_check"},

    /*
     * A text without its row breaks a reference; so where their numbers are equal none is
     * missing.
     */
    {"a mail to send has a text",
     "SELECT 'outbox ' || id FROM outbox o WHERE (SELECT count(*) FROM outbox) <>"
     " (SELECT count(*) FROM outbox_messages) + (SELECT count(*) FROM outbox_outlines)"
     " + (SELECT count(*) FROM outbox_proofs)"
     " AND NOT EXISTS (SELECT 1 FROM outbox_messages m WHERE m.id = o.id)"
     " AND NOT EXISTS (SELECT 1 FROM outbox_outlines l WHERE l.id = o.id)"
     " AND NOT EXISTS (SELECT 1 FROM outbox_proofs p WHERE p.id = o.id)"},
    {"a mail whose text is no longer kept has none, and will not go out",
     "SELECT 'outbox ' || p.id FROM outbox_proofs p JOIN outbox o ON o.id = p.id"
     " WHERE next_try_utc IS NOT NULL"
     " OR EXISTS (SELECT 1 FROM outbox_messages m WHERE m.id = p.id)"
     " OR EXISTS (SELECT 1 FROM outbox_outlines l WHERE l.id = p.id)"},
    {"a mail in words has no outline",
     "SELECT 'outbox ' || id FROM outbox_outlines JOIN outbox_messages USING (id)"},

    /* the server and its players */
    {"one row names the server", "SELECT count(*) || ' rows' FROM server HAVING count(*) <> 1"},
    {"a forgotten player has neither address nor name",
     "SELECT 'player ' || id FROM players"
     " WHERE (forgotten = 1) <> (address IS NULL) OR (forgotten = 1 AND name <> '')"},

    {"an address belongs to one player",
     "SELECT 'player ' || a.player FROM player_addresses a JOIN players p"
     " ON p.address = a.address"},
    {"a forgotten player has no further addresses",
     "SELECT 'player ' || id FROM players p WHERE forgotten = 1 AND EXISTS"
     " (SELECT 1 FROM player_addresses a WHERE a.player = p.id)"},

    /* questions */
    {"a question comes from a mail that was taken in",
     "SELECT 'question ' || id FROM confirmations q WHERE NOT EXISTS"
     " (SELECT 1 FROM inbox i WHERE i.id = q.mail)"},
    {"nobody who is forgotten is asked anything",
     "SELECT 'question ' || q.id FROM confirmations q JOIN players p ON p.id = q.player"
     " WHERE p.forgotten = 1"},
    {"a question both ends have agreed to is no longer asked",
     "SELECT 'question ' || id FROM confirmations"
     " WHERE player_yes = 1 AND (address_yes = 1 OR kind IN ('mail', 'meant'))"},
    {"a held mail that names a seat names its game",
     "SELECT 'question ' || id FROM confirmations WHERE seat > 0 AND game IS NULL"},
    {"a question is asked by mails to its player and of its kind, or to its seat",
     "SELECT 'question ' || q.id FROM confirmation_mails m JOIN confirmations q ON q.id = m.confirmation"
     " JOIN outbox o ON o.id = m.outbox WHERE o.player IS DISTINCT FROM q.player"
     " OR (o.kind NOT IN ('question-' || q.kind, 'inquiry-' || q.kind) AND NOT"
     " (q.kind = 'meant' AND q.seat > 0 AND o.game = q.game AND o.seat = q.seat))"},
    {"reply addresses are declared void up to a mail to that seat",
     "SELECT " SEAT("r") " FROM revocations r WHERE outbox > 0 AND NOT EXISTS"
                         " (SELECT 1 FROM outbox o WHERE o.id = r.outbox AND o.game = r.game"
                         " AND o.seat = r.seat)"},

    /* games */
    {"a game is signed with a key there is",
     "SELECT 'game ' || id FROM games WHERE key NOT IN (SELECT number FROM keys)"
     " AND EXISTS (SELECT 1 FROM keys)"},
    {"keys are numbered from 1 on",
     "SELECT 'keys ' || count(*) FROM keys HAVING count(*) <> coalesce(max(number), 0)"},
    {"a game's serial is that of its newest turn",
     "SELECT 'game ' || id FROM games g WHERE serial <>"
     " coalesce((SELECT max(serial) FROM turns WHERE game = g.id), 0)"},
    {"a game has an end exactly when it is over, cancelled or abandoned",
     "SELECT 'game ' || id FROM games WHERE (ended_utc > 0) <> (status >= 3)"},
    {"a game has a start exactly when it no longer gathers",
     "SELECT 'game ' || id FROM games"
     " WHERE (started_utc > 0) <> (status > 0) AND status <> 4"},
    {"a gathering game has no turns",
     "SELECT " TURN("t") " FROM games g JOIN turns t ON t.game = g.id WHERE g.status = 0"},
    {"a running game has exactly one turn that is not reported, its newest",
     "SELECT 'game ' || id FROM games g WHERE status IN (1, 2) AND"
     " (SELECT count(*) + coalesce(sum(CASE WHEN serial <> g.serial THEN 1 END), 0) FROM turns"
     " WHERE game = g.id AND state < 3) <> 1"},
    {"a game that is over has no unfinished turn",
     "SELECT " TURN("t") " FROM games g JOIN turns t ON t.game = g.id"
                         " WHERE g.status >= 3 AND t.state < 3"},
    {"a game is paused exactly since some time",
     "SELECT 'game ' || id FROM games WHERE (paused_utc > 0) <> (status = 2)"},
    {"only a game that is over was ended by a vote, for seats it has",
     "SELECT 'game ' || id FROM games WHERE agreed <> 0"
     " AND (status <> 3 OR agreed >> CAST(nseats AS INTEGER) <> 0)"},
    {"a game begins by the time it was given",
     "SELECT 'game ' || id FROM games WHERE start_utc < 0 OR (start_utc > 0 AND status = 1)"},
    {"nobody who is forgotten is master of a game",
     "SELECT 'game ' || g.id FROM games g JOIN players p ON p.id = g.master"
     " WHERE p.forgotten = 1"},
    {"a hold has a reason and an author",
     "SELECT 'game ' || id FROM games WHERE (held_since_utc > 0) <>"
     " (sealed_held_reason IS NOT NULL) OR (held_since_utc > 0) <> (held_by <> '')"},
    {"a record has lines exactly when it has a head",
     "SELECT 'game ' || id FROM games WHERE (record_lines > 0) <> (record_head IS NOT NULL)"},
    {"only a private game has a key",
     "SELECT 'game ' || id FROM games WHERE join_key IS NOT NULL AND is_private = 0"},

    {"a game has the rows that say where it comes from",
     "SELECT 'game ' || id FROM games g WHERE origin <>"
     " CASE WHEN EXISTS (SELECT 1 FROM imports WHERE game = g.id) THEN 1 ELSE 0 END"
     " + CASE WHEN EXISTS (SELECT 1 FROM forks WHERE game = g.id) THEN 2 ELSE 0 END"},
    {"a game that was taken over has ended and nobody sits in it",
     "SELECT 'game ' || game FROM imports i JOIN games g ON g.id = i.game WHERE g.status < 3"
     " OR EXISTS (SELECT 1 FROM seats s WHERE s.game = g.id AND s.player IS NOT NULL)"},
    {"a game goes on from a turn of another one that has a result",
     "SELECT 'game ' || f.game FROM forks f WHERE f.game = f.source_game OR NOT EXISTS"
     " (SELECT 1 FROM results r WHERE r.game = f.source_game AND r.serial = f.serial)"},

    /* seats */
    {"seats count from 1 without a gap",
     "SELECT 'game ' || game FROM seats GROUP BY game HAVING max(seat) <> count(*)"},
    {"a game has no more seats than it is played with",
     "SELECT 'game ' || id FROM games g WHERE"
     " (SELECT count(*) FROM seats WHERE game = g.id) > nseats"},
    {"every seat of a game that has begun is taken for certain",
     "SELECT 'game ' || id FROM games g WHERE status IN (1, 2, 3, 5) AND"
     " (SELECT count(*) FROM seats WHERE game = g.id AND confirmed = 1) <> nseats"},
    {"a bot is no player",
     "SELECT " SEAT("s") " FROM seats s WHERE bot_level >= 0 AND player IS NOT NULL"},
    {"a seat that can be taken over has no player and is in a game under way",
     "SELECT " SEAT("s") " FROM seats s JOIN games g ON g.id = s.game WHERE vacated_utc > 0"
                         " AND (player IS NOT NULL OR g.status NOT IN (1, 2))"},
    {"a seat in a running game has a player or a bot, or can be taken over",
     "SELECT " SEAT("s") " FROM seats s JOIN games g ON g.id = s.game WHERE g.status = 1"
                         " AND player IS NULL AND bot_level < 0 AND vacated_utc = 0"},
    {"a seat that can be taken over has been lost by somebody",
     "SELECT " SEAT("s") " FROM seats s WHERE vacated_utc > 0 AND former IS NULL"},
    {"nobody is excused from more turns than they have missed",
     "SELECT " SEAT("s") " FROM seats s WHERE excused_all > missed_all"
                         " OR excused_all < 0 OR late_all < 0 OR missed < 0"},
    {"names in a game are different",
     "SELECT 'game ' || game FROM seats WHERE player IS NOT NULL OR confirmed = 1"
     " GROUP BY game HAVING count(DISTINCT name) <> count(*)"},

    /* turns */
    {"turns count from 0 without a gap",
     "SELECT 'game ' || game FROM turns WHERE game NOT IN (SELECT game FROM imports)"
     " GROUP BY game HAVING max(serial) + 1 <> count(*)"},
    {"a turn starts from an earlier one that has a result",
     "SELECT " TURN("t") " FROM turns t WHERE CASE WHEN serial = 0 THEN parent <> 0"
                         " ELSE parent >= serial OR NOT EXISTS (SELECT 1 FROM results r"
                         " WHERE r.game = t.game AND r.serial = t.parent) END"},
    {"a turn has a digest of its orders exactly when it is no longer open",
     "SELECT " TURN("t") " FROM turns t WHERE (orders_hash IS NULL)"
                         " <> (state = 0 OR dropped_utc > 0)"},
    {"a turn has a time of sealing exactly when it is no longer open",
     "SELECT " TURN("t") " FROM turns t WHERE (sealed_utc = 0)"
                         " <> (state = 0 OR dropped_utc > 0)"},
    {"a turn was broken off while it was open, and never the set-up",
     "SELECT " TURN("t") " FROM turns t WHERE dropped_utc > 0 AND (state <> 3 OR serial = 0"
                         " OR dropped_utc < opened_utc)"},
    {"a turn has a result exactly when it is resolved",
     "SELECT " TURN("t") " FROM turns t WHERE (state >= 2 AND dropped_utc = 0)"
                         " <> EXISTS (SELECT 1 FROM results r"
                         " WHERE r.game = t.game AND r.serial = t.serial)"},
    {"the clock of a turn stands exactly when its game stands",
     "SELECT " TURN("t") " FROM turns t JOIN games g ON g.id = t.game WHERE t.state < 3"
                         " AND (t.stopped = 1) <> (g.held_since_utc > 0 OR g.status > 1)"},
    {"a turn knows who has sent orders",
     "SELECT " TURN(
	 "t") " FROM turns t WHERE have <> coalesce((SELECT"
              " sum(CASE WHEN how & 16 = 0 THEN 1 << CAST(seat - 1 AS INTEGER) END) FROM "
              "orders o WHERE game = t.game"
              " AND serial = t.serial AND NOT EXISTS (SELECT 1 FROM orders l WHERE l.game = "
              "o.game"
              " AND l.serial = o.serial AND l.seat = o.seat AND l.revision > o.revision)), 0)"},
    {"a turn asks only seats that exist",
     "SELECT " TURN("t") " FROM turns t JOIN games g ON g.id = t.game"
                         " WHERE ((owes | have | waiting) >> CAST(g.nseats AS INTEGER)) <> 0"},
    {"grace ends after the deadline it follows",
     "SELECT " TURN("t") " FROM turns t WHERE grace_utc > 0 AND"
                         " (deadline_utc = 0 OR grace_utc <= deadline_utc)"},
    {"only a turn with a deadline has reminders",
     "SELECT " TURN("t") " FROM turns t WHERE remind_utc IS NOT NULL AND deadline_utc = 0"},
    {"only a turn that was opened for orders waits for second thoughts",
     "SELECT " TURN("t") " FROM turns t WHERE settle_utc > 0"
                         " AND (serial = 0 OR settle_utc < opened_utc)"},
    {"a reminder went to a seat that owed orders, before its time was up",
     "SELECT 'reminder ' || r.game || '/' || r.serial || '/' || r.seat FROM reminders r"
     " JOIN turns t ON t.game = r.game AND t.serial = r.serial"
     " WHERE (t.owes >> CAST(r.seat - 1 AS INTEGER) & 1) = 0 OR r.sent_utc < t.opened_utc"
     " OR (r.before_s > 0 AND r.sent_utc > r.deadline_utc)"},
    {"of a reminder there is a mail",
     "SELECT 'reminder ' || r.game || '/' || r.serial || '/' || r.seat FROM reminders r"
     " WHERE NOT EXISTS (SELECT 1 FROM outbox o WHERE o.game = r.game AND o.seat = r.seat"
     " AND o.serial = r.serial AND o.kind = 'reminder')"},
    {"a deadline lies after the opening",
     "SELECT " TURN("t") " FROM turns t WHERE deadline_utc > 0 AND deadline_utc < opened_utc"},

    {"no clock is given back time from before the turn was opened",
     "SELECT " TURN("t") " FROM turns t WHERE credited_utc > 0 AND credited_utc < opened_utc"},

    /* orders */
    {"revisions count from 1 without a gap",
     "SELECT 'orders ' || game || '/' || serial || '/' || seat FROM orders"
     " GROUP BY game, serial, seat HAVING max(revision) <> count(*) OR min(revision) <> 1"},
    {"orders belong to a seat",
     "SELECT 'orders ' || game || '/' || serial || '/' || seat FROM orders o WHERE NOT EXISTS"
     " (SELECT 1 FROM seats s WHERE s.game = o.game AND s.seat = o.seat)"},
    {"nobody has orders for the set-up",
     "SELECT 'orders ' || game || '/0/' || seat FROM orders WHERE serial = 0"},
    {"orders contribute to the draws where the game's record says so, if a mail brought them",
     "SELECT 'orders ' || game || '/' || o.serial || '/' || seat FROM orders o JOIN games g"
     " ON g.id = o.game WHERE (how & 8 = 8) <> (g.record_version > 1 AND o.mail IS NOT NULL)"
     " AND g.origin <> 1"},

    {"orders come from a mail that was taken in",
     "SELECT 'orders ' || game || '/' || serial || '/' || seat FROM orders o"
     " WHERE mail IS NOT NULL AND NOT EXISTS (SELECT 1 FROM inbox i WHERE i.id = o.mail)"},

    {"only a master who has to ask has acted without the others",
     "SELECT 'game ' || id FROM games WHERE unrated = 1 AND master_asks = 0"},
    {"a motion is of a turn that there is",
     "SELECT 'motion ' || m.game FROM motions m LEFT JOIN turns t"
     " ON t.game = m.game AND t.serial = m.serial WHERE t.serial IS NULL"},
    {"a nudge is of a turn and a seat that there are",
     "SELECT 'nudge ' || n.game FROM nudges n LEFT JOIN turns t"
     " ON t.game = n.game AND t.serial = n.serial LEFT JOIN seats s"
     " ON s.game = n.game AND s.seat = n.seat WHERE t.serial IS NULL OR s.seat IS NULL"},
    {"nobody is thanked for a game that goes on",
     "SELECT 'game ' || t.game FROM thanks t JOIN games g ON g.id = t.game"
     " WHERE g.ended_utc = 0"},
    {"an invitation is by the mail that asks",
     "SELECT 'invitation to game ' || i.game FROM invites i LEFT JOIN outbox o"
     " ON o.id = i.outbox AND o.kind = 'invite' AND o.game = i.game"
     " WHERE o.id IS NULL"},
    {"only a game that gathers players asks whether they are there",
     "SELECT 'game ' || id FROM games WHERE ready_until_utc < 0"
     " OR (ready_until_utc > 0 AND status IN (1, 2))"},
    {"a co-master has a seat",
     "SELECT " SEAT(
	 "s") " FROM seats s WHERE co_master = 1 AND (player IS NULL OR resigned = 1)"},
    {"nobody votes in the set-up",
     "SELECT 'votes ' || game || '/' || serial || '/' || seat FROM votes WHERE serial = 0"},
    {"what is laid down for a seat is its player's, in a game under way, by a mail taken in",
     "SELECT 'standing orders ' || p.game || '/' || p.seat FROM standing_orders p JOIN games g"
     " ON g.id = p.game WHERE g.status NOT IN (1, 2) OR NOT EXISTS (SELECT 1 FROM seats s"
     " WHERE s.game = p.game AND s.seat = p.seat AND s.player IS NOT NULL AND s.resigned = 0)"
     " OR NOT EXISTS (SELECT 1 FROM inbox i WHERE i.id = p.mail)"},
    {"a draft is of the open turn of its game, and of a seat without orders",
     "SELECT 'standing orders ' || p.game || '/' || p.seat FROM standing_orders p JOIN games g"
     " ON g.id = p.game LEFT JOIN turns t ON t.game = p.game AND t.serial = p.number"
     " WHERE p.kind = 0 AND (p.number <> g.serial OR t.state IS DISTINCT FROM 0"
     " OR (t.have >> CAST(p.seat - 1 AS INTEGER)) & 1 = 1)"},
    {"only a seat that owes orders is covered, by a draft or standing orders",
     "SELECT " TURN("t") " FROM turns t WHERE (covered & ~owes) <> 0 OR (state = 0 AND"
                         " (covered & ~have & ~coalesce((SELECT sum(DISTINCT 1 << CAST(seat - "
                         "1 AS INTEGER))"
                         " FROM standing_orders p WHERE p.game = t.game AND (kind = 2 OR"
                         " (kind = 0 AND number = t.serial))), 0)) <> 0)"},

    {"an open turn knows which seats nobody has",
     "SELECT " TURN(
	 "t") " FROM turns t WHERE state = 0 AND vacant <> coalesce((SELECT"
              " sum(1 << CAST(seat - 1 AS INTEGER)) FROM seats s WHERE s.game = t.game"
              " AND vacated_utc > 0 AND bot_level < 0), 0)"},

    {"nobody is away twice at a time",
     "SELECT 'player ' || a.player FROM absences a JOIN absences b ON b.player = a.player"
     " AND b.from_utc > a.from_utc AND b.from_utc < a.until_utc"},
    {"an absence was asked for by a mail that was taken in, of somebody who is not forgotten",
     "SELECT 'player ' || a.player FROM absences a JOIN players p ON p.id = a.player"
     " WHERE p.forgotten = 1 OR NOT EXISTS (SELECT 1 FROM inbox i WHERE i.id = a.mail)"},

    /*
     * mails taken in; like those to send they refer to nothing, since that would be looked up for each
     */
    {"a mail taken in is of a mailbox, a player and a game that exist",
     "SELECT 'inbox ' || id FROM inbox i WHERE NOT EXISTS"
     " (SELECT 1 FROM sources s WHERE s.id = i.source)"
     " OR (player IS NOT NULL AND NOT EXISTS (SELECT 1 FROM players p WHERE p.id = i.player))"
     " OR (game IS NOT NULL AND NOT EXISTS (SELECT 1 FROM games g WHERE g.id = i.game))"},
    {"a mail about a seat is about a game",
     "SELECT 'inbox ' || id FROM inbox WHERE seat > 0 AND game IS NULL"},
    {"a mail has a name and a verdict",
     "SELECT 'inbox ' || id FROM inbox WHERE transport_id = '' OR verdict = ''"},
    {"a mail is kept no longer than from its arrival on",
     "SELECT 'inbox ' || id FROM inbox WHERE purge_utc > 0 AND purge_utc < arrived_utc"},

    /* mails to send */
    {"a mail to send is of a player and a game that exist",
     "SELECT 'outbox ' || id FROM outbox o WHERE"
     " (player IS NOT NULL AND NOT EXISTS (SELECT 1 FROM players p WHERE p.id = o.player))"
     " OR (game IS NOT NULL AND NOT EXISTS (SELECT 1 FROM games g WHERE g.id = o.game))"},
    {"a mail to send has a Message-ID",
     "SELECT 'outbox ' || id FROM outbox WHERE message_id NOT LIKE '<_%>'"},
    {"a mail is tried again exactly when it is neither sent nor given up",
     "SELECT 'outbox ' || id FROM outbox o WHERE (next_try_utc IS NULL) <> (state >= 4)"
     " AND NOT " IS_ENCLOSED("o")},
    {"a new mail goes out at once and was never tried",
     "SELECT 'outbox ' || id FROM outbox o WHERE state = 0"
     " AND (next_try_utc IS DISTINCT FROM 0 OR attempts <> 0) AND NOT " IS_ENCLOSED("o")},
    {"a mail to send has an address unless its player is forgotten",
     "SELECT 'outbox ' || id FROM outbox o WHERE rcpt = '' AND NOT EXISTS"
     " (SELECT 1 FROM outbox_proofs p WHERE p.id = o.id) AND NOT EXISTS"
     " (SELECT 1 FROM players p WHERE p.id = o.player AND p.forgotten = 1)"},
    {"a forgotten player's address is nowhere",
     "SELECT 'outbox ' || o.id FROM outbox o JOIN players p ON p.id = o.player"
     " WHERE p.forgotten = 1 AND o.rcpt <> ''"},
    {"a mail to a seat is about a turn of its game",
     "SELECT 'outbox ' || o.id FROM outbox o LEFT JOIN games g ON g.id = o.game"
     " WHERE o.seat > 0 AND (g.id IS NULL OR o.serial > g.serial OR o.seat > g.nseats)"},
    {"the mails of a seat have different numbers",
     "SELECT 'seat ' || game || '/' || seat || ' mail ' || number FROM outbox"
     " WHERE game IS NOT NULL AND seat > 0 AND number > 0"
     " GROUP BY game, seat, number HAVING count(*) > 1"},
    /* Answers may overtake what waits for a paused address; all may overtake what has waited for an hour. */
    {"a player's mails have left in order",
     /* Few wait: so only their players' mails are put in order, and found without a scan. */
     "SELECT DISTINCT 'outbox ' || u.id FROM (SELECT id, player, created_utc FROM outbox WHERE"
     " next_try_utc = 0 AND decided <> 2 UNION ALL SELECT id, player, created_utc FROM outbox"
     " WHERE next_try_utc > 0 AND decided <> 2) u JOIN (SELECT id, player, tried_utc FROM "
     "outbox"
     " WHERE state = 4 AND cause IS NULL AND player IN (SELECT player FROM outbox WHERE"
     " next_try_utc = 0 UNION SELECT player FROM outbox WHERE next_try_utc > 0)) s"
     " ON s.player = u.player WHERE u.id < s.id AND s.tried_utc < u.created_utc + 3600"},
    {"a failed attempt is that of a mail which was tried",
     "SELECT 'outbox failure ' || f.id FROM outbox_failures f LEFT JOIN outbox o"
     " ON o.id = f.mail WHERE o.id IS NULL OR o.tried_utc < f.at_utc"},
    {"what is to follow from a refusal is that of a mail to a player that was given up",
     "SELECT 'outbox ' || id FROM outbox WHERE refused > 0 AND (state <> 5 OR player IS NULL)"},
    {"a mail that was put aside is not tried again",
     "SELECT 'outbox ' || id FROM outbox WHERE decided = 1 AND next_try_utc IS NOT NULL"},
    {"a forgotten player's mails hold no answer of a server",
     "SELECT 'outbox ' || o.id FROM outbox o JOIN players p ON p.id = o.player"
     " WHERE p.forgotten = 1 AND (o.answer <> '' OR EXISTS"
     " (SELECT 1 FROM outbox_failures f WHERE f.mail = o.id))"},

    {"a mail to send answers one that was taken in",
     "SELECT 'outbox ' || id FROM outbox o WHERE cause IS NOT NULL AND NOT EXISTS"
     " (SELECT 1 FROM inbox i WHERE i.id = o.cause)"},

    /* mails that wait for others */
    {"an enclosed mail is one of the outbox, to its player and about its game, that is not sent",
     "SELECT 'outbox ' || k.outbox FROM enclosed_mails k LEFT JOIN outbox o ON o.id = k.outbox"
     " LEFT JOIN players p ON p.id = k.player WHERE o.id IS NULL OR o.player IS DISTINCT FROM "
     "k.player"
     " OR o.game IS DISTINCT FROM k.game OR o.next_try_utc IS NOT NULL OR o.tried_utc > 0"
     " OR o.state <> CASE WHEN p.forgotten = 1 THEN 5 ELSE 0 END"},
    {"an enclosed mail is brought by a later one to the same player, its game's or a digest",
     "SELECT 'outbox ' || k.outbox FROM enclosed_mails k JOIN outbox b ON b.id = k.brought_by"
     " WHERE b.id < k.outbox OR b.player IS DISTINCT FROM k.player OR NOT (b.kind = 'digest'"
     " OR (b.kind IN ('report', 'end') AND b.game = k.game))"},
    {"nothing waits for a forgotten player",
     "SELECT 'outbox ' || k.outbox FROM enclosed_mails k JOIN players p ON p.id = k.player"
     " WHERE p.forgotten = 1 AND k.due_utc IS NOT NULL"},
    {"a digest is a mail to its player, and every mail of the kind is one",
     "SELECT 'outbox ' || o.id FROM outbox o LEFT JOIN digests b ON b.outbox = o.id"
     " WHERE (o.kind = 'digest') <> (b.outbox IS NOT NULL)"
     " OR (b.outbox IS NOT NULL AND b.player IS DISTINCT FROM o.player)"},
    {"a player's digests are counted from 1",
     "SELECT 'player ' || player FROM digests GROUP BY player"
     " HAVING min(number) <> 1 OR max(number) <> count(*)"},
    {"a digest shows turns of games in which its player has or had a seat",
     "SELECT 'player ' || player || ' game ' || game FROM digest_turns t WHERE NOT EXISTS"
     " (SELECT 1 FROM outbox o WHERE o.player = t.player AND o.game = t.game AND o.seat > 0)"},
    {"a digest comes from a generation of tokens there has been",
     "SELECT 'outbox ' || b.outbox FROM digests b JOIN players p ON p.id = b.player"
     " WHERE b.generation > p.token_generation"},

    /* mails that came back */
    {"an address that mail came back from is a player's",
     "SELECT 'address of player ' || player FROM bounced_addresses b WHERE NOT EXISTS"
     " (SELECT 1 FROM players p WHERE p.id = b.player AND p.forgotten = 0)"},
    {"an address that is paused has no other in its place",
     "SELECT 'address of player ' || player FROM bounced_addresses"
     " WHERE paused_utc > 0 AND instead IS NOT NULL"},
    {"an address used in the place of another is the same player's",
     "SELECT 'address of player ' || player FROM bounced_addresses b"
     " WHERE instead IS NOT NULL AND NOT EXISTS (SELECT 1 FROM player_addresses a"
     " WHERE a.address = b.instead AND a.player = b.player) AND NOT EXISTS"
     " (SELECT 1 FROM players p WHERE p.address = b.instead AND p.id = b.player)"},
    {"a mail that came back went to a player and was reported by a mail taken in or refused",
     "SELECT 'outbox ' || outbox FROM bounced_mails b WHERE NOT EXISTS (SELECT 1 FROM outbox o"
     " WHERE o.id = b.outbox AND o.player IS NOT NULL) OR NOT EXISTS"
     " (SELECT 1 FROM inbox i WHERE i.id = b.inbox) AND (b.inbox <> 0 OR NOT EXISTS"
     " (SELECT 1 FROM outbox o WHERE o.id = b.outbox AND o.tried_utc > 0))"},
    {"a seat that could not be reached is in a game that has begun",
     "SELECT " SEAT("u") " FROM unreachable_seats u JOIN games g ON g.id = u.game"
                         " WHERE g.started_utc = 0 OR u.moved_serial > g.serial"},

    /* messages and observers */
    {"a message was written in a turn of its game, by a mail that was taken in",
     "SELECT 'press ' || p.id FROM press p JOIN games g ON g.id = p.game"
     " WHERE p.serial > g.serial OR NOT EXISTS (SELECT 1 FROM inbox i WHERE i.id = p.mail)"},
    {"a message waits for seats that exist, and not for its writer's",
     "SELECT 'press ' || p.id FROM press p JOIN games g ON g.id = p.game"
     " WHERE (p.seats >> CAST(g.nseats AS INTEGER)) <> 0"
     " OR (p.seats >> CAST(p.seat - 1 AS INTEGER)) & 1 = 1"},
    {"what has been delivered waits for nobody",
     "SELECT 'press ' || id FROM press WHERE delivered_utc > 0 AND seats <> 0"},
    {"only grey press comes unnamed",
     "SELECT 'press ' || p.id FROM press p LEFT JOIN press_rules r ON r.game = p.game"
     " WHERE p.unnamed = 1 AND r.mode IS DISTINCT FROM 1"},
    {"nothing waits in a game that was played to its end",
     "SELECT 'press ' || p.id FROM press p JOIN games g ON g.id = p.game"
     " WHERE p.delivered_utc = 0 AND g.status IN (3, 5)"},
    {"only games that take observers have any",
     "SELECT 'game ' || o.game FROM observers o JOIN press_rules r ON r.game = o.game"
     " WHERE r.observers = 2"},
    {"nobody who is forgotten observes a game",
     "SELECT 'game ' || o.game FROM observers o JOIN players p ON p.id = o.player"
     " WHERE p.forgotten = 1"},

    /* reliability, ratings, rematches, the queue */
    {"who sits in a game under way is the last holder of the seat",
     "SELECT " SEAT("s") " FROM seats s JOIN games g ON g.id = s.game WHERE g.status IN (1, 2)"
                         " AND EXISTS (SELECT 1 FROM seat_holders x WHERE x.game = s.game"
                         " AND x.seat = s.seat) AND s.player IS DISTINCT FROM (SELECT player"
                         " FROM seat_holders x WHERE x.game = s.game AND x.seat = s.seat"
                         " ORDER BY serial DESC LIMIT 1)"},
    {"only a game that has ended is counted",
     "SELECT 'game ' || id FROM games WHERE counted <> 0 AND status < 3"},
    {"standings are of a game that is counted and of somebody who sat in it",
     "SELECT 'standings ' || t.game || '/' || t.place FROM standings t JOIN games g ON g.id = t.game"
     " WHERE g.counted <> 1 OR NOT EXISTS"
     " (SELECT 1 FROM seat_holders x WHERE x.game = t.game AND x.player = t.player)"},
    {"nobody has won more games than they have played, nor missed more turns",
     "SELECT 'player ' || player FROM ratings WHERE wins > games OR missed + late > turns"
     " OR (kind <> '' AND turns > 0)"},
    {"what is played again has ended",
     "SELECT 'game ' || r.game FROM rematches r JOIN games g ON g.id = r.of"
     " WHERE g.status < 3 OR r.of = r.game"},
    {"nobody who is forgotten waits for a game or is asked into one",
     "SELECT 'player ' || w.player FROM waiting w JOIN players p ON p.id = w.player"
     " WHERE p.forgotten = 1 UNION ALL"
     " SELECT 'player ' || i.player FROM invitations i JOIN players p ON p.id = i.player"
     " WHERE p.forgotten = 1 AND i.declined = 0"},

    /* logs */
    {"an entry about a seat is about a game",
     "SELECT 'audit ' || id FROM audit WHERE seat > 0 AND game IS NULL"},
    {"a run ends after it began",
     "SELECT 'run ' || id FROM runs WHERE ended_utc < started_utc"},
    {"an outage ends after it began",
     "SELECT 'outage ' || id FROM outages WHERE to_utc <= from_utc"},
    {"no time is an outage of the same kind twice",
     "SELECT 'outage ' || b.id FROM outages a JOIN outages b ON b.cause = a.cause"
     " AND b.id > a.id WHERE b.from_utc < a.to_utc AND a.from_utc < b.to_utc"},
    {"what is in hand is of a known kind",
     "SELECT kind FROM in_flight WHERE kind NOT IN ('mails', 'turns', 'refusals', 'digests')"},
};
/* The first of them go over every row; the very first two, of a file only, over its pages. */
enum {
	OF_A_FILE = 2,
	WHOLE_FILE = 3,
	NINVARIANTS = sizeof(invariants) / sizeof(invariants[0])
};

/*
 * Sealed bytes of every row that has any: object, associated data as in sealed.h, the bytes,
 * and for secrets the digest that must come out, else NULL. `once`: SEALED_ONCE.
 */
static const struct sealed_column {
	const char *name, *sql;
	bool once;
} seals[] = {
    {"the seals of secrets open",
     "SELECT 'game ' || id, 'secret ' || id, sealed_secret, secret_hash FROM games", false},
    {"the seals of holds open",
     "SELECT 'game ' || id, 'held ' || id, sealed_held_reason, NULL FROM games"
     " WHERE sealed_held_reason IS NOT NULL",
     false},
    {"the seals of result digests open",
     "SELECT " TURN("r") ", 'digest ' || game || ' ' || serial, sealed_hash, NULL"
                         " FROM results r",
     false},
    {"the seals of positions open",
     "SELECT " TURN("r") ", 'state ' || game || ' ' || serial, sealed_state, NULL"
                         " FROM results r",
     false},
    {"the seals of draws open",
     "SELECT " TURN("r") ", 'chance ' || game || ' ' || serial, sealed_chance, NULL"
                         " FROM results r",
     false},
    {"the seals of what joins contribute open",
     "SELECT 'seat ' || game || '/' || seat, 'joined ' || game, sealed_contribution, NULL"
     " FROM seats WHERE sealed_contribution IS NOT NULL",
     false},
    {"the seals of what joins of games to come contribute open",
     "SELECT 'join ' || game || '/' || joined_utc, 'joined ' || game, sealed_contribution, NULL"
     " FROM joins WHERE sealed_contribution IS NOT NULL",
     false},
    {"the seals of what bots have drawn open",
     "SELECT 'orders ' || game || '/' || serial || '/' || seat || ' #' || revision, 'drawn '"
     " || game || ' ' || serial || ' ' || seat || ' ' || revision, sealed_drawn, NULL"
     " FROM orders WHERE sealed_drawn IS NOT NULL",
     false},
    {"the seals of orders open",
     "SELECT 'orders ' || game || '/' || serial || '/' || seat || ' #' || revision, 'order '"
     " || game || ' ' || serial || ' ' || seat || ' ' || revision || ' ' || how || ' ' ||"
     " received_utc || ' ' || coalesce(mail, 0), sealed_text, NULL FROM orders",
     true},
    {"the seals of mail details open",
     "SELECT 'inbox ' || id, 'detail ' || source || ' ' || transport_id, sealed_detail, NULL"
     " FROM inbox WHERE sealed_detail IS NOT NULL",
     false},
    {"the seals of quarantined mails open",
     "SELECT 'inbox ' || inbox, 'raw ' || inbox, sealed_raw, NULL FROM quarantine", false},
    {"the seals of mails to send open",
     "SELECT 'outbox ' || id, 'mail ' || message_id, sealed_message, NULL"
     " FROM outbox JOIN outbox_messages USING (id)",
     false},
    {"the seals of what is left of old mails open",
     "SELECT 'outbox ' || id, 'proofs ' || message_id, sealed_proofs, NULL"
     " FROM outbox JOIN outbox_proofs USING (id)",
     false},
    {"the seals of outlines open",
     "SELECT 'outbox ' || id, 'outline ' || message_id, sealed_outline, NULL"
     " FROM outbox JOIN outbox_outlines USING (id)",
     false},
    {"the seals of archives taken over open",
     "SELECT 'game ' || game, 'archive ' || game, sealed_archive, NULL FROM imports", false},
    {"the seals of positions that games go on from open",
     "SELECT 'game ' || game, 'position ' || game, sealed_position, NULL FROM forks", false},
    {"the seals of votes open",
     "SELECT 'votes ' || game || '/' || serial || '/' || seat, 'votes ' || game || ' ' ||"
     " serial || ' ' || seat || ' ' || revision, sealed_votes, NULL FROM votes",
     false},
    {"the seals of held mails open",
     "SELECT 'question ' || id, 'question ' || id || ' ' || player || ' ' || mail, sealed_text,"
     " NULL FROM confirmations WHERE sealed_text IS NOT NULL",
     false},
    {"the seals of messages open",
     "SELECT 'press ' || id, 'press ' || id || ' ' || game || ' ' || seat || ' ' || mail,"
     " sealed_text, NULL FROM press WHERE sealed_text IS NOT NULL",
     false},
    {"the seals of mails that wait for others open",
     "SELECT 'outbox ' || outbox, 'kept ' || outbox || ' ' || player || ' ' || game,"
     " sealed_text, NULL FROM enclosed_mails WHERE sealed_text IS NOT NULL",
     false},
    {"the seals of what was not understood open",
     "SELECT 'clause ' || id, 'clause ' || id || ' ' || player, sealed_text, NULL"
     " FROM unread_clauses",
     false},
    {"the seals of what is laid down open",
     "SELECT 'provision ' || game || '/' || seat, 'provision ' || game || ' ' || seat || ' '"
     " || kind || ' ' || number || ' ' || mail, sealed_text, NULL FROM standing_orders",
     false},
};
enum { NSEALS = sizeof(seals) / sizeof(seals[0]) };

/* ------------------------------------------------------------------ looking */

struct check {
	struct store *s;
	const struct fsck_hooks *hooks;
	unsigned done, total, violations;
	struct strbuf object, plain; /* scratch */
};

static void report(struct check *c, const char *invariant, const char *object)
{
	c->violations++;
	c->hooks->report(c->hooks->ctx, invariant, object);
}

static void tell_progress(struct check *c, const char *name)
{
	if (c->hooks->progress)
		c->hooks->progress(c->hooks->ctx, c->done, c->total, name);
	c->done++;
}

static void read_object(struct check *c, struct query *q)
{
	strbuf_clear(&c->object);
	strbuf_add_span(&c->object, col_bytes(q));
}

/* A table that cannot be read is one more finding and no reason to stop. */
static enum err finish(struct check *c, struct query *q, const char *invariant)
{
	enum err err = db_end(q);

	if (err != ERR_CORRUPT)
		return err;
	report(c, invariant, c->s->failure.text.ptr);
	return ERR_NONE;
}

static enum err check_invariant(struct check *c, const struct invariant *inv)
{
	struct query q = db_read_text(c->s, inv->sql);

	while (db_next(&q)) {
		read_object(c, &q);
		report(c, inv->name, c->object.ptr);
	}
	return finish(c, &q, inv->name);
}

static enum err check_seals(struct check *c, const struct sealed_column *col)
{
	struct query q = db_read_text(c->s, col->sql);
	struct strbuf context = STRBUF_INIT;
	struct hash expected, found;

	while (db_next(&q)) {
		read_object(c, &q);
		if (c->hooks->seals)
			(*c->hooks->seals)++;
		strbuf_clear(&context);
		strbuf_add_span(&context, col_bytes(&q));
		strbuf_clear(&c->plain);
		bool opens = seal_open(c->s, col->once ? SEALED_ONCE : SEALED, context.ptr,
		                       col_bytes(&q), &c->plain) == ERR_NONE;
		col_hash(&q, &expected);
		found = hash_of(strbuf_span(&c->plain));
		if (!opens || (!hash_is_zero(&expected) && !hash_eq(&expected, &found)))
			report(c, col->name, c->object.ptr);
	}
	strbuf_release(&context);
	return finish(c, &q, col->name);
}

static const char triggers_name[] = "the triggers are those of this program";

/*
 * SQLite keeps the text of a trigger as it was given, and reads it only when it fires: a damaged one would
 * stop games, and nothing above would see it.
 */
static bool is_of_this_program(struct span sql)
{
	unsigned n;
	const struct migration *all = migrations(&n);

	for (unsigned i = 0; i < n; i++)
		if (span_find(span_of(all[i].sqlite), sql) < strlen(all[i].sqlite))
			return true;
	return false;
}

static enum err check_triggers(struct check *c)
{
	struct query q = db_read(c->s, "SELECT name, sql FROM sqlite_schema"
	                               " WHERE type = 'trigger' ORDER BY name");

	tell_progress(c, triggers_name);
	while (db_next(&q)) {
		read_object(c, &q);
		if (!is_of_this_program(col_bytes(&q)))
			report(c, triggers_name, c->object.ptr);
	}
	return finish(c, &q, triggers_name);
}

static enum err check_schema(struct check *c)
{
	enum err err;

	strbuf_clear(&c->object);
	err = c->s->engine->check_schema(c->s, &c->object);
	if (err == ERR_NONE && c->object.len > 0)
		report(c, "the text of each table and index is understood", c->object.ptr);
	return err;
}

static enum err check_all(struct check *c, enum fsck_reach reach)
{
	bool deep = reach == FSCK_SEALS, file = c->s->engine->is_file;
	unsigned first = reach == FSCK_ROWS ? WHOLE_FILE : file ? 0 : OF_A_FILE;
	enum err err = ERR_NONE;

	c->total = NINVARIANTS + (deep ? NSEALS : 0u) + (reach != FSCK_ROWS);
	for (unsigned i = first; err == ERR_NONE && i < NINVARIANTS; i++) {
		tell_progress(c, invariants[i].name);
		err = check_invariant(c, &invariants[i]);
	}
	for (unsigned i = 0; err == ERR_NONE && deep && i < NSEALS; i++) {
		tell_progress(c, seals[i].name);
		err = check_seals(c, &seals[i]);
	}
	if (err == ERR_NONE && reach != FSCK_ROWS && file)
		err = check_triggers(c);
	if (err == ERR_NONE && reach != FSCK_ROWS && file)
		err = check_schema(c);
	return err;
}

enum err fsck_run(struct store *s, enum fsck_reach reach, const struct fsck_hooks *hooks,
                  unsigned *violations)
{
	struct check c = {.s = s, .hooks = hooks, .object = STRBUF_INIT, .plain = STRBUF_INIT};
	bool own = !db_is_open_tx(s);
	enum err err = own ? store_begin_reading(s) : ERR_NONE;

	if (err == ERR_NONE)
		err = check_all(&c, reach);
	if (own)
		db_rollback(s);
	*violations = c.violations;
	strbuf_release(&c.object);
	strbuf_release(&c.plain);
	return err;
}

const char *fsck_name(unsigned i)
{
	if (i < NINVARIANTS)
		return invariants[i].name;
	i -= NINVARIANTS;
	if (i == NSEALS)
		return triggers_name;
	return i < NSEALS ? seals[i].name : NULL;
}
