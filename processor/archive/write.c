/*
 * write.c - from values to chained lines.
 *
 * Runs for every turn that is resolved, mostly only to carry the chain on, so
 * each line is built once, in one buffer, and no earlier line is touched. The
 * order of lines is the order of the statements here.
 */
#include "processor/archive/private.h"

#include <stdlib.h>

#include "processor/archive/proof.h"
#include "processor/base/clock.h"
#include "processor/base/paper_words.h"

struct writer {
	const struct record *record;
	const struct rules *rules;
	bool reveal;
	struct record_chain *chain;
	struct strbuf *out; /* NULL: only the chain is wanted */
	struct strbuf line; /* the line under construction */
};

static void writer_start(struct writer *w, const struct record *r, bool reveal,
                         struct record_chain *chain, struct strbuf *out)
{
	ENSURE(r->version >= 1);
	*w = (struct writer){r, r->rules, reveal, chain, out, STRBUF_INIT};
	if (w->rules == NULL)
		w->rules = rules_find_version(span_of(r->kind), r->rules_version);
	if (w->rules == NULL)
		BUG("an archive of %s version %u, which this build does not know", r->kind,
		    r->rules_version);
}

/* Chains the line in w->line and starts the next one. hidden_by: as archive_is_hidden. */
static void end_line(struct writer *w, unsigned hidden_by)
{
	bool hidden = archive_is_hidden(w->rules->facts, hidden_by);
	struct hash leaf;

	w->chain->lines++;
	if (hidden)
		leaf = archive_hidden_leaf(&w->record->secret, w->record->game, w->chain->lines,
		                           strbuf_span(&w->line));
	else
		leaf = archive_leaf(strbuf_span(&w->line));
	w->chain->head = archive_chain(&w->chain->head, &leaf);
	if (w->out != NULL && !hidden) {
		archive_add_folded(w->out, strbuf_span(&w->line));
	} else if (w->out != NULL && w->reveal) {
		struct strbuf prefixed = STRBUF_INIT;

		strbuf_adds(&prefixed, "revealed ");
		strbuf_add_span(&prefixed, strbuf_span(&w->line));
		archive_add_folded(w->out, strbuf_span(&prefixed));
		strbuf_release(&prefixed);
	} else if (w->out != NULL) {
		strbuf_adds(w->out, "hidden ");
		hash_add_hex(w->out, &leaf);
		strbuf_addc(w->out, '\n');
	}
	strbuf_clear(&w->line);
}

static void time_line(struct writer *w, const char *keyword, int64_t at_utc)
{
	strbuf_addf(&w->line, "%s ", keyword);
	if (at_utc != 0)
		utc_format_iso(&w->line, at_utc);
	else
		strbuf_addc(&w->line, '-');
	end_line(w, 0);
}

static void hash_line(struct writer *w, const char *keyword, const struct hash *d,
                      unsigned hidden_by)
{
	strbuf_addf(&w->line, "%s ", keyword);
	hash_add_hex(&w->line, d);
	end_line(w, hidden_by);
}

/* A field since version 2, with the blank behind it. */
static void add_contribution(struct writer *w, const struct hash *contribution)
{
	if (w->record->version == 1)
		return;
	if (hash_is_zero(contribution))
		strbuf_addc(&w->line, '-');
	else
		hash_add_hex(&w->line, contribution);
	strbuf_addc(&w->line, ' ');
}

/* Header. */

static void option_lines(struct writer *w)
{
	struct span rest = span_of(w->record->options), word;

	while (span_next_word(&rest, "\n", &word)) {
		strbuf_adds(&w->line, "option ");
		strbuf_add_span(&w->line, word);
		end_line(w, 0);
	}
}

static void fork_lines(struct writer *w)
{
	const struct record_fork *f = &w->record->fork;

	if (f->game == NULL)
		return;
	strbuf_addf(&w->line, "fork %s %u ", f->game, f->serial);
	archive_add_word(&w->line, span_of(f->instance));
	end_line(w, 0);
	hash_line(w, "fork-key", &f->key, 0);
	hash_line(w, "fork-parent", &f->parent, 0);
	hash_line(w, "fork-orders", &f->orders, 0);
	hash_line(w, "fork-state", &f->state, 0);
	strbuf_adds(&w->line, "fork-position ");
	archive_add_text(&w->line, f->position);
	end_line(w, 0);
}

