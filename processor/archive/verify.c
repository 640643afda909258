/*
 * verify.c - whether an archive keeps every promise made in the game.
 *
 * Goes through the file in order and stops at the first line that does not
 * hold. What is checked is listed in molepost-archive(5), VERIFICATION; each
 * fault says which promise it breaks.
 */
#include "processor/archive/private.h"

#include <stdlib.h>
#include <string.h>

#include "processor/archive/proof.h"
#include "processor/base/paper_words.h"
#include "processor/base/utf8.h"
#include "processor/bots/bots.h"

struct verifier {
	struct archive *a;
	struct archive_report *report;
	const struct tables *tables;
	bool has_secret;    /* the game has ended */
	bool can_play_bots; /* their version and what they look things up in are here */
};

static bool fault_at(struct verifier *v, size_t line, const char *what)
{
	return archive_fault(v->a, archive_line_number(v->a, line), "%s", what);
}

/* One turn at a time. */

struct turn_check {
	size_t i;
	const struct record_turn *t;
	const struct archive_turn *x;
	size_t last_revision[MAX_SEATS + 1]; /* index + 1 into revisions; 0 = none */
};

static bool check_revision_order(struct verifier *v, struct turn_check *c)
{
	unsigned seat = 0, revision = 0;

	for (size_t k = 0; k < c->t->nrevisions; k++) {
		const struct record_order *o = &c->t->revisions[k];

		if (o->seat < seat)
			return fault_at(v, c->x->revision_line + k,
			                "acknowledgements are not in the order of seats");
		if (o->revision != (o->seat == seat ? revision + 1 : 1))
			return fault_at(
			    v, c->x->revision_line + k,
			    "an acknowledgement of this seat before this one is missing");
		seat = o->seat;
		revision = o->revision;
		c->last_revision[seat] = k + 1;
	}
	return true;
}

static bool check_nonce(struct verifier *v, const struct turn_check *c,
                        const struct record_order *o, const struct hash *nonce, size_t line)
{
	struct hash expected;

	if (!v->has_secret)
		return true;
	expected = proof_nonce(&v->a->record.secret, c->t->serial, o->seat, o->revision);
	return hash_eq(nonce, &expected) ||
	       fault_at(v, line, "the nonce is not the one that comes from the secret");
}

/* k: index of the revision, whose orders and nonce stand in `line`. */
static bool check_commitment(struct verifier *v, const struct turn_check *c, size_t k,
                             const struct record_order *o, const struct hash *nonce,
                             size_t line)
{
	size_t revision_line = c->x->revision_line + k;
	struct hash expected =
	    proof_commitment(&(struct committed_orders){.version = v->a->record.version,
	                                                .game = v->a->record.game,
	                                                .serial = c->t->serial,
	                                                .seat = o->seat,
	                                                .revision = o->revision,
	                                                .nonce = *nonce,
	                                                .contribution = o->contribution,
	                                                .salt = c->t->revisions[k].salt,
	                                                .canonical = o->canonical});

	if (hash_eq(&c->x->commitments[k], &expected))
		return true;
	return archive_fault(
	    v->a, v->a->lines[revision_line].number,
	    "this commitment is not that of the orders and nonce in line %u: they "
	    "are not what was acknowledged",
	    v->a->lines[line].number);
}

/* The last word of a seat counts, unless it was to take everything back. */
static bool check_choice(struct verifier *v, const struct turn_check *c,
                         const struct record_order *o, size_t line)
{
	size_t last = c->last_revision[o->seat];
	const struct record_order *newest = last > 0 ? &c->t->revisions[last - 1] : NULL;

	if (newest != NULL && newest->cleared)
		newest = NULL;
	if (newest == NULL && o->revision > 0)
		return fault_at(v, line, "these orders had been taken back");
	if (newest != NULL && o->revision != newest->revision)
		return fault_at(v, line, "the seat's last acknowledged orders were not used");
	if (newest != NULL && o->origin != newest->origin)
		return fault_at(v, line, "the orders did not come in this way");
	if (newest == NULL && o->origin != ORDER_DEFAULT && o->origin != ORDER_RESIGNED)
		return fault_at(v, line, "these orders were never acknowledged");
	if (o->origin == ORDER_RESIGNED && !span_eq_str(o->canonical, ORDER_RESIGN_TEXT))
		return fault_at(v, line, "these orders do not resign");
	return true;
}

