/*
 * fetch_imap.c - IMAP as the fetching child speaks it (RFC 3501, 4315, 6851).
 *
 * Mails are known by UID and fetched with BODY.PEEK[], so that nothing is marked as read. A
 * large mailbox is listed in windows; that and the size of the sets of mails asked for bound
 * the memory, since libetpan hands over an answer only when all of it is there.
 */
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "mail/source/fetch_private.h"
#include "mail/text/uid_set.h"
#include "processor/base/clock.h"
#include "processor/base/seal.h"

enum { WINDOW = 4096 }; /* mails in one listing */

struct imap_link {
	mailimap *imap;
	enum fetch_folder selected;
	bool is_selected, listed; /* listed: since it was selected */
	bool can_move, has_uidplus;
	char *kept; /* the full name of the folder of handled mail; NULL: not asked yet */
};

static struct imap_link *link_of(struct fetch_job *j)
{
	return j->link;
}

/* Of what libetpan's functions return. */
static bool worked(int r)
{
	return r == MAILIMAP_NO_ERROR || r == MAILIMAP_NO_ERROR_AUTHENTICATED ||
	       r == MAILIMAP_NO_ERROR_NON_AUTHENTICATED;
}

/* The connection is of no more use. */
static bool is_lost(int r)
{
	return r == MAILIMAP_ERROR_STREAM || r == MAILIMAP_ERROR_PARSE ||
	       r == MAILIMAP_ERROR_PROTOCOL || r == MAILIMAP_ERROR_MEMORY;
}

/* Of the folder that is selected. */
static uint32_t validity_now(const struct fetch_job *j)
{
	const struct imap_link *k = j->link;

	return k->imap->imap_selection_info->sel_uidvalidity;
}

/* What to say of a command that did not work; `refused`: what it means when the server says no. */
static enum err failed(struct fetch_job *j, int r, enum err refused, const char *what)
{
	if (r == MAILIMAP_ERROR_STREAM) {
		curl_stream_why(j->stream, &j->fail);
	} else if (is_lost(r)) {
		err_set(&j->fail, ERR_IO, "the server's answer was not understood");
	} else {
		err_set(&j->fail, refused, "the server refuses");
		fetch_add_answer(j, link_of(j)->imap->imap_response);
	}
	return err_context(&j->fail, "%s", what);
}

/* ---- where the folder of handled mail lies on this server ---- */

/*
 * Asked once. Many servers let a user make folders only in a namespace of their own ("INBOX.", RFC
 * 2342) and have another separator than "/". The name in the configuration is the one people see.
 */
static const char *kept_name(struct fetch_job *j)
{
	struct imap_link *k = link_of(j);
	struct mailimap_namespace_data *all = NULL;
	const struct mailimap_namespace_info *personal = NULL;
	const struct mailimap_mailbox_list *root = NULL;
	struct strbuf name = STRBUF_INIT;
	char separator = 0;
	clist *list = NULL;

	if (k->kept)
		return k->kept;
	if (j->libs.mailimap_has_extension(k->imap, "NAMESPACE") &&
	    worked(j->libs.mailimap_namespace(k->imap, &all)) && all && all->ns_personal &&
	    all->ns_personal->ns_data_list && clist_begin(all->ns_personal->ns_data_list))
		personal = clist_content(clist_begin(all->ns_personal->ns_data_list));
	/* Else LIST "" "" names the separator and nothing else. */
	if (!personal && worked(j->libs.mailimap_list(k->imap, "", "", &list)) && list &&
	    clist_begin(list))
		root = clist_content(clist_begin(list));
	if (personal)
		strbuf_adds(&name, personal->ns_prefix);
	separator = personal ? personal->ns_delimiter : root ? root->mb_delimiter : 0;
	if (all)
		j->libs.mailimap_namespace_data_free(all);
	if (list)
		j->libs.mailimap_list_result_free(list);
	if (name.len > 0 && span_starts_nocase(span_of(j->target.kept), name.ptr))
		strbuf_clear(&name);
	strbuf_adds(&name, j->target.kept);
	for (char *c = name.ptr; separator && *c; c++)
		if (*c == '/')
			*c = separator;
	k->kept = strbuf_detach(&name);
	return k->kept;
}

/* ---- logging in ---- */

