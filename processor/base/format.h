/*
 * format.h - the few conversions nearly all our texts are made of, without printf.
 *
 * Reports, receipts and the strings that are hashed take dozens of small formats per mail; printf spends
 * more on getting ready than on the digits. Private to strbuf.c.
 */
#ifndef MOLEPOST_BASE_FORMAT_H
#define MOLEPOST_BASE_FORMAT_H

#include <stdarg.h>
#include <stdbool.h>

#include "processor/base/strbuf.h"

/* Whether the format holds nothing but %% %c %s %.*s and %d %u %lld %llu %zu, those with %02u-like zeros. */
bool format_is_simple(const char *fmt);
/* As vsnprintf, for simple formats. */
void format_add(struct strbuf *out, const char *fmt, va_list ap);

#endif
