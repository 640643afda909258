/*
 * outgoing.c - a report becomes an outbox row.
 */
#include "processor/outgoing/outgoing.h"

#include "mail/compose.h"
#include "processor/match/report_values.h"
#include "processor/outgoing/receipt.h"
#include "processor/server/reply_address.h"
#include "store/confirmations.h"

static unsigned outgoing_number(const struct seat *seat)
{
	return seat ? seat->mails + 1 : 0;
}

/* The thread belongs to a person at a seat: whoever takes the seat over begins a new one. */
static void thread_id(const struct server *srv, const struct outgoing *p, unsigned seat,
                      struct strbuf *out)
{
	struct strbuf what = STRBUF_INIT;

	strbuf_addf(&what, "thread\n%lld\n%u\n%lld\n", (long long)p->game->id, seat,
	            (long long)p->player);
	address_add_message_id(srv, what.ptr, out);
	strbuf_release(&what);
}

static bool is_first(const struct outgoing *p)
{
	return p->game && p->seat && p->seat->mails == 0;
}

/* Of what makes a mail unique its Message-ID is a digest. */
static void own_id(const struct server *srv, const struct outbox_mail *m, const char *key,
                   struct strbuf *out)
{
	struct strbuf what = STRBUF_INIT;

	strbuf_addf(&what, "%.*s\n%lld\n%u\n%u\n%lld\n%s\n", SPAN_ARGS(m->kind),
	            (long long)m->game, m->serial, m->seat, (long long)m->player, key);
	address_add_message_id(srv, what.ptr, out);
	strbuf_release(&what);
}

const char *outgoing_key_after(unsigned serial, struct arena *arena)
{
	return arena_printf(arena, "after %u", serial);
}

bool outgoing_is_report(const struct server *srv, const struct turn *turn,
                        const struct seat *seat, struct span message_id, struct arena *arena)
{
	struct strbuf id = STRBUF_INIT;

	own_id(srv,
	       &(struct outbox_mail){.kind = SPAN_LIT("report"),
	                             .game = turn->game,
	                             .serial = turn->serial,
	                             .seat = seat->seat,
	                             .player = seat->player},
	       outgoing_key_after(turn->parent, arena), &id);
	bool same = span_eq(strbuf_span(&id), message_id);
	strbuf_release(&id);
	return same;
}

/* A mail of which all is settled but the words. */
struct draft {
	const struct server *srv;
	struct span subject, body, proof; /* unless there is a writer */
	/* As it was posted, its texts in the arena; about this game and this seat as they were. */
	struct outgoing outgoing;
	struct game game;
	struct seat seat;
	struct outbox_mail row; /* without message */
};

/* All that counts for others; raises seat->mails. Lives in the arena. */
static struct draft *draft_of(const struct server *srv, const struct outgoing *p,
                              struct arena *arena)
{
	struct draft *d = arena_alloc(arena, sizeof(*d));
	struct strbuf id = STRBUF_INIT;

	*d = (struct draft){.srv = srv};
	/* What it says of the thread and of where an answer goes is left to who writes it, as the words are. */
	d->outgoing = *p;
	if (p->game) {
		d->game = *p->game;
		d->outgoing.game = &d->game;
	}
	if (p->seat) {
		d->seat = *p->seat;
		d->outgoing.seat = &d->seat;
	}
	d->outgoing.address = arena_dup(arena, p->address);
	d->outgoing.in_reply_to = arena_dup(arena, p->in_reply_to);
	d->outgoing.references = arena_dup(arena, p->references);
	d->outgoing.reply_to = p->reply_to ? arena_strdup(arena, p->reply_to) : NULL;
	if (p->report) {
		d->subject = arena_dup(arena, strbuf_span(&p->report->subject));
		d->body = arena_dup(arena, strbuf_span(&p->report->body));
		d->proof = arena_dup(arena, strbuf_span(&p->report->proof));
	}
	d->row = (struct outbox_mail){
	    .kind = span_of(p->kind),
	    .game = p->game ? p->game->id : 0,
	    .serial = p->serial,
	    .seat = p->seat ? p->seat->seat : 0,
	    .player = p->player,
	    .number = p->seat && !p->resend ? outgoing_number(p->seat) : 0,
	    .rcpt = d->outgoing.address,
	    .exactly = p->exactly,
	    .created_utc = srv->now_utc,
	    .cause = p->cause,
	    .state = OUTBOX_NEW,
	    .brings = p->brings,
	    .folds = p->folds,
	    .nfolds = p->nfolds,
	};
	if (is_first(p) && !p->resend)
		thread_id(srv, p, p->seat->seat, &id);
	else
		own_id(srv, &d->row, p->key, &id);
	d->row.message_id = arena_take(arena, &id);
	if (p->keep.waits)
		digest_policy_prepare(srv, &p->keep, p->carried, arena, &d->row);
	if (p->seat && !p->resend)
		p->seat->mails++;
	return d;
}

/* ---- its words: of the server only configuration and keys are read ---- */

