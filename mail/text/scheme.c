/*
 * scheme.c - which driver a URL asks for.
 */
#include "mail/text/scheme.h"

enum err scheme_find(const char *url, const char *what, const char *const *known, size_t n,
                     size_t *which, const char **rest, struct failure *e)
{
	size_t colon = span_find_char(span_of(url), ':');
	struct strbuf list = STRBUF_INIT;
	enum err r;
	size_t i;

	for (i = 0; i < n; i++) {
		if (url[colon] == ':' &&
		    span_eq_str(span_slice(span_of(url), 0, colon), known[i])) {
			*which = i;
			*rest = url + colon + 1;
			strbuf_release(&list);
			return ERR_NONE;
		}
		strbuf_addf(&list, "%s%s:", i ? ", " : "", known[i]);
	}
	r = err_set(e, ERR_CONFIG, "%s %s: it must begin with one of %s", what, url, list.ptr);
	strbuf_release(&list);
	return r;
}
