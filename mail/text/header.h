/*
 * header.h - the header block of a message, as a list of fields.
 *
 * Split by our own few lines and not by libetpan, since the limits, duplicates
 * and trace fields are about the bytes as they came. Everything later, libetpan
 * included, sees only what this module found, so no two readers can disagree
 * about where the header ends or which field counts. Private to mail/.
 *
 * Trusts nothing: any bytes, CRLF or LF.
 */
#ifndef MOLEPOST_MAIL_TEXT_HEADER_H
#define MOLEPOST_MAIL_TEXT_HEADER_H

#include <stdbool.h>
#include <stddef.h>

#include "mail/mail.h"
#include "processor/base/arena.h"
#include "processor/base/span.h"

enum { HEADER_MAX_BYTES = 64 * 1024, HEADER_MAX_FIELDS = 500 };

struct header_field {
	struct span name;  /* without blanks and colon */
	struct span value; /* as it stands, folded, ends trimmed */
};

struct header {
	struct header_field *fields;
	size_t count;
	size_t len; /* bytes of the block, each CRLF counted as one, the empty line excluded */
	struct span body; /* behind the empty line */
	/* MAIL_OK or MAIL_HEADER_TOO_LARGE; the fields up to there are kept. */
	enum mail_fault fault;
};

/* The fields borrow from raw, the array lives in the arena. */
void header_split(struct span raw, struct arena *arena, struct header *out);
/* raw without the "From " line a mailbox file puts in front of a message. */
struct span header_skip_mbox_line(struct span raw);
/* One line, every control byte and fold a blank; in the arena. */
struct span header_unfold(struct span value, struct arena *arena);
/* The first field of that name, in any case, unfolded; empty when there is none. */
struct span header_value(const struct header *h, const char *name, struct arena *arena);
/* How many fields have that name. */
size_t header_count(const struct header *h, const char *name);
/* Received, Delivered-To and kin: added on the way, different at each delivery. */
bool header_is_trace(struct span name);

#endif
