/*
 * receipt.c - the words of a receipt, and its fields one by one.
 *
 * Whoever changes the fields changes the form of outlines: outgoing.c has its number.
 */
#include "processor/outgoing/receipt.h"

#include "processor/base/err.h"
#include "processor/server/zones.h"

#include "processor/base/banned.h"

/* ---- proofs ---- */

/* A draft whose orders are proven. */
struct proven {
	struct receipt_draft draft;
	struct report_commitment commitments[MAX_SEATS];
};

static void prove(struct proven *p, size_t i)
{
	const struct receipt_draft *d = &p->draft;
	struct report_commitment *c = &p->commitments[i];
	struct evidence *ev = &p->draft.evidence;
	struct seat_entry e = d->unproven[i];

	seat_entry_prove(&e, &d->secret, d->record_id, d->receipt.game.serial, c->seat);
	c->commitment = e.commitment;
	if (!ev->game || ev->seat != c->seat)
		return;
	ev->commitment = e.commitment;
	ev->nonce = e.nonce;
}

/* *p is borrowed as long as what is returned; the same draft gives the same proofs. */
static const struct receipt_draft *proven(const struct receipt_draft *draft, struct proven *p)
{
	if (!draft->unproven)
		return draft;
	p->draft = *draft;
	ENSURE(draft->receipt.ncommitments <= MAX_SEATS);
	for (size_t i = 0; i < draft->receipt.ncommitments; i++) {
		p->commitments[i] = draft->receipt.commitments[i];
		prove(p, i);
	}
	p->draft.receipt.commitments = p->commitments;
	return &p->draft;
}

/* ---- in words ---- */

void receipt_write(const struct receipt_draft *draft, struct letter_out *out)
{
	struct proven p;
	const struct receipt_draft *d = proven(draft, &p);
	struct report_receipt receipt = d->receipt;
	struct strbuf evidence = STRBUF_INIT;

	if (d->evidence.game)
		proof_add_evidence(&d->evidence, d->keys, &evidence);
	receipt.evidence = strbuf_span(&evidence);
	receipt.diags = &d->diags;
	report_receipt(&receipt, out);
	strbuf_release(&evidence);
}

void receipt_release(struct receipt_draft *draft)
{
	diags_release(&draft->diags);
}

/* ---- in outline ---- */

/* Where it is played the zone is looked up by its name. */
static void tape_zone(struct tape *t, struct server *srv, const struct zone **zone)
{
	const char *name = tape_records(t) && *zone ? zone_name(*zone) : NULL;

	tape_text(t, &name);
	if (!tape_records(t))
		*zone = name ? zone_named(srv, span_of(name)) : NULL;
}

static void tape_game(struct tape *t, struct server *srv, struct report_game *g)
{
	tape_text(t, &g->id);
	tape_text(t, &g->kind_title);
	tape_text(t, &g->title);
	tape_text(t, &g->label);
	tape_uint(t, &g->serial);
	tape_uint(t, &g->seat);
	tape_text(t, &g->seat_name);
	tape_uint(t, &g->nseats);
	tape_uint(t, &g->mail_number);
	tape_bool(t, &g->fixed_subject);
	tape_bool(t, &g->observer);
	tape_bool(t, &g->ended);
	tape_bool(t, &g->carried);
	tape_zone(t, srv, &g->zone);
}

static void tape_clock(struct tape *t, struct report_clock *c)
{
	tape_int(t, &c->now_utc);
	tape_int(t, &c->deadline_utc);
	tape_texts(t, &c->awaited, &c->nawaited);
	tape_texts(t, &c->holding, &c->nholding);
	tape_bool(t, &c->reader_holds);
	tape_bool(t, &c->paused);
	tape_bool(t, &c->held);
	tape_text(t, &c->held_reason);
	tape_int(t, &c->grace_utc);
	tape_int(t, &c->settle_utc);
	tape_texts(t, &c->vacant, &c->nvacant);
	tape_bool(t, &c->undated);
}

/* In a receipt nothing is revealed. */
static void tape_commitment(struct tape *t, struct report_commitment *c)
{
	tape_text(t, &c->seat_name);
	tape_uint(t, &c->seat);
	tape_uint(t, &c->revision);
	tape_digest(t, &c->commitment);
	tape_text(t, &c->origin);
}

static void tape_commitments(struct tape *t, struct report_receipt *r)
{
	struct report_commitment *list;

	tape_count(t, &r->ncommitments);
	if (!tape_records(t)) {
		list = arena_calloc(t->arena, r->ncommitments + 1, sizeof(*list));
		for (size_t i = 0; i < r->ncommitments; i++)
			tape_commitment(t, &list[i]);
		r->commitments = list;
		return;
	}
	for (size_t i = 0; i < r->ncommitments; i++) {
		struct report_commitment c = r->commitments[i];
		tape_commitment(t, &c);
	}
}