static void seat_line(struct writer *w, unsigned seat)
{
	const struct record_seat *s = &w->record->seats[seat];

	if (w->record->version > 1 && s->bot)
		strbuf_addf(&w->line, "seat %u bot-%u ", seat, s->bot_level);
	else
		strbuf_addf(&w->line, "seat %u %s ", seat, s->bot ? "bot" : "player");
	utc_format_iso(&w->line, s->joined_utc);
	strbuf_addc(&w->line, ' ');
	if (w->record->version > 2)
		strbuf_addf(&w->line, "%u ", s->joins);
	add_contribution(w, &s->contribution);
	archive_add_word(&w->line, s->salt);
	strbuf_addc(&w->line, ' ');
	archive_add_text(&w->line, span_of(s->name));
	end_line(w, 0);
}

void archive_add_header(const struct record *r, bool reveal, struct record_chain *chain,
                        struct strbuf *out)
{
	struct writer w;

	writer_start(&w, r, reveal, chain, out);
	strbuf_addf(&w.line, "game %s", r->game);
	end_line(&w, 0);
	strbuf_addf(&w.line, "kind %s", r->kind);
	end_line(&w, 0);
	strbuf_addf(&w.line, "rules %u", r->rules_version);
	end_line(&w, 0);
	if (r->version > 1) {
		strbuf_addf(&w.line, "bots %u", r->bots_version);
		end_line(&w, 0);
	}
	strbuf_adds(&w.line, "facts ");
	archive_add_facts(&w.line, w.rules->facts);
	end_line(&w, 0);
	option_lines(&w);
	strbuf_adds(&w.line, "instance ");
	archive_add_word(&w.line, span_of(r->instance));
	end_line(&w, 0);
	time_line(&w, "created", r->created_utc);
	time_line(&w, "started", r->started_utc);
	fork_lines(&w);
	strbuf_addf(&w.line, "seats %u", r->nseats);
	end_line(&w, 0);
	for (unsigned seat = 1; seat <= r->nseats; seat++)
		seat_line(&w, seat);
	hash_line(&w, "secret-digest", &r->secret_hash, 0);
	hash_line(&w, "key", &r->public_key, 0);
	strbuf_release(&w.line);
}

/* Turns. */

/* What makes a revision checkable; worked out once, used in up to three lines. */
struct order_proof {
	struct hash nonce, commitment;
};

/* Of all revisions of the turn, in their order; the caller frees it. */
static struct order_proof *prove(const struct record *r, const struct record_turn *t)
{
	struct order_proof *proofs = xcalloc(t->nrevisions + 1, sizeof(proofs[0]));

	for (size_t i = 0; i < t->nrevisions; i++) {
		const struct record_order *o = &t->revisions[i];

		proofs[i].nonce = proof_nonce(&r->secret, t->serial, o->seat, o->revision);
		proofs[i].commitment = proof_commitment(&(struct committed_orders){
		    .version = r->version,
		    .game = r->game,
		    .serial = t->serial,
		    .seat = o->seat,
		    .revision = o->revision,
		    .nonce = proofs[i].nonce,
		    .contribution = o->contribution,
		    .salt = o->salt,
		    .canonical = o->cleared ? SPAN_EMPTY : o->canonical});
	}
	return proofs;
}

/* The revision behind used orders; they came from one, or the record is not one. */
static const struct order_proof *proof_of(const struct record_turn *t,
                                          const struct record_order *used,
                                          const struct order_proof *proofs)
{
	size_t i = record_find_revision(t, 0, used);

	if (i == t->nrevisions)
		BUG("turn %u uses revision %u of seat %u, which it does not list", t->serial,
		    used->revision, used->seat);
	return &proofs[i];
}

/* What the mails showed that brought them; `before` is the head that players had before this turn. */
static void provenance_lines(struct writer *w, const struct record_turn *t,
                             const struct hash *before)
{
	for (size_t i = 0; i < t->nrevisions; i++) {
		const struct record_order *o = &t->revisions[i];

		if (o->by_operator && o->origin != ORDER_BOT) {
			strbuf_addf(&w->line, "operator %u %u", o->seat, o->revision);
			end_line(w, 0);
		}
	}
	for (size_t i = 0; i < t->nrevisions; i++) {
		const struct record_order *o = &t->revisions[i];

		if (o->quotes_head) {
			strbuf_addf(&w->line, "answered %u %u ", o->seat, o->revision);
			paper_words_add_four(before, &w->line);
			end_line(w, 0);
		}
	}
	for (size_t i = 0; i < t->nrevisions; i++) {
		const struct record_order *o = &t->revisions[i];

		if (!hash_is_zero(&o->dkim)) {
			strbuf_addf(&w->line, "dkim %u %u %s ", o->seat, o->revision,
			            o->dkim_verified ? "verified" : "unverified");
			hash_add_hex(&w->line, &o->dkim);
			end_line(w, 0);
		}
	}
}

