/*
 * sink_maildir.c - mail left in a folder for somebody to carry on.
 *
 * The file's name is made of what never changes about an outbox row, and link()
 * refuses a name that is taken: sending the same row again finds the file of the
 * first time. Only when a reader has removed it in between does it appear twice, with the
 * same bytes and Message-ID.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "mail/sink/private.h"
#include "mail/text/maildir.h"
#include "processor/base/file.h"
#include "processor/base/step.h"

struct maildir_sink {
	struct maildir dir;
	bool unsynced;
};

static enum err maildir_sink_open(struct sink *s, const char *rest, struct failure *e)
{
	struct maildir_sink *m = xcalloc(1, sizeof(*m));

	s->state = m;
	return maildir_open_url(s->url, s->settings->base, rest, &m->dir, e);
}

static void maildir_sink_close(struct sink *s)
{
	struct maildir_sink *m = s->state;

	if (!m)
		return;
	maildir_close(&m->dir);
	free(m);
}

static bool file_holds(int folder, const char *name, struct span bytes)
{
	struct strbuf there = STRBUF_INIT;
	int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool same = fd >= 0 && file_read_fd(fd, bytes.len, &there, NULL) == ERR_NONE &&
	            span_eq(strbuf_span(&there), bytes);

	if (fd >= 0)
		close(fd);
	strbuf_release(&there);
	return same;
}

static enum err publish(struct maildir_sink *m, const char *name, struct sink_mail *mail,
                        struct span bytes, struct failure *e)
{
	enum err r = maildir_publish(&m->dir, name, e);

	if (r == ERR_EXISTS) {
		err_clear(e);
		r = ERR_NONE;
		if (!file_holds(m->dir.new, name, bytes)) {
			mail->what = DELIVERY_DEAD;
			mail->not_asked = true;
			strbuf_addf(&mail->answer, "new/%s is there already with another text",
			            name);
			return r;
		}
	}
	if (r == ERR_NONE) {
		mail->what = DELIVERY_SENT;
		m->unsynced = true;
		step("sink: linked");
	}
	return r;
}

static enum err put_down(struct sink *s, struct sink_mail *mail, struct failure *e)
{
	struct maildir_sink *m = s->state;
	struct strbuf name = STRBUF_INIT, bytes = STRBUF_INIT;
	enum err r;

	strbuf_addf(&name, "%lld.Q%lld.%s", (long long)mail->created_utc,
	            (long long)mail->outbox_id, s->settings->instance);
	/* Whoever delivers a mail for good writes down who sent it (RFC 5321, 4.4). */
	strbuf_grow(&bytes, mail->message.len + mail->envelope_from.len + 32);
	if (mail->envelope_from.len > 0)
		strbuf_addf(&bytes, "Return-Path: <%.*s>\n", SPAN_ARGS(mail->envelope_from));
	strbuf_add_span(&bytes, mail->message);
	r = maildir_write(&m->dir, name.ptr, strbuf_span(&bytes), e);
	if (r == ERR_NONE) {
		step("sink: written");
		r = publish(m, name.ptr, mail, strbuf_span(&bytes), e);
	}
	step("mail handed over");
	strbuf_release(&name);
	strbuf_release(&bytes);
	return r == ERR_NONE ? r : err_context(e, "%s", s->url);
}

/* What may not be on the disk is handed over again: it is found there, or not. */
static enum err sync_new(struct sink *s, struct failure *e)
{
	struct maildir_sink *m = s->state;

	if (!m->unsynced)
		return ERR_NONE;
	if (fsync(m->dir.new) != 0) {
		for (size_t i = 0; i < s->n; i++)
			if (s->mails[i].what == DELIVERY_SENT)
				s->mails[i].what = DELIVERY_UNTRIED;
		return err_set_errno(e, ERR_IO, "%s: cannot fsync new/", s->url);
	}
	m->unsynced = false;
	step("sink: flushed");
	return ERR_NONE;
}

static enum err maildir_sink_finish(struct sink *s, struct failure *e)
{
	struct failure later = ERR_INIT;
	enum err r = ERR_NONE, synced;

	for (size_t i = 0; i < s->n && r == ERR_NONE; i++)
		if (!sink_would_overtake(s->mails, i))
			r = put_down(s, &s->mails[i], e);
	synced = sync_new(s, r == ERR_NONE ? e : &later);
	err_release(&later);
	return r != ERR_NONE ? r : synced;
}

const struct sink_driver sink_maildir = {
    .scheme = "maildir",
    .knows_again = true,
    .open = maildir_sink_open,
    .close = maildir_sink_close,
    .finish = maildir_sink_finish,
};