/* Since version 2: what a mail contributes is in its receipt, so none may be left out; others have none. */
static bool check_contribution(struct verifier *v, const struct record_order *o,
                               enum order_origin origin, size_t line)
{
	bool by_mail = o->revision > 0 && origin != ORDER_BOT;

	if (v->a->record.version == 1 || hash_is_zero(&o->contribution) != by_mail)
		return true;
	return fault_at(v, line,
	                by_mail ? "orders that a mail brought contribute nothing to the draws"
	                        : "orders that no mail brought contribute to the draws");
}

static bool check_used(struct verifier *v, const struct turn_check *c)
{
	unsigned seat = 0;

	for (size_t k = 0; k < c->t->nused; k++) {
		const struct record_order *o = &c->t->used[k];
		size_t line = c->x->used_line + k;

		if (o->seat <= seat)
			return fault_at(v, line,
			                "orders are not in the order of seats, one for each");
		seat = o->seat;
		if (!check_choice(v, c, o, line) || !check_contribution(v, o, o->origin, line))
			return false;
		if (o->revision == 0)
			continue;
		if (!check_nonce(v, c, o, &c->x->nonces[k], line) ||
		    !check_commitment(v, c, c->last_revision[o->seat] - 1, o, &c->x->nonces[k],
		                      line))
			return false;
	}
	return true;
}

/* Revealed lines of exactly the revisions that were not used. */
static bool check_closed(struct verifier *v, const struct turn_check *c)
{
	size_t n = 0;

	for (size_t k = 0; k < c->t->nrevisions; k++) {
		const struct record_order *r = &c->t->revisions[k], *o = &c->x->closed[n];
		size_t line = c->x->closed_line + n;

		if (record_turn_uses(c->t, r))
			continue;
		if (n == c->x->nclosed || o->seat != r->seat || o->revision != r->revision)
			return fault_at(v, line,
			                "orders that were not used are not revealed here");
		if (r->cleared && o->canonical.len > 0)
			return fault_at(v, line, "orders taken back are empty");
		if (v->a->record.version > 2 && !check_contribution(v, o, r->origin, line))
			return false;
		if (!check_nonce(v, c, o, &c->x->closed_nonces[n], line) ||
		    !check_commitment(v, c, k, o, &c->x->closed_nonces[n], line))
			return false;
		n++;
	}
	return n == c->x->nclosed ||
	       fault_at(v, c->x->closed_line + n, "these orders were used, or never came");
}

static struct hash set_hash(const struct turn_check *c)
{
	struct proof_orders_line lines[MAX_SEATS];

	for (size_t k = 0; k < c->t->nused; k++) {
		const struct record_order *o = &c->t->used[k];

		lines[k].seat = o->seat;
		lines[k].revision = o->revision;
		lines[k].commitment = o->revision > 0
		                          ? c->x->commitments[c->last_revision[o->seat] - 1]
		                          : hash_of(o->canonical);
	}
	return proof_orders_hash(lines, c->t->nused);
}

static bool check_orders_hash(struct verifier *v, const struct turn_check *c)
{
	struct hash expected = c->i == 0 ? record_joins_hash(&v->a->record) : set_hash(c);

	if (hash_eq(&expected, &c->x->orders_hash))
		return true;
	if (c->i == 0 && v->a->record.version > 1)
		return fault_at(v, c->x->orders_hash_line,
		                v->a->record.version > 2
		                    ? "it is not the digest of the seats: who joined, or with "
		                      "what mail, was changed"
		                    : "it is not the digest of the seats: who joined, with "
		                      "what word or by what mail was changed");
	return fault_at(v, c->x->orders_hash_line,
	                c->i == 0
	                    ? "it is not the digest of the seats: who joined, when or with "
	                      "what word was changed"
	                    : "it is not the digest of the orders used: the set was changed "
	                      "after it was sealed");
}

