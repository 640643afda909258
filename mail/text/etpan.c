/*
 * etpan.c - finding libetpan, and standing in for one function of it.
 */
#include "mail/text/etpan.h"

#include <dlfcn.h>
#include <libetpan/charconv.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "mail/text/charset.h"

/*
 * libetpan's hook for programs that convert charsets themselves (charconv.h). It asks for each parameter of a
 * Content-Type, from us-ascii to utf-8, and would open iconv for it, which takes as long as to parse the
 * field. All else is left to it. `to` has room for six bytes for each of ours.
 */
static int convert_ascii(const char *to_name, const char *from_name, const char *from,
                         size_t len, char *to, size_t *to_len)
{
	if (strcasecmp(to_name, "utf-8") != 0 || strcasecmp(from_name, "us-ascii") != 0 ||
	    *to_len < len || charset_ascii_length((struct span){from, len}) < len)
		return MAIL_CHARCONV_ERROR_UNKNOWN_CHARSET;
	memcpy(to, from, len);
	*to_len = len;
	return MAIL_CHARCONV_NO_ERROR;
}

typedef __typeof__(extended_charconv) convert_fn;

/*
 * RTLD_GLOBAL puts it behind the program itself in the search order, where our
 * mailmime_extract_boundary comes first.
 */
enum err etpan_load(struct etpan *lib, struct failure *e)
{
	const char *missing = NULL;
	void *handle;
	enum err rc =
	    library_open(library_etpan, "libetpan20", RTLD_NOW | RTLD_GLOBAL, &handle, e);

	memset(lib, 0, sizeof(*lib));
	if (rc != ERR_NONE)
		return rc;
	ETPAN_FUNCTIONS(LIBRARY_FIND)
	convert_fn *hook = dlsym(handle, "extended_charconv");
	if (hook) /* without it libetpan converts as it always does */
		*hook = convert_ascii;
	if (!missing)
		return ERR_NONE;
	return err_set(e, ERR_UNSUPPORTED, "%s has no function %s; version 1.9 is needed",
	               library_etpan[0], missing);
}

/*
 * Exported from the program (Makefile: EXPORTS) so that libetpan calls this one
 * in place of its own, which takes the two quotes for granted: with
 * boundary="\"" it copies a stretch of minus one bytes (fixed upstream in
 * 3f14913, not in Debian 12). Same contract: allocated, NULL when there is none.
 */
char *mailmime_extract_boundary(struct mailmime_content *content_type)
{
	clist *all = content_type->ct_parameters;

	for (clistiter *at = all ? clist_begin(all) : NULL; at; at = clist_next(at)) {
		const struct mailmime_parameter *p = clist_content(at);
		struct span value = span_of(p->pa_value);

		if (strcasecmp(p->pa_name, "boundary") != 0)
			continue;
		if (value.len >= 2 && value.ptr[0] == '"' && value.ptr[value.len - 1] == '"')
			value = span_slice(value, 1, value.len - 1);
		return value.ptr ? strndup(value.ptr, value.len) : NULL;
	}
	return NULL;
}
