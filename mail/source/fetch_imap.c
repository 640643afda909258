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

#include "mail/source/fetch_imap.h"
#include "processor/base/clock.h"
#include "processor/base/seal.h"

enum { WINDOW = 4096 }; /* mails in one listing */

enum err imap_failed(struct fetch_job *j, int r, enum err refused, const char *what)
{
	if (r == MAILIMAP_ERROR_STREAM) {
		curl_stream_why(j->stream, &j->fail);
	} else if (imap_is_lost(r)) {
		err_set(&j->fail, ERR_IO, "the server's answer was not understood");
	} else {
		err_set(&j->fail, refused, "the server refuses");
		fetch_add_answer(j, imap_link_of(j)->imap->imap_response);
	}
	return err_context(&j->fail, "%s", what);
}

/* ---- logging in ---- */

/* Whether the server offers only the standard's way to log in with a token. */
static bool wants_standard(struct fetch_job *j)
{
	struct mailimap_capability_data *caps = NULL;
	bool offers[2] = {false, false};

	if (!imap_worked(j->libs.mailimap_capability(imap_link_of(j)->imap, &caps)))
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
	mailimap *imap = imap_link_of(j)->imap;
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
	mailimap *imap = imap_link_of(j)->imap;
	int r;

	if (t->is_token && wants_standard(j))
		r = log_in_by_standard(j);
	else if (t->is_token)
		r = j->libs.mailimap_oauth2_authenticate(imap, t->user, t->secret.ptr);
	else
		r = j->libs.mailimap_login(imap, t->user, t->secret.ptr);
	if (imap_worked(r))
		return ERR_NONE;
	return imap_failed(j, r, ERR_DENIED,
	                   t->is_token ? "logging in with the token" : "logging in");
}

/* Servers usually say what they can in the answer to the login; else they are asked. */
static enum err learn_abilities(struct fetch_job *j)
{
	struct imap_link *k = imap_link_of(j);
	struct mailimap_capability_data *caps = NULL;

	if (j->target.is_token || !k->imap->imap_connection_info ||
	    !k->imap->imap_connection_info->imap_capability) {
		int r = j->libs.mailimap_capability(k->imap, &caps);

		if (!imap_worked(r))
			return imap_failed(j, r, ERR_IO, "asking what the server can do");
		j->libs.mailimap_capability_data_free(caps);
	}
	k->can_move = j->libs.mailimap_has_extension(k->imap, "MOVE") != 0;
	k->has_uidplus = j->libs.mailimap_has_uidplus(k->imap) != 0;
	return ERR_NONE;
}

enum err imap_select_folder(struct fetch_job *j, enum fetch_folder folder)
{
	struct imap_link *k = imap_link_of(j);
	const char *name = folder == FETCH_INBOX ? j->target.mailbox : imap_kept_name(j);
	int r;

	if (k->is_selected && k->selected == folder)
		return ERR_NONE;
	k->is_selected = k->listed = false;
	r = j->libs.mailimap_select(k->imap, name);
	if (!imap_worked(r))
		return imap_failed(j, r, ERR_NOT_FOUND, name);
	k->is_selected = true;
	k->selected = folder;
	return ERR_NONE;
}

static enum err greet(struct fetch_job *j)
{
	int r = j->libs.mailimap_connect(imap_link_of(j)->imap, curl_stream_etpan(j->stream));

	if (r == MAILIMAP_NO_ERROR_AUTHENTICATED)
		return ERR_NONE;
	return imap_worked(r) ? log_in(j) : imap_failed(j, r, ERR_IO, "greeting");
}

static enum err imap_open(struct fetch_job *j)
{
	struct imap_link *k = xcalloc(1, sizeof(*k));
	enum err r;

	j->link = k;
	k->imap = j->libs.mailimap_new(0, NULL);
	r = fetch_connect(j);
	if (r == ERR_NONE)
		r = greet(j);
	secret_release(&j->target.secret);
	if (r == ERR_NONE)
		r = learn_abilities(j);
	if (r == ERR_NONE)
		r = imap_select_folder(j, FETCH_INBOX);
	if (r != ERR_NONE)
		return r;
	if (imap_validity(j) == 0)
		return err_set(&j->fail, ERR_UNSUPPORTED,
		               "the server gives mails no lasting numbers (UIDVALIDITY)");
	packet_add_u32(&j->out, imap_validity(j));
	packet_add_u32(&j->out, k->can_move || k->has_uidplus);
	packet_add_u32(&j->out, k->imap->imap_selection_info->sel_exists);
	packet_add_u32(&j->out, k->imap->imap_selection_info->sel_uidnext);
	return ERR_NONE;
}

