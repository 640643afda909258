/*
 * one_history.c - signed pieces of evidence against each other, and one archive against another.
 */
#include <string.h>

#include "processor/archive/one_history.h"
#include "processor/archive/private.h"

bool evidence_is_signed(const struct evidence *p, const struct hash *key)
{
	if (p->what != EVIDENCE_HEAD)
		return p->is_signed;
	struct proof_head of = p->head.of;

	of.game = p->game;
	return p->head.has_signature && proof_head_is_signed(&of, key, p->head.signature);
}

static bool receipts_contradict(const struct receipt_proof *a, const struct receipt_proof *b,
                                struct strbuf *why)
{
	if (a->serial != b->serial || a->seat != b->seat || a->revision != b->revision)
		return false;
	if (hash_eq(&a->commitment, &b->commitment) && hash_eq(&a->nonce, &b->nonce) &&
	    hash_eq(&a->contribution, &b->contribution) && a->received_utc == b->received_utc)
		return false;
	strbuf_addf(
	    why,
	    "The server signed two different receipts %s/%u/%u #%u, each for other orders, "
	    "another mail or another time.",
	    a->game, a->serial, a->seat, a->revision);
	return true;
}

/* One mail takes one seat, once, under one number; it may store for several that one person has. */
static bool seats_contradict(const struct seat_proof *a, const struct seat_proof *b,
                             struct strbuf *why)
{
	if (!a->stored && !b->stored && a->version > 2 && b->version > 2 &&
	    !hash_eq(&a->secret_hash, &b->secret_hash)) {
		strbuf_addf(why, "The server announced two different secrets of %s.", a->game);
		return true;
	}
	if (a->stored || b->stored || !hash_eq(&a->contribution, &b->contribution) ||
	    (a->version > 2 && b->version > 2 &&
	     (a->number != b->number || !hash_eq(&a->person, &b->person))) ||
	    (a->seat == b->seat && a->received_utc == b->received_utc &&
	     hash_eq(&a->person, &b->person)))
		return false;
	strbuf_addf(
	    why,
	    "The server signed two different receipts for a seat of %s that came in one and "
	    "the same mail.",
	    a->game);
	return true;
}

/* A record only grows, from turn to turn; a head of version 1 does not say of which turn it is. */
static bool heads_contradict(const struct proof_head *a, const struct proof_head *b,
                             const char *game, struct strbuf *why)
{
	if (a->version != b->version) {
		strbuf_addf(why, "The server signed records of %s of two versions.", game);
		return true;
	}
	if (a->version > 1 && a->serial == b->serial &&
	    (a->lines != b->lines || !hash_eq(&a->head, &b->head))) {
		strbuf_addf(
		    why,
		    "The server signed two different heads of %s for one turn, that with "
		    "serial %u: it showed two histories.",
		    game, a->serial);
		return true;
	}
	if (a->version > 1 ? (a->serial < b->serial) != (a->lines < b->lines)
	                   : a->lines == b->lines && !hash_eq(&a->head, &b->head)) {
		strbuf_addf(
		    why,
		    "The server signed heads of %s after %u and after %u lines that are not "
		    "of one record: it showed two histories.",
		    game, a->lines, b->lines);
		return true;
	}
	return false;
}

bool evidence_contradict(const struct evidence *a, const struct evidence *b, struct strbuf *why)
{
	if (a->what != b->what || strcmp(a->game, b->game) != 0)
		return false;
	switch (a->what) {
	case EVIDENCE_RECEIPT:
		return receipts_contradict(&a->receipt, &b->receipt, why);
	case EVIDENCE_SEAT:
		return seats_contradict(&a->seat, &b->seat, why);
	case EVIDENCE_HEAD:
		break;
	}
	return heads_contradict(&a->head.of, &b->head.of, a->game, why);
}

/*
 * ---- Whether one archive is another one continued ----
 *
 * The chain makes this simple: what two archives of one game have in common has the same leaves, hidden
 * or revealed. So they are compared line by line, and the first line that differs can be named, which a
 * head alone could not do.
 */

static enum archive_kinship compare(const struct archive *older, const struct archive *newer,
                                    struct archive_extension *out)
{
	size_t i = 0;

	for (; i < older->nlines && i < newer->nlines; i++) {
		struct hash la = archive_line_leaf(older, i), lb = archive_line_leaf(newer, i);

		if (!hash_eq(&la, &lb))
			break;
	}
	size_t common = i;

	out->common = (unsigned)common;
	out->older_line = archive_line_number(older, common);
	out->newer_line = archive_line_number(newer, common);
	if (strcmp(older->record.game, newer->record.game) != 0 ||
	    !hash_eq(&older->record.public_key, &newer->record.public_key))
		return ARCHIVE_STRANGERS;
	if (common == older->nlines)
		return common == newer->nlines ? ARCHIVE_SAME : ARCHIVE_EXTENDS;
	return common == newer->nlines ? ARCHIVE_IS_OLDER : ARCHIVE_DIFFERS;
}

enum err archive_extends(struct span older, struct span newer, struct archive_extension *out,
                         struct failure *e)
{
	struct archive *a = archive_new(), *b = archive_new();
	enum err err = ERR_NONE;

	*out = (struct archive_extension){.kinship = ARCHIVE_DIFFERS};
	if (!archive_parse(a, older))
		err = err_set(e, ERR_INVALID, "the older archive, line %u: %s", a->bad_line,
		              a->why.ptr);
	else if (!archive_parse(b, newer))
		err = err_set(e, ERR_INVALID, "the newer archive, line %u: %s", b->bad_line,
		              b->why.ptr);
	else
		out->kinship = compare(a, b, out);
	archive_free(a);
	archive_free(b);
	return err;
}
