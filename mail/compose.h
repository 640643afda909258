/*
 * compose.h - a mail of ours, from values to bytes.
 *
 * Pure: the same values give the same bytes. The result is RFC 5322 with LF
 * line ends, 7-bit (quoted-printable body, RFC 2047 subject), every field built from
 * checked values so that nothing from outside can add a header.
 */
#ifndef MOLEPOST_MAIL_COMPOSE_H
#define MOLEPOST_MAIL_COMPOSE_H

#include <stdbool.h>
#include <stdint.h>

#include "processor/base/err.h"
#include "processor/base/span.h"
#include "processor/base/strbuf.h"

struct compose {
	const char *from_name;    /* "Molepost" */
	const char *from_address; /* "moles@example.org" */
	struct span to;           /* one checked address */
	struct span subject;      /* UTF-8 */
	int64_t date_utc;
	const char *message_id;  /* with <> */
	struct span in_reply_to; /* id with <>, or empty; dropped when malformed */
	struct span references;  /* ids with blanks between, or empty; malformed ones dropped */
	const char *reply_to;    /* address with the token, or NULL */
	const char *unsubscribe; /* the line that stops such mails: List-Unsubscribe; or NULL */
	bool replied;            /* Auto-Submitted: auto-replied, else auto-generated */
	const char *instance;    /* X-Molepost-Instance */
	struct span text;        /* the body, UTF-8, LF; a line that ends in a blank goes on */
	bool ascii;              /* write the body in plain ASCII instead of UTF-8 */
};

void mail_compose(const struct compose *c, struct strbuf *out);
/*
 * Appends the body of a message that mail_compose made (no other), decoded, without what
 * mail_add_parts added. False when it is none. For repeating a mail.
 */
bool mail_read_back(struct span message, struct strbuf *text) MUST_CHECK;

/*
 * The same for the first file that mail_add_parts put beside it, unless that was packed; appends nothing when
 * there is none.
 */
void mail_read_file(struct span message, struct strbuf *text);
/* The same for its subject. */
void mail_read_subject(struct span message, struct strbuf *subject);

/* A file that goes with a mail. */
struct mail_file {
	const char *name;  /* "W1-replay.html": letters, digits, '-', '.' */
	const char *type;  /* "text/html; charset=utf-8" */
	struct span bytes; /* one over MAIL_PACK_ABOVE goes as NAME.gz */
};
enum { MAIL_PACK_ABOVE = 200 * 1024 };
/* The other form of a mail's text. */
struct mail_page {
	struct span html;       /* empty: none */
	struct span picture;    /* PNG, which it names as cid:PICTURE_ID; empty: none */
	struct span picture_id; /* as in a Message-ID, without <> */
};
/*
 * A message that mail_compose made, with files or without, with `page` as the other form of its text, and n files more.
 * mail_read_back still finds the text: it is the first part.
 */
void mail_add_parts(struct span message, const struct mail_page *page,
                    const struct mail_file *files, size_t n, struct strbuf *out);

/*
 * Text, LF, in lines of at most 76 bytes; no line begins with a dot or "From ", which a mailbox or a
 * server on the way would change.
 */
void quoted_printable_add(struct strbuf *out, struct span text);

#endif