static void imap_close(struct fetch_job *j)
{
	struct imap_link *k = imap_link_of(j);

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

static void read_item(const struct mailimap_msg_att_static *item, struct fetched *out)
{
	const struct mailimap_msg_att_body_section *section;

	switch (item->att_type) {
	case MAILIMAP_MSG_ATT_UID:
		out->uid = item->att_data.att_uid;
		break;
	case MAILIMAP_MSG_ATT_RFC822_SIZE:
		out->size = item->att_data.att_rfc822_size;
		break;
	case MAILIMAP_MSG_ATT_INTERNALDATE:
		out->arrived_utc = utc_of(item->att_data.att_internal_date);
		break;
	case MAILIMAP_MSG_ATT_BODY_SECTION:
		section = item->att_data.att_body_section;
		out->has_body = section->sec_body_part != NULL;
		out->body = (struct span){section->sec_body_part, section->sec_length};
		break;
	default:
		break;
	}
}

static struct fetched read_answer(const struct mailimap_msg_att *mail)
{
	struct fetched out = {0};
	clistiter *at;

	for (at = clist_begin(mail->att_list); at; at = clist_next(at)) {
		const struct mailimap_msg_att_item *item = clist_content(at);

		if (item->att_type == MAILIMAP_MSG_ATT_ITEM_STATIC)
			read_item(item->att_data.att_static, &out);
	}
	return out;
}

struct mailimap_set *imap_set_of(struct fetch_job *j, const struct uid_set *set)
{
	struct mailimap_set *s = j->libs.mailimap_set_new_empty();

	ENSURE(s);
	for (size_t i = 0; i < set->n; i++)
		if (j->libs.mailimap_set_add_interval(s, set->items[i].first,
		                                      set->items[i].last) != 0)
			BUG("no memory");
	return s;
}

static int fetch_about(struct fetch_job *j, const struct uid_set *set, bool by_uid, bool sizes,
                       clist **result)
{
	const struct net_libs *l = &j->libs;
	struct mailimap_fetch_type *type = l->mailimap_fetch_type_new_fetch_att_list_empty();
	struct mailimap_set *s = imap_set_of(j, set);
	int r;

	l->mailimap_fetch_type_new_fetch_att_list_add(type, l->mailimap_fetch_att_new_uid());
	if (sizes)
		l->mailimap_fetch_type_new_fetch_att_list_add(
		    type, l->mailimap_fetch_att_new_rfc822_size());
	l->mailimap_fetch_type_new_fetch_att_list_add(type,
	                                              l->mailimap_fetch_att_new_internaldate());
	r = by_uid ? l->mailimap_uid_fetch(imap_link_of(j)->imap, s, type, result)
	           : l->mailimap_fetch(imap_link_of(j)->imap, s, type, result);
	l->mailimap_set_free(s);
	l->mailimap_fetch_type_free(type);
	return r;
}

struct listing_pass {
	uint32_t first, max, sent;
	bool sizes, overflowed;
};

/* "first:*" also gives the last mail when its UID is lower (RFC 3501, 6.4.8). */
static void send_entries(struct fetch_job *j, clist *result, struct listing_pass *p)
{
	struct strbuf name = STRBUF_INIT;
	clistiter *at;

	for (at = clist_begin(result); at; at = clist_next(at)) {
		struct fetched f = read_answer(clist_content(at));

		if (f.uid < p->first || f.uid == 0)
			continue;
		p->overflowed = p->sent == p->max;
		if (p->overflowed)
			break;
		strbuf_clear(&name);
		strbuf_addf(&name, "%u", (unsigned)f.uid);
		fetch_send_entry(
		    j, &(struct fetch_entry){strbuf_span(&name), f.size, f.arrived_utc, f.uid});
		p->sent++;
	}
	strbuf_release(&name);
}

static enum err list_set(struct fetch_job *j, const struct uid_set *set, bool by_uid,
                         struct listing_pass *p)
{
	clist *result = NULL;
	int r = fetch_about(j, set, by_uid, p->sizes, &result);

	if (imap_worked(r) && result)
		send_entries(j, result, p);
	fetch_send_now(j);
	if (result)
		j->libs.mailimap_fetch_list_free(result);
	return imap_worked(r) ? ERR_NONE : imap_failed(j, r, ERR_IO, "listing the mailbox");
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
	const struct mailimap_selection_info *info = imap_link_of(j)->imap->imap_selection_info;
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

/* A folder that is open already is looked at again. */
static enum err look_again(struct fetch_job *j)
{
	struct imap_link *k = imap_link_of(j);
	int r = k->listed ? j->libs.mailimap_noop(k->imap) : MAILIMAP_NO_ERROR;

	k->listed = true;
	return imap_worked(r) ? ERR_NONE : imap_failed(j, r, ERR_IO, "looking for new mail");
}

static enum err imap_list(struct fetch_job *j, const struct fetch_list *l)
{
	struct listing_pass p = {.first = l->first, .max = l->max, .sizes = l->sizes};
	enum err r = imap_select_folder(j, l->folder);

	if (r == ERR_NOT_FOUND && l->folder == FETCH_KEPT) {
		packet_add_u32(&j->out, 1);
		packet_add_u32(&j->out, 0);
		return ERR_NONE;
	}
	if (r == ERR_NONE)
		r = look_again(j);
	if (r == ERR_NONE)
		r = list_named(j, l->names, &p);
	if (r == ERR_NONE)
		r = list_windows(j, &p);
	if (r != ERR_NONE)
		return r;
	packet_add_u32(&j->out, !p.overflowed);
	packet_add_u32(&j->out, imap_validity(j));
	return ERR_NONE;
}

/* ---- mails ---- */

static struct mailimap_fetch_type *body_type(struct fetch_job *j, uint32_t max, bool cut)
{
	const struct net_libs *l = &j->libs;
	struct mailimap_fetch_type *type = l->mailimap_fetch_type_new_fetch_att_list_empty();
	struct mailimap_section *all = l->mailimap_section_new(NULL);

	l->mailimap_fetch_type_new_fetch_att_list_add(type, l->mailimap_fetch_att_new_uid());
	l->mailimap_fetch_type_new_fetch_att_list_add(
	    type, cut ? l->mailimap_fetch_att_new_body_peek_section_partial(all, 0, max)
		      : l->mailimap_fetch_att_new_body_peek_section(all));
	return type;
}

static void send_mails(struct fetch_job *j, clist *result, bool cut)
{
	struct strbuf name = STRBUF_INIT;
	clistiter *at;

	for (at = clist_begin(result); at; at = clist_next(at)) {
		struct fetched f = read_answer(clist_content(at));

		strbuf_clear(&name);
		strbuf_addf(&name, "%u", (unsigned)f.uid);
		if (f.has_body)
			fetch_send_mail(j, strbuf_span(&name), cut, f.body);
		else if (f.uid > 0)
			fetch_send_lacking(j, strbuf_span(&name));
	}
	strbuf_release(&name);
}

static enum err fetch_bodies(struct fetch_job *j, const struct uid_set *set, uint32_t max,
                             bool cut)
{
	struct mailimap_set *s = imap_set_of(j, set);
	struct mailimap_fetch_type *type = body_type(j, max, cut);
	clist *result = NULL;
	int r = j->libs.mailimap_uid_fetch(imap_link_of(j)->imap, s, type, &result);

	/* A connection that breaks leaves whole mails behind; a refusal may, too. */
	if (result)
		send_mails(j, result, cut);
	fetch_send_now(j);
	if (result)
		j->libs.mailimap_fetch_list_free(result);
	j->libs.mailimap_set_free(s);
	j->libs.mailimap_fetch_type_free(type);
	return imap_worked(r) ? ERR_NONE : imap_failed(j, r, ERR_INVALID, "fetching mail");
}

static enum err imap_mails(struct fetch_job *j, const struct fetch_wish *w)
{
	enum err r = imap_select_folder(j, w->folder);

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

/* ---- waiting ---- */

/*
 * IDLE (RFC 2177), line by line: mailimap_idle of libetpan throws away what the server says before its "+".
 * Ended after most_s, for a connection that is dead says nothing, and routers forget one that is silent.
 */
static enum err imap_wait(struct fetch_job *j, unsigned most_s)
{
	static const char begin[] = "wait IDLE\r\n", end[] = "DONE\r\n";
	const struct net_libs *l = &j->libs;
	mailimap *imap = imap_link_of(j)->imap;
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
		return imap_failed(j, MAILIMAP_ERROR_STREAM, ERR_IO, "waiting for mail");
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