/* Orders as far as they can be checked without a position. */
static bool check_orders(struct verifier *v, struct turn_check *c)
{
	if (!check_revision_order(v, c))
		return false;
	if (c->t->dropped_utc != 0)
		return !v->has_secret || check_closed(v, c);
	if (!c->x->orders_known)
		return true;
	return check_used(v, c) && (!v->has_secret || check_closed(v, c)) &&
	       check_orders_hash(v, c);
}

/*
 * Resolves the turn with the draws that secret and orders give, which must be those listed. If
 * they are not, the listed ones are tried for a fault that says more.
 */
static bool resolve_derived(struct verifier *v, const struct turn_check *c)
{
	struct strbuf draws = STRBUF_INIT;
	bool ok = archive_derive_draws(v->a, c->i, &draws);

	if (ok && !span_eq(strbuf_span(&draws), c->t->chance))
		ok = archive_resolve(v->a, c->i) &&
		     fault_at(v, c->x->chance_line,
		              "these draws are not those that secret and orders give: "
		              "something was drawn again");
	strbuf_release(&draws);
	return ok;
}

/*
 * Since version 2: what the server played follows from the secret, the position and the level, whether it was
 * used or not. Where it plays in the place of a person, it does so as usual. A seat has one such set in a
 * turn, which is worked out once.
 */
struct bot_orders {
	unsigned seat; /* 0: none yet */
	struct strbuf text, drawn;
};

static bool is_bot_orders(const struct verifier *v, const struct turn_check *c,
                          const struct record_order *o, struct bot_orders *b)
{
	const struct record *r = &v->a->record;
	const struct record_seat *s = &r->seats[o->seat];
	struct hash key = proof_bot_key(&r->secret, c->t->serial, o->seat);

	if (b->seat != o->seat) {
		b->seat = o->seat;
		strbuf_clear(&b->text);
		strbuf_clear(&b->drawn);
		bot_orders(r->rules, r->bots_version, v->a->turns[c->x->parent].result, o->seat,
		           s->bot ? s->bot_level : BOT_LEVEL_USUAL, v->tables, &key, &b->text,
		           &b->drawn);
	}
	if (!span_eq(strbuf_span(&b->text), o->canonical) ||
	    (o->drawn.ptr && !span_eq(strbuf_span(&b->drawn), o->drawn)))
		return false;
	v->report->bots++;
	return true;
}

/* The last orders of this seat in that turn which a person gave; or NULL. */
static const struct record_order *last_of_person(const struct record_turn *t, unsigned seat)
{
	const struct record_order *last = NULL;

	for (size_t k = 0; k < t->nrevisions; k++)
		if (t->revisions[k].seat == seat)
			last = &t->revisions[k];
	return last && !last->cleared && last->origin != ORDER_BOT ? last : NULL;
}

static bool reads_as(const struct verifier *v, const struct game_state *now,
                     const struct record_order *before, const struct record_order *o)
{
	struct strbuf canonical = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;
	bool same = v->a->record.rules->read_orders(now, o->seat, SPAN_EMPTY, v->tables,
	                                            before->canonical, &canonical, &diags) &&
	            span_eq(strbuf_span(&canonical), o->canonical);

	strbuf_release(&canonical);
	diags_release(&diags);
	return same;
}

/* Whether orders of one of the turns before, read in this one's position, are these. */
static bool repeats_orders(const struct verifier *v, const struct turn_check *c,
                           const struct record_order *o)
{
	const struct game_state *now = v->a->turns[c->x->parent].result;
	size_t at = c->x->parent;

	for (unsigned n = 0; n < FALLBACK_LOOKS_BACK && at > 0; n++) {
		const struct record_order *before =
		    last_of_person(&v->a->record.turns[at], o->seat);

		if (before && reads_as(v, now, before, o))
			return true;
		at = v->a->turns[at].parent;
	}
	return false;
}

static bool check_played(struct verifier *v, const struct turn_check *c, size_t k,
                         struct bot_orders *b)
{
	const struct record_order *o = &c->t->revisions[k];
	bool bot = o->origin == ORDER_BOT;

