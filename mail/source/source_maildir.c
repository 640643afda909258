/*
 * source_maildir.c - mail that somebody delivers into a folder.
 *
 * new/ is listed, tmp/ never looked at, cur/ only for --reread. A mail's identity is its name
 * up to ':', its arrival the file's time of modification. Settling renames new/NAME to
 * cur/NAME:2,S, or as near to that as it goes. Files that make trouble (facts.h) are remembered as lines
 * "unread TRIES NAME" and "stuck 0 NAME", the name in hex digits, for it can be any bytes.
 *
 * Looking at every file of a large folder is the expensive part, so one listing serves many calls of
 * next(). It holds twice LISTING_MAX entries at most, and keeps the oldest LISTING_MAX, so that memory
 * does not grow with the folder.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mail/source/facts.h"
#include "mail/source/private.h"
#include "mail/text/maildir.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "processor/base/step.h"

/* The second for when somebody else has put something in the way of the first. */
static const char *const handled_suffixes[] = {":2,S", ":2,FS"};

enum {
	LONG_LIST = 256,  /* mails: then who reads them may get ready before all are listed */
	STUCK_MOST = 1000 /* what does not fit is listed, and known again, in each run */
};

struct listing_entry {
	int64_t mtime_utc, mtime_ns;
	size_t size;
	bool handled; /* it lies in cur/ */
	bool gone;    /* dealt with since it was listed */
	char *name;   /* as in the folder, owned by the listing */
};

struct listing {
	struct listing_entry *items;
	size_t count, cap;
	bool overflowed; /* younger ones were left out: the first LISTING_MAX are in order */
	size_t left;     /* entries not gone; good once it is sorted */
	size_t first;    /* no entry before this one is left */
};

struct maildir_source {
	const struct source *source;
	struct maildir dir;
	struct listing listing;
	bool reread; /* cur/ is listed as well */
	/* All of cur/ up to this one has been dealt with again; name is owned. */
	struct listing_entry reread_to;
	struct facts facts;
	bool unsynced;
	int watch; /* of inotify(7); 0 = none */
};

/* ---- listing ---- */

/* The name up to ':', which is where flags begin. */
static struct span base_of(const char *name)
{
	return (struct span){name, strcspn(name, ":")};
}

/* By time, then by name up to its ':'. */
static int listing_cmp(const void *a, const void *b)
{
	const struct listing_entry *x = a, *y = b;

	if (x->mtime_utc != y->mtime_utc)
		return x->mtime_utc < y->mtime_utc ? -1 : 1;
	if (x->mtime_ns != y->mtime_ns)
		return x->mtime_ns < y->mtime_ns ? -1 : 1;
	return span_cmp(base_of(x->name), base_of(y->name));
}

static void listing_clear(struct listing *l)
{
	for (size_t i = 0; i < l->count; i++)
		free(l->items[i].name);
	l->count = l->left = l->first = 0;
	l->overflowed = false;
}

/* When it has grown to twice what is kept, the younger half goes. */
static void keep_oldest(struct listing *l)
{
	if (l->count > 0)
		qsort(l->items, l->count, sizeof(*l->items), listing_cmp);
	l->overflowed = l->overflowed || l->count > LISTING_MAX;
	while (l->count > LISTING_MAX)
		free(l->items[--l->count].name);
}

/* Keeps a copy of the entry if it is among the oldest. */
static void listing_offer(struct listing *l, const struct listing_entry *entry)
{
	if (l->count == 2 * (size_t)LISTING_MAX)
		keep_oldest(l);
	if (l->overflowed && listing_cmp(entry, &l->items[LISTING_MAX - 1]) >= 0)
		return;
	l->items = xgrow(l->items, &l->cap, l->count + 1, sizeof(*l->items));
	l->items[l->count] = *entry;
	l->items[l->count++].name = xstrdup(entry->name);
}

/* A fresh stream over an open folder; the descriptor stays ours. */
static DIR *stream_of(int folder)
{
	int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;

	if (!d && fd >= 0)
		close(fd);
	return d;
}

static bool may_be_mail(const struct dirent *d)
{
	return d->d_name[0] != '.' && (d->d_type == DT_REG || d->d_type == DT_UNKNOWN);
}