static void tape_diag(struct tape *t, struct diag *g)
{
	unsigned level = g->level;

	tape_uint(t, &level);
	g->level = level <= DIAG_ERROR ? (enum diag_level)level : DIAG_ERROR;
	tape_uint(t, &g->line);
	tape_uint(t, &g->column);
	tape_text(t, &g->quoted);
	tape_text(t, &g->message);
	tape_text(t, &g->example);
}

static void tape_diags(struct tape *t, struct diags *d)
{
	size_t n = d->count;

	tape_count(t, &n);
	for (size_t i = 0; i < n && !t->failed; i++) {
		struct diag g = tape_records(t) ? d->items[i] : (struct diag){0};
		tape_diag(t, &g);
		if (!tape_records(t) && !t->failed)
			diags_add(d, g.level, g.line, g.column, span_of(g.quoted), g.example,
			          "%s", g.message);
	}
}

static size_t count_examples(const struct doc *d)
{
	size_t n = 0;

	for (const struct doc_block *b = d->first; b; b = b->next)
		n += b->kind == DOC_EXAMPLE;
	return n;
}

static const struct doc *play_examples(struct tape *t)
{
	struct doc *d = arena_alloc(t->arena, sizeof(*d));
	size_t n = 0;

	doc_init(d, t->arena);
	doc_in(d, DOC_HELP);
	tape_count(t, &n);
	for (size_t i = 0; i < n; i++) {
		const char *text = NULL;
		tape_text(t, &text);
		doc_example(d, "%s", text ? text : "");
	}
	return d;
}

/* Nothing else of the doc is shown in a receipt. */
static void tape_examples(struct tape *t, const struct doc **examples)
{
	size_t n;

	if (!tape_records(t)) {
		*examples = play_examples(t);
		return;
	}
	n = count_examples(*examples);
	tape_count(t, &n);
	for (const struct doc_block *b = (*examples)->first; b; b = b->next) {
		const char *text = b->text;
		if (b->kind == DOC_EXAMPLE)
			tape_text(t, &text);
	}
}

static void tape_evidence(struct tape *t, struct evidence *ev)
{
	tape_text(t, &ev->game);
	if (!ev->game)
		return;
	tape_uint(t, &ev->serial);
	tape_uint(t, &ev->seat);
	tape_uint(t, &ev->revision);
	tape_int(t, &ev->received_utc);
	tape_digest(t, &ev->commitment);
	tape_digest(t, &ev->nonce);
}

static void tape_what(struct tape *t, struct report_receipt *r)
{
	unsigned what = r->what;

	tape_uint(t, &what);
	t->failed = t->failed || what > RECEIPT_REFUSED;
	r->what = what <= RECEIPT_REFUSED ? what : RECEIPT_REFUSED;
}

static void tape_receipt(struct tape *t, struct server *srv, struct report_receipt *r)
{
	tape_game(t, srv, &r->game);
	tape_clock(t, &r->clock);
	tape_what(t, r);
	tape_text(t, &r->subject);
	tape_uint(t, &r->revision);
	tape_uint(t, &r->replaces);
	tape_int(t, &r->received_utc);
	tape_span(t, &r->canonical);
	tape_text(t, &r->silence);
	tape_span(t, &r->default_orders);
	tape_bool(t, &r->drafted);
	tape_bool(t, &r->not_awaited);
	tape_texts(t, &r->notes, &r->nnotes);
	tape_commitments(t, r);
	tape_examples(t, &r->examples);
	tape_bool(t, &r->from_html);
}

/* To record, of a copy: what a tape plays it fills in. */
static void tape_draft(struct tape *t, struct server *srv, struct receipt_draft *draft)
{
	tape_receipt(t, srv, &draft->receipt);
	tape_diags(t, &draft->diags);
	tape_evidence(t, &draft->evidence);
}

/* ---- as a letter ---- */

static void write_words(const void *ctx, struct letter_out *out)
{
	receipt_write(ctx, out);
}

static void write_outline(const void *ctx, struct tape *t)
{
	struct proven p;
	struct receipt_draft copy = *proven(ctx, &p);

	tape_draft(t, NULL, &copy);
}

static void release(void *ctx)
{
	receipt_release(ctx);
}

struct post_writer receipt_writer(struct receipt_draft *draft)
{
	return (struct post_writer){write_words, write_outline, release, draft};
}

struct post_writer receipt_from_outline(struct server *srv, struct tape *tape)
{
	struct receipt_draft *draft = arena_calloc(tape->arena, 1, sizeof(*draft));

	draft->diags = (struct diags)DIAGS_INIT;
	draft->keys = srv->keys;
	tape_draft(tape, srv, draft);
	return receipt_writer(draft);
}
