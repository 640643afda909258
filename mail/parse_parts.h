/*
 * parse_parts.h - what the parse*.c files share. Private to them.
 */
#ifndef MOLEPOST_MAIL_PARSE_PARTS_H
#define MOLEPOST_MAIL_PARSE_PARTS_H

#include "mail/charset.h"
#include "mail/etpan.h"
#include "mail/header.h"
#include "mail/mail.h"
#include "mail/parser.h"
#include "processor/base/arena.h"

enum {
	MAX_TEXTS = 8,       /* of each kind */
	MAX_RECIPIENTS = 50, /* kept of those that are counted */
	MAX_REFERENCES = 50,
	BEHIND_MESSAGE = 16 /* zero bytes: libetpan looks past the end of "=X" */
};

struct parse {
	struct mail_limits limits;
	struct etpan lib;
	struct charsets *charsets;
	struct strbuf message;       /* what libetpan is shown */
	struct strbuf decoded, text; /* one part, on its way to text */
};

/* parse_limits.c: the limits as the child is given them, a list of numbers. */
void parser_write_limits(const struct parser_limits *l, struct strbuf *out);
bool parser_read_limits(struct span text, struct parser_limits *out);

/* parse_header.c: flags, addresses, ids, subject. Also finds doubled fields. */
void parse_header(struct parse *p, const struct header *h, struct arena *arena,
                  struct mail_in *out);
/* The first field of that name, unfolded; empty when there is none. */
struct span parse_field(const struct header *h, const char *name, struct arena *arena);

/* parse_words.c: RFC 2047 decoded, one clean line; in the arena. */
struct span parse_words(struct parse *p, struct span value, struct arena *arena);

/* parse_text.c: fills texts, ntexts, fault and the flags that depend on the body. */
void parse_texts(struct parse *p, const struct header *h, struct arena *arena,
                 struct mail_in *out);

#endif
