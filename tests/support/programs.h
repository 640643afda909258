/*
 * programs.h - a reply as the mail programs of different people write it, for benches and counts.
 *
 * Two sets. The usual programs are what people have: of ten replies three come from Gmail in a
 * browser, two each from an Apple phone and from Outlook, one each from an Android phone,
 * Thunderbird and mutt. So eight of ten carry HTML beside the text and one of ten is base64, about the
 * shares that an open mailing list of users shows, and each brings the header fields that it and the
 * servers on its way are known to add; 11 KB on average. The lean programs are the least that a mail
 * can be: four encodings of the same text below one short header, 4.6 KB.
 */
#ifndef MOLEPOST_TESTS_PROGRAMS_H
#define MOLEPOST_TESTS_PROGRAMS_H

#include <stdint.h>

#include "processor/base/strbuf.h"

/* What one reply is made of. All borrowed. */
struct reply {
	unsigned n; /* of all mails: picks the program, makes ids differ */
	struct span from, to, subject, answers;
	struct span orders, report; /* as written, and the text that is quoted below; LF */
	int64_t date_utc;
};

/* Appends the mail with LF line ends. */
typedef void programs_add_fn(struct strbuf *out, const struct reply *r);

programs_add_fn programs_add_usual, programs_add_lean;

#endif