static struct hash orders_hash(const struct record *r, const struct record_turn *t,
                               const struct order_proof *proofs)
{
	struct proof_orders_line lines[MAX_SEATS];

	if (t->serial == 0)
		return record_joins_hash(r);
	ENSURE(t->nused <= MAX_SEATS);
	for (size_t i = 0; i < t->nused; i++) {
		const struct record_order *o = &t->used[i];

		lines[i].seat = o->seat;
		lines[i].revision = o->revision;
		lines[i].commitment = o->revision == 0 ? hash_of(o->canonical)
		                                       : proof_of(t, o, proofs)->commitment;
	}
	return proof_orders_hash(lines, t->nused);
}

static bool is_written(const struct record_turn *t)
{
	return t->dropped_utc != 0 || !hash_is_zero(&t->state_hash);
}

/* One line a revision: when it came, and what it was committed to. */
static void revision_lines(struct writer *w, const struct record_turn *t,
                           const struct order_proof *proofs)
{
	for (size_t i = 0; i < t->nrevisions; i++) {
		const struct record_order *o = &t->revisions[i];

		strbuf_addf(&w->line, "revision %u %u ", o->seat, o->revision);
		utc_format_iso(&w->line, o->received_utc);
		strbuf_addf(&w->line, " %s %s ",
		            o->cleared ? "cleared" : order_origin_name(o->origin),
		            record_order_is_late(t, o) ? "late" : "in-time");
		archive_add_word(&w->line, o->salt);
		strbuf_addc(&w->line, ' ');
		hash_add_hex(&w->line, &proofs[i].commitment);
		end_line(w, 0);
	}
}

/* The orders the turn was resolved with. */
static void sealed_lines(struct writer *w, const struct record_turn *t,
                         const struct order_proof *proofs)
{
	struct hash hash = orders_hash(w->record, t, proofs);

	time_line(w, "sealed", t->sealed_utc);
	hash_line(w, "orders-digest", &hash, FACT_ORDERS_STAY_HIDDEN);
	for (size_t i = 0; i < t->nused; i++) {
		const struct record_order *o = &t->used[i];

		strbuf_addf(&w->line, "used %u ", o->seat);
		if (o->revision > 0) {
			strbuf_addf(&w->line, "%u %s ", o->revision,
			            order_origin_name(o->origin));
			hash_add_hex(&w->line, &proof_of(t, o, proofs)->nonce);
		} else {
			strbuf_addf(&w->line, "default %s -", order_origin_name(o->origin));
		}
		strbuf_addc(&w->line, ' ');
		add_contribution(w, &o->contribution);
		archive_add_text(&w->line, o->canonical);
		end_line(w, FACT_ORDERS_STAY_HIDDEN);
	}
}

/* The orders it was not resolved with; of a turn that was broken off, all. */
static void closed_lines(struct writer *w, const struct record_turn *t,
                         const struct order_proof *proofs)
{
	for (size_t i = 0; i < t->nrevisions; i++) {
		const struct record_order *o = &t->revisions[i];

		if (record_turn_uses(t, o))
			continue;
		strbuf_addf(&w->line, "closed %u %u ", o->seat, o->revision);
		hash_add_hex(&w->line, &proofs[i].nonce);
		strbuf_addc(&w->line, ' ');
		add_contribution(w, &o->contribution);
		archive_add_text(&w->line, o->cleared ? SPAN_EMPTY : o->canonical);
		end_line(w, FACT_ALWAYS);
	}
}

/* Also of a bot that drew nothing: how many lines are hidden must not tell. */
static void drawn_lines(struct writer *w, const struct record_turn *t)
{
	for (size_t i = 0; i < t->nrevisions; i++) {
		const struct record_order *o = &t->revisions[i];

		if (o->drawn.ptr) {
			strbuf_addf(&w->line, "drawn %u %u ", o->seat, o->revision);
			archive_add_text(&w->line, o->drawn);
			end_line(w, FACT_ALWAYS);
		}
	}
}

void archive_add_turn(const struct record *r, const struct record_turn *t, bool reveal,
                      struct record_chain *chain, struct strbuf *out)
{
	const struct hash before = chain->head;
	struct order_proof *proofs;
	struct writer w;

	if (!is_written(t))
		return;
	writer_start(&w, r, reveal, chain, out);
	proofs = prove(r, t);

