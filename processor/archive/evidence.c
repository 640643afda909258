/*
 * evidence.c - receipts and chain heads against an archive.
 */
#include "processor/archive/evidence.h"

#include <string.h>

#include "processor/archive/private.h"
#include "processor/base/clock.h"
#include "processor/base/utf8.h"

/* The first receipt in the text, else the first head. */
static bool read_one(struct span text, const struct hash *key, struct arena *arena,
                     struct evidence *out)
{
	*out = (struct evidence){.what = EVIDENCE_RECEIPT};
	if (proof_read_receipt(text, arena, &out->receipt, key, &out->is_signed)) {
		out->game = out->receipt.game;
		proof_read_seals(text, &out->seals);
		return true;
	}
	out->what = EVIDENCE_SEAT;
	if (proof_read_seat(text, arena, &out->seat, key, &out->is_signed)) {
		out->game = out->seat.game;
		return true;
	}
	out->what = EVIDENCE_HEAD;
	if (!proof_read_head(text, arena, &out->head))
		return false;
	proof_read_firsts(text, &out->firsts);
	out->game = out->head.of.game;
	return true;
}

static bool contains(struct span line, const char *words)
{
	return span_find(line, span_of(words)) < line.len;
}

/* What holds one of them at most: up to the end of a receipt, or to what follows a head. */
static struct span next_piece(struct span *rest)
{
	struct span whole = *rest, line, before;
	bool has_head = false;

	for (before = *rest; span_next_line(rest, &line); before = *rest) {
		bool head = contains(line, "The record of the game");
		/* "Game W17, Whakka Mole ...", with which each mail's proof begins. */
		bool named = contains(line, "Game ") && contains(line, ", ");

		if (has_head && (head || named || contains(line, "BEGIN MOLEPOST RECEIPT") ||
		                 contains(line, "Receipts in this turn,"))) {
			*rest = before;
			break;
		}
		if (contains(line, "END MOLEPOST RECEIPT"))
			break;
		has_head = has_head || head;
	}
	return span_slice(whole, 0, whole.len - rest->len);
}

void evidence_read(struct span text, const struct hash *key, struct arena *arena,
                   struct evidence_list *out)
{
	const char *game = "";

	out->n = 0;
	while (text.len > 0 && out->n < EVIDENCE_MOST) {
		struct evidence *e = &out->items[out->n];

		if (!read_one(next_piece(&text), key, arena, e))
			continue;
		/* A mail names its game once, above its proofs. */
		game = *e->game ? e->game : game;
		e->game = game;
		out->n++;
	}
}

void evidence_in_mail(const struct mail_in *mail, const struct hash *key, struct arena *arena,
                      struct evidence_list *out)
{
	out->n = 0;
	for (size_t i = 0; i < mail->ntexts && out->n == 0; i++)
		evidence_read(mail->texts[i].text, key, arena, out);
	for (size_t i = 0; i < mail->enclosed.count && out->n == 0; i++)
		evidence_read(mail->enclosed.items[i], key, arena, out);
}

void evidence_finding_release(struct evidence_finding *f)
{
	strbuf_release(&f->what);
	strbuf_release(&f->fate);
}

const char *evidence_verdict_name(enum evidence_verdict v)
{
	static const char *const names[] = {[EVIDENCE_FORGED] = "forged",
	                                    [EVIDENCE_OTHER] = "other",
	                                    [EVIDENCE_AHEAD] = "ahead",
	                                    [EVIDENCE_BROKEN] = "broken",
	                                    [EVIDENCE_KEPT] = "kept"};
	return names[v];
}

bool evidence_is_worse(enum evidence_verdict v, enum evidence_verdict than)
{
	static const int weights[] = {[EVIDENCE_KEPT] = 0,
	                              [EVIDENCE_AHEAD] = 1,
	                              [EVIDENCE_OTHER] = 2,
	                              [EVIDENCE_FORGED] = 3,
	                              [EVIDENCE_BROKEN] = 4};

	return weights[v] > weights[than];
}

/* One thing being judged. */
struct case_file {
	const struct evidence *p;
	const struct archive *a;
	const struct hash *key;
	struct evidence_finding *out;
	size_t turn;     /* index, of a receipt */
	size_t revision; /* index within it */
};