/*
 * Files that went away since they were listed are nobody's loss; any other failure is an
 * error.
 */
static enum err offer(struct maildir_source *m, int folder, struct dirent *d, struct failure *e)
{
	struct listing_entry entry = {.handled = folder == m->dir.cur, .name = d->d_name};
	const struct fact *known = entry.handled ? NULL
	                                         : facts_find(&m->facts, base_of(d->d_name));
	struct stat st;

	if (known && known->is_stuck)
		return ERR_NONE;
	if (fstatat(folder, d->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return errno == ENOENT
		           ? ERR_NONE
		           : err_set_errno(e, ERR_IO, "cannot examine mail %s", d->d_name);
	if (!S_ISREG(st.st_mode))
		return ERR_NONE;
	entry.mtime_utc = st.st_mtim.tv_sec;
	entry.mtime_ns = st.st_mtim.tv_nsec;
	entry.size = (size_t)st.st_size;
	if (!entry.handled || !m->reread_to.name || listing_cmp(&entry, &m->reread_to) > 0)
		listing_offer(&m->listing, &entry);
	return ERR_NONE;
}

static enum err list_folder(struct maildir_source *m, int folder, struct failure *e)
{
	DIR *stream = stream_of(folder);
	struct dirent *d;
	enum err r = ERR_NONE;

	if (!stream)
		return err_set_errno(e, ERR_IO, "cannot list");
	while (r == ERR_NONE) {
		errno = 0;
		d = readdir(stream);
		if (!d && errno != 0)
			r = err_set_errno(e, ERR_IO, "cannot list");
		if (!d)
			break;
		if (may_be_mail(d))
			r = offer(m, folder, d, e);
		if (m->listing.count == LONG_LIST && m->source->on_waiting)
			m->source->on_waiting(m->source->waiting_ctx, LONG_LIST);
	}
	closedir(stream);
	return r;
}

/*
 * Handled mail stays where it is when it is settled again, so how far that has gone is kept.
 * Mail that came to cur/ in this run counts too.
 */
static void advance_reread(struct maildir_source *m)
{
	const struct listing_entry *last = NULL;

	for (size_t i = 0; i < m->listing.count; i++) {
		const struct listing_entry *entry = &m->listing.items[i];

		if (entry->handled && !entry->gone)
			break;
		if (entry->gone)
			last = entry;
	}
	if (!last)
		return;
	free(m->reread_to.name);
	m->reread_to = *last;
	m->reread_to.name = xstrdup(last->name);
}

static enum err list_all(struct maildir_source *m, struct failure *e)
{
	enum err r;

	advance_reread(m);
	listing_clear(&m->listing);
	r = list_folder(m, m->dir.new, e);
	if (r == ERR_NONE && m->reread)
		r = list_folder(m, m->dir.cur, e);
	if (r != ERR_NONE)
		listing_clear(&m->listing);
	keep_oldest(&m->listing);
	m->listing.left = m->listing.count;
	return r;
}

/*
 * As long as the listing still fills a whole answer it is good enough, since what comes in
 * meanwhile is younger. The last answer always comes from a fresh look.
 */
static enum err maildir_source_next(struct source *s, size_t max, struct arena *arena,
                                    struct source_mail **out, size_t *n, bool *complete,
                                    struct failure *e)
{
	struct maildir_source *m = s->state;
	struct listing *l = &m->listing;
	bool fresh = l->left < max || l->left == 0;

	if (fresh && list_all(m, e) != ERR_NONE)
		return err_context(e, "%s", s->url);
	*n = l->left < max ? l->left : max;
	*out = arena_calloc(arena, *n, sizeof(**out));
	for (size_t i = 0, at = l->first; i < *n; at++) {
		const struct listing_entry *entry = &l->items[at];

		if (!entry->gone)
			(*out)[i++] =
			    (struct source_mail){.id = arena_dup(arena, base_of(entry->name)),
			                         .arrived_utc = entry->mtime_utc,
			                         .arrived_ns = entry->mtime_ns,
			                         .size = entry->size,
			                         .handled = entry->handled};
	}
	*complete = fresh && *n == l->left && !l->overflowed;
	return ERR_NONE;
}

/* ---- one mail ---- */

/* Fine when it is not listed. */
static void mark_gone(struct maildir_source *m, const struct source_mail *mail)
{
	struct listing *l = &m->listing;
	struct listing_entry key = {.mtime_utc = mail->arrived_utc,
	                            .mtime_ns = mail->arrived_ns,
	                            .name = strndup(mail->id.ptr, mail->id.len)};
	struct listing_entry *found = NULL;

	/* Mostly they go in the order in which they stand there. */
	if (l->first < l->count && listing_cmp(&key, &l->items[l->first]) == 0)
		found = &l->items[l->first];
	else if (l->left > 0)
		found = bsearch(&key, l->items, l->count, sizeof(*l->items), listing_cmp);
	free(key.name);
	if (!found || found->gone)
		return;
	found->gone = true;
	l->left--;
	while (l->first < l->count && l->items[l->first].gone)
		l->first++;
}

/* Without flags when there is no room for them: a name has at most 255 bytes. */
static char *handled_name(struct span id, size_t which)
{
	struct strbuf name = STRBUF_INIT;

	strbuf_add_span(&name, id);
	if (id.len + strlen(handled_suffixes[which]) <= NAME_MAX)
		strbuf_adds(&name, handled_suffixes[which]);
	return strbuf_detach(&name);
}

/* For names that another program has given flags: the whole folder is read. NULL: not there. */
static char *find_by_base(int folder, struct span id)
{
	DIR *stream = stream_of(folder);
	struct dirent *d;
	char *found = NULL;

	while (stream && !found && (d = readdir(stream)) != NULL)
		if (span_eq(base_of(d->d_name), id))
			found = xstrdup(d->d_name);
	if (stream)
		closedir(stream);
	return found;
}

/* Opens new/ID, else cur/ID:2,S, else either with whatever flags. */
static int open_wherever(const struct maildir_source *m, struct span id)
{
	char *name = strndup(id.ptr, id.len), *handled = handled_name(id, 0);
	enum { HOW = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC };
	int fd = openat(m->dir.new, name, HOW), folders[2] = {m->dir.new, m->dir.cur};

	if (fd < 0 && errno == ENOENT)
		fd = openat(m->dir.cur, handled, HOW);
	for (int i = 0; i < 2 && fd < 0 && errno == ENOENT; i++) {
		char *other = find_by_base(folders[i], id);

		errno = ENOENT;
		if (other)
			fd = openat(folders[i], other, HOW);
		free(other);
	}
	free(name);
	free(handled);
	return fd;
}

/* Of the machine, and no fault of the file. */
static bool is_scarcity(int number)
{
	return number == EMFILE || number == ENFILE || number == ENOMEM;
}

/* This file cannot be read; the others can. */
static enum err blame_file(struct maildir_source *m, const struct source_mail *mail,
                           struct failure *e)
{
	unsigned runs = facts_count_try(&m->facts, mail->id);

	err_context(e, "%s (a file is set aside in the third run that cannot read it)",
	            m->source->url);
	return err_set(e, runs < SOURCE_MOST_TRIES ? ERR_INVALID : ERR_CORRUPT, "%s",
	               e->text.ptr);
}

static enum err read_mail(int fd, const struct source_mail *mail, size_t max,
                          struct strbuf *raw, struct failure *e)
{
	size_t before = raw->len;
	struct stat st;
	enum err r;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return err_set(e, ERR_IO, "mail %.*s is no regular file", SPAN_ARGS(mail->id));
	if (st.st_size > 0 && (uint64_t)st.st_size <= max)
		strbuf_grow(raw, (size_t)st.st_size + 1); /* one more to find its end */
	r = file_read_fd(fd, max, raw, e);
	if (raw->len - before > max)
		strbuf_truncate(raw, before + max);
	return r == ERR_NONE ? r : err_context(e, "mail %.*s", SPAN_ARGS(mail->id));
}

static enum err maildir_source_fetch(struct source *s, const struct source_mail *mail,
                                     size_t max, struct strbuf *raw, struct failure *e)
{
	struct maildir_source *m = s->state;
	int fd = open_wherever(m, mail->id), number = fd < 0 ? errno : 0;
	enum err r;

	if (fd < 0)
		r = err_set_errno(e, number == ENOENT ? ERR_NOT_FOUND : ERR_IO,
		                  "cannot open mail %.*s", SPAN_ARGS(mail->id));
	else
		r = read_mail(fd, mail, max, raw, e);
	if (fd >= 0)
		close(fd);
	if (r == ERR_NOT_FOUND)
		mark_gone(m, mail);
	return r == ERR_IO && !is_scarcity(number) ? blame_file(m, mail, e) : r;
}

/* 0, or an errno. A place that is taken is no reason to stay. */
static int rename_handled(const struct maildir *dir, const char *name, struct span id)
{
	int number = 0;

	for (size_t i = 0; i < 2; i++) {
		char *handled = handled_name(id, i);
		int r = renameat(dir->new, name, dir->cur, handled);

		number = r == 0 ? 0 : errno;
		free(handled);
		if (number != EISDIR && number != ENOTEMPTY && number != EEXIST)
			break;
	}
	return number;
}

/* From new/ to cur/. Not in new/ any more: settled before, or taken away by somebody. 0 or an errno. */
static int move_mail(struct maildir_source *m, struct span id)
{
	const struct maildir *dir = &m->dir;
	char *name = strndup(id.ptr, id.len), *handled = handled_name(id, 0);
	int number = rename_handled(dir, name, id);

	if (number == ENOENT && faccessat(dir->cur, handled, F_OK, 0) != 0) {
		char *other = find_by_base(dir->new, id);

		if (other)
			number = rename_handled(dir, other, id);
		free(other);
	}
	free(name);
	free(handled);
	if (number == 0) {
		m->unsynced = true;
		step("source: settled");
	}
	return number == ENOENT ? 0 : number;
}

static enum err maildir_source_settle(struct source *s, const struct source_mail *mail,
                                      struct failure *e)
{
	struct maildir_source *m = s->state;
	int number = move_mail(m, mail->id);

	errno = number;
	if (is_scarcity(number))
		return err_set_errno(e, ERR_IO, "%s: cannot move mail %.*s to cur/", s->url,
		                     SPAN_ARGS(mail->id));
	mark_gone(m, mail);
	if (number == 0) {
		facts_drop(&m->facts, mail->id);
		return ERR_NONE;
	}
	if (m->facts.n < STUCK_MOST)
		facts_need(&m->facts, mail->id)->is_stuck = true;
	errno = number;
	return err_set_errno(e, ERR_INVALID,
	                     "%s: mail %.*s has been dealt with and stays in new/", s->url,
	                     SPAN_ARGS(mail->id));
}

static enum err maildir_source_sync(struct source *s, struct failure *e)
{
	struct maildir_source *m = s->state;

	/* What could not be moved before may be movable now. */
	for (size_t i = m->facts.n; i-- > 0;) {
		struct span name = span_of(m->facts.items[i].name);

		if (m->facts.items[i].is_stuck && move_mail(m, name) == 0)
			facts_drop(&m->facts, name);
	}
	if (!m->unsynced)
		return ERR_NONE;
	if (fsync(m->dir.cur) != 0 || fsync(m->dir.new) != 0)
		return err_set_errno(e, ERR_IO, "%s: cannot fsync", s->url);
	m->unsynced = false;
	step("source: synced");
	return ERR_NONE;
}

static enum err maildir_source_purge(struct source *s, struct span id, struct failure *e)
{
	struct maildir_source *m = s->state;
	char *handled = handled_name(id, 0), *other = NULL;
	int gone = unlinkat(m->dir.cur, handled, 0);
	enum err r = ERR_NONE;

	if (gone != 0 && errno == ENOENT) {
		other = find_by_base(m->dir.cur, id);
		errno = ENOENT;
		if (other)
			gone = unlinkat(m->dir.cur, other, 0);
	}
	if (gone != 0 && errno != ENOENT)
		r = err_set_errno(e, ERR_IO, "cannot remove mail %.*s", SPAN_ARGS(id));
	free(handled);
	free(other);
	return r;
}

static void maildir_source_reread(struct source *s)
{
	struct maildir_source *m = s->state;

	m->reread = true;
	free(m->reread_to.name);
	m->reread_to = (struct listing_entry){.handled = true};
	listing_clear(&m->listing);
}

/* Lines that are none are passed over: at worst a file is tried, or told of, once more. */
static bool maildir_source_resume(struct source *s, struct span state)
{
	struct maildir_source *m = s->state;
	struct span line, kind, number, hex;
	char name[NAME_MAX];
	unsigned tries;

	while (span_next_line(&state, &line)) {
		if (!span_next_field(&line, ' ', &kind) ||
		    !span_next_field(&line, ' ', &number) ||
		    !span_next_field(&line, ' ', &hex) ||
		    !num_parse_uint(number, 0, 1000, &tries) || hex.len == 0 ||
		    hex.len > 2 * sizeof(name) || hex.len % 2 != 0 ||
		    !num_parse_hex(hex, name, hex.len / 2) || memchr(name, '\0', hex.len / 2))
			continue;
		struct fact *f = facts_need(&m->facts, (struct span){name, hex.len / 2});
		f->tries = tries;
		f->is_stuck = span_eq_str(kind, "stuck");
	}
	return true;
}

static void maildir_source_note(struct source *s, const struct source_mail *const *done,
                                size_t n, struct strbuf *state)
{
	const struct maildir_source *m = s->state;

	for (size_t i = 0; i < m->facts.n; i++) {
		const struct fact *f = &m->facts.items[i];

		if (fact_is_of(f, done, n))
			continue;
		strbuf_addf(state, "%s %u ", f->is_stuck ? "stuck" : "unread", f->tries);
		strbuf_add_hex(state, f->name, strlen(f->name));
		strbuf_addc(state, '\n');
	}
}

static void maildir_source_start(struct source *s)
{
	struct maildir_source *m = s->state;
	DIR *stream = stream_of(m->dir.new);
	struct dirent *d;

	if (!stream)
		return;
	do
		d = readdir(stream);
	while (d && !may_be_mail(d));
	if (d && s->on_waiting)
		s->on_waiting(s->waiting_ctx, 1);
	closedir(stream);
}

/* A mail appears in new/ by a rename or, from some programs, a link. Of a folder that is gone nothing is heard. */
static enum err maildir_source_watch(struct source *s, unsigned most_s, int *fd, bool *mail,
                                     struct failure *e)
{
	struct maildir_source *m = s->state;
	_Alignas(struct inotify_event) char events[4096];
	char path[64];
	ssize_t n;

	(void)most_s;
	if (m->watch == 0) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", m->dir.new);
		m->watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
		if (m->watch < 0 || inotify_add_watch(m->watch, path,
		                                      IN_MOVED_TO | IN_CREATE | IN_DELETE_SELF |
		                                          IN_MOVE_SELF | IN_ONLYDIR) < 0)
			return err_set_errno(e, ERR_IO, "%s cannot be watched", s->url);
	}
	*fd = m->watch;
	while ((n = read(m->watch, events, sizeof(events))) > 0)
		for (ssize_t at = 0; at < n;) {
			const struct inotify_event *one = (const void *)(events + at);

			if (one->mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED))
				return err_set(e, ERR_IO, "%s: its folder new has gone",
				               s->url);
			*mail = true;
			at += (ssize_t)(sizeof(*one) + one->len);
		}
	return ERR_NONE;
}

static enum err maildir_source_open(struct source *s, const char *rest, struct failure *e)
{
	struct maildir_source *m = xcalloc(1, sizeof(*m));

	s->state = m;
	m->source = s;
	return maildir_open_url(s->url, s->settings->base, rest, &m->dir, e);
}

static void maildir_source_close(struct source *s)
{
	struct maildir_source *m = s->state;

	if (!m)
		return;
	if (m->watch > 0)
		close(m->watch);
	maildir_close(&m->dir);
	listing_clear(&m->listing);
	free(m->listing.items);
	facts_release(&m->facts);
	free(m->reread_to.name);
	free(m);
}

const struct source_driver source_maildir = {
    .scheme = "maildir",
    .open = maildir_source_open,
    .close = maildir_source_close,
    .start = maildir_source_start,
    .next = maildir_source_next,
    .fetch = maildir_source_fetch,
    .settle = maildir_source_settle,
    .sync = maildir_source_sync,
    .purge = maildir_source_purge,
    .reread = maildir_source_reread,
    .watch = maildir_source_watch,
    .resume = maildir_source_resume,
    .note = maildir_source_note,
};
