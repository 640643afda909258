/*
 * confirmation.c - questions by mail, and the reply addresses that answer them.
 */
#include "processor/request/confirmation.h"

#include <stdio.h>
#include <string.h>

#include "processor/base/num.h"
#include "processor/base/utf8.h"
#include "processor/server/reply_address.h"

#include "processor/base/banned.h"

#define PURPOSE "question"
/*
 * The kinds of outbox rows: "question-also" to the player, "inquiry-also" to the address. Not told
 * by where they went, since a mail to the player may have gone to another address of his.
 */
static const char *const row_kinds[] = {
    [QUESTION_TO_PLAYER] = "question-", [QUESTION_TO_ADDRESS] = "inquiry-"};

enum { DAY_S = 24 * 3600 };

struct answer_tag {
	int64_t player;
	unsigned end;
	struct span mac;
};

/* All that a yes to this question is a yes to. No row numbers: they differ after a restore. */
static void code_text(const struct question *q, unsigned end, struct strbuf *out)
{
	struct digest text = digest_of(q->text);

	strbuf_addf(out, "%u\n%s\n%lld\n", end, question_kind_name(q->kind),
	            (long long)q->player);
	utf8_add_folded(out, q->address);
	strbuf_addf(out, "\n%lld\n%u\n%u\n%lld\n", (long long)q->game, q->serial, q->seat,
	            (long long)q->arrived_utc);
	digest_add_hex(out, &text);
}

void question_add_reply(const struct server *srv, const struct question *q,
                        enum question_end end, struct strbuf *out)
{
	struct strbuf what = STRBUF_INIT;

	code_text(q, end, &what);
	strbuf_add_span(out, address_local(&srv->cfg));
	strbuf_addf(out, "+y-%lld.%u.", (long long)q->player, (unsigned)end);
	keyring_add_token(srv->keys, PURPOSE, strbuf_span(&what), out);
	strbuf_addc(out, '@');
	strbuf_add_span(out, address_domain(&srv->cfg));
	strbuf_release(&what);
}

static bool code_fits(const struct server *srv, const struct question *q,
                      const struct answer_tag *tag)
{
	struct strbuf what = STRBUF_INIT;

	code_text(q, tag->end, &what);
	bool ok = keyring_check_token(srv->keys, PURPOSE, strbuf_span(&what), tag->mac);
	strbuf_release(&what);
	return ok;
}

/* "y-7.1.MAC" */
static bool read_tag(struct span text, struct answer_tag *out)
{
	struct span word, player, end;
	uint64_t id;

	if (!span_next_field(&text, '-', &word) || !span_eq_nocase(word, "y") ||
	    !span_next_field(&text, '.', &player) || !span_next_field(&text, '.', &end) ||
	    !num_parse_u64(player, INT64_MAX, &id) ||
	    !num_parse_uint(end, QUESTION_TO_PLAYER, QUESTION_TO_ADDRESS, &out->end))
		return false;
	out->player = (int64_t)id;
	out->mac = text;
	return text.len == TOKEN_MAC_CHARS;
}

enum err question_allowed(struct dealing *d, enum question_kind kind, struct span address,
                          bool *yes)
{
	return stranger_allow(d->srv->store, address,
	                      kind == QUESTION_MAIL ? "question-mail" : "question-address",
	                      d->srv->now_utc - DAY_S, QUESTIONS_A_DAY, d->srv->now_utc, yes);
}

