/*
 * programs.h - a reply as the mail programs of different people write it, for benches and counts.
 *
 * Two sets. The usual programs are what people have: of ten replies three come from Gmail in a
 * browser, two each from an Apple phone and from Outlook, one each from an Android phone, Thunderbird
 * and mutt, each with the header fields that it and the servers on its way are known to add. The
 * shares follow what 11,000 mails to an open list of users showed: four of five carry HTML beside the
 * text, one in seven is base64 in part, and 3.6 in a hundred are larger than 256 KB, for a picture
 * that came along; a firm's logo stands below half of those from Outlook. Without pictures a mail has
 * 11 KB, with them 25 KB on average. The lean programs are the least that a reply can be: four
 * encodings of the same text below one short header, 5 KB.
 */
#ifndef MOLEPOST_TESTS_PROGRAMS_H
#define MOLEPOST_TESTS_PROGRAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "processor/base/strbuf.h"

/* What one reply is made of. All borrowed. */
struct reply {
	unsigned n; /* of all mails: picks the program, makes ids differ */
	struct span from, to, subject, answers;
	struct span orders, report; /* as written, and the text that is quoted below; LF */
	int64_t date_utc;
	bool no_pictures;
};

/* Appends the mail with LF line ends. */
typedef void programs_add_fn(struct strbuf *out, const struct reply *r);

programs_add_fn programs_add_usual, programs_add_lean;
/* The usual programs, and nobody sends a picture. */
programs_add_fn programs_add_written;

#endif
