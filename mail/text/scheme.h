/*
 * scheme.h - "maildir:DIR" and its kin. Private to mail/.
 */
#ifndef MOLEPOST_MAIL_TEXT_SCHEME_H
#define MOLEPOST_MAIL_TEXT_SCHEME_H

#include <stddef.h>

#include "processor/base/err.h"
#include "processor/base/strbuf.h"

/*
 * Finds the scheme of `url` among `known`; *rest is what follows the colon. `what` names the
 * kind of URL in the error ("mail source"). ERR_CONFIG lists the known ones.
 */
enum err scheme_find(const char *url, const char *what, const char *const *known, size_t n,
                     size_t *which, const char **rest, struct failure *e) MUST_CHECK;

#endif