	if ((!bot && o->origin != ORDER_FALLBACK) || o->cleared)
		return true;
	if (!v->can_play_bots) {
		v->report->unchecked_bots++;
		return true;
	}
	return is_bot_orders(v, c, o, b) || (!bot && repeats_orders(v, c, o)) ||
	       archive_fault(v->a, v->a->lines[c->x->revision_line + k].number,
	                     bot ? "these are not the orders that the bot of seat %u draws"
	                         : "these are neither the orders that a bot draws for seat %u "
	                           "nor earlier ones of it",
	                     o->seat);
}

static bool check_bots(struct verifier *v, const struct turn_check *c)
{
	struct bot_orders b = {0, STRBUF_INIT, STRBUF_INIT};
	bool ok = true;

	if (v->a->record.version > 1 && v->has_secret && c->i > 0)
		for (size_t k = 0; k < c->t->nrevisions && ok; k++)
			ok = check_played(v, c, k, &b);
	strbuf_release(&b.text);
	strbuf_release(&b.drawn);
	return ok;
}

static bool check_state(struct verifier *v, const struct turn_check *c)
{
	static const struct hash none = {{0}};
	const struct record *r = &v->a->record;
	struct strbuf state = STRBUF_INIT;
	struct hash d;

	r->rules->encode(c->x->result, &state);
	d = proof_state_hash(r->game, c->t->serial,
	                     c->i > 0 ? &r->turns[c->x->parent].state_hash : &none,
	                     &c->x->orders_hash, strbuf_span(&state));
	strbuf_release(&state);
	return hash_eq(&d, &c->t->state_hash) ||
	       fault_at(v, c->x->state_line, "resolving the turn again gives another position");
}

static bool check_turn(struct verifier *v, size_t i)
{
	struct turn_check c = {.i = i, .t = &v->a->record.turns[i], .x = &v->a->turns[i]};

	if (!check_orders(v, &c))
		return false;
	if (c.t->dropped_utc != 0 ||
	    !(v->a->record.rules != NULL && c.x->orders_known && c.x->chance_known &&
	      c.x->state_known && (c.i == 0 || v->a->turns[c.x->parent].result != NULL)))
		return true;
	if (!check_bots(v, &c) ||
	    !(v->has_secret ? resolve_derived(v, &c) : archive_resolve(v->a, c.i)) ||
	    !check_state(v, &c))
		return false;
	v->report->turns++;
	return true;
}

/* Signatures of providers. */

struct signed_mail {
	unsigned seat;
	struct hash dkim, contribution;
	size_t line;
};

static int compare_signed(const void *a, const void *b)
{
	const struct signed_mail *x = a, *y = b;
	int by_dkim = memcmp(x->dkim.bytes, y->dkim.bytes, HASH_LEN);

	if (x->seat != y->seat)
		return x->seat < y->seat ? -1 : 1;
	return by_dkim != 0 ? by_dkim : (x->line > y->line) - (x->line < y->line);
}

/* Those whose contribution is known, by seat and signature; for the caller to free. */
static struct signed_mail *signed_mails(const struct archive *a, size_t *n)
{
	size_t most = 0;

	for (size_t i = 0; i < a->record.nturns; i++)
		most += a->record.turns[i].nrevisions;
	struct signed_mail *all = xcalloc(most + 1, sizeof(*all));
	*n = 0;
	for (size_t i = 0; i < a->record.nturns; i++) {
		const struct record_turn *t = &a->record.turns[i];
		size_t line = a->turns[i].dkim_line;

		for (size_t k = 0; k < t->nrevisions; k++) {
			const struct record_order *o = &t->revisions[k];

			if (hash_is_zero(&o->dkim))
				continue;
			if (!hash_is_zero(&o->contribution))
				all[(*n)++] = (struct signed_mail){o->seat, o->dkim,
				                                   o->contribution, line};
			line++;
		}
	}
	qsort(all, *n, sizeof(*all), compare_signed);
	return all;
}

/*
 * A signature covers one mail, so a second mail that has it was made by somebody who had the first: the
 * server, or a stranger with the reply address. Since version 3 a server does not list the latter.
 */
