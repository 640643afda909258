/*
 * bounces.c - from a returned mail to a seat that cannot be reached, and back.
 */
#include "processor/bounces.h"

#include <ctype.h>
#include <string.h>

#include "mail/compose.h"
#include "processor/address.h"
#include "processor/base/num.h"
#include "processor/base/utf8.h"
#include "processor/pace.h"
#include "processor/zones.h"
#include "store/audit.h"
#include "store/bounces.h"

#include "processor/base/banned.h"

enum {
	DAY_S = 24 * 3600,
	WEEK_S = 7 * DAY_S,
	FRESH_S = 30 * DAY_S, /* points older than this are forgotten */
	PAUSE_SCORE = 6
};

/* ---- the address mail is sent from ---- */

/* Both names of the mail: a number alone may be another mail's in a database restored from a copy. */
static void sender_text(const struct outbox_mail *m, struct strbuf *out)
{
	strbuf_addf(out, "bounce\n%lld\n%.*s\n", (long long)m->id, SPAN_ARGS(m->message_id));
}

void bounces_add_sender(const struct server *srv, const struct outbox_mail *m,
                        struct strbuf *out)
{
	struct strbuf what = STRBUF_INIT;

	if (!srv->cfg.plus_address) {
		strbuf_adds(out, srv->cfg.address);
		return;
	}
	sender_text(m, &what);
	strbuf_add_span(out, address_local(&srv->cfg));
	strbuf_addf(out, "+b-%lld-", (long long)m->id);
	keyring_add_token(srv->keys, "bounce", strbuf_span(&what), out);
	strbuf_addc(out, '@');
	strbuf_add_span(out, address_domain(&srv->cfg));
	strbuf_release(&what);
}

/* "b-17-MAC" */
static bool read_code(struct span code, int64_t *outbox, struct span *mac)
{
	struct span id;
	uint64_t n;

	if (!span_starts_nocase(code, "b-"))
		return false;
	code = span_slice(code, 2, code.len);
	if (!span_next_field(&code, '-', &id) || code.len != TOKEN_MAC_CHARS ||
	    !num_parse_u64(id, INT64_MAX, &n))
		return false;
	*outbox = (int64_t)n;
	*mac = code;
	return true;
}

static bool read_sender(const struct server *srv, struct span recipient, int64_t *outbox,
                        struct span *mac)
{
	size_t at = span_find_char(recipient, '@');
	struct span local = span_slice(recipient, 0, at);
	size_t plus = span_find_char(local, '+');
	struct span domain = span_slice(recipient, at + 1, recipient.len);

	if (plus == local.len || at == recipient.len ||
	    !utf8_eq_folded(domain, address_domain(&srv->cfg)) ||
	    !utf8_eq_folded(span_slice(local, 0, plus), address_local(&srv->cfg)))
		return false;
	return read_code(span_slice(local, plus + 1, local.len), outbox, mac);
}

static enum err check_recipient(struct dealing *d, struct span recipient,
                                struct outbox_mail *row, bool *found)
{
	struct strbuf what = STRBUF_INIT;
	struct span mac;
	int64_t id;

	if (!read_sender(d->srv, recipient, &id, &mac))
		return ERR_NONE;
	enum err rc = outbox_by_id(d->srv->store, id, d->arena, row);
	if (rc != ERR_NONE)
		return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
	sender_text(row, &what);
	*found = keyring_check_token(d->srv->keys, "bounce", strbuf_span(&what), mac);
	strbuf_release(&what);
	return ERR_NONE;
}

enum err bounces_addressed(struct dealing *d, struct outbox_mail *row, bool *found)
{
	*found = false;
	for (size_t i = 0; i < d->mail->recipients.count && !*found; i++)
		TRY(check_recipient(d, d->mail->recipients.items[i], row, found));
	return ERR_NONE;
}

/* ---- which mail came back ---- */

static enum err try_id(struct dealing *d, struct span id, struct outbox_mail *row, bool *found)
{
	if (*found || id.len == 0)
		return ERR_NONE;
	enum err rc = outbox_by_message_id(d->srv->store, id, d->arena, row);
	*found = rc == ERR_NONE;
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

static enum err find_mail(struct dealing *d, struct outbox_mail *row, bool *found)
{
	const struct span_list *refs = &d->mail->references;

	TRY(bounces_addressed(d, row, found));
	TRY(try_id(d, robot_returned_id(d->mail), row, found));
	TRY(try_id(d, d->mail->in_reply_to, row, found));
	for (size_t i = refs->count; i > 0 && !*found; i--)
		TRY(try_id(d, refs->items[i - 1], row, found));
	return ERR_NONE;
}

/* ---- telling ---- */

/* A turn that waits for one of these seats gets the time of a whole turn more, once for each. */
static enum err move_deadline(struct dealing *d, struct hand *h, const struct seat *seat,
                              struct unreachable_seat *u, bool *moved)
{
	uint32_t bit = seat_with((struct seat_set){0}, seat->seat).bits;
	struct turn *t = &h->turn;

