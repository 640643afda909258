/*
 * post.c - a letter becomes an outbox row.
 */
#include "processor/post.h"

#include "mail/compose.h"
#include "processor/address.h"
#include "store/questions.h"

#include "processor/base/banned.h"

unsigned post_number(const struct seat *seat)
{
	return seat ? seat->mails + 1 : 0;
}

/* The thread belongs to a person at a seat: whoever takes the seat over begins a new one. */
static void thread_id(const struct server *srv, const struct post *p, struct strbuf *out)
{
	struct strbuf what = STRBUF_INIT;

	strbuf_addf(&what, "thread\n%lld\n%u\n%lld\n", (long long)p->game->id, p->seat->seat,
	            (long long)p->player);
	address_add_message_id(srv, what.ptr, out);
	strbuf_release(&what);
}

/* `thread` is empty when the mail is about no seat. */
static void message_id(const struct server *srv, const struct post *p, struct span thread,
                       struct strbuf *out)
{
	struct strbuf what = STRBUF_INIT;

	if (p->seat && p->seat->mails == 0 && !p->resend) {
		strbuf_add_span(out, thread);
		return;
	}
	strbuf_addf(&what, "%s\n%lld\n%u\n%u\n%lld\n%s\n", p->kind,
	            p->game ? (long long)p->game->id : 0, p->serial,
	            p->seat ? p->seat->seat : 0, (long long)p->player, p->key);
	address_add_message_id(srv, what.ptr, out);
	strbuf_release(&what);
}

static void references(const struct post *p, struct span thread, struct strbuf *out)
{
	if (p->seat && p->seat->mails > 0)
		strbuf_add_span(out, thread);
	if (p->references.len > 0 && p->replied) {
		strbuf_addc(out, ' ');
		strbuf_add_span(out, p->references);
	}
	if (p->in_reply_to.len > 0) {
		strbuf_addc(out, ' ');
		strbuf_add_span(out, p->in_reply_to);
	}
}

void post_prepare(const struct server *srv, const struct post *p, struct arena *arena,
                  struct outbox_mail *out)
{
	struct strbuf id = STRBUF_INIT, refs = STRBUF_INIT, reply = STRBUF_INIT,
		      root = STRBUF_INIT;
	struct strbuf bytes = STRBUF_INIT, body = STRBUF_INIT;

	if (p->seat)
		thread_id(srv, p, &root);
	message_id(srv, p, strbuf_span(&root), &id);
	references(p, strbuf_span(&root), &refs);
	strbuf_add_span(&body, strbuf_span(&p->letter->body));
	address_redact(srv, &body);
	if (p->reply_to)
		strbuf_adds(&reply, p->reply_to);
	else if (p->seat && srv->cfg.plus_address)
		address_add_reply(srv, p->game, p->seat, p->serial, &reply);
	bool first = p->seat && p->seat->mails == 0;
	mail_compose(
	    &(struct compose){
		.from_name = srv->cfg.from_name,
		.from_address = srv->cfg.address,
		.to = p->address,
		.subject = strbuf_span(&p->letter->subject),
		.date_utc = srv->now_utc,
		.message_id = id.ptr,
		.in_reply_to = p->in_reply_to.len > 0 || first ? p->in_reply_to
	                                                       : strbuf_span(&root),
		.references = span_trim(strbuf_span(&refs)),
		.reply_to = reply.len > 0 ? reply.ptr : NULL,
		.replied = p->replied,
		.instance = srv->cfg.instance,
		.text = strbuf_span(&body),
		.ascii = p->ascii || srv->cfg.ascii,
	    },
	    &bytes);
	*out = (struct outbox_mail){
	    .kind = span_of(p->kind),
	    .game = p->game ? p->game->id : 0,
	    .serial = p->serial,
	    .seat = p->seat ? p->seat->seat : 0,
	    .player = p->player,
	    .number = p->seat && !p->resend ? post_number(p->seat) : 0,
	    .rcpt = arena_dup(arena, p->address),
	    .exactly = p->exactly,
	    .message_id = arena_dup(arena, strbuf_span(&id)),
	    .message = arena_dup(arena, strbuf_span(&bytes)),
	    .created_utc = srv->now_utc,
	    .cause = p->cause,
	    .state = OUTBOX_NEW,
	};
	if (p->keep.kept)
		keeping_prepare(srv, &p->keep, &p->carried->body, arena, out);
	out->brings = p->brings;
	if (p->seat && !p->resend)
		p->seat->mails++;
	strbuf_release(&id);
	strbuf_release(&refs);
	strbuf_release(&reply);
	strbuf_release(&root);
	strbuf_release(&bytes);
	strbuf_release(&body);
}

enum err post_add(struct server *srv, const struct post *p, struct arena *arena)
{
	struct outbox_mail row;
	int64_t id;

	post_prepare(srv, p, arena, &row);
	TRY(outbox_add(srv->store, &row, &id));
	if (p->question != 0)
		TRY(question_add_mail(srv->store, p->question, id));
	if (p->seat && !p->resend)
		TRY(seat_update(srv->store, p->seat));
	return ERR_NONE;
}