/* Whether the server offers only the standard's way to log in with a token. */
static bool wants_standard(struct fetch_job *j)
{
	struct mailimap_capability_data *caps = NULL;
	bool offers[2] = {false, false};

	if (!worked(j->libs.mailimap_capability(link_of(j)->imap, &caps)))
		return false;
	for (const clistiter *i = clist_begin(caps->cap_list); i; i = clist_next(i)) {
		const struct mailimap_capability *c = clist_content(i);
		struct span name = span_of(c->cap_type == MAILIMAP_CAPABILITY_AUTH_TYPE
		                               ? c->cap_data.cap_auth_type
		                               : NULL);

		offers[0] = offers[0] || span_eq_nocase(name, "XOAUTH2");
		offers[1] = offers[1] || span_eq_nocase(name, "OAUTHBEARER");
	}
	j->libs.mailimap_capability_data_free(caps);
	return offers[1] && !offers[0];
}

/* libetpan knows the older way only. A token that is not wanted leads to a challenge (RFC 7628, 3.2.3). */
static int log_in_by_standard(struct fetch_job *j)
{
	static const char has_read[] = "AQ==\r\n";
	mailimap *imap = link_of(j)->imap;
	struct mailimap_response *response = NULL;
	struct strbuf line = STRBUF_INIT;
	int r = j->libs.mailimap_send_current_tag(imap);

	strbuf_grow(
	    &line,
	    2 * (strlen(j->target.user) + strlen(j->target.host) + j->target.secret.len) + 256);
	strbuf_adds(&line, "AUTHENTICATE OAUTHBEARER ");
	bearer_add(&line, &j->target, true);
	strbuf_adds(&line, "\r\n");
	if (r == MAILIMAP_NO_ERROR &&
	    (j->libs.mailstream_write(imap->imap_stream, line.ptr, line.len) < 0 ||
	     j->libs.mailstream_flush(imap->imap_stream) < 0 ||
	     !j->libs.mailimap_read_line(imap)))
		r = MAILIMAP_ERROR_STREAM;
	secret_release(&line);
	if (r == MAILIMAP_NO_ERROR && imap->imap_stream_buffer->str[0] == '+' &&
	    (j->libs.mailstream_write(imap->imap_stream, has_read, strlen(has_read)) < 0 ||
	     j->libs.mailstream_flush(imap->imap_stream) < 0 ||
	     !j->libs.mailimap_read_line(imap)))
		r = MAILIMAP_ERROR_STREAM;
	if (r == MAILIMAP_NO_ERROR)
		r = j->libs.mailimap_parse_response(imap, &response);
	if (r != MAILIMAP_NO_ERROR)
		return r;
	bool ok = response->rsp_resp_done->rsp_type == MAILIMAP_RESP_DONE_TYPE_TAGGED &&
	          response->rsp_resp_done->rsp_data.rsp_tagged->rsp_cond_state->rsp_type ==
	              MAILIMAP_RESP_COND_STATE_OK;
	j->libs.mailimap_response_free(response);
	if (ok)
		imap->imap_state = MAILIMAP_STATE_AUTHENTICATED;
	return ok ? MAILIMAP_NO_ERROR : MAILIMAP_ERROR_LOGIN;
}

static enum err log_in(struct fetch_job *j)
{
	const struct fetch_target *t = &j->target;
	mailimap *imap = link_of(j)->imap;
	int r;

	if (t->is_token && wants_standard(j))
		r = log_in_by_standard(j);
	else if (t->is_token)
		r = j->libs.mailimap_oauth2_authenticate(imap, t->user, t->secret.ptr);
	else
		r = j->libs.mailimap_login(imap, t->user, t->secret.ptr);
	if (worked(r))
		return ERR_NONE;
	return failed(j, r, ERR_DENIED,
	              t->is_token ? "logging in with the token" : "logging in");
}

/* ERR_NOT_FOUND: there is no such folder. */
static enum err select_folder(struct fetch_job *j, enum fetch_folder folder)
{
	struct imap_link *k = link_of(j);
	const char *name = folder == FETCH_INBOX ? j->target.mailbox : kept_name(j);
	int r;

	if (k->is_selected && k->selected == folder)
		return ERR_NONE;
	k->is_selected = k->listed = false;
	r = j->libs.mailimap_select(k->imap, name);
	if (!worked(r))
		return failed(j, r, ERR_NOT_FOUND, name);
	k->is_selected = true;
	k->selected = folder;
	return ERR_NONE;
}

