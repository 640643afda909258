/*
 * parsed.h - an archive as it was read: its lines, turns and values in memory.
 *
 * For those who look at one closely: verify, replay, import, evidence. Made by archive_open,
 * which fills it from any bytes; all of it belongs to the archive and goes with archive_free.
 * What is still hidden in a running game is empty or zero.
 */
#ifndef MOLEPOST_PROCESSOR_ARCHIVE_PARSED_H
#define MOLEPOST_PROCESSOR_ARCHIVE_PARSED_H

#include "processor/archive/archive.h"

/* The first and the last line of an archive of that version; the version such a line is of, or 0. */
const char *archive_begin(unsigned version);
const char *archive_end(unsigned version);
unsigned archive_begins(struct span line);
unsigned archive_ends(struct span line);

enum line_form { LINE_PUBLIC, LINE_HIDDEN, LINE_REVEALED };

/* One chained line, unfolded, without "hidden " or "revealed ". */
struct archive_line {
	enum line_form form;
	unsigned number;  /* in the file, from 1 */
	struct span text; /* empty when hidden */
	struct hash leaf; /* only when hidden */
};

/* What of a turn is not in struct record_turn: proofs as printed, and where they stand. */
struct archive_turn {
	size_t first_line;        /* index into lines: "turn" */
	size_t revision_line;     /* of the first revision; the others follow */
	struct hash *commitments; /* one per revision */
	size_t answered_line;     /* of the first one; nanswered follow */
	struct span *answered;    /* the four words of each, as printed */
	size_t nanswered;
	size_t dkim_line; /* of the first one; one for each revision with a signature */
	size_t orders_hash_line;
	struct hash orders_hash;     /* zero while hidden */
	size_t used_line;            /* of the first one; nused follow */
	struct hash *nonces;         /* one per used; zero for defaults */
	size_t closed_line;          /* of the first one */
	struct record_order *closed; /* as read; none while hidden */
	struct hash *closed_nonces;
	size_t nclosed;
	size_t chance_line, state_line;
	size_t parent;             /* index of the parent turn; own index for serial 0 */
	size_t dropped_line;       /* of a turn that was broken off; it never has a result */
	struct game_state *result; /* filled on the way */
	struct hash inputs_hash;   /* since version 2, filled on the way with the secret */
	bool orders_known, chance_known, state_known;
};

struct archive {
	struct arena *arena;
	struct strbuf why; /* what went wrong in `bad_line` of the file */
	unsigned bad_line;
	struct archive_line *lines;
	size_t nlines;
	struct record record;
	unsigned facts; /* as the header says */
	size_t kind_line, facts_line, option_line, seat_line, secret_hash_line;
	size_t fork_line; /* "fork"; only in the record of one */
	size_t agreed_line, result_line, end_line, secret_line;
	struct archive_turn *turns; /* beside record.turns */
	struct game_result result;  /* as printed */
	bool has_result;
	/* Chain and signature lines: numbers in the file, and what they say. */
	unsigned chain_line, signature_line;
	unsigned chain_count;
	struct hash head;
	bool is_signed;
	unsigned char signature[SIGNATURE_LEN];
};

#endif
