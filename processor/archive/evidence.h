/*
 * evidence.h - what a player holds, against what the record says.
 *
 * Evidence is the signed block of a receipt, for orders or for a seat, or the chain head that a
 * turn report printed: molepost-archive(5), RECEIPTS and The chain. Read from any text, a mail as it
 * was received, forwarded, quoted or pasted; judged against an archive.
 *
 * Trusts nothing of the text. The archive must be one that archive_verify found to hold:
 * what it says is repeated here, not checked again.
 */
#ifndef MOLEPOST_PROCESSOR_ARCHIVE_EVIDENCE_H
#define MOLEPOST_PROCESSOR_ARCHIVE_EVIDENCE_H

#include "mail/mail.h"
#include "processor/archive/archive.h"
#include "processor/archive/proof.h"

struct evidence {
	enum { EVIDENCE_RECEIPT, EVIDENCE_SEAT, EVIDENCE_HEAD } what;
	const char *game;             /* "W17"; "" when a head's text names none */
	struct receipt_proof receipt; /* EVIDENCE_RECEIPT */
	struct seat_proof seat;       /* EVIDENCE_SEAT */
	bool is_signed;               /* the receipt or seat, by the key given */
	struct printed_seals seals;   /* beside it, of all seats; nobody has signed them */
	struct printed_head head;
	struct printed_firsts firsts; /* beside a head */
};

enum { EVIDENCE_MOST = 16 };

/* In the order of the text. */
struct evidence_list {
	struct evidence items[EVIDENCE_MOST];
	size_t n;
};

/* The receipts and heads in a text: a report may hold several of both. Texts live in `arena`. */
void evidence_read(struct span text, const struct hash *key, struct arena *arena,
                   struct evidence_list *out);
/* Those of the first text of a mail that has any, its own words or what is attached to it. */
void evidence_in_mail(const struct mail_in *mail, const struct hash *key, struct arena *arena,
                      struct evidence_list *out);

/* The first text of a mail, its own or attached, that holds an archive; "" if none does. */
struct span archive_in_mail(const struct mail_in *mail);

enum evidence_verdict {
	EVIDENCE_FORGED, /* not signed by this key: proves nothing */
	EVIDENCE_OTHER,  /* of another game than the archive */
	EVIDENCE_AHEAD,  /* genuine, but of a turn that the archive does not have (yet) */
	EVIDENCE_BROKEN, /* genuine, and the archive says otherwise: this convicts the server */
	EVIDENCE_KEPT
};
struct evidence_finding {
	enum evidence_verdict verdict;
	struct strbuf what; /* sentences: what it is, and whose */
	struct strbuf fate; /* sentences: what became of it */
	struct span orders; /* opened by the archive, canonical; borrowed from it; "" if none */
};
void evidence_finding_release(struct evidence_finding *f);
/* "kept", "ahead", "broken", "forged", "other" */
const char *evidence_verdict_name(enum evidence_verdict v);
/* Whether it outweighs the other: BROKEN, FORGED, OTHER, AHEAD, KEPT. */
bool evidence_is_worse(enum evidence_verdict v, enum evidence_verdict than);
void evidence_judge(const struct evidence *p, const struct archive *a, const struct hash *key,
                    struct evidence_finding *out);
/*
 * Of the turns and seats of which these hold a receipt that is signed, the receipts for mails that the
 * archive has and they do not: a sentence and LF for each, "" = none.
 */
void evidence_missing(const struct evidence *const *all, size_t n, const struct archive *a,
                      struct strbuf *out);

#endif