static enum err imap_open(struct fetch_job *j)
{
	struct imap_link *k = xcalloc(1, sizeof(*k));

	j->link = k;
	k->imap = j->libs.mailimap_new(0, NULL);
	enum err r = fetch_connect(j);
	if (r == ERR_NONE) {
		int got = j->libs.mailimap_connect(k->imap, curl_stream_etpan(j->stream));
		if (got != MAILIMAP_NO_ERROR_AUTHENTICATED)
			r = worked(got) ? log_in(j) : failed(j, got, ERR_IO, "greeting");
	}
	secret_release(&j->target.secret);
	TRY(r);
	/* Servers usually say what they can in the answer to the login; else they are asked. */
	if (j->target.is_token || !k->imap->imap_connection_info ||
	    !k->imap->imap_connection_info->imap_capability) {
		struct mailimap_capability_data *caps = NULL;

		int got = j->libs.mailimap_capability(k->imap, &caps);
		if (!worked(got))
			return failed(j, got, ERR_IO, "asking what the server can do");
		j->libs.mailimap_capability_data_free(caps);
	}
	k->can_move = j->libs.mailimap_has_extension(k->imap, "MOVE") != 0;
	k->has_uidplus = j->libs.mailimap_has_uidplus(k->imap) != 0;
	TRY(select_folder(j, FETCH_INBOX));
	if (validity_now(j) == 0)
		return err_set(&j->fail, ERR_UNSUPPORTED,
		               "the server gives mails no lasting numbers (UIDVALIDITY)");
	packet_add_u32(&j->out, validity_now(j));
	packet_add_u32(&j->out, k->can_move || k->has_uidplus);
	packet_add_u32(&j->out, k->imap->imap_selection_info->sel_exists);
	packet_add_u32(&j->out, k->imap->imap_selection_info->sel_uidnext);
	return ERR_NONE;
}

static void imap_close(struct fetch_job *j)
{
	struct imap_link *k = link_of(j);

	if (k->is_selected)
		j->libs.mailimap_logout(k->imap);
	j->libs.mailimap_free(k->imap);
	free(k->kept);
	free(k);
	j->link = NULL;
}

/* ---- listing ---- */

static int64_t utc_of(const struct mailimap_date_time *d)
{
	struct utc_time t = {.year = d->dt_year,
	                     .month = d->dt_month,
	                     .day = d->dt_day,
	                     .hour = d->dt_hour,
	                     .minute = d->dt_min,
	                     .second = d->dt_sec};

	return utc_join(&t) - (d->dt_zone / 100 * 60 + d->dt_zone % 100) * INT64_C(60);
}

/* What a FETCH answer says of one mail. */
struct fetched {
	uint32_t uid;
	size_t size;
	int64_t arrived_utc;
	struct span body;
	bool has_body;
};

static struct fetched read_answer(const struct mailimap_msg_att *mail)
{
	struct fetched out = {0};

	for (clistiter *at = clist_begin(mail->att_list); at; at = clist_next(at)) {
		const struct mailimap_msg_att_item *any = clist_content(at);
		const struct mailimap_msg_att_static *item = any->att_data.att_static;

		if (any->att_type != MAILIMAP_MSG_ATT_ITEM_STATIC)
			continue;
		if (item->att_type == MAILIMAP_MSG_ATT_UID)
			out.uid = item->att_data.att_uid;
		else if (item->att_type == MAILIMAP_MSG_ATT_RFC822_SIZE)
			out.size = item->att_data.att_rfc822_size;
		else if (item->att_type == MAILIMAP_MSG_ATT_INTERNALDATE)
			out.arrived_utc = utc_of(item->att_data.att_internal_date);
		else if (item->att_type == MAILIMAP_MSG_ATT_BODY_SECTION) {
			const struct mailimap_msg_att_body_section *section =
			    item->att_data.att_body_section;

			out.has_body = section->sec_body_part != NULL;
			out.body = (struct span){section->sec_body_part, section->sec_length};
		}
	}
	return out;
}

static struct mailimap_set *set_of(struct fetch_job *j, const struct uid_set *set)
{
	struct mailimap_set *s = j->libs.mailimap_set_new_empty();