static bool check_signatures(struct archive *a, struct strbuf *warnings)
{
	size_t n;
	struct signed_mail *all = signed_mails(a, &n);
	bool ok = true;

	for (size_t i = 1; i < n && ok; i++) {
		const struct signed_mail *one = &all[i - 1], *other = &all[i];
		unsigned line = a->lines[one->line].number,
			 again = a->lines[other->line].number;

		if (one->seat != other->seat || !hash_eq(&one->dkim, &other->dkim) ||
		    hash_eq(&one->contribution, &other->contribution))
			continue;
		if (a->record.version > 2)
			ok = archive_fault(a, again,
			                   "two mails of seat %u have one and the same "
			                   "signature of a provider (the other is in line %u): "
			                   "one of them was invented",
			                   other->seat, line);
		else
			strbuf_addf(
			    warnings,
			    "Two mails of seat %u have one and the same signature of a "
			    "provider (lines %u and %u): one of them may be invented.\n",
			    other->seat, line, again);
	}
	free(all);
	return ok;
}

static bool is_verified(const struct record_turn *t, const struct record_order *o)
{
	size_t i = record_find_revision(t, 0, o);

	return i < t->nrevisions && !hash_is_zero(&t->revisions[i].dkim) &&
	       t->revisions[i].dkim_verified;
}

/* Orders in force that nobody vouches for, of a seat whose provider vouches for others. */
static void warn_of_unsigned(const struct archive *a, struct strbuf *warnings)
{
	const struct record *r = &a->record;
	struct seat_set vouched = {0};

	for (size_t i = 0; i < r->nturns; i++)
		for (size_t k = 0; k < r->turns[i].nrevisions; k++)
			if (is_verified(&r->turns[i], &r->turns[i].revisions[k]))
				vouched = seat_with(vouched, r->turns[i].revisions[k].seat);
	for (size_t i = 0; i < r->nturns; i++)
		for (size_t k = 0; k < r->turns[i].nused; k++) {
			const struct record_order *o = &r->turns[i].used[k];

			if (o->origin == ORDER_SENT && seat_in(vouched, o->seat) &&
			    !is_verified(&r->turns[i], o))
				strbuf_addf(
				    warnings,
				    "Line %u: these orders of seat %u (serial %u, revision %u) "
				    "came without a verified signature, and others of that seat "
				    "have one: ask its player whether they sent them.\n",
				    a->lines[a->turns[i].used_line + k].number, o->seat,
				    r->turns[i].serial, o->revision);
		}
}

void archive_add_warnings(struct archive *a, struct strbuf *out)
{
	(void)check_signatures(a, out); /* a fault is said by archive_verify */
	warn_of_unsigned(a, out);
}

/* The whole. */

static bool check_secret(struct verifier *v)
{
	struct hash d;

	if (!v->has_secret)
		return true;
	d = hash_of(hash_span(&v->a->record.secret));
	return hash_eq(&d, &v->a->record.secret_hash) ||
	       fault_at(v, v->a->secret_line,
	                "its SHA-256 is not the one that was announced before the game began");
}

/* Of the game a fork goes on from, its position and the turn's digest must go together. */
static bool check_fork(struct verifier *v)
{
	const struct record_fork *f = &v->a->record.fork;
	struct hash expected;

	if (f->game == NULL)
		return true;
	expected = proof_state_hash(f->game, f->serial, &f->parent, &f->orders, f->position);
	return hash_eq(&expected, &f->state) ||
	       fault_at(v, v->a->fork_line + FORK_STATE_LINE,
	                "it is not the digest of the position below: the game did not go on "
	                "from what the other game had come to");
}

static bool same_result(const struct game_result *a, const struct game_result *b)
{
	if (a->winners.bits != b->winners.bits || a->eliminated.bits != b->eliminated.bits)
		return false;
	for (unsigned seat = 1; seat <= a->nseats; seat++)
		if (a->scores[seat] != b->scores[seat] || a->ranks[seat] != b->ranks[seat])
			return false;
	return true;
}

/* Who has left the game cannot win it, and what is over cannot be given away. */
static bool check_agreed(struct verifier *v, struct game_result *expected)
{
	struct seat_set agreed = v->a->record.agreed;

	if (agreed.bits == 0)
		return true;
	if (expected->over)
		return fault_at(v, v->a->agreed_line,
		                "the game was over before anybody agreed on its end");
	if ((agreed.bits & expected->eliminated.bits) != 0)
		return fault_at(v, v->a->agreed_line,
		                "a seat that is out of the game cannot win by agreement");
	game_result_agree(expected, agreed);
	return true;
}

