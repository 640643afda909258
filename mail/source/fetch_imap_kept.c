/*
 * fetch_imap_kept.c - where the folder of handled mail lies on this server.
 *
 * Many servers let a user make folders only in a namespace of their own ("INBOX.", RFC 2342) and
 * have another separator than "/". The name in the configuration is the one a person sees.
 */
#include "mail/source/fetch_imap.h"

/* The first personal namespace; false when the server does not tell. */
static bool ask_namespace(struct fetch_job *j, struct strbuf *prefix, char *separator)
{
	struct mailimap_namespace_data *all = NULL;
	const struct mailimap_namespace_info *first = NULL;
	mailimap *imap = imap_link_of(j)->imap;

	if (!j->libs.mailimap_has_extension(imap, "NAMESPACE") ||
	    !imap_worked(j->libs.mailimap_namespace(imap, &all)) || !all)
		return false;
	if (all->ns_personal && all->ns_personal->ns_data_list &&
	    clist_begin(all->ns_personal->ns_data_list))
		first = clist_content(clist_begin(all->ns_personal->ns_data_list));
	if (first) {
		strbuf_adds(prefix, first->ns_prefix);
		*separator = first->ns_delimiter;
	}
	j->libs.mailimap_namespace_data_free(all);
	return first != NULL;
}

/* LIST "" "" names the separator and nothing else. */
static char ask_separator(struct fetch_job *j)
{
	clist *list = NULL;
	char separator = 0;

	if (!imap_worked(j->libs.mailimap_list(imap_link_of(j)->imap, "", "", &list)) || !list)
		return 0;
	if (clist_begin(list)) {
		const struct mailimap_mailbox_list *root = clist_content(clist_begin(list));

		separator = root->mb_delimiter;
	}
	j->libs.mailimap_list_result_free(list);
	return separator;
}

const char *imap_kept_name(struct fetch_job *j)
{
	struct imap_link *k = imap_link_of(j);
	struct strbuf name = STRBUF_INIT;
	char separator = 0;

	if (k->kept)
		return k->kept;
	if (!ask_namespace(j, &name, &separator))
		separator = ask_separator(j);
	if (name.len > 0 && span_starts_nocase(span_of(j->target.kept), name.ptr))
		strbuf_clear(&name);
	strbuf_adds(&name, j->target.kept);
	for (char *c = name.ptr; separator && *c; c++)
		if (*c == '/')
			*c = separator;
	k->kept = strbuf_detach(&name);
	return k->kept;
}