	ENSURE(s);
	for (size_t i = 0; i < set->n; i++)
		if (j->libs.mailimap_set_add_interval(s, set->items[i].first,
		                                      set->items[i].last) != 0)
			BUG("no memory");
	return s;
}

struct listing_pass {
	uint32_t first, max, sent;
	bool sizes, overflowed;
};

/* "first:*" also gives the last mail when its UID is lower (RFC 3501, 6.4.8). */
static void send_entries(struct fetch_job *j, clist *result, struct listing_pass *p)
{
	struct strbuf name = STRBUF_INIT;

	for (clistiter *at = clist_begin(result); at; at = clist_next(at)) {
		struct fetched f = read_answer(clist_content(at));

		if (f.uid < p->first || f.uid == 0)
			continue;
		p->overflowed = p->sent == p->max;
		if (p->overflowed)
			break;
		strbuf_clear(&name);
		strbuf_addf(&name, "%u", (unsigned)f.uid);
		fetch_send_entry(j, strbuf_span(&name), f.size, f.arrived_utc, f.uid);
		p->sent++;
	}
	strbuf_release(&name);
}

static enum err list_set(struct fetch_job *j, const struct uid_set *set, bool by_uid,
                         struct listing_pass *p)
{
	const struct net_libs *l = &j->libs;
	struct mailimap_fetch_type *type = l->mailimap_fetch_type_new_fetch_att_list_empty();
	struct mailimap_set *s = set_of(j, set);
	clist *result = NULL;

	l->mailimap_fetch_type_new_fetch_att_list_add(type, l->mailimap_fetch_att_new_uid());
	if (p->sizes)
		l->mailimap_fetch_type_new_fetch_att_list_add(
		    type, l->mailimap_fetch_att_new_rfc822_size());
	l->mailimap_fetch_type_new_fetch_att_list_add(type,
	                                              l->mailimap_fetch_att_new_internaldate());
	int r = by_uid ? l->mailimap_uid_fetch(link_of(j)->imap, s, type, &result)
	               : l->mailimap_fetch(link_of(j)->imap, s, type, &result);
	l->mailimap_set_free(s);
	l->mailimap_fetch_type_free(type);
	if (worked(r) && result)
		send_entries(j, result, p);
	fetch_send_now(j);
	if (result)
		j->libs.mailimap_fetch_list_free(result);
	return worked(r) ? ERR_NONE : failed(j, r, ERR_IO, "listing the mailbox");
}

static enum err list_window(struct fetch_job *j, uint32_t first, uint32_t last, bool by_uid,
                            struct listing_pass *p)
{
	struct uid_set set = UID_SET_INIT;
	enum err r;

	uid_set_add_range(&set, first, last);
	r = list_set(j, &set, by_uid, p);
	uid_set_release(&set);
	return r;
}

/*
 * The mails from UID `first` on. Windows of UIDs as long as those are dense, as they are in
 * every mailbox met; else of message numbers, of which there is one per mail.
 */
static enum err list_windows(struct fetch_job *j, struct listing_pass *p)
{
	const struct mailimap_selection_info *info = link_of(j)->imap->imap_selection_info;
	uint32_t exists = info->sel_exists, end = info->sel_uidnext, at = p->first;
	bool by_uid = end > 0 && (end <= at || (end - at) / WINDOW <= exists / WINDOW);
	enum err r = ERR_NONE;

	if (!by_uid) {
		at = 1;
		end = exists + 1;
	}
	/* The last window is open: mail that came after the mailbox was opened counts too. */
	while (exists > 0 && r == ERR_NONE && !p->overflowed && end > at && end - at > WINDOW) {
		r = list_window(j, at, at + WINDOW - 1, by_uid, p);
		at += WINDOW;
	}
	if (exists > 0 && r == ERR_NONE && !p->overflowed && (by_uid || at <= exists))
		r = list_window(j, at, UID_SET_END, by_uid, p);
	return r;
}

static enum err list_named(struct fetch_job *j, struct span names, struct listing_pass *p)
{
	struct uid_set set = UID_SET_INIT;
	uint32_t first = p->first;
	enum err r = ERR_NONE;

	if (!uid_set_read(&set, names))
		r = err_set(&j->fail, ERR_INVALID, "no set of UIDs");
	p->first = 1;
	if (r == ERR_NONE && set.n > 0)
		r = list_set(j, &set, true, p);
	p->first = first;
	uid_set_release(&set);
	return r;
}