static bool check_result(struct verifier *v)
{
	struct archive *a = v->a;
	struct game_result expected = {0};

	if (!v->has_secret || a->record.rules == NULL || a->record.nturns == 0)
		return true;
	a->record.rules->result(a->turns[archive_last_outcome(a)].result, &expected);
	if (!check_agreed(v, &expected))
		return false;
	if (!same_result(&a->result, &expected))
		return fault_at(v, a->result_line,
		                "the winners or scores are not what the rules make of the last "
		                "position");
	if (expected.over != span_eq_str(span_of(a->record.end_status), "over"))
		return fault_at(v, a->end_line,
		                expected.over ? "the game was played to its end"
		                              : "the game was not played to its end");
	return true;
}

/* What mails are said to have quoted is what the reports before this turn printed. */
static bool check_answered(struct verifier *v, const struct archive_turn *x,
                           const struct hash *before)
{
	struct strbuf words = STRBUF_INIT;
	bool ok = true;

	paper_words_add_four(before, &words);
	for (size_t k = 0; k < x->nanswered && ok; k++)
		ok = span_eq(x->answered[k], strbuf_span(&words)) ||
		     fault_at(v, x->answered_line + k,
		              "these are not the four words that stood for the game then");
	v->report->answered += (unsigned)x->nanswered;
	strbuf_release(&words);
	return ok;
}

static bool check_chain(struct verifier *v, const struct hash *expect_head)
{
	struct hash chain = {{0}};
	struct archive *a = v->a;
	size_t turn = 0;

	for (size_t i = 0; i < a->nlines; i++) {
		struct hash leaf = archive_line_leaf(a, i);

		if (turn < a->record.nturns && a->turns[turn].first_line == i &&
		    !check_answered(v, &a->turns[turn++], &chain))
			return false;
		chain = archive_chain(&chain, &leaf);
		v->report->hidden += a->lines[i].form == LINE_HIDDEN;
		if (expect_head != NULL && hash_eq(&chain, expect_head))
			v->report->head_lines = (unsigned)i + 1;
	}
	if (a->chain_count != a->nlines)
		return archive_fault(
		    a, a->chain_line,
		    "the chain has %u lines, but %zu stand above: some were added "
		    "or taken out",
		    a->chain_count, a->nlines);
	if (!hash_eq(&chain, &a->head))
		return archive_fault(a, a->chain_line,
		                     "the lines above do not give this head: one of them was "
		                     "changed");
	return true;
}

static bool check_signature(struct verifier *v)
{
	struct archive *a = v->a;

	if (!a->is_signed)
		return true;
	const struct record *r = &a->record;
	struct proof_head head = {.version = r->version,
	                          .game = r->game,
	                          .serial = r->nturns > 0 ? r->turns[r->nturns - 1].serial : 0,
	                          .lines = a->chain_count,
	                          .head = a->head};

	return proof_head_is_signed(&head, &r->public_key, a->signature) ||
	       archive_fault(a, a->signature_line,
	                     "this is no signature of the head by the key in the header");
}

static bool check_expected(struct verifier *v, const struct hash *key, const struct hash *head)
{
	struct archive *a = v->a;

	if (key != NULL && !hash_eq(key, &a->record.public_key))
		return archive_fault(a, a->lines[a->secret_hash_line + 1].number,
		                     "this is not the key you gave");
	if (key != NULL && !a->is_signed)
		return archive_fault(a, a->chain_line,
		                     "a key was given, but nobody signed this head");
	if (head != NULL && v->report->head_lines == 0)
		return archive_fault(
		    a, a->chain_line,
		    "the chain never had the head you gave: this is not the game "
		    "of that mail, or it was changed, or it ends before it");
	return true;
}

/* Everything that must hold; rules may be unknown, then positions are left out. */
static bool check_all(struct verifier *v, const struct hash *key, const struct hash *head)
{
	if (!check_secret(v) || !check_fork(v))
		return false;
	for (size_t i = 0; i < v->a->record.nturns; i++)
		if (!check_turn(v, i))
			return false;
	return check_signatures(v->a, &v->report->warnings) && check_result(v) &&
	       check_chain(v, head) && check_signature(v) && check_expected(v, key, head);
}

