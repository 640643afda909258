/*
 * receipt.h - a receipt for orders: all it is made of, to be put into words now or later.
 *
 * Most receipts are written down in outline, in the transaction of the orders they are for, and put into
 * words - signed, laid out - when they are sent. Both are functions of what stands here.
 */
#ifndef MOLEPOST_PROCESSOR_OUTGOING_RECEIPT_H
#define MOLEPOST_PROCESSOR_OUTGOING_RECEIPT_H

#include "processor/archive/proof.h"
#include "processor/match/match.h"
#include "processor/outgoing/codec.h"
#include "processor/outgoing/outgoing.h"
#include "processor/server/server.h"
#include "reports/report.h"

struct receipt_draft {
	struct report_receipt receipt;      /* without diags and evidence */
	struct diags diags;                 /* owned */
	struct receipt_proof receipt_proof; /* game NULL = none */
	const struct keyring *keys;         /* the game's */
	/*
	 * Where the orders in it are not proven yet, what that takes: it is done by who writes it. One entry
	 * for each of receipt.commitments; NULL = they are.
	 */
	const struct seat_entry *unproven;
	struct hash secret;
	const char *record_id;
	unsigned record_version;
};

/* The words of a receipt_draft; in any thread. */
void receipt_write(const void *draft, struct report_out *out);
/* Its signed block; nothing if it has none. */
void receipt_add_proof(const struct receipt_draft *draft, struct strbuf *out);
void receipt_release(void *draft);
/* The draft, which lives in the arena of the mail in hand, as something that writes words or an outline. */
struct outgoing_writer receipt_writer(struct receipt_draft *draft);
/*
 * The same from an outline, whose proofs say of which version they are or are of version 1;
 * codec->failed when it is none. Release it by the writer's `release`.
 * Lives in the arena of the codec.
 */
struct outgoing_writer receipt_from_outline(struct server *srv, const struct keyring *keys,
                                            bool has_versions, struct codec *codec);

#endif