static enum err imap_list(struct fetch_job *j, const struct fetch_list *l)
{
	struct listing_pass p = {.first = l->first, .max = l->max, .sizes = l->sizes};
	enum err r = select_folder(j, l->folder);

	if (r == ERR_NOT_FOUND && l->folder == FETCH_KEPT) {
		packet_add_u32(&j->out, 1);
		packet_add_u32(&j->out, 0);
		return ERR_NONE;
	}
	TRY(r);
	/* A folder that is open already is looked at again. */
	int got = link_of(j)->listed ? j->libs.mailimap_noop(link_of(j)->imap)
	                             : MAILIMAP_NO_ERROR;
	link_of(j)->listed = true;
	if (!worked(got))
		return failed(j, got, ERR_IO, "looking for new mail");
	TRY(list_named(j, l->names, &p));
	TRY(list_windows(j, &p));
	packet_add_u32(&j->out, !p.overflowed);
	packet_add_u32(&j->out, validity_now(j));
	return ERR_NONE;
}

/* ---- mails ---- */

static enum err fetch_bodies(struct fetch_job *j, const struct uid_set *set, uint32_t max,
                             bool cut)
{
	const struct net_libs *l = &j->libs;
	struct mailimap_fetch_type *type = l->mailimap_fetch_type_new_fetch_att_list_empty();
	struct mailimap_section *all = l->mailimap_section_new(NULL);
	struct mailimap_set *s = set_of(j, set);
	struct strbuf name = STRBUF_INIT;
	clist *result = NULL;

	l->mailimap_fetch_type_new_fetch_att_list_add(type, l->mailimap_fetch_att_new_uid());
	l->mailimap_fetch_type_new_fetch_att_list_add(
	    type, cut ? l->mailimap_fetch_att_new_body_peek_section_partial(all, 0, max)
		      : l->mailimap_fetch_att_new_body_peek_section(all));
	int r = l->mailimap_uid_fetch(link_of(j)->imap, s, type, &result);
	/* A connection that breaks leaves whole mails behind; a refusal may, too. */
	for (clistiter *at = result ? clist_begin(result) : NULL; at; at = clist_next(at)) {
		struct fetched f = read_answer(clist_content(at));

		strbuf_clear(&name);
		strbuf_addf(&name, "%u", (unsigned)f.uid);
		if (f.has_body)
			fetch_send_mail(j, strbuf_span(&name), cut, f.body);
		else if (f.uid > 0)
			fetch_send_lacking(j, strbuf_span(&name));
	}
	fetch_send_now(j);
	if (result)
		l->mailimap_fetch_list_free(result);
	l->mailimap_set_free(s);
	l->mailimap_fetch_type_free(type);
	strbuf_release(&name);
	return worked(r) ? ERR_NONE : failed(j, r, ERR_INVALID, "fetching mail");
}

static enum err imap_mails(struct fetch_job *j, const struct fetch_wish *w)
{
	enum err r = select_folder(j, w->folder);

	for (int cut = 0; cut < 2 && r == ERR_NONE; cut++) {
		struct uid_set set = UID_SET_INIT;

		for (size_t i = 0; i < w->n; i++)
			if (w->items[i].cut == (cut == 1) &&
			    !uid_set_read(&set, w->items[i].name))
				r = err_set(&j->fail, ERR_INVALID, "no UID");
		if (r == ERR_NONE && set.n > 0)
			r = fetch_bodies(j, &set, w->max, cut == 1);
		uid_set_release(&set);
	}
	return r;
}

/* ---- out of the mailbox ---- */