/* Without rules all else is checked; that they are missing is said only if all else holds. */
static bool check_without_rules(struct verifier *v, const struct hash *key,
                                const struct hash *head)
{
	struct strbuf missing = STRBUF_INIT;
	unsigned line = v->a->bad_line;
	bool ok;

	strbuf_swap(&missing, &v->a->why);
	ok = check_all(v, key, head);
	if (ok) {
		strbuf_swap(&missing, &v->a->why);
		v->a->bad_line = line;
	}
	strbuf_release(&missing);
	return ok;
}

/* All bots of this version, with the very word lists that the options name. */
static bool can_play_bots(const struct verifier *v)
{
	const struct record *r = &v->a->record;

	return bots_known(r->rules, r->bots_version) &&
	       tables_have_all(v->tables, r->rules, span_of(r->options), v->a->arena);
}

void archive_verify_with(archive_find *find, const struct tables *tables, struct span file,
                         const struct hash *expect_key, const struct hash *expect_head,
                         struct archive_report *out)
{
	struct verifier v = {.a = archive_new(), .report = out, .tables = tables};
	bool ok = archive_parse(v.a, file);

	*out = (struct archive_report){.why = STRBUF_INIT,
	                               .reach = STRBUF_INIT,
	                               .fork = STRBUF_INIT,
	                               .warnings = STRBUF_INIT};
	v.has_secret = v.a->record.ended;
	if (ok && archive_find_rules(v.a, find))
		v.can_play_bots = can_play_bots(&v);
	if (ok && v.a->record.rules != NULL && v.a->why.len == 0)
		ok = check_all(&v, expect_key, expect_head);
	else if (ok && v.a->record.rules == NULL)
		ok = check_without_rules(&v, expect_key, expect_head);
	else
		ok = false;

	struct archive_report *report = v.report;
	struct archive *a = v.a;

	report->ended = a->record.ended;
	if (a->record.fork.game != NULL) {
		struct strbuf instance = STRBUF_INIT;

		utf8_add_plain(&instance, span_of(a->record.fork.instance));
		strbuf_addf(&report->fork, "%s of %s", a->record.fork.game, instance.ptr);
		strbuf_release(&instance);
		report->fork_serial = a->record.fork.serial;
		report->fork_state = a->record.fork.state;
	}
	if (ok)
		warn_of_unsigned(a, &report->warnings);
	unsigned n = 0;

	for (size_t i = 0; i < a->record.nturns; i++)
		n += a->record.turns[i].dropped_utc == 0;
	report->all_turns = n;
	if (a->record.nturns > 0)
		utf8_add_plain(&report->reach, a->record.turns[a->record.nturns - 1].label);
	report->lines = (unsigned)a->nlines;
	report->head = a->head;
	report->key = a->record.public_key;
	report->line = a->bad_line;
	strbuf_swap(&report->why, &a->why);
	if (!ok)
		report->verdict = ARCHIVE_BROKEN;
	else if (report->why.len > 0)
		report->verdict = ARCHIVE_UNKNOWN;
	else
		report->verdict = a->is_signed ? ARCHIVE_SIGNED : ARCHIVE_CONSISTENT;
	archive_free(v.a);
}

void archive_verify(struct span file, const struct hash *expect_key,
                    const struct hash *expect_head, struct archive_report *out)
{
	static const struct tables none = {NULL, 0};

	archive_verify_tables(&none, file, expect_key, expect_head, out);
}

void archive_verify_tables(const struct tables *tables, struct span file,
                           const struct hash *expect_key, const struct hash *expect_head,
                           struct archive_report *out)
{
	archive_verify_with(rules_find_version, tables, file, expect_key, expect_head, out);
}

bool archive_holds(const struct archive_report *r)
{
	return r->verdict == ARCHIVE_CONSISTENT || r->verdict == ARCHIVE_SIGNED;
}

void archive_report_release(struct archive_report *r)
{
	strbuf_release(&r->why);
	strbuf_release(&r->reach);
	strbuf_release(&r->fork);
	strbuf_release(&r->warnings);
}
