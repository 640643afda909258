/*
 * fetch_imap_move.c - handled mail: out of the mailbox, and later for good.
 */
#include "mail/source/fetch_imap.h"

/* ---- where the folder of handled mail lies on this server ---- */

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

/*
 * Many servers let a user make folders only in a namespace of their own ("INBOX.", RFC 2342) and have another
 * separator than "/". The name in the configuration is the one a person sees.
 */
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

/* ---- out of the mailbox ---- */

static void add_set(struct strbuf *out, const struct mailimap_set *set)
{
	struct strbuf text = STRBUF_INIT;
	clistiter *at;

	for (at = clist_begin(set->set_list); at; at = clist_next(at)) {
		const struct mailimap_set_item *item = clist_content(at);

		strbuf_addf(&text, "%s%u:%u", text.len > 0 ? "," : "",
		            (unsigned)item->set_first, (unsigned)item->set_last);
	}
	packet_add_span(out, strbuf_span(&text));
	strbuf_release(&text);
}

/* COPYUID: where the mails lie now. */
struct moved {
	uint32_t validity;
	struct mailimap_set *from, *to;
};

static void send_moved(struct fetch_job *j, const struct moved *m)
{
	if (!m->from || !m->to)
		return;
	packet_add_u32(&j->out, m->validity);
	add_set(&j->out, m->from);
	add_set(&j->out, m->to);
	fetch_send_out(j, FETCH_MOVED);
}

static void moved_release(struct fetch_job *j, struct moved *m)
{
	if (m->from)
		j->libs.mailimap_set_free(m->from);
	if (m->to)
		j->libs.mailimap_set_free(m->to);
	*m = (struct moved){0};
}

static int carry_over(struct fetch_job *j, struct mailimap_set *set, struct moved *m)
{
	const struct imap_link *k = imap_link_of(j);
	const char *kept = imap_kept_name(j);

	moved_release(j, m);
	if (k->can_move)
		return j->libs.mailimap_uidplus_uid_move(k->imap, set, kept, &m->validity,
		                                         &m->from, &m->to);
	return j->libs.mailimap_uidplus_uid_copy(k->imap, set, kept, &m->validity, &m->from,
	                                         &m->to);
}

/* UID EXPUNGE only: the bare one would also remove what others have marked. */
static int remove_mails(struct fetch_job *j, struct mailimap_set *set)
{
	const struct net_libs *l = &j->libs;
	struct mailimap_flag_list *flags = l->mailimap_flag_list_new_empty();
	struct mailimap_store_att_flags *store;
	int r;

	l->mailimap_flag_list_add(flags, l->mailimap_flag_new_deleted());
	store = l->mailimap_store_att_flags_new_add_flags_silent(flags);
	r = l->mailimap_uid_store(imap_link_of(j)->imap, set, store);
	if (imap_worked(r))
		r = l->mailimap_uid_expunge(imap_link_of(j)->imap, set);
	l->mailimap_store_att_flags_free(store);
	return r;
}

static enum err move_set(struct fetch_job *j, struct mailimap_set *set)
{
	struct moved m = {0};
	int r = carry_over(j, set, &m);

	if (!imap_worked(r) && !imap_is_lost(r)) {
		mailimap *imap = imap_link_of(j)->imap;
		const char *name = imap_kept_name(j);

		/* Subscribing is a favour to mail programs that show nothing else. */
		if (imap_worked(j->libs.mailimap_create(imap, name)))
			j->libs.mailimap_subscribe(imap, name);
		r = carry_over(j, set, &m);
	}
	if (imap_worked(r)) {
		send_moved(j, &m);
		if (!imap_link_of(j)->can_move)
			r = remove_mails(j, set);
	}
	moved_release(j, &m);
	return imap_worked(r) ? ERR_NONE
	                      : imap_failed(j, r, ERR_INVALID, "moving handled mail away");
}

static enum err with_set(struct fetch_job *j, struct span names,
                         enum err (*act)(struct fetch_job *, struct mailimap_set *))
{
	struct uid_set set = UID_SET_INIT;
	struct mailimap_set *s = NULL;
	enum err r = ERR_NONE;

	if (!uid_set_read(&set, names) || set.n == 0)
		r = err_set(&j->fail, ERR_INVALID, "no set of UIDs");
	if (r == ERR_NONE) {
		s = imap_set_of(j, &set);
		r = act(j, s);
		j->libs.mailimap_set_free(s);
	}
	uid_set_release(&set);
	return r;
}

enum err imap_settle(struct fetch_job *j, uint32_t validity, struct span names)
{
	const struct imap_link *k = imap_link_of(j);
	bool can = k->can_move || k->has_uidplus;
	enum err r = can ? imap_select_folder(j, FETCH_INBOX) : ERR_NONE;

	if (r == ERR_NONE && can && imap_validity(j) == validity)
		r = with_set(j, names, move_set);
	if (r == ERR_NONE)
		packet_add_u32(&j->out, can);
	return r;
}

static enum err purge_set(struct fetch_job *j, struct mailimap_set *set)
{
	int r = remove_mails(j, set);

	return imap_worked(r) ? ERR_NONE : imap_failed(j, r, ERR_INVALID, "removing kept mail");
}

/* A folder that was made anew holds other mails under these numbers. */
enum err imap_purge(struct fetch_job *j, uint32_t validity, struct span names)
{
	enum err r = imap_select_folder(j, FETCH_KEPT);

	if (r == ERR_NOT_FOUND)
		return ERR_NONE;
	if (r != ERR_NONE || imap_validity(j) != validity || !imap_link_of(j)->has_uidplus)
		return r;
	return with_set(j, names, purge_set);
}