static void add_set(struct strbuf *out, const struct mailimap_set *set)
{
	struct strbuf text = STRBUF_INIT;

	for (clistiter *at = clist_begin(set->set_list); at; at = clist_next(at)) {
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
	const struct imap_link *k = link_of(j);
	const char *kept = kept_name(j);

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
	r = l->mailimap_uid_store(link_of(j)->imap, set, store);
	if (worked(r))
		r = l->mailimap_uid_expunge(link_of(j)->imap, set);
	l->mailimap_store_att_flags_free(store);
	return r;
}

static enum err move_set(struct fetch_job *j, struct mailimap_set *set)
{
	struct moved m = {0};
	int r = carry_over(j, set, &m);

	if (!worked(r) && !is_lost(r)) {
		mailimap *imap = link_of(j)->imap;
		const char *name = kept_name(j);

		/* Subscribing is a favour to mail programs that show nothing else. */
		if (worked(j->libs.mailimap_create(imap, name)))
			j->libs.mailimap_subscribe(imap, name);
		r = carry_over(j, set, &m);
	}
	if (worked(r) && m.from && m.to) {
		packet_add_u32(&j->out, m.validity);
		add_set(&j->out, m.from);
		add_set(&j->out, m.to);
		fetch_send_out(j, FETCH_MOVED);
	}
	if (worked(r) && !link_of(j)->can_move)
		r = remove_mails(j, set);
	moved_release(j, &m);
	return worked(r) ? ERR_NONE : failed(j, r, ERR_INVALID, "moving handled mail away");
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
		s = set_of(j, &set);
		r = act(j, s);
		j->libs.mailimap_set_free(s);
	}
	uid_set_release(&set);
	return r;
}

static enum err imap_settle(struct fetch_job *j, uint32_t validity, struct span names)
{
	const struct imap_link *k = link_of(j);
	bool can = k->can_move || k->has_uidplus;

	if (can)
		TRY(select_folder(j, FETCH_INBOX));
	if (can && validity_now(j) == validity)
		TRY(with_set(j, names, move_set));
	packet_add_u32(&j->out, can);
	return ERR_NONE;
}

static enum err purge_set(struct fetch_job *j, struct mailimap_set *set)
{
	int r = remove_mails(j, set);

	return worked(r) ? ERR_NONE : failed(j, r, ERR_INVALID, "removing kept mail");
}

/* A folder that was made anew holds other mails under these numbers. */
static enum err imap_purge(struct fetch_job *j, uint32_t validity, struct span names)
{
	enum err r = select_folder(j, FETCH_KEPT);

	if (r == ERR_NOT_FOUND)
		return ERR_NONE;
	TRY(r);
	if (validity_now(j) != validity || !link_of(j)->has_uidplus)
		return ERR_NONE;
	return with_set(j, names, purge_set);
}

/* ---- waiting ---- */

/*
 * IDLE (RFC 2177), line by line: mailimap_idle of libetpan throws away what the server says before its "+".
 * Ended after most_s, for a connection that is dead says nothing, and routers forget one that is silent.
 */
static enum err imap_wait(struct fetch_job *j, unsigned most_s)
{
	static const char begin[] = "wait IDLE\r\n", end[] = "DONE\r\n";
	const struct net_libs *l = &j->libs;
	mailimap *imap = link_of(j)->imap;
	mailstream *stream = imap->imap_stream;
	struct pollfd fd = {.fd = l->mailimap_idle_get_fd(imap), .events = POLLIN};
	MMAPString *text = l->mmap_string_new("");
	bool begun = false, ended = false, came = false, granted;
	const char *line;

	if (!l->mailimap_has_extension(imap, "IDLE")) {
		l->mmap_string_free(text);
		return err_set(&j->fail, ERR_UNSUPPORTED, "the server has no IDLE");
	}
	l->mailstream_write(stream, begin, sizeof(begin) - 1);
	l->mailstream_flush(stream);
	while ((line = l->mailstream_read_line(stream, text)) &&
	       strncmp(line, "wait ", 5) != 0) {
		begun = begun || *line == '+';
		came = came || (*line == '*' && strstr(line, " EXISTS"));
		if (!begun || ended ||
		    (!came &&
		     (stream->read_buffer_len > 0 || poll(&fd, 1, (int)most_s * 1000) != 0)))
			continue;
		l->mailstream_write(stream, end, sizeof(end) - 1);
		l->mailstream_flush(stream);
		ended = true;
	}
	granted = line && begun && span_starts_nocase(span_of(line + 5), "OK");
	l->mmap_string_free(text);
	if (!line)
		return failed(j, MAILIMAP_ERROR_STREAM, ERR_IO, "waiting for mail");
	if (!granted)
		return err_set(&j->fail, ERR_UNSUPPORTED, "the server refuses to IDLE");
	packet_add_u32(&j->out, came);
	return ERR_NONE;
}

const struct fetch_driver fetch_imap = {
    .open = imap_open,
    .list = imap_list,
    .mails = imap_mails,
    .settle = imap_settle,
    .purge = imap_purge,
    .wait = imap_wait,
    .close = imap_close,
};
