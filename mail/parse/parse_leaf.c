/*
 * parse_leaf.c - one part of a mail that has no parts of its own: its type, use and encoding.
 */

#include <string.h>

#include "mail/parse/private.h"

struct span parse_parameter(const struct mailmime_content *type, const char *name)
{
	clistiter *at;

	if (!type || !type->ct_parameters)
		return SPAN_EMPTY;
	for (at = clist_begin(type->ct_parameters); at; at = clist_next(at)) {
		const struct mailmime_parameter *param = clist_content(at);
		struct span value = span_of(param->pa_value);

		if (strcasecmp(param->pa_name, name) != 0)
			continue;
		if (value.len >= 2 && value.ptr[0] == '"' && value.ptr[value.len - 1] == '"')
			value = span_slice(value, 1, value.len - 1);
		return span_trim(value);
	}
	return SPAN_EMPTY;
}

bool parse_is_text(const struct mailmime_content *type, const char *subtype)
{
	if (!type)
		return strcmp(subtype, "plain") == 0;
	return type->ct_type->tp_type == MAILMIME_TYPE_DISCRETE_TYPE &&
	       type->ct_type->tp_data.tp_discrete_type->dt_type ==
	           MAILMIME_DISCRETE_TYPE_TEXT &&
	       strcasecmp(type->ct_subtype, subtype) == 0;
}

struct span parse_transfer(struct parse *p, const struct mailmime_data *body, int encoding)
{
	struct span data = {body->dt_data.dt_text.dt_data, body->dt_data.dt_text.dt_length};
	char *result = NULL;
	size_t at = 0, len = 0;

	if (encoding != MAILMIME_MECHANISM_BASE64 &&
	    encoding != MAILMIME_MECHANISM_QUOTED_PRINTABLE)
		return data;
	strbuf_clear(&p->decoded);
	if (p->lib.mailmime_part_parse(data.ptr, data.len, &at, encoding, &result, &len) !=
	    MAILIMF_NO_ERROR)
		return SPAN_EMPTY;
	strbuf_add(&p->decoded, result, len);
	p->lib.mailmime_decoded_part_free(result);
	return strbuf_span(&p->decoded);
}

int parse_encoding(struct parse *p, const struct mailmime *leaf, struct parse_use *use)
{
	struct mailmime_single_fields f;
	int encoding = leaf->mm_data.mm_single->dt_encoding;

	memset(&f, 0, sizeof(f));
	if (leaf->mm_mime_fields)
		p->lib.mailmime_single_fields_init(&f, leaf->mm_mime_fields,
		                                   leaf->mm_content_type);
	use->attached = f.fld_disposition && f.fld_disposition->dsp_type->dsp_type !=
	                                         MAILMIME_DISPOSITION_TYPE_INLINE;
	use->named = f.fld_disposition_filename ||
	             parse_parameter(leaf->mm_content_type, "name").len > 0;
	return f.fld_encoding ? f.fld_encoding->enc_type : encoding;
}
