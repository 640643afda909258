/*
 * date.h - the Date field of a mail (RFC 5322, section 3.3 and 4.3) as a time.
 *
 * What people's clocks say: good for telling the order in which one person wrote two mails, and
 * never for a deadline.
 */
#ifndef MOLEPOST_MAIL_TEXT_DATE_H
#define MOLEPOST_MAIL_TEXT_DATE_H

#include <stdbool.h>
#include <stdint.h>

#include "processor/base/span.h"

/*
 * "Thu, 12 Mar 2026 19:02:00 +0100 (CET)", with or without weekday, seconds and comments; the
 * zones of old (GMT, EST, PDT ...) and years of two digits too. An unknown zone counts as UTC,
 * as the RFC wants it. False for anything else, for days that do not exist, and for years before
 * 1970 or after 9999.
 */
bool date_parse(struct span field, int64_t *t_utc);

#endif