	*moved = h->has_turn && t->state == TURN_OPEN && t->deadline_utc != 0 &&
	         u->moved_serial == 0 && (t->owes & ~t->have & bit) != 0 && !h->game.held &&
	         h->game.next_s > 0;
	if (!*moved)
		return ERR_NONE;
	t->deadline_utc = pace_moved(d->srv, h, t->deadline_utc);
	u->moved_serial = t->serial;
	return turn_set_deadline(d->srv->store, t->game, t->serial, t->deadline_utc);
}

static const char *when(struct dealing *d, const struct zone *zone, int64_t t_utc)
{
	struct strbuf text = STRBUF_INIT;

	zone_format_human(&text, zone, t_utc);
	const char *copy = arena_strdup(d->arena, text.ptr);
	strbuf_release(&text);
	return copy;
}

static const char *what_happens_next(struct dealing *d, const struct hand *h, const char *name,
                                     const struct zone *zone, bool moved)
{
	const char *until = when(d, zone, h->turn.deadline_utc);

	if (moved)
		return arena_printf(
		    d->arena,
		    "To leave time for finding %s, the deadline of %.*s was moved "
		    "by the length of a turn, to %s. This is done once. If "
		    "nothing comes from %s by then, the default orders are used.",
		    name, SPAN_ARGS(h->turn.label), until, name);
	if (h->turn.deadline_utc == 0)
		return "The game goes on as it is.";
	return arena_printf(
	    d->arena,
	    "The deadline of %.*s stays as it is: %s. If there are no orders of "
	    "%s by then, the default orders are used.",
	    SPAN_ARGS(h->turn.label), until, name);
}

static void write_letter(struct dealing *d, const struct hand *h, const struct seat *lost,
                         const struct seat *reader, const struct player *p, bool moved,
                         struct letter_out *out)
{
	const char *name = h->names.names[lost->seat];
	struct report_game game = brief_game(d->srv, h, reader, p);
	const char *paragraphs[] = {
	    arena_printf(
		d->arena,
		"Mail to %s (seat %u) comes back to us, so %s may not know what happens "
		"in this game.",
		name, lost->seat, name),
	    what_happens_next(d, h, name, game.zone, moved),
	    arena_printf(
		d->arena,
		"You need not do anything. If you know %s, please pass this on: any mail "
		"to this server from the usual address ends it, and all that waits is "
		"sent then. How the game stands is shown by:",
		name)};
	const char *example = arena_printf(d->arena, "status %s", h->id);

	report_notice(
	    &(struct report_notice){
		.game = &game,
		.subject = arena_printf(d->arena, "%s cannot be reached", name),
		.paragraphs = paragraphs,
		.nparagraphs = sizeof(paragraphs) / sizeof(paragraphs[0]),
		.examples = &example,
		.nexamples = 1,
	    },
	    out);
}

static enum err tell_one(struct dealing *d, struct hand *h, const struct seat *lost,
                         struct seat *reader, bool moved)
{
	struct letter_out out = LETTER_OUT_INIT;
	struct player p;

	TRY(player_get(d->srv->store, reader->player, d->arena, &p));
	if (p.forgotten || p.address.len == 0)
		return ERR_NONE;
	write_letter(d, h, lost, reader, &p, moved, &out);
	struct post post = {.kind = "notice",
	                    .key = arena_printf(d->arena, "lost %u inbox %lld", lost->seat,
	                                        (long long)d->inbox_id),
	                    .game = &h->game,
	                    .seat = reader,
	                    .serial = h->turn.serial,
	                    .player = p.id,
	                    .address = p.address,
	                    .ascii = p.ascii,
	                    .letter = &out,
	                    .cause = d->inbox_id};
	enum err rc = post_add(d->srv, &post, d->arena);
	letter_out_release(&out);
	return rc;
}

static enum err tell_others(struct dealing *d, struct hand *h, const struct seat *lost,
                            bool moved)
{
	for (size_t i = 0; i < h->nseats; i++) {
		struct seat *s = &h->seats[i];
		if (s->player != 0 && s->player != lost->player && !s->resigned)
			TRY(tell_one(d, h, lost, s, moved));
	}
	return ERR_NONE;
}

static enum err lose_seat(struct dealing *d, struct hand *h, const struct seat *seat)
{
	struct unreachable_seat u;
	bool moved;

