/*
 * parse.h - from raw bytes to a struct mail_in, in this process.
 *
 * What the parsing child does for a living; nothing else in the program calls it but
 * fuzzers and benchmarks, through parser_parse_here(). Private to mail/.
 *
 * Trusts nothing but that the header is within its limits and has no doubled field, which the program sees to
 * (text/header_facts.h). Sizes, counts and forbidden bytes (struct mail_limits, NUL, lone CR) are checked here
 * before libetpan sees a byte. Afterwards every span of the result is
 * well-formed UTF-8 without control characters (texts: but tab, LF, FF).
 */
#ifndef MOLEPOST_MAIL_PARSE_PARSE_H
#define MOLEPOST_MAIL_PARSE_PARSE_H

#include "mail/parser.h"
#include "processor/base/arena.h"
#include "processor/base/err.h"

/* The library, open charset conversions and buffers: made once, used for many mails. */
struct parse;

/* ERR_UNSUPPORTED: no libetpan. *out is NULL then. The limits are copied. */
enum err parse_new(const struct mail_limits *limits, struct parse **out,
                   struct failure *e) MUST_CHECK;
void parse_free(struct parse *p);
/* All charsets at once, which takes 2 ms, for a process that will not be able to open files. */
void parse_open_charsets(struct parse *p);

/*
 * Adds to *out what is below the header, and its fault; reads subject and display name in all charsets.
 * Everything lives in `arena`. `is_cut`: raw is only the beginning of a mail that is too large; the texts
 * that are whole are read, with the flag MAIL_TEXT_CUT; where there is none the fault is MAIL_TOO_LARGE.
 */
void parse_mail(struct parse *p, struct span raw, bool is_cut, struct arena *arena,
                struct mail_in *out);

/* The limits as the child is given them, a list of numbers; false: it is no such list. */
void parser_write_limits(const struct parser_limits *l, struct strbuf *out);
bool parser_read_limits(struct span text, struct parser_limits *out);

#endif