enum err question_post(struct dealing *d, struct hand *h, struct seat *seat,
                       const struct question *q, enum question_end end,
                       const struct letter_out *letter)
{
	struct strbuf reply = STRBUF_INIT;
	char key[64];
	bool to_player = end == QUESTION_TO_PLAYER;

	if (d->mail->flags & MAIL_NULL_PATH)
		return ERR_NONE;
	if (d->srv->cfg.plus_address)
		question_add_reply(d->srv, q, end, &reply);
	snprintf(key, sizeof(key), "inbox %lld %u", (long long)d->inbox_id, ++d->item);
	struct post post = {
	    .kind = arena_printf(d->arena, "%s%s", row_kinds[end], question_kind_name(q->kind)),
	    .key = key,
	    .game = h ? &h->game : NULL,
	    .seat = seat,
	    .serial = h && h->has_turn ? h->turn.serial : 0,
	    .player = d->player.id,
	    .address = to_player ? d->player.address : q->address,
	    .exactly = !to_player, /* nobody else can answer for it */
	    .ascii = d->player.ascii,
	    .letter = letter,
	    .question = q->id,
	    .cause = q->mail,
	    .in_reply_to = to_player ? d->mail->message_id : SPAN_EMPTY,
	    .reply_to = reply.len > 0 ? arena_strdup(d->arena, reply.ptr) : NULL,
	    .replied = to_player,
	};
	strbuf_release(&reply);
	return post_add(d->srv, &post, d->arena);
}

static enum err find_by_tag(struct dealing *d, const struct answer_tag *tag, struct question *q,
                            enum question_found *found)
{
	struct question *open;
	size_t n;

	*found = QUESTION_CLOSED;
	TRY(question_list(d->srv->store, tag->player, d->arena, &open, &n));
	for (size_t i = 0; i < n; i++)
		if (code_fits(d->srv, &open[i], tag)) {
			*q = open[i];
			*found = QUESTION_OPEN;
		}
	return ERR_NONE;
}

/* "inquiry-also": from which end an answer to it comes. */
static bool read_row_kind(struct span kind, enum question_end *end)
{
	for (size_t e = QUESTION_TO_PLAYER; e <= QUESTION_TO_ADDRESS; e++)
		if (span_starts(kind, row_kinds[e])) {
			*end = (enum question_end)e;
			return true;
		}
	return false;
}

enum err question_of_row(struct dealing *d, const struct outbox_mail *row, struct question *q,
                         enum question_end *end)
{
	struct question *open;
	int64_t id;
	size_t n;

	if (!read_row_kind(row->kind, end))
		return ERR_NOT_FOUND;
	TRY(question_of_mail(d->srv->store, row->id, &id));
	TRY(question_list(d->srv->store, row->player, d->arena, &open, &n));
	for (size_t i = 0; i < n; i++)
		if (open[i].id == id) {
			*q = open[i];
			return ERR_NONE;
		}
	return ERR_NOT_FOUND;
}

static enum err find_by_thread(struct dealing *d, struct question *q, enum question_end *end,
                               enum question_found *found)
{
	struct outbox_mail row;

	if (d->mail->in_reply_to.len == 0)
		return ERR_NONE;
	enum err rc = outbox_by_message_id(d->srv->store, d->mail->in_reply_to, d->arena, &row);
	if (rc == ERR_NONE && !read_row_kind(row.kind, end))
		return ERR_NONE;
	if (rc == ERR_NONE)
		rc = question_of_row(d, &row, q, end);
	else if (rc == ERR_NOT_FOUND)
		return ERR_NONE;
	if (rc != ERR_NONE && rc != ERR_NOT_FOUND)
		return rc;
	*found = rc == ERR_NONE ? QUESTION_OPEN : QUESTION_CLOSED;
	return ERR_NONE;
}

enum err question_find(struct dealing *d, struct question *q, enum question_end *end,
                       enum question_found *found)
{
	const struct span_list *to = &d->mail->recipients;
	struct reply_token seat;
	struct answer_tag tag;
	struct span text;

	*found = QUESTION_NONE;
	for (size_t i = 0; i < to->count; i++) {
		/* To a seat's reply address: about that seat, whatever thread it stands in. */
		if (address_read(d->srv, to->items[i], &seat))
			return ERR_NONE;
		if (!address_tag(d->srv, to->items[i], &text) || !read_tag(text, &tag))
			continue;
		*end = (enum question_end)tag.end;
		return find_by_tag(d, &tag, q, found);
	}
	return find_by_thread(d, q, end, found);
}
