/*
 * receipt.c - the words of a receipt, and its fields one by one.
 *
 * Whoever changes the fields changes the form of outlines: outgoing.c has its number.
 */
#include "processor/outgoing/receipt.h"

#include "processor/base/err.h"
#include "processor/server/zones.h"

/* ---- proofs ---- */

/* A draft whose orders are proven. */
struct proven {
	struct receipt_draft draft;
	struct report_commitment commitments[MAX_SEATS];
};

/* *p is borrowed as long as what is returned; the same draft gives the same proofs. */
static const struct receipt_draft *proven(const struct receipt_draft *draft, struct proven *p)
{
	struct receipt_proof *proof = &p->draft.receipt_proof;

	if (!draft->unproven)
		return draft;
	p->draft = *draft;
	p->draft.receipt.commitments = p->commitments;
	ENSURE(draft->receipt.ncommitments <= MAX_SEATS);
	for (size_t i = 0; i < draft->receipt.ncommitments; i++) {
		struct report_commitment *c = &p->commitments[i];
		struct seat_entry e = draft->unproven[i];

		*c = draft->receipt.commitments[i];
		seat_entry_prove(&e, draft->record_version, &draft->secret, draft->record_id,
		                 draft->receipt.game.serial, c->seat);
		c->commitment = e.commitment;
		if (proof->game && proof->seat == c->seat) {
			proof->commitment = e.commitment;
			proof->nonce = e.nonce;
		}
	}
	return &p->draft;
}

/* ---- in words ---- */

/* Of a draft whose orders are proven. */
static void add_proof(const struct receipt_draft *d, struct strbuf *out)
{
	const struct receipt_proof *ev = &d->receipt_proof;

	if (!ev->game)
		return;
	if (ev->version > 2 && ev->revision == 1 && !hash_is_zero(&ev->contribution))
		strbuf_adds(out,
		            "Receipt number 1 of this turn: its mail\ncounts for the draws, "
		            "and no later one\nof yours does.\n");
	else if (ev->version > 2 && ev->revision > 1)
		strbuf_addf(out,
		            "Receipt number %u of this turn: only\nnumber 1 counts for the "
		            "draws, or what\nyou had stored before. If neither is\nyours, ask "
		            "who sent it.\n",
		            ev->revision);
	proof_add_receipt(ev, d->keys, out);
}

void receipt_add_proof(const struct receipt_draft *draft, struct strbuf *out)
{
	struct proven p;

	add_proof(proven(draft, &p), out);
}

void receipt_write(const void *draft, struct report_out *out)
{
	struct proven p;
	const struct receipt_draft *d = proven(draft, &p);
	struct report_receipt receipt = d->receipt;
	struct strbuf receipt_proof = STRBUF_INIT;

	add_proof(d, &receipt_proof);
	receipt.receipt_proof = strbuf_span(&receipt_proof);
	receipt.diags = &d->diags;
	report_receipt(&receipt, out);
	strbuf_release(&receipt_proof);
}

void receipt_release(void *draft)
{
	diags_release(&((struct receipt_draft *)draft)->diags);
}

/* ---- in outline ---- */

/* In a receipt nothing is revealed. */
static void codec_commitment(struct codec *t, struct report_commitment *c)
{
	codec_text(t, &c->seat_name);
	codec_uint(t, &c->seat);
	codec_uint(t, &c->revision);
	codec_hash(t, &c->commitment);
	codec_text(t, &c->origin);
}

static void codec_commitments(struct codec *t, struct report_receipt *r)
{
	codec_count(t, &r->ncommitments);
	if (codec_records(t)) {
		for (size_t i = 0; i < r->ncommitments; i++) {
			struct report_commitment c = r->commitments[i];
			codec_commitment(t, &c);
		}
		return;
	}
	struct report_commitment *list =
	    arena_calloc(t->arena, r->ncommitments + 1, sizeof(*list));
	for (size_t i = 0; i < r->ncommitments; i++)
		codec_commitment(t, &list[i]);
	r->commitments = list;
}

/* Nothing else of the doc is shown in a receipt. */
static void codec_examples(struct codec *t, const struct doc **examples)
{
	size_t n = 0;

	if (codec_records(t)) {
		const struct doc_block *first = *examples ? (*examples)->first : NULL;
		for (const struct doc_block *b = first; b; b = b->next)
			n += b->kind == DOC_EXAMPLE;
		codec_count(t, &n);
		for (const struct doc_block *b = first; b; b = b->next) {
			const char *text = b->text;
			if (b->kind == DOC_EXAMPLE)
				codec_text(t, &text);
		}
		return;
	}
	struct doc *d = arena_alloc(t->arena, sizeof(*d));
	doc_init(d, t->arena);
	doc_in(d, DOC_HELP);
	codec_count(t, &n);
	for (size_t i = 0; i < n; i++) {
		const char *text = NULL;
		codec_text(t, &text);
		doc_example(d, "%s", text ? text : "");
	}
	*examples = d;
}