	TRY(unreachable_get(d->srv->store, h->game.id, seat->seat, &u));
	bool tell = u.told_utc == 0 || u.told_utc + WEEK_S <= d->srv->now_utc;
	TRY(move_deadline(d, h, seat, &u, &moved));
	if (tell)
		u.told_utc = d->srv->now_utc;
	TRY(unreachable_set(d->srv->store, h->game.id, seat->seat, &u));
	const char *name = h->names.names[seat->seat];
	TRY(audit_add(d->srv->store, h->game.id, seat->seat, "server", true, d->srv->now_utc,
	              moved ? arena_printf(d->arena,
	                                   "mail to %s comes back; the deadline was moved, "
	                                   "once, to %s",
	                                   name, when(d, NULL, h->turn.deadline_utc))
	                    : arena_printf(d->arena, "mail to %s comes back", name)));
	return tell ? tell_others(d, h, seat, moved) : ERR_NONE;
}

/* ---- losing a player and finding him again ---- */

static enum err each_game(struct dealing *d, int64_t player,
                          enum err (*act)(struct dealing *d, struct hand *h,
                                          const struct seat *seat))
{
	struct game *games;
	size_t n;

	TRY(game_list_of_player(d->srv->store, player, 1u << GAME_RUNNING, d->arena, &games,
	                        &n));
	for (size_t i = 0; i < n; i++) {
		struct hand h;
		enum err rc = hand_load(d->srv, games[i].id, d->arena, &h);

		for (size_t k = 0; rc == ERR_NONE && k < h.nseats; k++)
			if (h.seats[k].player == player && !h.seats[k].resigned)
				rc = act(d, &h, &h.seats[k]);
		hand_release(&h);
		TRY(rc);
	}
	return ERR_NONE;
}

/* The mail that did not arrive goes to the other address, as RESEND would send it. */
static enum err send_again(struct dealing *d, const struct outbox_mail *lost, struct span to)
{
	struct letter_out out = LETTER_OUT_INIT;
	struct outbox_mail whole;
	struct player p;
	struct hand h;

	if (lost->number == 0)
		return ERR_NONE;
	TRY(player_get(d->srv->store, lost->player, d->arena, &p));
	TRY(outbox_by_number(d->srv->store, lost->game, lost->seat, lost->number, d->arena,
	                     &whole));
	enum err rc = hand_load(d->srv, lost->game, d->arena, &h);
	struct seat *seat = rc == ERR_NONE ? hand_seat(&h, lost->seat) : NULL;
	if (seat && seat->player == p.id && mail_read_back(whole.message, &out.body)) {
		strbuf_addf(&out.subject, "[%s] mail %u, once more", h.id, lost->number);
		struct post post = {.kind = "resend",
		                    .key = arena_printf(d->arena, "inbox %lld other address",
		                                        (long long)d->inbox_id),
		                    .game = &h.game,
		                    .seat = seat,
		                    .serial = lost->serial,
		                    .player = p.id,
		                    .address = to,
		                    .ascii = p.ascii,
		                    .letter = &out,
		                    .cause = d->inbox_id,
		                    .resend = true};
		rc = post_add(d->srv, &post, d->arena);
	}
	letter_out_release(&out);
	hand_release(&h);
	return rc;
}

/* Mail to the player goes there now: it is not an address he had before. */
static enum err is_in_use(struct dealing *d, const struct outbox_mail *row, bool *yes)
{
	struct bounced_address own;
	struct player p;

	TRY(player_get(d->srv->store, row->player, d->arena, &p));
	*yes = utf8_eq_folded(p.address, row->rcpt);
	if (*yes || p.address.len == 0)
		return ERR_NONE;
	enum err rc = bounce_get(d->srv->store, p.address, d->arena, &own);
	*yes = rc == ERR_NONE && utf8_eq_folded(own.instead, row->rcpt);
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

static enum err lose_address(struct dealing *d, const struct outbox_mail *row)
{
	struct span other;
	bool in_use;

	TRY(is_in_use(d, row, &in_use));
	if (!in_use)
		return ERR_NONE;
	enum err rc =
	    player_other_address(d->srv->store, row->player, row->rcpt, d->arena, &other);

	if (rc != ERR_NONE && rc != ERR_NOT_FOUND)
		return rc;
	TRY(audit_add(d->srv->store, 0, 0, "server", false, d->srv->now_utc,
	              arena_printf(d->arena, "mail to player %lld comes back; %s",
	                           (long long)row->player,
	                           rc == ERR_NONE ? "another address is used"
	                                          : "it waits until the player writes")));
	if (rc == ERR_NONE) {
		TRY(bounce_redirect(d->srv->store, row->rcpt, other));
		return send_again(d, row, other);
	}
	TRY(bounce_pause(d->srv->store, row->rcpt, d->srv->now_utc));
	return each_game(d, row->player, lose_seat);
}

static enum err note_found(struct dealing *d, struct hand *h, const struct seat *seat)
{
	struct unreachable_seat u;