static const struct record_turn *turn_of(const struct case_file *c)
{
	return &c->a->record.turns[c->turn];
}

static const struct archive_turn *proofs_of(const struct case_file *c)
{
	return &c->a->turns[c->turn];
}

static void find(struct case_file *c, enum evidence_verdict v, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static void find(struct case_file *c, enum evidence_verdict v, const char *fmt, ...)
{
	va_list ap;

	c->out->verdict = v;
	va_start(ap, fmt);
	strbuf_vaddf(&c->out->fate, fmt, ap);
	va_end(ap);
}

/* What a contradiction is worth: an archive that nobody signed is nobody's word. */
static const char *convicted(const struct case_file *c)
{
	return c->a->is_signed
	           ? "The server has signed both, and they cannot both be true. Keep both: "
	             "together they prove it to anybody."
	           : "But nobody has signed that record, so it proves nothing against the "
	             "server. Ask for a signed one.";
}

/* Receipts. */

static const char not_signed_here[] =
    "This receipt is not signed by the key of this server. It was changed on its way, or it "
    "comes from elsewhere; it proves nothing here.";

static bool find_turn(struct case_file *c)
{
	const struct record *r = &c->a->record;

	while (c->turn < r->nturns && r->turns[c->turn].serial != c->p->receipt.serial)
		c->turn++;
	if (c->turn < r->nturns)
		return true;
	if (r->nturns > 0 && r->turns[r->nturns - 1].serial > c->p->receipt.serial)
		find(
		    c, EVIDENCE_AHEAD,
		    "The record leaves that turn out: it was broken off, and play went on from "
		    "an earlier one. Its public actions should say why.");
	else if (r->ended && r->version > 1)
		find(c, EVIDENCE_BROKEN,
		     "But the record of the whole game has no such turn. %s", convicted(c));
	else if (r->ended)
		find(c, EVIDENCE_AHEAD,
		     "The game was broken off in that turn, so the record says nothing of it.");
	else
		find(c, EVIDENCE_AHEAD,
		     "That turn (serial %u) is not over in this record yet: a later one will "
		     "tell.",
		     c->p->receipt.serial);
	return false;
}

static bool find_revision(struct case_file *c)
{
	const struct receipt_proof *ev = &c->p->receipt;
	const struct record_order o = {.seat = ev->seat, .revision = ev->revision};
	const struct record_order *found;

	c->revision = record_find_revision(turn_of(c), 0, &o);
	if (c->revision == turn_of(c)->nrevisions) {
		find(c, EVIDENCE_BROKEN, "But the record has no such acknowledgement. %s",
		     convicted(c));
		return false;
	}
	found = &turn_of(c)->revisions[c->revision];
	struct strbuf label = STRBUF_INIT;
	utf8_add_plain(&label, turn_of(c)->label);
	strbuf_addf(&c->out->what, " They were for %s.", label.ptr);
	strbuf_release(&label);
	if (found->received_utc == ev->received_utc &&
	    hash_eq(&proofs_of(c)->commitments[c->revision], &ev->commitment))
		return true;
	find(c, EVIDENCE_BROKEN,
	     found->received_utc == ev->received_utc
	         ? "But line %u of the record has another commitment for it. %s"
	         : "But line %u of the record has another time for it. %s",
	     archive_line_number(c->a, proofs_of(c)->revision_line + c->revision),
	     convicted(c));
	return false;
}

/* The line that opens the orders, with their nonce; false while they are closed. */
static bool find_opened(const struct case_file *c, size_t *line, const struct record_order **o,
                        const struct hash **nonce)
{
	const struct archive_turn *x = proofs_of(c);
	const struct record_turn *t = turn_of(c);
	const struct receipt_proof *ev = &c->p->receipt;

	for (size_t i = 0; i < t->nused; i++)
		if (t->used[i].seat == ev->seat && t->used[i].revision == ev->revision) {
			*line = x->used_line + i;
			*o = &t->used[i];
			*nonce = &x->nonces[i];
			return true;
		}
	for (size_t i = 0; i < x->nclosed; i++)
		if (x->closed[i].seat == ev->seat && x->closed[i].revision == ev->revision) {
			*line = x->closed_line + i;
			*o = &x->closed[i];
			*nonce = &x->closed_nonces[i];
			return true;
		}
	return false;
}

/* The seat's last word of the turn. */
static const struct record_order *last_word(const struct case_file *c)
{
	const struct record_turn *t = turn_of(c);
	size_t i = c->revision;

	while (i + 1 < t->nrevisions && t->revisions[i + 1].seat == t->revisions[i].seat)
		i++;
	return &t->revisions[i];
}

static void add_role(const struct case_file *c, struct strbuf *out)
{
	const struct record_order *last = last_word(c),
				  *this = &turn_of(c)->revisions[c->revision];

	strbuf_addf(out,
	            record_order_is_late(turn_of(c), this)
	                ? "Line %u of the record says the same, and that it was late. "
	                : "Line %u of the record says the same. ",
	            archive_line_number(c->a, proofs_of(c)->revision_line + c->revision));
	if (this->cleared)
		strbuf_adds(out, "With it the earlier orders of that turn were taken back. ");
	else if (last->cleared)
		strbuf_addf(out,
		            "These orders were taken back later, with #%u. There is a receipt "
		            "for that too: if #%u was not yours, ask who sent it. ",
		            last->revision, last->revision);
	else if (last != this)
		strbuf_addf(out,
		            "These orders were replaced later, by #%u. There is a receipt for "
		            "that too: if #%u was not yours, ask who sent it. ",
		            last->revision, last->revision);
	else if (turn_of(c)->dropped_utc != 0)
		strbuf_adds(out, "They were the seat's last word, but the turn was broken off, "
		                 "so nobody's orders were used. ");
	else
		strbuf_adds(out, "They were the seat's last word: they were used. ");
}

static void judge_opening(struct case_file *c)
{
	const struct record_order *opened;
	const struct hash *nonce;
	size_t line;

	add_role(c, &c->out->fate);
	if (!find_opened(c, &line, &opened, &nonce)) {
		find(c, EVIDENCE_KEPT,
		     "What they were is shown when the game has ended; it must fit the "
		     "commitment of this receipt.");
		return;
	}
	if (!hash_eq(nonce, &c->p->receipt.nonce)) {
		find(c, EVIDENCE_BROKEN, "But line %u opens them with another nonce. %s",
		     archive_line_number(c->a, line), convicted(c));
		return;
	}
	if (c->p->receipt.version > 1 &&
	    !hash_eq(&opened->contribution, &c->p->receipt.contribution)) {
		find(c, EVIDENCE_BROKEN, "But line %u says that another mail brought them. %s",
		     archive_line_number(c->a, line), convicted(c));
		return;
	}
	c->out->orders = opened->canonical;
	if (opened->canonical.len > 0)
		find(c, EVIDENCE_KEPT, "Line %u opens the receipt's commitment, as promised:",
		     archive_line_number(c->a, line));
	else
		find(c, EVIDENCE_KEPT, "Line %u opens the receipt's commitment, as promised.",
		     archive_line_number(c->a, line));
}

/* The digest of the same orders as the record has them. False: it has not all of them. */
static bool digest_of_record(const struct case_file *c, struct hash *digest)
{
	const struct printed_seals *seals = &c->p->seals;
	struct strbuf all = STRBUF_INIT;
	bool complete = true;

	for (size_t i = 0; i < seals->n; i++) {
		const struct record_order o = {.seat = seals->items[i].seat,
		                               .revision = seals->items[i].revision};
		size_t at = record_find_revision(turn_of(c), 0, &o);

		complete = complete && at < turn_of(c)->nrevisions;
		if (!complete)
			break;
		strbuf_addf(&all, "%u %u ", o.seat, o.revision);
		strbuf_add_hex(&all, proofs_of(c)->commitments[at].bytes, HASH_LEN);
		strbuf_addc(&all, '\n');
	}
	*digest = hash_of(strbuf_span(&all));
	strbuf_release(&all);
	return complete;
}

static void describe_receipt(struct case_file *c)
{
	const struct receipt_proof *ev = &c->p->receipt;
	const struct record *r = &c->a->record;
	struct strbuf *out = &c->out->what, when = STRBUF_INIT;

	utc_format_iso(&when, ev->received_utc);
	if (ev->seat >= 1 && ev->seat <= r->nseats && strcmp(ev->game, r->game) == 0)
		strbuf_addf(
		    out,
		    "This is receipt %s/%u/%u #%u. The server signed it: it took orders "
		    "from seat %u (%s) at %s.",
		    ev->game, ev->serial, ev->seat, ev->revision, ev->seat,
		    r->seats[ev->seat].name, when.ptr);
	else
		strbuf_addf(
		    out,
		    "This is receipt %s/%u/%u #%u. The server signed it: it took orders "
		    "from seat %u at %s.",
		    ev->game, ev->serial, ev->seat, ev->revision, ev->seat, when.ptr);
	strbuf_release(&when);
}

static void judge_receipt(struct case_file *c)
{
	if (!c->p->is_signed) {
		find(c, EVIDENCE_FORGED, "%s", not_signed_here);
		return;
	}
	describe_receipt(c);
	if (strcmp(c->p->game, c->a->record.game) != 0)
		find(c, EVIDENCE_OTHER, "The record is that of %s.", c->a->record.game);
	else if (find_turn(c) && find_revision(c)) {
		struct hash digest;

		if (c->p->seals.n > 0 && digest_of_record(c, &digest) &&
		    hash_eq(&digest, &c->p->seals.digest))
			strbuf_adds(&c->out->fate,
			            "The orders of all seats that it calls sealed are those of "
			            "the record. ");
		else if (c->p->seals.n > 0)
			strbuf_adds(
			    &c->out->fate,
			    "The orders of all seats that it calls sealed are not those "
			    "of the record; that list is not signed, so it proves "
			    "nothing alone. ");
		judge_opening(c);
	}
}

/* Seats. */

/*
 * When a game begins with seats free, those behind a free one move up; in no other way does the number
 * of a seat change.
 */
static void judge_found_seat(struct case_file *c, unsigned seat)
{
	const struct seat_proof *p = &c->p->seat;
	const struct record_seat *s = &c->a->record.seats[seat];
	struct hash person = proof_person(p->version, span_of(s->name), s->salt);
	unsigned line = archive_line_number(c->a, c->a->seat_line + seat - 1);
	bool again = s->joins > 1 && s->joined_utc == p->received_utc &&
	             hash_eq(&person, &p->person);

	if (again)
		find(c, EVIDENCE_KEPT,
		     "Line %u of the record says that this mail is the one that counts for the "
		     "set-up, and that its sender joined %u times. There are receipts for the "
		     "others too: if they were not yours, ask who sent them.",
		     line, s->joins);
	else if (!hash_eq(&person, &p->person))
		find(c, EVIDENCE_BROKEN,
		     p->version > 2
		         ? "But line %u of the record has another name for it. %s"
		         : "But line %u of the record has another name or salt for it. %s",
		     line, convicted(c));
	else if (s->joined_utc != p->received_utc)
		find(c, EVIDENCE_BROKEN,
		     "But line %u of the record has another time for it. %s", line,
		     convicted(c));
	else if (seat > p->seat)
		find(c, EVIDENCE_BROKEN, "But in line %u of the record it is seat %u. %s", line,
		     seat, convicted(c));
	else if (seat < p->seat)
		find(c, EVIDENCE_KEPT,
		     "Line %u of the record says the same, but for the number: the game began "
		     "with a free seat before this one, which is seat %u since.",
		     line, seat);
	else
		find(c, EVIDENCE_KEPT, "Line %u of the record says the same.", line);
}

/* The first turn that used what this mail stored; or what another mail stored in the same way. */
static const struct record_turn *turn_that_used(const struct case_file *c, bool this_mail)
{
	const struct record *r = &c->a->record;
	const struct seat_proof *p = &c->p->seat;

	for (size_t i = 1; i < r->nturns; i++)
		for (size_t k = 0; k < r->turns[i].nused; k++) {
			const struct record_order *o = &r->turns[i].used[k];

			if (o->seat == p->seat && o->origin == p->stored_as &&
			    r->turns[i].sealed_utc >= p->received_utc &&
			    hash_eq(&o->contribution, &p->contribution) == this_mail)
				return &r->turns[i];
		}
	return NULL;
}

static void judge_joined_again(struct case_file *c, unsigned seat)
{
	unsigned joins = c->a->record.seats[seat].joins,
		 line = archive_line_number(c->a, c->a->seat_line + seat - 1);

	if (joins >= c->p->seat.number)
		find(c, EVIDENCE_KEPT,
		     "It was number %u of its sender's, and only number 1 counts for the "
		     "set-up. Line %u of the record says that there were %u.",
		     c->p->seat.number, line, joins);
	else
		find(c, EVIDENCE_BROKEN,
		     "But it is number %u, and line %u of the record counts %u. %s",
		     c->p->seat.number, line, joins, convicted(c));
}

static void judge_joined(struct case_file *c)
{
	const struct seat_proof *p = &c->p->seat;
	const struct record *r = &c->a->record;
	/*
	 * The seats that this very mail took, that was joined in that second (there is one at
	 * most), and that this person has: since version 3 no two have joined by one name, but in
	 * a fork, where the seats have their names. 0 = none.
	 */
	unsigned seat = 0, instead = 0, named = 0;

	for (unsigned s = r->nseats; s > 0; s--) {
		const struct record_seat *of = &r->seats[s];
		struct hash person = proof_person(p->version, span_of(of->name), SPAN_EMPTY);

		if (hash_eq(&of->contribution, &p->contribution))
			seat = s;
		if (!of->bot && of->joined_utc == p->received_utc)
			instead = s;
		if (p->version > 2 && !r->fork.game && hash_eq(&person, &p->person))
			named = s;
	}
	if (p->version > 2 && !hash_eq(&p->secret_hash, &r->secret_hash))
		find(c, EVIDENCE_BROKEN,
		     "But line %u of the record announces another secret. %s",
		     archive_line_number(c->a, c->a->secret_hash_line), convicted(c));
	else if (p->version > 2 && p->number > 1 && named > 0)
		judge_joined_again(c, named);
	else if (p->version > 2 && p->number > 1)
		find(c, EVIDENCE_AHEAD,
		     "It was number %u of its sender's, and adds nothing to the set-up.",
		     p->number);
	else if (seat > 0)
		judge_found_seat(c, seat);
	else if (instead > 0)
		find(c, EVIDENCE_BROKEN,
		     "But line %u of the record names another mail for it. %s",
		     archive_line_number(c->a, c->a->seat_line + instead - 1), convicted(c));
	else if (named > 0)
		find(c, EVIDENCE_BROKEN,
		     "But line %u of the record names another mail as the first one of %s. %s",
		     archive_line_number(c->a, c->a->seat_line + named - 1),
		     r->seats[named].name, convicted(c));
	else
		find(c, EVIDENCE_AHEAD,
		     "The record has no seat that was taken by that mail: whoever sent it left "
		     "the game, or lost the seat, before it began.");
}

static void judge_stored(struct case_file *c)
{
	const struct record_turn *used = turn_that_used(c, true),
				 *other = turn_that_used(c, false);
	struct strbuf label = STRBUF_INIT;

	if (used || other)
		utf8_add_plain(&label, used ? used->label : other->label);
	if (used)
		find(c, EVIDENCE_KEPT,
		     "The record used them, first for %s, and names this mail.", label.ptr);
	else if (other)
		find(c, EVIDENCE_AHEAD,
		     "The record has not used them. What it used of that kind, first for %s, "
		     "came in another mail. There is a receipt for that mail too: if it was "
		     "not yours, ask who sent it.",
		     label.ptr);
	else
		find(c, EVIDENCE_AHEAD, "The record has not used them, or not yet.");
	strbuf_release(&label);
}

static void judge_seat(struct case_file *c)
{
	const struct seat_proof *p = &c->p->seat;
	struct strbuf when = STRBUF_INIT;

	if (!c->p->is_signed) {
		find(c, EVIDENCE_FORGED, "%s", not_signed_here);
		return;
	}
	utc_format_iso(&when, p->received_utc);
	if (p->stored)
		strbuf_addf(
		    &c->out->what,
		    "This is the receipt for orders that seat %u of %s stored for later "
		    "(%s). The server signed it: they came at %s.",
		    p->seat, p->game, order_origin_name(p->stored_as), when.ptr);
	else
		strbuf_addf(&c->out->what,
		            "This is the receipt for seat %u of %s. The server signed it: "
		            "somebody took that seat at %s.",
		            p->seat, p->game, when.ptr);
	strbuf_release(&when);
	if (strcmp(p->game, c->a->record.game) != 0)
		find(c, EVIDENCE_OTHER, "The record is that of %s.", c->a->record.game);
	else if (p->stored)
		judge_stored(c);
	else
		judge_joined(c);
}

/* Heads. */

/* After how many lines the chain is this head; 0 = never. */
static unsigned lines_at_head(const struct archive *a, const struct hash *head)
{
	struct hash chain = {{0}};

	for (size_t i = 0; i < a->nlines; i++) {
		struct hash leaf = archive_line_leaf(a, i);

		chain = archive_chain(&chain, &leaf);
		if (hash_eq(&chain, head))
			return (unsigned)i + 1;
	}
	return 0;
}

/* How many receipts the record has for a seat in that turn, and the first of them. */
static unsigned receipts_of(const struct case_file *c, size_t turn, unsigned seat,
                            struct hash *first)
{
	const struct record *r = &c->a->record;
	const struct record_turn *t = &r->turns[turn];
	unsigned n = 0;

	*first = turn == 0 ? r->seats[seat].contribution : (struct hash){{0}};
	for (size_t i = 0; i < t->nrevisions; i++) {
		if (t->revisions[i].seat != seat)
			continue;
		n = t->revisions[i].revision;
		if (n == 1)
			*first = c->a->turns[turn].commitments[i];
	}
	return turn == 0 ? r->seats[seat].joins : n;
}

static void judge_found_head(struct case_file *c, unsigned lines)
{
	const struct printed_head *h = &c->p->head;

	if (lines != h->of.lines) {
		find(
		    c, EVIDENCE_FORGED,
		    "But the record had it after %u lines, not after %u: the text was changed.",
		    lines, h->of.lines);
		return;
	}
	find(c, EVIDENCE_KEPT,
	     "The record has just this head there (line %u of the file): all it says up to "
	     "that line is what that mail stood for.",
	     archive_line_number(c->a, lines - 1));

	const struct printed_firsts *f = &c->p->firsts;
	const struct record *r = &c->a->record;
	bool same = true;
	size_t turn = 0;

	while (turn < r->nturns && r->turns[turn].serial != h->of.serial)
		turn++;
	if (f->n == 0 || turn == r->nturns)
		return;
	for (size_t i = 0; i < f->n && same; i++) {
		struct hash first;

		same = f->items[i].seat <= r->nseats &&
		       receipts_of(c, turn, f->items[i].seat, &first) == f->items[i].receipts &&
		       hash_eq(&first, &f->items[i].first);
	}
	strbuf_adds(&c->out->fate,
	            same ? " Its list of receipts is that of the record: compare its number of "
	                   "yours, and the first, with those you have."
	                 : " Its list of receipts is not that of the record; that list is not "
	                   "signed, so it proves nothing alone.");
}

static void judge_head(struct case_file *c)
{
	const struct printed_head *h = &c->p->head;
	const char *game = c->a->record.game;
	unsigned lines;

	if (*h->of.game && strcmp(h->of.game, game) != 0) {
		find(c, EVIDENCE_OTHER, "This is a report of %s, and the record is that of %s.",
		     h->of.game, game);
		return;
	}
	struct proof_head of = h->of;

	of.game = game;
	if (h->has_signature && !proof_head_is_signed(&of, c->key, h->signature)) {
		find(c, EVIDENCE_FORGED,
		     "The signature in this report is not one by the key of this server for "
		     "the head of %s after %u lines. The report was changed on its way, or it "
		     "comes from elsewhere; it proves nothing here.",
		     game, h->of.lines);
		return;
	}
	strbuf_addf(
	    &c->out->what,
	    h->has_signature
		? "This is a head of the record of %s, after %u lines, and the server signed "
		  "it."
		: "This is a head of the record of %s, after %u lines, without a signature.",
	    game, h->of.lines);
	lines = lines_at_head(c->a, &h->of.head);
	if (lines > 0)
		judge_found_head(c, lines);
	else if (!h->has_signature)
		find(c, EVIDENCE_FORGED,
		     "The record never had it; and as it has no signature, nobody can tell "
		     "whether the server ever wrote it.");
	else if (h->of.version > 1 &&
	         (c->a->record.ended ||
	          (c->a->record.nturns > 0 &&
	           c->a->record.turns[c->a->record.nturns - 1].serial >= h->of.serial)))
		find(c, EVIDENCE_BROKEN,
		     "But the record has that turn (serial %u), and another head after it. %s",
		     h->of.serial, convicted(c));
	else if (h->of.lines > c->a->nlines)
		find(c, EVIDENCE_AHEAD,
		     "This record has %zu lines only: it is older than that mail.",
		     c->a->nlines);
	else
		find(c, EVIDENCE_BROKEN, "But the record has another head there. %s",
		     convicted(c));
}

void evidence_judge(const struct evidence *p, const struct archive *a, const struct hash *key,
                    struct evidence_finding *out)
{
	struct case_file c = {.p = p, .a = a, .key = key, .out = out};

	*out = (struct evidence_finding){.what = STRBUF_INIT, .fate = STRBUF_INIT};
	if (p->what == EVIDENCE_RECEIPT)
		judge_receipt(&c);
	else if (p->what == EVIDENCE_SEAT)
		judge_seat(&c);
	else
		judge_head(&c);
}

static bool holds_receipt(const struct evidence *const *all, size_t n, const char *game,
                          unsigned serial, const struct record_order *o, bool any)
{
	for (size_t i = 0; i < n; i++)
		if (all[i]->what == EVIDENCE_RECEIPT && all[i]->is_signed &&
		    strcmp(all[i]->game, game) == 0 && all[i]->receipt.serial == serial &&
		    all[i]->receipt.seat == o->seat &&
		    (any || all[i]->receipt.revision == o->revision))
			return true;
	return false;
}

void evidence_missing(const struct evidence *const *all, size_t n, const struct archive *a,
                      struct strbuf *out)
{
	const struct record *r = &a->record;

	for (size_t i = 0; i < r->nturns; i++)
		for (size_t k = 0; k < r->turns[i].nrevisions; k++) {
			const struct record_order *o = &r->turns[i].revisions[k];
			unsigned serial = r->turns[i].serial;

			/* Of this kind only mails are answered: no bots, nothing stored before. */
			if (!(o->cleared || o->origin == ORDER_SENT ||
			      o->origin == ORDER_RESIGNED) ||
			    !holds_receipt(all, n, r->game, serial, o, true) ||
			    holds_receipt(all, n, r->game, serial, o, false))
				continue;
			strbuf_addf(
			    out,
			    "The record has a receipt %s/%u/%u #%u for %s, and none of these "
			    "mails holds it%s. If %s has not sent that mail, ask who did.\n",
			    r->game, serial, o->seat, o->revision, r->seats[o->seat].name,
			    o->revision == 1 && r->version > 2
				? ": it is the one that counted for the draws"
				: "",
			    r->seats[o->seat].name);
		}
}

static bool holds_archive(struct span text)
{
	struct span line;

	while (span_next_line(&text, &line))
		if (archive_begins(line))
			return true;
	return false;
}

struct span archive_in_mail(const struct mail_in *mail)
{
	for (size_t i = 0; i < mail->ntexts; i++)
		if (holds_archive(mail->texts[i].text))
			return mail->texts[i].text;
	for (size_t i = 0; i < mail->enclosed.count; i++)
		if (holds_archive(mail->enclosed.items[i]))
			return mail->enclosed.items[i];
	return SPAN_EMPTY;
}