	strbuf_addf(&w.line, "turn %u %u ", t->serial, t->parent);
	archive_add_text(&w.line, t->label);
	end_line(&w, 0);
	time_line(&w, "opened", t->opened_utc);
	time_line(&w, "deadline", t->deadline_utc);
	for (size_t i = 0; i < t->nactions; i++) {
		strbuf_adds(&w.line, "action ");
		archive_add_text(&w.line, span_of(t->actions[i]));
		end_line(&w, 0);
	}
	revision_lines(&w, t, proofs);
	if (r->version > 1)
		provenance_lines(&w, t, &before);
	if (t->dropped_utc != 0)
		time_line(&w, "dropped", t->dropped_utc);
	else
		sealed_lines(&w, t, proofs);
	closed_lines(&w, t, proofs);
	if (r->version > 1)
		drawn_lines(&w, t);
	if (t->dropped_utc == 0) {
		strbuf_adds(&w.line, "chance ");
		archive_add_text(&w.line, t->chance);
		end_line(&w, FACT_HIDDEN);
		hash_line(&w, "state", &t->state_hash, FACT_HIDDEN);
	}
	free(proofs);
	strbuf_release(&w.line);
}

/* End. */

static void result_lines(struct writer *w, const struct game_result *result)
{
	strbuf_adds(&w->line, "winners");
	for (unsigned seat = 1; seat <= w->record->nseats; seat++)
		if (seat_in(result->winners, seat))
			strbuf_addf(&w->line, " %u", seat);
	if (result->winners.bits == 0)
		strbuf_adds(&w->line, " -");
	end_line(w, 0);
	for (unsigned seat = 1; seat <= w->record->nseats; seat++) {
		strbuf_addf(&w->line, "score %u %lld %u %s", seat,
		            (long long)result->scores[seat], result->ranks[seat],
		            seat_in(result->eliminated, seat) ? "out" : "in");
		end_line(w, 0);
	}
}

/* The newest turn, whose state is the last position of the game; or NULL. */
static const struct record_turn *last_turn(const struct record *r)
{
	for (size_t i = r->nturns; i-- > 0;)
		if (is_written(&r->turns[i]))
			return &r->turns[i];
	return NULL;
}

void archive_add_end(const struct record *r, struct record_chain *chain, struct strbuf *out)
{
	struct writer w;

	writer_start(&w, r, true, chain, out);

	/* A state that does not decode gives no result lines, and verify will miss them. */
	const struct record_turn *last = last_turn(w.record);
	struct strbuf why = STRBUF_INIT;
	struct game_state *state = NULL;
	struct game_result result = {0};

	if (last != NULL && w.rules->decode(last->state, &state, &why)) {
		w.rules->result(state, &result);
		if (w.record->agreed.bits != 0) {
			strbuf_adds(&w.line, "agreed");
			for (unsigned seat = 1; seat <= w.record->nseats; seat++)
				if (seat_in(w.record->agreed, seat))
					strbuf_addf(&w.line, " %u", seat);
			end_line(&w, 0);
			game_result_agree(&result, w.record->agreed);
		}
		result_lines(&w, &result);
		w.rules->free_state(state);
	}
	strbuf_release(&why);
	strbuf_addf(&w.line, "ended %s ", r->end_status);
	utc_format_iso(&w.line, r->ended_utc);
	end_line(&w, 0);
	hash_line(&w, "secret", &r->secret, 0);
	strbuf_release(&w.line);
}

static unsigned last_serial(const struct record *r)
{
	const struct record_turn *last = last_turn(r);

	return last ? last->serial : 0;
}

void archive_write(const struct record *r, const struct keyring *keys, struct strbuf *out)
{
	struct record_chain chain = {0};
	unsigned char sig[SIGNATURE_LEN];

	strbuf_addf(out, "%s\n", archive_begin(r->version));
	archive_add_header(r, r->ended, &chain, out);
	for (size_t i = 0; i < r->nturns; i++)
		archive_add_turn(r, &r->turns[i], r->ended, &chain, out);
	if (r->ended)
		archive_add_end(r, &chain, out);
	strbuf_addf(out, "chain %u ", chain.lines);
	hash_add_hex(out, &chain.head);
	strbuf_addc(out, '\n');
	if (keys != NULL) {
		proof_sign_head(&(struct proof_head){r->version, r->game, last_serial(r),
		                                     chain.lines, chain.head},
		                keys, sig);
		strbuf_adds(out, "signature ");
		strbuf_add_hex(out, sig, SIGNATURE_LEN);
		strbuf_addc(out, '\n');
	}
	strbuf_addf(out, "%s\n", archive_end(r->version));
}