static void codec_receipt(struct codec *t, struct server *srv, struct report_receipt *r)
{
	/* Where it is played the zone is looked up by its name. */
	const char *name = codec_records(t) && r->game.zone ? zone_name(r->game.zone) : NULL;
	unsigned what = r->what;
	bool was_html = false; /* older programs told the reader */

	codec_text(t, &r->game.id);
	codec_text(t, &r->game.kind_title);
	codec_text(t, &r->game.title);
	codec_text(t, &r->game.label);
	codec_uint(t, &r->game.serial);
	codec_uint(t, &r->game.seat);
	codec_text(t, &r->game.seat_name);
	codec_uint(t, &r->game.nseats);
	codec_uint(t, &r->game.mail_number);
	codec_bool(t, &r->game.fixed_subject);
	codec_bool(t, &r->game.observer);
	codec_bool(t, &r->game.ended);
	codec_bool(t, &r->game.carried);
	codec_text(t, &name);
	if (!codec_records(t))
		r->game.zone = name ? zone_named(srv, span_of(name)) : NULL;
	codec_int(t, &r->clock.now_utc);
	codec_int(t, &r->clock.deadline_utc);
	codec_texts(t, &r->clock.awaited, &r->clock.nawaited);
	codec_texts(t, &r->clock.holding, &r->clock.nholding);
	codec_bool(t, &r->clock.reader_holds);
	codec_bool(t, &r->clock.paused);
	codec_bool(t, &r->clock.held);
	codec_text(t, &r->clock.held_reason);
	codec_int(t, &r->clock.grace_utc);
	codec_int(t, &r->clock.settle_utc);
	codec_texts(t, &r->clock.vacant, &r->clock.nvacant);
	codec_bool(t, &r->clock.undated);
	codec_uint(t, &what);
	t->failed = t->failed || what > RECEIPT_REFUSED;
	r->what = what <= RECEIPT_REFUSED ? what : RECEIPT_REFUSED;
	codec_text(t, &r->subject);
	codec_uint(t, &r->revision);
	codec_uint(t, &r->replaces);
	codec_int(t, &r->received_utc);
	codec_span(t, &r->canonical);
	codec_text(t, &r->silence);
	codec_span(t, &r->default_orders);
	codec_bool(t, &r->drafted);
	codec_bool(t, &r->not_awaited);
	codec_texts(t, &r->notes, &r->nnotes);
	codec_commitments(t, r);
	codec_examples(t, &r->examples);
	codec_bool(t, &was_html);
}

/* To record, of a copy: what a codec plays it fills in. */
static void codec_draft(struct codec *t, struct server *srv, bool has_versions,
                        struct receipt_draft *draft)
{
	struct receipt_proof *proof = &draft->receipt_proof;
	size_t n = draft->diags.count;

	codec_receipt(t, srv, &draft->receipt);

	codec_count(t, &n);
	for (size_t i = 0; i < n && !t->failed; i++) {
		struct diag g = codec_records(t) ? draft->diags.items[i] : (struct diag){0};
		unsigned level = g.level;

		codec_uint(t, &level);
		g.level = level <= DIAG_ERROR ? (enum diag_level)level : DIAG_ERROR;
		codec_uint(t, &g.line);
		codec_uint(t, &g.column);
		codec_text(t, &g.quoted);
		codec_text(t, &g.message);
		codec_text(t, &g.example);
		if (!codec_records(t) && !t->failed)
			diags_add(&draft->diags, g.level, g.line, g.column, span_of(g.quoted),
			          g.example, "%s", g.message);
	}
	codec_text(t, &proof->game);
	if (proof->game) {
		if (!has_versions) {
			proof->version = 1;
		} else {
			codec_uint(t, &proof->version);
			codec_hash(t, &proof->contribution);
			t->failed = t->failed || proof->version < 1 ||
			            proof->version > RECORD_VERSION_NEWEST;
		}
		codec_uint(t, &proof->serial);
		codec_uint(t, &proof->seat);
		codec_uint(t, &proof->revision);
		codec_int(t, &proof->received_utc);
		codec_hash(t, &proof->commitment);
		codec_hash(t, &proof->nonce);
	}
}

/* ---- as a report ---- */

static void write_outline(const void *ctx, struct codec *t)
{
	struct proven p;
	struct receipt_draft copy = *proven(ctx, &p);

	codec_draft(t, NULL, true, &copy);
}

struct outgoing_writer receipt_writer(struct receipt_draft *draft)
{
	return (struct outgoing_writer){receipt_write, write_outline, receipt_release, draft};
}

struct outgoing_writer receipt_from_outline(struct server *srv, const struct keyring *keys,
                                            bool has_versions, struct codec *codec)
{
	struct receipt_draft *draft = arena_calloc(codec->arena, 1, sizeof(*draft));

	draft->diags = (struct diags)DIAGS_INIT;
	draft->keys = keys;
	codec_draft(codec, srv, has_versions, draft);
	return receipt_writer(draft);
}
