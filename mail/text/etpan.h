/*
 * etpan.h - libetpan, loaded when the first mail is parsed.
 *
 * Private to mail/; nothing but etpan.c and parse*.c sees it.
 *
 * One function of the library is replaced by ours for the whole process, see
 * mailmime_extract_boundary() in etpan.c; and one charset is converted by us.
 */
#ifndef MOLEPOST_MAIL_TEXT_ETPAN_H
#define MOLEPOST_MAIL_TEXT_ETPAN_H

#include <libetpan/mailmime.h>
#include <libetpan/mailmime_content.h>

#include "processor/base/err.h"
#include "processor/base/library.h"

#define ETPAN_FUNCTIONS(X)             \
	X(mailmime_parse)              \
	X(mailmime_free)               \
	X(mailmime_single_fields_init) \
	X(mailmime_part_parse)         \
	X(mailmime_decoded_part_free)

struct etpan {
	ETPAN_FUNCTIONS(LIBRARY_MEMBER)
};

/* ERR_UNSUPPORTED: the library, or one function of it, is not there. Nothing is ever unloaded. */
enum err etpan_load(struct etpan *lib, struct failure *e) MUST_CHECK;

#endif