/* `thread` is empty when the mail is about no seat. */
static void references(const struct server *srv, const struct outgoing *p, struct span thread,
                       struct strbuf *out)
{
	if (p->seat && p->moved_from != 0) {
		thread_id(srv, p, p->moved_from, out);
		strbuf_addc(out, ' ');
	}
	if (p->seat && !is_first(p))
		strbuf_add_span(out, thread);
	if (p->references.len > 0 && p->replied) {
		strbuf_addc(out, ' ');
		strbuf_add_span(out, p->references);
	}
	if (p->in_reply_to.len > 0 && !span_eq(p->in_reply_to, thread)) {
		strbuf_addc(out, ' ');
		strbuf_add_span(out, p->in_reply_to);
	}
}

static void write_mail(const struct draft *d, struct span subject, struct span text,
                       struct span proof, struct strbuf *message)
{
	const struct server *srv = d->srv;
	const struct outgoing *p = &d->outgoing;
	struct strbuf body = STRBUF_INIT, root = STRBUF_INIT, refs = STRBUF_INIT,
		      reply = STRBUF_INIT;

	strbuf_add_span(&body, text);
	strbuf_adds(&body, p->postscript ? p->postscript : "");
	address_redact(srv, &body);
	if (p->seat)
		thread_id(srv, p, p->seat->seat, &root);
	references(srv, p, strbuf_span(&root), &refs);
	if (p->reply_to)
		strbuf_adds(&reply, p->reply_to);
	else if (p->seat && srv->cfg.plus_address)
		address_add_reply(srv, p->game, p->seat, p->serial, &reply);
	mail_compose(
	    &(struct compose){
		.from_name = srv->cfg.from_name,
		.from_address = srv->cfg.address,
		.to = p->address,
		.date_utc = d->row.created_utc,
		.message_id = d->row.message_id.ptr,
		.in_reply_to = p->in_reply_to.len > 0 || is_first(p) ? p->in_reply_to
	                                                             : strbuf_span(&root),
		.references = span_trim(strbuf_span(&refs)),
		.reply_to = reply.len > 0 ? reply.ptr : NULL,
		.unsubscribe = p->unsubscribe,
		.subject = subject,
		.text = strbuf_span(&body),
		.replied = p->replied,
		.instance = srv->cfg.instance,
		.ascii = p->form.ascii || srv->cfg.ascii,
	    },
	    message);
	if (proof.len > 0) {
		/* See molepost-archive(5), RECEIPTS, for why it is an attached text. */
		struct strbuf attached = STRBUF_INIT, name = STRBUF_INIT, whole = STRBUF_INIT;

		strbuf_add_span(&attached, proof);
		address_redact(d->srv, &attached);
		if (p->seat && !p->resend)
			strbuf_addf(&name, "%c%lld-proof-%u.txt", p->game->letter,
			            (long long)p->game->id, outgoing_number(p->seat));
		else
			strbuf_adds(&name, "proof.txt");
		mail_add_parts(strbuf_span(message), &(struct mail_page){.html = SPAN_EMPTY},
		               &(struct mail_file){.name = name.ptr,
		                                   .type = "text/plain; charset=utf-8",
		                                   .bytes = strbuf_span(&attached)},
		               1, &whole);
		strbuf_swap(message, &whole);
		strbuf_release(&attached);
		strbuf_release(&name);
		strbuf_release(&whole);
	}
	strbuf_release(&body);
	strbuf_release(&root);
	strbuf_release(&refs);
	strbuf_release(&reply);
}

static void write_draft(const void *draft, struct strbuf *message)
{
	const struct draft *d = draft;
	struct report_out report = REPORT_OUT_FOR(report_form_of(&d->outgoing.form));

	if (!d->outgoing.writer.write) {
		write_mail(d, d->subject, d->body, d->proof, message);
		return;
	}
	d->outgoing.writer.write(d->outgoing.writer.ctx, &report);
	write_mail(d, strbuf_span(&report.subject), strbuf_span(&report.body),
	           strbuf_span(&report.proof), message);
	report_out_release(&report);
}

/* ---- in outline ---- */

/*
 * The form of an outline. Whoever changes it gives it another number, and goes on reading the old one:
 * a mail may wait in outline while the program is replaced.
 */
enum {
	OUTLINE_FORM = 5,
	OUTLINE_FORM_WITHOUT_PROOF_SHOWN = 4,
	OUTLINE_FORM_OF_ONE_RECORD = 3,
	OUTLINE_FORM_OF_ONE_WIDTH = 2,
	OUTLINE_FORM_OF_ONE_KEY = 1
};

