/*
 * base64.c - three bytes as four letters.
 */
#include "mail/text/base64.h"

#include <sodium.h>

void base64_add(struct strbuf *out, struct span bytes)
{
	size_t room = sodium_base64_encoded_len(bytes.len, sodium_base64_VARIANT_ORIGINAL);

	strbuf_grow(out, room);
	sodium_bin2base64(out->ptr + out->len, room, (const unsigned char *)bytes.ptr,
	                  bytes.len, sodium_base64_VARIANT_ORIGINAL);
	out->len += room - 1; /* its NUL is ours */
}
