/*
 * bounces.c - which mail of ours came back, and what its report says.
 */
#include "processor/request/bounces.h"

#include <ctype.h>
#include <string.h>

#include "processor/base/num.h"
#include "processor/base/utf8.h"
#include "processor/outgoing/unreachable.h"
#include "processor/server/reply_address.h"

#include "processor/base/banned.h"

/* ---- the address mail is sent from ---- */

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
	address_bounce_text(row, &what);
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

static enum err tell_found(struct dealing *d, const struct unreachable_until_now *was)
{
	struct strbuf since = STRBUF_INIT;
	enum err rc;

	zone_format_human(&since, zone_of_reader(d->srv, &d->player), was->since_utc);
	if (utf8_eq_folded(was->address, d->mail->from))
		rc = dealing_notice(
		    d, NULL, NULL, "mail to you came back", "resend",
		    "Since %s mail to this address came back to us, so nothing was sent any "
		    "more. Now that you have written, all that has waited follows. Look "
		    "whether "
		    "your mailbox is full or refuses mail. The last report comes once more "
		    "with:",
		    since.ptr);
	else
		rc = dealing_notice(
		    d, NULL, NULL, "mail to you came back", "resend",
		    "Since %s mail to %.*s came back to us, so nothing was sent any more. Now "
		    "that you have written from here, it is sent to this address, and all that "
		    "has waited follows. The last report comes once more with:",
		    since.ptr, SPAN_ARGS(was->address));
	strbuf_release(&since);
	return rc;
}

enum err bounces_forgive(struct dealing *d)
{
	struct unreachable_until_now was;

	if (d->player.id == 0 || !d->player.bounced)
		return ERR_NONE;
	TRY(unreachable_end(d->srv, d->player.id, d->mail->from, d->arena, &was));
	return was.since_utc == 0 ? ERR_NONE : tell_found(d, &was);
}

/* ---- taking a report ---- */

/* Mail servers like to quote the sender, whose code is nobody's business. */
static struct span without_codes(struct dealing *d, struct span said)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_add_span(&text, said);
	address_redact(d->srv, &text);
	struct span copy = arena_dup(d->arena, strbuf_span(&text));
	strbuf_release(&text);
	return copy;
}

static struct span what_was_said(struct dealing *d)
{
	const struct mail_report *r = &d->mail->report;

	if (r->diagnostic.len > 0)
		return without_codes(d, r->diagnostic);
	if (d->robot.status.len > 0)
		return span_of(
		    arena_printf(d->arena, "status %.*s", SPAN_ARGS(d->robot.status)));
	return span_of("no reason was given");
}

static enum err count(struct dealing *d, const struct outbox_mail *row)
{
	struct unreached_outcome o;
	struct unreached u = {
	    .mail = row,
	    .key = arena_printf(d->arena, "inbox %lld", (long long)d->inbox_id),
	    .report = d->inbox_id,
	    .points = d->robot.class == ROBOT_HARD ? 2 : 1,
	    .address_is_dead = d->robot.address_is_dead,
	    .may_yet_arrive = span_eq_str(d->mail->report.action, "delayed"),
	    .said = what_was_said(d),
	};

	TRY(unreachable_count(d->srv, &u, d->arena, &o));
	dealing_verdict(d, "bounce",
	                "%s (mail %lld to player %lld: %.*s); its address has %u "
	                "of %d points%s",
	                d->robot.why, (long long)row->id, (long long)row->player,
	                SPAN_ARGS(u.said), o.score, (int)UNREACHABLE_SCORE,
	                o.known      ? " and was given up before"
	                : o.given_up ? " and is given up"
	                             : "");
	return ERR_NONE;
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