/* All that write_mail reads, but for the words and the Message-ID. */
static void codec_mail(struct codec *t, struct draft *d, unsigned form)
{
	struct outgoing *p = &d->outgoing;

	/* Of the game and the seat only what thread, reply address and signature are made of. */
	bool about_game = p->game, about_seat = p->seat;
	unsigned letter = (unsigned char)d->game.letter;

	codec_bool(t, &about_game);
	p->game = about_game ? &d->game : NULL;
	codec_int(t, &d->game.id);
	if (form == OUTLINE_FORM_OF_ONE_KEY)
		d->game.key = 1;
	else
		codec_uint(t, &d->game.key);
	codec_uint(t, &letter);
	d->game.letter = (char)letter;
	codec_bool(t, &about_seat);
	p->seat = about_seat ? &d->seat : NULL;
	codec_uint(t, &d->seat.seat);
	codec_uint(t, &d->seat.mails);
	codec_uint(t, &d->seat.token_generation);
	codec_uint(t, &p->moved_from);
	codec_uint(t, &p->serial);
	codec_int(t, &p->player);
	codec_span(t, &p->address);
	codec_bool(t, &p->form.ascii);
	if (form > OUTLINE_FORM_OF_ONE_WIDTH)
		codec_uint(t, &p->form.cols);
	if (form > OUTLINE_FORM_WITHOUT_PROOF_SHOWN)
		codec_bool(t, &p->form.proof_shown);
	codec_text(t, &p->postscript);
	codec_span(t, &p->in_reply_to);
	codec_span(t, &p->references);
	codec_text(t, &p->reply_to);
	codec_bool(t, &p->replied);
	codec_int(t, &d->row.created_utc);
}

static void outline_draft(const void *draft, struct strbuf *out)
{
	struct draft d = *(const struct draft *)draft;
	struct codec t = codec_record(out);
	unsigned form = OUTLINE_FORM;

	d.outgoing.game = d.outgoing.game ? &d.game : NULL;
	d.outgoing.seat = d.outgoing.seat ? &d.seat : NULL;
	codec_uint(&t, &form);
	codec_mail(&t, &d, form);
	d.outgoing.writer.outline(d.outgoing.writer.ctx, &t);
}

static void release_draft(void *draft)
{
	struct draft *d = draft;

	if (d->outgoing.writer.release)
		d->outgoing.writer.release(d->outgoing.writer.ctx);
}

static struct outbox_mail finish(struct draft *d, struct arena *arena)
{
	struct strbuf message = STRBUF_INIT;

	write_draft(d, &message);
	release_draft(d);
	d->row.message = arena_take(arena, &message);
	return d->row;
}

/* Only receipts have outlines so far. */
static bool play_draft(struct server *srv, struct span outline, struct arena *arena,
                       struct draft *d)
{
	struct codec t = codec_play(outline, arena);
	unsigned form;

	codec_uint(&t, &form);
	if (t.failed || form < OUTLINE_FORM_OF_ONE_KEY || form > OUTLINE_FORM)
		return false;
	codec_mail(&t, d, form);
	const struct keyring *keys = keyring_numbered(srv->keys, d->game.key);
	d->outgoing.writer =
	    receipt_from_outline(srv, keys, form > OUTLINE_FORM_OF_ONE_RECORD, &t);
	return keys && codec_is_over(&t);
}

struct receipt_draft *outgoing_receipt(struct server *srv, struct span outline,
                                       struct arena *arena, struct span *in_reply_to)
{
	struct draft d = {.srv = srv};

	if (play_draft(srv, outline, arena, &d)) {
		*in_reply_to = d.outgoing.in_reply_to;
		return d.outgoing.writer.ctx;
	}
	release_draft(&d);
	return NULL;
}

bool outgoing_read_back(struct span message, struct report_out *out)
{
	mail_read_file(message, &out->proof);
	return mail_read_back(message, &out->body);
}

enum err outgoing_words(void *server, struct span message_id, struct span outline,
                        struct strbuf *message)
{
	struct arena *arena = arena_new();
	struct draft d = {.srv = server, .row.message_id = arena_dup(arena, message_id)};
	bool ok = play_draft(server, outline, arena, &d);

	if (ok)
		write_draft(&d, message);
	release_draft(&d);
	arena_free(arena);
	return ok ? ERR_NONE : ERR_UNSUPPORTED;
}

void outgoing_prepare(const struct server *srv, const struct outgoing *p, struct arena *arena,
                      struct outbox_mail *out)
{
	*out = finish(draft_of(srv, p, arena), arena);
}

enum err outgoing_add(struct server *srv, const struct outgoing *p, struct arena *arena)
{
	struct draft *d = draft_of(srv, p, arena);
	int64_t id;

	if (p->writer.outline && !d->row.enclosed && !d->row.brings) {
		/* Only what it says is stored; the words are made by who sends it. */
		struct strbuf outline = STRBUF_INIT;

		outline_draft(d, &outline);
		enum err rc =
		    outbox_add_outline(srv->store, &d->row, strbuf_span(&outline), &id);
		strbuf_release(&outline);
		release_draft(d);
		TRY(rc);
	} else {
		struct outbox_mail row = finish(d, arena);
		TRY(outbox_add(srv->store, &row, &id));
	}
	if (p->confirmation != 0)
		TRY(confirmation_add_mail(srv->store, p->confirmation, id));
	if (p->seat && !p->resend)
		TRY(seat_count_mails(srv->store, p->seat));
	return ERR_NONE;
}
