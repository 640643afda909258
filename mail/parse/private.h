/*
 * private.h - what the parse*.c files share. Private to them.
 */
#ifndef MOLEPOST_MAIL_PARSE_PRIVATE_H
#define MOLEPOST_MAIL_PARSE_PRIVATE_H

#include "mail/mail.h"
#include "mail/parser.h"
#include "mail/text/charset.h"
#include "mail/text/etpan.h"
#include "mail/text/header.h"
#include "processor/base/arena.h"

enum {
	MAX_TEXTS = 8, /* of each kind */
	MAX_ENCLOSED = 8,
	MAX_ENCLOSED_DEPTH = 20, /* of parts, those of enclosed mails counted */
	BEHIND_MESSAGE = 16      /* zero bytes: libetpan looks past the end of "=X" */
};

struct parse {
	struct mail_limits limits;
	struct etpan lib;
	struct charsets *charsets;
	struct strbuf lf;            /* the mail in hand, its lines ended by LF */
	struct strbuf message;       /* what libetpan is shown */
	struct strbuf decoded, text; /* one part, on its way to text */
};

/*
 * parse_text.c: fills texts, ntexts, fault and the flags that depend on the body, and
 * attachments. `with_rest`: of a mail whose end is missing what there is, where `h` has
 * what is whole; else NULL.
 */
void parse_texts(struct parse *p, const struct header *h, const struct header *with_rest,
                 struct arena *arena, struct mail_in *out);

/* ... and what it knows of a part. */
/* A parameter of a content type without the quotes the library leaves on; "" if none. */
struct span parse_parameter(const struct mailmime_content *type, const char *name);
/* text/SUBTYPE; no Content-Type means text/plain (RFC 2045, 5.2). */
bool parse_is_text(const struct mailmime_content *type, const char *subtype);
/* What a leaf says of itself: that it is an attachment; the name of a file, "" if none. */
struct parse_use {
	bool attached;
	struct span name; /* as it stands there */
};
/* The encoding of a leaf, and what it is for. */
int parse_encoding(struct parse *p, const struct mailmime *leaf, struct parse_use *use);
/* Undoes the transfer encoding; the result borrows from the message or from p->decoded. */
struct span parse_transfer(struct parse *p, const struct mailmime_data *body, int encoding);

/*
 * parse_enclosed.c: fills enclosed and attachments; after parse_texts has set the flags.
 * `is_cut`: attachments alone, of a mail whose end is missing.
 */
void parse_enclosed(struct parse *p, const struct mailmime *root, bool is_cut,
                    struct arena *arena, struct mail_in *out);

/* parse_report.c: what the tree holds for programs, into out->report and out->flags. */
void parse_report(struct parse *p, const struct mailmime *root, struct arena *arena,
                  struct mail_in *out);
/*
 * The text of a message/delivery-status part: groups of fields with empty lines between,
 * the first about the mail, the others about one recipient each.
 */
void parse_delivery_status(struct span text, struct arena *arena, struct mail_report *out);

#endif