	TRY(unreachable_get(d->srv->store, h->game.id, seat->seat, &u));
	if (u.told_utc == 0)
		return ERR_NONE;
	return audit_add(
	    d->srv->store, h->game.id, seat->seat, "server", true, d->srv->now_utc,
	    arena_printf(d->arena, "%s has written again", h->names.names[seat->seat]));
}

/* The first address that was paused, NULL if none was. */
static const struct bounced_address *paused_one(const struct bounced_address *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].paused_utc > 0)
			return &list[i];
	return NULL;
}

enum err bounces_forgive(struct dealing *d)
{
	struct bounced_address *list;
	size_t n;

	if (d->player.id == 0)
		return ERR_NONE;
	TRY(bounce_list(d->srv->store, d->player.id, d->arena, &list, &n));
	if (n == 0)
		return ERR_NONE;
	TRY(bounce_forgive(d->srv->store, d->player.id));
	const struct bounced_address *paused = paused_one(list, n);
	if (!paused)
		return ERR_NONE;
	TRY(audit_add(
	    d->srv->store, 0, 0, "server", false, d->srv->now_utc,
	    arena_printf(d->arena, "player %lld has written again", (long long)d->player.id)));
	TRY(each_game(d, d->player.id, note_found));
	return dealing_notice(
	    d, NULL, NULL, "mail to you came back", "resend",
	    "Since %s mail to this address came back to us, so nothing was sent any more. "
	    "Now that you have written, all that has waited follows. Look whether your "
	    "mailbox is full or refuses mail. The last mail of a game comes once more with:",
	    when(d, zone_of_reader(d->srv, &d->player), paused->paused_utc));
}

/* ---- taking a report ---- */

static struct span what_was_said(struct dealing *d)
{
	const struct mail_report *r = &d->mail->report;

	if (r->diagnostic.len > 0)
		return r->diagnostic;
	if (d->robot.status.len > 0)
		return span_of(
		    arena_printf(d->arena, "status %.*s", SPAN_ARGS(d->robot.status)));
	return span_of("no reason was given");
}

static enum err count(struct dealing *d, const struct outbox_mail *row)
{
	unsigned points = d->robot.class == ROBOT_HARD ? 2 : 1, score;
	struct bounced_address before;
	enum err rc = bounce_get(d->srv->store, row->rcpt, d->arena, &before);

	if (rc != ERR_NONE && rc != ERR_NOT_FOUND)
		return rc;
	TRY(bounce_count(d->srv->store, row, d->inbox_id, points, what_was_said(d),
	                 d->srv->now_utc - FRESH_S, d->srv->now_utc, &score));
	bool lost = d->robot.address_is_dead || score >= PAUSE_SCORE;
	bool known = before.paused_utc > 0 || before.instead.len > 0;
	dealing_verdict(d, "bounce",
	                "%s (mail %lld to player %lld: %.*s); its address has %u "
	                "of %d points%s",
	                d->robot.why, (long long)row->id, (long long)row->player,
	                SPAN_ARGS(what_was_said(d)), score, (int)PAUSE_SCORE,
	                known  ? " and was given up before"
	                : lost ? " and is given up"
	                       : "");
	return lost && !known ? lose_address(d, row) : ERR_NONE;
}

/* Not a bounce by its class, but sent to where only bounces belong: counts unless it shows life. */
static bool shows_life(const struct dealing *d, const struct outbox_mail *row)
{
	if (robot_is_bounce(d->robot.class))
		return false;
	return d->robot.class != ROBOT_PERSON || utf8_eq_folded(d->mail->from, row->rcpt);
}

enum err bounces_take(struct dealing *d)
{
	struct outbox_mail row;
	bool found;

	TRY(find_mail(d, &row, &found));
	if (!found) {
		dealing_verdict(d, "bounce",
		                "a delivery report about no mail of ours; nothing "
		                "was carried out");
		return ERR_NONE;
	}
	d->row.game = row.game;
	d->row.seat = row.seat;
	d->row.serial = row.serial;
	if (shows_life(d, &row)) {
		dealing_verdict(d, "automatic",
		                "%s; it came to the address for returned mail, where nothing "
		                "is carried out",
		                d->robot.why);
		return ERR_NONE;
	}
	if (row.player == 0 || row.rcpt.len == 0) {
		dealing_verdict(d, "bounce", "%s, a mail to a stranger", d->robot.why);
		return ERR_NONE;
	}
	if (!robot_is_bounce(d->robot.class)) {
		d->robot.class = ROBOT_UNCLEAR;
		d->robot.why = "something came to the address for returned mail";
	}
	return count(d, &row);
}
